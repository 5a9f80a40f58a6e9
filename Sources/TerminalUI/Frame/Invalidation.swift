import Synchronization

/// Whether a frame is out of date and what of it, and a call that tells of it once.
///
/// Models may change off the main actor, so that this is the one thing here that is safe anywhere.
final class Invalidation: Sendable {
  /// What a change asks for.
  enum Change {
    /// Its element has to be made again.
    case making
    /// Its element has to be drawn again.
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

  /// Something has changed that is compared with what it was: the focus, say, or the size.
  func set() { note(nil) }

  /// Something has changed that an element has read.
  func note(_ change: Change, of mark: ElementMark) { note((change, mark)) }

  private func note(_ change: (Change, ElementMark)?) {
    let notify = state.withLock { state in
      if let change { state.marks.append(change) }
      defer { state.isSet = true }
      return state.isSet || state.isAttended ? nil : state.notify
    }
    notify?()
  }

  /// What has changed; from now on the frame counts as fresh.
  func take() -> Marks {
    state.withLock { state in
      defer { (state.isSet, state.marks) = (false, []) }
      return state.marks
    }
  }

  /// From now on nobody has to be told: somebody is about to look.
  func attend() { state.withLock { $0.isAttended = true } }

  /// Somebody has looked; `false` where there is something new by now.
  func leave() -> Bool {
    state.withLock { state in
      state.isAttended = state.isSet
      return !state.isAttended
    }
  }

  func onSet(_ notify: (@Sendable () -> Void)?) { state.withLock { $0.notify = notify } }
}
