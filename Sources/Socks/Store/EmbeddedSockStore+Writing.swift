import Foundation
import GRDB

extension EmbeddedSockStore {
  @discardableResult
  public func update(_ id: Sock.ID, _ edits: [SockEdit]) async throws -> Sock {
    for edit in edits { try edit.check() }
    return try await write { [now] database in
      var sock = try database.sock(id)
      let before = sock
      for edit in edits { sock.apply(edit) }
      guard sock != before else { return sock }
      sock.changed = now().wholeSeconds
      try database.update(sock, fields: Set(edits.map(\.field)))
      return sock
    }
  }

  @discardableResult
  public func add(_ draft: SockDraft) async throws -> Sock {
    let sock = draft.sock(at: now())
    for edit in sock.edits { try edit.check() }
    return try await write { database in
      guard try !database.contains(sock.id) else { throw SockError.alreadyThere(sock.id) }
      try database.insert(sock)
      return sock
    }
  }

  public func remove(_ id: Sock.ID) async throws {
    try await write { [now] database in
      guard try database.contains(id) else { throw SockError.noSuchSock(id) }
      try database.separate([id], at: now())
      try database.execute(sql: "DELETE FROM sock WHERE id = ?", arguments: [id.uuidString])
    }
  }

  public func pair(_ first: Sock.ID, _ second: Sock.ID) async throws {
    guard first != second else { throw SockError.pairedWithItself }
    try await write { [now] database in
      let one = try database.sock(first)
      guard try database.contains(second) else { throw SockError.noSuchSock(second) }
      guard one.pair != second else { return }
      let date = now()
      try database.separate([first, second], at: date)
      for (id, other) in [(first, second), (second, first)] {
        try database.setPair(of: id, to: other)
        try database.touch(id, at: date)
      }
    }
  }

  public func unpair(_ id: Sock.ID) async throws {
    try await write { [now] database in
      guard try database.contains(id) else { throw SockError.noSuchSock(id) }
      try database.separate([id], at: now())
    }
  }
}

extension Database {
  fileprivate func touch(_ id: Sock.ID, at date: Date) throws {
    try cachedStatement(sql: "UPDATE sock SET changed = ? WHERE id = ?")
      .execute(arguments: [date.seconds, id.uuidString])
  }
}
