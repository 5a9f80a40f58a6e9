import Dispatch
public import Loading
import Synchronization

extension AnyClock {
  /// The clock of a program on a terminal: the system's continuous clock, with timers that wake the
  /// process only once, when they are due.
  ///
  /// Sleeping on the runtime's own clock would use its thread pool; see `WorkerPool`. Its instants
  /// are those of `AnyClock.continuous`, so a view can also show a resource that uses that clock.
  public static let terminal = AnyClock(
    now: { continuous.now },
    sleep: { deadline, _ in
      try await TimerSleep().sleep(for: continuous.now.duration(to: deadline))
    })
}

/// One sleep until a timer fires.
private final class TimerSleep: Sendable {
  private enum State {
    case idle
    case sleeping(CheckedContinuation<Void, any Error>, stop: @Sendable () -> Void)
    case done(Result<Void, any Error>)
  }

  private static let queue = DispatchQueue(label: "timers", qos: .userInteractive)
  private let state = Mutex(State.idle)

  func sleep(for duration: Duration) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Dispatch sources are thread-safe, although their type is not `Sendable`.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: Self.queue)
        timer.setEventHandler { @Sendable [self] in finish(.success(())) }
        timer.schedule(deadline: .now() + max(0, duration / .seconds(1)))
        let known = state.withLock { state -> Result<Void, any Error>? in
          if case .done(let result) = state { return result }
          state = .sleeping(continuation, stop: { timer.cancel() })
          return nil
        }
        timer.activate()
        if let known {
          timer.cancel()
          continuation.resume(with: known)
        }
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
  }

  private func finish(_ result: Result<Void, any Error>) {
    let waiting = state.withLock { state -> State in
      defer { if case .done = state {} else { state = .done(result) } }
      return state
    }
    guard case .sleeping(let continuation, let stop) = waiting else { return }
    stop()
    continuation.resume(with: result)
  }
}
