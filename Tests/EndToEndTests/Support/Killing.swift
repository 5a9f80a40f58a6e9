import Foundation
import PseudoTerminal
import Synchronization

/// Kills a program at a chosen moment.
final class Killing: Sendable {
  enum Moment: Hashable, Sendable {
    case start
    /// At the request with this number.
    case request(Int)
    /// At the change of the store's log with this number, possibly in the middle of a change.
    case logged(Int)
    /// When this many feeds have been stored.
    case stored(Int)

    static func random(feeds: Int, using generator: inout SeededGenerator) -> Moment {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: .start
      case 1: .request(1)
      case 2...3: .request(.random(in: 1...feeds, using: &generator))
      case 4...6: .logged(.random(in: 1...100, using: &generator))
      case 7...8: .stored(.random(in: 1...feeds, using: &generator))
      default: .stored(feeds)
      }
    }
  }

  private struct State {
    var process: pid_t?
    var isTime = false
  }

  let moment: Moment
  private let state = Mutex(State())

  init(at moment: Moment) { self.moment = moment }

  func happened(_ moment: Moment) {
    guard moment == self.moment else { return }
    state.withLock { state in
      state.isTime = true
      if let process = state.process { kill(process, SIGKILL) }
    }
  }

  /// Sets the process; kills it at once if the moment has passed already.
  func run(_ process: pid_t) {
    state.withLock { state in
      state.process = process
      if state.isTime { kill(process, SIGKILL) }
    }
  }

  /// Forgets the process, whose ID may soon be another's.
  func end() { state.withLock { $0.process = nil } }
}
