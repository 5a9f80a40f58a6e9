import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct LoadCacheTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  @Test
  func `a fresh value needs no load, a stale one is shown meanwhile, an expired one is removed`() {
    let cache = LoadCache<String, Int>(staleAfter: .seconds(10), lifetime: .seconds(60))
    let loader = loads.loader.cached(in: cache, key: "a")
    func appear() -> Resource<Int> {
      let resource = runtime.resource(loader)
      resource.appear()
      runtime.run()
      return resource
    }
    let first = appear()
    loads[0].succeed(1)
    runtime.run()
    runtime.advance(by: .seconds(9))
    #expect(appear().state == .loaded(1))
    #expect(loads.count == 1)
    runtime.advance(by: .seconds(1))
    let stale = appear()
    #expect(stale.state == .loaded(1))
    #expect(stale.isLoading)
    loads[1].succeed(2)
    runtime.run()
    #expect(stale.state == .loaded(2))
    runtime.advance(by: .seconds(60))
    #expect(appear().state == .loading)
    #expect(first.state == .loaded(1))
    loads.end()
    runtime.run()
  }

  @Test func `a load by the user brings a new value`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(10), lifetime: .seconds(60))
    let resource = runtime.resource(loads.loader.cached(in: cache, key: 1))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    resource.load()
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
  }

  @Test func `a value that is older than the last mutation is not taken from the cache`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(10), lifetime: .seconds(60))
    let resource = runtime.resource(loads.loader.cached(in: cache, key: 1))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.advance(by: .seconds(1))
    resource.mutate(apply: { $0 += 100 }, commit: { _ in })
    runtime.run()
    resource.load(.join, cause: .inputChanged)
    runtime.run()
    #expect(loads.count == 2)
    #expect(resource.state == .loaded(101))
    loads.end()
    runtime.run()
  }

  @Test func `a cache is bounded and evicts the least recently used value`() {
    let cache = LoadCache<Int, Int>(
      staleAfter: .seconds(10), lifetime: .seconds(60), capacity: 2)
    func load(_ key: Int) {
      let resource = runtime.resource(loads.loader.cached(in: cache, key: key))
      resource.appear()
      runtime.run()
      loads.latest?.succeed(key)
      runtime.run()
    }
    for key in [1, 2, 1, 3, 1] { load(key) }
    #expect(cache.count == 2)
    #expect(loads.count == 3)
    load(2)
    #expect(loads.count == 4)
  }

  @Test func `a cache is bounded by the cost of its values`() {
    let cache = LoadCache<Int, Int>(
      staleAfter: .seconds(10), lifetime: .seconds(60), capacity: 10, cost: { $0 })
    func load(_ key: Int, cost: Int) {
      let resource = runtime.resource(loads.loader.cached(in: cache, key: key))
      resource.load(.restart)
      runtime.run()
      loads.latest?.succeed(cost)
      runtime.run()
    }
    for key in 1...3 { load(key, cost: 3) }
    #expect(cache.count == 3)
    load(4, cost: 7)
    #expect(cache.count == 2, "the newest of the small ones and the large one")
    load(4, cost: 11)
    #expect(cache.count == 1, "a value that is too large is not kept, nor the one that it replaces")
    load(3, cost: 10)
    #expect(cache.count == 1)
  }

  @Test func `a partial value is not cached`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(10), lifetime: .seconds(60))
    let resource = runtime.resource(loads.loader.cached(in: cache, key: 1))
    resource.appear()
    runtime.run()
    loads[0].output.yield(1)
    loads[0].fail(Broken())
    runtime.run()
    #expect(cache.count == 0)
  }

  // MARK: Age

  @Test func `a value is as old as the start of its load`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(10), lifetime: .seconds(60))
    let loader = loads.loader.cached(in: cache, key: 1)
    let slow = runtime.resource(loader)
    slow.load()
    runtime.advance(by: .seconds(8))
    loads[0].succeed(1)
    runtime.advance(by: .seconds(2))
    let other = runtime.resource(loader)
    other.appear()
    runtime.run()
    #expect(other.state == .loaded(1))
    #expect(other.isLoading, "ten seconds old, and so stale")
    #expect(loads.count == 2)
    loads.end()
    runtime.run()
  }

  @Test func `the first value of a subscription is as old as its start`() async {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(10), lifetime: .seconds(60))
    let (values, end) = AsyncStream.makeStream(of: Int.self)
    let live = runtime.resource(Loader(sequence: { values }).cached(in: cache, key: 1))
    live.load()
    runtime.advance(by: .seconds(8))
    end.yield(1)
    runtime.advance(by: .seconds(2))
    let other = runtime.resource(loads.loader.cached(in: cache, key: 1))
    other.appear()
    runtime.run()
    #expect(other.state == .loaded(1))
    #expect(other.isLoading, "ten seconds old, and so stale")
    end.finish()
    loads.end()
    runtime.run()
  }

  @Test func `a value of a subscription is as old as its delivery`() async {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(10), lifetime: .seconds(60))
    let (values, end) = AsyncStream.makeStream(of: Int.self)
    let live = runtime.resource(Loader(sequence: { values }).cached(in: cache, key: 1))
    live.load()
    runtime.run()
    end.yield(1)
    runtime.advance(by: .seconds(30))
    end.yield(2)
    runtime.advance(by: .seconds(9))
    let other = runtime.resource(loads.loader.cached(in: cache, key: 1))
    other.appear()
    runtime.run()
    #expect(other.state == .loaded(2))
    #expect(!other.isLoading)
    end.finish()
    runtime.run()
  }

  // MARK: Commits

  func cache() -> LoadCache<Int, Int> {
    LoadCache(staleAfter: .seconds(10), lifetime: .seconds(60))
  }

  @Test func `a value that a commit has replaced is not fresh for another resource, old or new`() {
    let cache = cache()
    let loader = loads.loader.cached(in: cache, key: 1)
    let first = runtime.resource(loader)
    first.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.advance(by: .seconds(1))
    first.mutate(apply: { $0 = 2 }, commit: { _ in })
    runtime.run()
    let other = runtime.resource(loader)
    other.appear()
    runtime.run()
    #expect(other.state == .loading)
    #expect(loads.count == 2)
    loads[1].succeed(2)
    runtime.run()
    #expect(other.state == .loaded(2))
  }

  @Test func `a value that a commit has replaced is not fresh for the next resource of a pool`() {
    let cache = cache()
    let pool = ResourcePool<Int, Int>(clock: runtime.clock.any, scheduler: runtime.scheduler) {
      self.loads.loader.cached(in: cache, key: $0)
    }
    pool[1].appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    pool[1].mutate(apply: { $0 = 2 }, commit: { _ in })
    runtime.run()
    pool.remove(1)
    pool[1].appear()
    runtime.run()
    #expect(pool[1].state == .loading)
    loads[1].succeed(2)
    runtime.run()
    #expect(pool[1].state == .loaded(2))
    pool.removeAll()
    runtime.run()
  }

  @Test func `a commit invalidates the cached parts of composed loaders`() {
    let cache = cache()
    let cached = loads.loader.cached(in: cache, key: 1)
    let composed = Loader.zip(
      cached.map { $0 + 1 }.timeout(.seconds(5)).retrying(limit: 2)
        .debounced(for: .seconds(1)).limited(by: LoadLimit(1)), Loader.constant(0)
    ).map { $0.0 }
    let first = runtime.resource(composed)
    first.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    #expect(cache.count == 1)
    first.mutate(apply: { $0 = 2 }, commit: { _ in })
    runtime.run()
    #expect(cache.count == 0)
  }

  @Test func `a failed commit invalidates, too, since it may have been carried out`() {
    let cache = cache()
    let commits = ManualCalls<Int, Void>()
    let loader = loads.loader.cached(in: cache, key: 1)
    let (first, other) = (runtime.resource(loader), runtime.resource(loader))
    first.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    first.mutate(apply: { $0 = 2 }, commit: { try await commits.call($0) })
    runtime.run()
    other.appear()
    runtime.run()
    loads[1].succeed(1)
    runtime.run()
    #expect(cache.count == 1)
    commits[0].fail(Broken())
    runtime.run()
    #expect(cache.count == 0)
  }

  @Test func `a load that overlaps a commit of another resource runs again before it answers`() {
    let cache = cache()
    let loader = loads.loader.cached(in: cache, key: 1)
    let (first, other) = (runtime.resource(loader), runtime.resource(loader))
    first.set(.loaded(1))
    other.appear()
    runtime.run()
    first.mutate(apply: { $0 = 2 }, commit: { _ in })
    runtime.run()
    // The load began again when the commit began, and once more when that had ended.
    #expect(loads.count == 3)
    #expect(loads[0].isCancelled && loads[1].isCancelled)
    loads[0].succeed(1)
    runtime.run()
    #expect(other.state == .loading)
    loads[1].succeed(1)
    loads[2].succeed(2)
    runtime.run()
    #expect(other.state == .loaded(2))
    #expect(cache.count == 1)
  }

  @Test func `an older answer does not replace a newer one`() {
    let cache = cache()
    let loader = loads.loader.cached(in: cache, key: 1)
    let (first, other) = (runtime.resource(loader), runtime.resource(loader))
    first.load()
    runtime.run()
    // The first load is cancelled, but its function ignores that.
    first.load(.restart)
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(2)
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    other.appear()
    runtime.run()
    #expect(other.state == .loaded(2))
  }

  // MARK: One load of a key

  @Test func `loads of one key share one run and its answer`() {
    let cache = cache()
    let loader = loads.loader.cached(in: cache, key: 1)
    let resources = (0..<3).map { _ in runtime.resource(loader) }
    for resource in resources { resource.appear() }
    runtime.run()
    #expect(loads.count == 1)
    #expect(resources.map { $0.activity?.phase } == [.running, .waiting, .waiting])
    loads[0].succeed(1)
    runtime.run()
    #expect(resources.allSatisfy { $0.state == .loaded(1) })
    #expect(loads.count == 1)
  }

  @Test func `loads of one key share its failure, and each can be retried`() {
    let cache = cache()
    let loader = loads.loader.cached(in: cache, key: 1)
    let resources = (0..<3).map { _ in runtime.resource(loader) }
    for resource in resources { resource.appear() }
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    #expect(resources.allSatisfy { $0.state == .failed(Broken()) })
    for resource in resources { resource.retry() }
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(1)
    runtime.run()
    #expect(resources.allSatisfy { $0.state == .loaded(1) })
  }

  @Test func `the value of a shared load is shown before a permit is free`() {
    let cache = cache()
    let limit = LoadLimit(1)
    let first = runtime.resource(loads.loader.cached(in: cache, key: 1))
    first.appear()
    runtime.run()
    let second = runtime.resource(loads.loader.cached(in: cache, key: 1).limited(by: limit))
    second.appear()
    runtime.run()
    let others = ManualLoads<Int>()
    let other = runtime.resource(others.loader.limited(by: limit))
    other.load()
    runtime.run()
    #expect(others.count == 1)
    loads[0].succeed(1)
    runtime.run()
    #expect(second.state == .loaded(1))
    #expect(second.activity?.phase == .waiting)
    others[0].succeed(7)
    runtime.run()
    #expect(second.state == .loaded(1))
    #expect(second.activity == nil)
    #expect(loads.count == 1)
  }

  @Test func `when a shared load is cancelled, the next waiting one runs`() {
    let cache = cache()
    let limit = LoadLimit(2)
    let loader = loads.loader.cached(in: cache, key: 1).limited(by: limit)
    let resources = (0..<3).map { _ in runtime.resource(loader) }
    for resource in resources { resource.appear() }
    runtime.run()
    #expect(loads.count == 1)
    #expect(limit.waitingCount == 0, "a load that waits for another one holds no permit")
    resources[0].cancel()
    runtime.run()
    #expect(loads.count == 2)
    resources[1].cancel()
    resources[2].cancel()
    runtime.run()
    #expect(!resources.contains { $0.isLoading })
    loads.end()
    runtime.run()
    resources[0].load()
    runtime.run()
    #expect(loads.count == 3)
    loads.end()
    runtime.run()
  }

  // MARK: What follows a cached part

  /// Shares a load of `first` with another resource, and then runs a load of its own.
  private func sharing(_ second: ManualLoads<Int>, _ cache: LoadCache<Int, Int>) -> Loader<Int> {
    loads.loader.cached(in: cache, key: 1).flatMap { _ in second.loader }
  }

  @Test func `what follows a shared load has its phase and its timeout`() {
    let cache = cache()
    let second = ManualLoads<Int>()
    let first = runtime.resource(loads.loader.cached(in: cache, key: 1))
    let resource = runtime.resource(sharing(second, cache).timeout(.seconds(5)))
    first.appear()
    resource.appear()
    runtime.advance(by: .seconds(60))
    #expect(resource.activity?.phase == .waiting)
    loads[0].succeed(1)
    runtime.run()
    #expect(second.count == 1)
    #expect(resource.activity?.phase == .running)
    runtime.advance(by: .seconds(5))
    #expect(resource.state == .failed(LoadingError.timeout(limit: .seconds(5))))
    second.end()
    runtime.run()
  }

  @Test func `what follows a shared load needs a permit again`() {
    let cache = cache()
    let limit = LoadLimit(2)
    let second = ManualLoads<Int>()
    let resources = (0..<3).map { _ in runtime.resource(sharing(second, cache).limited(by: limit)) }
    for resource in resources { resource.appear() }
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    #expect(second.count == 2)
    second[0].succeed(2)
    runtime.run()
    #expect(second.count == 3)
    second[1].succeed(2)
    second[2].succeed(2)
    runtime.run()
    #expect(!resources.contains { $0.isLoading })
  }

  /// Returns a loader of subscriptions, and the function that delivers to the newest one.
  private func subscriptions() -> (Loader<Int>, deliver: (Int) -> Void, end: () -> Void) {
    let lines = Lock<[AsyncStream<Int>.Continuation]>([])
    let loader = Loader<Int>(sequence: {
      let (numbers, line) = AsyncStream.makeStream(of: Int.self)
      lines.withLock { $0.append(line) }
      return numbers
    })
    return (
      loader,
      { number in
        lines.withLock { _ = $0.last?.yield(number) }
        self.runtime.run()
      },
      {
        for line in lines.withLock({ $0 }) { line.finish() }
        self.runtime.run()
      }
    )
  }

  @Test
  func `a subscription whose cached value was removed is loading, with a timeout and a permit`() {
    let cache = cache()
    let limit = LoadLimit(1)
    let (numbers, deliver, end) = subscriptions()
    let resource = runtime.resource(
      numbers.cached(in: cache, key: 1).timeout(.seconds(5)).limited(by: limit))
    resource.appear()
    runtime.run()
    deliver(1)
    runtime.advance(by: .seconds(60))
    #expect(resource.activity?.phase == .live)
    let other = runtime.resource(loads.loader.limited(by: limit))
    other.load()
    runtime.run()
    cache.remove(1)
    runtime.run()
    #expect(resource.activity?.phase == .waiting)
    #expect(resource.isLoading)
    loads[0].succeed(7)
    runtime.run()
    #expect(resource.activity?.phase == .running)
    runtime.advance(by: .seconds(5))
    #expect(resource.failure?.error is LoadingError)
    end()
  }
}
