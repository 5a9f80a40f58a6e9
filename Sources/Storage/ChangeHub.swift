import Synchronization

/// Tells any number of observers that something has changed.
public final class ChangeHub<Event: Sendable>: Sendable {
  private struct Observers {
    var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    var next = 0
  }

  private let observers = Mutex(Observers())

  /// A hub without observers.
  public init() {}

  /// The events from now on; while the observer is busy only the newest waits for it.
  ///
  /// The stream ends with the hub.
  public func changes() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(1))
    let id = observers.withLock { observers in
      observers.next += 1
      observers.continuations[observers.next] = continuation
      return observers.next
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.observers.withLock { $0.continuations.removeValue(forKey: id) }
    }
    return stream
  }

  /// Tells all observers.
  public func notify(_ event: Event) {
    let continuations = observers.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.yield(event) }
  }

  deinit {
    observers.withLock { observers in
      for continuation in observers.continuations.values { continuation.finish() }
    }
  }
}
