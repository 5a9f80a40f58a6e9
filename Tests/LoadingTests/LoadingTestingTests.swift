import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind, .timeLimit(.minutes(10))) struct LoadingTestingTests {
  let runtime = ManualRuntime()

  @Test func `waiting for a condition that never becomes true ends when the task is cancelled`()
    async
  {
    let waiting = Task { await ManualRuntime().run(until: { false }) }
    waiting.cancel()
    await waiting.value
  }

  @Test func `time stops at every sleeper, so that whatever follows starts at its own time`() {
    let resource = runtime.resource(
      Loader<Duration> { context in
        for _ in 0..<3 {
          try await context.clock.sleep(until: context.clock.now.advanced(by: .seconds(1)))
          context.report(message: "\(context.clock.now.offset)")
        }
        return context.clock.now.offset
      })
    resource.load()
    runtime.advance(by: .seconds(10))
    #expect(resource.state == .loaded(.seconds(3)))
  }

  @Test func `sleepers wake in the order of their deadlines`() async {
    let clock = runtime.clock
    var woken: [Int] = []
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try? await clock.sleep(for: .seconds(seconds))
        woken.append(seconds)
      }
    }
    await runtime.run { clock.sleeperCount == 3 }
    #expect(clock.nextDeadline == .ms(1000))
    for count in 1...3 {
      clock.advance(by: .seconds(1))
      await runtime.run { woken.count == count }
    }
    #expect(woken == [1, 2, 3])
    for task in tasks { await task.value }
  }

  @Test func `a sleep that is cancelled ends, before or after it began`() async {
    let clock = runtime.clock
    let early = Task { try await clock.sleep(for: .seconds(1)) }
    early.cancel()
    await #expect(throws: CancellationError.self) { try await early.value }
    let late = Task { try await clock.sleep(for: .seconds(1)) }
    await runtime.run { clock.sleeperCount == 1 }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a task on the main actor runs while the test waits for a condition`() async {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    var seen: [LoadingState<Int>] = []
    let loop = Task {
      for await state in resource.states() {
        seen.append(state)
        if state.isLoaded { break }
      }
    }
    await runtime.run { seen.count == 1 }
    resource.load()
    runtime.run()
    loads[0].succeed(1)
    await runtime.run { seen.last == .loaded(1) }
    await loop.value
    #expect(seen == [.idle, .loading, .loaded(1)])
  }

  @Test func `leftovers are counted`() {
    let other = ManualRuntime()
    let loads = ManualLoads<Int>()
    let resource = other.resource(loads.loader.timeout(.seconds(5)))
    resource.load()
    other.run()
    #expect(other.leftovers == "1 resources, 1 sleepers, 3 tasks")
    resource.cancel()
    loads.end()
    other.run()
    #expect(other.leftovers == "1 resources")
  }

  @Test func `scripts are played in turn, and the last one repeatedly`() {
    let resource = runtime.resource(
      Loader.scripted(inTurn: [[.at(.zero, .failed(Broken()))], [.at(.seconds(1), .loaded(2))]]))
    resource.load()
    runtime.run()
    #expect(resource.state == .failed(Broken()))
    for _ in 0..<2 {
      resource.retry()
      runtime.advance(by: .seconds(1))
      #expect(resource.state == .loaded(2))
    }
  }

  @Test func `a line of a script without progress has no message of the line before`() {
    let resource = runtime.resource(
      Loader<Int>.scripted([
        .at(.zero, .loading(LoadingProgress(message: "Fetching"))), .at(.seconds(1), .loading),
      ]))
    resource.load()
    runtime.run()
    #expect(resource.progress?.message == "Fetching")
    runtime.advance(by: .seconds(1))
    #expect(resource.progress == LoadingProgress())
  }

  @Test func `a script without an end runs until it is cancelled`() {
    let resource = runtime.resource(Loader<Int>.scripted([.at(.seconds(1), .loading)]))
    resource.load()
    runtime.advance(by: .seconds(86_400))
    #expect(resource.isLoading)
    resource.cancel()
    runtime.run()
    #expect(runtime.clock.sleeperCount == 0)
  }

  @Test func `a difference between states is described`() async {
    var resource: Resource<Int>? = runtime.resource(initialState: .loaded(1))
    let states = [resource?.states(), resource?.states(), resource?.states()].compactMap { $0 }
    resource = nil
    #expect(await difference(of: states[0], from: [.loaded(1)]) == nil)
    #expect(await difference(of: states[1], from: [.idle]) == "state 0 is loaded(1), not idle")
    #expect(
      await difference(of: states[2], from: [.loaded(1), .idle]) == "there are 1 states, not 2")
  }
}
