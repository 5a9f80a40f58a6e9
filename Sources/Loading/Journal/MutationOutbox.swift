import Observation

/// Sends the mutations of a ``MutationJournal``, also those that an earlier process has left: in order
/// within a scope, with backoff, each until it has arrived or its attempts are used up.
///
/// A change counts as made when ``keep(_:_:scope:field:)`` returns: from then on it survives the
/// process. ``commit(_:_:scope:field:)`` is for the commit of a change of a ``Resource``, which then shows
/// it until it has arrived.
///
/// ```swift
/// let outbox = MutationOutbox(journal, handlers: rename, remove)
/// try await outbox.start()
/// try await outbox.keep(rename, Renaming(id: id, name: "Left"), scope: "sock \(id)")
/// ```
///
/// Each attempt has the key of its mutation, so what arrives is applied once by a receiver that
/// remembers keys, also when an answer was lost, came late, or the process was killed before it had
/// noted the answer.
@MainActor
@Observable
public final class MutationOutbox {
  /// The clock that its waits are on.
  @ObservationIgnored public let clock: AnyClock

  private var state = OutboxState()
  /// Whether the mutations of earlier processes are known.
  public private(set) var isStarted = false

  @ObservationIgnored private let journal: any MutationJournal
  @ObservationIgnored private let handlers: [String: AnyMutationHandler]
  @ObservationIgnored private let attemptLimit: Int
  @ObservationIgnored private let backoff: Backoff
  @ObservationIgnored private let gate: LoadGate?
  @ObservationIgnored private let scheduler: LoadScheduler
  @ObservationIgnored private let makeKey: @Sendable () -> String
  @ObservationIgnored private var work: [String: OwnedTask] = [:]
  /// The last error of each mutation that was given up by this process.
  @ObservationIgnored private var errors: [String: any Error] = [:]
  /// The rows of mutations that have arrived and that could not be removed yet.
  @ObservationIgnored private var leftRows: Set<String> = []
  /// Given when the mutation has arrived or was given up.
  @ObservationIgnored private var deliveries: [String: Promise<Result<Void, any Error>>] = [:]

  /// - Parameters:
  ///   - journal: where mutations are kept.
  ///   - handlers: what sends them; a mutation of another handler stays in the journal, and has failed.
  ///   - attempts: how many attempts are made before a mutation has failed, also across restarts.
  ///   - backoff: how long to wait between them; an error's ``RetryAdvice`` comes first.
  ///   - gate: holds back what is to be sent while it is closed.
  ///   - clock: the clock for every wait.
  ///   - scheduler: where handlers run.
  ///   - makeKey: makes the idempotency keys, which are never to repeat; by default UUIDs.
  public init<each Arguments>(
    _ journal: any MutationJournal, handlers: repeat MutationOutbox.Handler<each Arguments>,
    attempts: Int = 8, backoff: Backoff = Backoff(maximum: .seconds(300)), gate: LoadGate? = nil,
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

  /// What is to be sent, in the order in which it was kept.
  public var pending: [MutationOutbox.Entry] { state.pending }

  /// What was given up, in the order in which it was kept: the user has to see it, and can have it
  /// tried again or dismiss it.
  public var failed: [MutationOutbox.Entry] { state.failed }

  /// Why a mutation was given up; nil for one that was not.
  public func failure(of key: String) -> (any Error)? {
    errors[key] ?? state.mutation(key)?.failure.map { MutationOutbox.Entry.Failure($0) }
  }

  // MARK: Sending

  /// Reads what earlier processes have left, and begins to send it.
  ///
  /// To be called once, before anything is kept; where reading fails it may be called again.
  public func start() async throws {
    guard !isStarted else { return }
    let mutations = try await journal.mutations()
    guard !isStarted else { return }
    isStarted = true
    perform(state.open(mutations))
  }

  /// Keeps a change and begins to send it; returns its key when it is kept.
  ///
  /// - Parameters:
  ///   - handler: what sends it.
  ///   - arguments: what the handler is given.
  ///   - scope: what it is ordered by.
  ///   - field: what it sets: a change of the same scope and field that was not sent yet is replaced,
  ///     and one that has failed is forgotten when this one has arrived.
  /// - Throws: the error of the journal; then nothing was kept.
  @discardableResult
  public func keep<Arguments>(
    _ handler: MutationOutbox.Handler<Arguments>, _ arguments: Arguments, scope: String,
    field: String? = nil
  ) async throws -> String {
    try await keep(
      StoredArguments.encode(arguments), by: handler.name, scope: scope, field: field)
  }

  /// Keeps a change, or tries the one with `failedKey` again, if that has failed and is the same change.
  func keep(
    _ arguments: String, by handler: String, scope: String, field: String?,
    after failedKey: String? = nil
  ) async throws -> String {
    let failed = failedKey.flatMap(state.mutation).flatMap { $0.failure == nil ? nil : $0 }
    if let failed, failed.arguments == arguments {
      // With its key: it may have arrived all the same.
      try await retry(failed.key)
      return failed.key
    }
    let mutation = MutationOutbox.Entry(
      key: makeKey(), handler: handler, scope: scope, field: field, arguments: arguments)
    let replaced = state.replaced(by: mutation) + (failed.map { [$0.key] } ?? [])
    let left = leftRows
    try await journal.append(mutation, replacing: replaced + left)
    leftRows.subtract(left)
    perform(state.append(mutation, replacing: replaced))
    return mutation.key
  }

  /// Keeps a change and waits until it has arrived: what the commit of a ``Mutation`` calls.
  ///
  /// As soon as it is kept, the mutation is in the phase ``PendingMutation/Phase/kept``, and the next of
  /// its scope may be committed. A retry of it goes on with the same key, and dismissing it removes it from
  /// the journal.
  ///
  /// A load cannot tell whether what it was answered has the change already. So a value that is there stays,
  /// with the change over it, and a load waits for kept changes as it waits for commits: when all have
  /// arrived, or have failed, it is run again. The change is never applied to a value that has it, also when
  /// it adds to what is there.
  ///
  /// Where nothing is there yet, what is loaded is shown with the changes over it, and is loaded again when
  /// they have arrived. That is so after a restart, so a change that is shown again by ``resume(_:)`` has to
  /// set what it changes, and not to add to it.
  ///
  /// ```swift
  /// sock.mutate(apply: { $0.name = name }) { sock in
  ///   try await outbox.commit(
  ///     rename, Renaming(id: sock.id, name: sock.name), scope: "sock \(sock.id)", field: "name")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - handler: what sends it.
  ///   - arguments: what the handler is given.
  ///   - scope: what it is ordered by.
  ///   - field: what it sets.
  /// - Throws: the error of the journal, or that of the last attempt.
  public func commit<Arguments>(
    _ handler: MutationOutbox.Handler<Arguments>, _ arguments: Arguments, scope: String,
    field: String? = nil
  ) async throws {
    let point = CommitPoint.current
    let earlier = point?.record.key
    let key = try await keep(
      StoredArguments.encode(arguments), by: handler.name, scope: scope, field: field,
      after: earlier)
    try await delivered(key, passing: point, isRepeated: key == earlier)
  }

  /// Waits until a change of an earlier process has arrived: what the commit of a ``Mutation`` calls that
  /// shows it again.
  ///
  /// The value may have the change already, if the process ended before it had noted the answer. It is loaded
  /// again when the change has arrived. A retry of that mutation sends the change again.
  public func resume(_ key: String) async throws {
    let point = CommitPoint.current
    if point?.record.key == key { try await retry(key) }
    try await delivered(key, passing: point, isRepeated: true)
  }

  private func delivered(
    _ key: String, passing point: CommitPoint?, isRepeated: Bool
  ) async throws {
    point?.record.note(key) { [weak self] in try? await self?.dismiss(key) }
    point?.pass(isRepeated)
    try await delivered(key)
  }

  /// Waits until a change has arrived or a newer one of its field has taken its place.
  ///
  /// - Throws: the error of the last attempt, when no more are made.
  ///
  /// Cancelling the waiting task does not take the change back.
  public func delivered(_ key: String) async throws {
    if let error = failure(of: key) { throw error }
    guard state.mutation(key) != nil else { return }
    let delivery = deliveries[key] ?? Promise()
    deliveries[key] = delivery
    try await delivery.value().get()
  }

  // MARK: Failures

  /// Sends a mutation that was given up again, with the same key and all attempts.
  ///
  /// Nothing happens while a newer change of its field is to be sent: that one decides.
  public func retry(_ key: String) async throws {
    guard state.canRetry(key), var mutation = state.mutation(key) else { return }
    mutation.failedAttempts = 0
    mutation.failure = nil
    try await journal.update(key, to: mutation)
    errors[key] = nil
    perform(state.retried(key, now: mutation))
  }

  /// Forgets a mutation that was given up.
  public func dismiss(_ key: String) async throws {
    guard state.mutation(key)?.failure != nil else { return }
    try await journal.remove([key])
    errors[key] = nil
    state.dismissed(key)
  }

  // MARK: Machinery

  private func perform(_ effects: [OutboxState.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let mutation, let erasing): send(mutation, erasing: erasing)
      case .wake(let key, let moment): wake(key, at: moment)
      case .settled(let key): settle(key, .success(()))
      case .gaveUp(let key):
        settle(key, .failure(failure(of: key) ?? MutationOutbox.Entry.Failure("")))
      case .renamed(let key, let other): deliveries[other] = deliveries.removeValue(forKey: key)
      }
    }
  }

  private func settle(_ key: String, _ result: Result<Void, any Error>) {
    work[key] = nil
    deliveries.removeValue(forKey: key)?.fulfil(result)
  }

  private func send(_ mutation: MutationOutbox.Entry, erasing: [String]) {
    let handler = handlers[mutation.handler]
    let left = leftRows
    let task = scheduler.task { [journal, gate, clock, backoff, attemptLimit, makeKey] in
      if let gate, (try? await gate.untilOpen()) == nil { return nil }
      var outcome = DeliveryOutcome.failed(
        MutationOutbox.Entry.Failure("This version of the program cannot send it."), isFinal: true)
      if let handler { outcome = await handler.attempt(mutation) }
      // What was cut short is as if it was not begun: the row is sent again.
      if Task.isCancelled { return nil }
      var event = OutboxEvent(
        outcome, of: mutation, attemptLimit: attemptLimit, backoff: backoff, now: clock.now,
        makeKey: makeKey)
      event.erased = erasing
      event.removed = left
      event.isNoted = await event.note(in: journal, clock: clock, backoff: backoff)
      return event
    } then: { [weak self] (event: OutboxEvent?) in
      if let event { self?.apply(event) }
    }
    work[mutation.key] = OwnedTask(task)
  }

  private func apply(_ event: OutboxEvent) {
    let key = event.key
    work[key] = nil
    switch event.kind {
    case .arrived:
      if event.isNoted {
        leftRows.subtract(event.removed)
      } else {
        leftRows.formUnion([key] + event.erased)
      }
      perform(state.arrived(key, erased: event.erased))
    case .retries(let mutation, let next):
      perform(state.attemptFailed(key, now: mutation, next: next))
    case .gaveUp(let mutation, let error):
      errors[key] = error
      perform(state.gaveUp(key, now: mutation))
      if state.mutation(key) == nil { errors[key] = nil }
    }
  }

  private func wake(_ key: String, at moment: AnyClock.Instant) {
    let task = scheduler.task { [clock] in
      (try? await clock.sleep(until: moment)) != nil
    } then: { [weak self] isOver in
      guard isOver, let self else { return }
      work[key] = nil
      perform(state.wake(key))
    }
    work[key] = OwnedTask(task)
  }
}

/// What follows from an attempt, which is written into the journal before it is told to anyone.
private struct OutboxEvent: Sendable {
  enum Kind: Sendable {
    case arrived
    case retries(MutationOutbox.Entry, next: AnyClock.Instant)
    case gaveUp(MutationOutbox.Entry, any Error)
  }

  let key: String
  let kind: Kind
  /// The failed mutations that are erased with one that has arrived.
  var erased: [String] = []
  /// The rows that were left over before and are removed with it.
  var removed: Set<String> = []
  /// Whether the journal knows it.
  var isNoted = true

  init(
    _ outcome: DeliveryOutcome, of mutation: MutationOutbox.Entry, attemptLimit: Int,
    backoff: Backoff, now: AnyClock.Instant, makeKey: () -> String
  ) {
    key = mutation.key
    var next = mutation
    next.failedAttempts += 1
    switch outcome {
    case .arrived:
      kind = .arrived
    case .failed(let error, let isFinal) where isFinal || next.failedAttempts >= attemptLimit:
      next.failure = "\(error)"
      kind = .gaveUp(next, error)
    case .conflicted(_, let error) where next.failedAttempts >= attemptLimit:
      next.failure = "\(error)"
      kind = .gaveUp(next, error)
    case .failed(let error, _):
      let delay = (error as? any RetryAdvice)?.retryAfter ?? backoff.delay(next.failedAttempts)
      kind = .retries(next, next: now.advanced(by: max(.zero, delay)))
    case .conflicted(let arguments, _):
      next = MutationOutbox.Entry(
        key: makeKey(), handler: next.handler, scope: next.scope, field: next.field,
        arguments: arguments, failedAttempts: next.failedAttempts)
      kind = .retries(next, next: now)
    }
  }

  /// Writes it into the journal; false when that could not be done.
  ///
  /// A journal that cannot be written, because its file is locked or the disk is full, must not keep a
  /// change from the user that has arrived: its row is removed later, or sent again by the next process,
  /// with its key. Only a change that is made again under another key has to be written before it is sent,
  /// as often as it takes.
  func note(in journal: any MutationJournal, clock: AnyClock, backoff: Backoff) async -> Bool {
    var attempt = 1
    while true {
      do {
        switch kind {
        case .arrived: try await journal.remove([key] + erased + removed)
        case .retries(let mutation, _), .gaveUp(let mutation, _):
          try await journal.update(key, to: mutation)
        }
        return true
      } catch {
        guard case .retries(let mutation, _) = kind, mutation.key != key else { return false }
        let next = clock.now.advanced(by: max(.milliseconds(10), backoff.delay(attempt)))
        guard (try? await clock.sleep(until: next)) != nil else { return false }
        attempt += 1
      }
    }
  }
}
