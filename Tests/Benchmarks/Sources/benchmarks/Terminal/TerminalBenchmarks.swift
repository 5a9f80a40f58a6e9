/// Argyle on a real pseudo-terminal beside bare C programs on ncurses that show the same.
@MainActor
enum TerminalBenchmarks {
  static let all = [
    Benchmark(name: "terminal/start", title: "start to the first stored article", run: start),
    Benchmark(name: "terminal/keys", title: "a key to its last byte, in lists", run: keys),
    Benchmark(name: "terminal/memory", title: "peak resident memory, 1,000 articles", run: memory),
    Benchmark(name: "terminal/idle", title: "5 s without a key", run: idle),
    Benchmark(name: "terminal/spinner", title: "5 s with one spinner", run: spinner),
  ]

  // MARK: Start and memory

  private static func start() async throws -> Table {
    let programs = try Programs.get()
    let store = try programs.store(articles: 1_000)
    let rounds = try await Rounds(
      15,
      programs.readers(of: store).map { program in
        Contender(name: program.name) {
          let start = MonotonicClock.now
          let process = try TerminalProcess(program)
          let end = try process.readUntil(store.first)
          _ = try process.readToRest(hasAnswered: true)
          try process.quit()
          return Double(end - start) / 1e9
        }
      })
    var table = Table("", "argyle", "C", "C, linked", "to C", "to C, linked", "aim")
    table.compare("first paint", .seconds, rounds, Aim(limit: 2.2))
    return table
  }

  private static func memory() async throws -> Table {
    let programs = try Programs.get()
    let store = try programs.store(articles: 1_000)
    let rounds = try await Rounds(
      2,
      programs.readers(of: store).map { program in
        Contender(name: program.name) {
          let process = try TerminalProcess(program)
          try process.open(store)
          for key in Array(repeating: Keys.pageDown, count: 10) + ["G", "g"] {
            try process.type(key)
            _ = try process.readToRest()
          }
          let peak = process.facts.peakMemory()
          try process.quit()
          return Double(peak)
        }
      })
    var table = Table("", "argyle", "C", "C, linked", "to C", "to C, linked", "aim")
    table.compare("opened, paged, to the end and back", .bytes, rounds, Aim(limit: 2.5))
    return table
  }

  // MARK: Keys

  private static func keys() async throws -> Table {
    let programs = try Programs.get()
    var table = Table("", "argyle", "C", "to C", "aim")
    for count in [1_000, 10_000] {
      let store = try programs.store(articles: count)
      let processes = try [programs.argyle(store), programs.bareList(store)].map {
        try TerminalProcess($0)
      }
      for process in processes { try process.open(store) }
      let label = count.formatted()
      for (name, key, presses) in [
        ("j", "j", 200), ("k", "k", 100), ("PgDn", Keys.pageDown, 30),
      ] {
        let scrolled = try press(key, presses, on: processes)
        table.compare("\(label) rows, \(name), p50", .seconds, scrolled.map(\.times.median))
        table.compare(
          "\(label) rows, \(name), p95", .seconds, scrolled.map { $0.times.quantile(0.95) })
        table.compare("\(label) rows, \(name), bytes", .bytes, scrolled.map(\.bytes))
      }
      for process in processes {
        try process.type("G")
        _ = try process.readToRest()
        // At the end there is nowhere to go: so the keys before have really moved.
        try process.type("j")
        guard try process.watch(seconds: 0.3).bytes == 0 else {
          throw HarnessError.wrong("\(process.name) moves beyond the last row")
        }
        try process.quit()
      }
    }
    return table
  }

  /// Presses a key so often in each program by turns.
  private static func press(
    _ key: String, _ count: Int, on processes: [TerminalProcess]
  ) throws -> [Presses] {
    var presses = processes.map { _ in Presses() }
    for _ in 0..<count {
      for (index, process) in processes.enumerated() {
        let start = try process.type(key)
        let output = try process.readToRest()
        presses[index].times.append(Double(output.lastByteAt - start) / 1e9)
        presses[index].byteCount += output.bytes.count
      }
    }
    return presses
  }

  private struct Presses {
    var times: [Double] = []
    var byteCount = 0
    var bytes: Double { Double(byteCount) / Double(times.count) }
  }

  // MARK: Standing still

  private static func idle() async throws -> Table {
    let programs = try Programs.get()
    let store = try programs.store(articles: 1_000)
    var table = Table("", "argyle", "C", "aim")
    var watched: [TerminalProcess.Watched] = []
    for program in [programs.argyle(store), programs.bareList(store)] {
      let process = try TerminalProcess(program)
      try process.open(store)
      // By then a thread pool has let go of the threads that it had for the start.
      _ = try process.watch(seconds: 6)
      watched.append(try process.watch(seconds: 5))
      try process.quit()
    }
    func row(_ name: String, _ values: [Double]) {
      table.row([name] + values.map(Unit.count.text) + ["0 \(values[0] == 0 ? "met" : "missed")"])
    }
    row("wake-ups", watched.map(\.wakeUps))
    row("bytes", watched.map(\.bytes))
    table.row(["CPU"] + watched.map { Unit.seconds.text($0.cpu) } + [""])
    return table
  }

  private static func spinner() async throws -> Table {
    let programs = try Programs.get()
    let contenders = [programs.spinner, programs.bareSpinner]
    var watched: [[TerminalProcess.Watched]] = contenders.map { _ in [] }
    for _ in 0..<2 {
      for (index, program) in contenders.enumerated() {
        let process = try TerminalProcess(program)
        _ = try process.readUntil("spinner above it turns")
        _ = try process.watch(seconds: 0.5)
        watched[index].append(try process.watch(seconds: 5))
        try process.quit()
      }
    }
    var table = Table("", "TerminalUI", "C", "to C", "aim")
    table.compare("CPU", .seconds, watched.map { $0.map(\.cpu).median }, Aim(limit: 1.3))
    table.compare("wake-ups", .count, watched.map { $0.map(\.wakeUps).median }, nil)
    table.compare("bytes", .bytes, watched.map { $0.map(\.bytes).median }, nil)
    return table
  }
}

enum Keys {
  static let pageDown = "\u{1B}[6~"
}

extension TerminalProcess {
  /// Waits until the stored articles are there and everything that comes with them.
  func open(_ store: Programs.Store) throws {
    _ = try readUntil(store.first)
    // What comes late, such as an indicator that may go, has come by then.
    while try watch(seconds: 1).bytes > 0 {}
  }
}

extension Table {
  fileprivate mutating func compare(
    _ name: String, _ unit: Unit, _ values: [Double], _ aim: Aim? = Aim(limit: 1.1)
  ) {
    let ratio = values[0] / values[1]
    row(
      [name] + values.map(unit.text) + [ratio.formatted(decimals: 2), aim?.text(ratio) ?? ""])
  }

  fileprivate mutating func compare(_ name: String, _ unit: Unit, _ rounds: Rounds, _ aim: Aim) {
    let (bare, linked) = (rounds.ratio(0, to: 1), rounds.ratio(0, to: 2))
    row(
      [name] + (0..<3).map { unit.text(rounds.median($0)) }
        + [bare, linked].map { $0.formatted(decimals: 2) } + [aim.text(linked)])
  }
}
