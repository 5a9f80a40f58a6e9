import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct MutationOutcomeTests {
  let runtime = ManualRuntime()
  let commits = ManualCalls<[Int], Void>()
  let resource: Resource<[Int]>

  init() {
    resource = runtime.resource(initialState: .loaded([]))
  }

  @discardableResult
  private func append(
    _ number: Int, field: String? = nil, undoWindow: Duration? = nil
  ) -> PendingMutation.ID? {
    resource.mutate(
      field: field, undoWindow: undoWindow, apply: { $0.append(number) },
      commit: { [commits] in try await commits.call($0) })
  }

  /// Begins to wait for the outcome, calls `meanwhile`, and returns the outcome.
  private func outcome(
    of id: PendingMutation.ID?, meanwhile: @escaping @MainActor () -> Void
  ) async throws -> Bool {
    let id = try #require(id)
    let task = Task { try await resource.outcome(of: id) }
    await Task { @MainActor in meanwhile() }.value
    let result = Lock<Result<Bool, any Error>?>(nil)
    Task { [result] in
      let value = await task.result
      result.withLock { $0 = value }
    }
    await runtime.run { result.withLock { $0 != nil } }
    return try await task.value
  }

  @Test func `the outcome of a stored change is true`() async throws {
    let isStored = try await outcome(of: append(1)) { [runtime, commits] in
      runtime.run()
      commits[0].succeed(())
    }
    #expect(isStored)
  }

  @Test func `the outcome of a change that fails is its error`() async throws {
    let id = append(1)
    await #expect(throws: Broken.self) {
      _ = try await outcome(of: id) { [runtime, commits] in
        runtime.run()
        commits[0].fail(Broken())
      }
    }
    // The outcome is also known to a task that waits for it after the failure.
    await #expect(throws: Broken.self) { _ = try await outcome(of: id) {} }
  }

  @Test func `the outcome of a change that was undone or superseded is false`() async throws {
    let undone = append(1, undoWindow: .seconds(5))
    let ofUndone = try await outcome(of: undone) { [resource] in
      if let undone { resource.undo(undone) }
    }
    #expect(!ofUndone)
    let replaced = append(1, field: "name", undoWindow: .seconds(5))
    let ofReplaced = try await outcome(of: replaced) {
      append(2, field: "name", undoWindow: .seconds(5))
    }
    #expect(!ofReplaced)
    resource.reset()
    runtime.run()
    let ofUnknown = try await resource.outcome(of: PendingMutation.ID(number: 99))
    #expect(!ofUnknown)
  }

  @Test func `a change that a later one includes has the outcome of the later one`() async throws {
    let whole = resource.access(undoWindow: .seconds(5)) { [commits] in
      try await commits.call($0.value)
    }
    let access = try #require(whole)
    let first = access.modify { $0.append(1) }
    let isStored = try await outcome(of: first) { [runtime, commits, resource] in
      access.modify { $0.append(2) }
      resource.commitHeldMutations()
      runtime.run()
      commits[0].succeed(())
    }
    #expect(isStored)
    #expect(commits.inputs == [[1, 2]])
  }

  @Test func `a commit can have a timeout and further attempts`() {
    let mutation = Mutation<[Int]>(
      apply: { $0.append(1) }, commit: { [commits] in try await commits.call($0) })
    resource.mutate(
      mutation.committing { $0.timeout(.seconds(5)).retrying(limit: 2, backoff: .none) })
    runtime.advance(by: .seconds(5))
    #expect(commits.count == 2)
    #expect(commits[0].isCancelled)
    #expect(resource.hasPendingMutations)
    commits[1].succeed(())
    runtime.run()
    #expect(!resource.hasPendingMutations)
    #expect(resource.state == .loaded([1]))
    commits.end()
    runtime.run()

    resource.mutate(
      mutation.committing { $0.timeout(.seconds(5)).retrying(limit: 2, backoff: .none) })
    runtime.advance(by: .seconds(10))
    #expect(resource.failedMutations.first?.error is LoadingError)
    #expect(resource.state == .loaded([1]))
    // A retry by the user has the full number of attempts again.
    if let failed = resource.failedMutations.first { resource.retryMutation(failed.id) }
    runtime.advance(by: .seconds(5))
    #expect(commits.count == 6)
    commits[5].succeed(())
    runtime.run()
    #expect(resource.state == .loaded([1, 1]))
    commits.end()
    runtime.run()
  }

  @Test func `a reset ends waiting for all changes of a field`() async throws {
    let first = append(1, field: "a")
    append(2, field: "a")
    runtime.run()
    await #expect(throws: LoadingError.valueReset) {
      try await outcome(of: first) { [resource, commits] in
        resource.reset()
        commits.end()
      }
    }
  }

  @Test func `failed changes that are merged keep the order in which they were made`() throws {
    let now = AnyClock.Instant.ms(0)
    var log = MutationLog()
    log.accept(HeldValue([Int]()), isSame: nil)
    var ids: [PendingMutation.ID] = []
    for number in 1...4 {
      var mutation = Mutation<[Int]>(field: "a", apply: { $0.append(number) }) { _ in }.held
      mutation.mergesWithWaiting = true
      ids.append(try #require(log.begin(mutation, at: now)?.id))
      #expect(log.keep(ids[number - 1], at: now) != nil)
    }
    for index in [0, 3, 2, 1] { #expect(log.fail(ids[index], Broken(), at: now) != nil) }
    #expect(log.retry(ids[3], at: now) != nil)
    #expect(log.patches.value?.value(as: [Int].self) == [1, 2, 3, 4])
  }

  @Test func `failures without a journal leave only the newest one of a field behind`() throws {
    let now = AnyClock.Instant.ms(0)
    var log = MutationLog()
    log.accept(HeldValue([Int]()), isSame: nil)
    for number in 1...3 {
      let mutation = Mutation<[Int]>(field: "a", apply: { $0 = [number] }) { _ in }.held
      let id = try #require(log.begin(mutation, at: now)?.id)
      #expect(log.fail(id, Broken(), at: now) != nil)
    }
    #expect(log.failed.map(\.records.count) == [1])
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `the newer one of two failed changes of a field stays, whichever fails first`(order: [Int])
    async throws
  {
    var ids: [PendingMutation.ID] = []
    for number in 1...2 {
      ids.append(try #require(append(number, field: "a")))
      runtime.run()
      resource.apply(.kept(ids[number - 1], needsReload: false))
    }
    runtime.run()
    await #expect(throws: Broken("\(order[1])")) {
      try await outcome(of: ids[0]) { [resource, ids] in
        for index in order {
          resource.apply(.commitFailed(ids[index], Broken("\(order[1])")))
        }
      }
    }
    #expect(resource.failedMutations.map(\.id) == [ids[1]])
    #expect(resource.state == .loaded([]))
    commits.end()
    runtime.run()
  }

  @Test func `the newest failed change of an element is found by the element`() {
    let resource = runtime.resource(initialState: .loaded([1]))
    let commits = ManualCalls<Int, Void>()
    for item in [1, 2, 1] {
      resource.mutate(item: item, apply: { _ in }) { _ in try await commits.call(item) }
    }
    for commit in 0..<3 {
      runtime.run()
      commits[commit].fail(Broken("\(commit)"))
    }
    runtime.run()
    #expect(resource.failedMutation(of: 1)?.error as? Broken == Broken("2"))
    #expect(resource.failedMutation(of: 3)?.id == nil)
    resource.failedMutation(of: 1)?.dismiss()
    #expect(resource.failedMutation(of: 1)?.error as? Broken == Broken("0"))
  }

  @Test(.timeLimit(.minutes(10)))
  func `quitting does not wait for changes that are in a journal`() async {
    let point = Lock<CommitPoint?>(nil)
    resource.mutate(apply: { $0.append(1) }) { [commits] value in
      point.withLock { $0 = CommitPoint.current }
      try await commits.call(value)
    }
    runtime.run()
    let waiting = Task.immediate { await resource.mutationsSettled() }
    point.withLock { $0?.pass(false) }
    runtime.run()
    #expect(await waiting.value)
    #expect(resource.pendingMutations.map(\.phase) == [.kept])
    #expect(await runtime.scheduler.mutationsSettled())
    // Unless it is told to.
    let sending = Task.immediate { await resource.mutationsSent() }
    let hurried = Task.immediate { await resource.mutationsSent(within: .seconds(1)) }
    runtime.advance(by: .seconds(1))
    #expect(await hurried.value == false)
    commits.end()
    point.withLock { $0 = nil }
    runtime.run()
    #expect(await sending.value)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a scheduler ends the undo windows of all its resources, and waits for their commits`()
    async
  {
    let texts = ManualCalls<String, Void>()
    // The program keeps no reference to it.
    runtime.resource(initialState: .loaded("a")).mutate(
      undoWindow: .seconds(5), apply: { $0 += "b" }, commit: { try await texts.call($0) })
    append(1, undoWindow: .seconds(5))
    runtime.scheduler.commitHeldMutations()
    runtime.run()
    let waiting = Task.immediate { await runtime.scheduler.mutationsSettled(within: .seconds(2)) }
    commits[0].succeed()
    runtime.advance(by: .seconds(2))
    #expect(await !waiting.value)
    let others = Task.immediate { await runtime.scheduler.mutationsSettled(within: .seconds(2)) }
    texts[0].succeed()
    runtime.run()
    #expect(await others.value)
    #expect(texts.inputs == ["ab"])
  }

  @Test(.timeLimit(.minutes(10)), arguments: [true, false])
  func `a scheduler waits for a change that begins while it waits, within the same limit`(
    isStored: Bool
  ) async {
    let texts = ManualCalls<String, Void>()
    let other = runtime.resource(initialState: .loaded("a"))
    append(1)
    runtime.run()
    let answer = Lock<Bool?>(nil)
    let waiting = Task.immediate {
      let isSaved = await runtime.scheduler.mutationsSettled(within: .seconds(2))
      answer.withLock { $0 = isSaved }
      return isSaved
    }
    other.mutate(apply: { $0 += "b" }, commit: { try await texts.call($0) })
    runtime.advance(by: .seconds(1))
    commits[0].succeed()
    runtime.run()
    for _ in 0..<100 { await Task.yield() }
    #expect(answer.withLock { $0 } == nil)
    if isStored { texts[0].succeed() }
    runtime.run()
    runtime.advance(by: .seconds(1))
    #expect(await waiting.value == isStored)
    texts.end()
    runtime.run()
  }
}
