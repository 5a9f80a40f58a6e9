extension MutationOutbox {
  /// A change that is kept until it has arrived where it is to go: a row of a ``MutationJournal``.
  public struct Entry: Hashable, Sendable, Identifiable {
    /// The idempotency key: the same for every attempt, so that a server can tell a repeated one.
    public let key: String
    /// The name of the ``MutationOutbox/Handler`` that sends it.
    public let handler: String
    /// Mutations of one scope are sent one after the other, of different scopes in parallel.
    public let scope: String
    /// What it sets: one that was not sent yet is replaced by a newer one of its scope and field.
    public let field: String?
    /// The arguments of the handler, as JSON.
    public let arguments: String
    /// How many attempts have failed.
    public var failedAttempts: Int
    /// Why no more attempts are made until the user wants another one; nil while it is to be sent.
    public var failure: String?

    /// The idempotency key.
    public var id: String { key }

    /// A row as a journal reads it.
    public init(
      key: String, handler: String, scope: String, field: String? = nil, arguments: String,
      failedAttempts: Int = 0, failure: String? = nil
    ) {
      self.key = key
      self.handler = handler
      self.scope = scope
      self.field = field
      self.arguments = arguments
      self.failedAttempts = failedAttempts
      self.failure = failure
    }

    /// Why a mutation was given up before the program was started.
    public struct Failure: Error, Hashable, CustomStringConvertible {
      /// What the error of the last attempt said.
      public let description: String

      /// A failure with the text of a row.
      public init(_ description: String) {
        self.description = description
      }
    }
  }
}

/// Keeps the mutations that must survive the process, until they have arrived.
///
/// A database table is one. Each function makes its whole change or none, and a change survives a crash
/// of the process as soon as the function has returned. Only one ``MutationOutbox`` may use it at a
/// time.
public protocol MutationJournal: Sendable {
  /// All rows, in the order in which they were appended.
  func mutations() async throws -> [MutationOutbox.Entry]

  /// Adds a row after all others and removes those that it replaces.
  func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws

  /// Replaces the row with this key, which keeps its place; does nothing when there is none.
  func update(_ key: String, to mutation: MutationOutbox.Entry) async throws

  /// Removes the rows with these keys.
  func remove(_ keys: [String]) async throws
}

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
