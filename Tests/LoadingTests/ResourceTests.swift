import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct ResourceTests {
  let runtime = ManualRuntime()

  @Test func `a first load goes from idle over loading to loaded`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    #expect(resource.state == .idle)
    resource.load()
    #expect(resource.state == .loading)
    #expect(resource.isInitialLoading)
    runtime.run()
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(resource.state == .loading(LoadingProgress(fraction: 0.5)))
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.activity == nil)
  }

  @Test func `cancel puts back what was there, at once`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load()
    runtime.run()
    resource.cancel()
    #expect(resource.state == .loaded(1))
    #expect(!resource.isLoading)
    #expect(resource.wasCancelled)
    #expect(loads[0].isCancelled)
    loads[0].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `a failed reload keeps the value with the failure beside it`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.currentFailure?.error as? Broken == Broken())
    #expect(resource.strictState == .failed(Broken()))
    resource.retry()
    #expect(resource.currentFailure == nil)
    #expect(resource.failureCount == 1)
    runtime.run()
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(resource.failureCount == 0)
  }

  @Test func `an automatic start happens once an appearance`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    resource.appear()
    runtime.run()
    resource.cancel()
    resource.start()
    runtime.run()
    #expect(loads.count == 1)
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(loads.count == 2)
    loads.end()
  }

  @Test func `a stream delivers many values and is live, not loading`() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let resource = runtime.resource(Loader(sequence: { stream }))
    resource.load()
    runtime.run()
    #expect(resource.isLoading)
    continuation.yield(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(!resource.isLoading)
    #expect(resource.activity?.phase == .live)
    continuation.yield(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    continuation.finish()
    runtime.run()
    #expect(resource.activity == nil)
  }

  @Test func `a script plays its states at their times`() {
    let resource = runtime.resource(
      Loader.scripted([
        .at(.milliseconds(300), .loading(LoadingProgress(fraction: 0.5))),
        .at(.milliseconds(900), .loaded("Hello")),
      ]))
    resource.load()
    runtime.advance(by: .milliseconds(300))
    #expect(resource.progress?.percent == 50)
    runtime.advance(by: .milliseconds(599))
    #expect(resource.isLoading)
    runtime.advance(by: .milliseconds(1))
    #expect(resource.state == .loaded("Hello"))
  }
}
