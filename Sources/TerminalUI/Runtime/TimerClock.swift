import Dispatch
public import Loading

extension AnyClock {
  /// The clock of a program on a terminal: the system's continuous clock, with timers that wake the
  /// process only once, when they are due.
  ///
  /// Sleeping on the runtime's own clock would use its thread pool; see `WorkerPool`. Its instants
  /// are those of `AnyClock.continuous`, so a view can also show a resource that uses that clock.
  public static let terminal = AnyClock(
    now: { continuous.now },
    sleep: { deadline, _ in
      let (ending, continuation) = AsyncStream.makeStream(of: Void.self)
      let timer = DispatchSource.makeTimerSource(queue: timers)
      timer.setEventHandler { @Sendable in continuation.finish() }
      timer.schedule(deadline: .now() + max(0, continuous.now.duration(to: deadline) / .seconds(1)))
      timer.activate()
      defer { timer.cancel() }
      // Ends when the timer fires or the task is cancelled.
      for await _ in ending {}
      try Task.checkCancellation()
    })

  private static let timers = DispatchQueue(label: "timers", qos: .userInteractive)
}
