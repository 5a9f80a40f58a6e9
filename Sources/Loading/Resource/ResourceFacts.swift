/// The properties that can be read from a resource, all of them observed.
extension Resource {
  /// The state that a view switches over.
  @inlinable public var state: LoadingState<Value> { LoadingState(heldState) }

  /// The state with the type of its value erased.
  @usableFromInline var heldState: LoadingState<HeldValue> {
    access(.content)
    return read { $0.projection }
  }

  /// The state in which every load and every failure replaces the value: it is loading during a
  /// reload, and failed even if there is a value.
  public var strictState: LoadingState<Value> {
    access(.activity)
    access(.progress)
    return snapshot { $0 }.strictState
  }

  /// The running load, or live subscription; nil if there is none.
  public var activity: LoadActivity? {
    access(.activity)
    return truth.activity
  }

  /// The progress of the running load; nil if it is unknown or no load runs.
  ///
  /// Each step draws the views again that read this property, or that read ``state`` while it is
  /// ``LoadingState/loading(_:)``.
  public var progress: LoadingProgress? {
    access(.progress)
    return truth.progress
  }

  /// Whether a load runs.
  ///
  /// False for a subscription that has delivered a value.
  public var isLoading: Bool {
    access(.isLoading)
    return truth.isLoading
  }

  /// The latest value, even if a failure came after it.
  @inlinable public var latestValue: Value? { heldLatestValue?.value(as: Value.self) }

  /// The latest value with its type erased.
  @usableFromInline var heldLatestValue: HeldValue? {
    access(.content)
    return read { $0.latestValue }
  }

  /// A number that differs from value to value, also if a value is equal to the one before.
  package var valueVersion: Int {
    access(.content)
    return truth.log.patches.version
  }

  /// Whether the value was loaded for an earlier input: by a loader that ``load(_:_:cause:)`` has
  /// replaced since, without a new value yet.
  ///
  /// The earlier value is shown while the new one is loaded. If that load fails, ``state`` is
  /// failed, whatever the error policy; the earlier value stays in ``latestValue``.
  ///
  /// ```swift
  /// if results.showsEarlierInput { draw("Results of the last search") }
  /// ```
  public var showsEarlierInput: Bool {
    access(.activity)
    return truth.showsEarlierInput
  }

  /// When the latest value was loaded, on the resource's clock; nil if there is none.
  ///
  /// For a value that was found in a ``LoadCache``, it is the start of its load.
  ///
  /// ```swift
  /// if let age = article.loadedAt?.duration(to: article.clock.now) { draw("as of \(age) ago") }
  /// ```
  public var loadedAt: AnyClock.Instant? {
    // Not the content: a duplicate value changes this, but is not new content.
    access(.activity)
    return truth.loadedAt
  }

  /// The latest value or error, whichever came last; nil before the first.
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

  /// The last failure, with the number of failures in a row; nil after a success.
  ///
  /// It stays during a retry; ``currentFailure`` is the failure to show.
  public var failure: LoadFailure? {
    access(.content)
    return truth.failure
  }

  /// The failure to show now: in place of the content if there is no value, otherwise beside it.
  ///
  /// While a load runs, it is the failure of the previous attempt of that load, or nil.
  public var currentFailure: LoadFailure? {
    access(.activity)
    return truth.currentFailure
  }

  /// Whether the last load was cancelled.
  public var wasCancelled: Bool {
    access(.activity)
    return truth.wasCancelled
  }

  /// Whether there is a loader, so that it can be loaded again.
  public var canReload: Bool {
    access(.activity)
    return truth.loader != nil
  }

  /// When loads ran, for an ``IndicatorGate``.
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
