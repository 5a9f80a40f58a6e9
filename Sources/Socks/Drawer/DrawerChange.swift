import Loading

/// A change of a sock that is pending or has failed.
public struct DrawerChange: Identifiable, Sendable {
  /// The state of a change.
  public enum Phase: Sendable {
    /// It will be saved in a moment, together with further changes, or can still be undone.
    case waiting
    /// It is being saved.
    case saving
    /// It could not be saved.
    case failed(any Error)
  }

  /// Identifies the change among all changes that exist at the same time.
  public let id: String
  /// The sock with the change applied.
  public let sock: Sock
  /// The part of the sock that is changed.
  public let change: SockChangeFailure.Change
  /// The state of the change.
  public let phase: Phase
}

extension SockDrawer {
  /// All pending and failed changes: failures first, and then by name.
  public var changes: [DrawerChange] {
    let added = additions.pendingMutations.compactMap { pending in
      additions.latestValue?.first { MutationKey($0.id) == pending.item }
        .map { change(of: $0, .addition, pending) }
    }
    let others = observedOverlays.values.flatMap { resource -> [DrawerChange] in
      guard let sock = resource.latestValue else { return [] }
      return resource.pendingMutations.map {
        change(of: sock, SockChangeFailure.Change($0.item), $0)
      } + resource.failedMutations.map { change(of: sock, $0) }
    }
    let failedAdditions = additions.failedMutations.compactMap { failed in
      (failed.error as? SockChangeFailure).map { change(of: $0.sock, failed) }
    }
    return (failedAdditions + added + others).sorted {
      ($0.isFailed ? 0 : 1, $0.sock.name, $0.id) < ($1.isFailed ? 0 : 1, $1.sock.name, $1.id)
    }
  }

  private func change(
    of sock: Sock, _ change: SockChangeFailure.Change, _ pending: PendingMutation
  ) -> DrawerChange {
    let phase: DrawerChange.Phase
    if case .held = pending.phase { phase = .waiting } else { phase = .saving }
    return DrawerChange(
      id: "\(sock.id) \(pending.id)", sock: sock, change: change, phase: phase)
  }

  private func change(of sock: Sock, _ failed: FailedMutation) -> DrawerChange {
    DrawerChange(
      id: "\(sock.id) \(failed.id)", sock: sock,
      change: (failed.error as? SockChangeFailure)?.change ?? .fields,
      phase: .failed(failed.error))
  }
}

extension DrawerChange {
  fileprivate var isFailed: Bool { if case .failed = phase { true } else { false } }
}
