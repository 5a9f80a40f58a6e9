/// A value that is set once, and that any number of tasks can wait for.
@usableFromInline
final class Promise<Value: Sendable>: Sendable {
  private struct Status {
    var value: Value?
    var lastID = 0
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
  }

  private let status = Lock(Status())

  /// Sets the value and resumes the waiting tasks; any call but the first is ignored.
  func fulfil(_ value: Value) {
    let waiters: [Int: CheckedContinuation<Value, any Error>] = status.withLock { status in
      guard status.value == nil else { return [:] }
      status.value = value
      defer { status.waiters = [:] }
      return status.waiters
    }
    // In the order in which they began to wait: what a test sees does not depend on hash values.
    for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.resume(returning: value) }
  }

  /// The value, if it is there.
  var reached: Value? { status.withLock { $0.value } }

  /// Waits for the value; throws `CancellationError` when the waiting task is cancelled.
  ///
  /// It runs on the caller's actor, so that a caller on the main actor does not depend on a free
  /// thread of the pool.
  nonisolated(nonsending) func value() async throws -> Value {
    let (known, id) = status.withLock { status in
      status.lastID += 1
      return (status.value, status.lastID)
    }
    if let known { return known }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let outcome: Result<Value, any Error>? = status.withLock { status in
          if let value = status.value { return .success(value) }
          // Checked with the lock: a task that is cancelled after this finds the waiter.
          if Task.isCancelled { return .failure(CancellationError()) }
          status.waiters[id] = waiter
          return nil
        }
        if let outcome { waiter.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = status.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// Waits for the value; returns false if the waiting task is cancelled before.
  @usableFromInline nonisolated(nonsending) func isReached() async -> Bool {
    (try? await value()) != nil
  }
}
