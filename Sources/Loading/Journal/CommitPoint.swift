/// What an outbox has of a mutation: the same for all commits of it, of which a retry is one.
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

/// Where the commit of a resource that runs in this task says that its change is in a journal.
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
