/// A number of permits for loads that run at once, shared by any number of loaders; first come,
/// first served.
public final class LoadLimit: Sendable {
  private typealias Waiter = (id: Int, continuation: CheckedContinuation<Void, any Error>)

  private struct Places {
    var free: Int
    var nextID = 0
    var waiters = Queue<Waiter>()
    /// Waits that were cancelled before they had begun.
    var cancelled: Set<Int> = []
  }

  private let places: Lock<Places>

  /// A limit of `count` loads at once, at least 1.
  public init(_ count: Int) {
    places = Lock(Places(free: max(1, count)))
  }

  /// How many loads wait for a permit.
  public var waitingCount: Int { places.withLock { $0.waiters.count } }

  /// Acquires a permit if one is free.
  func tryEnter() -> Bool {
    places.withLock { places in
      guard places.free > 0 else { return false }
      places.free -= 1
      return true
    }
  }

  /// Waits for a permit; throws, and holds none, when cancelled.
  func enter() async throws {
    let id = places.withLock { places in
      places.nextID += 1
      return places.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = places.withLock { places in
          if places.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if places.free > 0 {
            places.free -= 1
            return .success(())
          }
          places.waiters.append((id, continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter: Waiter? = places.withLock { places in
        guard let index = places.waiters.firstIndex(where: { $0.id == id }) else {
          places.cancelled.insert(id)
          return nil
        }
        return places.waiters.remove(at: index)
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
    // A cancellation that came after the permit was given has recorded itself.
    places.withLock { places in _ = places.cancelled.remove(id) }
  }

  /// Runs `work` while it holds a permit, for work that is not a loader.
  ///
  /// Work whose task is cancelled before it gets a permit is never started.
  public func withPlace<Value: Sendable>(
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
    let next: Waiter? = places.withLock { places in
      if places.waiters.isEmpty {
        places.free += 1
        return nil
      }
      return places.waiters.removeFirst()
    }
    next?.continuation.resume()
  }
}

extension Loader {
  /// The loader, run only while it holds a permit of `limit`.
  ///
  /// Waiting for one can be cancelled, counts toward no `timeout`, and is given up when the last
  /// viewer of the resource leaves. A subscription gives its permit back when it has delivered.
  ///
  /// Progress and attempts are passed on. The permit is given back during a backoff or a debounce,
  /// inside `retrying` and outside it. Afterwards the load waits for a permit behind all others.
  public func limited(by limit: LoadLimit) -> Loader {
    Loader(of: self) { context, output in
      let place = LoadPlace(in: limit)
      let take: @Sendable () async throws -> Void = {
        if try place.tryTake() { return }
        context.send(.phase(.waiting))
        try await place.take()
        context.send(.phase(.running))
      }
      defer { place.end() }
      try await take()
      try Task.checkCancellation()
      let rest: LoadContext.Rest = {
        let goOn = context.rest()
        place.giveBack()
        return {
          try await goOn()
          try await take()
        }
      }
      return try await run(
        context.derived(rest: rest) { signal in
          if case .phase(.live) = signal { place.giveBack() }
          context.send(signal)
        }, output)
    }
  }
}
