import Foundation
import PseudoTerminal
import Synchronization
import TestServer
import Testing

/// Tests of accounts on a server, by keys and on the command line.
struct SyncTests {
  private let home: Home
  private let server: TestServer
  private let marks = Marks()

  /// The marks that the server received.
  private final class Marks: Sendable {
    private let read = Mutex<Set<String>>([])
    /// Whether the answers to marks wait for the test.
    let areHeld = Mutex(false)

    var unread: [String] { ["1", "2", "3"].filter { !read.withLock { $0 }.contains($0) } }

    func take(_ form: String) {
      let fields = form.split(separator: "&").map { $0.removingPercentEncoding ?? "" }
      let ids = fields.filter { $0.hasPrefix("i=") }.compactMap { $0.last.map(String.init) }
      read.withLock { read in
        if fields.contains("a=user/-/state/com.google/read") { read.formUnion(ids) }
        if fields.contains("r=user/-/state/com.google/read") { read.subtract(ids) }
      }
    }
  }

  init() throws {
    home = try Home()
    server = try TestServer()
    server.answer("/accounts/ClientLogin") { request in
      String(decoding: request.body, as: UTF8.self) == "Email=ann&Passwd=right"
        ? .whole("SID=x\nAuth=key\n") : .whole("Error=BadAuthentication", status: 401)
    }
    let path = "/reader/api/0/"
    server[path + "token"] = .whole("t")
    server[path + "tag/list"] = .whole(#"{"tags": []}"#)
    server[path + "subscription/list"] = .whole(
      #"""
      {"subscriptions": [{"id": "feed/1", "title": "Alpha", "url": "https://example.org/a",
        "categories": [{"id": "user/-/label/News", "label": "News"}]}]}
      """#)
    server.answer(path + "stream/items/ids") { [marks] request in
      let ids = request.target.contains("starred") ? [] : marks.unread
      return .whole(#"{"itemRefs": [\#(ids.map { #"{"id": "\#($0)"}"# }.joined(separator: ","))]}"#)
    }
    server[path + "stream/items/contents"] = Self.items(["Apple", "Cherry", "Elder"])
    server.answer(path + "edit-tag") { [marks] request in
      marks.take(String(decoding: request.body, as: UTF8.self))
      let answer = Answer.whole("OK")
      return marks.areHeld.withLock(\.self) ? Answer([.hold] + answer.steps) : answer
    }
  }

  private static func items(_ titles: [String], from first: Int = 1) -> Answer {
    let items = zip(first..., titles).map { number, title in
      #"""
      {"id": "tag:google.com,2005:reader/item/000000000000000\#(number)", "title": "\#(title)",
        "published": \#(1_790_000_000 - number), "origin": {"streamId": "feed/1"},
        "canonical": [{"href": "https://example.org/\#(title)"}],
        "summary": {"content": "<p>The text of \#(title).</p>"}}
      """#
    }
    return .whole(#"{"items": [\#(items.joined(separator: ","))]}"#)
  }

  @Test func `a sync on the command line tells the program of on-new what has come`() throws {
    let record = try Record(path: home.path + "/record")
    let script = try home.write(
      "#!/bin/sh\n{ echo 1; echo \"$1\"; } >'\(record.path)'\n", to: "script")
    chmod(script, 0o755)
    let config = try home.write(
      "[fetching]\non-new = [\"\(script)\", \"{count} new\"]\n", to: "config.toml")
    let added = try home.run(
      "account", "add", "greader", server.url(""), "--user", "ann", "--password-command",
      "echo right")
    #expect(added.ending == .exited(0))
    #expect(try home.run("sync", "--config", config).ending == .exited(0))
    #expect(try !record.hasSomething(), "nothing has come")
    let path = "/reader/api/0/stream/items/"
    server.answer(path + "ids") { request in
      let ids = request.target.contains("starred") ? [] : ["1", "2", "3", "4"]
      return .whole(#"{"itemRefs": [\#(ids.map { #"{"id": "\#($0)"}"# }.joined(separator: ","))]}"#)
    }
    server[path + "contents"] = Self.items(["Fig"], from: 4)
    #expect(try home.run("sync", "--config", config).output.contains("✓ 1 new article;"))
    #expect(try record.read() == ["1 new"])
  }

  @Test func `an account is added by keys, syncs by itself and waits while it is offline`() throws {
    let terminal = try home.openReader(columns: 100)
    try terminal.waitUntil("the first run says how") {
      $0.isWhole && $0.text.contains("@ to sync with a server")
    }
    try terminal.send("@", until: "the sheet is there") { $0.text.contains("╭─ Add an account") }
    try terminal.send(
      server.url("") + "\rann\rwrong\r", until: "the password is refused, and hidden"
    ) {
      $0.text.contains("✗ The server does not accept the name and the password.")
        && $0.text.contains("•••••") && !$0.text.contains("wrong")
    }
    try terminal.send(
      "\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}right\r", until: "the account is the list that is shown"
    ) { screen in
      screen.selectedText.hasPrefix("Apple") && screen.feedRow("  Alpha") != nil
        && screen.text.contains("▾ News") && screen.text.contains("Synced at")
    }
    marks.areHeld.withLock { $0 = true }
    try terminal.send("m", until: "a mark waits") { $0.feedRow("⇄ ann@")?.contains("↑1") == true }
    // Sent after five seconds without another mark.
    try server.waitForRequest(to: "/reader/api/0/edit-tag")
    marks.areHeld.withLock { $0 = false }
    server.release("/reader/api/0/edit-tag")
    // Sent twice: a server that toggles is first told to remove the mark.
    try terminal.waitUntil("nothing waits") {
      $0.feedRow("⇄ ann@")?.contains("↑") == false && marks.unread == ["2", "3"]
    }

    server.refuseConnections()
    try terminal.send("jmr", until: "it is offline, and says what waits") { screen in
      screen.feedRow("⇄ ann@")?.contains("offline ↑1") == true
        && screen.text.contains("Offline since")
        && screen.text.contains("1 change waits to be sent.")
        && screen.selectedText.hasPrefix("Cherry")
    }
    try server.acceptConnections()
    try terminal.send("r", until: "it is back") { $0.text.contains("Synced at") }
    #expect(marks.unread == ["3"])

    // Another device marks the last article as read; the selection stays where it is.
    marks.take("i=3&a=user%2F-%2Fstate%2Fcom.google%2Fread")
    try terminal.send("r", until: "nothing is unread") { screen in
      screen.selectedText.hasPrefix("Cherry") && screen.feedRow("Unread")?.hasSuffix("3") == false
        && screen.feedRow("All articles")?.contains("1") == false
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `an account is added, synced, listed and removed on the command line`() throws {
    let wrong = try home.run(
      "account", "add", "greader", server.url(""), "--user", "ann", "--password-command",
      "echo wrong")
    #expect(wrong.ending == .exited(1))
    #expect(wrong.errors.contains("The server does not accept the name and the password."))
    let added = try home.run(
      "account", "add", "greader", server.url(""), "--user", "ann", "--password-command",
      "echo right")
    #expect(added.ending == .exited(0))
    #expect(added.output.hasSuffix("✓ 3 new articles; marks: 0 sent, 0 received\n  + Alpha\n"))
    #expect(try home.run("feeds").output.contains("  Alpha, in News, of ann"))
    let feeds = try home.run("feeds", "list", "--json").output
    #expect(feeds.contains("\"account\" : 1") && feeds.contains("\"accountID\" : 1"))
    #expect(try home.run("articles", "mark", "1", "--read").ending == .exited(0))
    #expect(try home.run("account").output.contains("1 feed, 2 unread; synced"))
    #expect(try home.run("account").output.contains("1 change waits to be sent"))
    let unset = try home.run("account", "remove", "", "--drop-changes")
    #expect(unset.ending == .exited(66) && unset.errors.contains("There is no such account."))
    let refused = try home.run("account", "remove", "ann")
    #expect(refused.ending == .exited(1))
    #expect(refused.errors.contains("1 change has not been sent to the server yet."))
    #expect(try home.run("sync").output.contains("marks: 1 sent, 0 received"))
    #expect(marks.unread == ["2", "3"])
    let json = try home.run("sync", "--json").output
    #expect(json.contains(#""waitingChanges" : 0"#))
    #expect(json.contains(#""accountID" : 1"#) && json.contains(#""isCancelled" : false"#))
    server.refuseConnections()
    let offline = try home.run("sync")
    #expect(offline.ending == .exited(1))
    #expect(try home.run("account").output.contains("offline since"))
    let renamed = try home.run("feeds", "set", "Alpha", "--title", "Fruit").output
    #expect(renamed.hasPrefix("Changed Fruit, in News.\n  ann@"))
    #expect(renamed.hasSuffix(": 1 change waits to be sent\n"))
    let reloaded = try home.run("reload")
    #expect(reloaded.ending == .exited(1))
    #expect(reloaded.output.contains("\n  ✗ "))
    #expect(reloaded.output.hasSuffix("\n  1 change waits to be sent\n"))
    #expect(try home.run("reload", "--json").output.contains(#""waitingChanges" : 1"#))
    let removed = try home.run("account", "remove", "ann", "--keep-feeds", "--drop-changes")
    #expect(removed.ending == .exited(0))
    #expect(try home.run("account").output == "")
    #expect(try home.run("feeds").output.hasPrefix("https://example.org/a\n  Fruit, in News"))
    #expect(try home.run("sync").ending == .exited(66))
    let none = try home.run("sync", "--json")
    #expect(none.ending == .exited(66) && none.output.filter { !$0.isWhitespace } == "[]")
    #expect(none.errors.hasPrefix("argyle: There is no account."))
  }

  @Test func `an account that cannot be synced at first is said to have been added`() throws {
    let list = server["/reader/api/0/subscription/list"]
    server["/reader/api/0/subscription/list"] = .whole("", status: 500)
    let added = try home.run(
      "account", "add", "greader", server.url(""), "--user", "ann", "--password-command",
      "echo right")
    #expect(added.ending == .exited(1))
    #expect(added.output.hasPrefix("Added ann@"))
    #expect(
      added.errors.contains(
        "The server has a problem of its own. The account was added; argyle sync brings what is "
          + "there."))
    server["/reader/api/0/subscription/list"] = list
    #expect(try home.run("sync").output.contains("+ Alpha"))
  }

  @Test func `a feed that is added to an account without its server waits`() throws {
    #expect(
      try home.run(
        "account", "add", "greader", server.url(""), "--user", "ann", "--password-command",
        "echo right"
      ).ending == .exited(0))
    server.refuseConnections()
    let added = try home.run("feeds", "add", "https://example.org/b", "--account", "ann")
    #expect(added.ending == .exited(0) && added.errors.isEmpty, "\(added.errors)")
    #expect(
      added.output.hasPrefix(
        "Added https://example.org/b, which could not be fetched yet.\n  ann@"))
    #expect(added.output.hasSuffix(": 1 change waits to be sent\n"))
  }

  @Test func `a failed account and what waits stand on lines of their own`() throws {
    let added = try home.run(
      "account", "add", "greader", server.url(""), "--user", "ann", "--password-command",
      "echo right")
    #expect(added.ending == .exited(0))
    #expect(try home.run("articles", "mark", "1", "--read").ending == .exited(0))
    server["/reader/api/0/subscription/list"] = .whole("", status: 500)
    server["/reader/api/0/edit-tag"] = .whole("", status: 500)
    #expect(try home.run("sync").ending == .exited(1))
    let lines = try home.run("account").output
    #expect(
      lines.contains(", 1 change waits to be sent\n  ✗ The server has a problem of its own.\n"))
  }

  @Test(
    arguments: [
      ("http://", "ann", 65), ("nowhere", "ann", 66), ("refused", "ann", 66), ("here", "", 64),
    ] as [(String, String, Int32)])
  func `the status says why an account was not added`(
    address: String, user: String, status: Int32
  ) throws {
    server["/nowhere/accounts/ClientLogin"] = .whole("", status: 404)
    let url =
      switch address {
      case "nowhere", "refused": server.url("/nowhere")
      case "here": server.url("")
      default: address
      }
    if address == "refused" { server.refuseConnections() }
    let added = try home.run(
      "account", "add", "greader", url, "--user", user, "--password-command", "echo right")
    #expect(added.ending == .exited(status), "\(added.errors)")
    #expect(try home.run("account").output == "")
  }

  private static let setsid = "/usr/bin/setsid"

  @Test(.enabled(if: access(setsid, X_OK) == 0, "it starts a program without a terminal"))
  func `without a terminal, no password is asked for`() throws {
    let terminal = try PseudoTerminal(
      running: Self.setsid,
      [
        "--wait", builtProgram("argyle"), "account", "add", "greader", server.url(""), "--user",
        "ann",
      ], environment: home.environment, columns: 120)
    #expect(try terminal.waitForExit() == .exited(1))
    #expect(
      String(decoding: terminal.output, as: UTF8.self)
        == "argyle: There is no terminal to ask for the password. "
        + "Use --password-stdin or --password-command.\r\n")
  }

  @Test func `a password is asked for without an echo, and kept where only its owner can read it`()
    throws
  {
    let (terminal, _) = try home.start([
      "account", "add", "greader", server.url(""), "--user", "ann",
    ])
    try terminal.waitUntil("it asks") { $0.text.contains("Password of ann:") }
    // Ctrl-D hands over the half of the line before it, as nothing else does.
    #expect(try terminal.leave(by: "ri\u{4}ght\r") == .exited(0))
    let shown = String(decoding: terminal.output, as: UTF8.self)
    #expect(!shown.contains("right"))
    #expect(shown.contains("which only you can read"))
    let file = home.dataDirectory + "/accounts/1/password"
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "right")
    let changed = try home.run("account", "password", "ann", "--password-command", "echo right")
    #expect(changed.ending == .exited(0))
    #expect(!FileManager.default.fileExists(atPath: file), "a program prints it from now on")
    #expect(try home.run("sync").ending == .exited(0))
  }

  @Test func `a password with a control character is not sent`() throws {
    let (terminal, _) = try home.start([
      "account", "add", "greader", server.url(""), "--user", "ann",
    ])
    try terminal.waitUntil("it asks") { $0.text.contains("Password of ann:") }
    #expect(try terminal.leave(by: "ri\u{1A}ght\r") == .exited(65))
    #expect(terminal.screen.text.contains("Type it again."))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal that ends the question for a password leaves the echo on`(signal: Int32) throws {
    let (terminal, _) = try home.start([
      "account", "add", "greader", server.url(""), "--user", "ann",
    ])
    try terminal.waitUntil("it asks") { $0.text.contains("Password of ann:") }
    try #require(terminal.modes != terminal.initialModes)
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signalled(signal))
    #expect(terminal.modes == terminal.initialModes)
  }

  @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)])
  func `a key ends the question for a password, and nothing is sent`(key: String, signal: Int32)
    throws
  {
    let (terminal, _) = try home.start([
      "account", "add", "greader", server.url(""), "--user", "ann",
    ])
    try terminal.waitUntil("it asks") { $0.text.contains("Password of ann:") }
    terminal.send("half" + key)
    #expect(try terminal.waitForExit() == .signalled(signal))
    #expect(terminal.modes == terminal.initialModes)
    #expect(server.requests.isEmpty)
  }
}
