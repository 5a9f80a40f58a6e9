/// Keys in a large drawer, on a real terminal.
@MainActor
enum DrawerKeyBenchmarks {
  static let all = [
    Benchmark(
      name: "socks/keys", title: "a key to its last byte, in a drawer of 100,000", run: keys)
  ]

  private static let slowest = Aim(limit: 0.008)

  private static func keys() async throws -> Table {
    let programs = try Programs.get()
    let directory = try SocksBenchmarks.filled(100_000, in: programs.folder + "/socks-100000")
    let process = try TerminalProcess(programs.drawer(in: directory))
    _ = try process.readToRest()
    try process.type("2")
    _ = try process.readUntil("100000 socks")
    while try process.watch(seconds: 1).bytes > 0 {}

    var table = Table("", "p50", "p99", "aim")
    func row(_ name: String, _ keys: [String], pause: Int32) throws {
      let times = try keys.map { try process.answer(to: $0, pause: pause) }
      let cells = [name] + [times.median, times.quantile(0.99)].map { Unit.seconds.text($0) }
      table.row(cells, judging: times.quantile(0.99), .seconds, by: slowest)
    }
    func repeated(_ key: String) -> [String] { Array(repeating: key, count: 200) }
    try row("j", repeated("j"), pause: 20)
    try row("PgDn", repeated(Keys.pageDown), pause: 20)
    try row("k, from the end", ["G"] + repeated("k"), pause: 20)
    // As a keyboard repeats.
    try row("+, held down, and kept", (0..<200).map { $0 % 2 == 0 ? "+" : "-" }, pause: 33)
    try process.type("/")
    _ = try process.readToRest()
    // Typed and taken back: every rest finds other socks, among them those of one and two letters.
    let text = "tiger 11"
    let typed = text.map(String.init) + text.map { _ in "\u{7F}" }
    try row("typed, while it is looked for", (0..<12).flatMap { _ in typed }, pause: 180)
    try process.type("\u{1B}")
    _ = try process.readToRest()
    try process.quit()
    return table
  }
}

extension TerminalProcess {
  /// How many seconds pass from a key to the last byte of its answer; what comes after a rest, such
  /// as what was looked for, is read for `pause` milliseconds and is no part of it.
  fileprivate func answer(to key: String, pause: Int32) throws -> Double {
    let start = try type(key)
    var end = start
    while let (_, at) = try read(within: end == start ? 200 : 3) { end = at }
    let rest = start + UInt64(pause) * 1_000_000
    while MonotonicClock.now < rest { _ = try read(within: 1) }
    return Double(end - start) / 1e9
  }
}
