import Foundation
import GRDB
import Storage

extension EmbeddedSockStore {
  public func apply(_ change: SockChange, key: String?) async throws {
    let date = now()
    try change.check()
    try await write { database in
      if let key { guard try AppliedChanges.note(key, in: database) else { return } }
      switch change {
      case .update(let id, let edits, let from):
        try database.sock(id).check(edits, from: from)
        try database.update(id, edits, at: date)
      case .add(let draft): try database.add(draft.sock(at: date))
      case .remove(let id): try database.remove(id, at: date)
      case .pair(let first, let second): try database.pair(first, second, at: date)
      case .unpair(let id): try database.unpair(id, at: date)
      }
    }
  }
}

extension Database {
  fileprivate func update(_ id: Sock.ID, _ edits: [SockEdit], at date: Date) throws {
    var sock = try sock(id)
    let before = sock
    for edit in edits { sock.apply(edit) }
    guard sock != before else { return }
    sock.changed = date.wholeSeconds
    try update(sock, fields: Set(edits.map(\.field)))
  }

  fileprivate func add(_ sock: Sock) throws {
    guard try !contains(sock.id) else { throw SockError.alreadyThere(sock.id) }
    try insert(sock)
  }

  fileprivate func remove(_ id: Sock.ID, at date: Date) throws {
    guard try contains(id) else { throw SockError.noSuchSock(id) }
    try separate([id], at: date)
    try execute(sql: "DELETE FROM sock WHERE id = ?", arguments: [id.uuidString])
  }

  fileprivate func pair(_ first: Sock.ID, _ second: Sock.ID, at date: Date) throws {
    let one = try sock(first)
    guard try contains(second) else { throw SockError.noSuchSock(second) }
    guard one.pair != second else { return }
    try separate([first, second], at: date)
    for (id, other) in [(first, second), (second, first)] {
      try setPair(of: id, to: other)
      try touch(id, at: date)
    }
  }

  fileprivate func unpair(_ id: Sock.ID, at date: Date) throws {
    guard try contains(id) else { throw SockError.noSuchSock(id) }
    try separate([id], at: date)
  }

  private func touch(_ id: Sock.ID, at date: Date) throws {
    try cachedStatement(sql: "UPDATE sock SET changed = ? WHERE id = ?")
      .execute(arguments: [date.seconds, id.uuidString])
  }
}
