import Foundation
import PseudoTerminal
import Testing

/// Tests that `o` opens a feed's address in the program that the user chose.
struct BrowserTests {
  private let home: Home
  private let record: Record

  init() throws {
    home = try Home()
    record = try Record(path: home.path + "/record")
    // Records the arguments, one per line, and nothing else; anything that a shell would run
    // creates a file.
    let script = try home.write(
      "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" >'\(record.path)'\necho noise\n", to: "browser")
    chmod(script, 0o755)
  }

  @Test func `the address is the browser's only argument, and no shell reads it`() throws {
    let address = "http://example.org/?a=$(touch${IFS}owned)&b='`touch owned`;touch|owned"
    let terminal = try openArticle(link: address, browser: home.path + "/browser")
    terminal.send("o")
    let arguments = try record.read()
    #expect(arguments.count == 1)
    #expect(arguments.first?.hasPrefix("http://example.org/?a=$(touch$") == true)
    try terminal.waitUntil("it says so") {
      $0.text.contains("Opening in the browser: http://example.org/")
    }
    #expect(!terminal.screen.text.contains("noise"))
    #expect(!FileManager.default.fileExists(atPath: "owned"))
    #expect(!FileManager.default.fileExists(atPath: home.path + "/owned"))
  }

  @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "--help", "mailto:a@example.org"])
  func `what is no web address is not opened`(link: String) throws {
    let terminal = try openArticle(link: link, browser: home.path + "/browser")
    try terminal.send("o", until: "it says so") {
      $0.text.contains("This article has no address.")
        || $0.text.contains("This link is not a web address")
    }
    #expect(try terminal.leave(by: "qq") == .exited(0))
    #expect(try !record.hasSomething())
  }

  @Test func `without a browser it says what to do`() throws {
    let terminal = try openArticle(
      link: "http://example.org/", browser: home.path + "/no-such-program",
      adding: ["PATH": home.path])
    try terminal.send("o", until: "it says so") { $0.text.contains("No browser was found.") }
  }

  @Test func `a browser that fails is named`() throws {
    let terminal = try openArticle(link: "http://example.org/", browser: "false")
    try terminal.send("o", until: "it says so") {
      $0.text.contains("“false” ended with status 1.")
    }
  }

  private func openArticle(
    link: String, browser: String, adding more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let escaped = link.replacingOccurrences(of: "&", with: "&amp;")
    let file = try home.write(
      """
      <rss version="2.0"><channel><title>Alpha</title><item><title>Apple</title>
      <link>\(escaped)</link><description>The text.</description></item></channel></rss>
      """, to: "feed.xml")
    #expect(try home.run("feeds", "add", file).ending == .exited(0))
    let terminal = try home.openReader(adding: more.merging(["BROWSER": browser]) { $1 })
    try terminal.waitUntil("the list is there") { $0.selectedText.hasPrefix("Apple") }
    try terminal.send("\r", until: "the article is open") { $0.text.contains("The text.") }
    return terminal
  }
}
