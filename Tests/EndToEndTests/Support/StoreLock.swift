import GRDB

/// A write lock on a store, held by a connection of the test as another program might.
final class StoreLock {
  private let queue: DatabaseQueue

  /// Takes the lock of `articles` or `socks`.
  init(on name: String, in home: Home) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    // The lock is held from one call to the next.
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(
      path: home.dataDirectory + "/\(name).sqlite", configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func release() throws { try queue.inDatabase { try $0.execute(sql: "ROLLBACK") } }
}
