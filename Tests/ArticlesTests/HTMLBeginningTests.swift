import PseudoTerminal
import Testing

@testable import Articles

@Suite struct HTMLBeginningTests {
  private func text(_ section: (Int) -> String) -> String {
    (0..<2_000).map(section).joined(separator: "\n")
  }

  @Test func `a long text begins with its first blocks and their links`() throws {
    let html = text { "<h2>Part \($0)</h2><p>With <a href='/\($0)'>a link</a>.</p><ul><li>x</ul>" }
    let base = "https://example.org/"
    let beginning = try #require(HTMLRenderer.beginning(html: html, base: base))
    let whole = HTMLRenderer.document(html: html, base: base)
    #expect(beginning.blocks.count > 100)
    #expect(beginning.blocks.count < whole.blocks.count)
    #expect(Array(whole.blocks.prefix(beginning.blocks.count)) == beginning.blocks)
    #expect(Array(whole.links.prefix(beginning.links.count)) == beginning.links)
  }

  @Test func `a short text has no beginning of its own`() {
    #expect(HTMLRenderer.beginning(html: "<p>One.</p><p>Two.</p>", base: nil) == nil)
  }

  @Test func `what may still move is no beginning`() {
    let table =
      "<table>" + text { "<tr><td>\($0)</td><td>words of a cell, and some more</td></tr>" }
    #expect(HTMLRenderer.beginning(html: "<p>One.</p>" + table, base: nil) == nil)
    #expect(
      HTMLRenderer.beginning(
        html: "<pre>" + text { "line \($0) of code, and more of it" }, base: nil) == nil)
    #expect(
      HTMLRenderer.beginning(html: text { "word \($0) of a text without any markup" }, base: nil)
        == nil)
  }

  @Test(arguments: 0..<20)
  func `wherever a text is cut whose tags are closed, it is how it begins`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func words() -> String {
      [
        "words and words", "é字🙂", "<b>bold <i>and</i></b>", "<a href='https://example.org/'>x</a>",
        "<br>", "<img src='/p.png' title='<'>", "<!-- <p> -->", "a < b &amp; c",
      ].shuffled(using: &generator).joined(separator: " ")
    }
    func block(_ depth: Int) -> String {
      let inner = depth < 3 ? block(depth + 1) : words()
      return switch Int.random(in: 0..<7, using: &generator) {
      case 0: "<h2>\(words())</h2>"
      case 1: "<ul><li>\(words())<li>\(inner)</ul>"
      case 2: "<blockquote>\(inner)<p>\(words())</blockquote>"
      case 3: "<pre>\(words())\n\(words())</pre><hr>"
      case 4: "<div>\(inner)\(words())</div>"
      default: "<p>\(words())\(words())"
      }
    }
    var html = ""
    while html.utf8.count < 100 << 10 { html += block(0) }
    let beginning = try #require(HTMLRenderer.beginning(html: html, base: nil))
    let whole = HTMLRenderer.document(html: html)
    #expect(beginning.blocks.count > 10)
    #expect(Array(whole.blocks.prefix(beginning.blocks.count)) == beginning.blocks)
    #expect(Array(whole.links.prefix(beginning.links.count)) == beginning.links)
  }
}
