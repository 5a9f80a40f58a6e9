import PseudoTerminal
import Testing

@testable import Articles

/// The plain text of HTML, whose hashes are stored as keys of articles.
@Suite struct HTMLTextTests {
  private static let pieces = [
    "<", ">", "&", "\"", "'", "  ", " ", "\n", "\t", "=\"", "='", "<!--", "-->", "--", "/", "a",
    "&amp;", "&#173;", "&nbsp;", "\u{AD}", "é", "í", "日本", "\u{1}", "<script>", "</SCRIPT>",
    "<svg x='>'>", "</svg>", "<template>", "<b>", "</b >", "<P>", "<br/>", "<abbreviate>",
    "<strong>", "several words, and  two spaces",
  ]

  @Test func `the texts of random HTML are those that stores have hashes of`() {
    var generator = SeededGenerator(seed: 1)
    var digest = ContentDigest()
    for _ in 0..<2_000 {
      var html = ""
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        html += Self.pieces.randomElement(using: &generator) ?? ""
      }
      for limit in [0, 1, 7, 64, .max] {
        digest.combine(HTMLText.text(html, limit: limit))
        digest.combine(HTMLText.text(html, limit: limit, keepsLines: true))
      }
    }
    #expect(digest.value == 10_818_987_168_976_267_150)
  }

  @Test func `elements that may occur in a word do not part it, and others do`() {
    let inline = """
      a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q rp rt ruby s samp small span \
      strike strong sub sup time tt u var wbr
      """
    for name in inline.split(separator: " ") {
      #expect(HTMLText.text("x<\(name)>y</\(name.uppercased())>z", limit: 99) == "xyz", "\(name)")
    }
    for name in ["p", "div", "bb", "abb", "strongest", "emphasized", "li", "h1", "br", "img"] {
      #expect(HTMLText.text("x<\(name)>y</\(name)>z", limit: 99) == "x y z", "\(name)")
    }
    for name in ["script", "style", "template", "noscript", "svg", "math"] {
      #expect(HTMLText.text("x<\(name)>y</\(name)>z", limit: 99) == "x z", "\(name)")
    }
  }
}
