import LoadingTesting
import Testing

@testable import Loading

/// Faults that are common in other loading-state code, each with a test that this library has none.
@MainActor
@Suite(.leavesNothingBehind) struct KnownFaultTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  /// If each load is a task that sets a property, the slowest answer wins, not the newest.
  @Test func `an older answer never replaces a newer one`() {
    let resource = runtime.resource(loads.loader)
    resource.load()
    runtime.run()
    resource.load(.restart)
    runtime.run()
    loads[1].succeed(2)
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(2))
    let last = resource.history.last
    if case .discarded? = last?.event {} else { Issue.record("\(last as Any)") }
  }

  /// Catching `CancellationError` like any other error shows an error panel to a user who pressed
  /// Esc.
  @Test func `a cancelled reload does not turn a loaded value into a failure`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load()
    runtime.run()
    resource.cancel()
    loads[0].fail(CancellationError())
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.currentFailure == nil)
    #expect(resource.failure == nil)
  }

  /// Setting `loading` at the start and the result at the end leaves `loading` forever if the task
  /// is cancelled in between.
  @Test func `cancelling does not leave the state loading forever`() {
    let resource = runtime.resource(loads.loader)
    resource.load()
    runtime.run()
    resource.cancel()
    #expect(resource.state == .idle)
    #expect(resource.wasCancelled)
    #expect(!resource.isLoading)
    loads.end()
    runtime.run()
    #expect(resource.state == .idle)
  }

  /// A counter of attempts that is never reset is used up for good: after three failures the retry
  /// button does nothing.
  @Test func `a retry by the user has all attempts again`() {
    let resource = runtime.resource(loads.loader.retrying(limit: 2, backoff: .none))
    for round in 0..<3 {
      if round == 0 { resource.load() } else { resource.retry() }
      for attempt in 0..<2 {
        runtime.run()
        #expect(resource.activity?.attempt == attempt + 1)
        loads[round * 2 + attempt].fail(Broken())
      }
      runtime.run()
      #expect(resource.failure?.failureCount == round + 1)
    }
    #expect(loads.count == 6)
  }

  /// A semaphore that frees its permit before it wakes the next waiter lets another task take it,
  /// too; one that still counts a cancelled waiter blocks forever.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a limit of one load never lets two run and never blocks, even under contention`(
    seed: UInt64
  ) {
    var random = Seeded(seed)
    let limit = LoadLimit(1)
    let resources = (0..<8).map { _ in runtime.resource(loads.loader.limited(by: limit)) }
    var answered = 0
    for _ in 0..<60 {
      let resource = resources[random.below(resources.count)]
      if random.chance(30) { resource.cancel() } else { resource.load() }
      if random.chance(50) { runtime.run() }
      #expect(loads.count - answered <= 1)
      if random.chance(40), answered < loads.count {
        loads[answered].succeed(1)
        answered += 1
      }
    }
    for resource in resources { resource.load() }
    for _ in 0..<20 {
      runtime.run()
      loads.end()
    }
    runtime.run()
    #expect(resources.allSatisfy { !$0.isLoading })
    #expect(limit.waitingCount == 0)
  }

  /// If a load counts as the first one only until a second loading event, that event turns the
  /// placeholder into an empty page.
  @Test func `two loading events in a row do not end the initial loading`() {
    let resource = runtime.resource(loads.loader)
    resource.set(.loading)
    resource.load(.restart)
    resource.load(.restart)
    #expect(resource.state.isLoading)
    runtime.run()
    loads[1].context.report(fraction: 0.1)
    loads[1].context.report(fraction: 0.2)
    runtime.run()
    #expect(resource.state.isLoading)
    loads.end()
    runtime.run()
    #expect(!resource.state.isLoading)
  }

  /// One enum for the whole state cannot hold a value and a failure at once.
  @Test func `a failed refresh does not lose the value`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.failure?.error as? Broken == Broken())
  }

  /// If mutations insert the id of their item into a set and remove it at their end, the set is
  /// empty when the first of two has ended.
  @Test func `the first of two mutations of one id to end does not clear the spinner`() {
    let commits = ManualCalls<Int, Void>()
    let resource = runtime.resource(initialState: .loaded(0))
    for scope in ["left", "right"] {
      resource.mutate(
        Mutation(item: 7, scope: scope, apply: { $0 += 1 }, commit: { try await commits.call($0) }))
    }
    runtime.run()
    commits[1].succeed()
    runtime.run()
    #expect(resource.isModifying(7))
    commits[0].succeed()
    runtime.run()
    #expect(!resource.isModifying(7))
  }

  /// A `didSet` that saves, or a closure that captured the item when the view was made, sends the
  /// value from before the change.
  @Test func `a change sends the new value, even if it waits behind others`() {
    let commits = ManualCalls<Int, Void>()
    let resource = runtime.resource(initialState: .loaded(0))
    for change in [1, 10, 100] {
      resource.mutate(apply: { $0 += change }, commit: { try await commits.call($0) })
    }
    for number in 0..<3 {
      runtime.run()
      commits[number].succeed()
    }
    runtime.run()
    #expect(commits.inputs == [1, 11, 111])
  }

  /// Restoring the copy that was made before a change also undoes all newer changes.
  @Test func `a rollback does not wipe a newer change`() {
    let commits = ManualCalls<[Int], Void>()
    let resource = runtime.resource(initialState: .loaded([0]))
    for change in [1, 2] {
      resource.mutate(
        Mutation(
          scope: change, apply: { $0.append(change) }, commit: { try await commits.call($0) }))
    }
    runtime.run()
    commits[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .loaded([0, 2]))
    commits[1].succeed()
    runtime.run()
    #expect(resource.state == .loaded([0, 2]))
  }

  /// `case (.loaded, .loaded): true` makes a view that compares states miss every new value.
  @Test func `equality does not ignore the value or the error`() {
    #expect(LoadingState.loaded(1) != .loaded(2))
    #expect(LoadingState<Int>.failed(Broken("a")) != .failed(Broken("b")))
  }

  /// If a view's body creates the loader and the state with it, each evaluation loses the loaded
  /// value.
  @Test func `a loader that a view creates again does not lose the loaded value`() {
    let pool = ResourcePool<Int, Int>(
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { [loads] _ in loads.loader }
    func evaluate() -> LoadingState<Int> {
      let resource = pool[1]
      resource.prefetch()
      return resource.state
    }
    _ = evaluate()
    runtime.run()
    loads[0].succeed(5)
    runtime.run()
    #expect(evaluate() == .loaded(5))
    runtime.run()
    #expect(loads.count == 1)
  }

  /// A mutation whose row is drawn from the server's list vanishes between its commit and the list
  /// that contains it.
  @Test func `a mutation that overlaps a reload never vanishes for an instant`() async {
    let commits = ManualCalls<[Int], Void>()
    let lists = ManualLoads<[Int]>()
    var resource: Resource<[Int]>? = runtime.resource(lists.loader, initialState: .loaded([0]))
    resource?.mutate(apply: { $0.append(1) }, commit: { try await commits.call($0) })
    let states = resource?.states()
    resource?.load()
    runtime.run()
    lists[0].succeed([0])
    runtime.run()
    commits[0].succeed()
    runtime.run()
    lists[1].succeed([0, 1])
    runtime.run()
    resource = nil
    var seen: [[Int]?] = []
    if let states { for await state in states { seen.append(state.value) } }
    #expect(seen.allSatisfy { $0 == [0, 1] })
    #expect(seen.count == 2)
  }

  @Test func `a task that waits for the end of a load is not woken by its progress`() {
    let loads = ManualLoads<Int>()
    let resource = runtime.resource(loads.loader)
    resource.load()
    runtime.run()
    let settlement = resource.settlementOfLoad
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(settlement?.reached == nil)
    loads[0].succeed(1)
    runtime.run()
    #expect(settlement?.reached != nil)
  }
}
