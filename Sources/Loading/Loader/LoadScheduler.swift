/// Where loads run, and how their progress and values reach the main actor.
///
/// Resources with one scheduler share the scopes of their mutations that have a name.
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
    let observer: LoadingObserver?

    init(
      executor: (any TaskExecutor)?,
      deliver: (@Sendable (@escaping @MainActor @Sendable () -> Void) -> Void)?,
      countTasks: (@Sendable (_ change: Int) -> Void)?, turns: MutationTurns,
      observer: LoadingObserver?
    ) {
      self.turns = turns
      self.observer = observer
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
      observer: nil)
  }

  init(_ other: LoadScheduler, observer: LoadingObserver) {
    functions = Functions(
      executor: other.functions.executor, deliver: other.functions.deliver,
      countTasks: other.functions.countTasks, turns: other.turns, observer: observer)
  }

  /// Loads run on the concurrent pool and deliver through the main actor's queue.
  public static let concurrent = LoadScheduler(executor: nil)

  /// The order of the mutations of scopes that resources share.
  var turns: MutationTurns { functions.turns }

  /// What sees everything that happens to the resources that are made with it.
  var observer: LoadingObserver? { functions.observer }

  /// Runs a closure on the main actor, later, in the order given.
  func deliver(_ body: @escaping @MainActor @Sendable () -> Void) {
    if let deliver = functions.deliver { deliver(body) } else { Task { @MainActor in body() } }
  }

  /// Starts a task where loads run.
  func task(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    start { [functions] in
      await operation()
      functions.countTasks?(-1)
    }
  }

  /// Starts a task where loads run, and delivers its outcome on the main actor.
  func task<Outcome: Sendable>(
    _ operation: @escaping @Sendable () async -> Outcome,
    then deliver: @escaping @MainActor @Sendable (Outcome) -> Void
  ) -> Task<Void, Never> {
    if functions.deliver != nil {
      return task { [self] in
        let outcome = await operation()
        self.deliver { deliver(outcome) }
      }
    }
    // A task of the main actor: a second task for the delivery would cost more.
    let whole: @MainActor @Sendable () async -> Void = { [functions] in
      deliver(await operation())
      functions.countTasks?(-1)
    }
    return start(whole)
  }

  private func start(
    _ operation: @escaping @isolated(any) @Sendable () async -> Void
  ) -> Task<Void, Never> {
    functions.countTasks?(1)
    // A preference costs something at every switch of the task, also for no executor.
    guard let executor = functions.executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
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
