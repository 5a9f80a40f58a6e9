import Foundation
import Limits

/// Reads newsboat's list of feeds: one per line, followed by its tags.
///
/// A tag that begins with `~` is the user's title of the feed. One that begins with `!` hides the feed
/// in newsboat; here, such feeds are shown.
public enum NewsboatList {
  /// The most lines of a list.
  static let lineLimit = 100_000
  /// The most words of a line that are read.
  static let wordLimit = 1_000

  /// Whether a path ends with the name of newsboat's list.
  public static func isName(_ path: String) -> Bool {
    path.trimmingWhiteSpace().split(separator: "/").last == "urls"
  }

  /// How much of a text is looked at to recognise a list, in bytes.
  static let recognisedLength = 16_384

  /// Whether a text begins like newsboat's list: most lines, without empty ones and comments, begin
  /// with what such a list has.
  static func isList(_ bytes: [UInt8]) -> Bool {
    let text = String(
      decoding: SourceText.utf8(Array(bytes.prefix(recognisedLength)), charset: nil), as: UTF8.self)
    let first = text.split(whereSeparator: \.isNewline).compactMap { words($0).first }
    let entries = first.count { word in
      ["http://", "https://", "file://", "exec:", "filter:", "query:"].contains {
        word.lowercased().hasPrefix($0)
      }
    }
    return entries * 2 > first.count
  }

  /// Parses a `urls` file.
  ///
  /// Entries that would start a program (`exec:`, `filter:`), except one of the configuration, or are
  /// queries over feeds (`query:`) are refused and reported. Files of this machine are accepted: the
  /// list is the user's own.
  ///
  /// - Parameter programs: the names of ``Library/Options/programs``: entries such as `exec:name` that
  ///   only name one of them are accepted.
  /// - Throws: ``OPMLError``, when the list is too large or has too many lines.
  public static func read(
    _ bytes: [UInt8], programs: Set<String> = []
  ) throws(OPMLError) -> SubscriptionList {
    try read(bytes, programs: programs, budget: Budget(bytes: bytes.count))
  }

  static func read(
    _ bytes: [UInt8], programs: Set<String> = [], budget: Budget
  ) throws(OPMLError) -> SubscriptionList {
    guard bytes.count <= OPML.sizeLimit else { throw .document(.tooLarge(limit: OPML.sizeLimit)) }
    let source = SubscriptionList.Source.user(programs: programs)
    var list = SubscriptionList()
    list.isOwn = true
    var lines = 0
    let text = SourceText.utf8(bytes, charset: nil)
    var (number, counted) = (1, text.startIndex)
    // Everything after the last allowed line counts as one more line.
    for line in text.split(maxSplits: lineLimit, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      lines += 1
      budget.require(lines, atMost: lineLimit, .lines)
      // Empty lines are not among the pieces.
      number += lineBreaks(in: text[counted..<line.startIndex])
      counted = line.startIndex
      var words = words(String(decoding: line, as: UTF8.self), budget: budget)[...]
      if let end = budget.end { throw .document(FeedError(end)) }
      guard let address = words.popFirst() else { continue }
      let normalized: String
      do throws(SubscriptionList.Refusal.Reason) {
        normalized = try source.address(address)
      } catch {
        list.refuse(error, entry: String(decoding: line, as: UTF8.self), line: number)
        continue
      }
      let title = words.last { $0.utf8.first == UInt8(ascii: "~") }
      let tags = words.filter { $0.utf8.first != UInt8(ascii: "~") }
      if tags.contains(where: isHiding) { list.hiddenCount += 1 }
      list.append(
        Subscription(
          address: normalized, name: title.map { String($0.unicodeScalars.dropFirst()) },
          // `!name` is a name, too, with which newsboat's queries find the feed.
          tags: tags.map { isHiding($0) ? String($0.unicodeScalars.dropFirst()) : $0 }))
    }
    return list
  }

  /// Whether newsboat does not list the feeds with this tag.
  private static func isHiding(_ tag: String) -> Bool { tag.utf8.first == UInt8(ascii: "!") }

  /// How many lines end in a text; CR LF ends one.
  private static func lineBreaks(in text: ArraySlice<UInt8>) -> Int {
    text.indices.count { index in
      text[index] == 0x0A
        || text[index] == 0x0D && (index + 1 == text.endIndex || text[index + 1] != 0x0A)
    }
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
