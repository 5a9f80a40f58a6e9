import Synchronization

/// Tells any number of observers that something has changed.
final class ChangeHub: Sendable {
  private struct Observers {
    var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    var next = 0
  }

  private let observers = Mutex(Observers())

  /// Changes while the observer is busy arrive as one.
  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
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

  func notify() {
    let continuations = observers.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.yield() }
  }

  deinit {
    observers.withLock { observers in
      for continuation in observers.continuations.values { continuation.finish() }
    }
  }
}
