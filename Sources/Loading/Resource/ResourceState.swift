/// The complete state of a resource: a pure reducer over the events of loads, mutations and the
/// user.
///
/// It does not start, sleep or cancel anything itself: `workTicket` is the load to run, and it
/// returns effects, which are what else to do. Here and in its extensions for loads
/// (`ResourceState+Answers.swift`) and mutations (`ResourceState+Mutations.swift`) is decided what
/// happens if they overlap.
struct ResourceState {
  let errorPolicy: ErrorPolicy
  private(set) var loader: HeldLoader?
  /// The loader of the latest value; nil if the value was set.
  var valueLoader: HeldLoader?
  /// The latest value with its mutations.
  var log = MutationLog()
  /// Counts how often the input has changed.
  private(set) var input: UInt32 = 0
  /// The input of the latest value.
  var valueInput: UInt32 = 0
  /// The input of the latest failure.
  var failureInput: UInt32 = 0
  /// The failure since the last success.
  @Rare var failure: LoadFailure? = nil
  @Rare private(set) var activity: LoadActivity? = nil {
    didSet { activityVersion &+= 1 }
  }
  /// Counts the changes of `activity`.
  private(set) var activityVersion: UInt32 = 0
  /// The progress of the running attempt; not in `activity`, so that a step does not change that.
  @Rare var progress: LoadingProgress? = nil {
    didSet { progressVersion &+= 1 }
  }
  /// Counts the changes of the progress.
  private(set) var progressVersion: UInt32 = 0
  /// Why the last load was ended before its answer; nil if it was not, or by a state that was set.
  private(set) var stop: Stop?
  /// Whether a subscription has delivered, and no load has ended by itself since.
  var hasSubscribed = false
  private(set) var timing = IndicatorGate.Timing()
  private(set) var history: Ring<LoadingObserver.Record>
  /// The events since the last call of ``takeNews()``; empty if the resource has no observer.
  private var news: [LoadingObserver.Record] = []
  private let isObserved: Bool
  /// When the latest value or error came.
  var settledAt: AnyClock.Instant?
  /// When the latest value came; for a value from a cache, the start of its load.
  var loadedAt: AnyClock.Instant?
  /// Whether the value is loaded again when no mutation is pending.
  ///
  /// It may contain changes that are shown over it, because it was loaded after they were kept, or a
  /// part of it while they were being stored; or it lacks what was sent in their place.
  var isProvisional = false
  /// The cause of the load that the next viewer starts, because the value was invalidated or a load
  /// was given up; nil if there is none.
  private(set) var owed: LoadActivity.Cause?
  /// Whether the last viewer has left, so that a subscription pauses; false if there never was one.
  private(set) var isUnseen = false
  /// Counts the changes of the pending and failed mutations.
  var mutationVersion = 0
  /// The mutation that the last `mutate` or `retryMutation` event has begun; nil if it has begun
  /// none.
  var begun: PendingMutation.ID?

  @Rare var queued: (loader: HeldLoader?, cause: LoadActivity.Cause)? = nil
  private var lastStart: AnyClock.Instant?
  /// The ticket of the newest load, or of the newest state that was set; number 0 before the first.
  private(set) var lastTicket = LoadActivity.Ticket(number: 0)
  var effects: [ResourceEffect] = []

  enum Settled { case value, error }

  /// Whether the latest result is a value or an error.
  var lastSettled: Settled? {
    _failure.look { _ in Settled.error } ?? (log.patches.base == nil ? nil : .value)
  }

  enum Stop: Equatable {
    /// The user has cancelled it while it was loading; a subscription that has delivered is loading
    /// while it is paused or connects again.
    case cancelled
    /// It only waited, and the last viewer has left.
    case givenUp
  }

  var wasCancelled: Bool { stop == .cancelled }
  /// Whether a subscription that had delivered was ended, or a load that was to replace it, so that
  /// the value may be out of date.
  var hasLostSubscription: Bool { hasSubscribed && runningTicket == nil }
  /// Whether prefetching, further viewers and opened gates do not load it.
  var isStopped: Bool { wasCancelled || hasLostSubscription && stop != .givenUp }

  // Read in place, because the activity is large to copy.

  /// The ticket of the running load, or of a loading state that was set.
  var runningTicket: LoadActivity.Ticket? { _activity.look { $0.ticket } }
  /// The ticket of the load to run; nil if a loading state was set, or a subscription is hidden.
  var workTicket: LoadActivity.Ticket? {
    _activity.look { $0.isPublished || $0.isHidden ? nil : $0.ticket } ?? nil
  }
  /// Why the running load was started, and when the one before it.
  var runningStart: (cause: LoadActivity.Cause, previous: AnyClock.Instant?)? {
    _activity.look { ($0.cause, $0.previousStart) }
  }
  var isLoading: Bool { _activity.look { $0.isLoading } ?? false }
  var isLive: Bool { _activity.look { $0.phase == .live } ?? false }
  /// Whether a loading state was set, and no load runs.
  var isPublished: Bool { _activity.look { $0.isPublished } ?? false }
  /// Whether the running load has brought a value that was taken.
  var hasLoadedValue: Bool { _activity.look { $0.hasValue } ?? false }
  var overlapsCommit: Bool { _activity.look { $0.overlapsCommit } ?? false }
  var valueDate: AnyClock.Instant? { _activity.look { $0.valueDate } ?? nil }

  init(
    loader: HeldLoader?, initial: LoadingState<HeldValue> = .idle,
    errorPolicy: ErrorPolicy = .keep, historyCapacity: Int = 32, isObserved: Bool = false,
    at now: AnyClock.Instant
  ) {
    self.loader = loader
    self.errorPolicy = errorPolicy
    self.isObserved = isObserved
    history = Ring(capacity: historyCapacity)
    if !initial.isIdle { publish(initial, at: now) }
  }

  // MARK: Reducer

  /// Applies an event and returns the effects, in order.
  mutating func apply(
    _ event: ResourceEvent, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    switch event {
    case .load(let loader, let policy, let cause): load(loader, policy, cause, at: now)
    case .retry: retry(at: now)
    case .cancel: cancel(at: now)
    case .invalidate(let reloads): invalidate(reloads, at: now)
    case .abandon: abandon(at: now)
    case .show: show(at: now)
    case .reset(let forgetsLoader): reset(forgetsLoader, at: now)
    case .loadAgain(let start): loadAgain(since: start, at: now)
    case .set(let state): publish(state, at: now)
    case .signal(let ticket, let signal): receive(signal, from: ticket, at: now)
    case .value(let ticket, let value): receive(value, from: ticket, at: now)
    case .finished(let ticket, let value): finish(ticket, value, at: now)
    case .failed(let ticket, let error): fail(ticket, error, at: now)
    case .mutate(let mutation): begin(log.begin(mutation, at: now), at: now)
    case .release(let id):
      change(id.map { log.release($0, at: now) } ?? log.releaseAll(at: now))
    case .turn(let id): change(log.giveTurn(to: id, at: now))
    case .undo(let id): undo(id, at: now)
    case .kept(let id, let needsReload): keep(id, needsReload, at: now)
    case .committed(let id, let answer): confirm(id, answer, at: now)
    case .commitAttemptFailed(let id, let error):
      if let start = log.start(of: id) {
        record(.commitAttemptFailed(id, error), nil, since: start, at: now)
      }
    case .commitFailed(let id, let error): failMutation(id, error, at: now)
    case .retryMutation(let id): begin(log.retry(id, at: now), at: now)
    case .dismissMutation(let id): dismissMutation(id)
    case .update(let change, let needsReload):
      log.update(change)
      if needsReload, log.patches.base != nil { isProvisional = true }
    }
    noteOverlap(at: now)
    timing.note(isLoading: isLoading, hasContent: hasContent, at: now)
    defer { effects = [] }
    return effects
  }

  private mutating func load(
    _ newLoader: HeldLoader?, _ policy: LoadPolicy, _ cause: LoadActivity.Cause,
    at now: AnyClock.Instant
  ) {
    guard let candidate = newLoader ?? loader else { return }
    guard let activity, activity.isLoading, !activity.isPublished else {
      return start(newLoader, cause, at: now)
    }
    // A load by the user does not wait for a gate, which may be wrong, and only refreshes wait for
    // the gates of the scheduler.
    if activity.pauseReason != nil,
      cause == .user || activity.isPausedRefresh && cause != .refresh
    {
      return start(newLoader, cause, at: now)
    }
    // If a debounced load joined, the result would be that of the first keystroke.
    let isInput = newLoader != nil || cause == .inputChanged || cause == .user
    switch candidate.traits.demandsRestart && isInput ? .restart : policy {
    case .restart:
      start(newLoader, cause, at: now)
    case .join:
      if cause == .user { changeActivity { $0.joinedBy = cause } }
      record(.joined(cause), activity.ticket, at: now)
    case .drop:
      record(.dropped(cause), activity.ticket, at: now)
    case .keepLatest:
      // A load without a loader of its own loads the input that waits, too.
      if newLoader != nil || queued?.loader == nil { queued = (newLoader, cause) }
      record(.queued(cause), activity.ticket, at: now)
    }
  }

  private mutating func retry(at now: AnyClock.Instant) {
    guard loader != nil else { return }
    if let activity, !activity.isPublished,
      activity.phase == .running || activity.phase == .waiting
    {
      changeActivity { $0.joinedBy = .retry }
      record(.joined(.retry), activity.ticket, at: now)
    } else {
      start(nil, .retry, at: now)
    }
  }

  mutating func start(
    _ newLoader: HeldLoader?, _ cause: LoadActivity.Cause, at now: AnyClock.Instant
  ) {
    let next = newLoader == nil ? queued : (newLoader, cause)
    stopWork()
    if let next { adopt(next) }
    stop = nil
    // If this load brings no value, the next viewer loads the provisional value again.
    let replacesProvisional = isProvisional && log.isDrained
    if replacesProvisional { isProvisional = false }
    activity = LoadActivity(
      ticket: takeTicket(), cause: cause, startedAt: now, previousStart: lastStart,
      isPublished: false, replacesInvalid: owed == .invalidated || replacesProvisional)
    owed = nil
    lastStart = now
    record(.started(cause), lastTicket, at: now)
  }

  private mutating func adopt(_ next: (loader: HeldLoader?, cause: LoadActivity.Cause)) {
    guard let newLoader = next.loader else { return }
    loader = newLoader
    if next.cause == .inputChanged { input &+= 1 }
  }

  private mutating func invalidate(_ reloads: Bool, at now: AnyClock.Instant) {
    guard loader != nil, activity != nil || lastSettled != nil else { return }
    owed = .invalidated
    if reloads { load(nil, .keepLatest, .invalidated, at: now) }
  }

  private mutating func cancel(at now: AnyClock.Instant) {
    guard let activity else { return }
    stop = activity.isLoading ? .cancelled : nil
    record(.cancelled, activity.ticket, at: now)
    stopLoading()
  }

  private mutating func abandon(at now: AnyClock.Instant) {
    isUnseen = true
    if let activity, activity.phase == .live || activity.pauseReason != nil && activity.hasDelivered
    {
      return hide(activity, at: now)
    }
    changeActivity { $0.isAbandoned = true }
    giveUpIfWaiting(at: now)
  }

  private mutating func show(at now: AnyClock.Instant) {
    isUnseen = false
    changeActivity { $0.isAbandoned = false }
    if activity?.isHidden == true { start(nil, owed ?? .appeared, at: now) }
  }

  /// Ends a load that only waits, if the last viewer has left.
  mutating func giveUpIfWaiting(at now: AnyClock.Instant) {
    // A load that a commit overlaps may be waiting for the commit, and runs again when that has
    // ended.
    guard let activity, activity.isAbandoned, !activity.overlapsCommit,
      activity.phase == .waiting || activity.pauseReason != nil, !activity.isHidden
    else { return }
    record(.cancelled, activity.ticket, at: now)
    owed = owed ?? queued?.cause ?? activity.cause
    stopLoading()
    stop = .givenUp
  }

  /// Pauses a subscription that no view shows, until a view appears.
  mutating func hide(_ subscription: LoadActivity, at now: AnyClock.Instant) {
    let reason = "hidden"
    record(.paused(reason), subscription.ticket, at: now)
    owed = owed ?? queued?.cause
    stopLoading()
    // With a new ticket, so that whatever the ended subscription still sends is ignored.
    activity = LoadActivity(
      ticket: takeTicket(), cause: subscription.cause, startedAt: now,
      phase: .paused(reason: reason), previousStart: lastStart, isPublished: false, isHidden: true)
  }

  private mutating func reset(_ forgetsLoader: Bool, at now: AnyClock.Instant) {
    stopLoading()
    if forgetsLoader { loader = nil }
    clear(at: now)
    stop = nil
    owed = nil
    timing = IndicatorGate.Timing()
    record(.reset, nil, at: now)
  }

  private mutating func loadAgain(since start: AnyClock.Instant?, at now: AnyClock.Instant) {
    clear(at: now)
    self.start(nil, .mutation, at: now)
    timing.wait(since: start ?? now)
  }

  private mutating func publish(_ state: LoadingState<HeldValue>, at now: AnyClock.Instant) {
    stopLoading()
    stop = nil
    owed = nil
    let ticket = takeTicket()
    record(.published, ticket, at: now)
    switch state {
    case .idle:
      clear(at: now)
    case .loading(let progress):
      activity = LoadActivity(
        ticket: ticket, cause: .user, startedAt: now, previousStart: lastStart,
        isPublished: true)
      self.progress = progress
    case .failed(let error):
      settle(error, at: now)
    case .loaded(let value):
      settle(value, at: now)
    }
  }

  // MARK: Steps

  /// Changes the activity in place.
  mutating func changeActivity(_ body: (inout LoadActivity) -> Void) {
    guard runningTicket != nil else { return }
    _activity.change(body)
    activityVersion &+= 1
  }

  /// Removes the value and the failure; pending mutations fail.
  private mutating func clear(at now: AnyClock.Instant) {
    isProvisional = false
    hasSubscribed = false
    change(log.clear(at: now))
    valueLoader = nil
    failure = nil
    settledAt = nil
    loadedAt = nil
  }

  /// Cancels the running load and the queued one, whose loader is the one to load with next.
  private mutating func stopLoading() {
    let next = queued
    stopWork()
    if let next { adopt(next) }
  }

  /// Cancels the running load and the queued one; the value and the failure stay.
  private mutating func stopWork() {
    queued = nil
    if runningTicket != nil { endActivity() }
  }

  mutating func endActivity() {
    // The load has not ended well, so an invalidated value has to be loaded again, and a stale one
    // is still stale.
    if _activity.look({ $0.replacesInvalid }) == true { owed = .invalidated }
    if let earlier = _activity.look({ $0.earlierDate }) ?? nil {
      loadedAt = loadedAt.map { min($0, earlier) }
    }
    activity = nil
    forgetProgress()
  }

  mutating func forgetProgress() {
    if progress != nil { progress = nil }
  }

  private mutating func takeTicket() -> LoadActivity.Ticket {
    lastTicket = LoadActivity.Ticket(number: lastTicket.number + 1)
    return lastTicket
  }

  mutating func record(
    _ event: LoadingObserver.Record.Event, _ ticket: LoadActivity.Ticket?,
    since start: AnyClock.Instant? = nil,
    at now: AnyClock.Instant
  ) {
    let isRunning = ticket != nil && runningTicket == ticket
    let start = start ?? (isRunning ? _activity.look { $0.startedAt } : nil)
    let record = LoadingObserver.Record(
      event: event, ticket: ticket, at: now, elapsed: start?.duration(to: now))
    history.append(record)
    if isObserved { news.append(record) }
  }

  /// Returns the events since the last call; empty if the resource has no observer.
  mutating func takeNews() -> [LoadingObserver.Record] {
    guard !news.isEmpty else { return [] }
    defer { news = [] }
    return news
  }
}
