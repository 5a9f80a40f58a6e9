/// The row of a mutation in an outbox: one for all commits of that mutation, retries included.
final class CommitRecord: Sendable {
  private struct Status {
    var key: String?
    var forget: (@Sendable () async -> Void)?
  }

  private let status = Lock(Status())

  /// The key of its row in the journal.
  var key: String? { status.withLock { $0.key } }

  /// Removes it from the journal, where it is a failure.
  var forget: (@Sendable () async -> Void)? { status.withLock { $0.forget } }

  func note(_ key: String, forget: @escaping @Sendable () async -> Void) {
    status.withLock { status in status = Status(key: key, forget: forget) }
  }
}

/// Lets the commit that runs in this task report that its change was written into a journal.
struct CommitPoint: Sendable {
  @TaskLocal static var current: CommitPoint?

  let record: CommitRecord
  /// Called when the change is in the journal, and told whether it was in there before.
  let pass: @Sendable (_ isRepeated: Bool) -> Void

  init(of record: CommitRecord, pass: @escaping @Sendable (_ isRepeated: Bool) -> Void) {
    self.record = record
    self.pass = pass
  }
}
