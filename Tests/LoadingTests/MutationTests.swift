import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct MutationTests {
  let runtime = ManualRuntime()
  let commits = ManualCalls<[Int], Int>()

  /// Returns a mutation that appends `number`, and whose commit the test answers through `commits`.
  func append(
    _ number: Int, scope: String = "all", field: String? = nil,
    timing: Mutation<[Int]>.Timing = .optimistic, undoWindow: Duration? = nil
  ) -> Mutation<[Int]> {
    Mutation(
      item: number, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
      apply: { $0.append(number) },
      commit: { [commits] in _ = try await commits.call($0) })
  }

  func resource(_ value: [Int] = [0]) -> Resource<[Int]> {
    runtime.resource(initialState: .loaded(value))
  }

  @Test func `a change shows at once and stays when it is stored`() {
    let resource = resource()
    resource.mutate(append(1))
    #expect(resource.state == .loaded([0, 1]))
    #expect(resource.isModifying(1))
    runtime.run()
    commits[0].succeed(0)
    runtime.run()
    #expect(resource.state == .loaded([0, 1]))
    #expect(resource.modifyingIDs.isEmpty)
  }

  @Test func `a rollback removes one change and keeps the newer one`() {
    let resource = resource()
    resource.mutate(append(1, scope: "a"))
    resource.mutate(append(2, scope: "b"))
    runtime.run()
    commits[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .loaded([0, 2]))
    #expect(resource.failedMutations.count == 1)
    commits[1].succeed(0)
    runtime.run()
    #expect(resource.state == .loaded([0, 2]))
  }

  @Test func `changes that fail together are rolled back in one state, with one replay`() async {
    let applied = Lock(0)
    var resource: Resource<[Int]>? = resource()
    let states = resource?.states()
    for number in 0..<20 {
      resource?.mutate(
        item: number,
        apply: { value in
          applied.withLock { $0 += 1 }
          value.append(number)
        },
        commit: { [commits] in _ = try await commits.call($0) })
    }
    runtime.run()
    #expect(applied.withLock { $0 } == 20)
    for call in 5..<20 { commits[call].fail(Broken()) }
    runtime.run()
    // The five that are left are applied once more, together.
    #expect(applied.withLock { $0 } == 25)
    for call in 0..<5 { commits[call].succeed(0) }
    runtime.run()
    #expect(resource?.state == .loaded([0, 0, 1, 2, 3, 4]))
    resource = nil
    let seen = (0...20).map { LoadingState.loaded([0] + Array(0..<$0)) }
    await expectStates(states, seen + [.loaded([0, 0, 1, 2, 3, 4])])
  }

  @Test func `changes of one scope are committed one after the other`() {
    let resource = resource()
    resource.mutate(append(1))
    resource.mutate(append(2))
    runtime.run()
    #expect(commits.count == 1)
    #expect(resource.state == .loaded([0, 1, 2]))
    commits[0].succeed(0)
    runtime.run()
    #expect(commits.count == 2)
    commits.end()
    runtime.run()
  }

  @Test func `a waiting change is superseded by a newer one of its field`() {
    let resource = resource()
    resource.mutate(append(1, field: "f"))
    resource.mutate(append(2, field: "f"))
    resource.mutate(append(3, field: "f"))
    #expect(resource.state == .loaded([0, 1, 3]))
    runtime.run()
    commits[0].succeed(0)
    runtime.run()
    commits[1].succeed(0)
    runtime.run()
    #expect(commits.count == 2)
    #expect(resource.state == .loaded([0, 1, 3]))
  }

  @Test func `a change can be undone in its window and not after`() throws {
    let resource = resource()
    let first = try #require(resource.mutate(append(1, undoWindow: .seconds(5))))
    runtime.advance(by: .seconds(4))
    #expect(commits.count == 0)
    #expect(resource.undo(first))
    #expect(resource.state == .loaded([0]))
    let second = try #require(resource.mutate(append(2, undoWindow: .seconds(5))))
    runtime.advance(by: .seconds(5))
    #expect(commits.count == 1)
    #expect(!resource.undo(second))
    commits[0].succeed(0)
    runtime.run()
    #expect(resource.state == .loaded([0, 2]))
  }

  @Test func `quitting ends undo windows and commits their changes`() {
    let resource = resource()
    resource.mutate(append(1, undoWindow: .seconds(5)))
    resource.commitHeldMutations()
    runtime.run()
    #expect(commits.count == 1)
    #expect(runtime.clock.sleeperCount == 0)
    commits.end()
    runtime.run()
  }

  @Test(.timeLimit(.minutes(10)))
  func `quitting waits for commits, and not for the loads that run`() async {
    let loads = ManualLoads<[Int]>()
    let resource = runtime.resource(loads.loader, initialState: .loaded([0]))
    resource.mutate(append(1))
    resource.load()
    runtime.run()
    let waiting = Task.immediate { await resource.mutationsSettled() }
    commits[0].succeed(0)
    runtime.run()
    #expect(await waiting.value)
    #expect(!resource.hasPendingMutations)
    #expect(resource.isLoading)
    for _ in 0..<2 {
      loads.end()
      runtime.run()
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `quitting waits for commits no longer than its limit`() async {
    let resource = runtime.resource(initialState: .loaded([0]))
    resource.mutate(append(1))
    runtime.run()
    let waiting = Task.immediate { await resource.mutationsSettled(within: .seconds(2)) }
    runtime.advance(by: .seconds(2))
    #expect(await !waiting.value)
    let others = Task.immediate { await resource.mutationsSettled(within: .seconds(2)) }
    commits[0].succeed(0)
    runtime.run()
    #expect(await others.value)
    #expect(await resource.mutationsSettled(within: .zero))
  }

  @Test func `the answer of the server replaces the patch`() {
    let resource = resource()
    resource.mutate(
      apply: { $0.append(1) }, commit: { [commits] in try await commits.call($0) },
      confirm: { value, answer in value.append(answer) })
    runtime.run()
    commits[0].succeed(7)
    runtime.run()
    #expect(resource.state == .loaded([0, 7]))
  }

  @Test func `a confirmed change shows only when it is stored`() {
    let resource = resource()
    resource.mutate(append(1, timing: .confirmed))
    #expect(resource.state == .loaded([0]))
    #expect(resource.isModifying(1))
    runtime.run()
    commits[0].succeed(0)
    runtime.run()
    #expect(resource.state == .loaded([0, 1]))
  }

  @Test func `a failed change is retried with the same arguments`() {
    let resource = resource()
    resource.mutate(append(1))
    runtime.run()
    commits[0].fail(Broken())
    runtime.run()
    let id = resource.failedMutations[0].id
    resource.retryMutation(id)
    #expect(resource.state == .loaded([0, 1]))
    #expect(resource.failedMutations.isEmpty)
    runtime.run()
    commits[1].succeed(0)
    runtime.run()
    #expect(resource.state == .loaded([0, 1]))
  }

  @Test func `only the newest of several failed changes of a field is kept`() {
    let resource = resource()
    for number in 1...3 {
      resource.mutate(append(number, field: "f"))
      runtime.run()
      commits[number - 1].fail(Broken())
      runtime.run()
      #expect(resource.failedMutations.map(\.item) == [MutationKey(number)])
    }
    resource.retryMutation(resource.failedMutations[0].id)
    #expect(resource.state == .loaded([0, 3]))
    runtime.run()
    commits[3].succeed(0)
    runtime.run()
    #expect(resource.failedMutations.isEmpty)
  }

  @Test func `a newer success of its field removes a failed change`() {
    let resource = resource()
    resource.mutate(append(1, field: "f"))
    runtime.run()
    commits[0].fail(Broken())
    runtime.run()
    resource.mutate(append(2, field: "f"))
    runtime.run()
    commits[1].succeed(0)
    runtime.run()
    #expect(resource.failedMutations.isEmpty)
  }

  @Test func `a reset makes pending changes fail, and loses none`() {
    let resource = resource()
    resource.mutate(append(1))
    resource.mutate(append(2, scope: "b", undoWindow: .seconds(5)))
    runtime.run()
    resource.reset()
    #expect(resource.state == .idle)
    #expect(resource.failedMutations.map(\.item) == [MutationKey(1), MutationKey(2)])
    #expect(commits[0].isCancelled)
    runtime.run()
    #expect(runtime.clock.sleeperCount == 0)
    commits.end()
    runtime.run()
    #expect(resource.failedMutations.count == 2)
  }

  @Test func `a commit that has not begun is not carried out after a reset`() {
    let resource = resource()
    resource.mutate(append(1))
    resource.reset()
    runtime.run()
    #expect(commits.count == 0)
    #expect(resource.failedMutations.map(\.item) == [MutationKey(1)])
    resource.set(.loaded([0]))
    resource.mutate(append(2))
    resource.set(.idle)
    runtime.run()
    #expect(commits.count == 0)
    #expect(resource.failedMutations.count == 2)
  }

  @Test func `a reload that overlaps a commit is dropped and runs again once`() {
    let loads = ManualLoads<[Int]>()
    let resource = runtime.resource(loads.loader, initialState: .loaded([0]))
    resource.load()
    runtime.run()
    resource.mutate(append(1))
    runtime.run()
    loads[0].succeed([9])
    runtime.run()
    #expect(resource.state == .loaded([0, 1]))
    #expect(resource.isLoading)
    commits[0].succeed(0)
    runtime.run()
    #expect(loads.count == 2)
    #expect(loads[1].context.cause == .mutation)
    #expect(resource.state == .loaded([0, 1]))
    loads[1].succeed([9, 1])
    runtime.run()
    #expect(resource.state == .loaded([9, 1]))
    #expect(!resource.isLoading)
  }

  @Test(arguments: [false, true])
  func `a reload that is requested during a commit runs even if the last view leaves`(
    isAnswered: Bool
  ) {
    let loads = ManualLoads<[Int]>()
    let resource = runtime.resource(loads.loader, initialState: .loaded([0]))
    resource.appear()
    resource.mutate(append(1))
    resource.load()
    runtime.run()
    if isAnswered {
      loads[0].succeed([9])
      runtime.run()
      #expect(resource.activity?.phase == .waiting)
    }
    resource.disappear()
    commits[0].succeed(0)
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed([9, 1])
    loads.end()
    runtime.run()
    #expect(resource.state == .loaded([9, 1]))
  }

  @Test func `a failure is reported even if the program has released its resource`() async {
    let inbox = FailedMutation.Inbox()
    var resource: Resource<[Int]>? = Resource(
      initialState: .loaded([0]), mutationFailures: inbox, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    resource?.mutate(append(1))
    resource = nil
    runtime.run()
    commits[0].fail(Broken("x"))
    runtime.run()
    var failures = inbox.failures.makeAsyncIterator()
    #expect(await failures.next()?.error as? Broken == Broken("x"))
  }

  @Test(arguments: [true, false])
  func `whether a failure is answered outlives its resource`(isAnswered: Bool) async throws {
    let inbox = FailedMutation.Inbox()
    var resource: Resource<[Int]>? = Resource(
      initialState: .loaded([0]), mutationFailures: inbox, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    resource?.mutate(append(1))
    runtime.run()
    commits[0].fail(Broken("x"))
    runtime.run()
    var failures = inbox.failures.makeAsyncIterator()
    let failure = try #require(await failures.next())
    #expect(failure.isCurrent())
    if isAnswered { failure.dismiss() }
    resource = nil
    #expect(failure.isCurrent() == !isAnswered)
  }

  @Test func `a failure in an inbox is retried although its screen was left`() async throws {
    let inbox = FailedMutation.Inbox()
    var resource: Resource<[Int]>? = Resource(
      initialState: .loaded([0]), mutationFailures: inbox, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    weak var left = resource
    resource?.mutate(append(1))
    runtime.run()
    commits[0].fail(Broken("x"))
    runtime.run()
    resource = nil
    do {
      var failures = inbox.failures.makeAsyncIterator()
      let failure = try #require(await failures.next())
      failure.retry?()
      #expect(!failure.isCurrent())
      runtime.run()
      try #require(commits.count == 2)
      commits[1].succeed(0)
      runtime.run()
    }
    #expect(left == nil)
  }

  @Test func `a failure that was tried again and failed again is another one`() async throws {
    let inbox = FailedMutation.Inbox()
    let resource = Resource(
      initialState: .loaded([0]), mutationFailures: inbox, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    resource.mutate(append(1))
    runtime.run()
    commits[0].fail(Broken("x"))
    runtime.run()
    var failures = inbox.failures.makeAsyncIterator()
    let first = try #require(await failures.next())
    first.retry?()
    #expect(!first.isCurrent())
    runtime.run()
    commits[1].fail(Broken("y"))
    runtime.run()
    let second = try #require(await failures.next())
    #expect(second.isCurrent() && !first.isCurrent())
    #expect(resource.failedMutations.map { $0.isCurrent() } == [true])
  }

  private struct Refused: RetryAdvice {
    var isRetryable: Bool { false }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a failure that cannot be retried is dismissed, also after its screen was left`()
    async throws
  {
    let inbox = FailedMutation.Inbox()
    let journal = MemoryJournal()
    let send = MutationOutbox.Handler<Int>("send") { [commits] number, _ in
      _ = try await commits.call([number])
    }
    let outbox = MutationOutbox(
      journal, handlers: send, attempts: 1, clock: runtime.clock.any, scheduler: runtime.scheduler)
    weak let left: Resource<[Int]>?
    do {
      let resource = Resource(
        initialState: .loaded([0]), mutationFailures: inbox, clock: runtime.clock.any,
        scheduler: runtime.scheduler)
      left = resource
      resource.mutate(apply: { $0.append(1) }) { _ in
        try await outbox.commit(send, 1, scope: "a")
      }
    }
    await runtime.run { commits.count == 1 }
    commits[0].fail(Refused())
    await runtime.run { outbox.failed.count == 1 && left?.hasPendingMutations != true }
    do {
      var failures = inbox.failures.makeAsyncIterator()
      let failure = try #require(await failures.next())
      #expect(failure.retry == nil)
      failure.dismiss()
      #expect(!failure.isCurrent())
    }
    await runtime.run { outbox.failed.isEmpty }
    #expect(journal.rows.isEmpty)
    #expect(left == nil)
  }
}
