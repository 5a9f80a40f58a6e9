import Loading

/// Changing socks: everything is on the screen at once, saved in the background, and rolled back
/// where that fails.
extension SockDrawer {
  // MARK: Sogginess

  /// Makes a sock this soggy.
  ///
  /// Of the values that a slider runs through within ``sogginessSpacing``, or while one of them is
  /// being kept, only the newest is kept.
  public func setSogginess(of id: Sock.ID, to sogginess: Int) {
    let range = Sock.sogginessRange
    let sogginess = min(max(sogginess, range.lowerBound), range.upperBound)
    guard
      let access = changing(id).access(spacing: Self.sogginessSpacing, commit: sogginessCommit),
      access.value.sogginess != sogginess
    else { return }
    access.sogginess.modify(overwrites: true) { $0 = sogginess }
  }

  /// The least time between the beginnings of two commits of one sock's sogginess: a key that is
  /// held down sends 30 values a second, each of which would cost the disk a write.
  public nonisolated static let sogginessSpacing = Duration.milliseconds(250)

  /// Makes a sock soggier, or less so.
  public func changeSogginess(of id: Sock.ID, by change: Int) {
    guard let sock = changing(id).latestValue else { return }
    setSogginess(of: id, to: sock.sogginess + change)
  }

  /// Keeps the sogginess of a sock, and nothing else of it: the commit of a view that binds a slider
  /// to ``sock(_:)``, and says that the item is the sock: changes here and in the list are then
  /// changes of one field.
  ///
  /// ```swift
  /// AsyncContentView(
  ///   drawer.sock(id), item: id, spacing: SockDrawer.sogginessSpacing,
  ///   commit: drawer.sogginessCommit
  /// ) { $sock in
  ///   Slider("Sogginess", value: $sock.sogginess, in: Sock.sogginessRange)
  /// }
  /// ```
  public var sogginessCommit: @Sendable (ValueChange<Sock>) async throws -> Void {
    { [api, outbox] change in
      let sock = change.value
      try await SockChangeFailure.telling(.sogginess, of: sock) {
        try await Self.commit(
          .update(sock.id, [.sogginess(sock.sogginess)]), .sogginess, by: outbox, api)
      }
    }
  }

  // MARK: Other fields

  /// Changes fields of a sock, all of them or none.
  public func edit(_ id: Sock.ID, _ edits: [SockEdit]) {
    let fields = Set(edits.map(\.field))
    change(.update(id, edits), .fields(fields), field: fields) { sock in
      for edit in edits { sock.apply(edit) }
    }
  }

  // MARK: Pairs

  /// Makes two socks a pair.
  public func pair(_ id: Sock.ID, with other: Sock.ID) {
    change(.pair(id, other), .pair, field: SockPart.pair) { $0.pair = other }
  }

  /// Takes a pair apart.
  public func unpair(_ id: Sock.ID) {
    change(.unpair(id), .pair, field: SockPart.pair) { $0.pair = nil }
  }

  // MARK: Coming and going

  /// Takes a sock out of the drawer when ``undoWindow`` is over.
  public func remove(_ id: Sock.ID) {
    let resource = changing(id)
    guard !gone.contains(id), !resource.isModifying(SockPart.removal) else { return }
    resource.mutate(
      item: SockPart.removal, field: SockPart.removal, timing: .confirmed, undoWindow: undoWindow
    ) { _ in
    } commit: { [api, outbox, gone] sock in
      try await SockChangeFailure.telling(.removal, of: sock) {
        do {
          try await Self.commit(.remove(id), .removal, by: outbox, api)
        } catch SockError.noSuchSock(id) {
          // Somebody else was faster.
        }
      }
      gone.insert(id)
    }
  }

  /// Leaves a sock in the drawer whose time to be taken out has not come; false when it has.
  @discardableResult
  public func undoRemoval(of id: Sock.ID) -> Bool {
    guard let resource = overlays[id],
      let removal = resource.pendingMutations.last(where: { $0.item == SockPart.removal.key })
    else { return false }
    return resource.undo(removal.id)
  }

  // MARK: Failures

  /// Tries everything of a sock again that could not be kept.
  public func retryFailedChanges(of id: Sock.ID) {
    for failed in failedAdditions(of: id) { additions.retryMutation(failed) }
    guard let resource = overlays[id] else { return }
    for failed in resource.failedMutations { resource.retryMutation(failed.id) }
  }

  /// Forgets everything of a sock that could not be kept.
  public func dismissFailedChanges(of id: Sock.ID) {
    for failed in failedAdditions(of: id) { additions.dismissMutation(failed) }
    guard let resource = overlays[id] else { return }
    for failed in resource.failedMutations { resource.dismissMutation(failed.id) }
  }

  // MARK: The end

  /// Whether something is not kept yet.
  public var isSaving: Bool {
    additions.hasPendingMutations || overlays.values.contains { $0.hasPendingMutations }
  }

  /// Ends the time in which removals may be undone, and waits until everything is saved or has failed.
  ///
  /// It is what a program does before it ends. A cancelled wait returns at once.
  ///
  /// - Returns: the changes that were not saved. The reason of one that is still being saved is a
  ///   `CancellationError`. One that is in a journal is not lost, and not among them.
  @discardableResult
  public func finish() async -> [SockChangeFailure] {
    additions.commitHeldMutations()
    for resource in overlays.values { resource.commitHeldMutations() }
    await additions.mutationsSettled()
    for resource in overlays.values { await resource.mutationsSettled() }
    return unsaved
  }

  private var unsaved: [SockChangeFailure] {
    let coming = additions.pendingMutations.filter(\.isAtRisk).compactMap { pending in
      additions.latestValue?.first { MutationKey($0.id) == pending.item }
    }
    var unsaved = additions.failedMutations.compactMap { $0.error as? SockChangeFailure }
    unsaved += coming.map {
      SockChangeFailure(sock: $0, change: .addition, reason: CancellationError())
    }
    // What was changed of a sock before it was taken out of the drawer went with it.
    for (id, resource) in overlays where !gone.contains(id) {
      unsaved += resource.failedMutations.compactMap { $0.error as? SockChangeFailure }
      guard let sock = resource.latestValue else { continue }
      unsaved += resource.pendingMutations.filter(\.isAtRisk).map {
        SockChangeFailure(
          sock: sock, change: SockChangeFailure.Change($0.item), reason: CancellationError())
      }
    }
    return unsaved.sorted {
      ($0.sock.name, $0.sock.id.uuidString) < ($1.sock.name, $1.sock.id.uuidString)
    }
  }

  // MARK: Inside

  private func change(
    _ change: SockChange, _ part: SockPart, field: some Hashable & Sendable,
    apply: @escaping @Sendable (inout Sock) -> Void
  ) {
    changing(change.sock).mutate(item: part, field: field, apply: apply) { [api, outbox] sock in
      try await SockChangeFailure.telling(part == .pair ? .pair : .fields, of: sock) {
        try await Self.commit(change, part, by: outbox, api)
      }
    }
  }
}

extension PendingMutation {
  /// Whether it would be lost with the process.
  fileprivate var isAtRisk: Bool { phase != .kept }
}
