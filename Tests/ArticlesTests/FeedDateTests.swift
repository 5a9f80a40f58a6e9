import Foundation
import Testing

@testable import Articles

@Suite struct FeedDateTests {
  @Test(arguments: [
    "Sat, 21 Nov 2026 08:30:00 GMT", "Sat, 21 Nov 2026 08:30:00 +0000",
    "21 Nov 2026 08:30:00 UT", "21 Nov 2026 08:30 Z", "Sat,21 Nov 2026 08:30:00 GMT",
    "Saturday, 21 November 2026 08:30:00 GMT", "Sat, 21-Nov-2026 08:30:00 GMT",
    "Sat, 21 Nov 26 08:30:00 GMT", "Sat, 21 Nov 2026 03:30:00 EST",
    "Sat, 21 Nov 2026 09:30:00 CET", "Sat, 21 Nov 2026 09:30:00 +01:00",
    "Sat, 21 Nov 2026 09:30:00 +1", "Sat, 21 Nov 2026 09:30:00 GMT+1", "Sat 21 Nov 2026 8:30:00",
    "Nov 21, 2026 8:30 AM", "November 21st, 2026 08:30:00", "Sat, Nov 21 2026 08:30:00 GMT",
    "sam, 21 Nov 2026 08:30:00 GMT", "So, 21 Nov 2026 08:30:00 GMT",
    "Mar, 21 Nov 2026 08:30:00 GMT", "Martedì, 21-Nov-2026 08:30:00 GMT",
    "mar. 21 nov. 2026 08:30:00 GMT", "mar. 21/11/2026 08:30", "Mar, 21-11-2026 08:30:00 GMT",
    "mar 21.11.26 08:30", "Mar Nov 21 08:30:00 2026",
    "2026-11-21T08:30:00Z", "2026-11-21T08:30:00.000Z", "2026-11-21T08:30Z",
    "2026-11-21t08:30:00z", "2026-11-21T09:30:00+01:00", "2026-11-21T09:30:00+0100",
    "2026-11-21 08:30:00", "2026-11-21 08:30:00 UTC", "2026-11-21T03:30:00 -05:00",
    "2026/11/21 08:30:00", "20261121T083000Z", "  2026-11-21T08:30:00Z\n",
    "Sat Nov 21 08:30:00 2026", "Sat Nov 21 03:30:00 EST 2026", "Sat, 21 Nov 08:30:00 UTC 2026",
    "1795249800", " 1795249800000\n",
    "2026-11-21T14:00:00+5:30", "2026-11-20T24:00:00-08:30",
    "Sat, 2026-11-21T08:30:00Z", "Sat, 2026/11/21 03:30:00 EST", "sam., 2026-11-21 08:30",
    "Mar, 2026-11-21 08:30", "Lunedì 2026-11-21 08:30", "2026 Nov 21 08:30",
    "2026-Nov-21 08:30:00", "2026 November 21, 8:30 AM", "2026. 11. 21. 08:30", "2026 11 21 08:30",
    "Nov 21, 2026 8:30 a.m.", "21 Nov 2026 8:30 p.m. +1200", "21 Nov 2026 9:30 a. m. CET",
    "2026-11-21:08:30:00", "2026/11/21:08:30", "2026-Nov-21:08:30", "2026.11.21:08:30",
    "mar. 2026-11-21 08:30", "Mar 2026-11-21T08:30:00Z", "mar. 2026.11.21 08:30",
    "Saturday, November 21, 2026 - 08:30", "Sat, 21/11/2026 - 8:30am", "21.11.2026 | 08:30",
    "November 21, 2026 at 8:30 am", "21.11.2026 um 08:30", "2026-11-21 at 08:30",
    "2026-11-21 - 08:30", "21 Nov 2026 03:30 ET", "Sat, 21 Nov 2026 10:30:00 SAST",
    "Sat, 21 Nov 2026 18:00:00 ACST", "Sat, 21 Nov 2026 16:30:00 SGT",
  ])
  func `a date is read however it is written`(text: String) {
    #expect(FeedDate.parse(text) == Date(timeIntervalSince1970: 1_795_249_800))
  }

  @Test(arguments: [
    ("2026", 1_767_225_600.0), ("2026-11", 1_793_491_200), ("2026-11-21", 1_795_219_200),
    ("1970-01-01T00:00:01Z", 1), ("1969-12-31T23:59:59.5Z", -0.5), ("2000-02-29", 951_782_400),
    ("Thu, 01 Jan 70 00:00:01 GMT", 1), ("31 Dec 69 00:00:00 GMT", 3_155_673_600),
    ("2026-21-11", 1_795_219_200), ("12 Jan 2026 12:30 AM", 1_768_177_800),
    ("12 Jan 2026 12:30 PM", 1_768_221_000), ("12 Jan 2026 12:30 p.m.", 1_768_221_000),
    ("2026-Nov-21", 1_795_219_200), ("2026. 11. 21.", 1_795_219_200), ("2026 Nov", 1_793_491_200),
    ("2026-11 08:30", 1_793_521_800), ("2026 08:30", 1_767_256_200), ("2026Z", 1_767_225_600),
    ("2026 EST", 1_767_243_600), ("2026-", 1_767_225_600),
    ("2026 Nov. 08:30", 1_793_521_800), ("2026. 11. 08:30", 1_793_521_800),
    ("mar. 2026-11-21", 1_795_219_200), ("Mar 2026-11-21", 1_795_219_200),
    ("November 2026", 1_793_491_200), ("Nov. 2026 08:30", 1_793_521_800),
  ])
  func `part of a date is enough`(text: String, seconds: Double) {
    #expect(FeedDate.parse(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "2026 in autumn", "Autumn 2026", "2026/Foo/21", "2026 年 11 月", "yesterday", "2026-13-40",
    "11/2026", "Sat 20101121", "99 Foo 2026", "Sat, Nov", "\u{0}", "2026-11-21T99:00",
    "0001-01-01T00:00:00Z", "Mon, 01 Jan 0001 00:00:00 +0000",
    "Thu, 01 Jan 1970 00:00:00 +0000", "Thu, 01 Jan 1970 01:00:00 +0100", "0000000000",
    "Wed, 30 Nov -0001 00:00:00 +0000", "1970-01-01",
  ])
  func `nonsense is no date`(text: String) {
    #expect(FeedDate.parse(text) == nil)
  }

  @Test func `calendar days agree with the system's`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for day in stride(from: -40_000, to: 40_000, by: 37) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let (year, month, day) = (
        try #require(parts.year), try #require(parts.month), try #require(parts.day)
      )
      #expect(FeedDate.parse("\(year)-\(month)-\(day)") == date)
    }
  }
}
