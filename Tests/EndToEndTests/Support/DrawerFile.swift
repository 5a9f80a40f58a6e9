import Foundation
import GRDB

/// The drawer's file, as another program sees it.
final class DrawerFile {
  private let queue: DatabaseQueue

  init(in home: Home) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    // A lock is held from one call to the next.
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(
      path: home.dataDirectory + "/socks.sqlite", configuration: configuration)
  }

  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    try queue.inDatabase { try $0.execute(sql: sql, arguments: arguments) }
  }

  func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int? {
    try queue.inDatabase { try Int.fetchOne($0, sql: sql, arguments: arguments) }
  }

  func sogginess(of name: String) throws -> Int? {
    try number("SELECT sogginess FROM sock WHERE name = ?", [name])
  }

  /// Returns the sogginess of every sock, by name.
  func allSogginess() throws -> [String: Int] {
    try queue.inDatabase { database in
      let rows = try Row.fetchAll(database, sql: "SELECT name, sogginess FROM sock")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
  }

  /// Prevents other connections from writing.
  func lock() throws { try execute("BEGIN IMMEDIATE") }

  /// Lets other connections write again.
  func unlock() throws { try execute("ROLLBACK") }

  /// Makes changes of a sock fail, as on a broken disk.
  func refuseChanges(of name: String) throws {
    try execute(
      """
      CREATE TRIGGER refusal BEFORE UPDATE ON sock WHEN OLD.name = '\(name)'
      BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
  }

  func allowChanges() throws { try execute("DROP TRIGGER refusal") }

  /// Counts every change of a sock from now on.
  func countChanges() throws {
    try execute(
      """
      CREATE TABLE changeCount (number INTEGER NOT NULL);
      INSERT INTO changeCount VALUES (0);
      CREATE TRIGGER counting AFTER UPDATE ON sock BEGIN
        UPDATE changeCount SET number = number + 1;
      END
      """)
  }

  func changeCount() throws -> Int { try number("SELECT number FROM changeCount") ?? 0 }
}
