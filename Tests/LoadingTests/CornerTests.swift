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
