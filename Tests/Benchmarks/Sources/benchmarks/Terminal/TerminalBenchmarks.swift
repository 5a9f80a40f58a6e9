/// Argyle on a real pseudo-terminal beside bare C programs on ncurses that show the same.
@MainActor
enum TerminalBenchmarks {
  static let all = [
    Benchmark(name: "terminal/start", title: "start to the first stored article", run: start),
    Benchmark(name: "terminal/keys", title: "a key to its last byte, in lists", run: keys),
    Benchmark(name: "terminal/memory", title: "peak resident memory, 1,000 articles", run: memory),
    Benchmark(name: "terminal/idle", title: "5 s without a key", run: idle),
    Benchmark(
      name: "terminal/burst", title: "300 keys in one write, to the last byte", run: burst),
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
        ("j", "j", 20), ("scrolling j", "j", 200), ("k", "k", 100), ("PgDn", Keys.pageDown, 30),
      ] {
        let scrolled = try press(key, presses, on: processes)
        if name == "j" {
          // Nothing scrolls yet: this is what a cursor costs.
          table.row(
            ["\(label) rows, a move of the cursor"] + scrolled.map { Unit.bytes.text($0.bytes) }
              + [Unit.ratio.text(scrolled[0].bytes / scrolled[1].bytes)],
            judging: scrolled[0].bytes, .bytes, by: Aim(limit: 120))
          continue
        }
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
    table.note(
      "the C program draws the same cells in the same styles: bars, marks, dates and keys;"
        + " a move of the cursor writes two rows of 65 columns again, because the selected one is marked"
        + " in all of its cells")
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
      table.row(
        [name] + values.map { Unit.count.text($0) }, judging: values[0], .count, by: Aim(limit: 0))
    }
    row("wake-ups", watched.map(\.wakeUps))
    row("bytes", watched.map(\.bytes))
    table.row(["CPU"] + watched.map { Unit.seconds.text($0.cpu) } + [""])
    return table
  }

  // MARK: Keys faster than frames

  private static func burst() async throws -> Table {
    let programs = try Programs.get()
    let store = try programs.store(articles: 1_000)
    let count = 300
    let rounds = try await Rounds(
      5,
      [programs.argyle(store), programs.bareList(store)].map { program in
        Contender(name: program.name) {
          let process = try TerminalProcess(program)
          try process.open(store)
          let start = try process.type(String(repeating: "j", count: count))
          let output = try process.readToRest()
          if program.name == "argyle" { try process.expectSelection(of: count) }
          try process.quit()
          return Double(output.lastByteAt - start) / 1e9
        }
      })
    var table = Table("", "argyle", "C", "to C", "aim")
    let ratio = rounds.ratio(0, to: 1)
    table.row(
      ["300 keys, none lost"] + (0..<2).map { Unit.seconds.text(rounds.median($0)) }
        + [Unit.ratio.text(ratio)], judging: ratio, .ratio, by: Aim(limit: 7))
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

extension TerminalProcess {
  /// Throws unless the last row on the screen, which is the selected one, has that number.
  fileprivate func expectSelection(of number: Int) throws {
    // Of another width it is drawn whole.
    try resize(columns: 99, rows: 30)
    let shown = SampleFeed.numbers(in: String(decoding: try readToRest().bytes, as: UTF8.self))
    guard shown.max() == number else {
      throw HarnessError.wrong("\(name) shows row \(shown.max() ?? -1) after \(number) keys")
    }
  }
}

extension Table {
  fileprivate mutating func compare(
    _ name: String, _ unit: Unit, _ values: [Double], _ aim: Aim = Aim(limit: 1.1)
  ) {
    let ratio = values[0] / values[1]
    row(
      [name] + values.map { unit.text($0) } + [Unit.ratio.text(ratio)], judging: ratio, .ratio,
      by: aim)
  }

  fileprivate mutating func compare(_ name: String, _ unit: Unit, _ rounds: Rounds, _ aim: Aim) {
    let (bare, linked) = (rounds.ratio(0, to: 1), rounds.ratio(0, to: 2))
    row(
      [name] + (0..<3).map { unit.text(rounds.median($0)) }
        + [bare, linked].map { Unit.ratio.text($0) }, judging: linked, .ratio, by: aim)
  }
}
