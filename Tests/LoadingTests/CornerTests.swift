import Loading
import LoadingTesting
import Observation
import Testing

/// What is decided where a user of the library could expect one thing or another: see the article on
/// decisions.
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

  @Test func `when another input fails, the value of the earlier one is not shown for it`() {
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

  @Test func `a failed reload of the same input keeps the value, also while another one loads`() {
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

  // MARK: Pools

  @Test func `asking a pool while drawing changes nothing that is observed or kept`() {
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
}
