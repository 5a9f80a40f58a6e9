import Foundation
import Limits

/// The answer of a sync server: untrusted JSON.
///
/// It is read value by value, like feeds, within a budget of steps, and only the needed values are
/// kept: an answer may be as large as a feed, and consist of nothing but empty objects.
struct ServerAnswer {
  /// The largest answer with a list, in bytes.
  static let sizeLimit = FeedParser.sizeLimit
  /// The largest answer with articles, in bytes: several are requested at the same time.
  static let articlesSizeLimit = 16 << 20
  /// The most articles in all lists of an account together.
  static let articleLimit = 1_000_000
  /// The most feeds of an account.
  static let feedLimit = 20_000

  /// The longest continuation of a list, in bytes.
  static let continuationLimit = 1_000

  private let bytes: [UInt8]
  private let name: String
  private let budget: Budget

  /// - Parameter name: what the answer contains, for error messages.
  init(_ bytes: [UInt8], of name: String, budget: Budget? = nil) {
    (self.bytes, self.name) = (bytes, name)
    self.budget = budget ?? Budget(bytes: bytes.count)
  }

  /// Parses the answer.
  ///
  /// - Parameter body: reads its only value; returns nil if something is missing.
  /// - Throws: ``SyncError/badAnswer(detail:)``, also when the answer is truncated, or
  ///   `CancellationError`.
  func read<Value>(
    _ body: (inout JSONReader, Budget) throws(FeedError) -> Value?
  ) throws -> Value {
    do throws(FeedError) {
      let text = SourceText.utf8(bytes, charset: "UTF-8")
      budget.spend(text.count)
      let value = try JSONReader.read(text, budget: budget) { reader throws(FeedError) in
        try body(&reader, budget)
      }
      // A result that was cut short by the budget must not pass for complete.
      if let end = budget.end { throw FeedError(end) }
      if let value { return value }
    } catch .cancelled {
      throw CancellationError()
    } catch .tooMuch(let excess) {
      throw SyncError.badAnswer(detail: "\(name): The answer has \(excess.words).")
    } catch {}
    let beginning = UserMessage.cleaned(
      String(decoding: bytes.prefix(200), as: UTF8.self), limit: 60)
    throw SyncError.badAnswer(detail: "\(name): \(beginning)")
  }
}

extension JSONReader {
  /// Reads an integer, which may be written as a string; nil for another value.
  mutating func number() throws(FeedError) -> Int64? { try text().flatMap { Int64($0) } }

  /// Returns a time from its seconds since 1970; nil for another text, and after the year 9999.
  static func time(_ text: String?) -> Date? {
    guard let seconds = text.flatMap(Double.init), 0.nextUp..<253_402_300_800 ~= seconds else {
      return nil
    }
    return Date(timeIntervalSince1970: seconds)
  }
}
