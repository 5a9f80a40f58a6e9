/// The list of feeds of newsboat: one a line, with its tags behind it.
///
/// A tag that begins with `~` is the title that a person gave the feed, and one of `!` alone hides
/// it there.
public enum NewsboatList {
  /// Reads a file of the name `urls`.
  ///
  /// What would start a program (`exec:`, `filter:`) and what is a search over feeds (`query:`) is
  /// left out and named. Files of this machine stay: the list is a person's own.
  public static func read(_ bytes: [UInt8]) -> SubscriptionList {
    var list = SubscriptionList()
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      var words = words(line)
      guard !words.isEmpty else { continue }
      let address = words.removeFirst()
      if let reason = SubscriptionList.Refusal.Reason(refusing: address, allowsFiles: true) {
        list.refuse(reason, entry: address)
        continue
      }
      guard let normalized = FeedAddress.normalized(address, directory: "/") else {
        list.refuse(.address, entry: address)
        continue
      }
      let title = words.last { $0.hasPrefix("~") }
      list.append(
        Subscription(
          address: normalized, name: title.map { String($0.dropFirst()) },
          tags: words.filter { !$0.hasPrefix("~") && $0 != "!" }))
    }
    return list
  }

  /// The words of a line: separated by spaces, in quotes where they have some, up to a comment.
  static func words(_ line: some StringProtocol) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    for character in line {
      if isQuoted {
        if isEscaped {
          word?.append(unescaped(character))
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isQuoted = false
          words.append(word ?? "")
          word = nil
        } else {
          word?.append(character)
        }
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else if word == nil, character == "#" {
        break
      } else if word == nil, character == "\"" {
        word = ""
        isQuoted = true
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }

  private static func unescaped(_ character: Character) -> Character {
    switch character {
    case "n": "\n"
    case "r": "\r"
    case "t": "\t"
    default: character
    }
  }
}
