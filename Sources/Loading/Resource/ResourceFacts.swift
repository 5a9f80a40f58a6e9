/// What can be read from a resource. Every property registers one observation.
extension Resource {
  /// What a view switches over.
  @inlinable public var state: LoadingState<Value> { LoadingState(heldState) }

  /// The state as the rules have it.
  @usableFromInline var heldState: LoadingState<HeldValue> {
    access(.content)
    return read { $0.projection }
  }

  /// The state in which every load and every failure takes the screen: loading while reloading,
  /// failed over a value.
  public var strictState: LoadingState<Value> {
    access(.activity)
    access(.progress)
    return read { LoadingState($0.strictProjection) }
  }

  /// What runs now; nil when nothing does.
  public var activity: LoadActivity? {
    access(.activity)
    return truth.activity
  }

  /// How far the running load has come.
  ///
  /// A view that reads it is drawn again at each step, others are not, except those that read the
  /// ``state`` while there is nothing else to show.
  public var progress: LoadingProgress? {
    access(.progress)
    return truth.progress
  }

  /// Whether something is on its way.
  ///
  /// A live subscription that has delivered is not loading.
  public var isLoading: Bool {
    access(.isLoading)
    return truth.isLoading
  }

  /// The latest value, also when a failure came after it.
  @inlinable public var latestValue: Value? { heldLatestValue?.value(as: Value.self) }

  /// The latest value as the rules have it.
  @usableFromInline var heldLatestValue: HeldValue? {
    access(.content)
    return read { $0.latestValue }
  }

  /// Whether the value was loaded for an earlier input: what is to be loaded has changed since, by
  /// ``load(_:_:cause:)`` with another loader, and nothing has come for that yet.
  ///
  /// Such a value is shown while the new one is loaded. When that fails, the failure takes its place in
  /// ``state``, whatever the error policy, and it stays in ``latestValue``.
  ///
  /// ```swift
  /// if results.showsEarlierInput { draw("Results of the last search") }
  /// ```
  public var showsEarlierInput: Bool {
    access(.activity)
    return truth.showsEarlierInput
  }

  /// When the latest value came, on the resource's clock; nil when there is none.
  ///
  /// Of a value from a ``LoadCache`` it is when the load of it began.
  ///
  /// ```swift
  /// if let age = article.loadedAt?.duration(to: article.clock.now) { draw("as of \(age) ago") }
  /// ```
  public var loadedAt: AnyClock.Instant? {
    // Not the content: a value that is the same as the one before is no new content.
    access(.activity)
    return truth.loadedAt
  }

  /// What came last, a value or an error; nil before anything did.
  public var lastResult: Result<Value, any Error>? {
    access(.content)
    return read { truth in
      switch truth.lastSettled {
      case .value: truth.latestValue.map { .success($0.value(as: Value.self)) }
      case .error: truth.failure.map { .failure($0.error) }
      case nil: nil
      }
    }
  }

  /// The last failure, unless a value came after it, with the number of those in a row.
  ///
  /// It stays while a retry runs; ``currentFailure`` is what to show meanwhile.
  public var failure: LoadFailure? {
    access(.content)
    return truth.failure
  }

  /// The failure to show now: as a panel when there is no value, else beside the content.
  ///
  /// Nil after a success and while a new load runs; during that load it is the failure of the
  /// attempt before, if it is retried by itself.
  public var currentFailure: LoadFailure? {
    access(.activity)
    return truth.currentFailure
  }

  /// Whether the last load was cancelled.
  public var wasCancelled: Bool {
    access(.activity)
    return truth.wasCancelled
  }

  /// Whether there is a loader.
  public var canRetry: Bool {
    access(.activity)
    return truth.loader != nil
  }

  /// When loads ran: what an ``IndicatorGate`` judges.
  public var timing: IndicatorGate.Timing {
    access(.activity)
    return truth.timing
  }

  /// The newest events, oldest first.
  public var history: [LoadingObserver.Record] {
    access(.history)
    return truth.history.elements
  }
}
