import Foundation

/// A change of the drawer that can be stored in a journal.
public enum SockChange: Hashable, Codable, Sendable {
  /// Changes fields of a sock.
  ///
  /// `from` has the values that the fields may have before; of a field without one, any. If another
  /// program has given a field another value, the change fails.
  case update(Sock.ID, [SockEdit], from: [SockEdit]? = nil)
  /// Adds a sock.
  case add(SockDraft)
  /// Removes a sock; the other one of its pair is left without one.
  case remove(Sock.ID)
  /// Pairs two socks, which leave their earlier pairs.
  case pair(Sock.ID, Sock.ID)
  /// Separates a sock from the other one of its pair.
  case unpair(Sock.ID)

  /// The sock that is changed.
  public var sock: Sock.ID {
    switch self {
    case .update(let id, _, _), .remove(let id), .pair(let id, _), .unpair(let id): id
    case .add(let draft): draft.id
    }
  }

  /// Checks that the change is allowed.
  ///
  /// - Throws: ``SockError``.
  func check() throws(SockError) {
    switch self {
    case .update(_, let edits, _):
      for edit in edits { try edit.check() }
    case .add(let draft):
      for edit in draft.sock(at: .distantPast).edits { try edit.check() }
    case .pair(let first, let second):
      if first == second { throw .pairedWithItself }
    case .remove, .unpair: break
    }
  }

  /// The values that it gives fields of its sock or expects there.
  var values: [SockEdit] {
    switch self {
    case .update(_, let edits, let from): edits + (from ?? [])
    case .add(let draft): draft.sock.edits
    case .remove, .pair, .unpair: []
    }
  }

  /// The change without the values that it expects.
  var unconditional: SockChange {
    if case .update(let id, let edits, _) = self { .update(id, edits) } else { self }
  }
}

extension Sock {
  /// Checks that no field of `edits` has a value that the change does not expect.
  ///
  /// - Throws: ``SockError/changedElsewhere(_:)``.
  func check(_ edits: [SockEdit], from expected: [SockEdit]?) throws(SockError) {
    for edit in edits where self[edit.field] != edit.value {
      let values = (expected ?? []).filter { $0.field == edit.field }.map(\.value)
      guard values.isEmpty || values.contains(self[edit.field]) else {
        throw .changedElsewhere(edit.field)
      }
    }
  }
}
