import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of the command that adds a feed.
struct FeedAddingCommandTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
  }

  @Test func `adding a page says which feed it has`() throws {
    server["/"] = .whole("<!doctype html><link rel=feed href=/feed><p>Hi")
    let added = try home.run("feeds", "add", server.url("/"))
    #expect(added.ending == .exited(0))
    #expect(added.output == "Added Alpha: 2 articles.\n  \(server.url("/feed"))\n")
  }

  @Test func `several addresses are added one by one, and each that fails is named`() throws {
    server["/other"] = .whole(FeedText.rss("Beta", ["Banana"]))
    server["/third"] = .whole(FeedText.rss("Gamma", ["Grape"]))
    let added = try home.run("feeds", "add", server.url("/feed"), server.url("/other"))
    #expect(added.ending == .exited(0))
    #expect(added.output == "Added Alpha: 2 articles.\nAdded Beta: 1 article.\n")
    let password = server.url("/none").replacing("http://", with: "http://ann:secret@")
    let some = try home.run("feeds", "add", password, server.url("/other"), server.url("/third"))
    #expect(some.ending == .exited(1))
    #expect(some.output == "Added Gamma: 1 article.\n")
    let none = password.replacing("ann:secret", with: "…")
    #expect(some.errors.contains("argyle: \(none): The server has no feed at this address."))
    #expect(
      some.errors.contains("argyle: \(server.url("/other")): You already have this feed."),
      "\(some.errors)")
    #expect(!some.errors.contains("secret"))
    server["/fourth"] = .whole(FeedText.rss("Delta", ["Date"]))
    let json = try home.run(
      "feeds", "add", "--json", server.url("/fourth"), server.url("/none"))
    #expect(json.ending == .exited(1))
    let answer = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(answer?.map { $0["title"] as? String } == ["Delta"])
  }

  @Test func `a name that is neither a server's nor a file's is said to be neither`() throws {
    let mistyped = try home.run("feeds", "add", "notafile.invalid")
    #expect(
      mistyped.errors.hasPrefix(
        "argyle: The server's name is not known. There is no file of that name, either. Check"),
      "\(mistyped.errors)")
    let server = try home.run("feeds", "add", "https://notafile.invalid")
    #expect(!server.errors.contains("file of that name"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal takes back the feed that is being added, and no other`(signal: Int32) throws {
    _ = try home.run("feeds", "add", server.url("/feed"))
    server["/slow"] = .heldHead(FeedText.rss("Beta", ["Banana"]))
    let (terminal, _) = try home.start(["feeds", "add", server.url("/slow"), server.url("/third")])
    _ = try server.waitForRequest(to: "/slow")
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signalled(signal))
    #expect(try home.run("feeds").output.split(separator: "\n").first == "\(server.url("/feed"))")
    #expect(try !home.run("feeds").output.contains("/slow"))
  }

  @Test(arguments: ["\u{3}", "q"])
  func `the end of the reader takes back the feed that is being added`(key: String) throws {
    server["/slow"] = .heldHead(FeedText.rss("Beta", ["Banana"]))
    let terminal = try home.openReader()
    terminal.send("a")
    try terminal.waitUntil("the form is open") { $0.text.contains("Add a feed") }
    terminal.send("\(server.url("/slow"))\r")
    _ = try server.waitForRequest(to: "/slow")
    if key == "q" {
      try terminal.send("\u{1B}", until: "the form is closed") { !$0.text.contains("Add a feed") }
    }
    terminal.send(key)
    _ = try terminal.waitForExit()
    #expect(try home.run("feeds").output.isEmpty)
  }

  @Test func `adding a feed with a mistake says what comes before it, and the mistake`() throws {
    let whole = FeedText.rss("Alpha", ["Apple", "Apricot"])
    server["/feed"] = .whole(String(whole.dropLast(40)))
    let added = try home.run("feeds", "add", server.url("/feed"))
    #expect(added.ending == .exited(69))
    #expect(added.output == "Added Alpha: 1 article.\n")
    #expect(added.errors.hasPrefix("argyle: The feed ends in the middle. Try again:"))
    #expect(!added.errors.contains("The feed was added"))
    #expect(try home.run("articles").output.contains("Apple"))
  }

  @Test func `what a new feed has beyond the limit is dropped at once, and said to be`() throws {
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot", "Cherry", "Elder"]))
    let config = try home.write("[keeping]\narticles-per-feed = 3\n", to: "c.toml")
    let added = try home.run("feeds", "add", server.url("/feed"), "--config", config)
    #expect(
      added.output == """
        Added Alpha: 3 articles. 1 older one is not kept (keeping.articles-per-feed is 3).

        """)
    let before = try home.run("articles", "--config", config).output
    #expect(before.contains("Cherry") && !before.contains("Elder"))
    #expect(try home.run("reload", "--config", config).ending == .exited(0))
    #expect(try home.run("articles", "--config", config).output == before)
  }

  @Test func `a page whose feed is there already names the others that it has`() throws {
    server["/"] = .whole(
      """
      <!doctype html><link rel=feed href=/feed title=Articles>\
      <link rel=feed href=/photos title=Photos><link rel=feed href=/notes><p>Hi
      """)
    #expect(try home.run("feeds", "add", server.url("/")).ending == .exited(0))
    let again = try home.run("feeds", "add", server.url("/"))
    #expect(again.ending == .exited(1))
    #expect(again.output.isEmpty)
    #expect(
      again.errors == """
        argyle: You already have this feed. The page names 2 others; add one by its address.
        (\(server.url("/feed")))
          \(server.url("/photos"))  Photos
          \(server.url("/notes"))

        """)
  }

  @Test func `of a feed that is gone and was not added it is not said to remove it`() throws {
    server["/gone"] = .whole("", status: 410)
    let refused = try home.run("feeds", "add", server.url("/gone"))
    #expect(refused.ending == .exited(66))
    #expect(
      refused.errors.hasPrefix(
        "argyle: The feed is gone for good. Look on its web site for another address. "
          + "The feed was not added; --keep adds it all the same.\n"), "\(refused.errors)")
    #expect(try home.run("feeds").output.isEmpty)
    _ = try home.run("feeds", "add", "--keep", server.url("/gone"))
    #expect(try home.run("feeds").output.contains("✗ The feed is gone for good."))
  }

  @Test func `a password is used and never printed`() throws {
    server.answer("/locked") { request in
      request["Authorization"] == "Basic YW5uOnNlY3JldA=="
        ? .whole(FeedText.rss("Locked", ["Apple"])) : .whole("", status: 401)
    }
    let address = server.url("/locked").replacing("http://", with: "http://ann:secret@")
    let added = try home.run("feeds", "add", address)
    #expect(added.output == "Added Locked: 1 article.\n  \(server.url("/locked"))\n")
    server["/locked"] = .whole("", status: 401)
    for arguments in [["feeds"], ["feeds", "--json"], ["reload", "--json"]] {
      let (terminal, name) = try home.start(arguments)
      _ = try terminal.waitForExit()
      #expect(try !home.text(of: name).contains("secret"))
      #expect(!String(decoding: terminal.output, as: UTF8.self).contains("secret"))
    }
    let again = try home.run("feeds", "add", address)
    #expect(again.ending == .exited(69))
    #expect(again.output == "\(server.url("/locked")) could not be fetched again.\n")
    #expect(again.errors.contains("The server does not accept the password."))
    #expect(!again.errors.contains("secret"))
  }

  @Test func `an address is kept although its first fetch fails`() throws {
    server["/feed"] = .whole("", status: 500)
    let added = try home.run("feeds", "add", server.url("/feed"))
    #expect(added.ending == .exited(69))
    #expect(added.output.hasPrefix("Added \(server.url("/feed"))"))
    #expect(added.errors.hasPrefix("argyle: The server has a problem of its own."))
    #expect(added.errors.contains("The feed was added; argyle reload fetches it."))
    let list = try home.run("feeds", "list", "--json")
    let feeds = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]]
    let failure = try #require(feeds?.first?["failure"] as? [String: Any])
    #expect(failure["what"] as? String == "The server has a problem of its own.")
    #expect(failure["advice"] as? String == "Try again later.")
    #expect(failure["detail"] as? String == "HTTP status 500")
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    let reload = try home.run("reload")
    #expect(reload.ending == .exited(0))
    #expect(reload.output.hasSuffix("1 new\n"))
  }

  @Test func `a plain mistake is not kept, unless that is asked for`() throws {
    server["/page"] = .whole("<!doctype html><p>No feed here.")
    let mistakes: [(address: String, sentence: String, status: Int32)] = [
      (home.path + "/none.xml", "There is no such file.", 66),
      ("http://nowhere.invalid/feed", "The server's name is not known.", 66),
      (server.url("/page"), "This is a web page, not a feed.", 65),
      (server.url("/none"), "The server has no feed at this address.", 66),
    ]
    for (address, sentence, status) in mistakes {
      let added = try home.run("feeds", "add", address)
      #expect(added.ending == .exited(status))
      #expect(added.output.isEmpty)
      #expect(added.errors.hasPrefix("argyle: \(sentence)"))
      #expect(added.errors.contains("The feed was not added; --keep adds it all the same."))
      #expect(try home.run("feeds", "list").output.isEmpty)
      let kept = try home.run("feeds", "add", "--keep", address)
      #expect(kept.ending == .exited(69))
      #expect(kept.output.hasPrefix("Added "))
      #expect(try home.run("feeds", "list").output.contains("✗ \(sentence)"))
      #expect(try home.run("feeds", "remove", address).ending == .exited(0))
    }
  }

  @Test func `a folder without Markdown is not added, unless that is asked for`() throws {
    let folder = home.path + "/empty"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let added = try home.run("feeds", "add", folder)
    #expect(added.ending == .exited(66))
    #expect(added.errors.hasPrefix("argyle: There is no Markdown file in this folder."))
    #expect(added.errors.contains("The feed was not added; --keep adds it all the same."))
    #expect(try home.run("feeds", "list").output.isEmpty)
    let kept = try home.run("feeds", "add", "--keep", folder)
    #expect(kept.ending == .exited(0))
    #expect(kept.output == "Added empty: 0 articles.\n")
    #expect(try !home.run("feeds", "list").output.contains("✗"))
  }

  @Test func `a password is not sent over http to another machine, unless that is set`() throws {
    server["http://example.invalid/feed"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    let address = "http://ann:secret@example.invalid/feed"
    let proxy = ["http_proxy": server.url("")]
    let refused = try home.run("feeds", "add", address, adding: proxy)
    #expect(refused.errors.contains("The password would be sent over http"))
    #expect(refused.errors.contains("passwords-over-http = true"))
    #expect(!refused.errors.contains("secret"))
    #expect(server.requests.isEmpty)
    let file = try home.write("[fetching]\npasswords-over-http = true\n", to: "config.toml")
    let added = try home.run("feeds", "add", "--config", file, address, adding: proxy)
    #expect(added.output.hasPrefix("Added Alpha: 1 article."))
    #expect(server.requests.first?["Authorization"] == "Basic YW5uOnNlY3JldA==")
  }

  @Test func `the same feed is not added twice`() throws {
    #expect(try home.run("feeds", "add", server.url("/feed")).ending == .exited(0))
    let again = try home.run("feeds", "add", server.url("/feed"))
    #expect(again.ending == .exited(1))
    #expect(again.output.isEmpty)
    #expect(again.errors.hasPrefix("argyle: You already have this feed."))
  }

  @Test(arguments: [
    "ftp://example.org/feed", "", "http://", "https:///feed", "filter:up",
    "http://a.example http://b.example",
  ])
  func `what is no address is refused and not kept`(address: String) throws {
    let added = try home.run("feeds", "add", address)
    #expect(added.ending == .exited(65))
    #expect(added.output.isEmpty)
    #expect(added.errors.hasPrefix("argyle: "))
    #expect(try home.run("feeds", "list").output.isEmpty)
  }
}
