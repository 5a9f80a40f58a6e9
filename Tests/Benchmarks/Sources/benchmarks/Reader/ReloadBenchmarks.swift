/// Fetching, parsing and storing, without a screen.
@MainActor
enum ReloadBenchmarks {
  private static let feeds = 20
  /// How many connections argyle opens to one host, as browsers do not either.
  private static let perHost = 4
  private static let programs = ["argyle", "newsboat", "curl"]

  private static func curl(_ home: ReaderHome, _ addresses: [String]) -> Program {
    Program(
      name: "curl", path: Peer.curl.path,
      arguments: ["-Z", "-s"] + addresses.flatMap { ["-o", "/dev/null", $0] },
      environment: home.environment)
  }

  private static func contenders(
    _ home: ReaderHome, _ addresses: [String], forgetting: Bool
  ) -> [Contender] {
    func contender(_ program: Program) -> Contender {
      Contender(name: program.name) {
        if forgetting { try home.forget() }
        return try CommandRun(program).seconds
      }
    }
    return [contender(home.argyle(["reload"]))]
      + (Peer.newsboat.isThere ? [contender(home.newsboat(["-x", "reload"]))] : [])
      + (Peer.curl.isThere ? [contender(curl(home, addresses))] : [])
  }

  static func reload() async throws -> Table {
    let sample = SampleFeeds(feeds: feeds, articles: 50)
    let server = try FeedServer(sample.documents())
    let addresses = (0..<feeds).map { server.url(sample.path($0)) }
    let home = try ReaderHome("reload", following: addresses)
    var table = Table("", "argyle", "newsboat", "curl -Z", "ratio", "aim")

    let cold = Comparison(
      try await Rounds(9, contenders(home, addresses, forgetting: true)))
    table.row("cold", .seconds, cold, of: programs, to: "curl", Aim(limit: 3))
    table.row("cold, to newsboat", .seconds, cold, of: programs, to: "newsboat", Aim(limit: 1))

    try home.forget()
    try home.reload()
    let unchanged = Comparison(
      try await Rounds(9, contenders(home, addresses, forgetting: false)))
    table.row("unchanged", .seconds, unchanged, of: programs, to: "newsboat", Aim(limit: 1))

    server.setDelay(0.2)
    let delayed = Comparison(
      try await Rounds(3, contenders(home, addresses, forgetting: true)))
    let least = 0.2 * Double(feeds / perHost)
    let ratio = delayed.median("argyle") / least
    table.row(
      ["cold, 200 ms a feed"] + delayed.cells(programs, .seconds) + [Unit.ratio.text(ratio)],
      judging: ratio, .ratio, by: Aim(limit: 1.3))
    table.row(
      "cold, 200 ms, to newsboat", .seconds, delayed, of: programs, to: "newsboat", Aim(limit: 1))
    table.note(
      "with 200 ms a feed the ratio is to \(Unit.seconds.text(least)), what \(feeds) feeds take "
        + "of one host that is asked for \(perHost) at a time; curl asks for all at once")
    table.note(peers: [.newsboat, .curl])
    return table
  }

  static func waiting() async throws -> Table {
    let sample = SampleFeeds(feeds: feeds, articles: 1)
    let server = try FeedServer(sample.documents(), hosts: feeds)
    let addresses = (0..<feeds).map { server.url(sample.path($0), host: $0) }
    let home = try ReaderHome("waiting", following: addresses)
    try home.reload()
    server.setDelay(2)
    func contender(_ program: Program) -> Contender {
      Contender(name: program.name) { try CommandRun(program).cpu }
    }
    let rounds = try await Rounds(
      3,
      [contender(home.argyle(["reload"]))]
        + (Peer.curl.isThere ? [contender(curl(home, addresses))] : []))
    var table = Table("", "argyle", "curl -Z", "ratio", "aim")
    table.row(
      "CPU", .seconds, Comparison(rounds), of: ["argyle", "curl"], to: "curl", Aim(limit: 3))
    table.note(peers: [.curl])
    return table
  }
}
