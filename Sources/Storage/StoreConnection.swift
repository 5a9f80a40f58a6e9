import CThreads
import Dispatch
public import GRDB
import Synchronization

/// A connection to a SQLite file, with the queue on which alone it is used.
///
/// SQLite ends the process when a connection is used that is closed. So it is closed as it is used, on
/// its queue, behind what waits there; what comes later fails.
public final class StoreConnection: Sendable {
  private enum State {
    case unopened
    case open(DatabaseQueue)
    case closed
  }

  // Strong: one whose last user is another thread may still be closing when the process ends.
  private static let ofFiles = Mutex<[ObjectIdentifier: StoreConnection]>([:])
  /// Entered by each connection to a file until it is closed.
  private static let unclosed = DispatchGroup()
  /// Held while a connection is closed: of two that are closed at the same time each takes the other
  /// for one that goes on, and none removes the log beside the file.
  private static let closing = Mutex(())

  let queue: DispatchQueue
  private let path: String
  private let open: @Sendable () throws -> DatabaseQueue
  // Changed on the queue alone.
  private let state: Mutex<State>

  /// A connection that is opened when it is used first.
  ///
  /// - Parameter isFile: whether there is something to close; a database in memory is gone with its
  ///   last user.
  init(
    label: String, path: String, isFile: Bool, open: @escaping @Sendable () throws -> DatabaseQueue
  ) {
    queue = DispatchQueue(label: label, qos: .utility)
    self.path = path
    self.open = open
    state = Mutex(.unopened)
    guard isFile else { return }
    Self.unclosed.enter()
    Self.ofFiles.withLock { $0[ObjectIdentifier(self)] = self }
  }

  /// A connection that is open.
  convenience init(label: String, path: String, isFile: Bool, _ database: DatabaseQueue) {
    self.init(label: label, path: path, isFile: isFile) { database }
    state.withLock { $0 = .open(database) }
  }

  // MARK: Using

  /// Does something with the connection, one after the other.
  ///
  /// - Throws: ``StoreError``, what `body` throws, or `CancellationError` when the connection has been
  ///   closed or the task was cancelled before.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable (DatabaseQueue) throws -> Value
  ) async throws -> Value {
    try await told { continuation in
      queue.async { continuation.resume(with: Result { try self.use(body) }) }
    }
  }

  /// Does something with the connection; on its queue.
  func use<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
    dispatchPrecondition(condition: .onQueue(queue))
    // For good, and on whatever queue it works next: none has anything to do that a key waits for.
    thread_give_way()
    let database = try state.withLock { state in
      switch state {
      case .open(let database): return database
      case .closed: throw CancellationError()
      case .unopened:
        let database = try open()
        state = .open(database)
        return database
      }
    }
    return try body(database)
  }

  /// Waits for what `start` begins.
  func told<Value: Sendable>(
    _ start: (CheckedContinuation<Value, any Error>) -> Void
  ) async throws -> Value {
    try Task.checkCancellation()
    do {
      return try await withCheckedThrowingContinuation(start)
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  // MARK: Closing

  /// Closes the connection to a file behind what waits for it.
  ///
  /// It is for the owner to call, and returns at once.
  public func close() {
    queue.async { [self] in
      guard Self.ofFiles.withLock({ $0.removeValue(forKey: ObjectIdentifier(self)) }) != nil else {
        return
      }
      if case .open(let database) = state.withLock({ state in
        defer { state = .closed }
        return state
      }) {
        Self.closing.withLock { _ in
          // Closing does it as well, unless another process has a connection, too.
          _ = try? database.writeWithoutTransaction { try $0.checkpoint(.passive) }
          try? database.close()
        }
      }
      Self.unclosed.leave()
    }
  }

  /// Closes all connections to files, and waits until they are closed or the time is over.
  static func closeAll(within limit: Double) {
    for connection in ofFiles.withLock({ Array($0.values) }) { connection.close() }
    _ = unclosed.wait(timeout: .now() + limit)
  }
}
