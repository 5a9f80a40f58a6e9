/// The streams of a resource, created with the first stream.
///
/// It is a class of its own, so that a change of a resource without streams looks up none of their
/// types at run time.
@MainActor
final class ResourceStreams<Value: Sendable> {
  let states = StateBroadcast<LoadingState<Value>>()
  let updates = StateBroadcast<Resource<Value>.Snapshot>()
  /// Whether a state after a rollback is yet to be sent.
  private(set) var owesState = false

  /// Sends the state and a snapshot.
  @inline(never)
  func publish(_ resource: Resource<Value>) {
    owesState = false
    states.send(resource.projection)
    publishUpdate(resource)
  }

  /// Sends only a snapshot, because the state has not changed.
  @inline(never)
  func publishUpdate(_ resource: Resource<Value>) {
    updates.send(resource.snapshot { $0 })
  }

  /// Publishes after the work that is already queued on the main actor.
  ///
  /// When many mutations fail together, each rollback would otherwise replay all the others for a
  /// state that is never drawn.
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

  /// Returns a stream that starts with `latest` and buffers the newest 256 states.
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

  /// Sends a state, which is only evaluated if there is a stream.
  func send(_ state: @autoclosure () -> State) {
    // Copied, because a stream that ends during `yield` locks again.
    let continuations = observers.withLock { $0.continuations.values }
    guard !continuations.isEmpty else { return }
    let state = state()
    for continuation in continuations { continuation.yield(state) }
  }
}
