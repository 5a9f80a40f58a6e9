import LoadingTesting
import Testing

@testable import Loading

/// A store with a clock of its own, which outlives the caches like a disk outlives processes.
private final class Disk: LoadStore {
  struct State {
    var values: [Int: (value: String, date: Duration, tags: Set<String>)] = [:]
    var writes: [String] = []
    var isBroken = false
    var failureCount = 0
  }

  let state = Lock(State())
  let now: @Sendable () -> Duration

  init(now: @escaping @Sendable () -> Duration) {
    self.now = now
  }

  private func change(_ body: (inout State) -> Void) throws {
    try state.withLock { state in
      if state.isBroken {
        state.failureCount += 1
        throw Broken()
      }
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

  func store(_ value: String, for key: Int, age: Duration, tags: Set<String>) async throws {
    let date = now() - age
    try change {
      $0.values[key] = (value, date, tags)
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

  func removeAll(tagged tags: Set<String>) async throws {
    try change {
      $0.values = $0.values.filter { $0.value.tags.isDisjoint(with: tags) }
      $0.writes.append("\(tags.sorted().joined(separator: ", ")) removed")
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

  func store(_ value: String, for key: Int, age: Duration, tags: Set<String>) async throws {}
  func remove(_ key: Int) async throws {}
  func removeAll() async throws {}
  func removeAll(tagged tags: Set<String>) async throws {}
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

  @Test func `a value from the future, of a clock that was set back, goes stale like a new one`() {
    load("one")
    disk.state.withLock { $0.values[1]?.date = .seconds(3_600) }
    let cache = start()
    let article = article(cache)
    article.appear()
    runtime.run()
    #expect(article.state == .loaded("one"))
    #expect(cache.value(for: 1, at: .ms(59_000))?.isFresh == true)
    #expect(cache.value(for: 1, at: .ms(60_000))?.isFresh == false)
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

  @Test func `while a store fails, each value costs two attempts, and all are removed later`() {
    for key in 0..<30 { load("old", by: tagged("articles", key: key, start())) }
    disk.state.withLock { $0.isBroken = true }
    let cache = start()
    for key in 0..<30 { load("new", by: tagged("articles", key: key, cache)) }
    #expect(disk.state.withLock(\.failureCount) == 60)
    disk.state.withLock { $0.isBroken = false }
    load("new", by: tagged("articles", key: 0, cache))
    #expect(disk.kept == [0: "new"])
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

  private func tagged(_ tag: String, key: Int, _ cache: LoadCache<Int, String>)
    -> Resource<String>
  {
    runtime.resource(loads.loader.cached(in: cache, key: key).tagged(tag))
  }

  private func load(_ value: String, by resource: Resource<String>) {
    resource.load()
    runtime.run()
    loads.latest?.succeed(value)
    runtime.run()
  }

  @Test
  func
    `values of an invalidated tag are removed from the store, also if only an earlier process has loaded them`()
  {
    let earlier = start()
    load("one", by: tagged("articles", key: 1, earlier))
    load("two", by: tagged("articles", key: 2, earlier))
    load("feed", by: tagged("feeds", key: 3, earlier))
    let cache = start()
    load("two again", by: tagged("articles", key: 2, cache))
    runtime.scheduler.invalidate("articles")
    runtime.run()
    #expect(disk.kept == [3: "feed"])
    // What is loaded after it is stored and read again.
    load("three", by: tagged("articles", key: 2, cache))
    #expect(disk.kept == [2: "three", 3: "feed"])
    // Of another process, which knows nothing of the invalidation.
    let article = Resource(
      loads.loader.cached(in: start(), key: 2).tagged("articles"), clock: runtime.clock.any,
      scheduler: runtime.executor.scheduler)
    article.appear()
    runtime.run()
    #expect(article.state == .loaded("three"))
  }

  @Test
  func `while a commit of a tag runs, its values are not in the store, however the commit ends`() {
    let cache = start()
    let list = tagged("articles", key: 1, cache)
    load("before", by: list)
    let commits = ManualCalls<Int, Void>()
    let editor = Resource(
      initialState: .loaded(1), clock: runtime.clock.any, scheduler: runtime.scheduler)
    editor.mutate(
      Mutation(apply: { $0 += 1 }, commit: { try await commits.call($0) }).invalidating("articles"))
    runtime.run()
    #expect(commits.count == 1)
    #expect(disk.kept.isEmpty)
    load("meanwhile", by: list)
    #expect(list.state == .loaded("meanwhile"))
    #expect(disk.kept.isEmpty)
    commits[0].fail(Broken())
    runtime.run()
    load("after", by: list)
    #expect(disk.kept == [1: "after"])
  }

  @Test
  func `what was stored before a tag was invalidated is not read, also if its cache is used later`()
  {
    // With a scheduler of its own, as in another process.
    load(
      "one",
      by: Resource(
        loads.loader.cached(in: start(), key: 1).tagged("articles"), clock: runtime.clock.any,
        scheduler: runtime.executor.scheduler))
    runtime.scheduler.invalidate("articles")
    #expect(disk.kept == [1: "one"])
    let article = tagged("articles", key: 1, start())
    article.appear()
    runtime.run()
    #expect(article.state == .loading)
    loads.latest?.succeed("two")
    runtime.run()
    #expect(disk.kept == [1: "two"])
  }

  @Test func `a value of a tag whose removal has failed leaves no older value of its key`() {
    load("old", by: article(start()))
    let cache = start()
    disk.state.withLock { $0.isBroken = true }
    runtime.scheduler.invalidate("articles")
    load("new", by: tagged("articles", key: 1, cache))
    disk.state.withLock { $0.isBroken = false }
    load("two", by: tagged("articles", key: 2, cache))
    #expect(disk.kept == [2: "two"])
  }

  @Test func `if values of a tag cannot be removed, the store is not read, and it is tried again`()
  {
    load("one", by: tagged("articles", key: 1, start()))
    let cache = start()
    disk.state.withLock { $0.isBroken = true }
    load("two", by: tagged("articles", key: 2, cache))
    runtime.scheduler.invalidate("articles")
    runtime.run()
    disk.state.withLock { $0.isBroken = false }
    let article = tagged("articles", key: 1, cache)
    article.appear()
    runtime.run()
    #expect(article.state == .loading)
    loads.latest?.succeed("new")
    runtime.run()
    #expect(disk.kept == [1: "new"])
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

  @Test func `a stored value that is too large for the memory is used all the same`() async throws {
    let disk = disk
    try await disk.store("large", for: 1, age: .zero, tags: [])
    let cache = LoadCache<Int, String>(
      staleAfter: .seconds(10), lifetime: .seconds(60), capacity: 3, store: disk,
      cost: { $0.count })
    func appear() -> Resource<String> {
      let resource = runtime.resource(loads.loader.cached(in: cache, key: 1))
      resource.appear()
      return resource
    }
    let fresh = [appear(), appear()]
    runtime.run()
    #expect(fresh.map(\.state) == [.loaded("large"), .loaded("large")])
    #expect(loads.count == 0)
    #expect(cache.count == 0)
    runtime.advance(by: .seconds(10))
    let stale = appear()
    runtime.run()
    #expect(stale.state == .loaded("large"))
    #expect(stale.isLoading)
    loads.end()
    runtime.advance(by: .seconds(60))
    let expired = appear()
    runtime.run()
    #expect(expired.state == .loading)
    loads.end()
    runtime.run()
  }
}
