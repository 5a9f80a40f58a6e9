import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of chapters and transcripts that a feed offers: by keys and on the command line.
struct EpisodeTests {
  private let home: Home
  private let server: TestServer

  private static let vtt = """
    WEBVTT

    00:01.000 --> 00:02.000
    <v Ada>Tea is ready.

    00:02.000 --> 00:03.000
    So is the cake.

    01:02:03.000 --> 01:02:04.000
    <v Bo>Goodbye\u{1B}[2J.
    """
  private static let chapters = """
    {"chapters": [{"startTime": 0, "title": "Hello"},
      {"startTime": 168.5, "endTime": 200, "title": "Tea\\u001b[2J", "url": "https://e.example/"}]}
    """

  init() throws {
    home = try Home()
    server = try TestServer()
    try serve(transcript: server.url("/t.vtt"))
    _ = try home.run("feeds", "add", server.url("/feed"))
  }

  private func serve(transcript: String) throws {
    server["/feed"] = .whole(
      """
      <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"
        xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Cast</title>
      <item><guid>1</guid><title>Episode One</title><description>Notes of it.</description>
      <enclosure url="\(server.url("/One.mp3"))" type="audio/mpeg" length="312000"/>
      <podcast:chapters url="\(server.url("/c.json"))" type="application/json+chapters"/>
      <podcast:transcript url="\(transcript)" type="text/vtt" language="en"/>
      <itunes:duration>1:30:00</itunes:duration>
      <pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item>
      <item><guid>2</guid><title>Plain Two</title><description>Nothing more.</description>
      <pubDate>Mon, 02 Mar 2026 09:00:00 GMT</pubDate></item></channel></rss>
      """)
  }

  private func openArticle(
    _ arguments: [String] = [], columns: Int = 80, rows: Int = 24
  ) throws -> PseudoTerminal {
    let terminal = try home.openReader(arguments, columns: columns, rows: rows)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Episode")
    }
    terminal.send("\r")
    return terminal
  }

  @Test(arguments: [(80, 24), (130, 35), (20, 5)])
  func `W shows the transcript over the article, words are found in it, and Esc goes back`(
    columns: Int, rows: Int
  ) throws {
    let isSmall = rows < 10
    server["/t.vtt"] = .whole("", status: 503)
    let terminal = try openArticle(columns: columns, rows: rows)
    try terminal.waitUntil("the text is there") {
      $0.text.contains("Notes of it.") && (isSmall || $0.footer.contains("W transcript"))
    }
    try terminal.send("W", until: "why there is none") {
      $0.text.contains("✗ The server") && !$0.text.contains("Notes of it.")
        && (isSmall || $0.text.contains("r to retry"))
    }
    server["/t.vtt"] = .heldHead(Self.vtt)
    terminal.send("r")
    try server.waitForRequest(to: "/t.vtt", count: 2)
    server.release("/t.vtt")
    try terminal.waitUntil("the transcript is there") {
      $0.text.contains("0:01 Ada: Tea") && !$0.text.contains("✗ The server")
        && (isSmall
          || $0.text.contains("So is the cake.") && $0.text.contains("Transcript · ")
            && $0.footer.contains("article"))
    }
    if !isSmall {
      // Typed at once, as by a user who knows the key: no letter may be taken for a key.
      try terminal.send("/goodbye", until: "they are found") {
        $0.text.contains("1:02:03 Bo:") && $0.text.contains("1 of 1")
      }
      try terminal.send("\u{1B}", until: "the search has ended") { !$0.text.contains("1 of 1") }
    }
    try terminal.send("\u{1B}", until: "the text is back") {
      $0.text.contains("Notes of it.") && !$0.text.contains("Ada:")
    }
    try terminal.send("W", until: "it was kept") { $0.text.contains("Ada: Tea") }
    try terminal.send("W", until: "the same key goes back") { $0.text.contains("Notes of it.") }
    #expect(server.requests(to: "/t.vtt").count == 2)
    #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
  }

  private func player(_ arguments: String) throws -> String {
    let player = try home.write(
      "#!/bin/sh\necho \"$@\" >'\(home.path)/answer'\necho \"Playing.\"; read answer\n",
      to: "player")
    chmod(player, 0o755)
    return try home.write(
      "[podcasts]\nfolder = \"\(home.path)/casts\"\nplayer = [\"\(player)\", \(arguments)]\n",
      to: "config.toml")
  }

  @Test(arguments: [(80, 24), (20, 5)])
  func `c shows the chapters, and Enter plays from the beginning of one`(
    columns: Int, rows: Int
  ) throws {
    server["/One.mp3"] = .whole(String(repeating: "tide ", count: 60_000))
    server["/c.json"] = .whole("", status: 503)
    let config = try player("\"--start={position}\", \"{file}\"")
    #expect(try home.run("podcasts", "download", "1", "--config", config).ending == .exited(0))
    let terminal = try openArticle(["--config", config], columns: columns, rows: rows)
    try terminal.waitUntil("the text is there") { $0.text.contains("Notes of it.") }
    try terminal.send("c", until: "why there are none") {
      $0.text.contains("✗ The serve") && $0.text.contains("r to retry")
    }
    server["/c.json"] = .whole(Self.chapters)
    try terminal.send("r", until: "the chapters are there") { $0.text.contains("0:00 Hello") }
    try terminal.send("j\r", until: "the player has the terminal") { $0.text.contains("Playing.") }
    let file = "\(home.path)/casts/Cast - Episode One.mp3"
    #expect(try home.text(of: "answer") == "--start=168 \(file)\n")
    try terminal.send("\r", until: "the article is there again") {
      $0.text.contains("Notes of it.")
    }
    #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
  }

  @Test func `the command line has chapters and transcripts, and says what is wrong`() throws {
    server["/t.vtt"] = .whole(Self.vtt)
    server["/c.json"] = .whole(Self.chapters)
    let text = try home.run("podcasts", "transcript", "1")
    #expect(text.ending == .exited(0))
    #expect(text.output.hasPrefix("Episode One\nCast\n"))
    #expect(text.output.contains("\n0:01 Ada: Tea is ready. So is the cake.\n"))
    #expect(
      try home.run("podcasts", "transcript", "1", "--text").output
        == "Ada: Tea is ready. So is the cake.\n\nBo: Goodbye [2J.\n")
    let json = try home.run("podcasts", "transcript", "1", "--json").output
    #expect(try keys(json) == ["address", "articleID", "cues", "language", "text", "title"])
    #expect(json.contains("\"language\" : \"en\"") && json.contains("\"start\" : 3723"))
    #expect(json.contains("\"speaker\" : \"Ada\"") && json.contains("\"end\" : 2"))
    let chapters = try home.run("podcasts", "chapters", "1")
    #expect(chapters.output == "0:00  Hello\n2:48  Tea[2J\n")
    let list = try home.run("podcasts", "chapters", "1", "--json").output
    #expect(try keys(list) == ["end", "link", "start", "title"])
    #expect(list.contains("\"start\" : 168") && list.contains("\"link\" : \"https://e.example/\""))
    #expect(server.requests(to: "/t.vtt").count == 1 && server.requests(to: "/c.json").count == 1)

    for command in ["chapters", "transcript"] {
      #expect(try home.run("podcasts", command, "2").ending == .exited(66))
      #expect(try home.run("podcasts", command, "99").ending == .exited(66))
      #expect(try home.run("podcasts", command, "x").ending == .exited(64))
    }
    #expect(try home.run("podcasts", "transcript", "1", "--json", "--text").ending == .exited(64))
  }

  /// Returns the names in the last object of an answer.
  private func keys(_ json: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let object = (value as? [[String: Any]])?.last ?? value as? [String: Any]
    return try #require(object).keys.sorted()
  }

  @Test func `neither a neighbour in a private network is asked, nor a broken file kept`() throws {
    let neighbour = try TestServer(host: .second)
    neighbour["/t.vtt"] = .whole(Self.vtt)
    try serve(transcript: neighbour.url("/t.vtt"))
    #expect(try home.run("reload").ending == .exited(0))
    let refused = try home.run("podcasts", "transcript", "1")
    #expect(refused.ending == .exited(1))
    #expect(refused.errors.contains("private network"), "\(refused.errors)")
    #expect(neighbour.connectionCount == 0)
    server["/c.json"] = .whole("{\"chapters\": [")
    let broken = try home.run("podcasts", "chapters", "1")
    #expect(broken.ending == .exited(65))
    #expect(broken.errors.contains("The chapters cannot be read."))
    let terminal = try openArticle()
    try terminal.waitUntil("the text is there") { $0.text.contains("Notes of it.") }
    try terminal.send("W", until: "it is said on the screen, and nothing is to be tried again") {
      $0.text.contains("private network") && !$0.text.contains("r to retry")
    }
    #expect(neighbour.connectionCount == 0)
    try terminal.send("\u{1B}", until: "the text is back") { $0.text.contains("Notes of it.") }
    #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
  }

  @Test func `a player begins where the command line says, if it is told`() throws {
    server["/One.mp3"] = .whole(String(repeating: "tide ", count: 60_000))
    var config = try home.write(
      "[podcasts]\nplayer = [\"echo\", \"{position}\", \"{file}\"]\n", to: "config.toml")
    #expect(try home.run("podcasts", "download", "1", "--config", config).ending == .exited(0))
    let played = try home.run("podcasts", "play", "1", "--start", "1:02:03", "--config", config)
    #expect(played.output.hasPrefix("3723 /"))
    let late = try home.run("podcasts", "play", "1", "--start", "1:30:00", "--config", config)
    #expect(late.output.hasPrefix("5400 /"))
    #expect(
      late.errors == "argyle: According to its feed, “Episode One” is only 1:30:00 long.\n")
    #expect(try home.run("podcasts", "play", "1", "--start", "soon").ending == .exited(64))
    config = try home.write("[podcasts]\nplayer = [\"echo\"]\n", to: "config.toml")
    let untold = try home.run("podcasts", "play", "1", "--start", "9", "--config", config)
    #expect(untold.ending == .exited(78))
    #expect(untold.errors.contains("Put {position} into podcasts.player"))
  }

  @Test func `an episode is not played without its player or its file`() throws {
    server["/One.mp3"] = .whole(String(repeating: "tide ", count: 60_000))
    let config = try home.write(
      """
      [podcasts]
      folder = "\(home.path)/casts"
      player = ["no-such-player"]
      [[command]]
      name = "listen"
      key = "Z"
      run = ["false", "{positions}", "{author}"]
      """, to: "config.toml")
    #expect(try home.run("podcasts", "download", "1", "--config", config).ending == .exited(0))
    let unplayed = try home.run("podcasts", "play", "1", "--config", config)
    #expect(unplayed.errors.contains("“no-such-player” could not be started"))
    let failing = try home.write("[podcasts]\nplayer = [\"false\"]\n", to: "failing.toml")
    let failed = try home.run("podcasts", "play", "1", "--config", failing)
    #expect(failed.errors.contains("“false” ended with status 1."))
    let list = try home.run("podcasts", "--json", "--config", config).output
    #expect(!list.contains("\"played\" : \"2"), "it was not played: \(list)")

    let terminal = try openArticle(["--config", config])
    try terminal.waitUntil("the text is there") { $0.text.contains("Notes of it.") }
    try terminal.waitUntil("the footer offers to play it") { $0.text.contains("P play") }
    try terminal.send("P", until: "why it is not played") {
      $0.text.contains("could not be started")
    }
    try terminal.send("Z", until: "why it is not run") {
      $0.text.contains("Not run: this article has no author.")
    }
    let still = try home.run("podcasts", "--json", "--config", config).output
    #expect(!still.contains("\"played\" : \"2"), "it was not played: \(still)")
    #expect(unlink("\(home.path)/casts/Cast - Episode One.mp3") == 0)
    try terminal.send("P", until: "that the file is gone") {
      $0.text.contains("The file is not there any more.") && $0.text.contains("D to download it")
    }
    #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
  }
}
