/// Changing a loaded value.
extension Resource {
  /// Begins a mutation and returns its number; nil, and nothing happens, when it needs a value and there
  /// is none.
  @discardableResult
  public func mutate(_ mutation: Mutation<Value>) -> PendingMutation.ID? {
    apply(.mutate(mutation.held))
    return truth.begun
  }

  /// Changes the value and makes that last; see ``Mutation`` for what can be said about it.
  @discardableResult
  public func mutate(
    item: (any Hashable & Sendable)? = nil, field: (any Hashable & Sendable)? = nil,
    timing: Mutation<Value>.Timing = .optimistic, undoWindow: Duration? = nil,
    spacing: Duration? = nil, apply patch: @escaping Mutation<Value>.Patch,
    commit: @escaping @Sendable (Value) async throws -> Void
  ) -> PendingMutation.ID? {
    mutate(
      Mutation(
        item: item, field: field, timing: timing, undoWindow: undoWindow, spacing: spacing,
        apply: patch, commit: commit))
  }

  /// Changes the value, if there is one, and makes that last, also where there is none; see
  /// ``Mutation/init(item:scope:field:timing:undoWindow:spacing:apply:commit:)-(_,_,_,_,_,_,_,()->Void)``.
  @discardableResult
  public func mutate(
    item: (any Hashable & Sendable)? = nil, field: (any Hashable & Sendable)? = nil,
    timing: Mutation<Value>.Timing = .optimistic, undoWindow: Duration? = nil,
    spacing: Duration? = nil, apply patch: @escaping Mutation<Value>.Patch,
    commit: @escaping @Sendable () async throws -> Void
  ) -> PendingMutation.ID? {
    mutate(
      Mutation(
        item: item, field: field, timing: timing, undoWindow: undoWindow, spacing: spacing,
        apply: patch, commit: commit))
  }

  /// Not here: a change that is not stored would be gone with the next load.
  @available(
    *, unavailable,
    message: "Say how it is stored: mutate { … } commit: { … }; to show a value, use set(_:)"
  )
  @discardableResult
  public func mutate(_ change: (inout Value) -> Void) -> PendingMutation.ID? { nil }

  /// Changes the confirmed value, which has grown, under whatever is pending over it.
  func update(_ change: @escaping Mutation<Value>.Patch) {
    apply(.update { value in value.modify(change) })
  }

  /// Undoes a mutation that is not being committed yet; false when it is too late.
  @discardableResult
  public func undo(_ id: PendingMutation.ID) -> Bool {
    let count = truth.log.pendingCount
    apply(.undo(id))
    return truth.log.pendingCount < count
  }

  /// Ends every undo window as committed: what a program does before it quits.
  public func commitHeldMutations() {
    apply(.release(nil))
  }

  /// Begins a failed mutation again with what it was given, and returns the number under which it
  /// is pending now.
  ///
  /// It never removes a newer change of its field. While one is pending, that one decides: nil is
  /// returned, and the failed mutation is dropped when the newer one is stored. Changes through a
  /// ``ValueAccess`` that add to each other are stored together, under the newer number.
  @discardableResult
  public func retryMutation(_ id: PendingMutation.ID) -> PendingMutation.ID? {
    apply(.retryMutation(id))
    return truth.begun
  }

  /// Forgets a failed mutation, also where a ``MutationOutbox`` keeps it.
  public func dismissMutation(_ id: PendingMutation.ID) {
    let failed = truth.log.failed.first { $0.report.id == id }
    if let forget = failed?.mutation.record.forget { _ = scheduler.task(forget) }
    apply(.dismissMutation(id))
  }

  /// The mutations that are not stored yet, in the order in which they were begun.
  public var pendingMutations: [PendingMutation] {
    access(.mutations)
    return truth.log.pending
  }

  /// Whether a mutation is not stored yet; O(1).
  public var hasPendingMutations: Bool {
    access(.mutations)
    return !truth.log.isDrained
  }

  /// The mutations that could not be stored, oldest first.
  public var failedMutations: [FailedMutation] {
    access(.mutations)
    return truth.log.failed.map { failedMutation($0.report) }
  }

  /// A failed mutation, as it is handed out.
  func failedMutation(_ report: MutationLog.Report) -> FailedMutation {
    let id = report.id
    return FailedMutation(
      id: id, item: report.item, error: report.error, at: report.at,
      retry: { [weak self] in self?.retryMutation(id) },
      dismiss: { [weak self] in self?.dismissMutation(id) },
      isCurrent: { [weak self] in
        // The resource is gone, so the failure cannot be retried; the user still has to see it.
        guard let self else { return true }
        access(.mutations)
        return truth.log.failed.contains { $0.report.id == id }
      })
  }

  /// The elements that pending mutations change.
  public var modifyingIDs: Set<MutationKey> {
    access(.mutations)
    return Set(truth.log.modifying.keys)
  }

  /// Whether a pending mutation changes this element; O(1).
  public func isModifying(_ item: any Hashable & Sendable) -> Bool {
    access(.mutations)
    return truth.log.modifying[MutationKey(item)] != nil
  }
}

extension FailedMutation {
  /// Collects the failed mutations of many resources, each once, also after the screen that made them
  /// was left.
  ///
  /// ```swift
  /// for await failure in inbox.failures {
  ///   toasts.show(failure.error, retry: failure.retry)
  /// }
  /// ```
  @MainActor
  public final class Inbox {
    /// The failures, each delivered once, to one reader; the newest 256 wait for it.
    public let failures: AsyncStream<FailedMutation>
    private let continuation: AsyncStream<FailedMutation>.Continuation

    /// An empty inbox.
    public init() {
      (failures, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    deinit {
      continuation.finish()
    }

    func deliver(_ failure: FailedMutation) {
      continuation.yield(failure)
    }
  }
}
