import Articles
import Foundation
import Testing

@testable import Argyle

@Suite struct DayTextTests {
  private func days(now: Double = 1_795_000_000, offset: Int = 0) -> DayText {
    DayText(offset: { _ in offset }, now: { Date(timeIntervalSince1970: now) })
  }

  @Test func `a day of this year is named without it, any other in full`() {
    let days = days()
    #expect(days(Date(timeIntervalSince1970: 1_795_000_000)) == "18 Nov")
    #expect(days(Date(timeIntervalSince1970: 1_767_225_600)) == " 1 Jan")
    #expect(days(Date(timeIntervalSince1970: 1_767_225_599)) == "2025-12-31")
    #expect(days(Date(timeIntervalSince1970: 1_798_761_599)) == "31 Dec")
    #expect(days(Date(timeIntervalSince1970: 1_798_761_600)) == "2027-01-01")
  }

  @Test func `a day as a title is near by its name, and else by its weekday or its year`() {
    let days = days()
    func heading(_ seconds: Double) -> String { days.heading(Date(timeIntervalSince1970: seconds)) }
    #expect(heading(1_795_000_000) == "Today")
    #expect(heading(1_795_000_000 + 5 * 86_400) == "Today", "as the list has it")
    #expect(heading(1_795_000_000 - 86_400) == "Yesterday")
    #expect(heading(1_795_000_000 - 2 * 86_400) == "Mon 16 Nov")
    #expect(heading(1_767_225_600) == "Thu 1 Jan")
    #expect(heading(1_767_225_599) == "2025-12-31")
  }

  @Test func `an article that its feed dates to the future stands under the day it came`() {
    let date = Date(timeIntervalSince1970: 1_795_000_000)
    let article = Article(
      id: Article.ID(rawValue: 1), feedID: Feed.ID(rawValue: 1), feedTitle: "Feed", title: "Later",
      published: date + 5 * 86_400, listed: date - 86_400)
    #expect(ArticleOrder.newest.group(of: article, days()) == "Yesterday")
  }

  @Test func `the day is that of the time zone`() {
    let midnight = Date(timeIntervalSince1970: 1_767_225_600)
    #expect(days(offset: -3600).full(midnight) == "2025-12-31")
    #expect(days(offset: 14 * 3600).full(midnight) == "2026-01-01")
  }

  /// Compares with the system's calendar, over leap years and dates before 1970.
  @Test func `every day is the one that the system's calendar says`() {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withFullDate]
    for day in stride(from: -200_000, through: 200_000, by: 97) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200)
      // Only from the reform of the calendar on: before it, the system uses the Julian calendar.
      guard day > -140_000 else { continue }
      #expect(days().full(date) == formatter.string(from: date))
    }
  }

  /// Returns dates in a zone whose offset changes at an instant.
  private func days(now: Double, change: Double, from before: Int, to after: Int) -> DayText {
    DayText(
      offset: { $0.timeIntervalSince1970 < change ? before : after },
      now: { Date(timeIntervalSince1970: now) })
  }

  /// Midnight of 22 November 2026 in Greenwich; the tests below use hours from it.
  private static let midnight = 1_795_305_600.0

  @Test(arguments: [
    // Forward and back at two o'clock in the morning, as in Europe.
    (changesAt: 1.0, from: 1, to: 2, start: -1.0), (changesAt: 1.0, from: 2, to: 1, start: -2.0),
    // Forward at midnight: the day begins at one o'clock.
    (changesAt: -2.0, from: 2, to: 3, start: -2.0),
    // Back from one o'clock to midnight, which occurs twice.
    (changesAt: 5.0, from: -4, to: -5, start: 4.0),
    // No change.
    (changesAt: -100.0, from: 0, to: 5, start: -5.0),
  ])
  func `a day of a time change begins when its calendar says`(
    zone: (changesAt: Double, from: Int, to: Int, start: Double)
  ) {
    let change = Self.midnight + zone.changesAt * 3_600
    let start = Self.midnight + zone.start * 3_600
    for hour in [0.1, 3, 6, 12, 20] {
      let days = days(
        now: start + hour * 3_600, change: change, from: zone.from * 3_600, to: zone.to * 3_600)
      #expect(days.dayStart == Date(timeIntervalSince1970: start), "\(hour) hours later")
    }
  }

  /// Compares with the system's calendar for every hour of two years, in zones with changes of all
  /// kinds.
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "America/Havana", "Asia/Beirut", "Australia/Lord_Howe",
    "UTC",
  ])
  func `every day begins when the system's calendar says`(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    for hour in 0..<(2 * 365 * 24) {
      let now = Date(timeIntervalSince1970: 1_735_689_600 + Double(hour) * 3_600 + 1_234)
      let days = DayText(offset: { zone.secondsFromGMT(for: $0) }, now: { now })
      try #require(days.dayStart == calendar.startOfDay(for: now), "\(now)")
    }
  }

  @Test(arguments: [1e300, -1e300, .infinity, -.infinity, 1e18, -1e18])
  func `a date out of all proportion is cut, and no reason to end`(seconds: Double) {
    let text = days()(Date(timeIntervalSince1970: seconds))
    #expect(
      text
        == (seconds > 0 ? "9999-12-31" : days().full(Date(timeIntervalSince1970: -253_402_300_799)))
    )
  }
}
