import Observation

/// Sends the mutations of a ``MutationJournal``, including those of earlier processes.
///
/// Mutations of one scope are sent in order. A mutation whose attempt fails is sent again after a
/// backoff, until it was sent or its attempts are used up.
///
/// A change survives the process once ``keep(_:_:scope:field:)`` has returned. Call
/// ``commit(_:_:scope:field:)`` in the commit of a ``Mutation``: its ``Resource`` then shows the
/// change until it was sent.
///
/// ```swift
/// let outbox = MutationOutbox(journal, handlers: rename, remove)
/// try await outbox.start()
/// try await outbox.keep(rename, Renaming(id: id, name: "Left"), scope: "sock \(id)")
/// ```
///
/// Each attempt has the key of its mutation. A receiver that remembers keys applies a change only
/// once, even if its answer is lost or late, or the process is killed before it has recorded the
/// answer.
@MainActor
@Observable
public final class MutationOutbox {
  /// The clock for every wait.
  @ObservationIgnored public let clock: AnyClock

  private var state = OutboxState()
  /// Whether ``start()`` has read the mutations of earlier processes.
  public private(set) var isStarted = false

  @ObservationIgnored private let journal: any MutationJournal
  @ObservationIgnored private let handlers: [String: AnyMutationHandler]
  @ObservationIgnored private let attemptLimit: Int
  @ObservationIgnored private let backoff: Backoff
  @ObservationIgnored private let gate: LoadGate?
  @ObservationIgnored private let scheduler: LoadScheduler
  @ObservationIgnored private let makeKey: @Sendable () -> String
  @ObservationIgnored private var work: [String: OwnedTask] = [:]
  /// What keeps the newest change of each scope, while that is being written.
  @ObservationIgnored private var keeping: [String: Task<Kept, any Error>] = [:]
  /// The decisions about failed rows that are being written, by their keys.
  @ObservationIgnored private var deciding: [String: Promise<Void>] = [:]
  /// The keys of rows whose mutations were sent, but that could not be removed yet.
  @ObservationIgnored private var leftRows: Set<String> = []
  /// Fulfilled when the mutation was sent or has failed, also for those that it has replaced.
  @ObservationIgnored private var deliveries: [String: [Delivery]] = [:]

  /// The result is true if the receiver has the arguments of the change, or of the newer one that
  /// has replaced it, and not those by which a conflict was resolved.
  typealias Delivery = Promise<Result<Bool, any Error>>

  /// A change that is in the journal.
  struct Kept: Sendable {
    let key: String
    /// Whether it was there before, so that an earlier attempt may have sent it.
    let isRepeated: Bool
    /// Fulfilled when it was sent or has failed.
    let delivery: Delivery
  }

  /// Creates an outbox, which sends nothing before ``start()``, or before the first change is kept.
  ///
  /// - Parameters:
  ///   - journal: where mutations are stored.
  ///   - handlers: what sends mutations; a mutation of any other handler fails and stays in the
  ///     journal.
  ///   - attempts: how many attempts a mutation has in total, including those of earlier processes.
  ///   - backoff: how long to wait between attempts, unless the error has a
  ///     ``RetryAdvice/retryAfter``. By default a mutation fails after about a quarter of an hour.
  ///   - gate: while it is closed, nothing is sent.
  ///   - clock: the clock for every wait.
  ///   - scheduler: where handlers run.
  ///   - makeKey: returns a new idempotency key, which must never repeat; by default a UUID.
  public init<each Arguments>(
    _ journal: any MutationJournal, handlers: repeat MutationOutbox.Handler<each Arguments>,
    attempts: Int = 12, backoff: Backoff = Backoff(base: .seconds(5), maximum: .seconds(300)),
    gate: LoadGate? = nil,
    clock: AnyClock = .continuous, scheduler: LoadScheduler = .concurrent,
    makeKey: (@Sendable () -> String)? = nil
  ) {
    var known: [String: AnyMutationHandler] = [:]
    for handler in repeat each handlers { known[handler.name] = handler.erased }
    self.journal = journal
    self.handlers = known
    attemptLimit = max(1, attempts)
    self.backoff = backoff
    self.gate = gate
    self.clock = clock
    self.scheduler = scheduler
    self.makeKey = makeKey ?? StoredArguments.makeKey
  }

  // MARK: Reading

  /// The mutations that are being sent or wait to be sent, in the order in which they were kept.
  public var pending: [MutationOutbox.Entry] { state.pending }

  /// The failed mutations, which the user can retry or dismiss, in the order they were kept.
  public var failed: [MutationOutbox.Entry] { state.failed }

  /// Returns why a mutation has failed; nil if it has not.
  public func failure(of key: String) -> (any Error)? { state.failure(of: key) }

  // MARK: Sending

  /// Reads the mutations of earlier processes, and begins to send them.
  ///
  /// Call it when the program starts. Keeping a change starts the outbox, too. If reading fails, it
  /// can be called again.
  ///
  /// - Throws: the error of the journal.
  public func start() async throws {
    guard !isStarted else { return }
    let mutations = try await journal.mutations()
    guard !isStarted else { return }
    isStarted = true
    perform(state.open(mutations))
  }

  /// Writes a change to the journal and begins to send it.
  ///
  /// - Parameters:
  ///   - handler: what sends the change.
  ///   - arguments: the arguments for the handler.
  ///   - scope: changes of one scope are sent in order.
  ///   - field: what the change sets: it replaces a change of the same scope and field of which no
  ///     attempt was made, and once it was sent, failed changes of that field are removed.
  /// - Returns: the key of the change.
  /// - Throws: the error of the journal; the change is not kept then. Cancelling the waiting task
  ///   does not take the change back.
  @discardableResult
  public func keep<Arguments>(
    _ handler: MutationOutbox.Handler<Arguments>, _ arguments: Arguments, scope: String,
    field: String? = nil
  ) async throws -> String {
    try await keep(
      StoredArguments.encode(arguments), by: handler.name, scope: scope, field: field
    ).key
  }

  /// Keeps a change, unless an earlier attempt of its commit has, as `record` says.
  ///
  /// The row of the earlier attempt is retried if it has failed. A change that was kept before does
  /// not follow a newer one of its field that is pending, but ends with that.
  ///
  /// Changes of one scope are kept one after the other: of two that are kept at the same time, the
  /// second one has to find the first, which it may replace, and both need the same order here and
  /// in the journal.
  func keep(
    _ arguments: String, by handler: String, scope: String, field: String?,
    of record: CommitRecord? = nil
  ) async throws -> Kept {
    let previous = keeping[scope]
    let keeping = Task {
      _ = await previous?.result
      // The changes of earlier processes come first: one of them may be to the same field.
      try await start()
      // Read only now, because an earlier attempt may have been writing its row.
      let earlier = record?.row.flatMap { $0.outbox === self ? $0 : nil }
      if let earlier {
        if let row = state.mutation(earlier.key), row.handler == handler, row.arguments == arguments
        {
          // With the same key, since the receiver may have applied the change.
          if row.failure != nil { try await retry(row.key) }
          // It may have been dismissed meanwhile.
          if let row = state.mutation(row.key), row.failure == nil { return repeated(row.key) }
        }
        if let newer = state.newer(than: earlier, scope, field) { return repeated(newer) }
      }
      let mutation = Entry(
        key: makeKey(), handler: handler, scope: scope, field: field, arguments: arguments)
      try await append(mutation, after: earlier)
      note(mutation.key, in: record)
      return Kept(key: mutation.key, isRepeated: false, delivery: delivery(of: mutation.key))
    }
    self.keeping[scope] = keeping
    defer { if self.keeping[scope] == keeping { self.keeping[scope] = nil } }
    return try await keeping.value
  }

  private func repeated(_ key: String) -> Kept {
    Kept(key: key, isRepeated: true, delivery: delivery(of: key))
  }

  private func append(_ mutation: MutationOutbox.Entry, after earlier: CommitRecord.Row?)
    async throws
  {
    let replaced = state.replaced(by: mutation, after: earlier)
    let left = leftRows
    try await journal.append(mutation, replacing: replaced + left)
    leftRows.subtract(left)
    perform(state.append(mutation, replacing: replaced, after: earlier))
  }

  /// Writes a change to the journal and waits until it was sent.
  ///
  /// Call it in the commit of a ``Mutation``.
  ///
  /// Once the change is in the journal, the mutation is in the phase
  /// ``PendingMutation/Phase/kept``, and the next mutation of its scope can be committed. Retrying
  /// the mutation sends the change again with the same key; dismissing it removes the change from
  /// the journal. Another attempt of the commit, as by ``Mutation/committing(by:)``, finds the
  /// change in the journal and waits for it; a change that was sent meanwhile is kept and sent once
  /// more, with another key. Neither happens while a newer change of its field is pending: it ends
  /// with that. A change that was replaced, or that has failed before an older one was tried again,
  /// gets another key.
  ///
  /// Bound how long one attempt takes in the handler, not the commit: a commit that ends before the
  /// change was sent rolls it back on the screen, while the journal still has it and sends it.
  ///
  /// If a newer change of its field replaces it before it was sent, both end together: they are
  /// confirmed when the newer one was sent, and rolled back if that fails.
  ///
  /// A load cannot tell whether its answer contains the change. So the resource keeps the value
  /// that it has, with the change over it, and loads wait for kept changes as they wait for
  /// commits: they run again when all changes were sent or have failed. So the patch is never
  /// applied to a value that contains the change, and may add to the value.
  ///
  /// If the resource has no value, as after a restart, a loaded value is shown with the changes
  /// over it, and is loaded again when they were sent. It may contain the change, so the patch of a
  /// mutation that calls ``resume(_:)`` has to set what it changes and must not add to it.
  ///
  /// ```swift
  /// sock.mutate(apply: { $0.name = name }) { sock in
  ///   try await outbox.commit(
  ///     rename, Renaming(id: sock.id, name: sock.name), scope: "sock \(sock.id)", field: "name")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - handler: what sends the change.
  ///   - arguments: the arguments for the handler.
  ///   - scope: changes of one scope are sent in order.
  ///   - field: what the change sets, see ``keep(_:_:scope:field:)``.
  /// - Throws: the error of the journal or of the last attempt.
  public func commit<Arguments>(
    _ handler: MutationOutbox.Handler<Arguments>, _ arguments: Arguments, scope: String,
    field: String? = nil
  ) async throws {
    let point = CommitPoint.current
    let kept = try await keep(
      StoredArguments.encode(arguments), by: handler.name, scope: scope, field: field,
      of: point?.record)
    try await delivered(kept, passing: point)
  }

  /// Waits until a change of an earlier process was sent.
  ///
  /// Call it in the commit of a ``Mutation`` that shows the change again.
  ///
  /// The loaded value may contain the change already, if the earlier process ended before it had
  /// recorded the answer. The value is loaded again when the change was sent. Retrying the mutation
  /// sends the change again, unless it was replaced or removed.
  ///
  /// - Throws: the error of the journal or of the last attempt; ``Entry/Failure`` if the change was
  ///   dismissed, if a newer one has replaced it and failed, or if it had failed and a newer one of
  ///   its field was sent.
  public func resume(_ key: String) async throws {
    try await start()
    let point = CommitPoint.current
    if point?.record.row?.key == key { try await retry(key) }
    note(key, in: point?.record)
    let replacement = state.successor(of: key)
    if state.wasDropped(key) || replacement.flatMap(failure(of:)) != nil {
      throw Entry.Failure("This change was removed or replaced. Make it again to send it.")
    }
    try await delivered(repeated(key), passing: point)
  }

  /// Notes that a change is that of a commit.
  func note(_ key: String, in record: CommitRecord?) {
    guard let mutation = state.mutation(key), let origin = state.origin(of: key) else { return }
    record?.note(
      CommitRecord.Row(
        key: key, scope: mutation.scope, field: mutation.field, origin: origin, outbox: self))
  }

  private func delivered(_ kept: Kept, passing point: CommitPoint?) async throws {
    point?.pass(kept.isRepeated)
    let isExact = try await kept.delivery.value().get()
    if !isExact { point?.pass(true) }
  }

  /// Waits until a change was sent; if a newer one of its field replaces it, until that was sent.
  ///
  /// Returns at once if the journal has no change with this key. Cancelling the waiting task does
  /// not take the change back.
  ///
  /// - Throws: the error of the last attempt if the change has failed, or of the journal;
  ///   `CancellationError` when the waiting task is cancelled.
  public func delivered(_ key: String) async throws {
    try await start()
    _ = try await delivery(of: key).value().get()
  }

  /// Returns what is fulfilled when a change, or the one that replaces it, was sent or has failed.
  private func delivery(of key: String) -> Delivery {
    let key = state.mutation(key)?.key ?? state.successor(of: key) ?? key
    if let delivery = deliveries[key]?.first { return delivery }
    let delivery = Delivery()
    if let error = failure(of: key) {
      delivery.fulfil(.failure(error))
    } else if state.mutation(key) == nil {
      delivery.fulfil(.success(true))
    } else {
      deliveries[key] = [delivery]
    }
    return delivery
  }

  // MARK: Failures

  /// Sends a failed mutation again, with the same key and all attempts.
  ///
  /// Does nothing while a newer change of its field is pending: the newer one decides.
  ///
  /// - Throws: the error of the journal; the mutation stays failed then.
  public func retry(_ key: String) async throws {
    guard var mutation = try await beginDeciding(key) else { return }
    defer { endDeciding(mutation.key) }
    guard state.canRetry(mutation.key) else { return }
    mutation.failedAttempts = 0
    mutation.failure = nil
    try await journal.update(mutation.key, to: mutation)
    perform(state.retried(mutation.key, now: mutation))
  }

  /// Removes a failed mutation.
  ///
  /// - Throws: the error of the journal; the mutation stays then.
  public func dismiss(_ key: String) async throws {
    guard let mutation = try await beginDeciding(key) else { return }
    defer { endDeciding(mutation.key) }
    try await journal.remove([mutation.key])
    state.dismissed(mutation.key)
  }

  /// Returns a failed mutation after the decision about it that is being written, if any; nil if it
  /// has not failed then.
  ///
  /// A row that is dismissed while its retry is being written would be sent, but not be in the
  /// journal.
  private func beginDeciding(_ key: String) async throws -> MutationOutbox.Entry? {
    while let mutation = state.mutation(key), mutation.failure != nil {
      guard let earlier = deciding[mutation.key] else {
        deciding[mutation.key] = Promise()
        return mutation
      }
      try await earlier.value()
    }
    return nil
  }

  private func endDeciding(_ key: String) { deciding.removeValue(forKey: key)?.fulfil(()) }

  // MARK: Machinery

  private func perform(_ effects: [OutboxState.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let key): send(key)
      case .wake(let key, let moment): wake(key, at: moment)
      case .settled(let key, let isExact): settle(key, .success(isExact))
      case .gaveUp(let key):
        settle(key, .failure(failure(of: key) ?? MutationOutbox.Entry.Failure("")))
      case .renamed(let key, let other):
        work[key] = nil
        deliveries[other, default: []] += deliveries.removeValue(forKey: key) ?? []
      }
    }
  }

  private func settle(_ key: String, _ result: Result<Bool, any Error>) {
    work[key] = nil
    for delivery in deliveries.removeValue(forKey: key) ?? [] { delivery.fulfil(result) }
  }

  /// Sends a mutation when the gate is open; until then a newer one can replace it.
  private func send(_ key: String) {
    // It may have been replaced while it waited.
    guard state.isDue(key) else { return }
    guard let gate, !gate.isOpen else { return attempt(key) }
    let task = scheduler.task { [weak self, scheduler] in
      guard (try? await gate.untilOpen()) != nil else { return }
      // The gate may be closed again by then.
      scheduler.deliver { self?.send(key) }
    }
    work[key] = OwnedTask(task)
  }

  private func attempt(_ key: String) {
    guard let (mutation, erasing) = state.begin(key) else { return }
    let handler = handlers[mutation.handler]
    let left = leftRows
    let task = scheduler.task {
      [weak self, journal, scheduler, clock, backoff, attemptLimit, makeKey] in
      let start = clock.now
      var outcome = DeliveryOutcome.failed(
        MutationOutbox.Entry.Failure("This version of the program cannot send the change."),
        isFinal: true)
      if let handler { outcome = await handler.attempt(mutation) }
      // The result of a cancelled attempt is ignored: the row is sent again.
      if Task.isCancelled { return }
      let end = clock.now
      var event = OutboxEvent(
        outcome, of: mutation, attemptLimit: attemptLimit, backoff: backoff, now: end,
        makeKey: makeKey)
      let record = LoadingObserver.Record(
        event: event.reported, ticket: nil, at: end, elapsed: start.duration(to: end))
      event.erased = erasing
      event.removed = left
      event.isNoted = await event.note(in: journal, clock: clock, backoff: backoff)
      scheduler.deliver { [event] in
        guard let self else { return }
        self.apply(event)
        scheduler.observer?.note([record], of: ObjectIdentifier(self), name: mutation.handler)
      }
    }
    work[mutation.key] = OwnedTask(task)
  }

  private func apply(_ event: OutboxEvent) {
    let key = event.key
    work[key] = nil
    switch event.kind {
    case .arrived(let isDropped):
      if event.isNoted {
        leftRows.subtract(event.removed)
      } else {
        leftRows.formUnion([key] + event.erased)
      }
      perform(state.arrived(key, isDropped: isDropped, erased: event.erased))
    case .retries(let mutation, let next, _):
      perform(state.attemptFailed(key, now: mutation, next: next))
    case .gaveUp(let mutation, let error):
      perform(state.gaveUp(key, now: mutation, error))
    }
  }

  private func wake(_ key: String, at moment: AnyClock.Instant) {
    let task = scheduler.task { [weak self, clock, scheduler] in
      guard (try? await clock.sleep(until: moment)) != nil else { return }
      scheduler.deliver {
        guard let self else { return }
        self.work[key] = nil
        self.perform(self.state.wake(key))
      }
    }
    work[key] = OwnedTask(task)
  }
}
