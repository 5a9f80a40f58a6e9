public import Foundation
public import HTTP

/// Reads from response headers when a feed may be fetched again, and what is sent with that fetch.
public enum CacheHeaders {
  /// The longest pause that is respected, in seconds.
  ///
  /// A longer one is shortened: a feed that is not fetched for longer would look dead.
  static let longestPause: TimeInterval = 7 * 86_400
  /// The longest `max-age` that is respected, in seconds; a longer one is shortened: many servers
  /// send a year for all pages, feeds included.
  static let longestFreshness: TimeInterval = 86_400

  /// The longest header that is read, in bytes.
  static let lengthLimit = 1_000

  /// How long an answer stays fresh, in seconds; nil when the server does not say, or forbids
  /// caching.
  static func freshness(_ headers: HTTPHeaders) -> TimeInterval? {
    let text = headers.values(of: "Cache-Control").joined(separator: ",")
    guard text.utf8.count <= lengthLimit else { return nil }
    let directives = text.lowercased().split(separator: ",")
      .map { String($0).trimmingWhiteSpace() }
    guard !directives.contains("no-cache"), !directives.contains("no-store"),
      let age = directives.first(where: { $0.hasPrefix("max-age=") })
    else { return nil }
    let digits = age.dropFirst(8).filter { $0 != "\"" }
    guard let seconds = TimeInterval(digits), seconds > 0 else { return nil }
    // A proxy may have stored the answer for some time.
    let past = headers["Age"].flatMap(TimeInterval.init) ?? 0
    let left = min(seconds - max(0, past), longestFreshness)
    return left > 0 ? left : nil
  }

  /// Returns an `ETag` or `Last-Modified` that is sent back with the next fetch; nil when it cannot be
  /// sent or is too long.
  static func validator(_ value: String?) -> String? {
    value.flatMap { 1...500 ~= $0.utf8.count && HTTPHeaders.canSend($0) ? $0 : nil }
  }

  /// The time in `Retry-After`, which is a number of seconds or a date; at most a week from now.
  public static func retryDate(_ headers: HTTPHeaders, now: Date) -> Date? {
    guard let text = headers["Retry-After"] else { return nil }
    let date = TimeInterval(text).map { now.addingTimeInterval($0) } ?? FeedDate.parse(text)
    guard let date, date > now else { return nil }
    return min(date, now.addingTimeInterval(longestPause))
  }
}
