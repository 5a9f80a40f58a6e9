import Observation

/// Runs the loads of a value, and keeps the value, its state and its mutations.
///
/// A resource lives on the main actor; its loads run off the main actor. It is `Observable`: a view
/// that reads ``state`` is drawn again when the state changes.
///
/// ```swift
/// let article = Resource { try await api.article(id) }
/// article.load()
/// if case .loaded(let article) = article.state { draw(article.title) }
/// ```
///
/// Releasing the last reference to a resource cancels its load and ends its ``states()``.
@MainActor
public final class Resource<Value: Sendable>: LoadableObject, Observable {
  /// Whether ``appear()`` starts the first load.
  public let startsOnAppear: Bool
  /// When it is loaded again automatically while a view shows it.
  public let refreshing: Refreshing
  /// The name in the reports of a ``LoadingObserver``.
  public let name: String
  /// The clock for every time and wait.
  public let clock: AnyClock

  private(set) var truth: ResourceState
  let scheduler: LoadScheduler
  private let registrar = ObservationRegistrar()
  /// The facets that were ever read; the others have no observers to notify.
  private var readFacets: ResourceFacets = []
  /// Where failed mutations are reported; nil for nowhere.
  public let mutationFailures: FailedMutation.Inbox?
  // Not an `OwnedTask`, which would be one more allocation for each load.
  private var work: Task<Void, Never>? {
    willSet { work?.cancel() }
  }
  private var mutationWork: [PendingMutation.ID: OwnedTask] = [:]
  /// Fulfilled when a mutation ends, for the tasks that wait for its outcome.
  private var outcomes: [PendingMutation.ID: [Promise<Result<Bool, any Error>>]] = [:]
  private var streams: ResourceStreams<Value>?
  /// Fulfilled when loads or mutations have ended.
  private var settlement: Promise<Void>?
  /// How many views show it.
  var viewers = 0
  /// When it is loaded again by ``refreshing``: after the interval, or when the server allows it.
  @Rare var nextRefresh: (at: AnyClock.Instant, wait: OwnedTask)? = nil
  /// The tasks that wait for refresh gates to open, while a view shows a value that can go stale.
  var openings: [OwnedTask] = []

  /// Called after every change; used by pools and paged resources.
  var changed: ((_ before: ResourceSignature, _ after: ResourceSignature) -> Void)?
  /// Called when a view appears or disappears.
  var shown: (() -> Void)?

  /// Creates a resource, which loads nothing yet.
  ///
  /// - Parameters:
  ///   - loader: how to load; without a loader, ``load()`` does nothing.
  ///   - initialState: the state before the first load, for example a stored value or one for a
  ///     preview. ``LoadingState/loading(_:)`` is only for a preview: it stays until a load is
  ///     started, which ``appear()`` does not do then.
  ///   - initialAge: the age of the value in `initialState`, which counts for
  ///     ``Refreshing/staleAfter``.
  ///   - errorPolicy: what a failure after a success does to the value.
  ///   - startsOnAppear: whether the first load starts when a view appears; otherwise the user
  ///     starts it.
  ///   - refreshing: when it is loaded again automatically while a view shows it.
  ///   - name: the name in logs; by default the type of its value if `scheduler` has an observer.
  ///   - historyCapacity: how many events ``history`` keeps.
  ///   - mutationFailures: where failed mutations are reported.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads run.
  public init(
    _ loader: Loader<Value>? = nil,
    initialState: LoadingState<Value> = .idle,
    initialAge: Duration = .zero,
    errorPolicy: ErrorPolicy = .keep,
    startsOnAppear: Bool = true,
    refreshing: Refreshing = .never,
    name: String? = nil,
    historyCapacity: Int = 32,
    mutationFailures: FailedMutation.Inbox? = nil,
    clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent
  ) {
    self.startsOnAppear = startsOnAppear
    self.refreshing = refreshing
    self.name = name ?? (scheduler.observer == nil ? "" : "\(Value.self)")
    self.mutationFailures = mutationFailures
    self.clock = clock
    self.scheduler = scheduler
    truth = ResourceState(
      loader: loader.map(HeldLoader.init), initial: initialState.held,
      errorPolicy: errorPolicy, historyCapacity: historyCapacity,
      isObserved: scheduler.observer != nil,
      at: clock.now.advanced(by: .zero - max(.zero, initialAge)))
    if !initialState.isIdle { followTags() }
    scheduler.observer?.add(self)
  }

  deinit { work?.cancel() }

  /// Creates a resource that loads by an asynchronous function.
  ///
  /// ```swift
  /// let articles = Resource(refreshing: Refreshing(interval: .seconds(60))) {
  ///   try await api.articles()
  /// }
  /// ```
  ///
  /// The other parameters have the meanings that they have for a resource with a loader.
  public convenience init(
    errorPolicy: ErrorPolicy = .keep, startsOnAppear: Bool = true, refreshing: Refreshing = .never,
    name: String? = nil, _ load: @escaping @Sendable () async throws -> Value
  ) {
    self.init(
      errorPolicy: errorPolicy, startsOnAppear: startsOnAppear, refreshing: refreshing, name: name
    ) { _ in try await load() }
  }

  /// Creates a resource that loads by an asynchronous function, which can report progress to its
  /// context.
  public convenience init(
    errorPolicy: ErrorPolicy = .keep, startsOnAppear: Bool = true, refreshing: Refreshing = .never,
    name: String? = nil, _ load: @escaping @Sendable (LoadContext) async throws -> Value
  ) {
    self.init(
      Loader(load), errorPolicy: errorPolicy, startsOnAppear: startsOnAppear,
      refreshing: refreshing, name: name)
  }

  // MARK: Actions

  /// Starts a load, or joins the running one.
  public func load() {
    load(.join)
  }

  /// Starts a load; `policy` decides what happens if a load is already running.
  public func load(_ policy: LoadPolicy, cause: LoadActivity.Cause = .user) {
    apply(.load(nil, policy, cause))
  }

  /// Replaces the loader and starts a load, because the input has changed, such as the text of a
  /// search.
  ///
  /// The old value stays until the new one is loaded; meanwhile ``showsEarlierInput`` is true. Call
  /// ``reset()`` first to remove the old value at once. If the load fails, the failure replaces the
  /// old value. Mutations of the old value are committed before the new one is shown, also those
  /// that could still be undone. With another cause than ``LoadActivity/Cause/inputChanged``, the
  /// old value counts as one of the new loader.
  ///
  /// With ``LoadPolicy/join`` or ``LoadPolicy/drop``, `loader` is ignored if a load is already
  /// running, unless `loader` is debounced: then it replaces the running load.
  public func load(
    _ loader: Loader<Value>, _ policy: LoadPolicy = .restart,
    cause: LoadActivity.Cause = .inputChanged
  ) {
    apply(.load(HeldLoader(loader), policy, cause))
  }

  /// Loads again after a failure, with all attempts.
  ///
  /// If a load is running or waits for a permit, it is joined. A load in a backoff, a debounce or a
  /// pause starts again at once.
  public func retry() {
    apply(.retry)
  }

  /// Cancels the running load, at once.
  ///
  /// The resource shows what it showed before the load, or the last value that the load has
  /// yielded. Mutations are not affected.
  public func cancel() {
    apply(.cancel)
  }

  /// Cancels the running load and removes the value and the failure; the loader stays.
  ///
  /// Pending mutations fail with ``LoadingError/valueReset``, except for those in a
  /// ``MutationJournal``, which are still sent. Failed mutations and the history stay.
  public func reset() {
    apply(.reset())
  }

  /// Resets, and removes the loader, too.
  func forget() {
    apply(.reset(forgetsLoader: true))
  }

  /// Marks the value as out of date, because it has changed at its source.
  ///
  /// The resource is loaded again: at once if a view shows it, otherwise when a view appears. If a
  /// view shows it and a load is running, which may have begun before the change, another load
  /// follows that, or replaces it if it is a refresh that waits for a gate. The value is also removed
  /// from the ``LoadCache`` of the loader. A resource that has loaded nothing is not loaded by this.
  public func invalidate() {
    truth.loader?.traits.invalidate(by: scheduler)
    apply(.invalidate(reloads: isShown))
  }

  /// Sets the state and cancels the running load.
  ///
  /// It has the same effect as a load with that result: with ``ErrorPolicy/keep``, a value stays on
  /// the screen beside a failure that is set. A subscription is not live any more: it starts again
  /// with a load, or with the next view after the last one has left. Setting ``LoadingState/idle``
  /// makes pending mutations fail, as ``reset()`` does.
  @inlinable public func set(_ state: LoadingState<Value>) { set(held: state.held) }

  @usableFromInline func set(held state: LoadingState<HeldValue>) {
    // First, because an observer of the state may invalidate the tags.
    followTags()
    apply(.set(state))
  }

  // MARK: Streams

  /// Returns a stream of the current state and every later one.
  ///
  /// There can be any number of streams. They end when the resource is released. Each buffers the
  /// newest 256 states. Mutations that fail at the same time are rolled back in one state.
  public func states() -> AsyncStream<LoadingState<Value>> {
    upToDateStreams.states.stream(startingWith: projection)
  }

  /// Returns a stream of snapshots: the current one, and one after every change of the state, the
  /// running load, the failure or the mutations.
  ///
  /// After a failed reload, for example, a snapshot has the failure beside the value. There can be
  /// any number of streams. They end when the resource is released. Each buffers the newest 256
  /// snapshots.
  ///
  /// ```swift
  /// for await update in feeds.updates() {
  ///   if let failure = update.failure { print("not reloaded: \(failure.error)") }
  /// }
  /// ```
  public func updates() -> AsyncStream<Resource<Value>.Snapshot> {
    upToDateStreams.updates.stream(startingWith: snapshot { $0 })
  }

  private var upToDateStreams: ResourceStreams<Value> {
    let streams = streams ?? ResourceStreams()
    self.streams = streams
    if streams.owesState { streams.publish(self) }
    return streams
  }

  /// Reached when loads or mutations have ended the next time.
  func next() -> Promise<Void> {
    let next = settlement ?? Promise()
    settlement = next
    return next
  }

  /// Lets the tasks that wait for the end of loads or mutations look again.
  func resumeWaiting() {
    settlement?.fulfil(())
    settlement = nil
  }

  // MARK: Machinery

  func apply(_ event: ResourceEvent) { _ = begin(event) }

  /// Applies an event that can begin a mutation, and returns the one that it has begun.
  func begin(_ event: ResourceEvent) -> PendingMutation.ID? {
    let before = read { $0.signature }
    let effects = truth.apply(event, at: clock.now)
    // Read before observers are notified, which may begin another one.
    let begun = truth.begun
    if truth.runningTicket != before.ticket { work = truth.workTicket.flatMap(start) }
    var turns: [@MainActor () -> Void] = []
    for effect in effects {
      switch effect {
      case .hold(let id, let until): hold(id, until: until)
      case .enter(let id, let scope):
        if let grant = scheduler.turns.enter(
          id, of: ObjectIdentifier(self), scope, grant: { self.apply(.turn(id)) })
        {
          turns.append(grant)
        }
      case .leave(let id, let scope):
        if let grant = scheduler.turns.leave(id, of: ObjectIdentifier(self), scope) {
          turns.append(grant)
        }
      case .commit(let id): commit(id)
      case .stopMutation(let id): mutationWork[id] = nil
      case .ended(let id, let isStored): conclude(id, .success(isStored))
      case .merged(let id, let newer):
        outcomes[newer, default: []] += outcomes.removeValue(forKey: id) ?? []
      case .report(let id, let error): report(id, error)
      }
    }
    announce(since: before, rollingBack: event.rollsBack)
    planRefresh()
    scheduler.observer?.note(truth.takeNews(), of: ObjectIdentifier(self), name: name)
    // Last, because they apply other events, to this resource or another one.
    for turn in turns { turn() }
    return begun
  }

  /// Lets the tags of the loader invalidate the value.
  private func followTags() {
    if truth.loader?.isTagged == true { scheduler.invalidations.add(self) }
  }

  private func start(_ ticket: LoadActivity.Ticket) -> Task<Void, Never>? {
    guard let loader = truth.loader, let start = truth.runningStart else { return nil }
    followTags()
    return scheduler.start(
      LoadRun(
        loader, ticket, receiver: self, clock: clock, cause: start.cause,
        previousStart: start.previous, scheduler: scheduler))
  }

  // The tasks that hold and commit a mutation keep the resource alive until the mutation has ended,
  // so that a change is not lost when the screen that showed it is left.

  private func hold(_ id: PendingMutation.ID, until: AnyClock.Instant) {
    mutationWork[id] = OwnedTask(
      scheduler.task { [clock, scheduler] in
        guard (try? await clock.sleep(until: until)) != nil else { return }
        scheduler.deliver { self.apply(.release(id)) }
      })
  }

  private func commit(_ id: PendingMutation.ID) {
    guard let mutation = truth.log.mutation(id) else { return }
    let value = truth.log.value(through: id)
    // Also for a commit that will fail, since it may have been carried out all the same.
    let sources = [truth.valueLoader, truth.loader].compactMap { $0?.traits }
    for source in sources { source.invalidate(commits: 1) }
    let (tags, invalidations) = (mutation.invalidatedTags, scheduler.invalidations)
    invalidations.begin(commitOf: tags)
    mutationWork[id] = OwnedTask(
      scheduler.task { [clock, scheduler] in
        let point = CommitPoint(of: mutation.record) { needsReload in
          scheduler.deliver {
            for source in sources { source.invalidate() }
            self.apply(.kept(id, needsReload: needsReload))
          }
        }
        // Before the commit, since the process may end at any time after it.
        for source in sources { await source.writeInvalidations() }
        if !tags.isEmpty { await invalidations.save() }
        let origin = LoadContext.Origin(clock: clock, cause: .user, scheduler: scheduler)
        let context = LoadContext(origin) { signal in
          guard case .attemptFailed(let error, _) = signal else { return }
          scheduler.deliver { self.apply(.commitAttemptFailed(id, error)) }
        }
        let end: ResourceEvent
        do {
          // The mutation may have failed by a reset since.
          try Task.checkCancellation()
          end = .committed(
            id,
            try await CommitPoint.$current.withValue(point) {
              try await mutation.commit(value).first(context)
            })
        } catch {
          end = .commitFailed(id, error)
        }
        scheduler.deliver {
          for source in sources { source.invalidate(commits: -1) }
          invalidations.end(commitOf: tags, end, of: self, by: scheduler)
        }
      })
  }

  /// Waits until a mutation was stored or has failed; one in a ``MutationJournal`` until it was
  /// sent.
  ///
  /// Call it right after ``mutate(_:)``, since outcomes are not kept. If a later mutation includes
  /// this one, as for changes of the same part through a ``ValueAccess``, the outcome is that of
  /// the later one. Cancelling the waiting task does not cancel the mutation.
  ///
  /// ```swift
  /// if let id = drawer.mutate(wash), try await drawer.outcome(of: id) { draw("Clean") }
  /// ```
  ///
  /// - Returns: Whether it was stored; false if it was undone, was superseded by a newer change of
  ///   its field, or had already ended.
  /// - Throws: The error of the mutation if it failed; `CancellationError` if the waiting task was
  ///   cancelled.
  public func outcome(of id: PendingMutation.ID) async throws -> Bool {
    if let failed = truth.log.failed.first(where: { $0.report.id == id }) {
      throw failed.report.error
    }
    guard let carrier = truth.log.carrier(of: id) else { return false }
    let outcome = Promise<Result<Bool, any Error>>()
    outcomes[carrier, default: []].append(outcome)
    return try await outcome.value().get()
  }

  private func conclude(_ id: PendingMutation.ID, _ result: Result<Bool, any Error>) {
    for outcome in outcomes.removeValue(forKey: id) ?? [] { outcome.fulfil(result) }
  }

  private func report(_ id: PendingMutation.ID, _ error: any Error) {
    conclude(id, .failure(error))
    if let failed = truth.log.failed.last(where: { $0.report.id == id })?.report {
      mutationFailures?.deliver(failedMutation(failed, of: self))
    }
  }

  private func announce(since before: ResourceSignature, rollingBack: Bool) {
    let after = read { $0.signature }
    note(.history)
    guard after != before else { return }
    if after.progressVersion != before.progressVersion { note(.progress) }
    if after.differsBeyondProgress(from: before) { note(.activity) }
    if after.isLoading != before.isLoading { note(.isLoading) }
    if after.mutationVersion != before.mutationVersion {
      scheduler.turns.note(self, isUnsaved: truth.log.isUnsaved)
      note(.mutations)
    }
    if after.showsOtherState(than: before) {
      note(.content)
      if rollingBack { streams?.publishSoon(self) } else { streams?.publish(self) }
    } else {
      streams?.publishUpdate(self)
    }
    // Not after every event, which may be one of many steps of progress.
    if after.isLoading != before.isLoading || after.mutationVersion != before.mutationVersion {
      resumeWaiting()
    }
    changed?(before, after)
  }

  /// Registers the current observation for the next change of `facet`.
  func access(_ facet: ResourceFacets) {
    truth.log.refresh()
    readFacets.insert(facet)
    registrar.access(ObservedFacets.shared, keyPath: ObservedFacets.keyPath(facet))
  }

  private func note(_ facet: ResourceFacets) {
    guard readFacets.contains(facet) else { return }
    registrar.withMutation(
      of: ObservedFacets.shared, keyPath: ObservedFacets.keyPath(facet)
    ) {}
  }

  /// Reads the state in place; a getter of `truth` would retain and release everything in it.
  func read<Answer>(_ answer: (inout ResourceState) -> Answer) -> Answer { answer(&truth) }

  @usableFromInline var heldProjection: LoadingState<HeldValue> { read { $0.projection } }
}
