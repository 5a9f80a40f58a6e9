import Loading

/// A journal in memory, for tests: it outlives an outbox like a file outlives a process.
///
/// ```swift
/// let journal = MemoryJournal()
/// var outbox: MutationOutbox? = MutationOutbox(journal, handlers: rename)
/// try await outbox?.keep(rename, renaming, scope: "socks")
/// outbox = MutationOutbox(journal, handlers: rename)  // the program was killed and started again
/// ```
public final class MemoryJournal: MutationJournal {
  private struct Status {
    var rows: [MutationOutbox.Entry] = []
    var failures: [any Error] = []
  }

  private let status = Lock(Status())

  /// Creates an empty journal.
  public init() {}

  /// The current rows.
  public var rows: [MutationOutbox.Entry] { status.withLock { $0.rows } }

  /// Makes the next use of the journal fail; each further call makes one more use fail.
  public func failNext(with error: any Error) {
    status.withLock { $0.failures.append(error) }
  }

  /// Returns all rows.
  public func mutations() async throws -> [MutationOutbox.Entry] { try use { $0 } }

  /// Appends a row, and removes the rows that it replaces.
  public func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws {
    try use { rows in
      rows.removeAll { keys.contains($0.key) }
      rows.append(mutation)
    }
  }

  /// Replaces a row.
  public func update(_ key: String, to mutation: MutationOutbox.Entry) async throws {
    try use { rows in
      if let index = rows.firstIndex(where: { $0.key == key }) { rows[index] = mutation }
    }
  }

  /// Removes rows.
  public func remove(_ keys: [String]) async throws {
    try use { rows in rows.removeAll { keys.contains($0.key) } }
  }

  private func use<Answer: Sendable>(
    _ body: (inout [MutationOutbox.Entry]) -> Answer
  ) throws -> Answer {
    try status.withLock { status in
      guard status.failures.isEmpty else { throw status.failures.removeFirst() }
      return body(&status.rows)
    }
  }
}
