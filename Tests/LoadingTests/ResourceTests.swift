import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind, .timeLimit(.minutes(10))) struct ResourceTests {
  let runtime = ManualRuntime()

  @Test func `a first load goes from idle to loading to loaded`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    runtime.run()
    #expect(resource.state == .idle)
    #expect(loads.count == 0)
    resource.load()
    #expect(resource.state == .loading)
    #expect(resource.isLoading)
    runtime.run()
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(resource.state == .loading(LoadingProgress(fraction: 0.5)))
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.activity == nil)
  }

  @Test func `cancelling shows the earlier value again, at once`() {
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
    #expect(resource.failure?.failureCount == 1)
    runtime.run()
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(resource.failure == nil)
  }

  @Test func `the first load starts once per appearance`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    resource.appear()
    runtime.run()
    resource.cancel()
    resource.prefetch()
    runtime.run()
    #expect(loads.count == 1)
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(loads.count == 2)
    loads.end()
  }

  @Test func `another view does not start a load again that was cancelled in this appearance`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    resource.appear()
    runtime.run()
    resource.cancel()
    resource.appear()
    runtime.run()
    #expect(loads.count == 1)
    #expect(resource.wasCancelled)
    resource.disappear()
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

  @Test func `an empty message removes the last one, also among others that wait`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    resource.load()
    runtime.run()
    loads[0].context.report(message: "Fetching", fraction: 0.5)
    runtime.run()
    loads[0].context.report(message: "Reading")
    loads[0].context.report(message: "")
    loads[0].context.report(fraction: 0.6)
    runtime.run()
    #expect(resource.progress == LoadingProgress(fraction: 0.6))
    loads[0].succeed(1)
    runtime.run()
  }

  @Test func `a message stays until another one is reported or another attempt begins`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader.retrying(limit: 2, backoff: .none))
    resource.load()
    runtime.run()
    loads[0].context.report(message: "Fetching")
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(resource.progress == LoadingProgress(message: "Fetching", fraction: 0.5))
    loads[0].context.report(message: "Reading")
    runtime.run()
    #expect(resource.progress == LoadingProgress(message: "Reading", fraction: 0.5))
    loads[0].fail(Broken())
    runtime.run()
    loads[1].context.report(fraction: 0.2)
    runtime.run()
    #expect(resource.progress == LoadingProgress(fraction: 0.2))
    loads.end()
    runtime.run()
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

  @Test func `without a loader a load does nothing`() {
    let resource = runtime.resource(initialState: LoadingState<Int>.idle)
    resource.load()
    resource.retry()
    resource.appear()
    #expect(resource.state == .idle)
    #expect(!resource.canReload)
    #expect(resource.history.isEmpty)
    resource.load(.constant(1))
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.canReload)
  }

  @Test func `a resource starts with its initial state`() {
    #expect(runtime.resource(initialState: .loaded(1)).lastResult != nil)
    let failed = runtime.resource(initialState: LoadingState<Int>.failed(Broken()))
    #expect(failed.failure?.failureCount == 1)
    let loading = runtime.resource(
      Loader.constant(2), initialState: .loading(LoadingProgress(fraction: 0.5)))
    #expect(loading.progress?.percent == 50)
    loading.load()
    runtime.run()
    #expect(loading.state == .loaded(2))
  }

  @Test func `a view starts no load of a manual resource, or of one with an initial state`() {
    let loads = ManualLoads<Int>()
    let manual = runtime.resource(loads.loader, startsOnAppear: false)
    let loaded = runtime.resource(loads.loader, initialState: .loaded(1))
    let failed = runtime.resource(loads.loader, initialState: .failed(Broken()))
    for resource in [manual, loaded, failed] {
      resource.appear()
      resource.prefetch()
    }
    runtime.run()
    #expect(loads.count == 0)
  }

  @Test func `keepLatest runs the newest requested load after the running one`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    resource.load()
    runtime.run()
    resource.load(.constant(7), .keepLatest)
    resource.load(.constant(8), .keepLatest)
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(8))
    #expect(loads.count == 1)
  }

  @Test func `cancelling drops the queued load`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    resource.load()
    resource.load(.keepLatest)
    resource.cancel()
    runtime.run()
    #expect(loads.count == 1)
    loads.end()
    runtime.run()
    #expect(loads.count == 1)
  }

  @Test func `the old value stays while another input is loaded, unless it is reset`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load(loads.loader)
    #expect(resource.state == .loaded(1))
    resource.reset()
    resource.load(loads.loader)
    #expect(resource.state == .loading)
    runtime.run()
    loads.end()
    runtime.run()
  }

  @Test func `releasing a resource cancels its load and its timers`() {
    let loads = ManualLoads<Int>()
    var resource: Resource<Int>? = runtime.resource(loads.loader.timeout(.seconds(5)))
    resource?.load()
    runtime.run()
    resource = nil
    runtime.run()
    #expect(loads[0].isCancelled)
    #expect(runtime.clock.sleeperCount == 0)
    loads.end()
  }

  @Test func `a mutation is committed although the program has released its resource`() {
    let commits = ManualCalls<Int, Void>()
    var resource: Resource<Int>? = runtime.resource(initialState: .loaded(1))
    resource?.mutate(
      undoWindow: .seconds(5), apply: { $0 += 1 }, commit: { try await commits.call($0) })
    resource = nil
    runtime.advance(by: .seconds(5))
    #expect(commits.inputs == [2])
    commits[0].succeed()
  }

  @Test(arguments: [true, false])
  func `a subscription that was cancelled starts again when a view appears`(isShown: Bool) {
    let streams = Lock(0)
    let resource = runtime.resource(
      Loader(sequence: {
        let number = streams.withLock { count in
          count += 1
          return count
        }
        return AsyncStream { $0.yield(number) }
      }))
    resource.appear()
    runtime.run()
    #expect(resource.state == .loaded(1))
    if !isShown { resource.disappear() }
    resource.cancel()
    runtime.run()
    // While the view that it was cancelled in is still shown, another view does not start it again.
    if isShown {
      resource.appear()
      runtime.run()
      #expect(resource.activity == nil)
      resource.disappear()
      resource.disappear()
    }
    resource.appear()
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(resource.activity?.phase == .live)
    resource.cancel()
    runtime.run()
  }

  @Test func `a resource takes its function last, which may report to its context`() async throws {
    let plain = Resource(startsOnAppear: false, name: "socks") { 1 }
    plain.appear()
    #expect(plain.name == "socks")
    #expect(plain.state == .idle)
    #expect(try await plain.value() == 1)
    let reporting = Resource { context in
      context.report(fraction: 0.5)
      return context.attempt
    }
    #expect(try await reporting.value() == 1)
  }

  @Test func `waiting for a value throws its failure, even if there is an older value`() async {
    let answers = Lock<[Result<Int, Broken>]>([.success(1), .failure(Broken("a")), .success(3)])
    let resource = Resource { try answers.withLock { $0.removeFirst() }.get() }
    #expect(await LoadingState { try await resource.value() } == .loaded(1))
    await #expect(throws: Broken("a")) { try await resource.value() }
    #expect(resource.state == .loaded(1))
    #expect(await resource.refresh() == .loaded(3))
  }

  @Test(arguments: [LoadingState.loaded(0), .failed(Broken())])
  func `waiting for a cancelled load throws a CancellationError, whatever came before`(
    earlier: LoadingState<Int>
  ) async {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader, initialState: earlier)
    let waiting = Task { try await resource.value() }
    await runtime.run(until: { loads.count == 1 })
    resource.cancel()
    loads.end()
    runtime.run()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(resource.state == earlier)
  }
}
