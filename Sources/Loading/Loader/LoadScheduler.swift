/// Where loads run, and how their progress and values reach the main actor.
///
/// Resources of one scheduler share the named scopes of their mutations, and the tags by which they
/// are invalidated.
///
/// A program uses ``concurrent``. A test uses the scheduler of a `ManualRuntime`, which runs loads
/// only when the test says so.
public struct LoadScheduler: Sendable {
  /// One reference instead of many fields: every resource and every load has a scheduler.
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

  /// Creates a scheduler.
  ///
  /// - Parameters:
  ///   - executor: where loads and commits run; nil for the global concurrent executor.
  ///   - deliver: runs a closure on the main actor, later, in the order of the calls; nil for the
  ///     main actor's own queue.
  ///   - countTasks: called with 1 when a task is created and with -1 when it has ended, so that a
  ///     test can check that none is left.
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

  /// Returns the same scheduler with an observer of all resources that are created with it.
  public func observed(by observer: LoadingObserver) -> LoadScheduler {
    LoadScheduler(self, observer: observer, refreshGates: refreshGates)
  }

  /// Returns the same scheduler, which does not load anything again automatically while `gate` is
  /// closed, for example while the user looks at another window.
  ///
  /// A load by ``Refreshing`` that is due meanwhile starts in the phase
  /// ``LoadActivity/Phase/paused(reason:)`` with the gate's reason, and continues when the gate
  /// opens. First loads and loads by the user do not wait. When the gate opens, stale values on the
  /// screen are loaded again, see ``Refreshing/staleAfter``.
  ///
  /// Call it again to add another gate: all of them have to be open.
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

  /// Runs loads on the global concurrent executor and delivers through the main actor's queue.
  public static let concurrent = LoadScheduler(executor: nil)

  /// The order of the mutations in scopes that resources share.
  var turns: MutationTurns { functions.turns }

  var invalidations: Invalidations { functions.invalidations }

  var observer: LoadingObserver? { functions.observer }

  /// The gates that loads by ``Refreshing`` wait for.
  var refreshGates: [LoadGate] { functions.refreshGates }

  /// Runs a closure on the main actor, later, in the order of the calls.
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
    // An executor preference has a cost at each suspension, even if it is nil.
    guard let executor = functions.executor else { return Task(operation: counted) }
    return Task(executorPreference: executor, operation: counted)
  }

  /// Starts a task that runs a load.
  func start(_ load: LoadRun) -> Task<Void, Never> {
    guard functions.executor == nil, functions.deliver == nil else {
      return task { [self] in
        let end = await load.run()
        deliver { load.close(end) }
      }
    }
    // The task itself goes to the main actor: another one for the delivery would cost more.
    functions.countTasks?(1)
    // It captures only the load, which is no allocation more.
    return Task { await Self.finish(load, await load.run()) }
  }

  @MainActor
  private static func finish(_ load: LoadRun, _ end: ResourceEvent) async {
    load.close(end)
    load.scheduler.functions.countTasks?(-1)
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
