import Dispatch
import GRDB
import Synchronization

/// Writes that wait for the same connection, and go into one transaction when there are several.
///
/// A transaction costs more than a small write in it, and a page that all of them change, such as of
/// an index, is written once. Still each of them is kept as a whole or not at all, whatever happens
/// to the others, and nobody is told that it is kept before it is.
final class WriteGroups: Sendable {
  struct Write: Sendable {
    /// Returns what to call once what it wrote is kept.
    ///
    /// Called again where the first time came to nothing, perhaps because of another write.
    let body: @Sendable (Database) throws -> @Sendable () -> Void
    /// Told in its place.
    let failed: @Sendable (any Error) -> Void
  }

  private struct Waiting {
    var writes: [Write] = []
    var isScheduled = false
  }

  /// The most writes in one transaction, so that other users of the connection wait only briefly.
  static let limit = 8

  private let queue: DispatchQueue
  private let transaction: @Sendable ((Database) throws -> Void) throws -> Void
  private let waiting = Mutex(Waiting())

  /// - Parameters:
  ///   - queue: serial; others may use the same connection there between two groups.
  ///   - transaction: runs its argument in a transaction, which ends with it or throws.
  init(
    queue: DispatchQueue,
    transaction: @escaping @Sendable ((Database) throws -> Void) throws -> Void
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
    // Behind what was put on the queue meanwhile.
    if !isOver { queue.async { self.commitNext() } }
  }

  /// Without a savepoint for each: until it is released, every statement with a trigger would take
  /// longer than the one before.
  private func commit(_ group: [Write]) {
    do {
      var kept: [@Sendable () -> Void] = []
      try transaction { database in kept = try group.map { try $0.body(database) } }
      for outcome in kept { outcome() }
    } catch {
      // Where the lock was waited for in vain, each would wait for it in vain again.
      let isBusy = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
      if group.count == 1 || isBusy {
        for write in group { write.failed(error) }
      } else {
        // Perhaps because of one of them.
        for write in group { commit([write]) }
      }
    }
  }
}
