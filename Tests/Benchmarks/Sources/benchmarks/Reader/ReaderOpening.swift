/// From nothing to something on the screen: the start, and long lists.
@MainActor
enum ReaderOpening {
  private static let programs = ["argyle", "newsboat"]

  /// Starts a program, waits for a text and for rest; what passed until the text was complete.
  static func timeToShow(_ text: String, _ program: Program) throws -> Double {
    let start = MonotonicClock.now
    let process = try TerminalProcess(program)
    let end = try process.readUntil(text)
    _ = try process.readToRest(hasAnswered: true)
    try process.quit()
    return Double(end - start) / 1e9
  }

  static func start() async throws -> Table {
    var table = Table("", "argyle", "newsboat", "ratio", "aim")
    for (feeds, articles) in [(20, 50), (20, 500)] {
      let sample = SampleFeeds(feeds: feeds, articles: articles)
      let server = try FeedServer(sample.documents())
      let home = try ReaderHome(
        "start-\(articles)", following: (0..<feeds).map { server.url(sample.path($0)) })
      try home.reload()
      var contenders = [
        Contender(name: "argyle") {
          try timeToShow(SampleFeeds.articleName(0), home.argyle())
        }
      ]
      if Peer.newsboat.isThere {
        contenders.append(
          Contender(name: "newsboat") {
            try timeToShow(SampleFeeds.feedName(0), home.newsboat())
          })
      }
      let rounds = try await Rounds(11, contenders)
      table.row(
        "\(feeds) feeds of \(articles)", .seconds, Comparison(rounds), of: programs,
        to: "newsboat", Aim(limit: 1.0 / 3))
    }
    table.note(peers: [.newsboat])
    return table
  }

  /// A feed of many articles beside a short one.
  private static func longList(
    of count: Int = 10_000, paragraphs: Int = 12
  ) throws -> ReaderHome {
    let sample = SampleFeeds(feeds: 1, articles: count, paragraphs: paragraphs)
    var documents = sample.documents()
    documents["/long.xml"] = [Array(LongArticle.feed.utf8)]
    let server = try FeedServer(documents)
    let home = try ReaderHome(
      "list-\(count)", following: [server.url(sample.path(0)), server.url("/long.xml")])
    try home.reload()
    return home
  }

  /// Opens the list of the long feed; what passed from the key to its newest article.
  private static func openList(_ program: Program) throws -> (TerminalProcess, Double) {
    let process = try TerminalProcess(program)
    let isOurs = program.name == "argyle"
    _ = try process.readUntil(isOurs ? SampleFeeds.articleName(0) : SampleFeeds.feedName(0))
    while try process.watch(seconds: 0.3).bytes > 0 {}
    if isOurs {
      // To the feeds and to the last of them, which is the short one.
      try process.type("\t")
      _ = try process.readToRest()
      try process.type("G")
      _ = try process.readUntil(LongArticle.title)
      _ = try process.readToRest(hasAnswered: true)
    }
    let start = try process.type(isOurs ? "k" : "\r")
    let end = try process.readUntil(SampleFeeds.articleName(0))
    _ = try process.readToRest(hasAnswered: true)
    return (process, Double(end - start) / 1e9)
  }

  /// Newsboat leaves a list by the key that ends it.
  private static func quit(_ process: TerminalProcess) throws {
    if process.name == "newsboat" {
      try process.type("q")
      _ = try process.readToRest()
    }
    try process.quit()
  }

  static func list() async throws -> Table {
    let home = try longList()
    var table = Table("", "argyle", "newsboat", "ratio", "aim")
    let candidates = [home.argyle()] + (Peer.newsboat.isThere ? [home.newsboat()] : [])
    let rounds = try await Rounds(
      9,
      candidates.map { program in
        Contender(name: program.name) {
          let (process, seconds) = try openList(program)
          try quit(process)
          return seconds
        }
      })
    table.row(
      "opened", .seconds, Comparison(rounds), of: programs, to: "newsboat", Aim(limit: 1))
    table.note(peers: [.newsboat])
    return table
  }

  /// The longest list that a feed can have beside a short one: what a key waits for, and what
  /// having it open takes.
  static func lengths() async throws -> Table {
    // As short as articles can be: a feed may have 32 MB.
    let homes = try [100, 50_000].map { try longList(of: $0, paragraphs: 1) }
    var table = Table("", "100", "50,000", "ratio", "aim")
    func rounds(
      _ count: Int, _ measure: @escaping (TerminalProcess, Double) -> Double
    ) async throws -> Rounds {
      try await Rounds(
        count,
        homes.map { home in
          Contender(name: home.folder) {
            let (process, seconds) = try openList(home.argyle())
            let value = measure(process, seconds)
            try process.quit()
            return value
          }
        })
    }
    let opening = try await rounds(9) { $1 }
    table.row(
      ["from the key to its first row"] + [0, 1].map { Unit.seconds.text(opening.median($0)) }
        + [Unit.ratio.text(opening.ratio(1, to: 0))],
      judging: opening.ratio(1, to: 0), .ratio, by: Aim(limit: 1.5))
    let memory = try await rounds(3) { process, _ in Double(process.facts.peakMemory()) }
    table.row(
      ["peak memory with it open"] + [0, 1].map { Unit.bytes.text(memory.median($0)) }
        + [Unit.ratio.text(memory.ratio(1, to: 0))],
      judging: memory.ratio(1, to: 0), .ratio, by: Aim(limit: 1.5))
    return table
  }

  static func memory() async throws -> Table {
    let home = try longList()
    var table = Table("", "argyle", "newsboat", "ratio", "aim")
    let candidates = [home.argyle()] + (Peer.newsboat.isThere ? [home.newsboat()] : [])
    let open = try await Rounds(
      3,
      candidates.map { program in
        Contender(name: program.name) {
          let (process, _) = try openList(program)
          let peak = process.facts.peakMemory()
          try quit(process)
          return Double(peak)
        }
      })
    table.row(
      "10,000 articles stored, their list open", .bytes, Comparison(open), of: programs,
      to: "newsboat", Aim(limit: 1))
    let reload = try await Rounds(
      3,
      candidates.map { program in
        Contender(name: program.name) {
          try home.forget()
          let reload =
            program.name == "argyle"
            ? home.argyle(["reload"])
            : home.newsboat(["-x", "reload"])
          return try CommandRun(reload).peakMemory
        }
      })
    table.row(
      "a feed of 10,000 and one of 1 MB fetched", .bytes, Comparison(reload), of: programs,
      to: "newsboat", Aim(limit: 1))
    table.note(peers: [.newsboat])
    return table
  }
}
