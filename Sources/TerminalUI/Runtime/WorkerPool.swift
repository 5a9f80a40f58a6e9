import Dispatch
public import Loading
import Synchronization

/// Threads for the work beside the main actor, that sleep when there is none.
///
/// The pool of the runtime does not: on Linux it is watched by a timer that, once the pool has been
/// used, wakes the process every second for the rest of its life. Serial queues have threads that
/// nobody watches.
///
/// Work that may take long, such as reading what comes from outside, gets a pool of its own, so that
/// short work never waits for it.
public final class WorkerPool: TaskExecutor {
  static let shared = WorkerPool(width: 4)

  private struct Work {
    /// The queues that have nothing to do.
    var idle: [Int]
    /// What no queue has taken yet, oldest first.
    var waiting: [UnownedJob] = []
  }

  private let queues: [DispatchQueue]
  private let work: Mutex<Work>

  /// As many jobs run at the same time as the pool is wide.
  public init(width: Int) {
    queues = (0..<width).map { DispatchQueue(label: "worker \($0)", qos: .userInitiated) }
    work = Mutex(Work(idle: Array((0..<width).reversed())))
  }

  /// Runs a job as soon as a thread is free; those that wait are run in their order.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A job is given to no thread that is busy: the one before it may take very long.
    let free = work.withLock { work in
      let free = work.idle.popLast()
      if free == nil { work.waiting.append(job) }
      return free
    }
    guard let free else { return }
    queues[free].async { [self] in run(job, on: free) }
  }

  private func run(_ first: UnownedJob, on queue: Int) {
    Self.lowerPriority()
    var next: UnownedJob? = first
    while let job = next {
      job.runSynchronously(on: asUnownedTaskExecutor())
      next = work.withLock { work in
        guard !work.waiting.isEmpty else {
          work.idle.append(queue)
          return nil
        }
        return work.waiting.removeFirst()
      }
    }
  }
}

extension TerminalApp {
  /// What a program's work beside the main actor should run on, for
  /// `withTaskExecutorPreference(_:)` around its `main`: as long as nothing uses the runtime's own
  /// pool, an idle program wakes for nothing.
  public nonisolated static var workers: any TaskExecutor { WorkerPool.shared }
}

extension LoadScheduler {
  /// Where a program on a terminal loads: beside the main actor, on threads that cost nothing
  /// while nothing is loaded.
  public static let terminal = LoadScheduler(
    executor: WorkerPool.shared, deliver: { body in Task { @MainActor in body() } })
}
