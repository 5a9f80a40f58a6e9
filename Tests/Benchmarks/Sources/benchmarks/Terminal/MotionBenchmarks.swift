/// Things that turn, beside two C programs and Textual that show the same.
@MainActor
enum MotionBenchmarks {
  static let all = [
    Benchmark(
      name: "motion/spinners", title: "5 s with spinners, ten turns a second", run: spinners),
    Benchmark(
      name: "motion/keys", title: "a key to its last byte while 100 cells turn", run: keys),
    Benchmark(name: "motion/gallery", title: "the gallery", run: gallery),
  ]

  private static let seconds = 5.0
  private static let stillText = "stands still"

  // MARK: Spinners

  private static func spinners() async throws -> Table {
    let programs = try Programs.get()
    var table = Table("", "TerminalUI", "C, cells", "C, all", "Textual", "to C, cells", "aim")
    for (columns, rows, count, limit) in [
      (80, 30, 1, 1.0), (200, 50, 1, 0.5), (80, 30, 100, 1.0), (200, 50, 100, 0.6),
    ] {
      let label = "\(count) at \(columns)×\(rows)"
      let contenders =
        [programs.spinners(count), programs.bareSpinners(count, drawsAll: false)]
        + [programs.bareSpinners(count, drawsAll: true)] + Textual.spinners(count, programs)
      let processes = try contenders.map { program in
        let process = try TerminalProcess(program, columns: UInt16(columns), rows: UInt16(rows))
        _ = try process.readUntil(stillText)
        return process
      }
      _ = try TerminalProcess.watch(processes, seconds: 1)
      let watched = try TerminalProcess.watch(processes, seconds: seconds)
      for process in processes { try process.quit() }
      func row(
        _ name: String, _ unit: Unit, _ figure: KeyPath<TerminalProcess.Watched, Double> & Sendable,
        _ limit: Double
      ) {
        let values = watched.map { $0[keyPath: figure] }
        let texts = values.map { unit.text($0) } + (values.count < 4 ? ["-"] : [])
        table.row(
          ["\(label): \(name)"] + texts + [Unit.ratio.text(values[0] / values[1])],
          judging: values[0] / values[1], .ratio, by: Aim(limit: limit))
        guard name == "CPU", values.count == 4 else { return }
        table.row(
          ["\(label): CPU, to Textual"] + Array(repeating: "", count: 5),
          judging: values[0] / values[3], .ratio, by: Aim(limit: 0.1))
      }
      row("CPU", .seconds, \.cpu, 1.5)
      let ratio = watched[0].cpu / watched[2].cpu
      table.row(
        ["\(label): CPU, to C, all"] + Array(repeating: "", count: 4) + [Unit.ratio.text(ratio)],
        judging: ratio, .ratio, by: Aim(limit: limit))
      row("bytes", .bytes, \.bytes, 1.1)
      let first = watched.map { $0.wakeUps / seconds }
      table.row(
        ["\(label): wake-ups a second"] + first.map { Unit.count.text($0) }
          + Array(repeating: "", count: 5 - first.count), judging: first[0], .count,
        by: Aim(limit: 11))
      let bytes = watched[0].bytes / (seconds * 10 * Double(count))
      table.row(
        ["\(label): bytes a turn of one", Unit.bytes.text(bytes), "", "", "", ""], judging: bytes,
        .bytes, by: Aim(limit: 40))
    }
    table.note("all show the same cells, at the same time, each on a terminal of its own")
    if let reason = Textual.reasonForAbsence { table.note("Textual is left out: \(reason)") }
    return table
  }

  // MARK: Keys

  private static func keys() async throws -> Table {
    let programs = try Programs.get()
    let contenders =
      [programs.spinners(100), programs.bareSpinners(100, drawsAll: false)]
      + Textual.spinners(100, programs)
    let processes = try contenders.map { try TerminalProcess($0) }
    for process in processes {
      _ = try process.readUntil(stillText)
      _ = try process.watch(seconds: 1)
    }
    var times: [[Double]] = processes.map { _ in [] }
    for index in 0..<200 {
      for (place, process) in processes.enumerated() {
        // Right after a turn, so that the next one is not taken for the key's answer.
        times[place].append(try process.timeAfterTurn(of: index.isMultiple(of: 2) ? "l" : "h"))
      }
    }
    for process in processes { try process.quit() }
    var table = Table("", "TerminalUI", "C, cells", "Textual", "to C", "aim")
    for (name, fraction) in [("p50", 0.5), ("p95", 0.95)] {
      let values = times.map { $0.quantile(fraction) }
      table.row(
        [name] + values.map { Unit.seconds.text($0) } + (values.count < 3 ? ["-"] : [])
          + [Unit.ratio.text(values[0] / values[1])], judging: values[0] / values[1], .ratio,
        by: Aim(limit: 1.1))
    }
    if let reason = Textual.reasonForAbsence { table.note("Textual is left out: \(reason)") }
    return table
  }

  // MARK: Gallery

  private static func gallery() async throws -> Table {
    let programs = try Programs.get()
    let contenders = [
      programs.gallery(100), programs.gallery(10_000), programs.bareSpinners(100, drawsAll: true),
    ]
    let shown = ["colours", "colours", stillText]
    let starts = try await Rounds(
      9,
      contenders.enumerated().map { index, program in
        Contender(name: program.name) {
          let start = MonotonicClock.now
          let process = try TerminalProcess(program)
          let end = try process.readUntil(shown[index])
          _ = try process.watch(seconds: 0.2)
          try process.quit()
          return Double(end - start) / 1e9
        }
      })
    var table = Table("", "100 cells", "10,000 cells", "C, 100 spinners", "10,000 to 100", "aim")
    table.row(
      ["start to first paint"] + (0..<3).map { Unit.seconds.text(starts.median($0)) }
        + [Unit.ratio.text(starts.ratio(1, to: 0))], judging: starts.ratio(1, to: 0), .ratio,
      by: Aim(limit: 1.5))
    var keys: [[Double]] = [[], []]
    let processes = try contenders.prefix(2).map { try TerminalProcess($0) }
    for process in processes { _ = try process.readUntil(shown[0]) }
    // By then everything on the screen is loaded.
    for process in processes { _ = try process.watch(seconds: 4) }
    for _ in 0..<100 {
      for (index, process) in processes.enumerated() {
        let start = try process.type("l")
        keys[index].append(Double(try process.readToRest().lastByteAt - start) / 1e9)
        _ = try process.type("h")
        _ = try process.readToRest()
      }
    }
    for process in processes { try process.quit() }
    let medians = keys.map(\.median)
    table.row(
      ["key to last byte, p50"] + medians.map { Unit.seconds.text($0) }
        + ["", Unit.ratio.text(medians[1] / medians[0])], judging: medians[1] / medians[0], .ratio,
      by: Aim(limit: 1.5))
    return table
  }
}
