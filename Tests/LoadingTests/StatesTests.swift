import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct StatesTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  @Test func `any number of observers get the latest state and all that follow`() async {
    var resource: Resource<Int>? = runtime.resource(loads.loader)
    let early = resource?.states()
    resource?.load()
    runtime.run()
    let late = resource?.states()
    loads[0].context.report(fraction: 0.5)
    loads[0].succeed(1)
    runtime.run()
    resource?.set(.idle)
    resource = nil
    let half = LoadingState<Int>.loading(LoadingProgress(fraction: 0.5))
    #expect(await all(early) == [.idle, .loading, half, .loaded(1), .idle])
    #expect(await all(late) == [.loading, half, .loaded(1), .idle])
  }

  @Test func `every change within one turn is a state of its own`() async {
    var resource: Resource<Int>? = runtime.resource()
    let states = resource?.states()
    for value in 1...3 { resource?.set(.loaded(value)) }
    resource = nil
    #expect(await all(states) == [.idle, .loaded(1), .loaded(2), .loaded(3)])
  }

  @Test func `a slow reader gets the newest 256 states`() async {
    var resource: Resource<Int>? = runtime.resource()
    let states = resource?.states()
    for value in 1...1000 { resource?.set(.loaded(value)) }
    resource = nil
    let kept = await all(states)
    #expect(kept.count == 256)
    #expect(kept.first == .loaded(745))
    #expect(kept.last == .loaded(1000))
  }

  @Test func `a reload over content is not a new state`() async {
    var resource: Resource<Int>? = runtime.resource(loads.loader, initialState: .loaded(1))
    let states = resource?.states()
    resource?.load()
    runtime.run()
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    resource?.cancel()
    resource = nil
    loads.end()
    runtime.run()
    #expect(await all(states) == [.loaded(1)])
  }

  @Test func `a reset is one state, in which pending changes have failed`() async {
    let commits = ManualCalls<Int, Void>()
    var resource: Resource<Int>? = runtime.resource(initialState: .loaded(1))
    resource?.mutate(apply: { $0 += 1 }, commit: { try await commits.call($0) })
    runtime.run()
    let updates = resource?.updates()
    resource?.reset()
    resource = nil
    commits.end()
    runtime.run()
    var failures: [Int] = []
    if let updates { for await update in updates { failures.append(update.failedMutationCount) } }
    #expect(failures == [0, 1])
  }

  @Test func `an update has the running load, the failure and the number of pending changes`() async
  {
    var resource: Resource<Int>? = runtime.resource(loads.loader, initialState: .loaded(1))
    let updates = resource?.updates()
    let states = resource?.states()
    resource?.load()
    runtime.run()
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    let commits = ManualCalls<Int, Void>()
    resource?.mutate(apply: { $0 += 1 }, commit: { try await commits.call($0) })
    runtime.run()
    commits[0].succeed()
    runtime.run()
    resource = nil
    #expect(await all(states) == [.loaded(1), .loaded(1), .loaded(2)])
    let all = await all(updates)
    #expect(
      all.map(\.strictState) == [
        .loaded(1), .loading(nil), .loading(LoadingProgress(fraction: 0.5)), .failed(Broken()),
        .failed(Broken()), .failed(Broken()),
      ])
    let words = all.map { update in
      let failed = update.failure == nil ? "" : ", failed"
      let unsaved = update.pendingMutationCount == 0 ? "" : ", unsaved"
      let running =
        update.activity == nil ? "" : ", running \(update.progress?.percent.map { "\($0)" } ?? "")"
      return "\(update.state.value ?? 0)\(running)\(failed)\(unsaved)"
    }
    #expect(
      words == [
        "1", "1, running ", "1, running 50", "1, failed", "2, failed, unsaved", "2, failed",
      ])
  }

  @Test func `a task that waits for a load gets its outcome`() async {
    let resource = runtime.resource(loads.loader)
    resource.load()
    runtime.run()
    let waiting = Task.immediate { await resource.settled() }
    loads[0].succeed(7)
    runtime.run()
    #expect(await waiting.value == .loaded(7))
  }

  @Test func `a cancelled wait returns at once and does not end the load`() async {
    let resource = runtime.resource(loads.loader)
    let waiting = Task.immediate { await resource.refresh() }
    runtime.run()
    waiting.cancel()
    runtime.run()
    #expect(await waiting.value == .loading)
    #expect(resource.isLoading)
    #expect(!loads[0].isCancelled)
    loads.end()
    runtime.run()
  }

  @Test func `a dropped load is not waited for, a joined one is`() async {
    let resource = runtime.resource(loads.loader)
    resource.load()
    runtime.run()
    #expect(await resource.refresh(.drop) == .loading)
    let joined = Task.immediate { await resource.refresh(.join) }
    loads[0].succeed(1)
    runtime.run()
    #expect(await joined.value == .loaded(1))
    #expect(loads.count == 1)
  }

  private func all<State>(_ states: AsyncStream<State>?) async -> [State] {
    var all: [State] = []
    guard let states else { return [] }
    for await state in states { all.append(state) }
    return all
  }
}
