import Foundation
import Limits

/// The list of feeds of newsboat: one a line, with its tags after it.
///
/// A tag that begins with `~` is the title that the user gave the feed, and `!` alone hides it there.
public enum NewsboatList {
  /// Longer lists are refused.
  static let lineLimit = 100_000
  /// Further words of a line are not read.
  static let wordLimit = 1_000

  /// Whether a path ends in the name that newsboat gives its list.
  public static func isName(_ path: String) -> Bool {
    path.trimmingWhiteSpace().split(separator: "/").last == "urls"
  }

  /// Whether what was typed is a file of that name, and not an address that ends in it.
  ///
  /// - Parameter directory: what a relative path is relative to.
  public static func isFile(
    _ text: String, directory: String = FileManager.default.currentDirectoryPath
  ) -> Bool {
    isName(text) && ProgramAddress(text) == nil
      && FeedAddress.normalized(text, directory: directory).flatMap(FileAddress.path) != nil
  }

  /// Reads a file of the name `urls`.
  ///
  /// What would start a program (`exec:`, `filter:`) and what is a search over feeds (`query:`) is
  /// left out and named. Files of this machine stay: the list is the user's own.
  ///
  /// - Throws: ``OPMLError``, when the list is too large or has too many lines.
  public static func read(_ bytes: [UInt8]) throws(OPMLError) -> SubscriptionList {
    try read(bytes, budget: Budget(bytes: bytes.count))
  }

  static func read(_ bytes: [UInt8], budget: Budget) throws(OPMLError) -> SubscriptionList {
    guard bytes.count <= OPML.sizeLimit else { throw .document(.tooLarge(limit: OPML.sizeLimit)) }
    var list = SubscriptionList()
    var lines = 0
    // What is behind the last line of all that may be is one more line, however many it has.
    let pieces = Marks.limited(bytes).split(maxSplits: lineLimit) { $0 == 0x0A || $0 == 0x0D }
    for line in pieces {
      lines += 1
      budget.require(lines, atMost: lineLimit, .lines)
      var words = words(String(decoding: line, as: UTF8.self), budget: budget)[...]
      if let end = budget.end { throw .document(FeedError(end)) }
      guard let address = words.popFirst() else { continue }
      if let reason = SubscriptionList.Refusal.Reason(refusing: address, allowsFiles: true) {
        list.refuse(reason, entry: address)
        continue
      }
      guard let normalized = FeedAddress.normalized(address, directory: "/") else {
        list.refuse(.address, entry: address)
        continue
      }
      let title = words.last { $0.utf8.first == UInt8(ascii: "~") }
      list.append(
        Subscription(
          address: normalized, name: title.map { String($0.unicodeScalars.dropFirst()) },
          tags: words.filter { $0.utf8.first != UInt8(ascii: "~") && $0 != "!" }))
    }
    return list
  }

  /// The words of a line: separated by spaces, in quotes where they have some, up to a comment.
  static func words(_ line: some StringProtocol, budget: Budget? = nil) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var isInWord = false
    var isQuoted = false
    var isEscaped = false
    func end() {
      words.append(String(word))
      word = String.UnicodeScalarView()
      isInWord = false
    }
    scan: for scalar in line.unicodeScalars {
      if words.count == wordLimit || budget?.spend(1) == false { break }
      switch scalar {
      case _ where isEscaped:
        word.append(unescaped(scalar))
        isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"" where isQuoted:
        isQuoted = false
        end()
      case _ where isQuoted: word.append(scalar)
      case _ where scalar.properties.isWhitespace: if isInWord { end() }
      case "#" where !isInWord: break scan
      case "\"" where !isInWord: (isInWord, isQuoted) = (true, true)
      default:
        isInWord = true
        word.append(scalar)
      }
    }
    if isInWord { end() }
    return words
  }

  private static func unescaped(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "n": "\n"
    case "r": "\r"
    case "t": "\t"
    default: scalar
    }
  }
}
