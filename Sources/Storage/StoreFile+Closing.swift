import Dispatch
import Foundation
import GRDB
import Synchronization

extension StoreFile {
  /// Closes every file that this process has open: what a program does that ends without taking
  /// itself apart.
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
  // Strong: a file whose last user is another thread may still be closing when the process ends.
  private static let registered = Mutex<[ObjectIdentifier: OpenConnections]>([:])

  private let connections: Mutex<[DatabaseQueue]>
  private let queue: DispatchQueue

  /// - Parameters:
  ///   - connections: the one that writes is the last.
  ///   - queue: where that one writes.
  init(_ connections: [DatabaseQueue], queue: DispatchQueue) {
    self.connections = Mutex(connections)
    self.queue = queue
  }

  func add(_ connection: DatabaseQueue) {
    connections.withLock { $0.insert(connection, at: 0) }
  }

  /// Has the connections closed at the end of the process, unless they are by then.
  func register() {
    Self.registered.withLock { $0[ObjectIdentifier(self)] = self }
  }

  static func closeAll(within limit: Double) {
    let group = DispatchGroup()
    for connections in registered.withLock({ Array($0.values) }) {
      connections.queue.async(group: group) { connections.close() }
    }
    _ = group.wait(timeout: .now() + limit)
  }

  /// Waits for what the connections are doing, or until they are closed by another thread.
  func close() {
    connections.withLock { connections in
      // The last connection does it as well when it is closed; another process may have one, too.
      _ = try? connections.last?.writeWithoutTransaction { try $0.checkpoint(.passive) }
      for connection in connections { try? connection.close() }
      // SQLite ends the process when a connection is used for this that is closed.
      connections = []
    }
    Self.registered.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
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
