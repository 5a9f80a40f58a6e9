import Loading
import LoadingTesting
import Testing

/// Many changes of one field while none of them can be stored.
@MainActor
@Suite(.leavesNothingBehind) struct MutationMergingTests {
  struct Sock: Sendable, Equatable {
    var sogginess = 0
    var holes = 0
  }

  let runtime = ManualRuntime()
  let commits = ManualCalls<Sock, Void>()
  let applied = Lock(0)

  func resource() -> Resource<Sock> {
    runtime.resource(initialState: .loaded(Sock()))
  }

  func access(_ resource: Resource<Sock>) -> ValueAccess<Sock>? {
    resource.access { [commits] change in try await commits.call(change.value) }
  }

  /// Makes a change through a `ValueAccess` and reads the value, like a view.
  func change(
    _ resource: Resource<Sock>, _ member: WritableKeyPath<Sock, Int> & Sendable,
    overwrites: Bool = false, _ change: @escaping @Sendable (inout Int) -> Void
  ) {
    access(resource)?[dynamicMember: member].modify(overwrites: overwrites) { [applied] value in
      applied.withLock { $0 += 1 }
      change(&value)
    }
    _ = resource.latestValue
  }

  // MARK: Cost

  @Test(arguments: [1_000, 2_000, 4_000, 8_000])
  func `edits while a commit hangs are applied once each, and once more when it fails`(
    count: Int
  ) {
    let resource = resource()
    for _ in 0..<count {
      change(resource, \.sogginess) { $0 += 1 }
      change(resource, \.holes) { $0 += 1 }
      runtime.run()
    }
    #expect(applied.withLock { $0 } == 2 * count)
    #expect(commits.count == 1)
    commits[0].fail(Broken())
    runtime.run()
    #expect(resource.latestValue == Sock(sogginess: count - 1, holes: count))
    // Once for the value that is shown, and once for each of the two commits that begin.
    #expect(applied.withLock { $0 } <= 6 * count)
    #expect(commits.count == 2)
    commits.end()
    runtime.run()
    commits.end()
    runtime.run()
  }

  @Test(arguments: [1_000, 2_000, 4_000, 8_000])
  func `edits whose commits all fail are applied once each, and once more by a retry`(
    count: Int
  ) {
    let resource = resource()
    for number in 0..<count {
      change(resource, \.sogginess) { $0 += 1 }
      runtime.run()
      commits[number].fail(Broken())
      runtime.run()
    }
    #expect(resource.latestValue?.sogginess == 0)
    #expect(applied.withLock { $0 } == count)
    #expect(resource.failedMutations.count == 1)
    resource.retryMutation(resource.failedMutations[0].id)
    #expect(resource.latestValue?.sogginess == count)
    #expect(applied.withLock { $0 } == 2 * count)
    runtime.run()
    commits[count].succeed()
    runtime.run()
    #expect(resource.latestValue?.sogginess == count)
  }

  @Test func `100,000 edits of one field while a commit hangs do not overflow the stack`() {
    let resource = resource()
    for _ in 0..<100_000 { change(resource, \.sogginess) { $0 += 1 } }
    runtime.run()
    commits[0].fail(Broken())
    runtime.run()
    commits[1].fail(Broken())
    runtime.run()
    #expect(resource.latestValue?.sogginess == 0)
    resource.retryMutation(resource.failedMutations[0].id)
    #expect(resource.latestValue?.sogginess == 100_000)
    commits.end()
    runtime.run()
    commits.end()
    runtime.run()
  }

  @Test func `an edit that overwrites its field replaces those that wait or have failed`() {
    let resource = resource()
    for number in 1...1_000 {
      change(resource, \.sogginess, overwrites: true) { $0 = number }
    }
    runtime.run()
    applied.withLock { $0 = 0 }
    commits[0].fail(Broken())
    runtime.run()
    #expect(resource.latestValue?.sogginess == 1_000)
    // Once for the value that is shown, and once for the commit.
    #expect(applied.withLock { $0 } == 2)
    commits[1].succeed()
    runtime.run()
    #expect(commits.inputs.map(\.sogginess) == [1, 1_000])
    #expect(resource.failedMutations.isEmpty)
  }

  // MARK: Order

  @Test func `merged edits keep their positions among the other changes`() {
    let resource = resource()
    // This one is committed at once, so all others wait.
    access(resource)?.holes.modify { $0 = 3 }
    change(resource, \.sogginess) { $0 += 5 }
    access(resource)?.holes.modify { $0 = 1 }
    access(resource)?.modify { $0.sogginess = 0 }
    change(resource, \.sogginess) { $0 += 1 }
    // The 5 is added before it is set to 0, and the 1 after that.
    #expect(resource.latestValue == Sock(sogginess: 1, holes: 1))
    for number in 0..<4 {
      runtime.run()
      commits[number].succeed()
    }
    runtime.run()
    #expect(resource.latestValue == Sock(sogginess: 1, holes: 1))
    #expect(resource.failedMutations.isEmpty)
  }

  // MARK: Retrying an old failure

  func set(_ resource: Resource<Sock>, to sogginess: Int, undoWindow: Duration? = nil) {
    resource.mutate(field: "sogginess", undoWindow: undoWindow) {
      $0.sogginess = sogginess
    } commit: { [commits] in
      try await commits.call($0)
    }
    runtime.run()
  }

  @Test func `a retry keeps a newer change that can still be undone`() throws {
    let resource = resource()
    set(resource, to: 10)
    commits[0].fail(Broken())
    runtime.run()
    let failed = try #require(resource.failedMutations.first?.id)
    set(resource, to: 20, undoWindow: .seconds(5))
    #expect(resource.retryMutation(failed) == nil)
    #expect(resource.pendingMutations.count == 1)
    #expect(resource.failedMutations.map(\.id) == [failed])
    #expect(resource.latestValue?.sogginess == 20)
    runtime.advance(by: .seconds(5))
    #expect(commits.inputs.map(\.sogginess) == [10, 20])
    commits[1].succeed()
    runtime.run()
    #expect(resource.latestValue?.sogginess == 20)
    #expect(resource.failedMutations.isEmpty)
  }

  @Test func `a failed change can be retried after a newer one was undone`() throws {
    let resource = resource()
    set(resource, to: 10)
    commits[0].fail(Broken())
    runtime.run()
    let failed = try #require(resource.failedMutations.first?.id)
    set(resource, to: 20, undoWindow: .seconds(5))
    resource.retryMutation(failed)
    resource.undo(try #require(resource.pendingMutations.first?.id))
    #expect(resource.latestValue?.sogginess == 0)
    #expect(resource.retryMutation(failed) != nil)
    #expect(resource.latestValue?.sogginess == 10)
    runtime.run()
    commits[1].succeed()
    runtime.run()
    #expect(resource.latestValue?.sogginess == 10)
  }

  @Test func `a retry keeps a newer change that is being stored, even after that has failed`()
    throws
  {
    let resource = resource()
    set(resource, to: 10)
    commits[0].fail(Broken())
    runtime.run()
    let failed = try #require(resource.failedMutations.first?.id)
    set(resource, to: 20)
    #expect(resource.retryMutation(failed) == nil)
    commits[1].fail(Broken())
    runtime.run()
    #expect(commits.count == 2)
    let left = try #require(resource.failedMutations.first?.id)
    #expect(resource.failedMutations.count == 1)
    resource.retryMutation(left)
    #expect(resource.latestValue?.sogginess == 20)
    runtime.run()
    commits[2].succeed()
    runtime.run()
    #expect(resource.latestValue?.sogginess == 20)
  }

  @Test func `a retried edit that is merged is committed with a newer waiting one`() throws {
    let resource = resource()
    change(resource, \.sogginess) { $0 += 10 }
    runtime.run()
    commits[0].fail(Broken())
    runtime.run()
    let failed = try #require(resource.failedMutations.first?.id)
    let slow = resource.access(undoWindow: .seconds(5)) { [commits] change in
      try await commits.call(change.value)
    }
    let newer = try #require(slow?.sogginess.modify { $0 *= 2 })
    #expect(resource.retryMutation(failed) == newer)
    #expect(resource.failedMutations.isEmpty)
    // The older one is applied first.
    #expect(resource.latestValue?.sogginess == 20)
    runtime.advance(by: .seconds(5))
    #expect(commits.inputs.map(\.sogginess) == [10, 20])
    commits[1].succeed()
    runtime.run()
    #expect(resource.latestValue?.sogginess == 20)
  }
}
