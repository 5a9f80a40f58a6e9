import Foundation

/// A change of the drawer that can be stored in a journal.
public enum SockChange: Hashable, Codable, Sendable {
  case update(Sock.ID, [SockEdit])
  case add(SockDraft)
  case remove(Sock.ID)
  case pair(Sock.ID, Sock.ID)
  case unpair(Sock.ID)

  /// The sock that is changed.
  public var sock: Sock.ID {
    switch self {
    case .update(let id, _), .remove(let id), .pair(let id, _), .unpair(let id): id
    case .add(let draft): draft.id
    }
  }

  /// Checks that the change is allowed.
  ///
  /// - Throws: ``SockError``.
  func check() throws(SockError) {
    switch self {
    case .update(_, let edits):
      for edit in edits { try edit.check() }
    case .add(let draft):
      for edit in draft.sock(at: .distantPast).edits { try edit.check() }
    case .pair(let first, let second):
      if first == second { throw .pairedWithItself }
    case .remove, .unpair: break
    }
  }
}

extension SockAPI {
  /// Applies any change.
  func make(_ change: SockChange) async throws {
    switch change {
    case .update(let id, let edits): try await update(id, edits)
    case .add(let draft): try await add(draft)
    case .remove(let id): try await remove(id)
    case .pair(let first, let second): try await pair(first, second)
    case .unpair(let id): try await unpair(id)
    }
  }
}
