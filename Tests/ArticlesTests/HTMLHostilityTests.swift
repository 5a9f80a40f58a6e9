import Foundation
import Limits
import PseudoTerminal
import Testing

@testable import Articles

@Suite struct HTMLHostilityTests {
  @Test(arguments: ["div", "b", "blockquote", "ul><li", "table><tr><td", "span", "q", "svg", "pre"])
  func `ten thousand levels neither overflow the stack nor lose the text`(tag: String) async {
    let html = String(repeating: "<\(tag)>", count: 10_000) + "deep"
    // A thread of the pool has a sixteenth of the main thread's stack.
    let document = await Task.detached { HTMLRenderer.document(html: html) }.value
    #expect(document.blocks.map(depth).max() ?? 0 <= HTMLRenderer.nestingLimit)
    #expect(tag == "svg" || document.blocks.contains(where: hasText))
  }

  @Test func `formatting that multiplies is read without its tags`() {
    let html = (0..<20_000).map { "<font size=\($0)><p>x" }.joined()
    #expect(HTMLTree(html, budget: Budget(bytes: html.utf8.count)) == nil)
    #expect(!HTMLRenderer.document(html: html + " &amp; end").blocks.isEmpty)
  }

  @Test func `a text over the limit is cut and says so`() {
    // The limit lies inside the second letter.
    let document = HTMLRenderer.document(html: "ü ü ü", base: nil, sizeLimit: 4)
    #expect(document.blocks == [.paragraph([.text("ü")]), .paragraph([.text("…")])])
  }

  @Test func `random tags give a document of bounded depth and resolved links`() {
    var generator = SeededGenerator(seed: 7)
    let pieces = [
      "<p>", "</p>", "<b>", "</b>", "<ul>", "<ol start=9>", "<li>", "</ul>", "<table>", "<tr>",
      "<td>", "</table>", "<pre>", "</pre>", "<blockquote>", "</blockquote>", "<a href=x>",
      "<a href='javascript:x'>", "</a>", "<img src=i alt=a>", "<br>", "<h2>", "</h2>", "<hr>",
      "text",
      " ", "&amp;", "<script>", "</script>", "<svg>", "<math>", "</svg>", "<template>", "<select>",
      "<caption>", "<th>", "<frameset>", "<body>", "</html>", "<q>", "<sup>", "<iframe src=/v>",
      "<form>", "<button>", "<!--", "-->", "<![CDATA[", "<p hidden>", "\u{0}", "é", "\u{202E}",
    ]
    for _ in 0..<1_500 {
      let count = Int.random(in: 0...40, using: &generator)
      let html = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let document = HTMLRenderer.document(html: html, base: "https://example.org/")
      #expect(document.blocks.map(depth).max() ?? 0 <= HTMLRenderer.nestingLimit, "\(html)")
      #expect(document.links.map(\.number) == Array(1..<(document.links.count + 1)))
      #expect(document.links.allSatisfy { $0.address.hasPrefix("https://example.org/") })
    }
  }

  private func hasText(_ block: Block) -> Bool {
    switch block {
    case .quote(let blocks): blocks.contains(where: hasText)
    case .list(_, let items): items.joined().contains(where: hasText)
    case .code(_, let text): text.contains("deep")
    case .paragraph(let runs), .heading(_, let runs):
      runs.contains { if case .text(let text, _, _) = $0 { text.contains("deep") } else { false } }
    default: false
    }
  }

  private func depth(_ block: Block) -> Int {
    switch block {
    case .quote(let blocks): 1 + (blocks.map(depth).max() ?? 0)
    case .list(_, let items): 2 + (items.joined().map(depth).max() ?? 0)
    default: 0
    }
  }
}
