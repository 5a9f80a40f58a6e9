import LoadingTesting
import Testing

@testable import Loading

/// Resources of two keys that share a cache.
///
/// The server's value of a key is the number of commits that it has carried out for that key, so
/// that a test can tell whether an answer is from before a commit.
@MainActor
@Suite(.leavesNothingBehind) struct LoadCachePropertyTests {
  /// The server's value when the load of it began, and the time.
  private struct Answer: Sendable, Equatable {
    let version: Int
    let began: Int
  }

  private static let staleAfter = 10
  private static let resourceCount = 6

  @Test(arguments: Shard.all)
  func `values are never older than a commit or than they say, and one load runs at a time`(
    shard: Shard
  ) async throws {
    for seed in shard.seeds(of: 1_000) {
      await Task.yield()
      try run(seed: seed)
    }
  }

  @Test(arguments: Shard.all)
  func `a cached value is of the newest load, and of none from before an invalidation`(
    shard: Shard
  ) async {
    let start = AnyClock.Instant(offset: .zero)
    for seed in shard.seeds(of: 1_000) {
      await Task.yield()
      var random = Seeded(seed)
      let cache = LoadCache<Int, UInt64>(staleAfter: .seconds(10), lifetime: .seconds(30))
      var (open, obsolete): ([CachedRun<UInt64>], [CachedRun<UInt64>]) = ([], [])
      var newest: UInt64?
      for step in 0..<60 {
        switch random.below(8) {
        case 0, 1, 2:
          if case .runs(let run) = cache.begin(1, at: start) { open.append(run) }
        case 3:
          // As for a subscription that has delivered: it continues, and others begin loads of their
          // own.
          if let run = open.randomElement(using: &random) { cache.answer(1, run, nil) }
        case 4, 5:
          guard let run = open.randomElement(using: &random) else { break }
          #expect(cache.store(run.ticket, for: 1, of: run, at: start))
          newest = max(newest ?? 0, run.ticket)
        case 6:
          guard let run = obsolete.randomElement(using: &random) else { break }
          #expect(!cache.store(run.ticket, for: 1, of: run, at: start))
        default:
          guard random.chance(30) else { break }
          cache.remove(1)
          obsolete += open
          (open, newest) = ([], nil)
        }
        var kept: UInt64?
        if let hit = cache.value(for: 1, at: start), hit.isFresh { kept = hit.value }
        #expect(kept == newest, "seed \(seed), step \(step)")
      }
    }
  }

  private func run(seed: UInt64) throws {
    var random = Seeded(seed)
    let runtime = ManualRuntime()
    let cache = LoadCache<Int, Answer>(
      staleAfter: .seconds(Self.staleAfter), lifetime: .seconds(30), capacity: 2)
    let servers = [ManualLoads<Answer>(), ManualLoads<Answer>()]
    let commits = ManualCalls<Int, Void>()
    var answeredCommits: Set<Int> = []
    /// How many commits of each key have ended.
    var versions = [0, 0]
    var now = 0
    /// The version and the time at which each load of a key began.
    var begun: [[Answer]] = [[], []]

    var answered: [Set<Int>] = [[], []]

    /// The loads of a key that wait for an answer and were not cancelled.
    func open(_ key: Int) -> [Int] {
      begun[key].indices.filter { !answered[key].contains($0) && !servers[key][$0].isCancelled }
    }

    func resource(_ index: Int) -> Resource<Answer> {
      runtime.resource(servers[index % 2].loader.cached(in: cache, key: index % 2))
    }
    var resources = (0..<Self.resourceCount).map(resource)

    func settle() {
      runtime.run()
      for key in 0..<2 {
        while begun[key].count < servers[key].count {
          begun[key].append(Answer(version: versions[key], began: now))
        }
      }
    }

    for step in 0..<60 {
      let index = random.below(Self.resourceCount)
      let key = index % 2
      let place = "seed \(seed), step \(step)"
      switch random.below(10) {
      case 0, 1:
        resources[index] = resource(index)
        resources[index].appear()
        runtime.run()
        // No load was answered in between, so the value comes from the cache.
        if case .loaded(let value) = resources[index].state {
          #expect(value.version >= versions[key], "\(place): a value that a commit replaced")
          if !resources[index].isLoading {
            #expect(now - value.began < Self.staleAfter, "\(place): older than it says")
          }
        }
      case 2: resources[index].load()
      case 3: resources[index].cancel()
      case 4, 5, 6:
        settle()
        guard let load = open(key).randomElement(using: &random) else { break }
        answered[key].insert(load)
        if random.chance(80) {
          servers[key][load].succeed(begun[key][load])
        } else {
          servers[key][load].fail(Broken())
        }
      case 7:
        resources[index].mutate(item: key, apply: { _ in }) { _ in
          try await commits.call(key)
        }
      case 8:
        settle()
        let open = (0..<commits.count).filter { !answeredCommits.contains($0) }
        guard let commit = open.randomElement(using: &random) else { break }
        answeredCommits.insert(commit)
        versions[commits.inputs[commit]] += 1
        commits[commit].succeed()
      default:
        now += 3
        runtime.advance(by: .seconds(3))
      }
      settle()
      for key in 0..<2 {
        try #require(open(key).count <= 1, "\(place): two loads of \(key) at once")
      }
    }
    for _ in 0..<8 {
      commits.end()
      servers.forEach { $0.end() }
      runtime.run()
    }
  }
}
