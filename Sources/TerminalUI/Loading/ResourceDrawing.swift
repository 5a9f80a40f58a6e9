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
  /// The action of `retry`: that of a change has a key that works in text fields, too.
  var retryAction: KeyAction { dismiss == nil ? .reload : .retryChange }
  var cancel: (@MainActor () -> Void)?
  /// What is told that it is shown: each resource that this stands for.
  var shown: [Shown]
  /// Tells whether an element of the value is being changed; nil for an object with only a state.
  var isModifying: EnvironmentValues.ModificationCheck?

  /// An object that is told whether a view shows it.
  struct Shown {
    let id: ObjectIdentifier
    let appear: @MainActor () -> Void
    let disappear: @MainActor () -> Void
  }
}

extension ResourceDrawing {
  /// Creates the drawing of a resource in a state.
  init<Value>(_ resource: Resource<Value>, _ state: LoadingState<Value>) {
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
    if resource.canReload { retry = { resource.retry() } }
    // Rather than a failed reload, which is shown once the changes are stored or dismissed.
    if state.value != nil, let changes = resource.shownFailure {
      failure = changes.failure
      moreFailures = changes.count - 1
      dismiss = { resource.dismissFailedMutations() }
      retry = { resource.retryFailedMutations() }
    }
    cancel = { resource.cancel() }
    shown = [
      Shown(
        id: ObjectIdentifier(resource), appear: { resource.appear() },
        disappear: { resource.disappear() })
    ]
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
    default:
      self.init(of: sources, progress: state.progress, hasValue: state.value != nil)
      isModifying = EnvironmentValues.ModificationCheck(resource: ObjectIdentifier(object)) {
        object.isChanging($0)
      }
    }
    // The sources may not explain why the object has no value.
    if state.value == nil, failure == nil, !isLoading, state.isLoading || state.isFailed {
      let shown = shown
      self.init(stateOf: object, state, at: now)
      self.shown = shown
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
    shown = [
      Shown(
        id: ObjectIdentifier(object), appear: { if object.state.isIdle { object.load() } },
        disappear: {})
    ]
  }

  /// Creates the drawing of several sources that are shown as one.
  private init(of sources: [ResourceDrawing], progress: LoadingProgress?, hasValue: Bool) {
    // Without a value of its own, it says why there is none.
    let changes = hasValue ? sources.filter { $0.dismiss != nil } : []
    let loads = sources.filter { $0.failure != nil && $0.dismiss == nil }
    let failed = changes.isEmpty ? loads : changes
    // Without a failure, what can be loaded is not running, or is paused.
    let waiting = sources.filter { $0.isPrompting || $0.pauseReason != nil }
    // If nothing of that has a loader yet, as a search before its first query, the others can be
    // loaded, but for a live subscription, which would connect again.
    let others = sources.filter { $0.activity?.phase != .live }
    let loadable = waiting.contains { $0.retry != nil } ? waiting : others
    let retries = (failed.isEmpty ? loadable : failed).compactMap(\.retry)
    let loading = sources.filter(\.isLoading)
    // Without a value, a failure shows once there is nothing to wait for.
    let showsFailure = hasValue || loading.allSatisfy { $0.failure != nil }
    let failures = failed.compactMap(\.failure)
    failure =
      showsFailure ? failures.first { $0.error.allowsRetry } ?? failures.first : nil
    if !changes.isEmpty {
      moreFailures = changes.reduce(-1) { $0 + 1 + $1.moreFailures }
      dismiss = { for change in changes { change.dismiss?() } }
    }
    activity = (loading.first ?? sources.first)?.activity
    self.progress = { progress }
    isLoading = !loading.isEmpty
    isRetrying = !failed.isEmpty && failed.allSatisfy(\.isRetrying)
    isPrompting = !hasValue && sources.contains(where: \.isPrompting)
    timing = IndicatorGate.Timing(of: sources.compactMap(\.timing))
    if !retries.isEmpty { retry = { for retry in retries { retry() } } }
    // Not a live subscription, which would not connect again.
    cancel = { for source in loading { source.cancel?() } }
    shown = sources.flatMap(\.shown)
  }
}

extension LoadableObject {
  /// Returns whether one of the resources that it stands for is changing this element.
  fileprivate func isChanging(_ item: any Hashable & Sendable) -> Bool {
    if let resource = self as? any DrawnResource { return resource.isModifying(item) }
    return sources.contains { $0.isChanging(item) }
  }
}

/// A resource with a value of any type.
@MainActor
private protocol DrawnResource {
  var drawing: ResourceDrawing { get }
  func isModifying(_ item: any Hashable & Sendable) -> Bool
}

extension Resource: DrawnResource {
  fileprivate var drawing: ResourceDrawing { ResourceDrawing(self, state) }
}
