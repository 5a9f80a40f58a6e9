/// Sends every state to any number of streams, which end when it is deallocated.
final class StateBroadcast<State: Sendable>: Sendable {
  private struct Observers {
    var next = 0
    var continuations: [Int: AsyncStream<State>.Continuation] = [:]
  }

  private let observers = Lock(Observers())

  deinit {
    for continuation in observers.withLock({ $0.continuations.values }) { continuation.finish() }
  }

  /// A stream that starts with `latest` and keeps the newest 256 for a slow reader.
  func stream(startingWith latest: State) -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(256))
    continuation.yield(latest)
    let id = observers.withLock { observers in
      observers.next += 1
      observers.continuations[observers.next] = continuation
      return observers.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.observers.withLock { observers in observers.continuations[id] = nil }
    }
    return stream
  }

  /// Sends a state, which is made only when there is a stream.
  func send(_ state: @autoclosure () -> State) {
    // Copied out: a stream that ends while it is yielded to takes the lock again.
    let continuations = observers.withLock { $0.continuations.values }
    guard !continuations.isEmpty else { return }
    let state = state()
    for continuation in continuations { continuation.yield(state) }
  }
}
