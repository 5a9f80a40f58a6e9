import Loading
import Storage

/// Stores pending changes of the drawer in a separate file beside the drawer, so that they are safe
/// even while another program has locked the drawer.
///
/// Only one program can have the journal open. Two programs would send each other's changes, and
/// might apply an older change of a field after a newer one.
public final class DrawerJournal: MutationJournal {
  private let table: JournalTable
  private let lock: FolderLock

  /// Opens `socks-outbox.sqlite` in a directory; creates it if it does not exist.
  ///
  /// - Throws: ``SockError/store(_:)``, also when another program has it open.
  public init(directory: String) throws(SockError) {
    do throws(StoreError) {
      let file = try StoreFile(
        "socks-outbox", in: directory, schema: .outbox, durability: .system)
      lock = try FolderLock(directory)
      table = JournalTable(in: file)
    } catch {
      throw .store(error)
    }
  }

  public func mutations() async throws -> [MutationOutbox.Entry] {
    try await telling { try await table.rows().map(MutationOutbox.Entry.init) }
  }

  public func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws {
    try await telling { try await table.append(JournalTable.Row(mutation), replacing: keys) }
  }

  public func update(_ key: String, to mutation: MutationOutbox.Entry) async throws {
    try await telling { try await table.update(key, to: JournalTable.Row(mutation)) }
  }

  public func remove(_ keys: [String]) async throws {
    try await telling { try await table.remove(keys) }
  }

  private func telling<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch let error as StoreError {
      throw SockError.store(error)
    }
  }
}

extension StoreSchema {
  /// The schema of the journal, with the application ID "ArSj".
  fileprivate static let outbox = StoreSchema(
    applicationID: 0x4172_536A, steps: [JournalTable.schema])
}

extension JournalTable.Row {
  fileprivate init(_ mutation: MutationOutbox.Entry) {
    self.init(
      key: mutation.key, handler: mutation.handler, scope: mutation.scope, field: mutation.field,
      arguments: mutation.arguments, failedAttempts: mutation.failedAttempts,
      failure: mutation.failure)
  }
}

extension MutationOutbox.Entry {
  fileprivate init(_ row: JournalTable.Row) {
    self.init(
      key: row.key, handler: row.handler, scope: row.scope, field: row.field,
      arguments: row.arguments, failedAttempts: row.failedAttempts, failure: row.failure)
  }
}
