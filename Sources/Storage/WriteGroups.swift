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

  private func commit(_ group: [Write]) {
    if group.count > 1 {
      do {
        return try commitTogether(group)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        // The lock was waited for already: each alone would fail in the same way.
        for write in group { write.failed(error) }
        return
      } catch {
        // The transaction failed as a whole, perhaps because of one of them: each has its own now.
      }
    }
    for write in group {
      do {
        var kept: (@Sendable () -> Void)?
        try transaction { kept = try write.body($0) }
        kept?()
      } catch {
        write.failed(error)
      }
    }
  }

  private func commitTogether(_ group: [Write]) throws {
    var outcomes: [@Sendable () -> Void] = []
    try transaction { database in
      outcomes = []
      for write in group {
        do {
          var kept: @Sendable () -> Void = {}
          try database.inSavepoint {
            kept = try write.body(database)
            return .commit
          }
          outcomes.append(kept)
        } catch {
          // Some failures end the transaction, with all that was written in it.
          guard database.isInsideTransaction else { throw error }
          outcomes.append { write.failed(error) }
        }
      }
    }
    for outcome in outcomes { outcome() }
  }
}
