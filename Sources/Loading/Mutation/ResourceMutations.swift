/// Changing a loaded value.
extension Resource {
  /// Begins a mutation.
  ///
  /// - Returns: the number of the mutation; nil if it needs a value and there is none: it is
  ///   ignored then.
  @discardableResult
  public func mutate(_ mutation: Mutation<Value>) -> PendingMutation.ID? {
    begin(.mutate(mutation.held))
  }

  /// Begins a mutation that changes the value by a patch and stores the change, see ``Mutation``.
  ///
  /// - Returns: the number of the mutation; nil if there is no value: it is ignored then.
  @discardableResult
  public func mutate(
    item: (any Hashable & Sendable)? = nil, scope: (any Hashable & Sendable)? = nil,
    field: (any Hashable & Sendable)? = nil, timing: Mutation<Value>.Timing = .optimistic,
    undoWindow: Duration? = nil, throttle: Duration? = nil,
    apply patch: @escaping Mutation<Value>.Patch,
    commit: @escaping @Sendable (Value) async throws -> Void
  ) -> PendingMutation.ID? {
    mutate(
      Mutation(
        item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
        throttle: throttle, apply: patch, commit: commit))
  }

  /// Begins a mutation whose commit has an answer: `confirm` applies the answer in place of the
  /// patch.
  ///
  /// ```swift
  /// todos.mutate {
  ///   $0.append(draft)
  /// } commit: { _ in
  ///   try await api.add(draft)
  /// } confirm: { todos, stored in
  ///   todos.append(stored)  // with the number that the server has given it
  /// }
  /// ```
  ///
  /// - Returns: the number of the mutation; nil if there is no value: it is ignored then.
  @discardableResult
  public func mutate<Answer: Sendable>(
    item: (any Hashable & Sendable)? = nil, scope: (any Hashable & Sendable)? = nil,
    field: (any Hashable & Sendable)? = nil, timing: Mutation<Value>.Timing = .optimistic,
    undoWindow: Duration? = nil, throttle: Duration? = nil,
    apply patch: @escaping Mutation<Value>.Patch,
    commit: @escaping @Sendable (Value) async throws -> Answer,
    confirm: @escaping @Sendable (inout Value, Answer) -> Void
  ) -> PendingMutation.ID? {
    mutate(
      Mutation(
        item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
        throttle: throttle, apply: patch, commit: commit, confirm: confirm))
  }

  /// Begins a mutation that needs no value, see
  /// ``Mutation/init(item:scope:field:timing:undoWindow:throttle:apply:commit:)-(_,_,_,_,_,_,_,()->Void)``.
  @discardableResult
  public func mutate(
    item: (any Hashable & Sendable)? = nil, scope: (any Hashable & Sendable)? = nil,
    field: (any Hashable & Sendable)? = nil, timing: Mutation<Value>.Timing = .optimistic,
    undoWindow: Duration? = nil, throttle: Duration? = nil,
    apply patch: @escaping Mutation<Value>.Patch,
    commit: @escaping @Sendable () async throws -> Void
  ) -> PendingMutation.ID? {
    mutate(
      Mutation(
        item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
        throttle: throttle, apply: patch, commit: commit))
  }

  /// Unavailable: the next load would remove a change that is not stored.
  @available(
    *, unavailable,
    message: "Say how it is stored: mutate { … } commit: { … }; to show a value, use set(_:)"
  )
  @discardableResult
  public func mutate(_ change: (inout Value) -> Void) -> PendingMutation.ID? { nil }

  /// Changes the confirmed value under the pending mutations, for example by a page that was added.
  ///
  /// - Parameter needsReload: whether it may contain changes that are being stored, and are shown
  ///   over it, so that the value is loaded again when they were stored.
  func update(needsReload: Bool, _ change: @escaping Mutation<Value>.Patch) {
    apply(.update({ value in value.modify(change) }, needsReload: needsReload))
  }

  /// The value without the mutations that are not stored yet.
  package var confirmedValue: Value? { truth.log.patches.base?.value(as: Value.self) }

  /// Takes back a mutation that is not being committed yet.
  ///
  /// - Returns: false if the mutation is already being committed, or has ended.
  @discardableResult
  public func undo(_ id: PendingMutation.ID) -> Bool {
    guard truth.log.mutation(id) != nil else { return false }
    apply(.undo(id))
    return truth.log.mutation(id) == nil
  }

  /// Ends every undo window and commits its mutation.
  ///
  /// Call it before the program quits.
  public func commitHeldMutations() {
    apply(.release(nil))
  }

  /// Begins a failed mutation again with the same arguments.
  ///
  /// It never replaces a newer change of its field. While a newer one is pending, the newer one
  /// decides: the failed mutation is not begun, and is dropped when the newer one is stored.
  /// Changes through a ``ValueAccess`` that add to each other are committed together instead, under
  /// the newer number.
  ///
  /// - Returns: the number of the mutation now; nil if it was not begun.
  @discardableResult
  public func retryMutation(_ id: PendingMutation.ID) -> PendingMutation.ID? {
    begin(.retryMutation(id))
  }

  /// Removes a failed mutation, also from the journal of a ``MutationOutbox``.
  public func dismissMutation(_ id: PendingMutation.ID) {
    let records = truth.log.failed.first { $0.report.id == id }?.records ?? []
    for record in records where record.row != nil { _ = scheduler.task(record.forget) }
    apply(.dismissMutation(id))
  }

  /// The mutations that are not stored yet, in the order in which they began.
  public var pendingMutations: [PendingMutation] {
    access(.mutations)
    return truth.log.pending
  }

  /// Whether there is a mutation that is not stored yet; O(1).
  public var hasPendingMutations: Bool {
    access(.mutations)
    return !truth.log.isDrained
  }

  /// The mutations that could not be stored, oldest first.
  public var failedMutations: [FailedMutation] {
    access(.mutations)
    return truth.log.failed.map { failedMutation($0.report) }
  }

  /// Returns the newest mutation of this element that could not be stored; nil if there is none.
  ///
  /// ```swift
  /// if let failed = drawer.failedMutation(of: sock.id) { draw("not saved: \(failed.error)") }
  /// ```
  public func failedMutation(of item: any Hashable & Sendable) -> FailedMutation? {
    access(.mutations)
    let item = MutationKey(item)
    return truth.log.failed.last { $0.report.item == item }.map { failedMutation($0.report) }
  }

  /// Begins every failed mutation again whose error allows it, oldest first.
  public func retryFailedMutations() {
    // Not in the order in which they failed: the newest change of a field has to win.
    for failed in failedMutations.sorted(by: { $0.id < $1.id }) { failed.retry?() }
  }

  /// Removes every failed mutation.
  public func dismissFailedMutations() {
    for failed in failedMutations { failed.dismiss() }
  }

  /// Why the newest failed mutation failed that can be retried, or else the newest, and the number of
  /// failed ones; nil if there is none, or an inbox reports them.
  package var shownFailure: (failure: LoadFailure, count: Int)? {
    guard mutationFailures == nil else { return nil }
    access(.mutations)
    let failed = truth.log.failed
    guard let shown = failed.last(where: { $0.report.error.allowsRetry }) ?? failed.last
    else { return nil }
    return (LoadFailure(error: shown.report.error, at: shown.report.at), failed.count)
  }

  /// Returns a failed mutation as ``failedMutations`` and inboxes have it.
  ///
  /// - Parameter owner: the resource, if the failed mutation keeps it alive: that of an inbox does,
  ///   because it can be retried or dismissed after the screen was left.
  func failedMutation(
    _ report: MutationLog.Report, of owner: Resource? = nil
  ) -> FailedMutation {
    let id = report.id
    let retry: @MainActor @Sendable () -> Void = { [weak self] in
      (owner ?? self)?.retryMutation(id)
    }
    return FailedMutation(
      id: id, item: report.item, error: report.error, at: report.at,
      retry: report.error.allowsRetry ? retry : nil,
      dismiss: { [weak self] in (owner ?? self)?.dismissMutation(id) },
      isCurrent: { [weak self] in
        // One whose resource was released cannot be retried, but the user still has to see it.
        self?.access(.mutations)
        return report.isFailed.withLock { $0 }
      })
  }

  /// The elements that pending mutations change.
  public var modifyingIDs: Set<MutationKey> {
    access(.mutations)
    return Set(truth.log.modifying.keys)
  }

  /// Returns whether a pending mutation changes this element; O(1).
  public func isModifying(_ item: any Hashable & Sendable) -> Bool {
    access(.mutations)
    return truth.log.modifying[MutationKey(item)] != nil
  }
}
