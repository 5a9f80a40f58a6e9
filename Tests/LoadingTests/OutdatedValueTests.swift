import LoadingTesting
import Testing

@testable import Loading

/// What becomes of a value that is known to be out of date if the load that is to replace it does
/// not end well, or is one of several.
@MainActor
@Suite(.leavesNothingBehind, .timeLimit(.minutes(10))) struct OutdatedValueTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  let texts = ManualLoads<String>()
  let calls = ManualCalls<String, Void>()
  /// Resolves a conflict by another value.
  let merge: MutationOutbox.Handler<String>

  init() {
    merge = MutationOutbox.Handler("merge") { name, _ in
      .replace(name + ", merged")
    } send: { [calls] name, _ in
      try await calls.call(name)
    }
  }

  private func outbox(_ journal: MemoryJournal) -> MutationOutbox {
    MutationOutbox(
      journal, handlers: merge, attempts: 2, clock: runtime.clock.any, scheduler: runtime.scheduler)
  }

  private func resource(_ tag: String) -> Resource<Int> {
    runtime.resource(loads.loader.tagged(tag))
  }

  private func answer(_ value: Int) {
    loads.latest?.succeed(value)
    runtime.run()
  }

  @Test(arguments: [true, false])
  func `a value that a conflict has changed is loaded again with the next view if its reload`(
    isCancelled: Bool
  ) async {
    let journal = MemoryJournal()
    let (resource, outbox) = (
      runtime.resource(texts.loader, initialState: .loaded("Old")), outbox(journal)
    )
    resource.appear()
    resource.mutate(apply: { $0 = "Mine" }) { [merge] name in
      try await outbox.commit(merge, name, scope: "a")
    }
    await runtime.run(until: { calls.count == 1 })
    calls[0].fail(Broken())
    await runtime.run(until: { calls.count == 2 })
    calls[1].succeed()
    await runtime.run(until: { texts.count == 1 })
    if isCancelled { resource.cancel() } else { texts[0].fail(Broken()) }
    runtime.run()
    #expect(resource.latestValue == "Mine")
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(texts.count == 2)
    texts[1].succeed("Mine, merged")
    runtime.run()
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(texts.count == 2)
    #expect(resource.state == .loaded("Mine, merged"))
    texts.end()
    runtime.run()
  }

  @Test(arguments: ["fails", "is cancelled", "succeeds"])
  func `a value that a reload has only yielded is still invalidated if the reload then`(
    how: String
  ) {
    let resource = resource("articles")
    resource.appear()
    runtime.run()
    answer(1)
    runtime.scheduler.invalidate("articles")
    runtime.run()
    loads[1].output.yield(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    if how == "fails" { loads[1].fail(Broken()) }
    if how == "is cancelled" { resource.cancel() }
    if how == "succeeds" { loads[1].succeed(3) }
    runtime.run()
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(resource.isLoading == (how != "succeeds"))
    loads.end()
    runtime.run()
  }

  @Test func `a subscription that has started again is valid with its first value`() {
    let resource = resource("articles")
    func deliver(_ value: Int) {
      loads.latest?.output.yield(value)
      loads.latest?.context.send(.phase(.live))
      runtime.run()
    }
    resource.appear()
    runtime.run()
    deliver(1)
    runtime.scheduler.invalidate("articles")
    runtime.run()
    #expect(loads.count == 2)
    deliver(2)
    loads[1].fail(Broken())
    runtime.run()
    #expect(resource.truth.owed == nil)
    loads.end()
    runtime.run()
  }

  /// The commit overlaps a running load, or a live subscription.
  @Test(arguments: [true, false])
  func `a stored change that invalidates the tag of its own resource loads it once`(isLive: Bool) {
    let resource = resource("articles")
    let other = self.resource("articles")
    for resource in [other, resource] {
      resource.appear()
      runtime.run()
      if resource === other || !isLive { answer(1) }
    }
    if isLive {
      loads[1].output.yield(1)
      loads[1].context.send(.phase(.live))
    } else {
      resource.load()
    }
    runtime.run()
    let count = loads.count
    storeChange(of: resource)
    // One for each of the two resources.
    #expect(loads.count == count + 2)
    #expect(other.isLoading)
    for load in loads.count - 2..<loads.count { loads[load].succeed(5) }
    runtime.run()
    #expect(loads.count == count + 2)
    #expect(resource.state == .loaded(5))
    #expect(other.state == .loaded(5))
    loads.end()
    runtime.run()
  }

  /// Stores a change of a resource that invalidates its tag.
  private func storeChange(of resource: Resource<Int>) {
    let commits = ManualCalls<Int, Void>()
    let mark = Mutation<Int>(apply: { $0 += 1 }, commit: { try await commits.call($0) })
    resource.mutate(mark.invalidating("articles"))
    runtime.run()
    commits[0].succeed(())
    runtime.run()
  }

  @Test func `a value that a stored change has invalidated is loaded again if its reload fails`() {
    let resource = resource("articles")
    resource.appear()
    runtime.run()
    answer(1)
    resource.load()
    runtime.run()
    storeChange(of: resource)
    loads.latest?.fail(Broken())
    runtime.run()
    let count = loads.count
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(loads.count == count + 1)
    loads.end()
    runtime.run()
  }

  @Test func `a value from a cache keeps its date if its reload fails, whatever was before it`() {
    let cache = LoadCache<String, Int>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let cached = loads.loader.cached(in: cache, key: "b")
    let resource = runtime.resource(initialState: .loaded(1))
    runtime.advance(by: .seconds(50))
    let earlier = runtime.resource(cached)
    earlier.load()
    runtime.run()
    loads[0].succeed(2)
    runtime.run()
    let storedAt = earlier.loadedAt
    runtime.advance(by: .seconds(100))
    resource.load(cached)
    runtime.run()
    #expect(resource.latestValue == 2)
    loads.latest?.fail(Broken())
    runtime.run()
    #expect(resource.currentFailure != nil)
    #expect(storedAt != nil)
    #expect(resource.loadedAt == storedAt)
  }

  @Test func `a value that a load yields before it fails does not make a stale value fresh`() {
    let resource = runtime.resource(loads.loader, refreshing: Refreshing(staleAfter: .seconds(60)))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    let loadedAt = resource.loadedAt
    resource.disappear()
    runtime.advance(by: .seconds(60))
    resource.appear()
    runtime.run()
    loads[1].output.yield(2)
    runtime.run()
    loads[1].fail(Broken())
    runtime.run()
    #expect(resource.latestValue == 2)
    #expect(resource.loadedAt == loadedAt)
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(loads.count == 3)
    loads[2].output.yield(3)
    loads[2].succeed(4)
    runtime.run()
    #expect(resource.loadedAt == runtime.clock.now)
    resource.disappear()
  }
}
