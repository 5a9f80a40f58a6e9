import Synchronization

/// Notifies any number of observers of changes.
public final class ChangeHub<Event: Sendable>: Sendable {
  private struct Observers {
    var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    var next = 0
  }

  private let observers = Mutex(Observers())

  /// A hub without observers.
  public init() {}

  /// Returns the events from now on; while an observer is busy, only the newest event is buffered.
  ///
  /// The stream ends when the hub is released.
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

  /// Sends an event to all observers.
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
