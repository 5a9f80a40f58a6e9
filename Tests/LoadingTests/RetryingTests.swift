import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct RetryingTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  let second = Backoff(base: .seconds(1), factor: 2, random: { 1 })

  @Test func `a failed attempt is followed by another one, with its number and time`() {
    let resource = runtime.resource(loads.loader.retrying(limit: 3, backoff: second))
    resource.load()
    runtime.run()
    #expect(resource.activity?.attempt == 1)
    #expect(resource.activity?.attemptLimit == 3)
    loads[0].context.report(fraction: 0.9)
    loads[0].fail(Broken("first"))
    runtime.run()
    #expect(resource.state == .loading)
    #expect(resource.activity?.phase == .backoff)
    #expect(resource.activity?.nextAttemptAt == .ms(1000))
    #expect(resource.currentFailure?.error as? Broken == Broken("first"))
    runtime.advance(by: .milliseconds(999))
    #expect(loads.count == 1)
    runtime.advance(by: .milliseconds(1))
    #expect(loads.count == 2)
    #expect(loads[1].context.attempt == 2)
    #expect(resource.activity?.attempt == 2)
    loads[1].succeed(5)
    runtime.run()
    #expect(resource.state == .loaded(5))
    #expect(resource.currentFailure == nil)
  }

  @Test func `after the last attempt the load has failed, once`() {
    let resource = runtime.resource(loads.loader.retrying(limit: 2, backoff: .none))
    resource.load()
    runtime.run()
    loads[0].fail(Broken("a"))
    runtime.run()
    loads[1].fail(Broken("b"))
    runtime.run()
    #expect(resource.state == .failed(Broken("b")))
    #expect(resource.failure?.failureCount == 1)
  }

  @Test func `a retry by the user in a backoff starts at once, with all attempts`() {
    let resource = runtime.resource(loads.loader.retrying(limit: 2, backoff: second))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    resource.retry()
    runtime.run()
    #expect(loads.count == 2)
    #expect(resource.activity?.attempt == 1)
    #expect(resource.activity?.cause == .retry)
    loads[1].fail(Broken())
    runtime.advance(by: .seconds(1))
    #expect(loads.count == 3)
    loads.end()
    runtime.run()
  }

  @Test func `an error that cannot be retried ends the load`() {
    let resource = runtime.resource(
      loads.loader.retrying(limit: 5, if: { ($0 as? Broken) != Broken("fatal") }))
    resource.load()
    runtime.run()
    loads[0].fail(Broken("fatal"))
    runtime.run()
    #expect(resource.state == .failed(Broken("fatal")))
  }

  @Test func `the server decides whether and when to try again`() {
    struct Busy: RetryAdvice {
      var isRetryable = true
      var retryAfter: Duration? = .seconds(90)
    }
    let resource = runtime.resource(loads.loader.retrying(limit: 3, backoff: second))
    resource.load()
    runtime.run()
    loads[0].fail(Busy())
    runtime.run()
    #expect(resource.activity?.nextAttemptAt == .ms(90_000))
    runtime.advance(by: .seconds(90))
    loads[1].fail(Busy(isRetryable: false))
    runtime.run()
    #expect(resource.state.isFailed)
  }

  @Test func `progress never goes backwards within an attempt, and starts over with the next`() {
    let resource = runtime.resource(loads.loader.retrying(limit: 2, backoff: .none))
    resource.load()
    runtime.run()
    for fraction in [0.5, 0.25] {
      loads[0].context.report(fraction: fraction)
      runtime.run()
      #expect(resource.progress?.fraction == 0.5)
    }
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.progress == nil)
    loads[1].context.report(fraction: 0.25)
    runtime.run()
    #expect(resource.progress?.fraction == 0.25)
    loads[1].succeed(1)
    runtime.run()
    #expect(resource.progress == nil)
  }

  @Test func `whatever an earlier attempt still reports is dropped`() {
    let resource = runtime.resource(loads.loader.retrying(limit: 2, backoff: .none))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    loads[0].context.report(fraction: 0.8)
    loads[0].output.yield(9)
    runtime.run()
    #expect(resource.state == .loading)
    loads.end()
    runtime.run()
  }

  @Test func `cancelling in a backoff ends the sleep`() {
    let resource = runtime.resource(loads.loader.retrying(limit: 2, backoff: second))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    #expect(runtime.clock.sleeperCount == 1)
    resource.cancel()
    runtime.run()
    #expect(runtime.clock.sleeperCount == 0)
    #expect(resource.state == .idle)
  }

  @Test func `a backoff grows to its maximum and is shortened at random`() {
    let linear = Backoff { .seconds($0 * 10) }
    #expect((1...3).map { linear.delay($0) } == [10, 20, 30].map { .seconds($0) })
    for factor in [Double.nan, .infinity, -1, 0, 1e300] {
      let delay = Backoff(base: .seconds(1), factor: factor, random: { .nan }).delay(.max)
      #expect(delay == .zero, "neither a crash nor an endless loop")
    }
    let full = Backoff(base: .seconds(1), factor: 2, maximum: .seconds(5), random: { 1 })
    #expect((1...5).map { full.delay($0) } == [1, 2, 4, 5, 5].map { .seconds($0) })
    let half = Backoff(base: .seconds(1), factor: 2, maximum: .seconds(5), random: { 0.5 })
    #expect(half.delay(2) == .seconds(1))
    #expect(full.delay(1_000_000) == .seconds(5))
  }

  @Test func `a subscription that delivered before it failed has all its attempts again`() {
    let loader = Loader(sequence: {
      AsyncThrowingStream<Int, any Error> { continuation in
        continuation.yield(1)
        continuation.finish(throwing: Broken())
      }
    })
    let resource = runtime.resource(loader.retrying(limit: 2, backoff: second))
    resource.load()
    runtime.advance(by: .seconds(10))
    #expect(resource.activity?.attempt == 1)
    #expect(resource.state == .loaded(1))
    resource.cancel()
    runtime.run()
  }
}
