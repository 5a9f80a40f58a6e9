import Loading

/// Changes of socks: each is shown at once, saved in the background, and rolled back if that fails.
extension SockDrawer {
  // MARK: Sogginess

  /// Sets the sogginess of a sock.
  ///
  /// Of the values that a slider produces within ``sogginessThrottle``, or while one is being saved,
  /// only the newest is saved.
  ///
  /// - Parameter known: the sock as the caller knows it, see ``edit(_:_:known:)``.
  public func setSogginess(of id: Sock.ID, to sogginess: Int, known: Sock? = nil) {
    let range = Sock.sogginessRange
    let sogginess = min(max(sogginess, range.lowerBound), range.upperBound)
    guard
      let access = changing(id).access(throttle: Self.sogginessThrottle, commit: sogginessCommit)
    else { return edit(id, [.sogginess(sogginess)], known: known) }
    guard access.value.sogginess != sogginess else { return }
    access.sogginess.modify(overwrites: true) { $0 = sogginess }
  }

  /// The least time between the starts of two commits of one sock's sogginess: a key held down
  /// sends 30 values per second, each of which would cost a write to the disk.
  public nonisolated static let sogginessThrottle = Duration.milliseconds(250)

  /// The commit for a view that binds a slider to ``sock(_:)``; it saves the sogginess of the sock
  /// and nothing else.
  ///
  /// The view has to use the sock's id as its item: then its changes and those in the list are
  /// changes of the same field.
  ///
  /// ```swift
  /// AsyncContentView(
  ///   drawer.sock(id), item: id, throttle: SockDrawer.sogginessThrottle,
  ///   commit: drawer.sogginessCommit
  /// ) { $sock in
  ///   Slider("Sogginess", value: $sock.sogginess, in: Sock.sogginessRange)
  /// }
  /// ```
  public var sogginessCommit: @Sendable (ValueAccess<Sock>.Change) async throws -> Void {
    { [api, outbox, weak self] change in
      let sock = change.value
      try await SockChangeFailure.telling(.sogginess, of: sock) {
        try await Self.commit(
          .update(sock.id, [.sogginess(sock.sogginess)]), .sogginess, by: outbox, api
        ) { self?.overlays[sock.id]?.confirmedValue }
      }
    }
  }

  // MARK: Other fields

  /// Changes fields of a sock in one transaction.
  ///
  /// - Parameter known: the sock as the caller knows it, which is shown with the change if the sock
  ///   is not loaded, and may not be there any more. Without it, such a change is not among
  ///   ``changes``, and ``finish()`` cannot name it.
  public func edit(_ id: Sock.ID, _ edits: [SockEdit], known: Sock? = nil) {
    let fields = Set(edits.map(\.field))
    change(.update(id, edits), .fields(fields), field: fields, known: known) { sock in
      for edit in edits { sock.apply(edit) }
    }
  }

  // MARK: Pairs

  /// Makes two socks a pair.
  ///
  /// - Parameter known: the first sock as the caller knows it, see ``edit(_:_:known:)``.
  public func pair(_ id: Sock.ID, with other: Sock.ID, known: Sock? = nil) {
    change(.pair(id, other), .pair, field: SockPart.pair, known: known) { $0.pair = other }
  }

  /// Separates a pair.
  ///
  /// - Parameter known: the sock as the caller knows it, see ``edit(_:_:known:)``.
  public func unpair(_ id: Sock.ID, known: Sock? = nil) {
    change(.unpair(id), .pair, field: SockPart.pair, known: known) { $0.pair = nil }
  }

  // MARK: Coming and going

  /// Removes a sock from the drawer once ``undoWindow`` has passed.
  ///
  /// - Parameter known: the sock as the caller knows it, see ``edit(_:_:known:)``.
  public func remove(_ id: Sock.ID, known: Sock? = nil) {
    let resource = changing(id, known: known)
    guard !gone.contains(id), !resource.isModifying(SockPart.removal) else { return }
    mutate(
      id, .removal, field: SockPart.removal, timing: .confirmed, undoWindow: undoWindow
    ) { _ in
    } commit: { [api, outbox, gone] sock in
      try await SockChangeFailure.telling(.removal, of: sock) {
        do {
          try await Self.commit(.remove(id), .removal, by: outbox, api)
        } catch SockError.noSuchSock(id) {
          // Another process has already removed it.
        }
      }
      gone.insert(id)
    }
  }

  /// Undoes a removal that has not been committed yet; returns false when it has.
  @discardableResult
  public func undoRemoval(of id: Sock.ID) -> Bool {
    guard let resource = overlays[id],
      let removal = resource.pendingMutations.last(where: { $0.item == SockPart.removal.key })
    else { return false }
    return resource.undo(removal.id)
  }

  // MARK: Failures

  /// Retries all failed changes of a sock.
  public func retryFailedChanges(of id: Sock.ID) {
    for failed in failedAdditions(of: id) { additions.retryMutation(failed) }
    overlays[id]?.retryFailedMutations()
  }

  /// Dismisses all failed changes of a sock.
  public func dismissFailedChanges(of id: Sock.ID) {
    for failed in failedAdditions(of: id) { additions.dismissMutation(failed) }
    overlays[id]?.dismissFailedMutations()
  }

  // MARK: The end

  /// Whether any change has not been saved yet.
  public var isSaving: Bool {
    additions.hasPendingMutations || overlays.values.contains { $0.hasPendingMutations }
  }

  /// Ends all undo windows, and waits until everything is saved or has failed.
  ///
  /// Called before the program ends. Cancelling the task returns at once.
  ///
  /// - Returns: the changes that were not saved. The reason of one that is still being saved is a
  ///   `CancellationError`. Changes in a journal are not lost, and not included.
  @discardableResult
  public func finish() async -> [SockChangeFailure] {
    additions.commitHeldMutations()
    for resource in overlays.values { resource.commitHeldMutations() }
    await additions.mutationsSent()
    for resource in overlays.values { await resource.mutationsSent() }
    return unsaved
  }

  private var unsaved: [SockChangeFailure] {
    let coming = additions.pendingMutations.filter(\.isAtRisk).compactMap { pending in
      additions.latestValue?.first { MutationKey($0.id) == pending.item }
    }
    var unsaved = additions.failedMutations.compactMap { $0.error as? SockChangeFailure }
    unsaved += coming.map {
      SockChangeFailure(sock: $0, part: .addition, reason: CancellationError())
    }
    // The changes of a sock are moot once it has been removed from the drawer.
    for (id, resource) in overlays where !gone.contains(id) {
      unsaved += resource.failedMutations.compactMap { $0.error as? SockChangeFailure }
      guard let sock = resource.latestValue else { continue }
      unsaved += resource.pendingMutations.filter(\.isAtRisk).map {
        SockChangeFailure(
          sock: sock, part: SockPart($0.item), reason: CancellationError())
      }
    }
    return unsaved.sorted {
      ($0.sock.name, $0.sock.id.uuidString) < ($1.sock.name, $1.sock.id.uuidString)
    }
  }

  // MARK: Inside

  private func change(
    _ change: SockChange, _ part: SockPart, field: some Hashable & Sendable, known: Sock? = nil,
    apply: @escaping @Sendable (inout Sock) -> Void
  ) {
    // What the caller knows may be older than the stored value.
    let isLoaded = changing(change.sock).latestValue != nil
    mutate(change.sock, part, field: field, known: known, apply: apply) {
      [api, outbox, weak self] sock in
      try await SockChangeFailure.telling(part, of: sock) {
        try await Self.commit(change, part, by: outbox, api) {
          isLoaded ? self?.overlays[change.sock]?.confirmedValue : nil
        }
      }
    }
  }

  /// Changes a sock, which need not be loaded: the user may have scrolled away from it.
  private func mutate(
    _ id: Sock.ID, _ part: SockPart, field: some Hashable & Sendable,
    timing: Mutation<Sock>.Timing = .optimistic, undoWindow: Duration? = nil, known: Sock? = nil,
    apply: @escaping @Sendable (inout Sock) -> Void,
    commit: @escaping @Sendable (Sock) async throws -> Void
  ) {
    let resource = changing(id, known: known)
    if resource.latestValue != nil {
      resource.mutate(
        item: part, field: field, timing: timing, undoWindow: undoWindow, apply: apply,
        commit: commit)
    } else {
      resource.mutate(
        item: part, field: field, timing: timing, undoWindow: undoWindow, apply: apply
      ) { [api] in
        try await commit(try await api.sock(id))
      }
    }
  }
}

extension PendingMutation {
  /// Whether it would be lost when the process ends.
  fileprivate var isAtRisk: Bool { phase != .kept }
}
