import CThreads
import Dispatch
public import GRDB
import Synchronization

/// A connection to a SQLite file and the serial queue on which it is used.
///
/// SQLite crashes the process when a closed connection is used. So the connection is closed on its
/// queue too, after the work that is already waiting there; later work fails.
public final class StoreConnection: Sendable {
  private enum State {
    case unopened
    case open(DatabaseQueue)
    case closed
  }

  // Strong references: when the last reference is released on another thread, the connection may
  // still be closing as the process ends.
  private static let ofFiles = Mutex<[ObjectIdentifier: StoreConnection]>([:])
  /// Each connection to a file enters this group and leaves it once closed.
  private static let unclosed = DispatchGroup()
  /// Serialises closing: if two connections to a file closed at the same time, each would see the
  /// other as still open and neither would remove the log beside the file.
  private static let closing = Mutex(())

  let queue: DispatchQueue
  private let path: String
  /// The version of the file that SQLite was told never changes; nil if it may change.
  private let immutable: FileVersion?
  private let open: @Sendable () throws -> DatabaseQueue
  // Changed only on the queue.
  private let state: Mutex<State>

  /// Creates a connection that is opened on first use.
  ///
  /// - Parameter isFile: whether the database is a file, which has to be closed; a database in
  ///   memory disappears with its last user.
  init(
    label: String, path: String, isFile: Bool, immutable: FileVersion? = nil,
    open: @escaping @Sendable () throws -> DatabaseQueue
  ) {
    queue = DispatchQueue(label: label, qos: .utility)
    self.path = path
    self.immutable = immutable
    self.open = open
    state = Mutex(.unopened)
    guard isFile else { return }
    Self.unclosed.enter()
    Self.ofFiles.withLock { $0[ObjectIdentifier(self)] = self }
  }

  /// Creates a connection from an open database.
  convenience init(
    label: String, path: String, isFile: Bool, immutable: FileVersion?, _ database: DatabaseQueue
  ) {
    self.init(label: label, path: path, isFile: isFile, immutable: immutable) { database }
    state.withLock { $0 = .open(database) }
  }

  // MARK: Using

  /// Runs `body` with the connection; calls run one after another.
  ///
  /// - Throws: ``StoreError``, the error of `body`, or `CancellationError` when the connection was
  ///   closed before `body` ran or the task was cancelled before this call.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable (DatabaseQueue) throws -> Value
  ) async throws -> Value {
    try await told { continuation in
      queue.async { continuation.resume(with: Result { try self.use(body) }) }
    }
  }

  /// Runs `body` with the connection; must be called on the queue.
  func use<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
    dispatchPrecondition(condition: .onQueue(queue))
    // Lowers the priority of this thread for good, also for other queues that it serves later: no
    // queue does work that a key press waits for.
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
    // SQLite would not notice the change: it would take pages of two versions for a damaged file.
    try checkIsUnchanged()
    let result = Result { try body(database) }
    try checkIsUnchanged()
    return try result.get()
  }

  private func checkIsUnchanged() throws {
    guard immutable == nil || immutable == FileVersion(path) else {
      throw StoreError.gone(path: path)
    }
  }

  /// Waits for the work that `start` begins, and turns SQLite's errors into ``StoreError``.
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

  /// Closes the connection to a file after the work that is already waiting for it.
  ///
  /// Called by the connection's owner; returns at once.
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
          // `close` does this as well, but not while another process has a connection.
          _ = try? database.writeWithoutTransaction { try $0.checkpoint(.passive) }
          try? database.close()
        }
      }
      Self.unclosed.leave()
    }
  }

  /// Closes all connections to files, and waits until they are closed or `limit` seconds have
  /// passed.
  static func closeAll(within limit: Double) {
    for connection in ofFiles.withLock({ Array($0.values) }) { connection.close() }
    _ = unclosed.wait(timeout: .now() + limit)
  }
}
