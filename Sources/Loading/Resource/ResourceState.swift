/// The truth behind a resource: a pure reducer over ticketed events.
///
/// It starts, sleeps and cancels nothing itself; it returns effects. Every order in which loads,
/// answers, commits and the user's actions interleave is decided here.
struct ResourceState {
  let errorPolicy: ErrorPolicy
  private(set) var loader: HeldLoader?
  /// What loaded the latest value; nil when it was set.
  private(set) var valueLoader: HeldLoader?
  /// The latest value, with what changes it.
  private(set) var log = MutationLog()
  /// Counts the changes of what is to be loaded.
  private(set) var input: UInt32 = 0
  /// The input of which the latest value is.
  private(set) var valueInput: UInt32 = 0
  /// The input of which the latest failure is.
  private(set) var failureInput: UInt32 = 0
  /// The failure since the last success.
  @Rare private(set) var failure: LoadFailure? = nil
  /// Whether the last load that ended brought a value or an error.
  private(set) var lastSettled: Settled?
  @Rare private(set) var activity: LoadActivity? = nil {
    didSet { activityVersion &+= 1 }
  }
  /// Counts the changes of what runs.
  private(set) var activityVersion: UInt32 = 0
  /// How far its attempt has come; apart from it, because a step of it changes nothing else.
  @Rare private(set) var progress: LoadingProgress? = nil {
    didSet { progressVersion &+= 1 }
  }
  /// Counts the changes of the progress.
  private(set) var progressVersion: UInt32 = 0
  private(set) var wasCancelled = false
  /// Whether the last load was given up with the last viewer: it has brought nothing.
  private(set) var wasGivenUp = false
  private(set) var timing = IndicatorGate.Timing()
  private(set) var history: Ring<LoadingObserver.Record>
  /// The events since the last call of ``takeNews()``; none where the resource is not observed.
  private var news: [LoadingObserver.Record] = []
  private let isObserved: Bool
  /// When the latest value or error came.
  private(set) var settledAt: AnyClock.Instant?
  /// When the latest value came; of one from a cache, when it was loaded.
  private(set) var loadedAt: AnyClock.Instant?
  /// Whether the value may have changes already that are shown over it: it came after they were kept, so
  /// it is loaded again when they have arrived.
  private var isProvisional = false
  /// Whether the last load was a subscription that was cancelled: nothing tells of newer values.
  private(set) var lostSubscription = false
  /// Why the next viewer loads it again: what was loaded has changed and no load has brought a value
  /// since, or a load was given up with the last viewer.
  private(set) var owed: LoadActivity.Cause?
  /// Whether its viewers have left, so that a subscription pauses; not so where none ever came.
  private(set) var isUnseen = false
  /// Counts the changes of the pending and failed mutations.
  private(set) var mutationVersion = 0
  /// The mutation that was begun by the last event that was to begin one.
  private(set) var begun: PendingMutation.ID?

  @Rare private var queued: (loader: HeldLoader?, cause: LoadActivity.Cause)? = nil
  private var lastStart: AnyClock.Instant?
  /// That of the newest load, or of the newest state that was set; number 0 before the first.
  private(set) var lastTicket = LoadActivity.Ticket(number: 0)
  private var effects: [ResourceEffect] = []

  enum Settled { case value, error }

  // Read in place: a copy of the whole activity is large.

  /// The load that runs, or the state that was set to loading.
  var runningTicket: LoadActivity.Ticket? { _activity.look { $0.ticket } }
  var isLoading: Bool { _activity.look { $0.isLoading } ?? false }

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

  /// Applies one event and returns what is to be done, in order.
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
    case .kept(let id, let isRepeated): keep(id, isRepeated, at: now)
    case .committed(let id, let answer): confirm(id, answer, at: now)
    case .commitFailed(let id, let error): failMutation(id, error, at: now)
    case .retryMutation(let id): begin(log.retry(id, at: now), at: now)
    case .dismissMutation(let id): dismissMutation(id)
    case .update(let change): log.update(change)
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
    // The user may know better than the gate that holds it back.
    if activity.pauseReason != nil, cause == .user { return start(newLoader, cause, at: now) }
    // If it joined, the first keystroke would win.
    let isInput = newLoader != nil || cause == .inputChanged || cause == .user
    switch candidate.traits.demandsRestart && isInput ? .restart : policy {
    case .restart:
      start(newLoader, cause, at: now)
    case .join:
      record(.joined(cause), activity.ticket, at: now)
    case .drop:
      record(.dropped(cause), activity.ticket, at: now)
    case .keepLatest:
      queued = (newLoader, cause)
      record(.queued(cause), activity.ticket, at: now)
    }
  }

  private mutating func retry(at now: AnyClock.Instant) {
    guard loader != nil else { return }
    if let activity, !activity.isPublished,
      activity.phase == .running || activity.phase == .waiting
    {
      record(.joined(.retry), activity.ticket, at: now)
    } else {
      start(nil, .retry, at: now)
    }
  }

  private mutating func start(
    _ newLoader: HeldLoader?, _ cause: LoadActivity.Cause, at now: AnyClock.Instant
  ) {
    stopWork()
    adopt(newLoader, cause)
    wasCancelled = false
    wasGivenUp = false
    lostSubscription = false
    if log.isDrained { isProvisional = false }
    activity = LoadActivity(
      ticket: takeTicket(), cause: cause, startedAt: now, previousStart: lastStart,
      isPublished: false, replacesInvalid: owed == .invalidated)
    owed = nil
    lastStart = now
    effects.append(.start(lastTicket))
    record(.started(cause), lastTicket, at: now)
  }

  private mutating func adopt(_ newLoader: HeldLoader?, _ cause: LoadActivity.Cause) {
    guard let newLoader else { return }
    loader = newLoader
    if cause == .inputChanged { input &+= 1 }
  }

  private mutating func invalidate(_ reloads: Bool, at now: AnyClock.Instant) {
    guard loader != nil, activity != nil || lastSettled != nil else { return }
    owed = .invalidated
    if reloads { load(nil, .keepLatest, .invalidated, at: now) }
  }

  private mutating func cancel(at now: AnyClock.Instant) {
    guard let activity else { return }
    wasCancelled = activity.isLoading
    lostSubscription = !activity.isLoading
    record(.cancelled, activity.ticket, at: now)
    stopWork()
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
    if activity?.isHidden == true { start(nil, .appeared, at: now) }
  }

  /// Ends a load that only waits, and that nobody has looked at since its last viewer left.
  private mutating func giveUpIfWaiting(at now: AnyClock.Instant) {
    // One that a commit overlaps may wait for that commit: it runs again when that has ended.
    guard let activity, activity.isAbandoned, !activity.overlapsCommit,
      activity.phase == .waiting || activity.pauseReason != nil, !activity.isHidden
    else { return }
    let next = queued
    record(.cancelled, activity.ticket, at: now)
    stopWork()
    adopt(next?.loader, next?.cause ?? activity.cause)
    owed = owed ?? next?.cause ?? activity.cause
    wasGivenUp = true
  }

  /// Pauses a subscription that no view shows, until a view of it appears.
  private mutating func hide(_ subscription: LoadActivity, at now: AnyClock.Instant) {
    let reason = "hidden"
    record(.paused(reason), subscription.ticket, at: now)
    stopWork()
    // A ticket of its own: what the ended work still sends is dropped.
    activity = LoadActivity(
      ticket: takeTicket(), cause: subscription.cause, startedAt: now,
      phase: .paused(reason: reason), previousStart: lastStart, isPublished: false, isHidden: true)
  }

  private mutating func reset(_ forgetsLoader: Bool, at now: AnyClock.Instant) {
    stopWork()
    if forgetsLoader { loader = nil }
    valueLoader = nil
    clearValue(at: now)
    failure = nil
    lastSettled = nil
    settledAt = nil
    loadedAt = nil
    wasCancelled = false
    wasGivenUp = false
    lostSubscription = false
    owed = nil
    timing = IndicatorGate.Timing()
    record(.reset, nil, at: now)
  }

  private mutating func publish(_ state: LoadingState<HeldValue>, at now: AnyClock.Instant) {
    stopWork()
    wasCancelled = false
    wasGivenUp = false
    lostSubscription = false
    owed = nil
    let ticket = takeTicket()
    record(.published, ticket, at: now)
    switch state {
    case .idle:
      clearValue(at: now)
      failure = nil
      lastSettled = nil
      loadedAt = nil
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

  // MARK: Answers

  private mutating func receive(
    _ signal: LoadSignal, from ticket: LoadActivity.Ticket, at now: AnyClock.Instant
  ) {
    guard runningTicket == ticket else { return record(.discarded, ticket, at: now) }
    switch signal {
    case .progress(let next):
      let progress = progress?.advanced(to: next) ?? next
      self.progress = progress
      record(.progressed(progress), ticket, at: now)
    case .phase(let phase):
      let wasPaused = activity?.pauseReason != nil
      changeActivity { $0.phase = phase }
      if case .paused(let reason) = phase {
        record(.paused(reason), ticket, at: now)
      } else if wasPaused {
        record(.resumed, ticket, at: now)
      }
      // The next attempt is due; it only waits for a permit.
      if phase == .waiting || activity?.pauseReason != nil {
        changeActivity { $0.nextAttemptAt = nil }
      }
      if phase == .live, isUnseen, let activity { return hide(activity, at: now) }
      giveUpIfWaiting(at: now)
    case .attempt(let number, let limit):
      changeActivity { activity in
        activity.phase = .running
        activity.attempt = number
        activity.attemptLimit = limit
        activity.nextAttemptAt = nil
      }
      forgetProgress()
      if number > 1 { record(.attempted(number), ticket, at: now) }
    case .attemptFailed(let error, let nextAt):
      forgetProgress()
      let count = failure?.failureCount ?? 0
      changeActivity { activity in
        activity.phase = .backoff
        activity.nextAttemptAt = nextAt
        activity.attemptFailure = LoadFailure(error: error, failureCount: count, at: now)
      }
      record(.attemptFailed(error), ticket, at: now)
    case .foundInCache(let date):
      // Of one that is made of several, that of the oldest.
      changeActivity { $0.valueDate = min(date, $0.valueDate ?? date) }
      record(.foundInCache, ticket, at: now)
    }
  }

  private mutating func receive(
    _ value: HeldValue, from ticket: LoadActivity.Ticket, at now: AnyClock.Instant
  ) {
    guard let activity, activity.ticket == ticket, !activity.overlapsCommit else {
      return record(.discarded, ticket, at: now)
    }
    settle(value, at: now)
    record(.yielded, ticket, at: now)
  }

  private mutating func forgetProgress() {
    if progress != nil { progress = nil }
  }

  private mutating func finish(
    _ ticket: LoadActivity.Ticket, _ value: HeldValue?, at now: AnyClock.Instant
  ) {
    guard runningTicket == ticket else { return record(.discarded, ticket, at: now) }
    if _activity.look({ $0.overlapsCommit }) == true {
      // It goes on as a wait: when the mutations are settled it is run again.
      changeActivity { $0.phase = .waiting }
      return record(.discarded, ticket, at: now)
    }
    if let value { settle(value, at: now) }
    end(.finished, ticket, at: now)
  }

  private mutating func fail(
    _ ticket: LoadActivity.Ticket, _ error: any Error, at now: AnyClock.Instant
  ) {
    guard runningTicket == ticket else { return record(.discarded, ticket, at: now) }
    settle(error, at: now)
    end(.failed(error), ticket, at: now)
  }

  private mutating func end(
    _ event: LoadingObserver.Record.Event, _ ticket: LoadActivity.Ticket, at now: AnyClock.Instant
  ) {
    record(event, ticket, at: now)
    endActivity()
    if let next = queued {
      queued = nil
      start(next.loader, next.cause, at: now)
    }
  }

  private mutating func settle(_ value: HeldValue, at now: AnyClock.Instant) {
    let isLoaded = runningTicket != nil
    log.accept(value, isSame: isLoaded ? loader?.traits.isSame : nil)
    isProvisional = log.keptCount > 0
    valueInput = input
    valueLoader = isLoaded ? loader : nil
    failure = nil
    lastSettled = .value
    settledAt = now
    loadedAt = _activity.look { $0.valueDate ?? now } ?? now
    changeActivity { activity in
      activity.attemptFailure = nil
      activity.valueDate = nil
      activity.replacesInvalid = false
    }
  }

  private mutating func settle(_ error: any Error, at now: AnyClock.Instant) {
    failure = LoadFailure(error: error, failureCount: (failure?.failureCount ?? 0) + 1, at: now)
    failureInput = input
    lastSettled = .error
    settledAt = now
  }

  // MARK: Mutations

  private mutating func begin(
    _ result: (id: PendingMutation.ID, effects: [ResourceEffect])?, at now: AnyClock.Instant
  ) {
    begun = result?.id
    guard let result else { return }
    change(result.effects)
    record(.mutated(result.id), nil, at: now)
  }

  private mutating func undo(_ id: PendingMutation.ID, at now: AnyClock.Instant) {
    step(id, .undone(id), at: now) { $0.undo(id, at: now) }
  }

  private mutating func keep(_ id: PendingMutation.ID, _ isRepeated: Bool, at now: AnyClock.Instant)
  {
    let isKept = step(id, .kept(id), at: now) { $0.keep(id, at: now) }
    // An earlier attempt may have arrived before the value was loaded.
    if isKept, isRepeated, log.patches.base != nil { isProvisional = true }
  }

  private mutating func confirm(
    _ id: PendingMutation.ID, _ answer: Mutation<HeldValue>.Patch?, at now: AnyClock.Instant
  ) {
    let isOver = step(id, .committed(id), at: now) { $0.confirm(id, answer, at: now) }
    if isOver { markOverlap() }
  }

  private mutating func failMutation(
    _ id: PendingMutation.ID, _ error: any Error, at now: AnyClock.Instant
  ) {
    let isOver = step(id, .commitFailed(id, error), at: now) { $0.fail(id, error, at: now) }
    if isOver { markOverlap() }
  }

  /// Takes a mutation a step on; false, and nothing happens, when it is not in the phase for that.
  @discardableResult
  private mutating func step(
    _ id: PendingMutation.ID, _ event: LoadingObserver.Record.Event, at now: AnyClock.Instant,
    _ body: (inout MutationLog) -> [ResourceEffect]?
  ) -> Bool {
    let start = log.start(of: id)
    guard let effects = body(&log) else { return false }
    change(effects)
    record(event, nil, since: start, at: now)
    return true
  }

  private mutating func dismissMutation(_ id: PendingMutation.ID) {
    log.dismiss(id)
    mutationVersion += 1
  }

  private mutating func change(_ effects: [ResourceEffect]) {
    self.effects += effects
    mutationVersion += 1
  }

  private mutating func clearValue(at now: AnyClock.Instant) {
    isProvisional = false
    change(log.clear(at: now))
  }

  /// Whether a load that runs now is overlapped by a change: its answer may have that or not.
  ///
  /// What is kept may wait for long: where there is nothing to show yet, an answer is better than none.
  private var overlapsLoads: Bool {
    log.committingCount > 0 || log.keptCount > 0 && log.patches.base != nil
  }

  /// Marks a load that a change overlaps, and runs it again when that is over, as it does for a value
  /// that had an unknown part of the changes.
  private mutating func noteOverlap(at now: AnyClock.Instant) {
    if overlapsLoads { return markOverlap() }
    guard loader != nil, log.pendingCount == log.keptCount,
      _activity.look({ $0.isPublished }) != true,
      _activity.look({ $0.overlapsCommit }) == true || isProvisional && log.isDrained
    else { return }
    let next = queued
    start(next?.loader, next?.cause ?? .mutation, at: now)
  }

  private mutating func markOverlap() {
    if _activity.look({ $0.isPublished }) == false { changeActivity { $0.overlapsCommit = true } }
  }

  /// Changes what runs, in place.
  private mutating func changeActivity(_ body: (inout LoadActivity) -> Void) {
    guard runningTicket != nil else { return }
    _activity.change(body)
    activityVersion &+= 1
  }

  mutating func refreshValue() {
    log.refresh()
  }

  // MARK: Steps

  /// Ends what runs and what waits to run, without a trace in the state.
  private mutating func stopWork() {
    queued = nil
    guard let ticket = runningTicket else { return }
    if _activity.look({ $0.isPublished }) == false { effects.append(.stop(ticket)) }
    endActivity()
  }

  private mutating func endActivity() {
    // It has brought no value: the one from before the change is as old as it was.
    if _activity.look({ $0.replacesInvalid }) == true { owed = .invalidated }
    activity = nil
    forgetProgress()
  }

  private mutating func takeTicket() -> LoadActivity.Ticket {
    lastTicket = LoadActivity.Ticket(number: lastTicket.number + 1)
    return lastTicket
  }

  private mutating func record(
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

  /// Returns the events since the last call; none where the resource is not observed.
  mutating func takeNews() -> [LoadingObserver.Record] {
    guard !news.isEmpty else { return [] }
    defer { news = [] }
    return news
  }
}
