import LoadingTesting
import Observation
import Testing

@testable import Loading

/// Cases in which a user of the library could expect one thing or another, as the article
/// "What happens when" decides them.
@MainActor
@Suite(.leavesNothingBehind) struct CornerTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  let otherLoads = ManualLoads<Int>()

  // MARK: Another input

  @Test func `a value of an earlier input is shown, and marked, until the new one comes`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    #expect(!resource.showsEarlierInput)
    resource.load(otherLoads.loader)
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.showsEarlierInput)
    otherLoads[0].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(!resource.showsEarlierInput)
  }

  @Test func `if the load of another input fails, the value of the earlier input is not shown`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load(otherLoads.loader)
    runtime.run()
    otherLoads[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .failed(Broken()))
    #expect(resource.latestValue == 1)
    #expect(resource.showsEarlierInput)
    resource.retry()
    runtime.run()
    #expect(resource.state == .loading)
    otherLoads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
  }

  @Test func `when the load of another input is cancelled, the old value is back, still marked`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load(otherLoads.loader)
    runtime.run()
    resource.cancel()
    otherLoads.end()
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.showsEarlierInput)
    resource.load()
    runtime.run()
    otherLoads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(!resource.showsEarlierInput)
  }

  @Test func `a failed reload of the same input keeps the value, even while another input loads`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .loaded(1))
    resource.load(otherLoads.loader)
    runtime.run()
    #expect(resource.state == .loaded(1))
    otherLoads.end()
    runtime.run()
  }

  // MARK: Changes without a value

  @Test func `an element can be created before its list was loaded`() {
    let resource: Resource<[Int]> = runtime.resource()
    let creations = ManualCalls<Int, Void>()
    let id = resource.mutate(item: 7) {
      $0.append(7)
    } commit: {
      try await creations.call(7)
    }
    #expect(id != nil)
    #expect(resource.state == .idle)
    #expect(resource.isModifying(7))
    runtime.run()
    resource.set(.loaded([1]))
    #expect(resource.state == .loaded([1, 7]))
    creations[0].succeed()
    runtime.run()
    #expect(resource.state == .loaded([1, 7]))
    #expect(!resource.hasPendingMutations)
  }

  @Test func `a creation that fails before anything was loaded can be retried`() {
    let resource: Resource<[Int]> = runtime.resource()
    let creations = ManualCalls<Int, Void>()
    resource.mutate(item: 7) {
      $0.append(7)
    } commit: {
      try await creations.call(7)
    }
    runtime.run()
    creations[0].fail(Broken())
    runtime.run()
    let failed = resource.failedMutations.map(\.id)
    #expect(failed.count == 1)
    for id in failed { resource.retryMutation(id) }
    runtime.run()
    #expect(creations.count == 2)
    creations[1].succeed()
    runtime.run()
    #expect(resource.failedMutations.isEmpty)
    #expect(resource.state == .idle)
  }

  /// Loads a list, and creates an element meanwhile.
  private func loadWithCreation() -> (Resource<[Int]>, ManualLoads<[Int]>, ManualCalls<Int, Void>) {
    let (lists, creations) = (ManualLoads<[Int]>(), ManualCalls<Int, Void>())
    let resource = runtime.resource(lists.loader)
    resource.load()
    runtime.run()
    resource.mutate(item: 7) {
      $0.append(7)
    } commit: {
      try await creations.call(7)
    }
    runtime.run()
    return (resource, lists, creations)
  }

  @Test func `a load that overlaps a creation runs again, and brings the created element`() {
    let (resource, lists, creations) = loadWithCreation()
    lists[0].succeed([1])
    runtime.run()
    #expect(resource.state == .loading)
    creations[0].succeed()
    runtime.run()
    #expect(lists.count == 2)
    lists[1].succeed([1, 7])
    runtime.run()
    #expect(resource.state == .loaded([1, 7]))
  }

  @Test func `a subscription whose first value was discarded is loading until the next one`() {
    let (resource, lists, creations) = loadWithCreation()
    lists[0].output.yield([1])
    lists[0].context.send(.phase(.live))
    runtime.run()
    #expect(resource.state == .loading)
    creations[0].succeed()
    runtime.run()
    #expect(lists.count == 2)
    lists[1].output.yield([1, 7])
    lists[1].context.send(.phase(.live))
    runtime.run()
    #expect(resource.activity?.phase == .live)
    #expect(resource.state == .loaded([1, 7]))
    resource.reset()
    lists.end()
    runtime.run()
  }

  // MARK: Pools

  @Test func `using a pool while drawing notifies no observer and evicts nothing`() {
    let pool = ResourcePool(
      capacity: 2, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { [loads] (_: Int) in loads.loader }
    _ = pool[1]
    runtime.run()
    let notifications = Lock(0)
    withObservationTracking {
      _ = pool.counts
    } onChange: {
      notifications.withLock { $0 += 1 }
    }
    for key in 2...5 { _ = pool[key] }
    #expect(notifications.withLock { $0 } == 0)
    #expect((1...5).allSatisfy { pool.resource(ifPresent: $0) != nil })
    #expect(pool.counts.all == 5)
    runtime.run()
    #expect(notifications.withLock { $0 } == 1)
    #expect((1...5).filter { pool.resource(ifPresent: $0) != nil } == [4, 5])
  }

  @Test func `a view that asked for a resource that was not there is told when it is created`() {
    let pool = ResourcePool(
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { [loads] (_: Int) in loads.loader }
    let notifications = Lock(0)
    withObservationTracking {
      _ = pool.resource(ifPresent: 1)
    } onChange: {
      notifications.withLock { $0 += 1 }
    }
    _ = pool[1]
    runtime.run()
    #expect(notifications.withLock { $0 } == 1)
    // One that is there has nothing to tell.
    withObservationTracking {
      _ = pool.resource(ifPresent: 1)
    } onChange: {
      notifications.withLock { $0 += 1 }
    }
    _ = pool[2]
    runtime.run()
    #expect(notifications.withLock { $0 } == 1)
  }

  // MARK: Decisions

  @Test func `attempts of nested retries multiply`() {
    let resource = runtime.resource(
      loads.loader.retrying(limit: 2, backoff: .none).retrying(limit: 3, backoff: .none))
    resource.load()
    for attempt in 0..<6 {
      runtime.run()
      loads[attempt].fail(Broken())
    }
    runtime.run()
    #expect(loads.count == 6)
    #expect(resource.state == .failed(Broken()))
  }

  @Test func `nested retries stop at an error that cannot be retried`() {
    let resource = runtime.resource(
      loads.loader.retrying(limit: 2, backoff: .none, if: { $0 as? Broken != Broken("gone") })
        .retrying(limit: 3, backoff: .none, if: { $0 as? Broken != Broken("gone") }))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    loads[1].fail(Broken("gone"))
    runtime.run()
    #expect(loads.count == 2)
    #expect(resource.state == .failed(Broken("gone")))
  }

  @Test func `a reset removes the initial state, too`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.reset()
    #expect(resource.state == .idle)
    #expect(resource.loadedAt == nil)
    #expect(resource.lastResult == nil)
    // With the initial state, an appearing view would not start a load.
    resource.appear()
    runtime.run()
    #expect(loads.count == 1)
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .failed(Broken()))
    resource.cancel()
    #expect(resource.state == .failed(Broken()))
  }

  @Test func `a placeholder stands for a missing value, and an initial state is a value`() {
    let gate = IndicatorGate()
    func placeholder(of resource: Resource<Int>) -> Bool {
      gate.placeholder(for: resource.timing, at: runtime.clock.now).isVisible
    }
    let empty = runtime.resource(loads.loader)
    let kept = runtime.resource(otherLoads.loader, initialState: .loaded(1))
    for resource in [empty, kept] { resource.appear() }
    runtime.advance(by: gate.delay)
    #expect(placeholder(of: empty))
    #expect(empty.state == .loading)
    #expect(empty.latestValue == nil)
    #expect(empty.loadedAt == nil)
    // The initial state counts as loaded, so the appearance has started no load.
    #expect(otherLoads.count == 0)
    #expect(kept.loadedAt == .ms(0))
    kept.load()
    runtime.advance(by: gate.delay)
    #expect(!placeholder(of: kept))
    otherLoads[0].fail(Broken())
    runtime.run()
    #expect(kept.state == .loaded(1))
    loads.end()
    runtime.run()
  }

  // MARK: Times

  @Test func `a time that is longer than clocks count is waited for`() async {
    let sleep = Task { try await AnyClock.continuous.sleep(for: .seconds(Int64.max)) }
    await Task { @MainActor in }.value
    sleep.cancel()
    await #expect(throws: CancellationError.self) { try await sleep.value }
  }
}
