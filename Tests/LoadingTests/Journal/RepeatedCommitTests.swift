import LoadingTesting
import Testing

@testable import Loading

/// A commit that is tried again finds the row that it has written before.
@MainActor
@Suite(.leavesNothingBehind) struct RepeatedCommitTests {
  let runtime = ManualRuntime()
  let journal = MemoryJournal()
  let calls = ManualCalls<String, Void>()
  let rename: MutationOutbox.Handler<String>

  init() {
    rename = MutationOutbox.Handler("rename") { [calls] name, _ in try await calls.call(name) }
  }

  private func outbox(attempts: Int = 12) -> MutationOutbox {
    let count = Lock(0)
    return MutationOutbox(
      journal, handlers: rename, attempts: attempts, clock: runtime.clock.any,
      scheduler: runtime.scheduler,
      makeKey: {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return "#\(number)"
      })
  }

  /// Keeps a change of a commit.
  private func keep(
    _ name: String, by outbox: MutationOutbox, handler: String = "rename", field: String? = nil,
    of record: CommitRecord
  ) async throws -> MutationOutbox.Kept {
    try await outbox.keep(
      StoredArguments.encode(name), by: handler, scope: "a", field: field, of: record)
  }

  @Test(arguments: [nil, "name"] as [String?], [true, false])
  func `a change that is still being sent is not written and sent a second time`(
    field: String?, isSending: Bool
  ) async throws {
    let (outbox, record) = (outbox(), CommitRecord())
    let first = try await keep("Left", by: outbox, field: field, of: record)
    if isSending { runtime.run() }
    let second = try await keep("Left", by: outbox, field: field, of: record)
    #expect(second.key == first.key)
    #expect(second.isRepeated)
    #expect(journal.rows.map(\.key) == ["#1"])
    runtime.run()
    calls[0].succeed()
    runtime.run()
    try await second.delivery.value().get()
    #expect(calls.inputs == ["Left"])
    #expect(journal.rows.isEmpty)
  }

  @Test func `a change that is still being written is not written a second time`() async throws {
    let (outbox, record) = (outbox(), CommitRecord())
    async let first = keep("Left", by: outbox, of: record)
    async let second = keep("Left", by: outbox, of: record)
    let keys = try await [first.key, second.key]
    #expect(keys == ["#1", "#1"])
    #expect(journal.rows.map(\.key) == ["#1"])
    runtime.run()
    calls.end()
  }

  @Test func `another change of the same commit is written, too`() async throws {
    let (outbox, record) = (outbox(), CommitRecord())
    let first = try await keep("Left", by: outbox, of: record)
    #expect(first.key == "#1")
    let ofOtherHandler = try await keep("Left", by: outbox, handler: "move", of: record)
    #expect(ofOtherHandler.key == "#2")
    let other = try await keep("Right", by: outbox, of: record)
    #expect(other.key == "#3")
    #expect(journal.rows.map(\.key) == ["#1", "#2", "#3"])
    runtime.run()
    calls.end()
  }

  // MARK: Newer changes of the field

  /// Keeps "Left", and "Right", which replaces it and cannot be sent.
  private func failWithNewer(
    _ outbox: MutationOutbox, older: CommitRecord, newer: CommitRecord
  ) async throws {
    try await outbox.keep(rename, "Busy", scope: "a")
    runtime.run()
    _ = try await keep("Left", by: outbox, field: "name", of: older)
    _ = try await keep("Right", by: outbox, field: "name", of: newer)
    calls[0].succeed()
    runtime.run()
    calls[1].fail(Broken())
    runtime.run()
    #expect(calls.inputs == ["Busy", "Right"])
    #expect(outbox.failed.map(\.key) == ["#3"])
  }

  /// Lets all attempts succeed that were not answered.
  private func succeed(from first: Int) {
    var next = first
    while next < calls.count {
      calls[next].succeed()
      runtime.run()
      next += 1
    }
  }

  @Test(arguments: [true, false])
  func `a change that was replaced does not overtake the newer one when both are tried again`(
    isOlderFirst: Bool
  ) async throws {
    let (outbox, older, newer) = (outbox(attempts: 1), CommitRecord(), CommitRecord())
    try await failWithNewer(outbox, older: older, newer: newer)
    var deliveries: [MutationOutbox.Delivery] = []
    for isOlder in [isOlderFirst, !isOlderFirst] {
      let kept = try await keep(
        isOlder ? "Left" : "Right", by: outbox, field: "name", of: isOlder ? older : newer)
      deliveries.append(kept.delivery)
    }
    // After the end of the process, the journal must not let the older one win either.
    #expect(journal.rows.last?.arguments == "\"Right\"")
    runtime.run()
    succeed(from: 2)
    for delivery in deliveries { _ = try await delivery.value().get() }
    #expect(calls.inputs.last == "Right")
    #expect(journal.rows.isEmpty)
    #expect(outbox.failed.isEmpty)
  }

  @Test func `of failed changes that are all retried, the newest wins`() async throws {
    let outbox = outbox(attempts: 1)
    let resource = runtime.resource(Loader.constant(""), initialState: .loaded("Old"))
    try await outbox.keep(rename, "Busy", scope: "a")
    runtime.run()
    for name in ["Left", "Right"] {
      // Mutations without a field, so that both failures are kept.
      resource.mutate(apply: { $0 = name }) { [rename] _ in
        try await outbox.commit(rename, name, scope: "a", field: "name")
      }
      await runtime.run(until: { resource.pendingMutations.last?.phase == .kept })
    }
    calls[0].succeed()
    await runtime.run(until: { calls.count == 2 })
    calls[1].fail(Broken())
    await runtime.run(until: { resource.failedMutations.count == 2 })
    resource.retryFailedMutations()
    await runtime.run(until: { resource.pendingMutations.allSatisfy { $0.phase == .kept } })
    var answered = 2
    while resource.hasPendingMutations {
      await runtime.run(until: { calls.count > answered || !resource.hasPendingMutations })
      succeed(from: answered)
      answered = calls.count
    }
    #expect(calls.inputs.last == "Right")
    #expect(resource.failedMutations.isEmpty)
    #expect(journal.rows.isEmpty)
    runtime.run()
  }

  @Test func `a failed change that is tried again ends with a newer one that is pending`()
    async throws
  {
    let (outbox, older, newer) = (outbox(attempts: 1), CommitRecord(), CommitRecord())
    _ = try await keep("Left", by: outbox, field: "name", of: older)
    runtime.run()
    calls[0].fail(Broken())
    runtime.run()
    try await outbox.keep(rename, "Busy", scope: "a")
    let pending = try await keep("Right", by: outbox, field: "name", of: newer)
    for name in ["Left", "Left, too"] {
      let kept = try await keep(name, by: outbox, field: "name", of: older)
      #expect(kept.key == pending.key)
      #expect(kept.isRepeated)
    }
    runtime.run()
    succeed(from: 1)
    #expect(calls.inputs == ["Left", "Busy", "Right"])
    #expect(journal.rows.isEmpty)
  }

  @Test func `a change that was sent and is tried again does not follow a newer one`()
    async throws
  {
    let (outbox, older, newer) = (outbox(), CommitRecord(), CommitRecord())
    _ = try await keep("Left", by: outbox, field: "name", of: older)
    runtime.run()
    calls[0].succeed()
    runtime.run()
    try await outbox.keep(rename, "Busy", scope: "a")
    let pending = try await keep("Right", by: outbox, field: "name", of: newer)
    let kept = try await keep("Left", by: outbox, field: "name", of: older)
    #expect(kept.key == pending.key)
    runtime.run()
    succeed(from: 1)
    #expect(calls.inputs == ["Left", "Busy", "Right"])
  }

  @Test func `a replaced change that is tried again alone is sent without the newer one`()
    async throws
  {
    let (outbox, older, newer) = (outbox(attempts: 1), CommitRecord(), CommitRecord())
    try await failWithNewer(outbox, older: older, newer: newer)
    _ = try await keep("Left", by: outbox, field: "name", of: older)
    runtime.run()
    succeed(from: 2)
    #expect(calls.inputs == ["Busy", "Right", "Left"])
    // The newer one can still be sent, with another key: the receiver may have seen its first one.
    let kept = try await keep("Right", by: outbox, field: "name", of: newer)
    #expect(kept.key == "#5")
    runtime.run()
    succeed(from: 3)
    #expect(calls.inputs.last == "Right")
    #expect(journal.rows.isEmpty)
  }

  @Test func `a replaced change cannot be resumed while the newer one has failed`() async throws {
    let outbox = outbox(attempts: 1)
    try await failWithNewer(outbox, older: CommitRecord(), newer: CommitRecord())
    await #expect(throws: MutationOutbox.Entry.Failure.self) { try await outbox.resume("#2") }
    // Then it ends with that.
    try await outbox.retry("#3")
    let outcome = Task { try await outbox.resume("#2") }
    runtime.run()
    succeed(from: 2)
    try await outcome.value
    #expect(calls.inputs == ["Busy", "Right", "Right"])
  }

  @Test func `waiting for a change that was replaced waits for the newer one`() async throws {
    let (outbox, older, newer) = (outbox(attempts: 1), CommitRecord(), CommitRecord())
    try await outbox.keep(rename, "Busy", scope: "a")
    runtime.run()
    let replaced = try await keep("Left", by: outbox, field: "name", of: older)
    _ = try await keep("Right", by: outbox, field: "name", of: newer)
    let outcome = Task { try await outbox.delivered(replaced.key) }
    calls[0].succeed()
    runtime.run()
    calls[1].fail(Broken())
    runtime.run()
    await #expect(throws: Broken()) { try await outcome.value }
  }

  @Test func `a change that was dismissed or removed by a newer one cannot be resumed`()
    async throws
  {
    let outbox = outbox(attempts: 1)
    let keys = [
      try await outbox.keep(rename, "Dismissed", scope: "a"),
      try await outbox.keep(rename, "Left", scope: "a", field: "name"),
    ]
    for count in 0..<2 {
      runtime.run()
      calls[count].fail(Broken())
    }
    runtime.run()
    try await outbox.dismiss(keys[0])
    let newer = try await outbox.keep(rename, "Right", scope: "a", field: "name")
    runtime.run()
    succeed(from: 2)
    #expect(journal.rows.isEmpty)
    for key in keys {
      await #expect(throws: MutationOutbox.Entry.Failure.self) { try await outbox.resume(key) }
    }
    try await outbox.resume(newer)
  }

  @Test func `dismissing a failed change also removes an older one of its field that has failed`()
    async throws
  {
    let outbox = outbox(attempts: 1)
    let resource = runtime.resource(Loader.constant("Old"), initialState: .loaded("Old"))
    var ids: [PendingMutation.ID] = []
    for (name, scope) in [("Older", "a"), ("Newer", "b")] {
      let id = resource.mutate(field: "name", apply: { $0 = name }) { [rename] _ in
        try await outbox.commit(rename, name, scope: scope, field: "name")
      }
      ids.append(try #require(id))
      await runtime.run(until: {
        calls.count == ids.count && resource.pendingMutations.last?.phase == .kept
      })
    }
    let outcome = Task { try await resource.outcome(of: ids[0]) }
    for index in [1, 0] {
      calls[index].fail(Broken("\(index)"))
      await runtime.run(until: { resource.pendingMutations.count == index })
    }
    await #expect(throws: Broken("0")) { try await outcome.value }
    #expect(resource.failedMutations.map(\.id) == [ids[1]])
    #expect(outbox.failed.count == 2)
    resource.dismissMutation(ids[1])
    await runtime.run(until: { outbox.failed.isEmpty })
    #expect(journal.rows.isEmpty)
  }
}
