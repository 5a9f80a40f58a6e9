import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of downloading, playing and removing enclosed files, by keys and on the command line.
struct PodcastTests {
  private let home: Home
  private let server: TestServer
  private let body = String(repeating: "The tide came in at noon. ", count: 12_000)

  init() throws {
    home = try Home()
    server = try TestServer()
    let items = ["One", "Two"].map { title in
      """
      <item><guid>\(title)</guid><title>Episode \(title)</title><description>Words.</description>
      <enclosure url="\(server.url("/\(title).mp3"))" type="audio/mpeg" length="312000"/>
      <pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item>
      """
    }
    server["/feed"] = .whole(
      "<rss><channel><title>Cast</title>\(items.joined())</channel></rss>")
    _ = try home.run("feeds", "add", server.url("/feed"))
  }

  private func configuration() throws -> String {
    let player = try home.write(
      "#!/bin/sh\necho \"Playing $#: $1\"; read answer; echo \"$answer\" >'\(home.path)/answer'\n",
      to: "player")
    chmod(player, 0o755)
    return try home.write(
      "[podcasts]\nfolder = \"\(home.path)/casts\"\nplayer = [\"\(player)\"]\n",
      to: "config.toml")
  }

  @Test(arguments: [60, 130])
  func `D downloads, I shows the queue, and a player has the terminal`(columns: Int) throws {
    server["/One.mp3"] = .heldBody(body)
    let config = try configuration()
    let terminal = try home.openReader(["--config", config], columns: columns)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Episode One")
    }
    try terminal.send("\r", until: "it is open") { $0.text.contains("Words.") }
    try terminal.send("D", until: "it is queued") { $0.text.contains("Queued: “Episode One”") }
    try terminal.send("I", until: "the queue shows how far it is") {
      $0.text.contains("─ Downloads") && $0.text.contains("50 %")
    }
    try terminal.send("s", until: "it is stopped") { $0.text.contains("stopped at 156 kB") }
    server["/One.mp3"] = .whole(body)
    try terminal.send("s", until: "it is downloaded") { $0.hasRow("One", "312 kB") }
    try terminal.send("\r", until: "the player has the terminal") {
      $0.text.contains("Playing 1: ") && !$0.text.contains("Downloads")
    }
    try terminal.send("yes\r", until: "the reader has it again") {
      $0.text.contains("played · 312 kB")
    }
    #expect(try home.text(of: "answer") == "yes\n")
    try terminal.send("x", until: "it is removed") { $0.text.contains("Nothing is downloaded.") }
    try terminal.send("u", until: "it is back") { $0.text.contains("played · 312 kB") }
    try terminal.send("\u{1B}", until: "the article is back") { !$0.text.contains("─ Downloads") }
    terminal.send("P")
    // The player's earlier output is still there below the reader's screen.
    try terminal.waitUntil("the player has the terminal again") { screen in
      screen.allLines.count { $0.contains("Playing 1: ") } == 2
    }
    try terminal.send("no\r", until: "the article is there again") { $0.text.contains("Words.") }
    try terminal.send("q", until: "the list is there again") {
      $0.selectedText.hasPrefix("Episode One")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `a download that fails says why, in place of that it is queued`() throws {
    server["/One.mp3"] = .whole("", status: 404)
    let terminal = try home.openReader(["--config", try configuration()], columns: 120)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Episode One")
    }
    try terminal.send("\r", until: "it is open") { $0.text.contains("Words.") }
    try terminal.send("D", until: "it has failed") {
      $0.text.contains(
        "“Episode One” was not downloaded. The server does not give the file. I to see it.")
    }
    #expect(!terminal.screen.text.contains("Queued"))
    #expect(try terminal.leave(by: "qq") == .exited(0))
  }

  @Test func `the queue survives the end of the program, and says what failed`() throws {
    server["/One.mp3"] = .heldBody(body)
    server["/Two.mp3"] = .whole("", status: 404)
    let config = try configuration()
    let queued = try home.run("podcasts", "download", "--queue", "1", "2", "--config", config)
    #expect(queued.output.contains("1  waiting  0 kB  Cast  Episode One"))
    let missing = try home.run("podcasts", "download", "999", "--config", config)
    #expect(missing.ending == .exited(66))
    #expect(missing.errors.hasPrefix("argyle: There is no article 999."), "\(missing.errors)")
    var terminal = try home.openReader(["--config", config])
    try terminal.waitUntil("the list is there") { $0.isWhole }
    try terminal.send("I", until: "one comes and the other has failed") {
      $0.text.contains("50 %") && $0.text.contains("✗ failed")
    }
    let list = try home.run("podcasts", "--config", config).output
    #expect(list.contains("1  another copy is downloading  "), "\(list)")
    #expect(list.contains("Episode One  (article 1)"), "\(list)")
    try terminal.send("j", until: "it is said why") {
      $0.text.contains("The server does not give the file.")
    }
    try terminal.send("\u{1B}", until: "the list is back") { !$0.text.contains("─ Downloads") }
    #expect(try terminal.leave() == .exited(0))

    server["/One.mp3"] = .whole(body)
    server["/Two.mp3"] = .whole(body)
    terminal = try home.openReader(["--config", config])
    try terminal.waitUntil("the list is there") { $0.isWhole }
    try terminal.send("I", until: "what had begun goes on by itself") { $0.hasRow("One", "312 kB") }
    try terminal.send("js", until: "what had failed is tried again") {
      $0.hasRow("One", "312 kB") && $0.hasRow("Two", "312 kB")
    }
    try terminal.send("\u{1B}", until: "the list is back") { !$0.text.contains("─ Downloads") }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `of several files of an article the user chooses one`() throws {
    let config = try configuration()
    server["/two-files"] = .whole(
      """
      <rss><channel><title>Talks</title><item><guid>t</guid><title>A talk</title>
      <description>Words.</description>
      <enclosure url="\(server.url("/slides.pdf"))" type="application/pdf" length="1000"/>
      <enclosure url="\(server.url("/talk.mp3"))" type="audio/mpeg" length="312000"/>
      </item></channel></rss>
      """)
    server["/slides.pdf"] = .whole("%PDF-1.4")
    server["/talk.mp3"] = .whole(body)
    _ = try home.run("feeds", "add", server.url("/two-files"))
    let none = try home.run("podcasts", "download", "3", "--enclosure", "9", "--config", config)
    #expect(none.ending == .exited(64))
    let files = "1 talk.mp3 (Audio, 312 kB), 2 slides.pdf (File, 1 kB)"
    #expect(none.errors.contains(files), "\(none.errors)")
    let first = try home.run("podcasts", "download", "3", "--queue", "--config", config)
    #expect(first.output.contains("A talk (1 of 2)"))

    let terminal = try home.openReader(["--config", config])
    try terminal.waitUntil("the list is there") { $0.isWhole && $0.text.contains("A talk") }
    try terminal.send("g\r", until: "it is open") { $0.text.contains("Words.") }
    try terminal.send("D", until: "the files are shown") {
      $0.text.contains("─ Enclosed files") && $0.text.contains("File, 1 kB")
    }
    try terminal.send("j\r", until: "the second is queued") {
      $0.text.contains("Queued: “A talk”") && !$0.text.contains("Enclosed files")
    }
    try terminal.send("I", until: "both are in the queue") {
      $0.text.contains("A talk (1 of 2)") && $0.text.contains("A talk (2 of 2)")
    }
    try terminal.send("\u{1B}", until: "both are complete") {
      $0.text.contains("Downloads: 2 of 2") && !$0.text.contains("─ Downloads")
    }
    try terminal.send("P", until: "the user chooses one") {
      $0.text.contains("─ Downloaded files") && $0.text.contains("slides.pdf")
    }
    try terminal.send("j\r", until: "the second is played") {
      $0.text.contains("Playing 1: ") && $0.text.contains("(2 of 2)")
    }
    try terminal.send("no\r", until: "the article is there again") { $0.text.contains("Words.") }
  }

  @Test func `an article that is named twice is downloaded once`() throws {
    server["/One.mp3"] = .whole(body)
    let config = try configuration()
    let done = try home.run("podcasts", "download", "1", "1", "--config", config)
    #expect(done.ending == .exited(0), "\(done.errors)")
  }

  @Test func `a file that was deleted is not played, and the command says so`() throws {
    server["/One.mp3"] = .whole(body)
    let config = try configuration()
    _ = try home.run("podcasts", "download", "1", "--config", config)
    try FileManager.default.removeItem(atPath: home.path + "/casts")
    let played = try home.run("podcasts", "play", "1", "--config", config)
    #expect(played.ending == .exited(66))
    #expect(played.errors.contains("The file is not there any more."), "\(played.errors)")
  }

  @Test func `without numbers, a file that is gone is not downloaded again`() throws {
    server["/One.mp3"] = .whole(body)
    let config = try configuration()
    _ = try home.run("podcasts", "download", "1", "--config", config)
    // A disk that is not mounted: not even the folder can be created.
    let (folder, away) = ("\(home.path)/casts", "\(home.path)/away")
    #expect(rename(folder, away) == 0)
    _ = try home.write("", to: "casts")
    let all = try home.run("podcasts", "download", "--config", config)
    #expect(all.ending == .exited(0), "\(all.errors)")
    let note = "The file of 1 download is gone; name its article to download it again."
    let terminal = try home.openReader(["podcasts", "download", "--config", config])
    _ = try terminal.waitForExit()
    #expect(String(decoding: terminal.output, as: UTF8.self).hasSuffix(note + "\r\n"))
    #expect(try home.run("podcasts", "--config", config).output.contains("1  failed"))
    #expect(server.requests(to: "/One.mp3").count == 1)
    #expect(unlink(folder) == 0 && rename(away, folder) == 0)
    #expect(try home.run("podcasts", "--config", config).output.contains("1  downloaded"))
    #expect(unlink("\(folder)/Cast - Episode One.mp3") == 0)
    _ = try home.run("podcasts", "download", "--config", config)
    #expect(server.requests(to: "/One.mp3").count == 1)
    _ = try home.run("podcasts", "download", "1", "--config", config)
    #expect(server.requests(to: "/One.mp3").count == 2)
    #expect(try home.run("podcasts", "--config", config).output.contains("1  downloaded"))
  }

  /// Returns a player that prints where it begins, and stores where it stops.
  private func patientPlayer() throws -> String {
    let player = try home.write(
      """
      #!/bin/sh
      echo "From $1 with $(cat "$2"/* 2>/dev/null | tail -n 1)."
      read place
      rm -f "$2"/*
      if test "$place" != end; then printf '# file\\nstart=%s\\n' "$place" >"$2/STATE"; fi

      """, to: "player")
    chmod(player, 0o755)
    return try home.write(
      """
      [podcasts]
      folder = "\(home.path)/casts"
      player = ["\(player)", "{position}", "{positions}", "{file}"]
      """, to: "config.toml")
  }

  @Test func `where a player has stopped is shown, and it goes on there`() throws {
    server["/One.mp3"] = .whole(body)
    let config = try patientPlayer()
    #expect(try home.run("podcasts", "download", "1", "--config", config).ending == .exited(0))
    let terminal = try home.openReader(["--config", config])
    try terminal.waitUntil("the list is there") { $0.isWhole }
    try terminal.send("I", until: "it is downloaded") { $0.hasRow("One", "312 kB") }
    try terminal.send("\r", until: "it begins at the beginning") {
      $0.text.contains("From 0 with .")
    }
    try terminal.send("754.25\r", until: "where it stopped is shown") {
      $0.hasRow("One", "at 12:34")
    }
    let begun = try home.run("podcasts", "list", "--json", "--config", config).output
    #expect(begun.contains("\"position\" : 754") && begun.contains("\"begun\""))
    #expect(
      try home.run("podcasts", "--config", config).output
        .contains("1  begun  at 12:34  Cast  Episode One"))
    try terminal.send("\r", until: "it goes on there") {
      $0.text.contains("From 754 with start=754.25.")
    }
    try terminal.send("end\r", until: "it has been played") { $0.hasRow("One", "played · 312 kB") }
    try terminal.send("m", until: "it counts as not played") {
      $0.hasRow("One", "312 kB") && !$0.text.contains("played ·")
    }
    terminal.send("\r")
    // The player's first output is still there below the reader's screen.
    try terminal.waitUntil("it begins again") { screen in
      screen.allLines.count { $0.contains("From 0 with .") } == 2
    }
    try terminal.send("60\r", until: "it has been stopped early") { $0.hasRow("One", "at 1:00") }
    try terminal.send("m", until: "it counts as played") { $0.hasRow("One", "played · 312 kB") }
    try terminal.send("\u{1B}", until: "the list is back") { !$0.text.contains("─ Downloads") }
    #expect(try terminal.leave() == .exited(0))
    // Others may be able to write in the folder that the user chose for downloads.
    #expect(!FileManager.default.fileExists(atPath: "\(home.path)/casts/.positions"))
    let marked = try home.run("podcasts", "mark", "1", "--no-played", "--json", "--config", config)
    #expect(marked.output.contains("\"downloaded\"") && !marked.output.contains("position"))
    #expect(try home.run("podcasts", "mark", "9", "--config", config).ending == .exited(66))
  }

  @Test(arguments: [(80, 24), (80, 7), (20, 5)])
  func `the queue says how far each is and what a key has done, where there is little room, too`(
    columns: Int, rows: Int
  ) throws {
    server["/One.mp3"] = .whole(body)
    let config = try configuration()
    #expect(try home.run("podcasts", "download", "1", "--config", config).ending == .exited(0))
    let terminal = try home.openReader(["--config", config], columns: columns, rows: rows)
    try terminal.waitUntil("the list is there") { $0.selectedText.hasPrefix("Episode") }
    try terminal.send("I", until: "it is downloaded") { $0.hasRow("312 kB") }
    try terminal.send("s", until: "it is said that it is") { $0.text.contains("It is downloa") }
    terminal.send("m")
    let played = columns < 40 ? "played" : "played · 312 kB"
    try terminal.waitUntil("it counts as played") { $0.hasRow(played) }
    try terminal.send("\u{1B}", until: "the list is back") { !$0.text.contains("─ Downloads") }
    #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
  }

  @Test func `what a mark has forgotten of an episode comes back`() throws {
    server["/One.mp3"] = .whole(body)
    let config = try patientPlayer()
    #expect(try home.run("podcasts", "download", "1", "--config", config).ending == .exited(0))
    let terminal = try home.openReader(["--config", config])
    try terminal.waitUntil("the list is there") { $0.isWhole }
    try terminal.send("I", until: "it is downloaded") { $0.hasRow("One", "312 kB") }
    try terminal.send("\r", until: "it is played") { $0.text.contains("From 0 with .") }
    try terminal.send("754\r", until: "where it stopped is shown") { $0.hasRow("One", "at 12:34") }
    try terminal.send("m", until: "it counts as played") { $0.hasRow("One", "played · 312 kB") }
    try terminal.send("u", until: "it is as it was") { $0.hasRow("One", "at 12:34") }
    try terminal.send("m", until: "it counts as played again") {
      $0.hasRow("One", "played · 312 kB")
    }
    try terminal.send("m", until: "it counts as not played") {
      $0.hasRow("One", "312 kB") && !$0.text.contains("played ·")
    }
    try terminal.send("u", until: "only the last mark is taken back") {
      $0.hasRow("One", "played · 312 kB")
    }
    try terminal.send("u", until: "and then the one before") { $0.hasRow("One", "at 12:34") }
    try terminal.send("\u{1B}", until: "the list is back") { !$0.text.contains("─ Downloads") }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `a file that may not grow is told, and the rest is fetched later`() throws {
    let long = String(repeating: body, count: 12)
    server["/One.mp3"] = .whole(long)
    let config = try configuration()
    let limited = try home.limited(
      toFilesOf: 2 << 20, ["podcasts", "download", "1", "--config", config],
      redirecting: "limited")
    let ending = try limited.waitForExit()
    #expect(ending == .exited(73))
    let errors = String(decoding: limited.output, as: UTF8.self)
    #expect(errors.contains("The file cannot be written."))
    #expect(errors.contains("podcasts.folder"))
    let list = try home.run("podcasts", "--config", config).output
    #expect(list.contains("1  failed  2.0 MB  Cast  Episode One"))
    let rest = try home.run("podcasts", "download", "--config", config)
    #expect(rest.ending == .exited(0))
    #expect(try home.text(of: "casts/Cast - Episode One.mp3") == long)
  }

  @Test(arguments: [
    (
      "[podcasts]\nplayer = [\"mpv\", \"--start={postion}\"]",
      "there is no {postion} for a player; the choices are {file}, {position}, {positions}"
    ),
    (
      "[fetching]\non-new = [\"notify-send\", \"{titel}\"]",
      "there is no {titel} for new articles; there is only {count}"
    ),
  ])
  func `a placeholder that is mistyped is refused`(text: String, words: String) throws {
    let config = try home.write(text + "\n", to: "config.toml")
    let check = try home.run("config", "--check", "--config", config)
    #expect(check.ending == .exited(78))
    #expect((check.output + check.errors).contains(words), "\(check.errors)")
  }

  @Test(arguments: [
    ("trap 'echo SAVED; exit 0' INT; echo READY; read line", PseudoTerminal.Ending.exited(0)),
    ("trap 'echo SAVED; exit 4' INT; echo READY; read line", .exited(130)),
    ("echo READY; exec cat", .signalled(SIGINT)),
  ])
  func `on the command line, Ctrl-C is the player's, and it ends first`(
    script: String, ending: PseudoTerminal.Ending
  ) throws {
    server["/One.mp3"] = .whole(body)
    let config = try home.write(
      "[podcasts]\nplayer = [\"sh\", \"-c\", \"\(script)\", \"{file}\"]\n", to: "config.toml")
    #expect(try home.run("podcasts", "download", "1", "--config", config).ending == .exited(0))
    let terminal = try home.openReader(["podcasts", "play", "1", "--config", config])
    try terminal.waitUntil("the player runs") { $0.text.contains("READY") }
    terminal.send("\u{3}")
    #expect(try terminal.waitForExit() == ending)
    #expect(terminal.screen.text.contains("SAVED") == script.contains("SAVED"))
    #expect(!terminal.screen.text.contains("podcasts.player"))
  }

  @Test func `the command line downloads, lists, plays and removes`() throws {
    server["/One.mp3"] = .whole(body)
    server["/Two.mp3"] = .whole("", status: 404)
    let config = try configuration()
    let both = try home.run("podcasts", "download", "1", "2", "--json", "--config", config)
    #expect(both.ending == .exited(1))
    #expect(both.output.contains("\"failed\"") && both.output.contains("\"downloaded\""))
    #expect(both.errors.contains("The server does not give the file."))
    #expect(both.output.contains("\"failure\" : \"The server does not give the file.\""))
    #expect(both.output.contains("\"failureMessage\" : {\n      \"advice\" : \""), "\(both.output)")
    let list = try home.run("podcasts", "--config", config).output
    #expect(list.contains("1  downloaded  312 kB  Cast  Episode One"))
    #expect(list.contains("\(home.path)/casts/Cast - Episode One.mp3"))
    #expect(list.contains("2  failed"))
    #expect(try home.run("podcasts", "play", "2", "--config", config).ending == .exited(66))
    #expect(try home.run("podcasts", "play", "1").ending == .exited(78))
    #expect(try home.run("podcasts", "mark", "1", "2", "--config", config).ending == .exited(66))
    #expect(try home.run("podcasts", "--config", config).output.contains("1  downloaded"))
    // There is no folder for positions, which only a player that stores its position needs.
    try FileManager.default.createDirectory(
      atPath: home.dataDirectory + "/podcasts", withIntermediateDirectories: true)
    #expect(symlink(home.path, home.dataDirectory + "/podcasts/.positions") == 0)
    let patient = try home.run("podcasts", "play", "1", "--config", try patientPlayer())
    #expect(patient.ending == .exited(73))
    #expect(patient.errors.contains("The file cannot be written."))
    // This player runs, even without that folder.
    let quiet = try home.write("[podcasts]\nplayer = [\"echo\", \"Playing\"]\n", to: "quiet.toml")
    let played = try home.run("podcasts", "play", "1", "--config", quiet)
    #expect(played.ending == .exited(0))
    #expect(played.output == "Playing \(home.path)/casts/Cast - Episode One.mp3\n")
    #expect(try home.run("podcasts", "remove", "7", "--config", config).ending == .exited(66))
    let marked = try home.run("podcasts", "mark", "1", "--config", config)
    #expect(marked.output == "Marked as played: “Episode One”.\n")
    let removed = try home.run("podcasts", "remove", "1", "2", "--config", config)
    #expect(removed.ending == .exited(0))
    #expect(removed.output == "Removed “Episode One”.\nRemoved “Episode Two”.\n")
    let empty = try home.run("podcasts", "list", "--json", "--config", config).output
    #expect(!empty.contains("\"id\""))
    #expect(!FileManager.default.fileExists(atPath: "\(home.path)/casts/Cast - Episode One.mp3"))
    #expect(try home.run("podcasts", "download", "99").ending == .exited(66))
  }
}

extension EmulatedScreen {
  /// Whether a row of the queue has this state.
  fileprivate func hasRow(_ state: String) -> Bool {
    allLines.contains { $0.contains("│ E") && $0.contains(state) }
  }

  /// Whether the queue has an episode in this state.
  fileprivate func hasRow(_ episode: String, _ state: String) -> Bool {
    allLines.contains { $0.contains("│ Episode \(episode)") && $0.contains(state) }
  }
}
