import Foundation
import Limits

/// Reads newsboat's list of feeds: one per line, followed by its tags.
///
/// A tag that begins with `~` is the user's title of the feed; `!` alone hides the feed in
/// newsboat.
public enum NewsboatList {
  /// The most lines of a list.
  static let lineLimit = 100_000
  /// The most words of a line that are read.
  static let wordLimit = 1_000

  /// Whether a path ends with the name of newsboat's list.
  public static func isName(_ path: String) -> Bool {
    path.trimmingWhiteSpace().split(separator: "/").last == "urls"
  }

  /// Whether a typed text is a file of that name, and not an address that ends with it.
  ///
  /// - Parameter directory: the base of a relative path.
  public static func isFile(
    _ text: String, directory: String = FileManager.default.currentDirectoryPath
  ) -> Bool {
    isName(text) && ProgramAddress(text) == nil
      && FeedAddress.normalized(text, directory: directory).flatMap(FileAddress.path) != nil
  }

  /// Parses a `urls` file.
  ///
  /// Entries that would start a program (`exec:`, `filter:`) or are queries over feeds (`query:`)
  /// are refused and reported. Files of this machine are accepted: the list is the user's own.
  ///
  /// - Throws: ``OPMLError``, when the list is too large or has too many lines.
  public static func read(_ bytes: [UInt8]) throws(OPMLError) -> SubscriptionList {
    try read(bytes, budget: Budget(bytes: bytes.count))
  }

  static func read(_ bytes: [UInt8], budget: Budget) throws(OPMLError) -> SubscriptionList {
    guard bytes.count <= OPML.sizeLimit else { throw .document(.tooLarge(limit: OPML.sizeLimit)) }
    var list = SubscriptionList()
    var lines = 0
    // Everything after the last allowed line counts as one more line.
    let pieces = SourceText.utf8(bytes, charset: nil).split(maxSplits: lineLimit) {
      $0 == 0x0A || $0 == 0x0D
    }
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

  /// Returns the words of a line: separated by spaces, quoted if they contain some, up to a
  /// comment.
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
