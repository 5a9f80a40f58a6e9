extension Loader {
  /// Returns a loader that fails with ``LoadingError/timeout(limit:)`` if it takes longer than
  /// `limit`.
  ///
  /// Inside `retrying` this limits each attempt, outside it limits all attempts together, including
  /// the waits between them. Waiting for a permit of a ``LoadLimit``, for a ``LoadGate`` or for
  /// another load of a cached key does not count, nor does the time after a subscription has
  /// delivered a value: if it connects again, it has the whole time for its next value. When the
  /// time is up, the load is cancelled; if it ignores that, it is no longer waited for. Progress and
  /// attempts are passed on.
  public func timeout(_ limit: Duration) -> Loader {
    Loader(of: self) { context, output in
      let outcome = Promise<Result<Value?, any Error>>()
      let door = Door()
      let timer = PausableTimer(limit, clock: context.clock, scheduler: context.origin.scheduler) {
        outcome.fulfil(.failure(LoadingError.timeout(limit: limit)))
      }
      // Waiting to get a permit back does not count, just like waiting for the first one.
      let rest: LoadContext.Rest = {
        let goOn = context.rest()
        return {
          timer.pause()
          defer { door.pass { timer.resume() } }
          try await goOn()
        }
      }
      let part = door.guarding(context, rest: rest) { signal in
        switch signal {
        case .phase(.waiting), .phase(.paused): timer.pause()
        case .phase(.live): timer.rewind()
        case .phase(.running), .attempt: timer.resume()
        default: break
        }
      }
      let guarded = door.guarding(output)
      timer.resume()
      let work = context.origin.scheduler.task {
        do {
          outcome.fulfil(.success(try await run(part, guarded)))
        } catch {
          outcome.fulfil(.failure(error))
        }
      }
      defer {
        door.close()
        timer.pause()
        work.cancel()
      }
      return try await outcome.value().get()
    }
  }
}

/// A timer that can be paused.
private final class PausableTimer: Sendable {
  private struct Status {
    var remaining: Duration
    var runningSince: AnyClock.Instant?
    var task: OwnedTask?
    var run = 0
  }

  private let status: Lock<Status>
  private let duration: Duration
  private let clock: AnyClock
  private let scheduler: LoadScheduler
  private let expire: @Sendable () -> Void

  init(
    _ duration: Duration, clock: AnyClock, scheduler: LoadScheduler,
    expire: @escaping @Sendable () -> Void
  ) {
    status = Lock(Status(remaining: duration))
    self.duration = duration
    self.clock = clock
    self.scheduler = scheduler
    self.expire = expire
  }

  func resume() {
    let now = clock.now
    status.withLock { status in
      guard status.runningSince == nil else { return }
      status.runningSince = now
      status.run += 1
      let (run, end) = (status.run, now.advanced(by: status.remaining))
      status.task = OwnedTask(
        scheduler.task { [clock, weak self] in
          guard (try? await clock.sleep(until: end)) != nil else { return }
          self?.fire(run)
        })
    }
  }

  func pause() {
    let now = clock.now
    let task: OwnedTask? = status.withLock { status in
      guard let since = status.runningSince else { return nil }
      status.remaining -= since.duration(to: now)
      status.runningSince = nil
      status.run += 1
      defer { status.task = nil }
      return status.task
    }
    // Released, and so cancelled, outside the lock: cancelling runs the sleep's cancellation
    // handler.
    _ = task
  }

  /// Pauses it; it then runs for the whole time again.
  func rewind() {
    pause()
    status.withLock { $0.remaining = duration }
  }

  private func fire(_ run: Int) {
    if status.withLock({ $0.run == run }) { expire() }
  }
}
