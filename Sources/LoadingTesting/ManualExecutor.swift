import Loading

/// A serial executor that runs nothing by itself: loads and their deliveries wait in one queue
/// until the test runs them, on the main actor and in the order in which they came.
public final class ManualExecutor: TaskExecutor {
  private enum Item: Sendable {
    case job(UnownedJob)
    case delivery(@MainActor @Sendable () -> Void)
  }

  private let queue = Lock<[Item]>([])
  private let tasks = Lock(0)

  /// An executor with nothing to do.
  public init() {}

  /// A scheduler to give to resources, pools and pages; each is one of its own.
  public var scheduler: LoadScheduler {
    LoadScheduler(
      executor: self,
      deliver: { body in self.queue.withLock { queue in queue.append(.delivery(body)) } },
      countTasks: { change in self.tasks.withLock { tasks in tasks += change } })
  }

  /// How many tasks of loads, commits and waits have not ended.
  public var taskCount: Int { tasks.withLock { $0 } }

  /// Puts a job in the queue; called by the runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { queue in queue.append(.job(job)) }
  }

  /// Whether nothing waits to be run.
  public var isIdle: Bool { queue.withLock { $0.isEmpty } }

  /// Runs everything that waits, and what that brings about, until nothing waits.
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
