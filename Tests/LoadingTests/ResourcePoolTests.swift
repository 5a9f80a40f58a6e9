import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct ResourcePoolTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  func pool(capacity: Int = 100, limit: Int = 100) -> ResourcePool<Int, Int> {
    ResourcePool(
      capacity: capacity, limit: LoadLimit(limit), clock: runtime.clock.any,
      scheduler: runtime.scheduler
    ) { [loads] _ in loads.loader }
  }

  /// The expected counts, in the order of ``numbers(_:)``.
  func counts(idle: Int = 0, loading: Int = 0, failed: Int = 0, loaded: Int = 0) -> [Int] {
    [idle, loading, failed, loaded]
  }

  func numbers(_ pool: ResourcePool<Int, Int>) -> [Int] {
    [pool.counts.idle, pool.counts.loading, pool.counts.failed, pool.counts.loaded]
  }

  @Test func `one key has one resource and one load`() {
    let pool = pool()
    #expect(pool[1] === pool[1])
    pool[1].appear()
    pool[1].appear()
    runtime.run()
    #expect(loads.count == 1)
    loads.end()
    runtime.run()
  }

  @Test func `all loads share one limit`() {
    let pool = pool(limit: 2)
    for key in 0..<10 { pool[key].appear() }
    runtime.run()
    #expect(loads.count == 2)
    for key in 0..<10 { pool[key].disappear() }
    runtime.run()
    #expect(numbers(pool) == counts(idle: 8, loading: 2))
    for _ in 0..<10 {
      loads.end()
      runtime.run()
    }
    #expect(loads.count == 2)
  }

  @Test func `the least recently shown resource is evicted first, but none on the screen`() {
    let pool = pool(capacity: 3)
    pool[1].appear()
    _ = pool[2]
    _ = pool[3]
    _ = pool[2]
    _ = pool[4]
    runtime.run()
    #expect(pool.resource(ifPresent: 3) == nil)
    #expect([1, 2, 4].allSatisfy { pool.resource(ifPresent: $0) != nil })
    pool[1].disappear()
    _ = pool[5]
    _ = pool[6]
    runtime.run()
    #expect(pool.resource(ifPresent: 1) != nil)
    _ = pool[7]
    runtime.run()
    #expect(pool.resource(ifPresent: 1) == nil)
    #expect(pool.counts.all == 3)
    loads.end()
    runtime.run()
    loads.end()
    runtime.run()
  }

  @Test func `a resource with a pending mutation is not evicted`() {
    let pool = pool(capacity: 1)
    let commits = ManualCalls<Int, Void>()
    pool[1].set(.loaded(10))
    pool[1].mutate(apply: { $0 += 1 }, commit: { try await commits.call($0) })
    _ = pool[2]
    runtime.run()
    #expect(pool.resource(ifPresent: 1) != nil)
    commits[0].succeed()
    runtime.run()
    _ = pool[3]
    runtime.run()
    #expect(pool.resource(ifPresent: 1) == nil)
  }

  /// Makes a change of the resource with this key whose commit fails.
  func fail(_ key: Int, in pool: ResourcePool<Int, Int>) {
    pool[key].set(.loaded(key))
    pool[key].mutate(apply: { $0 += 1 }, commit: { _ in throw Broken() })
    runtime.run()
  }

  @Test func `a resource with a failed mutation waits for the user`() throws {
    let pool = pool(capacity: 2)
    fail(1, in: pool)
    for key in 2..<10 { _ = pool[key] }
    runtime.run()
    let failed = try #require(pool.resource(ifPresent: 1)?.failedMutations.first)
    #expect(pool.counts.all == 2)
    pool[1].dismissMutation(failed.id)
    for key in 10..<12 { _ = pool[key] }
    runtime.run()
    #expect(pool.resource(ifPresent: 1) == nil)
  }

  @Test func `resources with failed mutations are kept up to twice the capacity`() {
    let pool = pool(capacity: 2)
    for key in 0..<10 { fail(key, in: pool) }
    #expect(pool.counts.all == 4)
    #expect((6..<10).allSatisfy { pool.resource(ifPresent: $0)?.failedMutations.count == 1 })
  }

  @Test
  func `the counts say which of the loaded resources are being loaded again, or could not be`() {
    let pool = pool()
    pool[1].set(.loaded(1))
    pool[1].load()
    runtime.run()
    #expect(numbers(pool) == counts(loaded: 1))
    #expect(pool.counts.reloading == 1)
    loads[0].fail(Broken())
    runtime.run()
    #expect(numbers(pool) == counts(loaded: 1))
    #expect(pool.counts.reloading == 0)
    #expect(pool.counts.failedToReload == 1)
    pool.remove(1)
    #expect(pool.counts.all == 0 && pool.counts.failedToReload == 0)
  }

  @Test func `the counts follow every change of state`() {
    let pool = pool()
    for key in 0..<4 { _ = pool[key] }
    #expect(numbers(pool) == counts(idle: 4))
    for key in 0..<3 { pool[key].load() }
    #expect(numbers(pool) == counts(idle: 1, loading: 3))
    runtime.run()
    loads[0].succeed(1)
    loads[1].fail(Broken())
    runtime.run()
    #expect(numbers(pool) == counts(idle: 1, loading: 1, failed: 1, loaded: 1))
    pool[2].cancel()
    pool.remove(1)
    #expect(numbers(pool) == counts(idle: 2, loaded: 1))
    pool.removeAll()
    #expect(pool.counts.all == 0)
    loads.end()
    runtime.run()
  }
}
