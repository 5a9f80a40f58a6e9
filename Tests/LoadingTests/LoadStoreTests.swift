import LoadingTesting
import Testing

@testable import Loading

/// A store with a clock of its own, which outlives the caches like a disk outlives processes.
private final class Disk: LoadStore {
  struct State {
    var values: [Int: (value: String, date: Duration)] = [:]
    var writes: [String] = []
    var isBroken = false
  }

  let state = Lock(State())
  let now: @Sendable () -> Duration

  init(now: @escaping @Sendable () -> Duration) {
    self.now = now
  }

  private func change(_ body: (inout State) -> Void) throws {
    try state.withLock { state in
      if state.isBroken { throw Broken() }
      body(&state)
    }
  }

  func value(for key: Int) async throws -> (value: String, age: Duration)? {
    let now = now()
    return try state.withLock { state in
      if state.isBroken { throw Broken() }
      return state.values[key].map { ($0.value, now - $0.date) }
    }
  }

  func store(_ value: String, for key: Int, age: Duration) async throws {
    let date = now() - age
    try change {
      $0.values[key] = (value, date)
      $0.writes.append("\(key) = \(value)")
    }
  }

  func remove(_ key: Int) async throws {
    try change {
      $0.values[key] = nil
      $0.writes.append("\(key) removed")
    }
  }

  func removeAll() async throws {
    try change {
      $0.values = [:]
      $0.writes.append("all removed")
    }
  }

  var kept: [Int: String] { state.withLock { $0.values.mapValues(\.value) } }
  var writes: [String] { state.withLock { $0.writes } }
}

/// A store whose reads are answered by the test, and that stores nothing.
private struct SlowDisk: LoadStore {
  let reads: ManualCalls<Int, String>

  func value(for key: Int) async throws -> (value: String, age: Duration)? {
    (try await reads.call(key), .zero)
  }

  func store(_ value: String, for key: Int, age: Duration) async throws {}
  func remove(_ key: Int) async throws {}
  func removeAll() async throws {}
}

@MainActor
@Suite(.leavesNothingBehind) struct LoadStoreTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<String>()
  private let disk: Disk

  init() {
    let clock = runtime.clock
    disk = Disk { clock.now.offset }
  }

  /// Returns the cache of a new process: empty, with the disk as its store.
  private func start() -> LoadCache<Int, String> {
    LoadCache(staleAfter: .seconds(60), lifetime: .seconds(600), store: disk)
  }

  private func article(_ cache: LoadCache<Int, String>) -> Resource<String> {
    runtime.resource(loads.loader.cached(in: cache, key: 1))
  }

  /// Loads an article in an earlier process.
  private func load(_ value: String) {
    let earlier = article(start())
    earlier.load()
    runtime.run()
    loads.latest?.succeed(value)
    runtime.run()
  }

  @Test func `a value of an earlier process is shown without a load while it is fresh`() {
    load("one")
    #expect(disk.kept == [1: "one"])
    runtime.advance(by: .seconds(59))
    let article = article(start())
    article.appear()
    runtime.run()
    #expect(article.state == .loaded("one"))
    #expect(article.loadedAt == .ms(0))
    #expect(loads.count == 1)
  }

  @Test func `a stale value is shown with its age while a new one is loaded and stored`() {
    load("one")
    runtime.advance(by: .seconds(60))
    let article = article(start())
    article.appear()
    runtime.run()
    #expect(article.state == .loaded("one"))
    #expect(article.loadedAt == .ms(0))
    #expect(article.isLoading)
    loads[1].succeed("two")
    runtime.run()
    #expect(article.state == .loaded("two"))
    #expect(article.loadedAt == .ms(60_000))
    #expect(disk.kept == [1: "two"])
  }

  @Test func `a failed refresh does not change the age of the value`() {
    load("one")
    runtime.advance(by: .seconds(60))
    let cache = start()
    let first = article(cache)
    first.appear()
    runtime.run()
    loads[1].fail(Broken())
    runtime.run()
    #expect(first.state == .loaded("one"))
    #expect(first.loadedAt == .ms(0))
    let second = article(cache)
    second.appear()
    runtime.run()
    #expect(loads.count == 3)
    loads.end()
    runtime.run()
  }

  @Test func `an expired value is not shown`() {
    load("one")
    runtime.advance(by: .seconds(600))
    let article = article(start())
    article.appear()
    runtime.run()
    #expect(article.state == .loading)
    loads.end()
    runtime.run()
  }

  @Test func `a value is removed from the store before a commit that replaces it begins`() {
    load("one")
    let commits = ManualCalls<String, Void>()
    let article = article(start())
    article.appear()
    runtime.run()
    article.mutate(
      apply: { $0 = "mine" },
      commit: { [disk] in
        #expect(disk.kept == [:])
        try await commits.call($0)
      })
    runtime.run()
    #expect(disk.writes == ["1 = one", "1 removed"])
    // The process ends here: the next one loads.
    let next = self.article(start())
    next.appear()
    runtime.run()
    #expect(next.state == .loading)
    commits[0].succeed(())
    loads.end()
    runtime.run()
    loads.end()
    runtime.run()
  }

  @Test func `a key that a pool invalidates is removed from the store, also without a resource`() {
    load("one")
    let cache = start()
    let pool = ResourcePool<Int, String>(clock: runtime.clock.any, scheduler: runtime.scheduler) {
      [loads] key in loads.loader.cached(in: cache, key: key)
    }
    pool.invalidate(1)
    runtime.run()
    #expect(disk.writes == ["1 = one", "1 removed"])
  }

  @Test
  func `an older answer does not replace a newer one in the store, whichever is written first`() {
    let cache = start()
    guard case .runs(let first) = cache.begin(1, at: .ms(0)) else { return }
    cache.answer(1, first, nil)
    guard case .runs(let second) = cache.begin(1, at: .ms(1)) else { return }
    cache.store("new", for: 1, of: second, at: .ms(1), on: runtime.clock.any)
    cache.store("old", for: 1, of: first, at: .ms(0), on: runtime.clock.any)
    _ = runtime.scheduler.task { await cache.saved() }
    runtime.run()
    #expect(disk.writes == ["1 = new"])
    cache.end(1, first)
    cache.end(1, second)
  }

  @Test func `if a store fails, values are loaded, and removals are tried again`() {
    load("one")
    disk.state.withLock { $0.isBroken = true }
    let cache = start()
    let broken = article(cache)
    broken.appear()
    runtime.run()
    #expect(broken.state == .loading)
    loads[1].succeed("two")
    runtime.run()
    #expect(broken.state == .loaded("two"))
    cache.forget(1)
    _ = runtime.scheduler.task { await cache.saved() }
    runtime.run()
    disk.state.withLock { $0.isBroken = false }
    #expect(disk.kept == [1: "one"])
    _ = runtime.scheduler.task { await cache.saved() }
    runtime.run()
    #expect(disk.kept == [:])
  }

  @Test(arguments: [true, false])
  func `a value that changes while it is read from the store is not shown`(
    isWritten: Bool
  ) {
    let reads = ManualCalls<Int, String>()
    let cache = LoadCache<Int, String>(
      staleAfter: .seconds(60), lifetime: .seconds(600), store: SlowDisk(reads: reads))
    let article = article(cache)
    article.appear()
    runtime.run()
    #expect(reads.count == 1)
    cache.forget(1)
    if isWritten {
      _ = runtime.scheduler.task { await cache.saved() }
      runtime.run()
    }
    reads[0].succeed("old")
    runtime.run()
    #expect(article.state == .loading)
    #expect(cache.count == 0)
    loads.latest?.succeed("new")
    runtime.run()
    #expect(article.state == .loaded("new"))
  }

  @Test func `all values can be removed`() async {
    load("one")
    let cache = start()
    cache.removeAll()
    await cache.saved()
    #expect(disk.kept == [:])
    cache.remove(1)
    await cache.saved()
    #expect(disk.writes == ["1 = one", "all removed", "1 removed"])
  }
}
