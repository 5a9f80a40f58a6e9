import Loading

/// Everything that a view needs to draw a resource or another object with a state, except its
/// value.
@MainActor
struct ResourceDrawing {
  /// The failure to show, instead of a value or beside it.
  var failure: LoadFailure?
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
  var appear: @MainActor () -> Void
  var disappear: @MainActor () -> Void
  /// Tells whether an element of the value is being changed; nil for an object with only a state.
  var isModifying: EnvironmentValues.ModificationCheck?
}

extension ResourceDrawing {
  /// Creates the drawing of a resource.
  ///
  /// - Parameters:
  ///   - state: the state of the resource.
  ///   - showsFailedChanges: whether a change that could not be stored is shown like a failed reload,
  ///     if nobody else is told of it.
  init<Value>(
    _ resource: Resource<Value>, _ state: LoadingState<Value>, showsFailedChanges: Bool
  ) {
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
    if showsFailedChanges, failure == nil, state.value != nil, resource.mutationFailures == nil,
      let newest = resource.newestFailedMutation
    {
      failure = LoadFailure(error: newest.error, at: newest.at)
      retry = { for failed in resource.failedMutations { failed.retry?() } }
    }
    cancel = { resource.cancel() }
    appear = { resource.appear() }
    disappear = { resource.disappear() }
    isModifying = EnvironmentValues.ModificationCheck(resource: ObjectIdentifier(resource)) {
      resource.isModifying($0)
    }
    isRetrying = hasFailed && isWorking && activity?.phase != .debouncing
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
    failure = showsFailure ? failed.first?.failure : nil
    activity = (loading.first ?? sources.first)?.activity
    self.progress = { progress }
    isLoading = !loading.isEmpty
    isRetrying = !failed.isEmpty && failed.allSatisfy(\.isRetrying)
    isPrompting = !hasValue && sources.contains(where: \.isPrompting)
    timing = IndicatorGate.Timing(of: sources.compactMap(\.timing))
    if !retries.isEmpty { retry = { for retry in retries { retry() } } }
    cancel = { for source in sources { source.cancel?() } }
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
  fileprivate var drawing: ResourceDrawing {
    ResourceDrawing(self, state, showsFailedChanges: false)
  }
}
