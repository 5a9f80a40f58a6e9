import Loading

/// Everything that a view needs to draw a resource or another object with a state, except its
/// value.
@MainActor
struct ResourceDrawing {
  /// The failure to show, instead of a value or beside it: of a load, or of a change of the value.
  var failure: LoadFailure?
  /// How many more changes could not be stored.
  var moreFailures = 0
  /// Forgets the changes that could not be stored; nil if the failure is that of a load.
  var dismiss: (@MainActor () -> Void)?
  /// The running load.
  var activity: LoadActivity?
  /// Returns the progress; called where it is drawn, so that a progress step redraws only its
  /// reader.
  var progress: @MainActor () -> LoadingProgress?
  var isLoading: Bool
  /// Whether it is loading and neither waiting for its next attempt nor paused.
  var isWorking: Bool { isLoading && activity?.phase != .backoff && pauseReason == nil }
  /// Whether the load that failed is running again, so that another retry would change nothing.
  var isRetrying = false
  /// Why it is paused; nil for a subscription that was hidden and continues now that it is drawn.
  var pauseReason: String? { isLoading ? activity?.pauseReason : nil }
  /// Whether there is no value, nothing is running, and no load will start automatically.
  var isPrompting = false
  /// When loads ran; nil for an object with only a state, whose state is drawn without a gate.
  var timing: IndicatorGate.Timing?
  /// Loads again; nil if there is nothing to load with.
  var retry: (@MainActor () -> Void)?
  var cancel: (@MainActor () -> Void)?
  /// The resources that it stands for.
  var sources: [ObjectIdentifier] = []
  var appear: @MainActor () -> Void
  var disappear: @MainActor () -> Void
  /// Tells whether an element of the value is being changed; nil for an object with only a state.
  var isModifying: EnvironmentValues.ModificationCheck?
}

extension ResourceDrawing {
  /// Creates the drawing of a resource in a state.
  init<Value>(_ resource: Resource<Value>, _ state: LoadingState<Value>) {
    sources = [ObjectIdentifier(resource)]
    activity = resource.activity
    failure = resource.currentFailure
    // An error on the screen stays there until its retry has succeeded or failed.
    if state.value == nil, failure == nil { failure = resource.failure }
    progress = { resource.progress }
    isLoading = resource.isLoading
    let hasFailed = failure != nil
    // If it is idle although it is shown, it was reset on the screen: it has already appeared, so
    // no load starts automatically.
    isPrompting =
      state.isIdle && (resource.wasCancelled || !resource.startsOnAppear || resource.isShown)
    timing = resource.timing
    if resource.canRetry { retry = { resource.retry() } }
    // A change that was lost is worse than a value that is old.
    if state.value != nil, let changes = resource.shownFailure {
      let reload = failure == nil ? nil : retry
      failure = changes.failure
      moreFailures = changes.count - 1
      dismiss = { resource.dismissFailedMutations() }
      retry = {
        resource.retryFailedMutations()
        reload?()
      }
    }
    cancel = { resource.cancel() }
    appear = { resource.appear() }
    disappear = { resource.disappear() }
    isModifying = EnvironmentValues.ModificationCheck(resource: ObjectIdentifier(resource)) {
      resource.isModifying($0)
    }
    isRetrying = hasFailed && dismiss == nil && isWorking && activity?.phase != .debouncing
  }

  /// Creates the drawing of any object: of a resource, of the sources that it stands for, or of a
  /// view model of which only the state is known.
  init<Object: LoadableObject>(
    _ object: Object, _ state: LoadingState<Object.Value>, at now: AnyClock.Instant
  ) {
    if let resource = object as? any DrawnResource {
      self = resource.drawing
      return
    }
    let sources = object.sources.map { ResourceDrawing($0, at: now) }
    switch sources.count {
    case 0: self.init(stateOf: object, state, at: now)
    case 1: self = sources[0]
    default: self.init(of: sources, progress: state.progress, hasValue: state.value != nil)
    }
    // The sources may not explain why the object has no value.
    if state.value == nil, failure == nil, !isLoading, state.isLoading || state.isFailed {
      let all = self
      self.init(stateOf: object, state, at: now)
      (self.sources, appear, disappear) = (all.sources, all.appear, all.disappear)
    }
  }

  private init(_ object: some LoadableObject, at now: AnyClock.Instant) {
    self.init(object, object.state, at: now)
  }

  private init<Object: LoadableObject>(
    stateOf object: Object, _ state: LoadingState<Object.Value>, at now: AnyClock.Instant
  ) {
    failure = state.error.map { LoadFailure(error: $0, at: now) }
    progress = { state.progress }
    isLoading = state.isLoading
    retry = { object.load() }
    appear = { if object.state.isIdle { object.load() } }
    disappear = {}
  }

  /// Creates the drawing of several sources that are shown as one.
  private init(of sources: [ResourceDrawing], progress: LoadingProgress?, hasValue: Bool) {
    let failed = sources.filter { $0.failure != nil }
    let retries = (failed.isEmpty ? sources : failed).compactMap(\.retry)
    let loading = sources.filter(\.isLoading)
    // Without a value, a failure shows once there is nothing to wait for.
    let showsFailure = hasValue || loading.allSatisfy { $0.failure != nil }
    failure = showsFailure ? (failed.first { $0.dismiss != nil } ?? failed.first)?.failure : nil
    moreFailures = failed.reduce(0) { $0 + $1.moreFailures }
    let dismissals = failed.compactMap(\.dismiss)
    if !dismissals.isEmpty { dismiss = { for dismiss in dismissals { dismiss() } } }
    activity = (loading.first ?? sources.first)?.activity
    self.progress = { progress }
    isLoading = !loading.isEmpty
    isRetrying = !failed.isEmpty && failed.allSatisfy(\.isRetrying)
    isPrompting = !hasValue && sources.contains(where: \.isPrompting)
    timing = IndicatorGate.Timing(of: sources.compactMap(\.timing))
    if !retries.isEmpty { retry = { for retry in retries { retry() } } }
    cancel = { for source in sources { source.cancel?() } }
    self.sources = sources.flatMap(\.sources)
    appear = { for source in sources { source.appear() } }
    disappear = { for source in sources { source.disappear() } }
  }
}

/// A resource with a value of any type.
@MainActor
private protocol DrawnResource {
  var drawing: ResourceDrawing { get }
}

extension Resource: DrawnResource {
  fileprivate var drawing: ResourceDrawing { ResourceDrawing(self, state) }
}
