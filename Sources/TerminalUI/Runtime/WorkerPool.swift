import CThreads
import Dispatch
public import Loading
import Synchronization
import Terminal

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Threads for work off the main actor, which sleep while there is none.
///
/// While the program is on the screen, the main thread has priority over them, so that a key is
/// answered even while all of them are busy.
///
/// The runtime's thread pool does neither. On Linux, once it has been used, a timer wakes the
/// process every second for the rest of its life, and its threads have the same priority as the
/// main thread. The threads of dispatch queues are shared with all other queues.
///
/// Work that may take long, such as reading files or responses, gets a pool of its own, so that
/// short work never waits for it. The threads of a pool live as long as the program.
public final class WorkerPool: TaskExecutor {
  static let shared = WorkerPool(width: max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  private struct Work {
    /// The jobs that no thread has taken yet, oldest first.
    var waiting = Queue<UnownedJob>()
    /// The number of idle threads.
    var idle = 0
    var threads = 0
  }

  private let width: Int
  private let work = Mutex(Work())
  /// Signalled once for each job.
  private let jobs = DispatchSemaphore(value: 0)

  /// Creates a pool that runs up to `width` jobs at the same time, at least one.
  public init(width: Int) {
    self.width = max(1, width)
  }

  /// Runs a job as soon as a thread is free; waiting jobs run in order.
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
    // Without any thread, no job would ever run.
    if isOnlyOne { fatalError("No thread for work off the main actor could start: \(failure).") }
  }

  private func run() {
    prepareThreadForFaults()
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
  /// The executor for a program's work off the main actor.
  ///
  /// Reading it has everything that the runtime would run on its own thread pool run on these
  /// threads: as long as nothing uses that pool, an idle program never wakes.
  /// ``run(environment:finish:_:)`` does this when it starts. A program that works before that, or runs an app
  /// by ``run()``, uses it in `withTaskExecutorPreference(_:)` around its `main`.
  public nonisolated static var workers: any TaskExecutor {
    takeGlobalJobs()
    return WorkerPool.shared
  }

  nonisolated static func takeGlobalJobs() {
    MainLoop.redirectGlobalJobs { job in
      // The runtime hands over a job as the address that an `UnownedJob` consists of.
      WorkerPool.shared.enqueue(ExecutorJob(unsafeBitCast(job, to: UnownedJob.self)))
    }
  }

  /// Gives the main thread priority over ``workers`` and over the threads of stores, from now on.
  ///
  /// An app on a terminal does this when it runs. Call it before, if much is prepared until then; a
  /// command that shows no screen is faster without.
  public nonisolated static func putMainThreadFirst() { threads_put_main_first() }
}

extension LoadScheduler {
  /// The scheduler of a program on a terminal: loads off the main actor, on threads that cost
  /// nothing while nothing is loaded.
  public static let terminal = LoadScheduler(
    executor: WorkerPool.shared, deliver: { body in Task { @MainActor in body() } })
}
