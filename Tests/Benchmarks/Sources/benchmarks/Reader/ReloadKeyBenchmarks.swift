/// Keys while feeds are being fetched, parsed and stored.
@MainActor
enum ReloadKeyBenchmarks {
  private static let feeds = 500
  /// Of each feed: with 25,000 of them in all, newsboat takes longer to start than anybody waits.
  private static let articles = 10
  private static let hosts = 50

  static func keys() async throws -> Table {
    let sample = SampleFeeds(feeds: feeds, articles: articles)
    let server = try FeedServer(sample.documents(changing: true), hosts: hosts)
    let home = try ReaderHome(
      "keys",
      following: (0..<feeds).map { server.url(sample.path($0), host: $0 % hosts) })
    try home.reload()
    // As from a server that is not in the next room.
    server.setDelay(0.1)
    var table = Table("", "p50", "p95", "p99", "keys", "aim")
    for name in ["argyle", "newsboat"] {
      guard name == "argyle" || Peer.newsboat.isThere else {
        table.note(Peer.newsboat.absence)
        continue
      }
      var (idle, busy) = ([Double](), [Double]())
      do {
        for _ in 0..<3 {
          let times = try press(name == "argyle" ? home.argyle() : home.newsboat(), server)
          idle += times.idle
          busy += times.busy
        }
      } catch  where name != "argyle" {
        // Our own rows are worth their while without it.
        table.note("\(error)")
        continue
      }
      func cells(_ label: String, _ times: [Double]) -> [String] {
        ["\(name), \(label)"] + [0.5, 0.95, 0.99].map { Unit.seconds.text(times.quantile($0)) }
          + ["\(times.count)"]
      }
      table.row(cells("idle", idle) + [""])
      guard name == "argyle" else {
        table.row(cells("reloading", busy) + [""])
        continue
      }
      table.row(
        cells("reloading", busy), judging: busy.quantile(0.99), .seconds, by: Aim(limit: 0.008))
      let ratio = busy.quantile(0.95) / idle.quantile(0.95)
      table.row(
        ["reloading to idle, p95", "", Unit.ratio.text(ratio), "", ""], judging: ratio, .ratio,
        by: Aim(limit: 1.5))
    }
    table.note(peers: [.newsboat])
    return table
  }

  /// How long keys take before a reload and during it: from the key to the row that it selects.
  private static func press(
    _ program: Program, _ server: FeedServer
  ) throws -> (idle: [Double], busy: [Double]) {
    let isOurs = program.name == "argyle"
    let process = try TerminalProcess(program)
    func rowName(_ row: Int) -> String {
      isOurs ? SampleFeeds.articleName(row) : SampleFeeds.feedName(row)
    }
    // Newsboat first reads the articles of all feeds.
    _ = try process.readUntil(rowName(0), within: 180)
    while try process.watch(seconds: 1).bytes > 0 {}
    var (row, step) = (0, 1)
    // Up and down on the first page: where rows scroll, only what differs of a row is sent.
    func time() throws -> Double {
      if row == 12 { step = -1 } else if row == 0 { step = 1 }
      row += step
      let start = try process.type(step > 0 ? "j" : "k")
      let end = try process.readUntil(rowName(row))
      _ = try process.watch(seconds: 0.02)
      return Double(end - start) / 1e9
    }
    var (idle, busy) = ([Double](), [Double]())
    for _ in 0..<150 { idle.append(try time()) }
    let answered = server.counts.answered
    try process.type(isOurs ? "r" : "R")
    while server.counts.answered == answered { _ = try process.watch(seconds: 0.005) }
    while server.counts.answered < answered + feeds { busy.append(try time()) }
    // A reload that is not over would be ended by the key, and newsboat asks about it.
    while server.counts.answered < answered + feeds { _ = try process.watch(seconds: 0.1) }
    while try process.watch(seconds: 1).bytes > 0 {}
    try process.quit()
    return (idle, busy)
  }
}
