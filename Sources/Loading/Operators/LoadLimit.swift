/// Limits how many loads run at the same time: each of them needs a permit.
///
/// Any number of loaders can share a limit. Permits are given in the order in which loads began to
/// wait.
public final class LoadLimit: Sendable {
  private struct Permits {
    var count: Int
    /// Negative after the limit was lowered, until enough loads have ended.
    var free: Int
    /// Each is fulfilled when its task has a permit.
    var waiters = Queue<Promise<Void>>()
  }

  private let permits: Lock<Permits>

  /// Creates a limit of `count` loads at the same time; less than 1 counts as 1.
  public init(_ count: Int) {
    permits = Lock(Permits(count: max(1, count), free: max(1, count)))
  }

  /// How many loads may run at the same time; less than 1 counts as 1.
  ///
  /// A higher limit starts waiting loads at once. A lower one lets running loads finish.
  public var count: Int {
    get { permits.withLock { $0.count } }
    set {
      let next = permits.withLock { permits in
        permits.free += max(1, newValue) - permits.count
        permits.count = max(1, newValue)
        var next: [Promise<Void>] = []
        while permits.free > 0, !permits.waiters.isEmpty {
          permits.free -= 1
          next.append(permits.waiters.removeFirst())
        }
        return next
      }
      for promise in next { promise.fulfil(()) }
    }
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

  /// Waits for a permit; throws without one when the task is cancelled.
  func enter() async throws {
    let turn: Promise<Void>? = permits.withLock { permits in
      if permits.free > 0 {
        permits.free -= 1
        return nil
      }
      let turn = Promise<Void>()
      permits.waiters.append(turn)
      return turn
    }
    do {
      try await turn?.value()
    } catch {
      let hasPermit = permits.withLock { permits in
        guard let index = permits.waiters.firstIndex(where: { $0 === turn }) else { return true }
        permits.waiters.remove(at: index)
        return false
      }
      if hasPermit { leave() }
      throw error
    }
  }

  /// Waits for a permit, and holds it while `work` runs: for work that is not a loader.
  ///
  /// If the task is cancelled before it has a permit, `work` does not run.
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
  /// The permit is not free in between, so that no other task can take it.
  func leave() {
    let next: Promise<Void>? = permits.withLock { permits in
      if permits.waiters.isEmpty || permits.free < 0 {
        permits.free += 1
        return nil
      }
      return permits.waiters.removeFirst()
    }
    next?.fulfil(())
  }
}

extension Loader {
  /// Returns a loader that runs only while it holds a permit of `limit`.
  ///
  /// Waiting for a permit can be cancelled, counts towards no `timeout`, and ends when the last
  /// viewer of the resource leaves, or at once if the last viewer has left before; the load starts
  /// again with the next viewer. A subscription gives its permit back when it has delivered a
  /// value.
  ///
  /// Progress and attempts are passed on. The permit is given back during a backoff or a debounce,
  /// whether `limited` is inside or outside of `retrying`. After that, the load waits for a permit
  /// behind all others. Outside of `zip` it is kept, since the other parts may be loading.
  ///
  /// A loader that is limited by the same limit twice, for example as a whole and in one of its
  /// parts, needs two permits at once, and waits forever if the limit has only one.
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
