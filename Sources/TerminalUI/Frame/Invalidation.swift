import Synchronization

/// Whether a frame is out of date, and a call that tells of it once.
///
/// Models may change off the main actor, so that this is the one thing here that is safe anywhere.
final class Invalidation: Sendable {
  private enum Level: Comparable {
    case none
    /// The views are what they were; something that scrolls stands elsewhere.
    case moved
    case changed
  }

  private struct State {
    var level = Level.none
    var isAttended = false
    var notify: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var isSet: Bool { state.withLock { $0.level != .none } }

  /// Whether nothing but places has changed.
  var isOnlyMoved: Bool { state.withLock { $0.level == .moved } }

  /// The views have to be rebuilt.
  func set() { raise(to: .changed) }

  /// The views have to be drawn again as they are.
  func setMoved() { raise(to: .moved) }

  private func raise(to level: Level) {
    let notify = state.withLock { state in
      defer { state.level = max(state.level, level) }
      return state.level == .none && !state.isAttended ? state.notify : nil
    }
    notify?()
  }

  /// Whether nothing but places has changed; then the frame counts as fresh from now on.
  func takeMove() -> Bool {
    state.withLock { state in
      guard state.level == .moved else { return false }
      state.level = .none
      return true
    }
  }

  /// Makes a change that is part of drawing itself; afterwards the frame counts as fresh.
  func ignore(_ change: () -> Void) {
    state.withLock { $0.level = .changed }
    change()
    state.withLock { $0.level = .none }
  }

  /// From now on nobody has to be told: somebody is about to look.
  func attend() { state.withLock { $0.isAttended = true } }

  /// Somebody has looked; `false` where there is something new by now.
  func leave() -> Bool {
    state.withLock { state in
      state.isAttended = state.level != .none
      return !state.isAttended
    }
  }

  func onSet(_ notify: (@Sendable () -> Void)?) { state.withLock { $0.notify = notify } }
}
