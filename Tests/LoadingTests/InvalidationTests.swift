import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct InvalidationTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  private func resource(_ tags: String...) -> Resource<Int> {
    var loader = loads.loader
    for tag in tags { loader = loader.tagged(tag) }
    return runtime.resource(loader)
  }

  private func answer(_ value: Int) {
    loads.latest?.succeed(value)
    runtime.run()
  }

  @Test func `a tag invalidates a value that was given or set before the first load`() {
    let given = runtime.resource(loads.loader.tagged("articles"), initialState: .loaded(1))
    let set = resource("articles")
    set.set(.loaded(1))
    for resource in [given, set] { resource.appear() }
    runtime.run()
    #expect(loads.count == 0)
    runtime.scheduler.invalidate("articles")
    runtime.run()
    #expect(loads.count == 2)
    for load in 0..<2 { loads[load].succeed(2) }
    runtime.run()
    #expect([given.state, set.state] == [.loaded(2), .loaded(2)])
  }

  @Test func `a tag that an observer invalidates reaches the value that was just set`() {
    let resource = Resource(
      loads.loader.tagged("articles"), startsOnAppear: false, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    resource.appear()
    resource.changed = { [unowned resource, runtime] _, _ in
      resource.changed = nil
      runtime.scheduler.invalidate("articles")
    }
    resource.set(.loaded(1))
    runtime.run()
    #expect(loads.count == 1)
    answer(2)
    #expect(resource.state == .loaded(2))
    resource.disappear()
  }

  @Test
  func `an invalidated resource loads again if a view shows it, otherwise with the next view`() {
    let (shown, hidden, other) = (resource("articles"), resource("articles"), resource("feeds"))
    for resource in [shown, hidden, other] {
      resource.appear()
      runtime.run()
      answer(1)
    }
    hidden.disappear()
    runtime.scheduler.invalidate("articles", "pictures")
    runtime.run()
    #expect(loads.count == 4)
    #expect(loads[3].context.cause == .invalidated)
    answer(2)
    #expect(shown.state == .loaded(2))
    #expect(hidden.state == .loaded(1))
    hidden.appear()
    runtime.run()
    #expect(hidden.isLoading)
    answer(3)
    #expect(hidden.state == .loaded(3))
    #expect(other.state == .loaded(1))
    // The invalidation has caused its load; another appearance causes none.
    hidden.disappear()
    hidden.appear()
    runtime.run()
    #expect(loads.count == 5)
  }

  @Test func `invalidated resources load again in the order in which they loaded first`() {
    let resources = (0..<20).map { _ in resource("articles") }
    for resource in resources {
      resource.appear()
      runtime.run()
      answer(1)
    }
    runtime.scheduler.invalidate("articles")
    runtime.run()
    for index in 20..<40 {
      loads[index].succeed(index)
      runtime.run()
    }
    #expect(resources.map(\.state) == (20..<40).map { .loaded($0) })
  }

  @Test func `a load that runs when its value is invalidated is followed by one for the next view`()
  {
    let resource = resource()
    resource.prefetch()
    runtime.run()
    resource.invalidate()
    resource.appear()
    resource.appear()
    answer(1)
    #expect(resource.activity?.cause == .invalidated)
    answer(2)
    #expect(resource.state == .loaded(2))
    #expect(loads.count == 2)
  }

  @Test func `a subscription that was invalidated starts again with the next view`() {
    let connections = Lock<[AsyncStream<Int>.Continuation]>([])
    let resource = runtime.resource(
      Loader(sequence: {
        let (stream, line) = AsyncStream.makeStream(of: Int.self)
        connections.withLock { $0.append(line) }
        return stream
      }))
    resource.prefetch()
    runtime.run()
    connections.withLock { _ = $0[0].yield(1) }
    runtime.run()
    resource.invalidate()
    #expect(resource.activity?.phase == .live)
    resource.appear()
    runtime.run()
    #expect(connections.withLock(\.count) == 2)
    #expect(resource.activity?.cause == .invalidated)
    for line in connections.withLock({ $0 }) { line.finish() }
    runtime.run()
  }

  @Test func `a running load, which may have begun before the change, is followed by another one`()
  {
    let resource = resource("articles")
    resource.appear()
    runtime.run()
    runtime.scheduler.invalidate("articles")
    runtime.run()
    #expect(loads.count == 1)
    answer(1)
    #expect(loads.count == 2)
    answer(2)
    #expect(resource.state == .loaded(2))
  }

  /// A reload that brings no value does not make an invalidated value valid.
  @Test(arguments: ["fails", "is cancelled", "is given up"])
  func `an invalidated value is loaded again with the next view if its reload`(how: String) {
    let limit = LoadLimit(1)
    let shown = runtime.resource(loads.loader.tagged("articles").limited(by: limit))
    shown.appear()
    runtime.run()
    answer(1)
    let otherLoads = ManualLoads<Int>()
    let other = runtime.resource(otherLoads.loader.limited(by: limit))
    if how == "is given up" { other.load() }
    runtime.run()
    runtime.scheduler.invalidate("articles")
    runtime.run()
    #expect(shown.isLoading)
    if how == "fails" { loads.latest?.fail(Broken()) }
    if how == "is cancelled" { shown.cancel() }
    runtime.run()
    shown.disappear()
    #expect(shown.activity == nil)
    #expect(shown.latestValue == 1)
    otherLoads.end()
    loads.end()
    runtime.run()
    let count = loads.count
    shown.appear()
    runtime.run()
    #expect(loads.count == count + 1)
    #expect(loads.latest?.context.cause == .invalidated)
    answer(2)
    #expect(shown.state == .loaded(2))
    shown.disappear()
    shown.appear()
    runtime.run()
    #expect(loads.count == count + 1, "once it is loaded it is valid")
  }

  @Test func `an invalidation has no effect before the first load, and none after a reset`() {
    let resource = resource("articles")
    resource.invalidate()
    runtime.run()
    #expect(loads.count == 0)
    resource.appear()
    runtime.run()
    answer(1)
    resource.disappear()
    resource.invalidate()
    resource.reset()
    resource.set(.loaded(5))
    resource.appear()
    runtime.run()
    #expect(loads.count == 1)
  }

  @Test func `a mutation invalidates its tags when it is stored, and not when it fails`() {
    let (list, count) = (resource("articles"), resource("articles", "counts"))
    for resource in [list, count] {
      resource.appear()
      runtime.run()
      answer(1)
    }
    let commits = ManualCalls<Int, Void>()
    let mark = Mutation<Int>(apply: { $0 += 1 }, commit: { try await commits.call($0) })
    list.mutate(mark.invalidating("counts"))
    runtime.run()
    commits[0].fail(Broken())
    runtime.run()
    #expect(loads.count == 2)
    list.mutate(mark.invalidating("counts"))
    runtime.run()
    commits[1].succeed(())
    runtime.run()
    #expect(loads.count == 3)
    #expect(count.isLoading)
    answer(7)
    #expect(count.state == .loaded(7))
    #expect(list.state == .loaded(2))
  }

  @Test func `a composed loader has the tags of its parts`() {
    let zipped = runtime.resource(
      Loader<(Int, Int)>.zip(loads.loader.tagged("left"), loads.loader.tagged("right")))
    zipped.appear()
    runtime.run()
    loads[0].succeed(1)
    loads[1].succeed(2)
    runtime.run()
    runtime.scheduler.invalidate("right")
    runtime.run()
    #expect(loads.count == 4)
    loads.end()
    runtime.run()
  }

  @Test(arguments: [true, false])
  func `cached values of a tag are not used after it was invalidated, with or without a resource`(
    isTaggedFirst: Bool
  ) {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let loader =
      isTaggedFirst
      ? loads.loader.tagged("articles").cached(in: cache, key: 1)
      : loads.loader.cached(in: cache, key: 1).retrying(limit: 2).tagged("articles")
    do {
      let first = runtime.resource(loader)
      first.appear()
      runtime.run()
      answer(1)
    }
    // The first resource was released, like one that a pool has evicted.
    runtime.scheduler.invalidate("articles")
    let second = runtime.resource(loader)
    second.appear()
    runtime.run()
    #expect(second.state == .loading)
    answer(2)
    let third = runtime.resource(loader)
    third.appear()
    runtime.run()
    #expect(third.state == .loaded(2))
    #expect(loads.count == 2)
  }

  @Test func `a load of a cache that began before its tag was invalidated is not shared`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let loader = loads.loader.tagged("articles").cached(in: cache, key: 1)
    let (first, second) = (runtime.resource(loader), runtime.resource(loader))
    first.load()
    runtime.run()
    runtime.scheduler.invalidate("articles")
    second.load()
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(2)
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    #expect(second.state == .loaded(2))
    loads.end()
    runtime.run()
  }

  @Test func `a cache does not share a load that began before its tag was invalidated`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let tag = MutationKey("articles")
    guard case .runs(let first) = cache.begin(1, tags: [tag], at: .ms(0)) else {
      Issue.record("it waits although no other load runs")
      return
    }
    cache.forget(tagged: [tag, MutationKey("feeds")])
    guard case .runs(let second) = cache.begin(1, tags: [tag], at: .ms(1)) else {
      Issue.record("it shares a load that began before the tag was invalidated")
      return
    }
    cache.store(2, for: 1, of: second, at: .ms(1))
    cache.store(1, for: 1, of: first, at: .ms(0))
    #expect(cache.value(for: 1, at: .ms(2))?.value == 2)
    cache.end(1, first)
    cache.end(1, second)
  }

  @Test func `a pool invalidates by key, even if only a cache has the value`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let pool = ResourcePool<Int, Int>(clock: runtime.clock.any, scheduler: runtime.scheduler) {
      [loads] key in loads.loader.cached(in: cache, key: key)
    }
    pool[1].appear()
    runtime.run()
    answer(1)
    pool.invalidate(1)
    runtime.run()
    answer(2)
    #expect(pool[1].state == .loaded(2))
    pool.remove(1)
    pool.invalidate(1)
    pool[1].appear()
    runtime.run()
    #expect(loads.count == 3)
    answer(3)
    pool.removeAll()
  }

  @Test func `released resources are not remembered forever`() {
    for _ in 0..<200 {
      let resource = resource("articles")
      resource.load()
      runtime.run()
      answer(1)
    }
    #expect(runtime.scheduler.invalidations.count < 100)
  }

  @Test func `the cached pages of a list that it has to remember are bounded`() {
    let pages = PageInvalidations()
    let (forgotten, commits) = (Lock<[Int]>([]), Lock<[Int: Int]>([:]))
    func add(_ page: Int) {
      pages.add([
        Invalidation(
          id: [MutationKey(page)], forget: { forgotten.withLock { $0.append(page) } },
          countCommits: { change in commits.withLock { $0[page, default: 0] += change } },
          write: {})
      ])
    }
    for page in 0..<1_000 { add(page) }
    pages.whole.countCommits(1)
    add(0)
    add(1_000)
    // The one that was not loaded for the longest time.
    #expect(forgotten.withLock { $0 } == [1])
    pages.whole.countCommits(-1)
    #expect(commits.withLock { $0.count == 1_001 && $0.values.allSatisfy { $0 == 0 } })
  }
}
