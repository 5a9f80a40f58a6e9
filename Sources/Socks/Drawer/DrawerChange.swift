import Loading

/// A change of a sock that is pending or has failed.
public struct DrawerChange: Identifiable, Sendable {
  /// The state of a change.
  public enum Phase: Sendable {
    /// It will be saved in a moment, together with further changes, or can still be undone.
    case waiting
    /// It is being saved.
    case saving
    /// It could not be saved; retry or dismiss it through this.
    case failed(FailedMutation)
  }

  /// Identifies the change among all changes that exist at the same time; a retry keeps it.
  public let id: String
  /// The sock with the change applied.
  public let sock: Sock
  /// The part of the sock that is changed.
  public let part: SockPart
  /// The state of the change.
  public let phase: Phase
}

extension SockDrawer {
  /// All pending and failed changes, by name: a retry moves no change to another place.
  public var changes: [DrawerChange] {
    let others = observedOverlays.values.flatMap { resource in
      changes(of: resource) { item in resource.latestValue.map { ($0, SockPart(item)) } }
    }
    let added = changes(of: additions) { [additions] item in
      additions.latestValue?.first { MutationKey($0.id) == item }.map { ($0, .addition) }
    }
    var counts: [String: Int] = [:]
    return (added + others).sorted { $0.order < $1.order }.map { change in
      let place = "\(change.sock.id) \(change.part.name)"
      let number = counts[place, default: 0]
      counts[place] = number + 1
      return DrawerChange(
        id: "\(place) \(number)", sock: change.sock, part: change.part, phase: change.phase)
    }
  }

  private struct Unnumbered {
    let number: PendingMutation.ID
    let sock: Sock
    let part: SockPart
    let phase: DrawerChange.Phase

    var order: (String, String, String, PendingMutation.ID) {
      (sock.name, sock.id.uuidString, part.name, number)
    }
  }

  /// - Parameter target: returns the sock and the part of it that an item of a mutation is about.
  private func changes<Value>(
    of resource: Resource<Value>,
    target: (_ item: MutationKey?) -> (sock: Sock, part: SockPart)?
  ) -> [Unnumbered] {
    let pending = resource.pendingMutations.compactMap { pending in
      target(pending.item).map { sock, part in
        var phase = DrawerChange.Phase.saving
        if case .held = pending.phase { phase = .waiting }
        return Unnumbered(number: pending.id, sock: sock, part: part, phase: phase)
      }
    }
    let failed = resource.failedMutations.compactMap { failed in
      let failure = failed.error as? SockChangeFailure
      return (target(failed.item)?.sock ?? failure?.sock).map {
        Unnumbered(
          number: failed.id, sock: $0, part: failure?.part ?? .fields([]), phase: .failed(failed))
      }
    }
    return pending + failed
  }
}
