import Synchronization

/// Records that a frame is out of date and which elements changed, and notifies its host once.
///
/// Models may change off the main actor, so this type is safe to use from any thread.
final class Invalidation: Sendable {
  /// What a change requires.
  enum Change {
    /// The element has to be made again.
    case making
    /// The element has to be drawn again.
    case drawing
  }

  typealias Marks = [(change: Change, mark: ElementMark)]

  private struct State {
    var isSet = false
    var marks: Marks = []
    var isAttended = false
    var notify: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var isSet: Bool { state.withLock(\.isSet) }

  /// Records a change that needs no mark, because it is found by comparison: of the focus or the
  /// size.
  func set() { note(nil) }

  /// Records that something an element has read has changed.
  func note(_ change: Change, of mark: ElementMark) { note((change, mark)) }

  private func note(_ change: (Change, ElementMark)?) {
    let notify = state.withLock { state in
      if let change { state.marks.append(change) }
      defer { state.isSet = true }
      return state.isSet || state.isAttended ? nil : state.notify
    }
    notify?()
  }

  /// Returns the marks since the last call, after which the frame counts as up to date.
  func take() -> Marks {
    state.withLock { state in
      defer { (state.isSet, state.marks) = (false, []) }
      return state.marks
    }
  }

  /// Suspends notifications, because the caller is about to draw a frame.
  func attend() { state.withLock { $0.isAttended = true } }

  /// Resumes notifications; returns `false` if something has changed in the meantime.
  func leave() -> Bool {
    state.withLock { state in
      state.isAttended = state.isSet
      return !state.isAttended
    }
  }

  func onSet(_ notify: (@Sendable () -> Void)?) { state.withLock { $0.notify = notify } }
}
