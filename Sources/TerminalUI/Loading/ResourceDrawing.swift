import Loading

/// What there is to draw of a resource, or of any object with a state, besides its value, and what can
/// be done.
@MainActor
struct ResourceDrawing {
  /// What failed and is to be shown: instead of a value, or beside it.
  var failure: LoadFailure?
  /// What runs.
  var activity: LoadActivity?
  /// How far it has come, to be read where that is drawn: whoever reads it is drawn again at each step.
  var progress: @MainActor () -> LoadingProgress?
  var isLoading: Bool
  /// Whether it does more at the moment than wait for its next attempt, or for a gate to open.
  var isWorking: Bool { isLoading && activity?.phase != .backoff && pauseReason == nil }
  /// Why it is held back; not for a subscription that was hidden and goes on, now that it is drawn.
  var pauseReason: String? { isLoading ? activity?.pauseReason : nil }
  /// Nothing is there, nothing runs, and nothing will start by itself.
  var isPrompting = false
  /// When loads ran; unknown for an object that has nothing but a state, which is drawn at once.
  var timing: IndicatorGate.Timing?
  /// Loads again; nothing where there is nothing to load with.
  var retry: (@MainActor () -> Void)?
  var cancel: (@MainActor () -> Void)?
  var appear: @MainActor () -> Void
  var disappear: @MainActor () -> Void
  /// Whether an element of the value is being changed; unknown for an object that has nothing but a
  /// state.
  var isModifying: EnvironmentValues.ModificationCheck?
}

extension ResourceDrawing {
  /// - Parameter state: that of the resource.
  init<Value>(_ resource: Resource<Value>, _ state: LoadingState<Value>) {
    activity = resource.activity
    failure = resource.currentFailure
    // Where an error has the screen it stays there until its retry has an outcome.
    if state.value == nil, failure == nil { failure = resource.failure }
    progress = { resource.progress }
    isLoading = resource.isLoading
    // What is idle on the screen was reset there: its appearance is over, and so is the start by
    // itself.
    isPrompting =
      state.isIdle && (resource.wasCancelled || !resource.startsOnAppear || resource.isShown)
    timing = resource.timing
    if resource.canRetry { retry = { resource.retry() } }
    cancel = { resource.cancel() }
    appear = { resource.appear() }
    disappear = { resource.disappear() }
    isModifying = EnvironmentValues.ModificationCheck(resource: ObjectIdentifier(resource)) {
      resource.isModifying($0)
    }
  }

  /// A view model of somebody's own: all that is known of it is its state.
  init<Object: LoadableObject>(
    _ object: Object, _ state: LoadingState<Object.Value>, at now: AnyClock.Instant
  ) {
    failure = state.error.map { LoadFailure(error: $0, at: now) }
    progress = { state.progress }
    isLoading = state.isLoading
    retry = { object.load() }
    appear = { if object.state.isIdle { object.load() } }
    disappear = {}
  }
}
