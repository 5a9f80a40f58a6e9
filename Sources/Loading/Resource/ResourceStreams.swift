/// What the streams of a resource are sent, made with the first of them.
///
/// A class of its own, so that a change of a resource without streams looks up none of their types.
@MainActor
final class ResourceStreams<Value: Sendable> {
  let states = StateBroadcast<LoadingState<Value>>()
  let updates = StateBroadcast<Resource<Value>.Snapshot>()
  /// Whether a rollback has still to be sent.
  private(set) var owesState = false

  /// Sends the state, and what is beside it.
  @inline(never)
  func publish(_ resource: Resource<Value>) {
    owesState = false
    states.send(resource.projection)
    publishUpdate(resource)
  }

  /// Sends what is beside a state that has not changed.
  @inline(never)
  func publishUpdate(_ resource: Resource<Value>) {
    updates.send(resource.snapshot { $0 })
  }

  /// Publishes after the work that the main actor has queued already.
  ///
  /// When mutations fail together, each rollback would replay all that are left, for a state that is
  /// never drawn.
  @inline(never)
  func publishSoon(_ resource: Resource<Value>) {
    guard !owesState else { return }
    owesState = true
    resource.scheduler.deliver { if self.owesState { self.publish(resource) } }
  }
}

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
