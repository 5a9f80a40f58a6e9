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

  @Test func `the day is that of the time zone`() {
    let midnight = Date(timeIntervalSince1970: 1_767_225_600)
    #expect(days(offset: -3600).full(midnight) == "2025-12-31")
    #expect(days(offset: 14 * 3600).full(midnight) == "2026-01-01")
  }

  /// A second opinion, over leap years and dates before 1970.
  @Test func `every day is the one that the system's calendar says`() {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withFullDate]
    for day in stride(from: -200_000, through: 200_000, by: 97) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200)
      // From the reform of the calendar on: before it the system has another one.
      guard day > -140_000 else { continue }
      #expect(days().full(date) == formatter.string(from: date))
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
