import Loading
import LoadingTesting
import Testing

/// An input that waits for the running load is not lost, whatever happens meanwhile.
@MainActor
@Suite(.leavesNothingBehind) struct QueuedInputTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  /// Queues another input behind a running load.
  private func resource(_ loader: Loader<Int>? = nil) -> Resource<Int> {
    let resource = runtime.resource(loader ?? loads.loader)
    resource.appear()
    runtime.run()
    resource.load(.constant(7), .keepLatest, cause: .inputChanged)
    return resource
  }

  @Test func `it is loaded after the value was invalidated`() {
    let resource = resource()
    resource.invalidate()
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(7))
  }

  @Test func `it is loaded after another load was queued without an input`() {
    let resource = resource()
    resource.load(.keepLatest)
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(7))
  }

  @Test func `a retry loads it`() {
    let resource = resource(
      loads.loader.retrying(limit: 3, backoff: Backoff { _ in .seconds(10) }))
    loads[0].fail(Broken())
    runtime.run()
    resource.retry()
    runtime.run()
    #expect(resource.state == .loaded(7))
    #expect(loads.count == 1)
  }

  @Test func `a load after a cancelled one loads it`() {
    let resource = resource()
    resource.cancel()
    runtime.run()
    resource.load()
    runtime.run()
    #expect(resource.state == .loaded(7))
    loads.end()
  }

  @Test func `it is loaded when the view returns to a subscription that was hidden`() {
    let gate = LoadGate("offline")
    let numbers = Loader<Int>(sequence: { AsyncStream<Int> { $0.yield(1) } }).gated(by: gate)
    let resource = runtime.resource(numbers)
    resource.appear()
    runtime.run()
    gate.close()
    runtime.run()
    resource.load(.constant(7), .keepLatest)
    resource.disappear()
    runtime.run()
    gate.open()
    resource.appear()
    runtime.run()
    #expect(resource.state == .loaded(7))
  }

  /// A subscription does not end, so what waits for its load waits for its first value.
  @Test func `it is loaded when a subscription has delivered its first value`() {
    let (numbers, line) = AsyncStream.makeStream(of: Int.self)
    let resource = resource(Loader(sequence: { numbers }))
    line.yield(1)
    runtime.run()
    #expect(resource.state == .loaded(7))
    #expect(resource.activity == nil)
  }

  @Test func `it is loaded when a subscription has delivered its first value and no view shows it`()
  {
    let (numbers, line) = AsyncStream.makeStream(of: Int.self)
    let resource = runtime.resource(Loader(sequence: { numbers }))
    resource.appear()
    runtime.run()
    resource.disappear()
    resource.load(.constant(7), .keepLatest, cause: .inputChanged)
    line.yield(1)
    runtime.run()
    #expect(resource.state == .loaded(7))
    #expect(resource.activity == nil)
  }

  @Test func `a subscription that was invalidated while it connected connects again`() {
    let lines = Lock<[AsyncStream<Int>.Continuation]>([])
    let resource = runtime.resource(
      Loader(sequence: {
        let (numbers, line) = AsyncStream.makeStream(of: Int.self)
        lines.withLock { $0.append(line) }
        return numbers
      }))
    resource.appear()
    runtime.run()
    resource.invalidate()
    lines.withLock { _ = $0[0].yield(1) }
    runtime.run()
    #expect(resource.activity?.cause == .invalidated)
    #expect(lines.withLock(\.count) == 2)
    lines.withLock { _ = $0.last?.yield(2) }
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(resource.activity?.phase == .live)
    for line in lines.withLock({ $0 }) { line.finish() }
    runtime.run()
  }

  @Test(arguments: [true, false])
  func `it is loaded after a reset, and after a state was set`(isReset: Bool) {
    let resource = resource()
    if isReset { resource.reset() } else { resource.set(.loaded(3)) }
    #expect(!resource.showsEarlierInput)
    resource.load()
    runtime.run()
    #expect(resource.state == .loaded(7))
    loads.end()
    runtime.run()
  }
}
