import Loading

/// A serial executor that runs nothing by itself: loads and their deliveries wait in one queue
/// until the test runs them, on the main actor and in order.
public final class ManualExecutor: TaskExecutor {
  private enum Item: Sendable {
    case job(UnownedJob)
    case delivery(@MainActor @Sendable () -> Void)
  }

  private let queue = Lock<[Item]>([])
  private let tasks = Lock(0)

  /// Creates an executor with an empty queue.
  public init() {}

  /// A scheduler for resources and pools; each use creates a new one.
  public var scheduler: LoadScheduler {
    LoadScheduler(
      executor: self,
      deliver: { body in self.queue.withLock { queue in queue.append(.delivery(body)) } },
      countTasks: { change in self.tasks.withLock { tasks in tasks += change } })
  }

  /// The number of tasks of loads, commits and waits that have not ended.
  public var taskCount: Int { tasks.withLock { $0 } }

  /// Adds a job to the queue; called by the Swift runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { queue in queue.append(.job(job)) }
  }

  /// Whether the queue is empty.
  public var isIdle: Bool { queue.withLock { $0.isEmpty } }

  /// Runs the queue, including everything that is added meanwhile, until it is empty.
  @MainActor public func run() {
    while true {
      let items = queue.withLock { queue in
        defer { queue = [] }
        return queue
      }
      guard !items.isEmpty else { return }
      for item in items {
        switch item {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .delivery(let body): body()
        }
      }
    }
  }
}
