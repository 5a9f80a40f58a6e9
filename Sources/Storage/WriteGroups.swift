import Dispatch
import GRDB
import Synchronization

/// Combines writes that wait for the same connection into one transaction.
///
/// A transaction costs more than a small write in it, and a page that several writes change, such
/// as one of an index, is written once. Still, each write is stored completely or not at all,
/// whatever happens to the others, and its caller is told of success only once it is stored.
final class WriteGroups: Sendable {
  struct Write: Sendable {
    /// Writes, and returns a closure to call once the changes are stored.
    ///
    /// Called again if the first transaction was rolled back, perhaps because of another write.
    let body: @Sendable (Database) throws -> @Sendable () -> Void
    /// Called instead of the closure if the write fails.
    let failed: @Sendable (any Error) -> Void
  }

  private struct Waiting {
    var writes: [Write] = []
    var isScheduled = false
  }

  /// The most writes in one transaction, so that other users of the connection do not wait long.
  static let limit = 8

  private let queue: DispatchQueue
  private let transaction: @Sendable (Int, (Database) throws -> Void) throws -> Void
  private let waiting = Mutex(Waiting())

  /// - Parameters:
  ///   - queue: serial; others may use the same connection there between two groups.
  ///   - transaction: runs so many writes in a transaction; commits before it returns, or throws.
  init(
    queue: DispatchQueue,
    transaction: @escaping @Sendable (_ count: Int, (Database) throws -> Void) throws -> Void
  ) {
    self.queue = queue
    self.transaction = transaction
  }

  func add(_ write: Write) {
    let isFirst = waiting.withLock { waiting in
      waiting.writes.append(write)
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if isFirst { queue.async { self.commitNext() } }
  }

  private func commitNext() {
    let group = waiting.withLock { waiting in
      let group = Array(waiting.writes.prefix(Self.limit))
      waiting.writes.removeFirst(group.count)
      return group
    }
    commit(group)
    let isOver = waiting.withLock { waiting in
      waiting.isScheduled = !waiting.writes.isEmpty
      return !waiting.isScheduled
    }
    // Runs after the work that was queued meanwhile.
    if !isOver { queue.async { self.commitNext() } }
  }

  /// Uses no savepoint per write: until a savepoint is released, every statement with a trigger
  /// takes longer than the one before.
  private func commit(_ group: [Write]) {
    do {
      var kept: [@Sendable () -> Void] = []
      try transaction(group.count) { database in kept = try group.map { try $0.body(database) } }
      for outcome in kept { outcome() }
    } catch {
      // If waiting for the lock has failed for the group, it would fail again for each write.
      let isBusy = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
      if group.count == 1 || isBusy {
        for write in group { write.failed(error) }
      } else {
        // One of the writes may have caused the failure, so each is tried alone.
        for write in group { commit([write]) }
      }
    }
  }
}
