/// A feed of articles with titles of different lengths, the same ones each time.
struct SampleFeed {
  let count: Int
  var feedTitle = Self.feedTitle

  static let feedTitle = "A feed to measure with"

  private static let words = [
    "terminal", "spinner", "a", "reader", "of", "feeds", "waits", "the", "network", "slowly",
    "placeholder", "retry", "and", "backoff", "cells", "with", "colour", "offline", "why",
  ]

  /// The word that a title begins with.
  ///
  /// Without a blank: only then it is sent in one piece, whatever was on the screen before.
  func name(_ number: Int) -> String { "Article-\(number)" }

  /// The numbers of the articles whose names are in a text.
  static func numbers(in text: String) -> [Int] {
    text.split(separator: "Article-").dropFirst().compactMap { rest in
      Int(rest.prefix { $0.isASCII && $0.isNumber })
    }
  }

  /// The title of the article with this number, counted from the newest.
  func title(_ number: Int) -> String {
    // Scattered by a multiplier, so that neighbours have little in common.
    var seed = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
    let length = 3 + Int(seed >> 60) % 8
    var words = [name(number)]
    for _ in 0..<length {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      words.append(Self.words[Int(seed >> 33) % Self.words.count])
    }
    return words.joined(separator: " ")
  }

  /// In Atom.
  var xml: String {
    var xml = """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom"><title>\(feedTitle)</title>
      <id>urn:benchmark</id><updated>2026-01-01T00:00:00Z</updated>

      """
    for number in 0..<count {
      xml += """
        <entry><id>urn:benchmark:\(number)</id><title>\(title(number))</title>
        <updated>\(date(number))</updated>
        <content type="html">&lt;p&gt;The text of article \(number).&lt;/p&gt;</content></entry>

        """
    }
    return xml + "</feed>\n"
  }

  /// An hour lies between two articles; every month has 28 days.
  private func date(_ number: Int) -> String {
    let hours = 24 * 28 * 12 * 25 - number
    let (day, month, year) = (hours / 24, hours / (24 * 28), hours / (24 * 28 * 12))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(2000 + year)-\(two(month % 12 + 1))-\(two(day % 28 + 1))T\(two(hours % 24)):00:00Z"
  }
}
