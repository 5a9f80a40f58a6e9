/// A value that is set once, and that any number of tasks can wait for.
final class Promise<Value: Sendable>: Sendable {
  private struct Status {
    var value: Value?
    var lastID = 0
    var waiters: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let status = Lock(Status())

  /// Sets the value and resumes the waiting tasks; any call but the first is ignored.
  func fulfil(_ value: Value) {
    let waiters: [Int: AsyncStream<Value>.Continuation] = status.withLock { status in
      guard status.value == nil else { return [:] }
      status.value = value
      defer { status.waiters = [:] }
      return status.waiters
    }
    for waiter in waiters.values {
      waiter.yield(value)
      waiter.finish()
    }
  }

  /// Waits for the value; throws `CancellationError` when the waiting task is cancelled.
  ///
  /// It runs on the caller's actor, so that a caller on the main actor does not depend on a free
  /// thread of the pool.
  nonisolated(nonsending) func value() async throws -> Value {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    let (known, id) = status.withLock { status in
      status.lastID += 1
      if status.value == nil { status.waiters[status.lastID] = continuation }
      return (status.value, status.lastID)
    }
    if let known { return known }
    defer { status.withLock { _ = $0.waiters.removeValue(forKey: id) } }
    for await value in stream { return value }
    throw CancellationError()
  }
}
