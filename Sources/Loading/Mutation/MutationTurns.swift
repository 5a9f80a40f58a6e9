/// The order in which mutations of named scopes are committed, across the resources of a scheduler.
///
/// The first mutation of a scope has the turn and can be committed. When it leaves, because it was
/// stored, has failed or was undone, the next one has the turn. It also knows which resources have
/// mutations that a program waits for before it quits.
@MainActor
final class MutationTurns {
  private struct Waiter {
    let owner: ObjectIdentifier
    let id: PendingMutation.ID
    /// Tells the owner that the mutation has the turn.
    ///
    /// It keeps the owner alive until the mutation leaves, so that a change is not lost when the screen
    /// that showed it is left.
    let grant: @MainActor () -> Void
  }

  private var scopes: [MutationKey: Queue<Waiter>] = [:]

  /// The resources with mutations that would be lost with the process, by the order in which they
  /// became such.
  private var unsaved: [ObjectIdentifier: (number: Int, resource: any ChangedResource)] = [:]
  private var lastNumber = 0

  nonisolated init() {}

  /// The resources with mutations that are neither stored nor in a journal; each is kept alive
  /// until they are.
  var unsavedResources: [any ChangedResource] {
    unsaved.values.sorted { $0.number < $1.number }.map(\.resource)
  }

  /// Notes whether a resource has mutations that are neither stored nor in a journal.
  func note(_ resource: any ChangedResource, isUnsaved: Bool) {
    let id = ObjectIdentifier(resource)
    if !isUnsaved {
      unsaved[id] = nil
    } else if unsaved[id] == nil {
      lastNumber += 1
      unsaved[id] = (lastNumber, resource)
    }
  }

  /// Adds a mutation at the end of its scope; returns `grant` if it is the first.
  func enter(
    _ id: PendingMutation.ID, of owner: ObjectIdentifier, _ scope: MutationKey,
    grant: @escaping @MainActor () -> Void
  ) -> (@MainActor () -> Void)? {
    scopes[scope, default: Queue()].append(Waiter(owner: owner, id: id, grant: grant))
    return scopes[scope]?.count == 1 ? grant : nil
  }

  /// Removes a mutation; if it had the turn, returns the `grant` of the next one.
  func leave(
    _ id: PendingMutation.ID, of owner: ObjectIdentifier, _ scope: MutationKey
  ) -> (@MainActor () -> Void)? {
    guard let waiters = scopes[scope],
      let index = waiters.firstIndex(where: { $0.id == id && $0.owner == owner })
    else { return nil }
    let hadTurn = index == waiters.startIndex
    scopes[scope]?.remove(at: index)
    guard let next = scopes[scope]?.first else {
      scopes[scope] = nil
      return nil
    }
    return hadTurn ? next.grant : nil
  }
}
