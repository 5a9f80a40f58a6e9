import PseudoTerminal
import TestServer
import Testing

/// Tests of the user's themes, formats of rows, and a search with a typing error, on the screen.
struct OwnThemeTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Swift one", "Swift two", "Wool"]))
    _ = try home.run("feeds", "add", server.url("/a"))
  }

  private func configuration(selection: String) -> String {
    """
    [display]
    theme = "sea"
    [reader]
    article-row = "{unread} {feed:6} {title}"
    [[theme]]
    name = "sea"
    based-on = "terminal"
    selection = "\(selection)"
    selected-text = "#101010"
    """
  }

  @Test func `a theme and a format show at once, also what is changed of them`() throws {
    let config = try home.write(configuration(selection: "#ff8800"), to: "config.toml")
    let terminal = try home.openReader(["--config", config])
    try terminal.waitUntil("the rows are of the format") {
      $0.isWhole && $0.selectedText.hasPrefix("• Alpha  Swift one")
    }
    let before = terminal.screen.selectedBackground
    try home.write(configuration(selection: "#00ccff"), to: "config.toml")
    try terminal.waitUntil("the selection has another colour") {
      $0.isWhole && $0.selectedBackground != before && !$0.selectedText.isEmpty
    }
  }

  @Test func `a theme that is hard to read is warned of, and taken`() throws {
    let config = try home.write(configuration(selection: "#202020"), to: "config.toml")
    let check = try home.run("config", "--check", config)
    #expect(check.ending == .exited(0))
    #expect(
      check.errors.contains(
        "warning: theme “sea”: selected-text (\"#101010\") on selection (\"#202020\") has a "
          + "contrast of 1."))
    let listed = try home.run("config", config)
    #expect(listed.output.contains("[[theme]]\nname = \"sea\"\nbased-on = \"terminal\""))
    #expect(try home.run("--theme", "see", "--config", config).ending == .exited(64))
  }

  @Test func `a theme of an option that the file loses leaves the other options as they are`()
    throws
  {
    let config = try home.write(configuration(selection: "#ff8800"), to: "config.toml")
    let terminal = try home.openReader(
      ["--plain", "--theme", "sea", "--config", config], columns: 120)
    try terminal.waitUntil("the list is there, without boxes") {
      $0.footer.contains("loaded.") && !$0.text.contains("─")
    }
    try home.write("", to: "config.toml")
    try terminal.waitUntil("it is said") {
      $0.text.contains("The theme “sea” is not in the configuration file any more.")
    }
    #expect(!terminal.screen.text.contains("─"), "\(terminal.screen.text)")
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `a tab that is to be open at the start, but is none of the tabs, is warned of`()
    throws
  {
    let config = try home.write(
      "[display]\nopen-tab = \"socks\"\ntabs = [\"articles\"]\n", to: "config.toml")
    let check = try home.run("config", "--check", config)
    #expect(check.ending == .exited(0))
    #expect(
      check.errors == "\(config): warning: display.open-tab: socks is not among display.tabs.\n")
    _ = try home.write("[display]\ntabs = [\"socks\"]\n", to: "config.toml")
    #expect(try home.run("config", "--check", config).errors.isEmpty)
  }

  @Test func `an action that lost its only key is told of, and one that was given none is not`()
    throws
  {
    let config = try home.write(
      "[keys]\nquit = [\"W\"]\nleave-article = []\n", to: "config.toml")
    let check = try home.run("config", "--check", config)
    #expect(check.ending == .exited(0))
    let lost = "keys: transcript has no key now: the file gives it to something else."
    #expect(check.errors == "\(config): warning: \(lost)\n")
  }

  @Test func `a program that no key quits is warned of`() throws {
    let config = try home.write("[keys]\nquit = []\n", to: "config.toml")
    let check = try home.run("config", "--check", config)
    #expect(check.ending == .exited(0))
    let words = "keys.quit: no key quits the program now, except Ctrl-C."
    #expect(check.errors == "\(config): warning: \(words)\n")
  }

  @Test func `a search with a typing error says what is there, and Enter searches it`() throws {
    let terminal = try home.openReader()
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Swift one")
    }
    try terminal.send("/", until: "the search is open") { $0.text.contains("Search all articles") }
    try terminal.send("swfit", until: "it says so") {
      $0.text.contains("No article has “swfit”; 2 have “swift”.")
        && $0.footer.contains("Enter search for it")
    }
    try terminal.send("\r", until: "they are found") {
      $0.text.contains("Search swift") && $0.selectedText.hasPrefix("Swift")
    }
    let search = try home.run("articles", "search", "swfit")
    #expect(search.ending == .exited(1))
    #expect(search.errors == "No article has “swfit”; 2 have “swift”.\n")
  }
}
