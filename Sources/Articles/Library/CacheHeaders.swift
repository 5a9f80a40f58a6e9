import Foundation
import HTTP

/// When a server wants to be asked again, as its headers say it.
enum CacheHeaders {
  /// What a server asks for beyond this is a mistake: a feed that is not asked for in a week would
  /// look dead.
  static let longestPause: TimeInterval = 7 * 86_400
  /// Many pages are served with a year's `max-age`, feeds among them.
  static let longestFreshness: TimeInterval = 86_400

  /// A longer header says nothing that can be believed.
  static let lengthLimit = 1_000

  /// For how long an answer is as good as a new one, in seconds; nil when the server does not say.
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
    // A proxy may have kept the answer for a while.
    let past = headers["Age"].flatMap(TimeInterval.init) ?? 0
    let left = min(seconds, longestFreshness) - max(0, past)
    return left > 0 ? left : nil
  }

  /// What `Retry-After` says, in seconds or as a date.
  static func retryDate(_ headers: HTTPHeaders, now: Date) -> Date? {
    guard let text = headers["Retry-After"] else { return nil }
    let date = TimeInterval(text).map { now.addingTimeInterval($0) } ?? FeedDate.parse(text)
    guard let date, date > now else { return nil }
    return min(date, now.addingTimeInterval(longestPause))
  }
}
