import Loading
import Synchronization

/// Socks that come: they are shown from when they are wanted until the list has them, or somebody
/// has given them up.
extension SockDrawer {
  /// Puts a new sock into the drawer.
  ///
  /// One that could not be put there is tried again by a draft with its id.
  public func add(_ draft: SockDraft) {
    for failed in failedAdditions(of: draft.id) { additions.dismissMutation(failed) }
    unlocated = draft.id
    show(draft) { [api, outbox] in
      do {
        try await Self.commit(.add(draft), .addition, by: outbox, api)
      } catch SockError.alreadyThere(draft.id) {
        // An attempt that was told as failed has come through.
      }
    }
  }

  /// Shows a new sock while `commit` puts it into the drawer.
  func show(_ draft: SockDraft, commit: @escaping @Sendable () async throws -> Void) {
    let sock = draft.sock(at: now())
    additions.mutate(
      Mutation(item: sock.id, field: SockPart.addition) { socks in
        socks.removeAll { $0.id == sock.id }
        socks.append(sock)
      } commit: { [weak self, kept] _ in
        try await SockChangeFailure.telling(.addition, of: sock, commit)
        kept.insert(sock.id)
        // A list that was loaded before this cannot be trusted to have it.
        Task { @MainActor in self?.refresh() }
      })
  }

  /// Where a sock that was added is in the list, whether or not its page is there; nil when that is
  /// not known, or another one was added after it.
  public func place(ofAdded id: Sock.ID) -> Int? {
    guard let added = addedPlace.latestValue, added.id == id, added.query == query else {
      return nil
    }
    return added.place
  }

  private func locate(_ id: Sock.ID) {
    addedPlace.load(
      Loader { [api, query] _ in
        AddedPlace(id: id, query: query, place: try await api.place(of: id, in: query))
      }, .restart, cause: .inputChanged)
  }

  /// The socks that the list does not have yet, oldest first: those that are being added, and those
  /// that could not be and wait to be tried again or given up.
  public var arrivals: [DrawerRow] {
    let added = (additions.latestValue ?? []).filter { !isListed($0.id) }
    let coming = added.map { sock in
      DrawerRow(sock: sock, state: additions.isModifying(sock.id) ? .saving : .settled)
    }
    let failed = additions.failedMutations.compactMap { failed -> DrawerRow? in
      guard let error = failed.error as? SockChangeFailure,
        !added.contains(where: { $0.id == error.sock.id })
      else { return nil }
      return DrawerRow(sock: error.sock, state: .failed(error))
    }
    return failed + coming
  }

  /// Whether the list has a sock that was added, or would have it if its query were for it.
  private func isListed(_ id: Sock.ID) -> Bool {
    if listing.contains(id) { return true }
    return covered.contains(id) && !isRelisting && list.count.currentFailure == nil
      && !additions.isModifying(id)
  }

  /// Takes note that the list is loaded again, and so will have what was kept before.
  func coverAdditions() {
    if !isRelisting, list.count.currentFailure == nil, !covered.isEmpty {
      let rest = (additions.latestValue ?? []).filter { sock in
        kept.contains(sock.id) && !covered.contains(sock.id)
      }
      covered.forEach(kept.remove)
      covered = []
      // Those on their way are replayed over it.
      additions.set(.loaded(rest))
    }
    covered = kept.all
    if let id = unlocated, covered.contains(id) {
      unlocated = nil
      locate(id)
    }
  }

  func failedAdditions(of id: Sock.ID) -> [MutationID] {
    additions.failedMutations.filter { $0.item == MutationKey(id) }.map(\.id)
  }
}

/// Where a sock that was added is in what was listed then; nowhere if that is of others.
struct AddedPlace: Sendable {
  let id: Sock.ID
  let query: SockQuery
  let place: Int?
}

/// Ids that tasks and the main actor know of.
final class SockIDs: Sendable {
  private let ids = Mutex<Set<Sock.ID>>([])

  var all: Set<Sock.ID> { ids.withLock { $0 } }
  func contains(_ id: Sock.ID) -> Bool { ids.withLock { $0.contains(id) } }
  func insert(_ id: Sock.ID) { ids.withLock { _ = $0.insert(id) } }
  func remove(_ id: Sock.ID) { ids.withLock { _ = $0.remove(id) } }
}
