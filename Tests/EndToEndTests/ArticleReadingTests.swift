import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of reading an article on a real terminal.
struct ArticleReadingTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    let lines = (1...60).map { "<p>Line \($0) of it.</p>" }.joined()
    server["/feed"] = .whole(
      """
      <rss version="2.0"><channel><title>Alpha</title><item><title>Apple</title><guid>1</guid>
      <link>http://example.org/apple</link>
      <description><![CDATA[\(lines)]]></description></item></channel></rss>
      """)
  }

  private func openArticle(
    columns: Int = 80, adding more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try home.openReader(columns: columns, adding: more)
    try terminal.waitUntil("the article is listed") { $0.selectedText.hasPrefix("Apple") }
    try terminal.send("\r", until: "its text is there") { $0.text.contains(" of it.") }
    return terminal
  }

  @Test func `an article opens where it was left, in the next run and at another width`()
    async throws
  {
    try await home.followSinceHours([server.url("/feed")])
    let first = try openArticle()
    #expect(first.screen.text.contains("Line 1 of it."))
    try first.send("  ", until: "it is scrolled") { $0.text.contains("Line 20 of it.") }
    // F10 at once, so that the position has to be stored while the program ends.
    #expect(try first.leave(by: "\u{1B}[21~") == .exited(0))
    let second = try openArticle(columns: 50)
    try second.waitUntil("the same lines are there") { $0.text.contains("Line 20 of it.") }
    #expect(!second.screen.text.contains("Line 1 of it."))
  }

  @Test func `a megabyte is read from its end, by its headings, and where it was left`()
    async throws
  {
    let parts = (1...9_000).map {
      "<h2>Part \($0)</h2><p>Line \($0) of it. \(String(repeating: "word ", count: 18))</p>"
    }
    server["/feed"] = .whole(
      """
      <rss version="2.0"><channel><title>Alpha</title><item><title>Apple</title><guid>1</guid>
      <description><![CDATA[\(parts.joined())]]></description></item></channel></rss>
      """)
    try await home.followSinceHours([server.url("/feed")])
    let first = try openArticle()
    // Most of it has not been laid out yet.
    try first.send("G", until: "the end is there") { $0.text.contains("Line 9000 of it.") }
    try first.send("{{{{", until: "the heading is the first line") {
      $0.allLines.dropFirst(3).first { !$0.allSatisfy(\.isWhitespace) }?.contains("Part 89")
        ?? false
    }
    try first.send("t", until: "the headings are listed, from there on") {
      $0.text.contains("Contents") && $0.selectedText.contains("Part 89")
    }
    try first.send("g\r", until: "the first part is there") { $0.text.contains("Line 1 of it.") }
    try first.send("tG\r", until: "the last part is there") { $0.text.contains("Line 9000 of it.") }
    #expect(try first.leave(by: "qq") == .exited(0))
    let second = try openArticle(columns: 50)
    try second.waitUntil("it is where it was left") { $0.text.contains("Line 8998 of it.") }
  }

  @Test func `y copies the address where the terminal is known to be safe, else it says how`()
    async throws
  {
    try await home.followSinceHours([server.url("/feed")])
    let known = try openArticle(adding: ["TERM_PROGRAM": "WezTerm"])
    try known.send("y", until: "it says so") {
      $0.text.contains("Copied: http://example.org/apple")
    }
    let sequence =
      "\u{1B}]52;c;\(Data("http://example.org/apple".utf8).base64EncodedString())\u{1B}\\"
    #expect(String(decoding: known.output, as: UTF8.self).contains(sequence))

    for environment in [[:], ["TERM_PROGRAM": "WezTerm", "TMUX": "/tmp/tmux,1,0"]] {
      let unknown = try openArticle(adding: environment)
      try unknown.send("y", until: "it says how to turn it on") {
        $0.text.contains("reader.copying = \"osc52\"")
      }
      #expect(!String(decoding: unknown.output, as: UTF8.self).contains("\u{1B}]52"))
    }
  }

  @Test func `S saves the article as Markdown, beside what is there`() async throws {
    try await home.followSinceHours([server.url("/feed")])
    try home.write("precious", to: "Apple.md")
    let terminal = try openArticle()
    try terminal.send("S", until: "it says where") { $0.text.contains("/Apple-2.md") }
    #expect(try home.text(of: "Apple.md") == "precious")
    let text = try home.text(of: "Apple-2.md")
    #expect(text.hasPrefix("# Apple\n\nAlpha\n\n<http://example.org/apple>\n\nLine 1 of it."))
  }
}
