/// Waiting for the result of a load, or for the end of mutations.
extension Resource {
  /// Waits until nothing is being loaded, and returns the state.
  ///
  /// Cancelling the waiting task makes it return at once, and does not cancel the load.
  @inlinable public func settled() async -> LoadingState<Value> {
    while let settlement = settlementOfLoad, await settlement.isReached() {}
    return LoadingState(heldProjection)
  }

  /// The state that a view switches over, without registering an observation.
  var projection: LoadingState<Value> { LoadingState(heldProjection) }

  /// Reached when something has ended; nil if nothing is being loaded.
  @usableFromInline var settlementOfLoad: Promise<Void>? { truth.isLoading ? next() : nil }

  /// Loads, waits until nothing is being loaded and returns the state, for example for a pull to
  /// refresh.
  ///
  /// With ``LoadPolicy/drop`` it returns at once if a load runs already. Cancelling the waiting
  /// task makes it return at once, and does not cancel the load.
  ///
  /// ```swift
  /// await article.refresh()
  /// ```
  @discardableResult
  public func refresh(
    _ policy: LoadPolicy = .join, cause: LoadActivity.Cause = .user
  ) async -> LoadingState<Value> {
    let running = truth.isLoading ? truth.activity?.ticket : nil
    load(policy, cause: cause)
    // A debounced load replaces the running one in spite of the policy.
    let isIgnored = policy == .drop && running != nil && truth.activity?.ticket == running
    return isIgnored ? state : await settled()
  }

  /// Loads, waits until nothing is being loaded and returns the value.
  ///
  /// ```swift
  /// let newest = try await article.value(.restart)
  /// ```
  ///
  /// - Throws: The error if the load failed, even if there is an older value. `CancellationError`
  ///   if the load or the waiting task was cancelled, if the load was given up because its viewers
  ///   had left, or if there is no value.
  public func value(
    _ policy: LoadPolicy = .join, cause: LoadActivity.Cause = .user
  ) async throws -> Value {
    await refresh(policy, cause: cause)
    try Task.checkCancellation()
    // Checked before the failure, which may be that of an earlier load.
    if truth.wasCancelled || truth.stop == .givenUp { throw CancellationError() }
    if let failure = truth.failure { throw failure.error }
    guard let value = latestValue else { throw CancellationError() }
    return value
  }

  /// Waits until every mutation was stored, has failed or is in a journal.
  ///
  /// It does not wait for a mutation in a ``MutationJournal``, which survives the process, to be
  /// sent. Cancelling the waiting task makes it return at once. Before a program quits, call
  /// ``commitHeldMutations()`` and then this, with a limit; the scheduler does both for all its
  /// resources.
  ///
  /// - Parameter limit: how long to wait at most, on the resource's clock; nil for no limit.
  /// - Returns: whether the process can end without losing a mutation that is pending.
  @discardableResult
  public func mutationsSettled(within limit: Duration? = nil) async -> Bool {
    await reached(within: limit) { !$0.isUnsaved }
  }

  /// Waits until no mutation is pending, not even in a journal.
  ///
  /// For mutations that are usually stored in no time, such as those of a file. Cancelling the
  /// waiting task makes it return at once.
  ///
  /// - Parameter limit: how long to wait at most, on the resource's clock; nil for no limit.
  /// - Returns: whether no mutation is pending.
  @discardableResult
  public func mutationsSent(within limit: Duration? = nil) async -> Bool {
    await reached(within: limit, \.isDrained)
  }

  private func reached(
    within limit: Duration?, _ isReached: (MutationLog) -> Bool
  ) async -> Bool {
    let timeout = Promise<Void>()
    let timer = limit.map { limit in
      let end = clock.now.advanced(by: limit)
      return OwnedTask(
        scheduler.task { [clock, scheduler] in
          guard (try? await clock.sleep(until: end)) != nil else { return }
          timeout.fulfil(())
          scheduler.deliver { self.resumeWaiting() }
        })
    }
    defer { withExtendedLifetime(timer) {} }
    while !isReached(truth.log), timeout.reached == nil, await next().isReached() {}
    return isReached(truth.log)
  }

  /// Unavailable: without this, `value` would be a reference to the function that loads.
  @available(
    *, unavailable, message: "Read state.value, or latestValue; value() loads and waits."
  )
  public var value: Value? { nil }
}

extension MutationLog {
  /// Whether a mutation is pending that is in no journal.
  var isUnsaved: Bool { pendingCount > keptCount }
}

/// A resource of any value, whose mutations are waited for.
@MainActor
protocol ChangedResource: AnyObject {
  var clock: AnyClock { get }
  func commitHeldMutations()
  func mutationsSettled(within limit: Duration?) async -> Bool
}

extension Resource: ChangedResource {}

extension LoadScheduler {
  /// Ends every undo window of its resources and commits their mutations.
  ///
  /// Call it before the program quits.
  @MainActor
  public func commitHeldMutations() {
    for resource in turns.unsavedResources { resource.commitHeldMutations() }
  }

  /// Waits until every mutation of its resources was stored, has failed or is in a journal, see
  /// ``Resource/mutationsSettled(within:)``; also of those that begin meanwhile.
  ///
  /// ```swift
  /// scheduler.commitHeldMutations()
  /// let isSaved = await scheduler.mutationsSettled(within: .seconds(2))
  /// ```
  ///
  /// - Parameter limit: how long to wait at most, on the clock of the resource whose mutation began
  ///   first; nil for no limit.
  /// - Returns: whether the process can end without losing a mutation that is pending.
  @MainActor
  @discardableResult
  public func mutationsSettled(within limit: Duration? = nil) async -> Bool {
    guard let clock = turns.unsavedResources.first?.clock else { return true }
    let end = limit.map(clock.now.advanced)
    // One by one, since another resource may get a mutation while this waits.
    while let next = turns.unsavedResources.first {
      let rest = end.map { clock.now.duration(to: $0) }
      guard await next.mutationsSettled(within: rest) else { return false }
    }
    return true
  }
}
