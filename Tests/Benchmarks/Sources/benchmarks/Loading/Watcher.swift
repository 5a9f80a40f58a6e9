import Observation
import Synchronization

/// An observer as a view is one: it looks, is told once that what it saw has changed, and looks
/// again.
final class Watcher: Sendable {
  private let isStale = Atomic(true)

  /// Looks again, if what it saw has changed; zero when it has not.
  @MainActor
  func look(
    _ read: @MainActor () -> Int?, onChange: @escaping @Sendable () -> Void = {}
  ) -> Int {
    guard isStale.exchange(false, ordering: .relaxed) else { return 0 }
    return withObservationTracking {
      read() ?? 0
    } onChange: {
      self.isStale.store(true, ordering: .relaxed)
      onChange()
    }
  }
}

/// Counts what streams deliver and resumes the task that waits for all of it.
@MainActor
final class Arrivals {
  private var missing = 0
  private var waiter: CheckedContinuation<Void, Never>?

  /// Somebody has got something.
  func note() {
    missing -= 1
    guard missing == 0 else { return }
    waiter?.resume()
    waiter = nil
  }

  /// Waits until `count` more have arrived, what `body` sends among them.
  func wait(for count: Int, after body: () -> Void) async {
    missing += count
    body()
    guard missing > 0 else { return }
    await withCheckedContinuation { waiter = $0 }
  }
}
