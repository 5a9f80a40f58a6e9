/// Loading and waiting for what comes of it.
extension Resource {
  /// Loads, waits until nothing is being loaded and returns the state: what a pull to refresh waits
  /// for.
  ///
  /// With ``LoadPolicy/drop``, a load that is ignored is not waited for. Cancelling the waiting task
  /// does not cancel the load.
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
    // A debounced load replaces the one that runs all the same.
    let isIgnored = policy == .drop && running != nil && truth.activity?.ticket == running
    return isIgnored ? state : await settled()
  }

  /// Loads, waits until nothing is being loaded and returns the value.
  ///
  /// ```swift
  /// let newest = try await article.value(.restart)
  /// ```
  ///
  /// - Throws: The error, when the load failed, also when an older value is still there;
  ///   `CancellationError` when the load or the waiting task was cancelled, or the load was given up
  ///   because its viewers had left.
  public func value(
    _ policy: LoadPolicy = .join, cause: LoadActivity.Cause = .user
  ) async throws -> Value {
    await refresh(policy, cause: cause)
    try Task.checkCancellation()
    // Before the failure, which may be that of an earlier load.
    if truth.wasCancelled || truth.wasGivenUp { throw CancellationError() }
    if let failure = truth.failure { throw failure.error }
    guard let value = latestValue else { throw CancellationError() }
    return value
  }

  /// Not here: without this, its name would be taken for the function that loads.
  @available(
    *, unavailable, message: "Read state.value, or latestValue; value() loads and waits."
  )
  public var value: Value? { nil }
}
