import Foundation
import Testing

@testable import Argyle

/// Tests of the hours in which nothing is reloaded automatically.
@Suite struct QuietHoursTests {
  /// Returns a time on 19 November 2026 at Greenwich.
  private static func time(_ hour: Int, _ minute: Int, _ second: Int = 0, day: Int = 0) -> Date {
    Date(
      timeIntervalSince1970: 1_795_046_400
        + Double(((day * 24 + hour) * 60 + minute) * 60 + second))
  }

  private func end(_ text: String, _ date: Date, offset: Int = 0) throws -> Date? {
    try #require(QuietHours(text)).end(around: date) { _ in offset }
  }

  @Test func `hours that cross midnight end on the next day`() throws {
    let hours = "22:00-07:00"
    #expect(try end(hours, Self.time(21, 59, 59)) == nil)
    #expect(try end(hours, Self.time(22, 0)) == Self.time(7, 0, day: 1))
    #expect(try end(hours, Self.time(23, 59, 59)) == Self.time(7, 0, day: 1))
    #expect(try end(hours, Self.time(0, 0)) == Self.time(7, 0))
    #expect(try end(hours, Self.time(6, 59, 59)) == Self.time(7, 0))
    #expect(try end(hours, Self.time(7, 0)) == nil)
  }

  @Test func `hours within a day end on that day`() throws {
    #expect(try end("9:30-17:00", Self.time(9, 29)) == nil)
    #expect(try end("9:30-17:00", Self.time(9, 30, 30)) == Self.time(17, 0))
    #expect(try end("9:30-17:00", Self.time(17, 0)) == nil)
  }

  @Test func `the hours are those of the place`() throws {
    // An hour west of Greenwich, it is 22:00 when it is 23:00 there.
    #expect(try end("22:00-07:00", Self.time(22, 30), offset: -3600) == nil)
    #expect(
      try end("22:00-07:00", Self.time(23, 0), offset: -3600) == Self.time(8, 0, day: 1))
  }

  @Test func `a night in which clocks are changed ends by the new time`() throws {
    let hours = try #require(QuietHours("22:00-07:00"))
    let change = Self.time(1, 0, day: 1)
    #expect(
      hours.end(around: Self.time(22, 0)) { $0 < change ? 0 : -3600 } == Self.time(8, 0, day: 1))
  }

  @Test func `what is no two times is refused with its line`() {
    for text in ["22-7", "22:00", "24:00-07:00", "22:60-07:00", "22:00-22:00", "a:00-b:00", "-"] {
      #expect(QuietHours(text) == nil)
    }
    #expect(
      problems("[fetching]", "quiet = \"22-7\"") == [
        "f:2: fetching.quiet: this is “22-7”; it must be two times of a day, such as "
          + "\"22:00-07:00\", or empty for none."
      ])
  }

  @Test func `the hours are written as they are read`() throws {
    let configuration = try Configuration(toml: "[fetching]\nquiet = \"9:05-17:00\"")
    #expect(configuration.fetching.quiet?.text == "09:05-17:00")
    #expect(try Configuration(toml: configuration.toml) == configuration)
    #expect(try Configuration(toml: "[fetching]\nquiet = \"\"").fetching.quiet == nil)
  }
}
