import Observation

/// What has been loaded, and the owner of the work that loads it.
///
/// A resource lives on the main actor; its loads run off it. It is `Observable`: a view that reads
/// ``state`` is drawn again when it changes.
///
/// ```swift
/// let article = Resource { try await api.article(id) }
/// article.load()
/// if case .loaded(let article) = article.state { draw(article.title) }
/// ```
///
/// Dropping a resource cancels its load and ends its ``states()``.
@MainActor
public final class Resource<Value: Sendable>: LoadableObject, Observable {
  /// Whether ``appear()`` starts the first load.
  public let startsOnAppear: Bool
  /// When it is loaded again by itself while it is on the screen.
  public let refreshing: Refreshing
  /// What it is called where a program's loads are observed, see ``LoadingObserver``.
  public let name: String
  /// The clock that its times are on.
  public let clock: AnyClock

  private(set) var truth: ResourceState
  let scheduler: LoadScheduler
  private let registrar = ObservationRegistrar()
  /// What was ever read: the rest has no observers, and its changes need no notification.
  private var readFacets: ResourceFacets = []
  private let mutationFailures: FailedMutation.Inbox?
  private var work: OwnedTask?
  private var mutationWork: [PendingMutation.ID: OwnedTask] = [:]
  /// What waits for the outcome of a mutation.
  private var outcomes: [PendingMutation.ID: [Promise<Result<Bool, any Error>>]] = [:]
  private var streams: ResourceStreams<Value>?
  /// What waits for loads or mutations to end.
  private var settlement: Promise<Void>?
  /// How many views show it.
  var viewers = 0
  /// When it is loaded again by its interval.
  @Rare var nextRefresh: (at: AnyClock.Instant, wait: OwnedTask)? = nil
  /// Waits for the gates of refreshes to open, while a view shows what may go stale.
  var openings: [OwnedTask] = []

  /// Called after every change; used by pools and paged resources.
  var changed: ((_ before: ResourceSignature, _ after: ResourceSignature) -> Void)?
  /// Called when a view of it comes or goes.
  var shown: (() -> Void)?

  /// - Parameters:
  ///   - loader: how to load; without one ``load()`` does nothing.
  ///   - initialState: what is there already, for previews and values that are at hand.
  ///   - initialAge: how old the value of `initialState` is, for one that was kept: from this age on
  ///     ``Refreshing/staleAfter`` counts.
  ///   - errorPolicy: what a failure after a success does to the value.
  ///   - startsOnAppear: whether the first load starts by itself; otherwise the user starts it.
  ///   - refreshing: when it is loaded again by itself while it is on the screen.
  ///   - name: what it is called in a log; by default the type of its value.
  ///   - historyCapacity: how many events ``history`` keeps.
  ///   - mutationFailures: where failed mutations are reported, each once.
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
      at: clock.now.advanced(by: .zero - initialAge))
    scheduler.observer?.add(self)
  }

  /// A resource that loads by an asynchronous function.
  public convenience init(_ load: @escaping @Sendable () async throws -> Value) {
    self.init(Loader(load))
  }

  // MARK: Actions

  /// Loads, or joins the load that runs.
  public func load() {
    load(.join)
  }

  /// Loads; `policy` says what happens when a load runs already.
  public func load(_ policy: LoadPolicy, cause: LoadActivity.Cause = .user) {
    apply(.load(nil, policy, cause))
  }

  /// Loads with another loader, because what is to be loaded changed.
  ///
  /// The old value stays until the new one comes, marked by ``showsEarlierInput``; ``reset()`` first
  /// clears it. When the new one fails to load, the failure takes the place of the old value.
  ///
  /// With `join` or `drop` a running load wins and `loader` is forgotten; a debounced loader always
  /// restarts.
  public func load(
    _ loader: Loader<Value>, _ policy: LoadPolicy = .restart,
    cause: LoadActivity.Cause = .inputChanged
  ) {
    apply(.load(HeldLoader(loader), policy, cause))
  }

  /// Loads again after a failure, with a full budget of attempts.
  ///
  /// Joins a load that works; ends the wait of one in a backoff or a debounce.
  public func retry() {
    apply(.retry)
  }

  /// Stops what runs and puts back what was there before, at once.
  public func cancel() {
    apply(.cancel)
  }

  /// Stops what runs and forgets everything but how to load.
  public func reset() {
    apply(.reset())
  }

  /// Stops what runs and forgets everything, also how to load.
  func forget() {
    apply(.reset(forgetsLoader: true))
  }

  /// Says that what was loaded has changed.
  ///
  /// It is loaded again: at once where a view shows it, else when one appears. What a ``LoadCache`` has of
  /// it is forgotten.
  /// A load that runs may have begun before the change: another one follows it. Where nothing was loaded
  /// nothing happens.
  public func invalidate() {
    truth.loader?.traits.invalidate()
    apply(.invalidate(reloads: isShown))
    if let traits = truth.loader?.traits, !traits.invalidations.isEmpty {
      _ = scheduler.task { await traits.writeInvalidations() }
    }
  }

  /// Publishes a state; what a running load brings after that is dropped.
  ///
  /// It counts like a load with that outcome: under ``ErrorPolicy/keep`` a value stays on the
  /// screen beside a failure that is set.
  @inlinable public func set(_ state: LoadingState<Value>) { set(held: state.held) }

  @usableFromInline func set(held state: LoadingState<HeldValue>) { apply(.set(state)) }

  // MARK: Streams

  /// The state now and every state after it, for any number of observers.
  ///
  /// Never throws; ends with the resource. A slow reader gets the newest 256. Mutations that fail
  /// at the same time are taken back in one state.
  public func states() -> AsyncStream<LoadingState<Value>> {
    upToDateStreams.states.stream(startingWith: projection)
  }

  /// The resource now and after every change of its state, of what runs, of its failure or of its
  /// mutations, for any number of observers.
  ///
  /// Where ``states()`` says `loaded` twice around a failed reload, the second of these has the failure
  /// beside the value. Never throws; ends with the resource. A slow reader gets the newest 256.
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

  /// Waits until nothing is being loaded and returns the state.
  ///
  /// Cancelling the waiting task makes it return at once and does not cancel the load.
  public func settled() async -> LoadingState<Value> {
    await wait { !$0.truth.isLoading }
    return state
  }

  /// Waits until no mutation is pending; a cancelled wait returns at once.
  ///
  /// Before a program quits it calls ``commitHeldMutations()`` and then this, for as long as it is
  /// willing to say "saving".
  public func mutationsSettled() async {
    await wait { $0.truth.log.isDrained }
  }

  private func wait(until isSettled: (Resource) -> Bool) async {
    while !isSettled(self) {
      let next = settlement ?? Promise()
      settlement = next
      guard (try? await next.value()) != nil else { return }
    }
  }

  // MARK: Machinery

  func apply(_ event: ResourceEvent) {
    let before = truth.signature
    var turns: [@MainActor () -> Void] = []
    for effect in truth.apply(event, at: clock.now) {
      switch effect {
      case .start(let ticket): run(ticket)
      case .stop: work = nil
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
      case .report(let id): report(id)
      }
    }
    // A task that has ended holds what it has worked with.
    if truth.runningTicket == nil { work = nil }
    announce(since: before, rollingBack: event.rollsBack)
    planRefresh()
    scheduler.observer?.note(truth.takeNews(), of: name)
    // Last, because they are events of their own, of this resource or of another one.
    for turn in turns { turn() }
  }

  private func run(_ ticket: LoadActivity.Ticket) {
    guard let loader = truth.loader, let activity = truth.activity else { return }
    let mailbox = LoadMailbox(ticket: ticket, scheduler: scheduler, receiver: self)
    let context = LoadContext(
      clock: clock, cause: activity.cause, previousStart: activity.previousStart,
      scheduler: scheduler
    ) { mailbox.send($0) }
    scheduler.invalidations.add(self)
    let gates = activity.cause == .refresh ? scheduler.refreshGates : []
    work = OwnedTask(
      scheduler.task {
        do {
          if !gates.isEmpty { try await context.pass(all: gates) }
          return .finished(ticket, try await loader.run(context, mailbox))
        } catch {
          return .failed(ticket, error)
        }
      } then: { event in
        mailbox.close(event)
      })
  }

  // The tasks that hold and commit a mutation keep the resource alive until it is settled: a change
  // that was accepted is not lost with the screen that showed it.

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
    // A commit that failed may have been carried out all the same.
    let sources = [truth.valueLoader, truth.loader].compactMap { $0?.traits }
    for source in sources { source.invalidate(commits: 1) }
    mutationWork[id] = OwnedTask(
      scheduler.task { [clock, scheduler] () -> ResourceEvent in
        let point = CommitPoint(of: mutation.record) { isRepeated in
          scheduler.deliver {
            for source in sources { source.invalidate() }
            self.apply(.kept(id, isRepeated: isRepeated))
          }
        }
        // Before the change is made: after it the process may end at any time.
        for source in sources { await source.writeInvalidations() }
        do {
          return .committed(
            id,
            try await CommitPoint.$current.withValue(point) {
              try await mutation.commit(value).value(
                cause: .user, clock: clock, scheduler: scheduler)
            })
        } catch {
          return .commitFailed(id, error)
        }
      } then: { (event: ResourceEvent) in
        for source in sources { source.invalidate(commits: -1) }
        self.apply(event)
        if case .committed = event {
          self.scheduler.invalidations.invalidate(mutation.invalidatedTags)
        }
      })
  }

  /// Waits until a mutation is over, which a journaled one is when it has arrived.
  ///
  /// Call it right after ``mutate(_:)``: an outcome is not kept. Where a later change carries the mutation
  /// on, as those of one place do through a ``ValueAccess``, it is that one's outcome. Cancelling the
  /// waiting task does not cancel the mutation.
  ///
  /// ```swift
  /// if let id = drawer.mutate(wash), try await drawer.outcome(of: id) { draw("Clean") }
  /// ```
  ///
  /// - Returns: Whether it was stored: false when it was undone, gave way to a newer change of its field,
  ///   or was over already.
  /// - Throws: Why it failed; `CancellationError` when the waiting task was cancelled.
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

  private func report(_ id: PendingMutation.ID) {
    guard let failed = truth.log.failed.last(where: { $0.report.id == id }) else { return }
    conclude(id, .failure(failed.report.error))
    mutationFailures?.deliver(failedMutation(failed.report))
  }

  private func announce(since before: ResourceSignature, rollingBack: Bool) {
    let after = truth.signature
    note(.history)
    guard after != before else { return }
    if after.progressVersion != before.progressVersion { note(.progress) }
    if after.differsBeyondProgress(from: before) { note(.activity) }
    if after.isLoading != before.isLoading { note(.isLoading) }
    if after.mutationVersion != before.mutationVersion { note(.mutations) }
    if after.showsOtherState(than: before) {
      note(.content)
      if rollingBack { streams?.publishSoon(self) } else { streams?.publish(self) }
    } else {
      streams?.publishUpdate(self)
    }
    if !after.isLoading || truth.log.isDrained {
      settlement?.fulfil(())
      settlement = nil
    }
    changed?(before, after)
  }

  /// Registers the current observation for the next change of `facet`.
  func access(_ facet: ResourceFacets) {
    truth.refreshValue()
    readFacets.insert(facet)
    registrar.access(ObservedFacets.shared, keyPath: ObservedFacets.keyPath(facet))
  }

  private func note(_ facet: ResourceFacets) {
    guard readFacets.contains(facet) else { return }
    registrar.withMutation(
      of: ObservedFacets.shared, keyPath: ObservedFacets.keyPath(facet)
    ) {}
  }

  /// Reads the state in place, where a getter of `truth` may retain and release everything in it.
  func read<Answer>(_ answer: (inout ResourceState) -> Answer) -> Answer { answer(&truth) }

  /// The state, of values of our own type.
  var projection: LoadingState<Value> { read { LoadingState($0.projection) } }
}
