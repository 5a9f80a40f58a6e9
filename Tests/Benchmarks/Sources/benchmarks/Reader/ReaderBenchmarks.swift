/// Argyle beside newsboat, and beside what does a part of the work: the same feeds from the same
/// server of this machine.
@MainActor
enum ReaderBenchmarks {
  static let all = [
    Benchmark(
      name: "reader/start", title: "start to the first stored article or feed",
      run: ReaderOpening.start),
    Benchmark(
      name: "reader/list", title: "a list of 10,000 articles, from the key to its first row",
      run: ReaderOpening.list),
    Benchmark(
      name: "reader/lengths", title: "a list of 50,000 articles beside one of 100",
      run: ReaderOpening.lengths),
    Benchmark(
      name: "reader/article", title: "an article of 1 MB, from the key to its first lines",
      run: LongArticleBenchmarks.opening),
    Benchmark(
      name: "reader/paging", title: "a page further in an article of 1 MB, to the last byte",
      run: LongArticleBenchmarks.paging),
    Benchmark(
      name: "reader/keys", title: "j and k during a reload of 500 feeds, to the moved row",
      run: ReloadKeyBenchmarks.keys),
    Benchmark(
      name: "reader/reload", title: "20 feeds of 50 articles, all from one host",
      run: ReloadBenchmarks.reload),
    Benchmark(
      name: "reader/reload-phases", title: "where the time of a cold reload of 20 feeds goes",
      run: PhaseBenchmarks.reload),
    Benchmark(
      name: "reader/start-phases", title: "where the time of a start goes",
      run: PhaseBenchmarks.start),
    Benchmark(
      name: "reader/waiting", title: "processor time while 20 servers take 2 s to answer",
      run: ReloadBenchmarks.waiting),
    Benchmark(name: "reader/memory", title: "peak resident memory", run: ReaderOpening.memory),
  ]
}

/// What several programs took for the same thing, one of them us.
struct Comparison {
  private let rounds: Rounds

  init(_ rounds: Rounds) { self.rounds = rounds }

  private func index(_ name: String) -> Int? { rounds.names.firstIndex(of: name) }

  /// The medians in the order of `names`, for those that are there.
  func cells(_ names: [String], _ unit: Unit) -> [String] {
    names.map { name in index(name).map { unit.text(rounds.median($0)) } ?? "-" }
  }

  /// How many times as much as another we need; NaN where that is not there.
  func ratio(to name: String) -> Double {
    index(name).map { rounds.ratio(0, to: $0) } ?? .nan
  }

  func median(_ name: String) -> Double { index(name).map { rounds.median($0) } ?? .nan }
}

extension Table {
  /// A row whose first program is us, held against an aim where the peer of that aim is there.
  mutating func row(
    _ name: String, _ unit: Unit, _ comparison: Comparison, of programs: [String],
    to peer: String, _ aim: Aim
  ) {
    let ratio = comparison.ratio(to: peer)
    let cells = [name] + comparison.cells(programs, unit) + [Unit.ratio.text(ratio)]
    if ratio.isFinite {
      row(cells, judging: ratio, .ratio, by: aim)
    } else {
      row(cells + ["not compared"])
    }
  }

  /// Says which peers these were, or that they are missing.
  mutating func note(peers: [Peer]) {
    note(peers.filter(\.isThere).map(\.version).joined(separator: "; "))
    for peer in peers where !peer.isThere { note(peer.absence) }
  }
}
