/// A number of permits for loads that run at once, shared by any number of loaders; first come,
/// first served.
public final class LoadLimit: Sendable {
  private typealias Waiter = (id: Int, continuation: CheckedContinuation<Void, any Error>)

  private struct Permits {
    var free: Int
    var nextID = 0
    var waiters = Queue<Waiter>()
    /// Waits that were cancelled before they had begun.
    var cancelled: Set<Int> = []
  }

  private let permits: Lock<Permits>

  /// A limit of `count` loads at once, at least 1.
  public init(_ count: Int) {
    permits = Lock(Permits(free: max(1, count)))
  }

  /// How many loads wait for a permit.
  public var waitingCount: Int { permits.withLock { $0.waiters.count } }

  /// Acquires a permit if one is free.
  func tryEnter() -> Bool {
    permits.withLock { permits in
      guard permits.free > 0 else { return false }
      permits.free -= 1
      return true
    }
  }

  /// Waits for a permit; throws, and holds none, when cancelled.
  func enter() async throws {
    let id = permits.withLock { permits in
      permits.nextID += 1
      return permits.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = permits.withLock { permits in
          if permits.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if permits.free > 0 {
            permits.free -= 1
            return .success(())
          }
          permits.waiters.append((id, continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter: Waiter? = permits.withLock { permits in
        guard let index = permits.waiters.firstIndex(where: { $0.id == id }) else {
          permits.cancelled.insert(id)
          return nil
        }
        return permits.waiters.remove(at: index)
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
    // A cancellation that came after the permit was given has recorded itself.
    permits.withLock { permits in _ = permits.cancelled.remove(id) }
  }

  /// Runs `work` while it holds a permit, for work that is not a loader.
  ///
  /// Work whose task is cancelled before it gets a permit is never started.
  public func withPermit<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    if !tryEnter() { try await enter() }
    defer { leave() }
    try Task.checkCancellation()
    return try await work()
  }

  /// Hands the permit to the task that has waited longest.
  ///
  /// It is never free in between, so that no newcomer takes it and no wake-up is lost.
  func leave() {
    let next: Waiter? = permits.withLock { permits in
      if permits.waiters.isEmpty {
        permits.free += 1
        return nil
      }
      return permits.waiters.removeFirst()
    }
    next?.continuation.resume()
  }
}

extension Loader {
  /// The loader, run only while it holds a permit of `limit`.
  ///
  /// Waiting for one can be cancelled, counts toward no `timeout`, and is given up when the last
  /// viewer of the resource leaves, or has left before; the load starts again with the next viewer. A
  /// subscription gives its permit back when it has delivered.
  ///
  /// Progress and attempts are passed on. The permit is given back during a backoff or a debounce,
  /// inside `retrying` and outside it. Afterwards the load waits for a permit behind all others.
  public func limited(by limit: LoadLimit) -> Loader {
    Loader(of: self) { context, output in
      let permit = LoadPermit(in: limit)
      let acquire: @Sendable () async throws -> Void = {
        if try permit.tryAcquire() { return }
        context.send(.phase(.waiting))
        try await permit.acquire()
        context.send(.phase(.running))
      }
      defer { permit.end() }
      try await acquire()
      try Task.checkCancellation()
      let rest: LoadContext.Rest = {
        let goOn = context.rest()
        permit.giveBack()
        return {
          try await goOn()
          try await acquire()
        }
      }
      return try await run(
        context.derived(rest: rest) { signal in
          if case .phase(.live) = signal { permit.giveBack() }
          context.send(signal)
        }, output)
    }
  }
}
