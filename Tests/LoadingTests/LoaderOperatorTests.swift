import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct LoaderOperatorTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  @Test func `a map transforms every value and passes progress on`() {
    let resource = runtime.resource(loads.loader.map { "\($0)" })
    resource.load()
    runtime.run()
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(resource.progress?.percent == 50)
    loads[0].output.yield(1)
    runtime.run()
    #expect(resource.state == .loaded("1"))
    loads[0].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded("2"))
  }

  @Test func `a debounced load waits for a quiet moment, and the last input wins`() {
    let resource = runtime.resource(initialState: LoadingState<Int>.idle)
    for input in 1...3 {
      let loader = Loader { _ in input }.debounced(for: .milliseconds(300))
      resource.load(loader, .join)
      runtime.advance(by: .milliseconds(299))
      #expect(resource.activity?.phase == .debouncing)
    }
    runtime.advance(by: .milliseconds(1))
    #expect(resource.state == .loaded(3))
  }

  @Test func `a new input replaces a waiting debounced load, even with the policy join`() {
    let resource = runtime.resource(loads.loader.debounced(for: .milliseconds(300)))
    resource.load(.join, cause: .inputChanged)
    runtime.advance(by: .milliseconds(200))
    resource.load(.join, cause: .inputChanged)
    runtime.advance(by: .milliseconds(200))
    #expect(loads.count == 0)
    runtime.advance(by: .milliseconds(100))
    #expect(loads.count == 1)
    loads.end()
    runtime.run()
  }

  @Test func `with a leading edge, the first load starts at once and later ones wait`() {
    let resource = runtime.resource(loads.loader)
    let loader = loads.loader.debounced(for: .milliseconds(300), leading: true)
    resource.load(loader)
    runtime.run()
    #expect(loads.count == 1)
    runtime.advance(by: .milliseconds(100))
    resource.load(loader)
    runtime.run()
    #expect(loads.count == 1)
    runtime.advance(by: .milliseconds(300))
    #expect(loads.count == 2)
    loads[1].succeed(1)
    runtime.advance(by: .milliseconds(300))
    resource.load(loader)
    runtime.run()
    #expect(loads.count == 3)
    loads.end()
    runtime.run()
  }

  @Test func `every load of a debounced resource restarts the wait and replaces a running load`() {
    let resource = runtime.resource(loads.loader.debounced(for: .milliseconds(300)))
    for _ in 0..<5 {
      resource.load()
      runtime.advance(by: .milliseconds(200))
    }
    #expect(loads.count == 0)
    runtime.advance(by: .milliseconds(100))
    #expect(loads.count == 1)
    resource.load(.drop)
    runtime.advance(by: .milliseconds(300))
    #expect(loads[0].isCancelled)
    #expect(loads.count == 2)
    loads[0].succeed(1)
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
  }

  @Test func `a retry by the user ends the wait of a debounce`() {
    let resource = runtime.resource(loads.loader.debounced(for: .seconds(1)))
    resource.load()
    runtime.run()
    resource.retry()
    runtime.run()
    #expect(loads.count == 1)
    #expect(runtime.clock.sleeperCount == 0)
    loads.end()
    runtime.run()
  }

  // MARK: Limit

  @Test func `a limit lets only so many loads run, first come, first served`() {
    let limit = LoadLimit(2)
    let resources = (0..<6).map { _ in runtime.resource(loads.loader.limited(by: limit)) }
    for resource in resources { resource.load() }
    runtime.run()
    #expect(loads.count == 2)
    #expect(limit.waitingCount == 4)
    resources[3].cancel()
    runtime.run()
    #expect(limit.waitingCount == 3)
    for done in 0..<5 {
      loads[done].succeed(done)
      runtime.run()
    }
    #expect(loads.count == 5)
    #expect(resources.map { $0.latestValue } == [0, 1, 2, nil, 3, 4])
    #expect(limit.waitingCount == 0)
  }

  @Test func `a load gives its permit back during a backoff or a debounce`() {
    let limit = LoadLimit(1)
    let (patient, other) = (ManualLoads<Int>(), ManualLoads<Int>())
    let backoff = Backoff(base: .seconds(1), random: { 1 })
    let first = runtime.resource(
      patient.loader.retrying(limit: 2, backoff: backoff).limited(by: limit))
    let second = runtime.resource(other.loader.debounced(for: .seconds(2)).limited(by: limit))
    first.load()
    runtime.run()
    patient[0].fail(Broken())
    runtime.run()
    #expect(first.activity?.phase == .backoff)
    second.load()
    runtime.advance(by: .milliseconds(900))
    #expect(second.activity?.phase == .debouncing)
    runtime.advance(by: .milliseconds(100))
    #expect(first.activity?.attempt == 2)
    runtime.advance(by: .seconds(1))
    #expect(second.activity?.phase == .waiting)
    #expect(other.count == 0)
    patient[1].succeed(1)
    runtime.run()
    #expect(first.state == .loaded(1))
    other[0].succeed(2)
    runtime.run()
    #expect(second.state == .loaded(2))
    #expect(limit.waitingCount == 0)
  }

  @Test func `a further attempt waits for a permit again, which counts towards no timeout`() {
    let limit = LoadLimit(1)
    let (patient, other) = (ManualLoads<Int>(), ManualLoads<Int>())
    let backoff = Backoff(base: .seconds(1), random: { 1 })
    let first = runtime.resource(
      patient.loader.retrying(limit: 2, backoff: backoff).timeout(.seconds(2))
        .limited(by: limit))
    let second = runtime.resource(other.loader.limited(by: limit))
    first.load()
    runtime.run()
    patient[0].fail(Broken())
    second.load()
    runtime.advance(by: .seconds(30))
    #expect(first.activity?.phase == .waiting)
    #expect(first.activity?.nextAttemptAt == nil)
    #expect(patient.count == 1)
    other[0].succeed(2)
    runtime.run()
    #expect(patient.count == 2)
    runtime.advance(by: .milliseconds(999))
    #expect(first.isLoading)
    runtime.advance(by: .milliseconds(1))
    #expect(first.state == .failed(LoadingError.timeout(limit: .seconds(2))))
    patient.end()
    runtime.run()
    #expect(limit.tryEnter())
  }

  @Test func `a load that is cancelled while it waits for a permit again holds none`() {
    let limit = LoadLimit(1)
    let (patient, other) = (ManualLoads<Int>(), ManualLoads<Int>())
    let first = runtime.resource(
      patient.loader.retrying(limit: 2, backoff: .none).limited(by: limit))
    let second = runtime.resource(other.loader.limited(by: limit))
    first.load()
    second.load()
    runtime.run()
    patient[0].fail(Broken())
    runtime.run()
    #expect(first.activity?.phase == .waiting)
    first.cancel()
    runtime.run()
    #expect(limit.waitingCount == 0)
    other[0].succeed(2)
    runtime.run()
    #expect(limit.tryEnter())
    #expect(!limit.tryEnter())
  }

  @Test func `a zip keeps its permit while a part of it waits`() {
    let limit = LoadLimit(1)
    let (one, two) = (ManualLoads<Int>(), ManualLoads<Int>())
    let backoff = Backoff(base: .seconds(1), random: { 1 })
    let both = runtime.resource(
      Loader<(Int, Int)>.zip(one.loader.retrying(limit: 2, backoff: backoff), two.loader)
        .limited(by: limit))
    both.load()
    runtime.run()
    one[0].fail(Broken())
    runtime.run()
    #expect(!limit.tryEnter())
    both.cancel()
    two.end()
    runtime.run()
    #expect(limit.tryEnter())
  }

  @Test func `a load that has ended cannot acquire its permit again`() throws {
    let limit = LoadLimit(1)
    let permit = LoadPermit(in: limit)
    #expect(try permit.tryAcquire())
    permit.giveBack()
    permit.end()
    #expect(throws: CancellationError.self) { try permit.tryAcquire() }
    #expect(limit.tryEnter())
  }

  @Test func `a permit is given back when its load fails or is cancelled`() {
    let limit = LoadLimit(1)
    let resource = runtime.resource(loads.loader.limited(by: limit))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    resource.load()
    runtime.run()
    #expect(loads.count == 2)
    resource.load(.restart)
    runtime.run()
    // The cancelled load ignores that: it still works, and holds its permit.
    #expect(resource.activity?.phase == .waiting)
    loads[1].fail(CancellationError())
    runtime.run()
    #expect(loads.count == 3)
    loads[2].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `a subscription gives its permit back when it has delivered, and only once`() {
    let limit = LoadLimit(1)
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let subscription = runtime.resource(Loader(sequence: { stream }).limited(by: limit))
    let other = runtime.resource(loads.loader.limited(by: limit))
    subscription.load()
    runtime.run()
    other.load()
    runtime.run()
    #expect(other.activity?.phase == .waiting)
    continuation.yield(1)
    runtime.run()
    #expect(subscription.activity?.phase == .live)
    #expect(loads.count == 1)
    subscription.cancel()
    runtime.run()
    #expect(!limit.tryEnter())
    loads[0].succeed(1)
    runtime.run()
    #expect(limit.tryEnter())
    #expect(!limit.tryEnter())
  }

  @Test func `other work waits for a permit, too, and is not started once it was cancelled`()
    async throws
  {
    let limit = LoadLimit(1)
    try await confirmation(expectedCount: 0) { started in
      try await limit.withPermit {
        let waiting = Task { try await limit.withPermit { started() } }
        while limit.waitingCount == 0 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
      }
    }
    await #expect(throws: Broken.self) { try await limit.withPermit { throw Broken() } }
    #expect(try await limit.withPermit { 1 } == 1)
  }

  @Test
  func `a load that waits for a permit is given up with its last viewer, a running one is not`() {
    let limit = LoadLimit(1)
    let running = runtime.resource(loads.loader.limited(by: limit))
    let waiting = runtime.resource(loads.loader.limited(by: limit))
    for resource in [running, waiting] { resource.appear() }
    waiting.appear()
    runtime.run()
    waiting.disappear()
    #expect(waiting.isLoading)
    waiting.disappear()
    running.disappear()
    runtime.run()
    #expect(!waiting.isLoading)
    #expect(!waiting.wasCancelled)
    #expect(running.isLoading)
    waiting.appear()
    runtime.run()
    #expect(waiting.activity?.phase == .waiting)
    loads.end()
    runtime.run()
    loads.end()
    runtime.run()
  }

  // MARK: Zip

  @Test func `zipped loaders run in parallel into one state with their mean progress`() {
    let names = ManualLoads<String>()
    let resource = runtime.resource(
      Loader.zip(loads.loader, names.loader).map { "\($0) \($1)" })
    resource.load()
    runtime.run()
    #expect(loads.count == 1 && names.count == 1)
    names[0].context.report(message: "names")
    loads[0].context.report(message: "numbers", fraction: 0.5)
    runtime.run()
    #expect(resource.progress?.percent == 25)
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.progress == LoadingProgress(message: "names", fraction: 0.5))
    names[0].succeed("sock")
    runtime.run()
    #expect(resource.state == .loaded("1 sock"))
  }

  @Test func `the message of a part that has ended, or removed it, is not shown any longer`() {
    let names = ManualLoads<String>()
    let resource = runtime.resource(
      Loader.zip(loads.loader, names.loader).map { "\($0) \($1)" })
    resource.load()
    runtime.run()
    names[0].context.report(message: "Fetching the names")
    loads[0].context.report(message: "Fetching the list")
    loads[0].context.report(message: "")
    runtime.run()
    #expect(resource.progress?.message == "Fetching the names")
    loads[0].context.report(message: "Fetching the list")
    names[0].context.report(message: "", fraction: 0.5)
    runtime.run()
    #expect(resource.progress?.message == "Fetching the list")
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.progress == LoadingProgress(fraction: 0.75))
    names[0].context.report(fraction: 0.75)
    runtime.run()
    #expect(resource.progress == LoadingProgress(fraction: 0.875))
    names[0].succeed("sock")
    runtime.run()
  }

  @Test func `an attempt of a part does not remove the message of another`() {
    let names = ManualLoads<String>()
    let resource = runtime.resource(
      Loader.zip(loads.loader.retrying(limit: 2, backoff: .none), names.loader)
        .map { "\($0) \($1)" })
    resource.load()
    runtime.run()
    names[0].context.report(message: "Fetching the names")
    loads[0].context.report(message: "Fetching the list")
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.progress == LoadingProgress(message: "Fetching the names"))
    loads.end()
    names.end()
    runtime.run()
  }

  @Test func `a zip yields again with each newer value of a part`() {
    let (left, leftEnd) = AsyncStream.makeStream(of: Int.self)
    let (right, rightEnd) = AsyncStream.makeStream(of: Int.self)
    let resource = runtime.resource(
      Loader.zip(Loader(sequence: { left }), Loader(sequence: { right })).map { $0 * 10 + $1 })
    resource.load()
    runtime.run()
    leftEnd.yield(1)
    runtime.run()
    #expect(resource.isLoading)
    rightEnd.yield(2)
    runtime.run()
    #expect(resource.state == .loaded(12))
    #expect(resource.activity?.phase == .live)
    leftEnd.yield(3)
    runtime.run()
    #expect(resource.state == .loaded(32))
    leftEnd.finish()
    rightEnd.finish()
    runtime.run()
    #expect(resource.activity == nil)
  }

  @Test func `a zip of many fails with its first failure and cancels the others`() {
    let all = (0..<4).map { _ in ManualLoads<Int>() }
    let resource = runtime.resource(
      Loader.zip(all[0].loader, all[1].loader, all[2].loader, all[3].loader).map { _ in 0 })
    resource.load()
    runtime.run()
    all[2][0].fail(Broken("third"))
    runtime.run()
    #expect([0, 1, 3].allSatisfy { all[$0][0].isCancelled })
    for loads in all { loads.end() }
    runtime.run()
    #expect(resource.state == .failed(Broken("third")))
  }

  // MARK: Permits

  @Test(arguments: [1, 2])
  func `parts of a load that rest at the same time share its permit`(permits: Int) {
    let limit = LoadLimit(permits)
    let loader = Loader<Int> { context in
      async let one: Void = context.sleep(for: .seconds(1))
      async let other: Void = context.sleep(for: .seconds(1))
      _ = try await (one, other)
      return 1
    }.limited(by: limit)
    for _ in 0..<3 {
      let resource = runtime.resource(loader)
      resource.load()
      runtime.advance(by: .seconds(2))
      #expect(resource.state == .loaded(1))
    }
  }

  @Test func `an error of a map is not lost when the load ends at the same time`() async {
    for _ in 0..<50 {
      let loader = Loader<Int> { _, output in
        output.yield(-1)
        return 1
      }.map { number in
        if number < 0 { throw Broken() }
        return number
      }
      await #expect(throws: Broken()) { try await loader.value() }
    }
  }
}
