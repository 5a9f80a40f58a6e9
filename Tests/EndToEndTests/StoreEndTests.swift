import Foundation
import PseudoTerminal
import Testing

@testable import Articles

/// Tests of what the program leaves of its stores, and of its message if one is taken away.
struct StoreEndTests {
  private let home: Home

  init() throws {
    home = try Home()
    try home.write(FeedText.rss("Alpha", ["Apple", "Apricot"]), to: "alpha.xml")
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: home.dataDirectory)
      .filter { !$0.hasSuffix(".sqlite") }
  }

  @Test func `after a command everything is in the file, and no log is left`() throws {
    #expect(try home.run("feeds", "add", home.path + "/alpha.xml").ending == .exited(0))
    #expect(try home.run("socks", "list").ending == .exited(0))
    #expect(try leftovers() == [])
    #expect(try home.run("articles", "search", "apple").output.contains("Apple"))
    #expect(try leftovers() == [])
  }

  @Test(arguments: ["q", "SIGTERM"])
  func `after the reader everything is in the files, and no log is left`(way: String) throws {
    #expect(try home.run("feeds", "add", home.path + "/alpha.xml").ending == .exited(0))
    let terminal = try home.openDrawer()
    try terminal.send("+", until: "it is saved") { $0.selectedText.contains("✓ saved") }
    try terminal.send("1/apple", until: "it is found") { $0.text.contains("The text of Apple") }
    try terminal.send("\u{1B}", until: "the list is back") { !$0.text.contains("Search apple") }
    if way == "q" { terminal.send("q") } else { terminal.signal(SIGTERM) }
    try terminal.waitForExit()
    #expect(try leftovers() == [])
  }

  @Test func `a mark for which the store is gone is said to be lost`() async throws {
    _ = try await Library(store: ArticleStore(directory: home.dataDirectory))
      .addition(of: home.path + "/alpha.xml")
    let terminal = try home.openReader()
    try terminal.waitUntil("the articles are listed") { $0.isWhole && $0.text.contains("Apricot") }
    try FileManager.default.moveItem(
      atPath: home.dataDirectory, toPath: home.dataDirectory + "-elsewhere")
    try terminal.send("s", until: "it is said") {
      $0.text.contains("The file of articles was removed, replaced or")
    }
    #expect(!terminal.screen.selectedText.contains("★"))
  }

  #if os(Linux)
    @Test(arguments: [
      ["feeds", "remove", "none"], ["articles", "show", "99"], ["socks", "show", "none"],
      ["feeds", "import", "/nonexistent"], ["--nonsense"],
    ])
    func `a failure that nobody can be told of has the status of any other`(
      arguments: [String]
    ) throws {
      let told = try PseudoTerminal(
        running: builtProgram("argyle"), arguments, environment: home.environment)
      let ending = try told.waitForExit()
      for target in ["2>/dev/full", "2>&-"] {
        let untold = try PseudoTerminal(
          running: "/bin/sh",
          ["-c", "exec \"$0\" \"$@\" \(target)", builtProgram("argyle")] + arguments,
          environment: home.environment)
        #expect(try untold.waitForExit() == ending)
      }
    }
  #endif
}
