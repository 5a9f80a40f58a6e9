import Dispatch
import Foundation
import GRDB
import Synchronization

extension StoreFile {
  /// Closes every file that this process has open, at the end of the process: what comes later for a
  /// file is never done.
  ///
  /// What is in the log beside a file is copied into the file, and the log is removed when nobody
  /// else uses it: else the next start would have to read it all. A file that is in use for longer
  /// stays open, which loses nothing.
  ///
  /// - Parameter limit: how long that may take, in seconds.
  public static func closeAll(within limit: Double = 0.3) {
    OpenConnections.closeAll(within: limit)
  }
}

/// The connections of one file.
final class OpenConnections: Sendable {
  /// A connection, and the queue on which alone it is used.
  struct Connection: Sendable {
    let database: DatabaseQueue
    let queue: DispatchQueue
  }

  // Strong: a file whose last user is another thread may still be closing when the process ends.
  private static let registered = Mutex<[ObjectIdentifier: OpenConnections]>([:])

  /// Files that nobody uses any more, until they are closed.
  private static let releasing = DispatchGroup()

  /// The one that writes is the last.
  private let connections: Mutex<[Connection]>

  init(_ connections: [Connection]) {
    self.connections = Mutex(connections)
  }

  func add(_ connection: Connection) {
    connections.withLock { $0.insert(connection, at: 0) }
  }

  /// Has the connections closed at the end of the process, unless they are by then.
  func register() {
    Self.registered.withLock { $0[ObjectIdentifier(self)] = self }
  }

  static func closeAll(within limit: Double) {
    let deadline = DispatchTime.now() + limit
    let files = DispatchGroup()
    for file in registered.withLock({ Array($0.values) }) {
      let (closing, others) = (file.take(), DispatchGroup())
      for connection in closing.dropLast() {
        connection.end(in: others) { try? connection.database.close() }
      }
      // Only a connection that writes removes the log, and only as the last one.
      guard let writer = closing.last else { continue }
      writer.end(in: files) {
        if others.wait(timeout: deadline) == .success { writer.closeAsLast() }
      }
    }
    _ = files.wait(timeout: deadline)
    _ = releasing.wait(timeout: deadline)
  }

  /// Closes the connections after what waits for them already; those in memory go with their last user.
  func release() {
    let isFile = Self.registered.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) } != nil
    let (closing, others) = (take(), DispatchGroup())
    guard isFile, let writer = closing.last else { return }
    for connection in closing.dropLast() {
      connection.queue.async(group: others) { try? connection.database.close() }
    }
    let closed = DispatchSemaphore(value: 0)
    Self.releasing.enter()
    others.notify(queue: writer.queue) {
      writer.closeAsLast()
      Self.releasing.leave()
      closed.signal()
    }
    // Not for ever: the last user may be on one of the queues.
    _ = closed.wait(timeout: .now() + 0.3)
  }

  /// Whoever has taken the connections closes them.
  private func take() -> [Connection] {
    connections.withLock { connections in
      defer { connections = [] }
      return connections
    }
  }
}

extension OpenConnections.Connection {
  fileprivate func closeAsLast() {
    // Closing does it as well, unless another process has a connection, too.
    _ = try? database.writeWithoutTransaction { try $0.checkpoint(.passive) }
    try? database.close()
  }

  /// Does something on the queue that is the last to be done there: SQLite ends the process when a
  /// connection is used that is closed.
  fileprivate func end(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    queue.async {
      body()
      group.leave()
      DispatchSemaphore(value: 0).wait()
    }
  }
}

/// Which file a path leads to.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
