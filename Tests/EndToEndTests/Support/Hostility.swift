/// What an attacker may put into a feed to control the terminal, or to distort its rows.
enum Hostility: String, CaseIterable, Sendable {
  case escapeSequences, controls, c1Controls, bidiControls, invisibles, brokenText, wideText
  case longText, emoji, marks, references

  /// Bytes, since some of them are not valid text.
  var pieces: [[UInt8]] {
    switch self {
    case .escapeSequences:
      bytes(
        "\u{1B}[35;45mx", "\u{1B}]0;owned\u{7}", "\u{1B}[2J", "\u{1B}[1;1Howned", "\u{1B}c",
        "\u{1B}[?1049l", "\u{1B}[?25h", "\u{1B}(0x", "\u{1B}P1$q\u{1B}\\", "\u{1B}[6n", "\u{1B}#8")
    case .controls:
      bytes(
        "\u{7}", "\u{E}x", "\u{C}", "\u{B}", "\0", "\u{7F}", "\r=", "\n\n\r=",
        String(repeating: "\u{8}", count: 60) + "=")
    case .c1Controls: bytes("\u{9B}31m", "\u{90}x\u{9C}", "\u{9D}0;x\u{9C}", "\u{85}", "\u{8D}")
    case .bidiControls:
      bytes(
        "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}abc", "\u{2066}", "\u{2067}", "\u{2068}",
        "\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}")
    case .invisibles:
      bytes("\u{200B}", "\u{200D}", "\u{FEFF}", "\u{AD}", "\u{2060}", "\u{E0067}", "\u{200C}x")
    case .brokenText:
      [
        [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80],
        [0x9B, 0x32, 0x4A], [0xF5, 0x80],
      ]
    case .wideText:
      bytes(String(repeating: "字", count: 60), String(repeating: "a漢", count: 50))
    case .longText: bytes(String(repeating: "long", count: 300))
    case .emoji: bytes("👩‍👩‍👧", "🏳️‍🌈", "❤️‍🔥")
    case .marks:
      bytes("e" + String(repeating: "\u{301}", count: 30), "\u{20DD}", "ب", "א", "\u{378}")
    case .references:
      bytes("&#27;[2J", "&#x9b;2J", "&#x202e;", "&#0;", "&amp;#27;[2J", "&#xD800;", "&lt;b&gt;")
    }
  }

  private func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  /// Returns several pieces of several kinds, some with words between them.
  static func mixture(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...8, using: &generator)).flatMap { _ -> [UInt8] in
      let kind = allCases.randomElement(using: &generator) ?? .controls
      let piece = kind.pieces.randomElement(using: &generator) ?? []
      return piece + (Bool.random(using: &generator) ? Array(" word ".utf8) : [])
    }
  }
}

/// An RSS feed with articles that can be told apart whatever else is in them.
struct MarkedFeed {
  static let count = 10

  static func mark(_ letter: String, _ index: Int) -> String { "\(letter)0\(index)" }

  /// Returns the feed.
  ///
  /// - Parameter filling: returns what follows a mark; called once for each.
  static func bytes(filling: () -> [UInt8]) -> [UInt8] {
    var feed = Array("<rss version=\"2.0\"><channel><title>Feed".utf8) + filling()
    feed += Array("</title>".utf8)
    for index in 0..<count {
      func field(_ start: String, _ end: String) {
        feed += Array(start.utf8) + filling() + Array(end.utf8)
      }
      feed += Array("<item><guid>\(index)</guid>".utf8)
      feed += Array("<pubDate>Mon, 02 Mar 2026 10:0\(9 - index):00 GMT</pubDate>".utf8)
      field("<title>\(mark("t", index))", "</title>")
      field("<author>Ann ", "</author>")
      field("<link>http://example.org/", "</link>")
      field("<description><![CDATA[<p>\(mark("b", index)) ", "</p>")
      field("<h2>Heading", "</h2>")
      field("<pre>code", "</pre>")
      field("<p><a href=\"http://example.org/", "\">a link</a> ")
      field("<img alt=\"", "\"></p><ul><li>")
      field("item", "</li></ul>")
      // More than fits on a screen in any case, since the footer depends on it.
      feed += Array(String(repeating: "<p>And so on.</p>", count: 12).utf8)
      feed += Array("<a href=\"http://example.org/\(mark("e", index))\">end</a>".utf8)
      feed += Array("]]></description></item>".utf8)
    }
    return feed + Array("</channel></rss>".utf8)
  }
}
