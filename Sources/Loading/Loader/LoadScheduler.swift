/// Where loads run, and how what they tell gets to the main actor.
///
/// A program uses ``concurrent``; a test uses the one of its serial executor, so that nothing
/// happens but what the test lets happen.
public struct LoadScheduler: Sendable {
  /// One reference instead of three fields: every resource and every load has a scheduler.
  private final class Functions: Sendable {
    let executor: (any TaskExecutor)?
    let deliver: (@Sendable (@escaping @MainActor @Sendable () -> Void) -> Void)?
    let countTasks: (@Sendable (_ change: Int) -> Void)?

    init(
      executor: (any TaskExecutor)?,
      deliver: (@Sendable (@escaping @MainActor @Sendable () -> Void) -> Void)?,
      countTasks: (@Sendable (_ change: Int) -> Void)?
    ) {
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
    functions = Functions(executor: executor, deliver: deliver, countTasks: countTasks)
  }

  /// Loads run on the concurrent pool and deliver through the main actor's queue.
  public static let concurrent = LoadScheduler(executor: nil)

  /// Runs a closure on the main actor, later, in the order given.
  func deliver(_ body: @escaping @MainActor @Sendable () -> Void) {
    if let deliver = functions.deliver { deliver(body) } else { Task { @MainActor in body() } }
  }

  /// The same, as the last thing that a task does: it goes there itself, which spares a task.
  func deliverLast(_ body: @escaping @MainActor @Sendable () -> Void) async {
    if let deliver = functions.deliver { deliver(body) } else { await body() }
  }

  /// Starts a task where loads run.
  func task(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    guard let countTasks = functions.countTasks else {
      return Task(executorPreference: functions.executor, operation: operation)
    }
    countTasks(1)
    return Task(executorPreference: functions.executor) {
      await operation()
      countTasks(-1)
    }
  }
}

/// A task that is cancelled when nobody holds it any more.
final class OwnedTask: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) {
    self.task = task
  }

  deinit {
    task.cancel()
  }
}
