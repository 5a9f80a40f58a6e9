import Loading

/// A sock in a list, with the state of its changes.
public struct DrawerRow: Identifiable, Sendable {
  /// The sock, with its pending changes.
  public let sock: Sock
  /// The state of its changes.
  public let state: State

  /// Creates a row.
  public init(sock: Sock, state: State) {
    self.sock = sock
    self.state = state
  }

  /// The sock's ID.
  public var id: Sock.ID { sock.id }

  /// The state of a sock's changes; if there are several, the most important.
  public enum State: Sendable {
    /// It will be removed at this time unless the removal is undone.
    case removable(until: AnyClock.Instant)
    /// It is being removed.
    case removing
    /// It was changed; the change will be saved in a moment, together with further ones.
    case changed
    /// A change is being saved.
    case saving
    /// A change could not be saved; it waits to be retried or dismissed.
    case failed(any Error)
    /// Changes were saved, the last one at this time.
    case saved(at: AnyClock.Instant)
    /// No changes.
    case settled
  }
}

extension DrawerRow.State {
  @MainActor
  init(_ resource: Resource<Sock>) {
    let pending = resource.pendingMutations
    if let removal = pending.last(where: { $0.item == SockPart.removal.key }) {
      if case .held(let until) = removal.phase {
        self = .removable(until: until)
      } else {
        self = .removing
      }
    } else if !pending.isEmpty {
      self = pending.allSatisfy(\.isHeld) ? .changed : .saving
    } else if let failed = resource.failedMutations.last {
      self = .failed(failed.error)
    } else if let saved = resource.lastCommit {
      self = .saved(at: saved)
    } else {
      self = .settled
    }
  }
}

extension PendingMutation {
  fileprivate var isHeld: Bool { if case .held = phase { true } else { false } }
}

extension Resource<Sock> {
  fileprivate var lastCommit: AnyClock.Instant? {
    let commit = history.last { record in
      if case .committed = record.event { true } else { false }
    }
    return commit?.at
  }
}

/// The part of a sock that a mutation changes.
public enum SockPart: Hashable, Sendable {
  case sogginess, pair, addition, removal
  case fields(Set<SockField>)

  /// Returns the part from the item of a mutation.
  init(_ item: MutationKey?) {
    // A view that binds a slider uses the sock as the item.
    self = item?.base as? SockPart ?? .sogginess
  }

  var key: MutationKey { MutationKey(self) }
}
