import Foundation
import PseudoTerminal
import Testing

/// Tests of the drawer on the command line, as a script uses it.
struct SocksCommandTests {
  private let home: Home

  init() throws {
    home = try Home()
  }

  private func json(_ arguments: String...) throws -> Any {
    let (terminal, name) = try home.start(["socks"] + arguments + ["--json"])
    #expect(try terminal.waitForExit() == .exited(0))
    return try JSONSerialization.jsonObject(with: Data(try home.text(of: name).utf8))
  }

  private func list() throws -> [[String: Any]] {
    try #require(try json("list") as? [[String: Any]])
  }

  private func sock(_ arguments: String...) throws -> [String: Any] {
    let (terminal, name) = try home.start(["socks"] + arguments + ["--json"])
    #expect(try terminal.waitForExit() == .exited(0))
    return try #require(
      try JSONSerialization.jsonObject(with: Data(try home.text(of: name).utf8)) as? [String: Any])
  }

  private func refused(_ status: Int32, _ arguments: String...) throws -> String {
    let (terminal, name) = try home.start(["socks"] + arguments)
    #expect(try terminal.waitForExit() == .exited(status), "\(arguments)")
    #expect(try home.text(of: name).isEmpty)
    return String(decoding: terminal.output, as: UTF8.self)
      .replacingOccurrences(of: "\r\n", with: "\n")
  }

  // MARK: Reading

  @Test func `a new drawer has socks of every kind, and one that was emptied none`() throws {
    let socks = try list()
    #expect(socks.count >= 24)
    let names: Set = [
      "id", "name", "picture", "sogginess", "pattern", "colour", "pair", "notes", "created",
      "changed",
    ]
    for sock in socks { #expect(Set(sock.keys) == names) }
    #expect(socks.contains { $0["picture"] is NSNull })
    let ids = Dictionary(
      uniqueKeysWithValues: try socks.map { (try #require($0["id"] as? String), $0["pair"]) })
    let paired = ids.filter { $0.value is String }
    #expect(paired.count >= 6 && paired.count < ids.count)
    for (id, pair) in paired { #expect(ids[pair as? String ?? ""] as? String == id) }
    for id in ids.keys { #expect(try home.run("socks", "remove", id).ending == .exited(0)) }
    #expect(try list().isEmpty)
    #expect(try home.run("socks").output.isEmpty)
  }

  @Test func `a list is a table whose columns are straight, also with wide characters`() throws {
    try home.write(
      """
      [{"id": "AAAAAAAA-0000-4000-8000-000000000001", "name": "靴下 \\u202E\\u001b[31m", "sogginess": 5},
       {"id": "BBBBBBBB-0000-4000-8000-000000000002", "name": "Left", "pattern": "dots",
        "colour": "red", "sogginess": 100}]
      """, to: "socks.json")
    let refusal = try refused(65, "import", home.path + "/socks.json")
    #expect(refusal.hasPrefix("argyle: Entry 1, “name”: The name must be one line of text."))
    try home.write(
      """
      [{"id": "AAAAAAAA-0000-4000-8000-000000000001", "name": "靴下\\u202E", "sogginess": 5,
        "pattern": "zzz"},
       {"id": "BBBBBBBB-0000-4000-8000-000000000002", "name": "Left", "pattern": "zzz",
        "colour": "red", "sogginess": 100}]
      """, to: "socks.json")
    #expect(try home.run("socks", "import", home.path + "/socks.json").ending == .exited(0))
    #expect(
      try home.run("socks", "list", "--filter", "ZZZ", "--sort", "sogginess").output == """
        ID        SOGGY  NAME  PATTERN  COLOUR  PAIR
        AAAAAAAA      5  靴下  zzz
        BBBBBBBB    100  Left  zzz      red

        """)
  }

  @Test func `a sock is shown by the beginning of its id`() throws {
    let id = try #require(try sock("add", "Left")["id"] as? String)
    #expect(try sock("show", String(id.prefix(12)))["name"] as? String == "Left")
    #expect(try sock("show", id.lowercased())["id"] as? String == id)
    let text = try home.run("socks", "show", id).output
    #expect(text.hasPrefix("Left\nid         \(id)\nsogginess  0\n"))
    // The IDs of bundled socks differ in their first digits, but with more than sixteen socks, two
    // share their first one.
    let shared = try #require(
      (0..<16).map { String($0, radix: 16) }.first { digit in
        try list().filter { ($0["id"] as? String)?.lowercased().hasPrefix(digit) == true }.count > 1
      })
    #expect(try refused(65, "show", shared).hasPrefix("argyle: More than one sock has an id"))
    #expect(try refused(66, "show", "xyz").hasPrefix("argyle: There is no sock whose id begins"))
    #expect(try refused(66, "show", "").hasPrefix("argyle: There is no sock whose id begins"))
  }

  // MARK: Changing

  @Test func `a path that begins with ~ is one of the home that the environment names`() throws {
    let picture = try home.write("GIF89a", to: "b.png")
    let feed = try home.write(FeedText.rss("Alpha", ["Apple"]), to: "a.xml")
    let sock = try home.run(
      "socks", "add", "Left", "--json", "--picture", "~/b.png")
    #expect(sock.output.contains("\"picture\" : \"\(picture)\""), "\(sock)")
    let added = try home.run("feeds", "add", "~/a.xml", "--json")
    #expect(added.output.contains("file://\(feed)"), "\(added)")
  }

  @Test func `a sock is added, changed, paired, parted and removed`() throws {
    let picture = try home.write("GIF89a", to: "b.png")
    #expect(
      try refused(66, "add", "Left", "--picture", picture + "x")
        == "argyle: There is no file “\(picture)x”. Check the path of the picture.\n")
    let letter = try home.write("Dear", to: "letter.txt")
    for (place, reason) in [
      (letter, "This is not a picture."), (home.path, "The picture is not a regular file."),
    ] {
      #expect(
        try refused(65, "add", "Left", "--picture", place)
          == "argyle: “\(place)” cannot be the picture. \(reason) Choose another file.\n")
    }
    let left = try #require(
      try sock(
        "add", "Left", "--sogginess", "30", "--pattern", "dots", "--colour", "red", "--notes",
        "old", "--picture", picture)["id"] as? String)
    let shown = try sock("show", left)
    #expect(shown["sogginess"] as? Int == 30)
    #expect(shown["picture"] as? String == picture)
    let changed = try sock(
      "set", left, "--sogginess", "40", "--name", "Lefter", "--picture", "none")
    #expect(changed["sogginess"] as? Int == 40)
    #expect(changed["name"] as? String == "Lefter")
    #expect(changed["notes"] as? String == "old")
    #expect(changed["picture"] is NSNull)
    let set = try home.run("socks", "set", left, "--sogginess", "41")
    #expect(set.output == "Changed “Lefter” (\(left.prefix(8))).\n")

    let right = try #require(try sock("add", "Right")["id"] as? String)
    let pair = try home.run("socks", "pair", left, right)
    #expect(pair.ending == .exited(0))
    #expect(try sock("show", right)["pair"] as? String == left)
    #expect(try home.run("socks", "unpair", right).ending == .exited(0))
    #expect(try sock("show", left)["pair"] is NSNull)
    #expect(try home.run("socks", "remove", left).output.hasPrefix("Removed “Lefter”"))
    #expect(try refused(66, "set", left, "--sogginess", "1").contains("no sock"))
  }

  @Test func `what makes no sense is refused with the status for it`() throws {
    let id = try #require(try sock("add", "Left")["id"] as? String)
    #expect(try refused(64, "set", id).contains("Usage: argyle socks set"))
    #expect(try refused(64, "set", id, "--sogginess", "wet").contains("Usage: argyle socks set"))
    #expect(
      try refused(65, "set", id, "--sogginess", "101").hasPrefix(
        "argyle: A sogginess of 101 is not possible. Choose one from 0"))
    #expect(try refused(65, "set", id, "--name", "").hasPrefix("argyle: The name is empty."))
    #expect(try refused(65, "pair", id, id).hasPrefix("argyle: A sock cannot be paired with"))
    #expect(try refused(66, "import", home.path + "/none.json").contains("does not exist"))
    #expect(try refused(66, "import", home.path).contains("does not exist"))
    #expect(try refused(73, "export", home.path + "/none/a.json").contains("cannot be written"))
    #expect(try sock("show", id)["sogginess"] as? Int == 0)
  }

  // MARK: Exchange

  @Test(arguments: [["set", "9E3779B1"], ["add", "Wet"]])
  func `a sogginess below zero is refused with the reason`(arguments: [String]) throws {
    for value in [["--sogginess", "-1"], ["--sogginess=-1"]] {
      let (terminal, _) = try home.start(["socks"] + arguments + value)
      #expect(try terminal.waitForExit() == .exited(65))
      let errors = String(decoding: terminal.output, as: UTF8.self)
      #expect(errors.hasPrefix("argyle: A sogginess of -1 is not possible."), "\(errors)")
    }
  }

  @Test func `what is exported is imported elsewhere as it was`() throws {
    let file = home.path + "/socks.json"
    let exported = try home.run("socks", "export", file)
    #expect(exported.ending == .exited(0))
    let other = home.path + "/other"
    let first = try home.run("socks", "import", file, "--data-dir", other, "--json")
    #expect(first.ending == .exited(0))
    let again = try home.run("socks", "export", "-", "--data-dir", other)
    #expect(again.ending == .exited(0))
    #expect(try home.text(of: "socks.json") == again.output)
  }

  @Test func `an import that is wrong in one place changes nothing`() throws {
    let before = try home.run("socks", "export", "-").output
    try home.write(
      #"[{"name": "A"}, {"name": "B", "sogginess": 200}]"#, to: "socks.json")
    #expect(
      try refused(65, "import", home.path + "/socks.json").hasPrefix(
        "argyle: Entry 2, “sogginess”: A sogginess of 200 is not possible."))
    try home.write("[{]", to: "socks.json")
    #expect(
      try refused(65, "import", home.path + "/socks.json").hasPrefix("argyle: This is not JSON."))
    #expect(try home.run("socks", "export", "-").output == before)
  }

  // MARK: The file

  @Test func `a file that is no drawer is refused and left as it is`() throws {
    try FileManager.default.createDirectory(
      atPath: home.dataDirectory, withIntermediateDirectories: true)
    try home.write("my thesis", to: "data/argyle/socks.sqlite")
    for arguments in [["list"], ["add", "A"], ["export", "-"]] {
      let (terminal, name) = try home.start(["socks"] + arguments)
      #expect(try terminal.waitForExit() == .exited(1))
      #expect(try home.text(of: name).isEmpty)
      let errors = String(decoding: terminal.output, as: UTF8.self)
      #expect(errors.hasPrefix("argyle: The file of socks was not written by this program."))
    }
    #expect(try home.text(of: "data/argyle/socks.sqlite") == "my thesis")
  }

  // MARK: Output that cannot be written

  @Test(arguments: [
    ["socks", "list"], ["socks", "export", "-"], ["feeds", "export", "-"],
    ["config", "--print-default"], ["config", "--path"], ["demo", "--list"], ["manual"],
    ["screenshot", "removing"],
  ])
  func `an answer that cannot be written is a failure`(arguments: [String]) throws {
    let terminal = try PseudoTerminal(
      running: builtProgram("argyle"), arguments, environment: home.environment,
      redirectingOutputTo: "/dev/full")
    #expect(try terminal.waitForExit() == .exited(73))
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("cannot be written"))
  }

  @Test func `a drawer that may not grow says so, and keeps what it has`() throws {
    let sizes = [64 << 10: "add", 8 << 10: "list"]
    let before = try list().count
    for (size, command) in sizes {
      let isNew = command == "list"
      let arguments =
        isNew
        ? ["socks", "list", "--data-dir", home.path + "/new"]
        : ["socks", "add", "Long", "--notes", (0..<4_000).map { "\($0)" }.joined(separator: " ")]
      let terminal = try home.limited(toFilesOf: size, arguments)
      #expect(try terminal.waitForExit() == .exited(73), "\(command)")
      let errors = String(decoding: terminal.output, as: UTF8.self)
      #expect(
        errors.contains("The file of socks is as large as the system allows."),
        "\(command): \(errors)")
    }
    #expect(try list().count == before)
    #expect(try home.run("socks", "add", "Short").ending == .exited(0))
  }
}
