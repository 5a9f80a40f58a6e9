import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of marking many articles at once: by keys, undone in one step, and on the command line.
struct BulkMarkTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry", "Elder", "Fig"]))
    _ = try home.run("feeds", "add", server.url("/a"))
  }

  private func unread(_ screen: EmulatedScreen) -> [String] {
    ["Apple", "Cherry", "Elder", "Fig"].filter { title in
      screen.allLines.contains { $0.contains("\(title)  ") && $0.contains("•") }
    }
  }

  @Test(arguments: [50, 80])
  func `what is above, below or older is marked, and taken back in one step`(columns: Int) throws {
    let terminal = try home.openReader(columns: columns)
    try terminal.waitUntil("the articles are there") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple") && unread($0).count == 4
        && (columns < 66 || $0.feedRow("Alpha") != nil)
    }
    for (keys, left, count) in [
      ("jjK", ["Elder", "Fig"], 2), ("J", ["Apple", "Cherry", "Elder"], 1),
      ("M2026-03-03\r", [], 4),
    ] {
      terminal.send(keys)
      let words = "\(count) article\(count == 1 ? "" : "s") marked"
      try terminal.waitUntil("\(keys) has marked \(count)", saying: words) { unread($0) == left }
      let undone = "Undone: \(count == 1 ? "“" : "\(count) articles")"
      try terminal.send("u", until: "they are unread again", saying: undone) {
        unread($0).count == 4
      }
    }
    try terminal.send("Msoon\r", until: "it is no time") {
      $0.text.contains("older than")
        && $0.text.contains("This is neither of these:")
    }
    try terminal.send("\u{1B}", until: "the list is back") { $0.footer.hasSuffix("q quit") }
    try terminal.send("M99y\r", until: "nothing is so old") {
      unread($0).count == 4 && $0.text.contains("There is nothing unread to mark.")
    }
  }

  @Test func `the command line marks what matches a query`() throws {
    let mark = { (arguments: [String]) in
      let (terminal, name) = try home.start(["articles", "mark"] + arguments)
      return (try terminal.waitForExit(), try home.text(of: name))
    }
    #expect(
      try mark(["--read", "--matching", "date<2026-03-03 and not title:fig"]) == (
        .exited(0), "3 articles marked as read.\n"
      ))
    #expect(try home.run("articles", "list", "--unread").output.hasSuffix(" Fig\n"))
    // What was read before is not counted.
    #expect(
      try mark(["--read", "--matching", "feed:alpha"])
        == (.exited(0), "1 article marked as read.\n"))
    #expect(
      try mark(["--read", "--matching", "feed:alpha"])
        == (.exited(0), "Nothing to do: all of them are marked so already.\n"))
    #expect(try mark(["--read", "--matching", "feed:alpha", "--json"]) == (.exited(0), "[\n\n]\n"))
    #expect(
      try mark(["--unread", "--matching", "title:fig"])
        == (.exited(0), "1 article marked as unread.\n"))
    #expect(
      try mark(["--unread", "--matching", "title:elder"])
        == (.exited(0), "1 article marked as unread.\n"))
    #expect(
      try mark(["--star", "--matching", "title:none"])
        == (.exited(0), "No articles match.\n"))
    let several = ["--star", "--read", "--tag", "wool", "--tag", "to knit", "--untag", "later"]
    #expect(
      try mark(several + ["--matching", "title:elder"]) == (
        .exited(0),
        "1 article marked as read, starred, tagged “wool” and “to knit”, untagged “later”.\n"
      ))
    #expect(
      try mark(["--unread", "--unstar", "--untag", "wool", "--matching", "title:elder"]) == (
        .exited(0), "1 article marked as unread, unstarred, untagged “wool”.\n"
      ))
    let answer = try mark(["--star", "--matching", "unread", "--json"])
    let articles = try JSONSerialization.jsonObject(with: Data(answer.1.utf8)) as? [[String: Any]]
    #expect(articles?.count == 2)
    #expect(articles?.allSatisfy { $0["starred"] as? Bool == true } == true)
    #expect(try home.run("articles", "list", "--starred").output.split(separator: "\n").count == 2)
    for arguments in [
      [], ["--matching", "titel:x"], ["--matching", " "], ["1", "--matching", "a"],
    ] {
      #expect(try mark(["--read"] + arguments).0 == .exited(64), "\(arguments)")
    }
  }
}
