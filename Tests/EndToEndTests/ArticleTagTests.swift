import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of tags and the "Read later" list, by keys and on the command line.
struct ArticleTagTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry", "Elder"]))
    _ = try home.run("feeds", "add", server.url("/a"))
  }

  private func openReader(columns: Int = 80) throws -> PseudoTerminal {
    let terminal = try home.openReader(columns: columns)
    try terminal.waitUntil("the articles are there") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple")
        && (columns < 66 || $0.feedRow("Alpha") != nil)
    }
    return terminal
  }

  @Test(arguments: [50, 80, 130])
  func `b puts an article on the list of what is to be read later, and u takes it off`(
    columns: Int
  ) throws {
    let terminal = try openReader(columns: columns)
    try terminal.send("b", until: "it says so") {
      $0.text.contains("To be read later: “Apple”. u to undo.")
    }
    try terminal.send("jb", until: "the other one, too") { screen in
      screen.selectedText.hasPrefix("Cherry")
        && (columns < 66 || screen.feedRow("Read later")?.contains("2") == true)
    }
    try terminal.send("Llater", until: "the list is found") { $0.text.contains("│ Read later ") }
    try terminal.send("\r", until: "the list has both") { screen in
      screen.text.contains("Read later") && screen.selectedText.hasPrefix("Apple")
        && screen.text.contains("Cherry") && !screen.text.contains("Elder")
    }
    try terminal.send("u", until: "the last one is undone") {
      $0.text.contains("Undone: “Cherry” is no longer to be read later.")
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(try home.run("tags").output == "later: 1 article, 1 unread\n")
  }

  @Test func `tags are typed, completed from those that there are, shown and found`() throws {
    _ = try home.run("articles", "mark", "--matching", "elder", "--tag", "Sock mending")
    let terminal = try openReader(columns: 100)
    try terminal.send("Tfruit, so", until: "the known one is offered") {
      $0.text.contains("│ Sock mending ")
    }
    try terminal.send("\u{1B}[B\r", until: "it is in the field") {
      $0.text.contains("fruit, Sock mending,")
    }
    try terminal.send("\r", until: "the row shows both") { screen in
      screen.allLines.contains { $0.contains("Apple") && $0.contains("#fruit") }
        && screen.text.contains("Tagged fruit, Sock mending: “Apple”. u to undo.")
    }
    try terminal.send("\r", until: "the article says so, too") {
      $0.text.contains("The text of Apple.") && $0.text.contains("#fruit #Sock mending")
    }
    try terminal.send("q/tag:\"sock mending\"", until: "both are found") {
      $0.text.contains("Elder") && $0.text.contains("Apple") && !$0.text.contains("Cherry")
    }
    try terminal.send("\u{1B}", until: "the list is back") {
      $0.footer.hasSuffix("q quit") && !$0.text.contains("Search tag")
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(
      try home.run("tags").output
        == "fruit: 1 article\nSock mending: 2 articles, 1 unread\n")
  }

  @Test func `the command line gives tags, takes them, lists them and finds by them`() throws {
    let marked = try home.run(
      "articles", "mark", "--matching", "apple or cherry", "--tag", "a", "--tag", "b", "--json")
    #expect(marked.ending == .exited(0))
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(marked.output.utf8)) as? [[String: Any]])
    #expect(answer.allSatisfy { $0["tags"] as? [String] == ["a", "b"] })
    _ = try home.run("articles", "mark", "--matching", "cherry", "--untag", "A")
    #expect(
      try home.run("tags").output == "a: 1 article, 1 unread\nb: 2 articles, 2 unread\n")
    #expect(try home.run("tags", "--json").output.contains("\"unreadCount\" : 2"))
    #expect(
      try home.run("articles", "list", "--matching", "tag:a").output.hasSuffix("Apple  #a  #b\n"))
    #expect(try home.run("articles", "list", "--tag", "A").output.hasSuffix("Apple  #a  #b\n"))
    let both = try home.run("articles", "list", "--tag", "b", "--matching", "cherry")
    #expect(both.output.hasSuffix("Cherry  #b\n"))
    #expect(try home.run("articles", "list", "--tag", "c").ending == .exited(66))
    let mistake = try home.run("articles", "mark", "--matching", "apple", "--tag", "a,b")
    #expect(mistake.ending == .exited(64))
    #expect(mistake.errors.contains("“a,b” is not a tag: it must be one name without commas."))
  }
}
