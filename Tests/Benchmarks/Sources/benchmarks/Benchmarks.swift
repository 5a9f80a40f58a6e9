import Foundation

/// Measures, beside peers that do the same work in the same run, and prints ratios.
///
/// `benchmarks` runs everything; an argument selects: `benchmarks loading`,
/// `benchmarks terminal/idle`.
@main
struct Benchmarks {
  @MainActor
  static func main() {
    Task {
      await run()
      exit(0)
    }
    // Otherwise the main actor would run on any thread of the pool. In a program with a screen it
    // has the main thread.
    RunLoop.main.run()
  }

  @MainActor
  private static func run() async {
    let all =
      LoadingBenchmarks.all + FrameBenchmarks.all + WorkBenchmarks.all + TerminalBenchmarks.all
      + MotionBenchmarks.all
      + SocksBenchmarks.all + DrawerKeyBenchmarks.all + PictureBenchmarks.all + ParserBenchmarks.all
      + ReaderBenchmarks.all
    let arguments = CommandLine.arguments.dropFirst()
    let chosen = all.filter { benchmark in
      arguments.isEmpty || arguments.contains { benchmark.name.hasPrefix($0) }
    }
    guard !chosen.isEmpty else {
      let names = all.map(\.name).joined(separator: "\n  ")
      fail("usage: benchmarks [NAME ...], a name or its beginning, of\n  \(names)")
    }
    defer { Programs.cleanUp() }
    var verdicts: [(benchmark: String, verdict: Verdict)] = []
    for benchmark in chosen {
      do {
        let table = try await benchmark.run()
        table.print(benchmark.name, benchmark.title)
        verdicts += table.verdicts.map { (benchmark.name, $0) }
      } catch {
        // The end of the process, which nothing that was deferred outlives.
        Programs.cleanUp()
        fail("\(benchmark.name): \(error)")
      }
    }
    if !verdicts.isEmpty { Verdict.summary(of: verdicts).print("summary", "aims") }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
  }
}

/// One comparison: what is measured, and how to.
struct Benchmark {
  /// Group and name, as they are selected: `loading/changes`.
  let name: String
  /// What one reads before the numbers.
  let title: String
  let run: @MainActor () async throws -> Table
}
