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
  private let hub = ChangeHub<Void>()
  private let elsewhere = Mutex<ForeignChanges?>(nil)

  /// Opens `socks.sqlite` in a directory; creates both if they do not exist.
  ///
  /// - Parameters:
  ///   - bundled: the initial contents of a new drawer. They are added once: if the user removes
  ///     all of them, the drawer stays empty.
  ///   - now: the current date, for the dates of changes.
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

  /// Creates a drawer in memory, which is deleted with its last reference: for tests.
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
  }

  public func changes() -> AsyncStream<Void> {
    let changes = hub.changes()
    // Started on demand: a short command need not watch the file.
    elsewhere.withLock { [file, hub] elsewhere in
      if elsewhere == nil { elsewhere = ForeignChanges(of: file) { hub.notify(()) } }
    }
    return changes
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await SockError.telling { try await file.read(body) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let (value, isChanged) = try await SockError.telling {
      try await file.write { database in
        let before = database.totalChangesCount
        return (try body(database), database.totalChangesCount != before)
      }
    }
    if isChanged { hub.notify(()) }
    return value
  }
}
