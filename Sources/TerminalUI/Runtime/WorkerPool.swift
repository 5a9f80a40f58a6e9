import Dispatch
public import Loading
import Synchronization

/// Threads for the work beside the main actor, that sleep when there is none.
///
/// The pool of the runtime does not: on Linux it is watched by a timer that, once the pool has been
/// used, wakes the process every second for the rest of its life. Serial queues have threads that
/// nobody watches.
final class WorkerPool: TaskExecutor {
  static let shared = WorkerPool(width: 4)

  private let queues: [DispatchQueue]
  private let loads: Mutex<[Int]>

  /// As many jobs run at the same time as the pool is wide.
  init(width: Int) {
    queues = (0..<width).map { DispatchQueue(label: "worker \($0)", qos: .userInitiated) }
    loads = Mutex(Array(repeating: 0, count: width))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let index = loads.withLock { loads in
      let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[index] += 1
      return index
    }
    queues[index].async { [self] in
      Self.lowerPriority()
      job.runSynchronously(on: asUnownedTaskExecutor())
      loads.withLock { $0[index] -= 1 }
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
