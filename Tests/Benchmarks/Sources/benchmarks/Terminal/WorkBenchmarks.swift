import Foundation

/// What a user does all day, at 80×24, beside the bare C program and newsboat.
@MainActor
enum WorkBenchmarks {
  static let all = [
    Benchmark(name: "work/list", title: "keys in a list of 1,000 at 80×24", run: list),
    Benchmark(
      name: "work/feeds", title: "j in the list of feeds, each of which shows its articles",
      run: feeds),
    Benchmark(name: "work/resize", title: "a terminal of another size", run: resize),
  ]

  private static let columns: UInt16 = 80
  private static let rows: UInt16 = 24

  // MARK: A list

  private static func list() async throws -> Table {
    let programs = try Programs.get()
    let processes = try open(try programs.store(articles: 1_000), programs)
    var table = header()
    for (name, keys, count) in [
      ("j/k", ["j", "j", "j", "k"], 400), ("G/g", ["G", "g"], 40), ("PgDn", [Keys.pageDown], 30),
    ] {
      let pressed = try press(keys, count, on: processes)
      let (p50, p95) = (pressed.map(\.times.median), pressed.map { $0.times.quantile(0.95) })
      if name == "PgDn" {
        table.compare(name + ", p50", .seconds, p50, toNewsboat: 0.5)
        continue
      }
      let isMove = name == "j/k"
      table.compare(name + ", p50", .seconds, p50, toC: isMove ? 1.2 : 1.3)
      table.compare(name + ", p95", .seconds, p95, toC: isMove ? 1.4 : nil)
      table.compare(name + ", CPU a key", .seconds, pressed.map(\.cpu), toC: isMove ? 1.3 : nil)
      table.compare(name + ", bytes a key", .bytes, pressed.map(\.bytes), toC: isMove ? 1 : nil)
    }
    for process in processes { try process.quit() }
    table.note(
      "the C program draws the same cells; newsboat draws a list of its own, over the whole width")
    table.noteNewsboat()
    return table
  }

  // MARK: Feeds

  private static func feeds() async throws -> Table {
    let programs = try Programs.get()
    let store = try programs.store(feeds: 20, articles: 50)
    let argyle = try TerminalProcess(programs.argyle(store), columns: columns, rows: rows)
    let bare = try TerminalProcess(
      programs.bareList(try programs.store(articles: 1_000)), columns: columns, rows: rows)
    for process in [argyle, bare] { try process.rest() }
    // To the list of feeds, and past the lists that are no feeds.
    for key in ["\t", "j", "j", "j", "j"] {
      try argyle.type(key)
      try argyle.rest()
    }
    let pressed = try press(["j"], 15, on: [argyle, bare])
    var table = header()
    let (whole, first) = (pressed.map(\.times.median), pressed.map(\.firstTimes.median))
    table.compare("first paint, p50", .seconds, first, toC: 1.5)
    table.compare("whole, p50", .seconds, whole, toC: 3)
    table.compare("CPU a key", .seconds, pressed.map(\.cpu))
    for process in [argyle, bare] { try process.quit() }
    table.note("C is a j in its list of articles: it has no list that a key replaces")
    return table
  }

  // MARK: Sizes

  private static func resize() async throws -> Table {
    let programs = try Programs.get()
    let processes = try open(try programs.store(articles: 1_000), programs)
    var pressed = processes.map { _ in Presses() }
    for round in 0..<20 {
      let isLarge = round.isMultiple(of: 2)
      for (index, process) in processes.enumerated() {
        let start = MonotonicClock.now
        try process.resize(
          columns: isLarge ? columns + 20 : columns, rows: isLarge ? rows + 6 : rows)
        pressed[index].add(try process.readToRest(), since: start)
      }
    }
    for process in processes { try process.quit() }
    var table = header()
    table.compare("by 20×6, p50", .seconds, pressed.map(\.times.median), toC: 1.5)
    table.compare("by 20×6, bytes", .bytes, pressed.map(\.bytes), toC: 1.1)
    table.noteNewsboat()
    return table
  }

  // MARK: Pressing

  private static func header() -> Table {
    Table("", "argyle", "C", "newsboat", "to C", "to newsboat", "aim")
  }

  /// The programs that there are, each on a terminal of its own with its articles on the screen.
  private static func open(
    _ store: Programs.Store, _ programs: Programs
  ) throws -> [TerminalProcess] {
    var processes: [TerminalProcess] = []
    for program in [programs.argyle(store), programs.bareList(store)] {
      let process = try TerminalProcess(program, columns: columns, rows: rows)
      try process.open(store)
      processes.append(process)
    }
    if let newsboat = try Newsboat.program(programs, feed: programs.feed(articles: 1_000)) {
      let process = try TerminalProcess(newsboat, columns: columns, rows: rows)
      _ = try process.readUntil("A feed to measure with")
      try process.rest()
      // From its list of feeds to the articles of the only one.
      try process.type("\r")
      _ = try process.readUntil(store.first)
      try process.rest()
      processes.append(process)
    }
    return processes
  }

  /// Presses keys by turns in each program by turns.
  private static func press(
    _ keys: [String], _ count: Int, on processes: [TerminalProcess]
  ) throws -> [Presses] {
    var presses = processes.map { _ in Presses() }
    let before = processes.map { $0.facts.usage().cpu }
    for number in 0..<count {
      for (index, process) in processes.enumerated() {
        let start = try process.type(keys[number % keys.count])
        presses[index].add(try process.readToRest(), since: start)
      }
    }
    for (index, process) in processes.enumerated() {
      presses[index].cpu = (process.facts.usage().cpu - before[index]) / Double(count)
    }
    return presses
  }

  private struct Presses {
    var times: [Double] = []
    var firstTimes: [Double] = []
    /// Seconds of processor time a key.
    var cpu = 0.0
    private var byteCount = 0
    var bytes: Double { Double(byteCount) / Double(times.count) }

    mutating func add(_ output: TerminalProcess.Output, since start: UInt64) {
      times.append(Double(output.lastByteAt - start) / 1e9)
      firstTimes.append(Double(output.firstByteAt - start) / 1e9)
      byteCount += output.bytes.count
    }
  }
}

extension TerminalProcess {
  /// Waits until nothing has come for half a second.
  fileprivate func rest() throws {
    while try watch(seconds: 0.5).bytes > 0 {}
  }
}

/// newsboat, where it is installed.
@MainActor
enum Newsboat {
  static let path = "/usr/bin/newsboat"

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// It, with one feed that it has stored; nil where it is not installed.
  static func program(_ programs: Programs, feed: String) throws -> Program? {
    guard isInstalled else { return nil }
    let folder = programs.folder + "/newsboat"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "file://\(feed)\n".write(toFile: folder + "/urls", atomically: false, encoding: .utf8)
    let keys = [("j", "down"), ("k", "up"), ("g", "home"), ("G", "end"), ("q", "hard-quit")]
    let settings = keys.map { "bind-key \($0) \($1)\n" }.joined() + "confirm-exit no\n"
    try settings.write(toFile: folder + "/config", atomically: false, encoding: .utf8)
    let options = ["-u", folder + "/urls", "-c", folder + "/cache.db", "-C", folder + "/config"]
    try Programs.run(path, options + ["-x", "reload"])
    return programs.other("newsboat", path, options)
  }
}

extension Table {
  /// A row with a ratio to each peer that there is, judged by one of them.
  fileprivate mutating func compare(
    _ name: String, _ unit: Unit, _ values: [Double], toC: Double? = nil,
    toNewsboat: Double? = nil
  ) {
    let ratios = values.dropFirst().map { values[0] / $0 }
    let missing = Array(repeating: "-", count: 3 - values.count)
    let cells =
      [name] + values.map { unit.text($0) } + missing + ratios.map { Unit.ratio.text($0) }
      + missing
    if let toC {
      row(cells, judging: ratios[0], .ratio, by: Aim(limit: toC))
    } else if let toNewsboat, ratios.count == 2 {
      row(cells, judging: ratios[1], .ratio, by: Aim(limit: toNewsboat))
    } else {
      row(cells + [toNewsboat == nil ? "" : "not judged"])
    }
  }

  @MainActor
  fileprivate mutating func noteNewsboat() {
    if !Newsboat.isInstalled {
      note("newsboat is not installed here: nothing is compared with it")
    }
  }
}
