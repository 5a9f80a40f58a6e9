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

  private func outbox() -> MutationOutbox {
    let count = Lock(0)
    return MutationOutbox(
      journal, handlers: rename, clock: runtime.clock.any, scheduler: runtime.scheduler,
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
}
