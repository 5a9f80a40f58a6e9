/// The order in which mutations of a named scope are committed, across the resources of a scheduler.
///
/// The first of a scope has the turn and may be committed; the next one gets it when that has left,
/// because it was stored, has failed or was taken back.
@MainActor
final class MutationTurns {
  private struct Waiter {
    let owner: ObjectIdentifier
    let id: PendingMutation.ID
    /// Tells the owner that the mutation has the turn; keeps it alive until the mutation leaves, so
    /// that a change that was accepted is not lost with the screen that showed it.
    let grant: @MainActor () -> Void
  }

  private var scopes: [MutationKey: Queue<Waiter>] = [:]

  nonisolated init() {}

  /// Adds a mutation at the end of its scope; returns what gives it the turn, if it is the first.
  func enter(
    _ id: PendingMutation.ID, of owner: ObjectIdentifier, _ scope: MutationKey,
    grant: @escaping @MainActor () -> Void
  ) -> (@MainActor () -> Void)? {
    scopes[scope, default: Queue()].append(Waiter(owner: owner, id: id, grant: grant))
    return scopes[scope]?.count == 1 ? grant : nil
  }

  /// Takes a mutation out; returns what gives the turn to the next one, if it had it.
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
