import Observation
import Synchronization

/// What a view has read while it was made: as long as none of that changes, it would become the same.
final class Reading: Observable, Sendable {
  private enum State {
    case current, changed, ended
  }

  private let registrar = ObservationRegistrar()
  private let state = Mutex(State.current)

  /// Whether nothing has changed.
  var isCurrent: Bool { state.withLock { $0 == .current } }

  /// Reads in `make`; a change makes the next frame due.
  @MainActor
  func track<Made>(_ invalidation: Invalidation, _ make: () -> Made) -> Made {
    withObservationTracking {
      access()
      return make()
    } onChange: { [weak self] in
      if self?.change() == true { invalidation.set() }
    }
  }

  /// Whoever reads this is rebuilt together with it.
  func access() { registrar.access(self, keyPath: \.isCurrent) }

  private func change() -> Bool {
    let isFirst = state.withLock { state in
      guard state == .current else { return false }
      state = .changed
      return true
    }
    if isFirst { registrar.withMutation(of: self, keyPath: \.isCurrent) {} }
    return isFirst
  }

  /// Ends its registrations: nothing else does before a change, and of many views that have come and
  /// gone they would pile up.
  func end() {
    state.withLock { $0 = .ended }
    registrar.withMutation(of: self, keyPath: \.isCurrent) {}
  }
}

/// The readings of nodes that are gone, until a frame begins.
///
/// The frame being built tracks them too: to end one now would mark that frame as out of date.
final class DroppedReadings: Sendable {
  private let readings = Mutex<[Reading]>([])

  func drop(_ reading: Reading) { readings.withLock { $0.append(reading) } }

  func endDropped() {
    let dropped = readings.withLock { readings in
      defer { readings = [] }
      return readings
    }
    for reading in dropped { reading.end() }
  }
}
