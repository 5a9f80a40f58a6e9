import Synchronization

/// A message on its way to the converter and back, that may be given up at any time.
final class Exchange: Sendable {
  let message: [UInt8]
  /// How long the answer may be.
  let answerLimit: Int
  private let state = Mutex(State.waiting)

  private enum State {
    /// For its first process, or after one for the next.
    case waiting
    case running(ConverterProcess)
    case cancelled
  }

  init(message: [UInt8], answerLimit: Int) {
    (self.message, self.answerLimit) = (message, answerLimit)
  }

  /// Says false where it was given up before.
  func begin(with process: ConverterProcess) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return false }
      state = .running(process)
      return true
    }
  }

  /// Lets go of the process, which from now on works for others; says false where it was given up.
  func finish() -> Bool {
    state.withLock { state in
      if case .cancelled = state { return false }
      state = .waiting
      return true
    }
  }

  /// Gives it up, and ends the process that works on it.
  func cancel() {
    state.withLock { state in
      if case .running(let process) = state { process.interrupt() }
      state = .cancelled
    }
  }
}
