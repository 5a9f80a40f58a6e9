extension MutationOutbox {
  /// A change that is kept until it was sent successfully: a row of a ``MutationJournal``.
  public struct Entry: Hashable, Sendable, Identifiable {
    /// The idempotency key: the same for every attempt, so that a server can recognise a
    /// repetition.
    public let key: String
    /// The name of the ``MutationOutbox/Handler`` that sends it.
    public let handler: String
    /// The scope: mutations of one scope are sent one after the other, of different scopes in
    /// parallel.
    public let scope: String
    /// What the change sets; nil if it replaces nothing.
    ///
    /// A newer change of the same scope and field replaces it, unless an attempt to send it was
    /// made. Once the newer one was sent, it is removed if it has failed.
    public let field: String?
    /// The arguments of the handler, as JSON.
    public let arguments: String
    /// How many attempts have failed.
    public var failedAttempts: Int
    /// Why the change has failed and is not sent again before the user retries it; nil if it is
    /// pending.
    public var failure: String?

    /// The idempotency key.
    public var id: String { key }

    /// Creates a row, for a journal that reads it.
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

    /// Why a mutation failed in an earlier process, or cannot be sent by this version of the
    /// program.
    public struct Failure: Error, Hashable, CustomStringConvertible {
      /// The description of the error of the last attempt.
      public let description: String

      /// Creates a failure with a row's ``MutationOutbox/Entry/failure``.
      public init(_ description: String) {
        self.description = description
      }
    }
  }
}

/// Stores the mutations that must survive the process until they were sent, for example in a
/// database table.
///
/// Each function is atomic, and its change survives a crash of the process once the function has
/// returned. Only one ``MutationOutbox`` may use a journal at a time.
public protocol MutationJournal: Sendable {
  /// Returns all rows, in the order in which they were appended.
  func mutations() async throws -> [MutationOutbox.Entry]

  /// Appends a row, and removes the rows that it replaces.
  func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws

  /// Replaces the row with this key, at its position; does nothing if there is none.
  func update(_ key: String, to mutation: MutationOutbox.Entry) async throws

  /// Removes the rows with these keys.
  func remove(_ keys: [String]) async throws
}

/// Where a mutation's row is in the journal: shared by all commits of the mutation, retries
/// included.
final class CommitRecord: Sendable {
  /// The last row that was written for it.
  struct Row: Sendable {
    /// Its key, or the one that it had before a conflict.
    let key: String
    let scope: String
    let field: String?
    /// The number of the first row that was written for it: rows with greater numbers are newer.
    let origin: Int
    weak var outbox: MutationOutbox?
  }

  private let last = Lock<Row?>(nil)

  var row: Row? { last.withLock { $0 } }

  func note(_ row: Row) { last.withLock { $0 = row } }

  /// Removes the row from the journal, if it has failed.
  @Sendable func forget() async {
    if let row { try? await row.outbox?.dismiss(row.key) }
  }
}

/// Lets the commit that runs in this task report that its change was written to a journal.
struct CommitPoint: Sendable {
  @TaskLocal static var current: CommitPoint?

  let record: CommitRecord
  /// Called when the change is in the journal, see ``ResourceEvent/kept(_:needsReload:)``.
  let pass: @Sendable (_ needsReload: Bool) -> Void

  init(of record: CommitRecord, pass: @escaping @Sendable (_ needsReload: Bool) -> Void) {
    self.record = record
    self.pass = pass
  }
}
