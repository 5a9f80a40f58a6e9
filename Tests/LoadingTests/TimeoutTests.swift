import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct TimeoutTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  @Test func `a load that takes too long fails and is cancelled`() {
    let resource = runtime.resource(loads.loader.timeout(.seconds(5)))
    resource.load()
    runtime.advance(by: .milliseconds(4999))
    #expect(resource.isLoading)
    runtime.advance(by: .milliseconds(1))
    #expect(resource.state == .failed(LoadingError.timeout(limit: .seconds(5))))
    #expect(loads[0].isCancelled)
    loads[0].output.yield(1)
    loads[0].succeed(2)
    runtime.run()
    #expect(resource.state.isFailed)
  }

  @Test func `an answer in time leaves no sleeper behind`() {
    let resource = runtime.resource(loads.loader.timeout(.seconds(5)))
    resource.load()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(runtime.clock.sleeperCount == 0)
  }

  @Test func `a timeout limits each attempt inside of retrying, and the total outside`() {
    let inside = ManualLoads<Int>()
    let perAttempt = runtime.resource(
      inside.loader.timeout(.seconds(5)).retrying(limit: 3, backoff: .none))
    perAttempt.load()
    runtime.advance(by: .seconds(14))
    #expect(inside.count == 3)
    runtime.advance(by: .seconds(1))
    #expect(perAttempt.state.isFailed)

    let total = runtime.resource(
      loads.loader.retrying(limit: 3, backoff: .none).timeout(.seconds(5)))
    total.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.advance(by: .seconds(5))
    #expect(loads.count == 2)
    #expect(total.state == .failed(LoadingError.timeout(limit: .seconds(5))))
    inside.end()
    loads.end()
    runtime.run()
  }

  @Test func `waiting for a permit counts towards no timeout`() {
    let limit = LoadLimit(1)
    let first = runtime.resource(loads.loader.limited(by: limit))
    first.load()
    runtime.run()
    let second = runtime.resource(loads.loader.limited(by: limit).timeout(.seconds(5)))
    second.load()
    runtime.advance(by: .seconds(60))
    #expect(second.activity?.phase == .waiting)
    loads[0].succeed(1)
    runtime.advance(by: .milliseconds(4999))
    #expect(second.isLoading)
    runtime.advance(by: .milliseconds(1))
    #expect(second.state == .failed(LoadingError.timeout(limit: .seconds(5))))
    loads.end()
    runtime.run()
  }

  @Test func `a subscription that has delivered has no timeout`() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let resource = runtime.resource(Loader(sequence: { stream }).timeout(.seconds(5)))
    resource.load()
    runtime.run()
    continuation.yield(1)
    runtime.advance(by: .seconds(60))
    #expect(resource.activity?.phase == .live)
    continuation.finish()
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `a subscription that connects again has the whole time for its next value`() {
    let connections = ManualCalls<Void, AsyncThrowingStream<Int, any Error>>()
    let resource = runtime.resource(
      Loader(sequence: { try await connections.call(()) }).retrying(limit: 2, backoff: .none)
        .timeout(.seconds(5)))
    resource.load()
    runtime.advance(by: .seconds(3))
    let (first, line) = AsyncThrowingStream.makeStream(of: Int.self, throwing: (any Error).self)
    connections[0].succeed(first)
    line.yield(1)
    runtime.advance(by: .seconds(60))
    line.finish(throwing: Broken())
    runtime.advance(by: .milliseconds(4999))
    #expect(connections.count == 2)
    #expect(resource.isLoading)
    runtime.advance(by: .milliseconds(1))
    #expect(resource.currentFailure?.error as? LoadingError == .timeout(limit: .seconds(5)))
    connections.end()
    runtime.run()
  }
}
