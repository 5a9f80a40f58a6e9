/// Where loads run, and how their progress and values reach the main actor.
///
/// Resources with one scheduler share the scopes of their mutations that have a name, and the tags by
/// which they are invalidated.
///
/// A program uses ``concurrent``. A test uses the scheduler of its serial executor, on which a load
/// goes on only when the test says so.
public struct LoadScheduler: Sendable {
  /// One reference instead of three fields: every resource and every load has a scheduler.
  private final class Functions: Sendable {
    let executor: (any TaskExecutor)?
    let deliver: (@Sendable (@escaping @MainActor @Sendable () -> Void) -> Void)?
    let countTasks: (@Sendable (_ change: Int) -> Void)?
    let turns: MutationTurns
    let invalidations: Invalidations
    let observer: LoadingObserver?
    let refreshGates: [LoadGate]

    init(
      executor: (any TaskExecutor)?,
      deliver: (@Sendable (@escaping @MainActor @Sendable () -> Void) -> Void)?,
      countTasks: (@Sendable (_ change: Int) -> Void)?, turns: MutationTurns,
      invalidations: Invalidations,
      observer: LoadingObserver?, refreshGates: [LoadGate]
    ) {
      self.turns = turns
      self.invalidations = invalidations
      self.observer = observer
      self.refreshGates = refreshGates
      self.executor = executor
      self.deliver = deliver
      self.countTasks = countTasks
    }
  }

  private let functions: Functions

  /// - Parameters:
  ///   - executor: where loads and commits run; nil for the concurrent pool.
  ///   - deliver: runs a closure on the main actor, later, in the order given; nil for the main
  ///     actor's own queue.
  ///   - countTasks: called with 1 when a task is made and with -1 when it has ended, so that a
  ///     test can see that none is left.
  public init(
    executor: (any TaskExecutor)?,
    deliver: (@Sendable (@escaping @MainActor @Sendable () -> Void) -> Void)? = nil,
    countTasks: (@Sendable (_ change: Int) -> Void)? = nil
  ) {
    functions = Functions(
      executor: executor, deliver: deliver, countTasks: countTasks, turns: MutationTurns(),
      invalidations: Invalidations(), observer: nil, refreshGates: [])
  }

  private init(_ other: LoadScheduler, observer: LoadingObserver?, refreshGates: [LoadGate]) {
    functions = Functions(
      executor: other.functions.executor, deliver: other.functions.deliver,
      countTasks: other.functions.countTasks, turns: other.turns,
      invalidations: other.invalidations, observer: observer, refreshGates: refreshGates)
  }

  /// The same scheduler, with an observer of the resources that are made with it.
  public func observed(by observer: LoadingObserver) -> LoadScheduler {
    LoadScheduler(self, observer: observer, refreshGates: refreshGates)
  }

  /// The same scheduler, on which nothing is loaded again by itself while `gate` is closed, as while
  /// the user looks at another window.
  ///
  /// A load by ``Refreshing`` that is due then begins in the phase ``LoadActivity/Phase/paused(reason:)``, with
  /// the reason of the gate, and goes on by itself when the gate opens. First loads, and what the user
  /// asks for, are not held back. When the gate opens, a value on the screen that has gone stale is loaded
  /// again, see ``Refreshing/staleAfter``.
  ///
  /// Called again with another gate, it adds that one: both have to be open.
  ///
  /// ```swift
  /// let focus = LoadGate("unfocused")
  /// let scheduler = LoadScheduler.concurrent.refreshing(whileOpen: focus)
  /// let prices = Resource(
  ///   loader, refreshing: Refreshing(interval: .seconds(10)), scheduler: scheduler)
  /// ```
  public func refreshing(whileOpen gate: LoadGate) -> LoadScheduler {
    LoadScheduler(self, observer: observer, refreshGates: refreshGates + [gate])
  }

  /// Loads run on the concurrent pool and deliver through the main actor's queue.
  public static let concurrent = LoadScheduler(executor: nil)

  /// The order of the mutations of scopes that resources share.
  var turns: MutationTurns { functions.turns }

  /// What was invalidated by tag.
  var invalidations: Invalidations { functions.invalidations }

  /// What sees everything that happens to the resources that are made with it.
  var observer: LoadingObserver? { functions.observer }

  /// The gates that loads by ``Refreshing`` wait for.
  var refreshGates: [LoadGate] { functions.refreshGates }

  /// Runs a closure on the main actor, later, in the order given.
  func deliver(_ body: @escaping @MainActor @Sendable () -> Void) {
    if let deliver = functions.deliver { deliver(body) } else { Task { @MainActor in body() } }
  }

  /// Starts a task where loads run.
  func task(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    functions.countTasks?(1)
    let counted: @Sendable () async -> Void = { [functions] in
      await operation()
      functions.countTasks?(-1)
    }
    // A preference costs something at every switch of the task, also for no executor.
    guard let executor = functions.executor else { return Task(operation: counted) }
    return Task(executorPreference: executor, operation: counted)
  }

  /// Starts a task where loads run, and delivers its outcome on the main actor.
  func task<Outcome: Sendable>(
    _ operation: @escaping @Sendable () async -> Outcome,
    then deliver: @escaping @MainActor @Sendable (Outcome) -> Void
  ) -> Task<Void, Never> {
    guard functions.executor == nil, functions.deliver == nil else {
      return task { [self] in
        let outcome = await operation()
        self.deliver { deliver(outcome) }
      }
    }
    // One task, which ends on the main actor: a second one for the delivery would cost more.
    functions.countTasks?(1)
    return Task { [self] in await end(with: await operation(), deliver) }
  }

  @MainActor
  private func end<Outcome: Sendable>(
    with outcome: Outcome, _ deliver: @MainActor @Sendable (Outcome) -> Void
  ) async {
    deliver(outcome)
    functions.countTasks?(-1)
  }
}

/// A task that is cancelled when the last reference to it is released.
final class OwnedTask: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) {
    self.task = task
  }

  deinit {
    task.cancel()
  }
}
