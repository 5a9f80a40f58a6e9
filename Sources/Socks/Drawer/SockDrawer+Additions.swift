import Loading
import Synchronization

/// Additions: a new sock is shown at once, until the list contains it or the user has dismissed its
/// failed addition.
extension SockDrawer {
  /// Adds a new sock to the drawer.
  ///
  /// A failed addition is retried by adding a draft with the same id.
  public func add(_ draft: SockDraft) {
    for failed in failedAdditions(of: draft.id) { additions.dismissMutation(failed) }
    unlocated = draft.id
    show(draft) { [api, outbox] in
      do {
        try await Self.commit(.add(draft), .addition, by: outbox, api)
      } catch SockError.alreadyThere(draft.id) {
        // An earlier attempt that was reported as failed has succeeded.
      }
    }
  }

  /// Shows a new sock while `commit` adds it to the drawer.
  func show(_ draft: SockDraft, commit: @escaping @Sendable () async throws -> Void) {
    let sock = draft.sock(at: now())
    additions.mutate(
      Mutation(item: sock.id, field: SockPart.addition) { socks in
        socks.removeAll { $0.id == sock.id }
        socks.append(sock)
      } commit: { [weak self, kept] _ in
        try await SockChangeFailure.telling(.addition, of: sock, commit)
        kept.insert(sock.id)
        // A list that was loaded before this may not contain it.
        Task { @MainActor in self?.refresh() }
      })
  }

  /// The index of an added sock in the list, whether or not its page is loaded; nil when it is not
  /// known, or another sock was added later.
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

  /// The added socks that the list does not contain yet, oldest first: those being added, and those
  /// that failed and wait to be retried or dismissed.
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

  /// Whether the list contains an added sock, or would contain it if the sock matched its query.
  private func isListed(_ id: Sock.ID) -> Bool {
    if listing.contains(id) { return true }
    return covered.contains(id) && !isRelisting && list.count.currentFailure == nil
      && !additions.isModifying(id)
  }

  /// Called when the list is loaded again: it will then contain what was saved before.
  func coverAdditions() {
    if !isRelisting, list.count.currentFailure == nil, !covered.isEmpty {
      let rest = (additions.latestValue ?? []).filter { sock in
        kept.contains(sock.id) && !covered.contains(sock.id)
      }
      covered.forEach(kept.remove)
      covered = []
      // Pending additions are applied on top of this value.
      additions.set(.loaded(rest))
    }
    covered = kept.all
    if let id = unlocated, covered.contains(id) {
      unlocated = nil
      locate(id)
    }
  }

  func failedAdditions(of id: Sock.ID) -> [PendingMutation.ID] {
    additions.failedMutations.filter { $0.item == MutationKey(id) }.map(\.id)
  }
}

/// The index of an added sock in a list; nil if its query excludes the sock.
struct AddedPlace: Sendable {
  let id: Sock.ID
  let query: SockQuery
  let place: Int?
}

/// A set of sock ids that is shared by tasks and the main actor.
final class SockIDs: Sendable {
  private let ids = Mutex<Set<Sock.ID>>([])

  var all: Set<Sock.ID> { ids.withLock { $0 } }
  func contains(_ id: Sock.ID) -> Bool { ids.withLock { $0.contains(id) } }
  func insert(_ id: Sock.ID) { ids.withLock { _ = $0.insert(id) } }
  func remove(_ id: Sock.ID) { ids.withLock { _ = $0.remove(id) } }
}
