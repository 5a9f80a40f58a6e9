import Foundation
import HTTP
import Testing

@testable import Articles

private let noon = Date(timeIntervalSince1970: 1_795_262_400)

@Suite struct CacheHeadersTests {
  @Test(arguments: [
    ("max-age=600", 600.0), ("public, Max-Age=600, must-revalidate", 600), ("max-age=\"600\"", 600),
    ("no-cache, max-age=600", nil), ("no-store", nil), ("max-age=0", nil), ("max-age=soon", nil),
    ("max-age=-5", nil), ("s-maxage=600", nil), ("max-age=31536000", 86_400), ("", nil),
  ])
  func `an answer is fresh for as long as its server says, up to a day`(
    value: String, seconds: TimeInterval?
  ) {
    #expect(CacheHeaders.freshness(["Cache-Control": value]) == seconds)
  }

  @Test func `time that an answer spent in a proxy is taken off`() {
    #expect(CacheHeaders.freshness(["Cache-Control": "max-age=600", "Age": "200"]) == 400)
    #expect(CacheHeaders.freshness(["Cache-Control": "max-age=600", "Age": "700"]) == nil)
    #expect(CacheHeaders.freshness(["Cache-Control": "max-age=600", "Age": "-9999"]) == 600)
    // A day is left of a week.
    #expect(
      CacheHeaders.freshness(["Cache-Control": "max-age=604800", "Age": "100000"]) == 86_400)
  }

  @Test(arguments: [
    ("120", 120.0), ("Sat, 21 Nov 2026 12:02:00 GMT", 120), ("99999999", 604_800),
    ("Sat, 21 Nov 2043 12:02:00 GMT", 604_800), ("0", nil), ("-1", nil), ("later", nil),
    ("Sat, 21 Nov 2020 12:02:00 GMT", nil), ("nan", nil), ("inf", 604_800),
  ])
  func `a server's wish to be left alone is a number or a date, up to a week`(
    value: String, seconds: TimeInterval?
  ) {
    let date = CacheHeaders.retryDate(["Retry-After": value], now: noon)
    #expect(date?.timeIntervalSince(noon) == seconds)
  }

  @Test func `pauses double from five minutes to a day, each with a part of chance`() {
    let pauses = (1...12).map { FailurePause.seconds(failures: $0, chance: 0.5) }
    #expect(pauses.prefix(4) == [300, 600, 1200, 2400])
    #expect(pauses.suffix(3) == [86_400, 86_400, 86_400])
    #expect(FailurePause.seconds(failures: 1, chance: 0) == 225)
    #expect(FailurePause.seconds(failures: 1, chance: 1) == 375)
    #expect(FailurePause.seconds(failures: .max, chance: 0.5) == 86_400)
  }
}
