import Foundation
import GRDB

extension EmbeddedSockStore {
  /// The result of importing a document.
  public struct PutReport: Hashable, Sendable, Encodable {
    /// How many socks are new.
    public var added = 0
    /// How many existing socks were changed.
    public var changed = 0
    /// How many existing socks were already the same.
    public var unchanged = 0
  }

  /// Returns all socks, in the order in which they were added.
  public func everySock() async throws -> [Sock] {
    try await read { try $0.socks("sock ORDER BY key") }
  }

  /// Imports a document in one transaction.
  ///
  /// - Throws: ``DrawerDocumentError``, ``SockError``.
  @discardableResult
  public func put(_ document: DrawerDocument) async throws -> PutReport {
    try await write { [now] database in
      try database.put(document.entries, at: now().wholeSeconds)
    }
  }
}

extension Database {
  private struct Placed {
    let number: Int
    let sock: Sock
    let pairChanges: Bool
  }

  fileprivate func put(
    _ entries: [DrawerDocument.Entry], at date: Date
  ) throws -> EmbeddedSockStore.PutReport {
    var report = EmbeddedSockStore.PutReport()
    var placed: [Placed] = []
    for (index, entry) in entries.enumerated() {
      let id = entry.id ?? UUID()
      let before = try contains(id) ? try sock(id) : nil
      let after = entry.applied(to: before, id: id, at: date)
      if let before {
        guard after != before else {
          report.unchanged += 1
          continue
        }
        try update(after, fields: Set(entry.edits.map(\.field)))
        report.changed += 1
      } else {
        guard !after.name.isEmpty else {
          throw DrawerDocumentError.entry(index + 1, key: "name", .missing)
        }
        try insert(after)
        report.added += 1
      }
      placed.append(
        Placed(number: index + 1, sock: after, pairChanges: after.pair != before?.pair))
    }
    try pair(placed.filter(\.pairChanges), at: date)
    // Last, because separating a pair changes the dates of both socks.
    for place in placed { try setDates(of: place.sock) }
    return report
  }

  private func pair(_ placed: [Placed], at date: Date) throws {
    // The old pairs of imported socks are separated before new ones are made.
    for place in placed {
      try separate([place.sock.id] + (place.sock.pair.map { [$0] } ?? []), at: date)
    }
    for place in placed {
      guard let pair = place.sock.pair else { continue }
      guard try contains(pair) else {
        throw DrawerDocumentError.entry(place.number, key: "pair", .noSuchSock)
      }
      try setPair(of: place.sock.id, to: pair)
      try setPair(of: pair, to: place.sock.id)
    }
  }

  private func setDates(of sock: Sock) throws {
    try cachedStatement(sql: "UPDATE sock SET created = ?, changed = ? WHERE id = ?")
      .execute(arguments: [sock.created.seconds, sock.changed.seconds, sock.id.uuidString])
  }
}

extension DrawerDocument.Entry {
  /// Returns the sock with the entry's values, based on the existing sock or a new one.
  fileprivate func applied(to before: Sock?, id: Sock.ID, at date: Date) -> Sock {
    var sock = before ?? Sock(id: id, name: "", created: date, changed: date)
    for edit in edits { sock.apply(edit) }
    sock.created = created ?? sock.created
    sock.pair = pair ?? sock.pair
    // A sock that was changed without a given date is changed now.
    sock.changed = changed ?? (sock == before ? sock.changed : date)
    return sock
  }
}
