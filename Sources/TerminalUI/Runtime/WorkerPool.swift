import CThreads
import Dispatch
public import Loading
import Synchronization

/// Threads for the work beside the main actor, that sleep when there is none, and that the main thread
/// goes before: a key is answered while all of them are busy.
///
/// The pool of the runtime does neither: on Linux it is watched by a timer that, once the pool has been
/// used, wakes the process every second for the rest of its life, and its threads are as important as the
/// main one. Those of dispatch queues are shared with everybody else's queues.
///
/// Work that may take long, such as reading what comes from outside, gets a pool of its own, so that
/// short work never waits for it. A pool stays for as long as the program runs.
public final class WorkerPool: TaskExecutor {
  static let shared = WorkerPool(width: 4)

  private struct Work {
    /// What no thread has taken yet, oldest first.
    var waiting: [UnownedJob] = []
    /// How many threads have nothing to do.
    var idle = 0
    var threads = 0
  }

  private let width: Int
  private let work = Mutex(Work())
  /// Signalled once for each job.
  private let jobs = DispatchSemaphore(value: 0)

  /// As many jobs run at the same time as the pool is wide, at least one.
  public init(width: Int) {
    self.width = max(1, width)
  }

  /// Runs a job as soon as a thread is free; those that wait are run in their order.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = work.withLock { work in
      work.waiting.append(job)
      guard work.idle < work.waiting.count, work.threads < width else { return false }
      work.threads += 1
      work.idle += 1
      return true
    }
    if needsThread { startThread() }
    jobs.signal()
  }

  private func startThread() {
    let context = Unmanaged.passRetained(self)
    let failure = thread_start(
      { context in
        Unmanaged<WorkerPool>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard failure != 0 else { return }
    context.release()
    let isOnlyOne = work.withLock { work in
      work.threads -= 1
      work.idle -= 1
      return work.threads == 0
    }
    // Nothing would ever come back.
    if isOnlyOne { fatalError("There is no thread for work beside the main actor: \(failure).") }
  }

  private func run() {
    while true {
      jobs.wait()
      let job = work.withLock { work in
        work.idle -= 1
        return work.waiting.removeFirst()
      }
      thread_give_way()
      job.runSynchronously(on: asUnownedTaskExecutor())
      work.withLock { $0.idle += 1 }
    }
  }
}

extension TerminalApp {
  /// What a program's work beside the main actor should run on, for
  /// `withTaskExecutorPreference(_:)` around its `main`: as long as nothing uses the runtime's own
  /// pool, an idle program wakes for nothing.
  ///
  /// Once this was asked for, that work gives way to the main thread.
  public nonisolated static var workers: any TaskExecutor {
    threads_put_main_first()
    return WorkerPool.shared
  }
}

extension LoadScheduler {
  /// Where a program on a terminal loads: beside the main actor, on threads that cost nothing
  /// while nothing is loaded.
  public static let terminal = LoadScheduler(
    executor: WorkerPool.shared, deliver: { body in Task { @MainActor in body() } })
}
