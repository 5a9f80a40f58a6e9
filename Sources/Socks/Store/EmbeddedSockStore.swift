import Foundation
import GRDB
import Storage
import Synchronization

/// The drawer in one SQLite file, which several programs may use at once.
///
/// ```swift
/// let drawer = try EmbeddedSockStore(directory: "/home/ann/.local/share/argyle", bundled: socks)
/// try await drawer.update(sock.id, [.sogginess(40)])
/// ```
public final class EmbeddedSockStore: SockAPI {
  let file: StoreFile
  let now: @Sendable () -> Date
  private let revisions = DrawerRevisions()
  private let elsewhere = Mutex<ForeignChanges?>(nil)

  /// Opens `socks.sqlite` in a directory, making both when they do not exist.
  ///
  /// - Parameters:
  ///   - bundled: what a drawer has in it when it is made. They are added once: a user who then
  ///     removes all of them has an empty drawer.
  ///   - now: the calendar's time, for when a sock was changed.
  /// - Throws: ``SockError/store(_:)``.
  public convenience init(
    directory: String, bundled: [Sock] = [], now: @escaping @Sendable () -> Date = { Date() }
  ) throws(SockError) {
    do throws(StoreError) {
      let file = try StoreFile("socks", in: directory, schema: .drawer(filledWith: bundled))
      self.init(file, now: now)
    } catch {
      throw .store(error)
    }
  }

  /// A drawer that is gone with its last user: for tests.
  public convenience init(
    inMemoryWith socks: [Sock], now: @escaping @Sendable () -> Date = { Date() }
  ) throws(SockError) {
    do throws(StoreError) {
      self.init(try StoreFile.inMemory("socks", schema: .drawer(filledWith: socks)), now: now)
    } catch {
      throw .store(error)
    }
  }

  private init(_ file: StoreFile, now: @escaping @Sendable () -> Date) {
    self.file = file
    self.now = now
    file.writer.add(
      transactionObserver: CommitObserver { [revisions] in revisions.advance() },
      extent: .databaseLifetime)
  }

  public func changes() -> AsyncStream<DrawerRevision> {
    let changes = revisions.changes()
    // Not before somebody asks: a command that is done in a moment need not watch.
    elsewhere.withLock { [file, revisions] elsewhere in
      if elsewhere == nil { elsewhere = ForeignChanges(of: file) { revisions.advance() } }
    }
    return changes
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await file.read(body)
    } catch let error as StoreError {
      throw SockError.store(error)
    }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await file.write(body)
    } catch let error as StoreError {
      throw SockError.store(error)
    }
  }
}

/// Sees the transactions of one connection that have changed a sock.
private final class CommitObserver: TransactionObserver {
  private let changed: () -> Void
  private var isChanged = false

  init(changed: @escaping () -> Void) { self.changed = changed }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { eventKind.tableName == "sock" }

  func databaseDidChange(with event: DatabaseEvent) {
    isChanged = true
    // One is enough: an import of 100,000 need not tell each.
    stopObservingDatabaseChangesUntilNextTransaction()
  }

  func databaseDidCommit(_ database: Database) {
    guard isChanged else { return }
    isChanged = false
    changed()
  }

  func databaseDidRollback(_ database: Database) { isChanged = false }
}
