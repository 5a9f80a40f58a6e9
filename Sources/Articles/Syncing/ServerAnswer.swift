import Foundation
import Limits

/// What a server for syncing answers, which is JSON and hostile until it is read.
///
/// It is read value by value, as feeds are, within a budget of steps, and nothing is kept of it but what
/// is wanted: an answer may be as large as a feed, and be nothing but empty objects.
struct ServerAnswer {
  /// The most that an answer with a list may have.
  static let sizeLimit = FeedParser.sizeLimit
  /// The most that an answer with articles may have: several of them are asked for at once.
  static let articlesSizeLimit = 16 << 20
  /// The most articles that all lists of an account may have together.
  static let articleLimit = 1_000_000
  /// The most feeds that an account may have.
  static let feedLimit = 20_000

  /// The most bytes that the word for a next page may have.
  static let continuationLimit = 1_000

  private let bytes: [UInt8]
  private let name: String
  private let budget: Budget

  /// - Parameter name: what it answers, for the message of an error.
  init(_ bytes: [UInt8], of name: String, budget: Budget? = nil) {
    (self.bytes, self.name) = (bytes, name)
    self.budget = budget ?? Budget(bytes: bytes.count)
  }

  /// Reads the answer.
  ///
  /// - Parameter body: reads its one value; returns nil where something is missing in it.
  /// - Throws: ``SyncError/badAnswer(detail:)``, also when the answer ends before its end, or
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
      // What was cut short must not pass for the whole.
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
  /// Reads a whole number, also where it is written as a text; nil for another value.
  mutating func number() throws(FeedError) -> Int64? { try text().flatMap { Int64($0) } }

  /// Reads a time in seconds since 1970; nil for another value, and for one that no calendar has.
  mutating func time() throws(FeedError) -> Date? {
    try text().flatMap(Double.init).flatMap { seconds in
      0.nextUp..<253_402_300_800 ~= seconds ? Date(timeIntervalSince1970: seconds) : nil
    }
  }
}
