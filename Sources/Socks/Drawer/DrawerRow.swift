import Loading

/// A sock in a list, with what is going on with it.
public struct DrawerRow: Identifiable, Sendable {
  /// The sock, with its pending changes.
  public let sock: Sock
  /// What is going on with it.
  public let state: State

  /// A row as it is told.
  public init(sock: Sock, state: State) {
    self.sock = sock
    self.state = state
  }

  /// The sock's own.
  public var id: Sock.ID { sock.id }

  /// What is going on with a sock, the most important first.
  public enum State: Sendable {
    /// It is taken out at that moment unless that is undone.
    case removable(until: AnyClock.Instant)
    /// It is being taken out.
    case removing
    /// It was changed, and that is kept in a moment, with what may yet come.
    case changed
    /// A change is being kept.
    case saving
    /// A change could not be kept; it waits to be tried again or dismissed.
    case failed(any Error)
    /// Changes were kept, the last one then.
    case saved(at: AnyClock.Instant)
    /// Nothing.
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

/// What of a sock a mutation changes.
enum SockPart: Hashable, Sendable {
  case sogginess, pair, addition, removal
  case fields(Set<SockField>)

  var key: MutationKey { MutationKey(self) }
}
