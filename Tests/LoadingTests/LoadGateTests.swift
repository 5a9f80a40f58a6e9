import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct LoadGateTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  let gate = LoadGate("offline")

  func resource(_ loader: Loader<Int>) -> Resource<Int> { runtime.resource(loader) }

  @Test func `a closed gate holds a load back and says why, until it opens`() {
    let resource = resource(loads.loader.gated(by: gate))
    gate.close()
    resource.appear()
    runtime.run()
    #expect(resource.activity?.phase == .paused(reason: "offline"))
    #expect(resource.state == .loading)
    #expect(loads.count == 0)
    gate.open()
    runtime.run()
    #expect(resource.activity?.pauseReason == nil)
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `a running load is not stopped when its gate closes`() {
    let resource = resource(loads.loader.gated(by: gate))
    resource.appear()
    runtime.run()
    gate.close()
    runtime.run()
    #expect(resource.activity?.phase == .running)
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test(arguments: [true, false], [true, false])
  func `a load by the user does not wait for a closed gate, nor one that the user has joined`(
    isRetry: Bool, joins: Bool
  ) {
    let resource = resource(loads.loader.gated(by: gate))
    gate.close()
    resource.appear()
    // Before it has run, the load does not wait for the gate yet, and is joined.
    if !joins { runtime.run() }
    if isRetry { resource.retry() } else { resource.load() }
    runtime.run()
    #expect(loads.count == 1)
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `waiting for a gate counts towards no timeout and holds no permit`() {
    let limit = LoadLimit(1)
    let resource = resource(
      loads.loader.gated(by: gate).timeout(.seconds(1)).limited(by: limit))
    gate.close()
    resource.appear()
    runtime.advance(by: .seconds(60))
    #expect(resource.activity?.pauseReason == "offline")
    let other = runtime.resource(Loader.constant(7).limited(by: limit))
    other.load()
    runtime.run()
    #expect(other.state == .loaded(7))
    gate.open()
    runtime.run()
    #expect(loads.count == 1)
    runtime.advance(by: .seconds(1))
    #expect(resource.state == .failed(LoadingError.timeout(limit: .seconds(1))))
    loads.end()
    runtime.run()
  }

  @Test func `a gate that closes while a load gives back its permits pauses the load`() {
    let phases = Lock<[LoadActivity.Phase]>([])
    let origin = LoadContext.Origin(
      clock: runtime.clock.any, cause: .appeared, scheduler: runtime.scheduler)
    let rest: LoadContext.Rest = { [gate] in
      gate.close()
      return {}
    }
    let context = LoadContext(origin, rest: rest) { signal in
      if case .phase(let phase) = signal { phases.withLock { $0.append(phase) } }
    }
    _ = runtime.scheduler.task { [gate] in try? await context.resume(behind: gate) }
    runtime.run()
    #expect(phases.withLock { $0 } == [.paused(reason: "offline")])
    gate.open()
    runtime.run()
    #expect(phases.withLock { $0 } == [.paused(reason: "offline"), .running])
  }

  @Test func `each attempt waits for a gate inside of retrying`() {
    let resource = resource(loads.loader.gated(by: gate).retrying(limit: 2, backoff: .none))
    resource.appear()
    runtime.run()
    gate.close()
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.activity?.pauseReason == "offline")
    #expect(resource.currentFailure?.error as? Broken == Broken())
    gate.open()
    runtime.run()
    loads[1].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `a load that waits for a gate is given up when its last viewer leaves`() {
    let resource = resource(loads.loader.gated(by: gate))
    gate.close()
    resource.appear()
    runtime.run()
    resource.disappear()
    runtime.run()
    #expect(resource.activity == nil)
    gate.open()
    resource.appear()
    runtime.run()
    #expect(loads.count == 1)
    loads.end()
    runtime.run()
  }

  @Test func `a subscription stops while its gate is closed, and starts again`() {
    let feeds = Lock<[AsyncStream<Int>.Continuation]>([])
    let resource = resource(
      Loader(sequence: {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        feeds.withLock { $0.append(continuation) }
        return stream
      }).gated(by: gate))
    resource.appear()
    runtime.run()
    feeds.withLock { _ = $0[0].yield(1) }
    runtime.run()
    #expect(resource.activity?.phase == .live)
    gate.close()
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.activity?.pauseReason == "offline")
    feeds.withLock { _ = $0[0].yield(2) }
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(resource.state == .loaded(1))
    gate.open()
    runtime.run()
    #expect(feeds.withLock { $0.count } == 2)
    feeds.withLock { _ = $0[1].yield(3) }
    runtime.run()
    #expect(resource.state == .loaded(3))
    #expect(!resource.isLoading)
    resource.cancel()
    runtime.run()
  }

  @Test
  func `a subscription that was left while its gate was closed does not begin again by itself`() {
    let resource = resource(loads.loader.gated(by: gate))
    resource.appear()
    runtime.run()
    loads[0].output.yield(1)
    loads[0].context.send(.phase(.live))
    runtime.run()
    gate.close()
    runtime.run()
    resource.disappear()
    gate.open()
    // A source that ignores its cancellation ends after all that.
    loads[0].fail(CancellationError())
    runtime.run()
    #expect(loads.count == 1)
    #expect(resource.activity?.phase == .paused(reason: "hidden"))
    resource.cancel()
  }

  @Test(arguments: [true, false])
  func `a subscription that was ended while it was paused starts again with the next viewer`(
    isSet: Bool
  ) {
    let resource = resource(loads.loader.gated(by: gate))
    resource.appear()
    runtime.run()
    loads[0].output.yield(1)
    loads[0].context.send(.phase(.live))
    runtime.run()
    gate.close()
    runtime.run()
    loads[0].fail(CancellationError())
    runtime.run()
    #expect(resource.activity?.pauseReason == "offline")
    if isSet { resource.set(.loaded(5)) } else { resource.cancel() }
    #expect(resource.wasCancelled == !isSet)
    gate.open()
    resource.prefetch()
    resource.appear()
    runtime.run()
    #expect(loads.count == 1, "while it is shown, the program decides")
    resource.disappear()
    resource.disappear()
    resource.prefetch()
    runtime.run()
    #expect(loads.count == 1)
    resource.appear()
    runtime.run()
    #expect(loads.count == 2)
    loads.latest?.succeed(7)
    runtime.run()
    #expect(resource.state == .loaded(7))
  }

  @Test func `a refresh waits for its gate`() {
    let resource = Resource(
      loads.loader.gated(by: gate), refreshing: Refreshing(interval: .seconds(60)),
      clock: runtime.clock.any, scheduler: runtime.scheduler)
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    gate.close()
    runtime.advance(by: .seconds(600))
    #expect(loads.count == 1)
    #expect(resource.activity?.pauseReason == "offline")
    gate.open()
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    resource.disappear()
  }

  @Test func `a subscription that starts again after a short pause needs a permit again`() {
    let limit = LoadLimit(1)
    let resource = resource(loads.loader.gated(by: gate).limited(by: limit))
    resource.appear()
    runtime.run()
    loads[0].output.yield(1)
    loads[0].context.send(.phase(.live))
    runtime.run()
    let otherLoads = ManualLoads<Int>()
    let other = runtime.resource(otherLoads.loader.limited(by: limit))
    other.load()
    runtime.run()
    gate.close()
    runtime.run()
    gate.open()
    // A source that ignores its cancellation ends after the gate has opened again.
    loads[0].fail(CancellationError())
    runtime.run()
    #expect(loads.count == 1)
    #expect(resource.activity?.phase == .waiting)
    otherLoads[0].succeed(7)
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
  }
}
