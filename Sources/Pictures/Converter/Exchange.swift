import Synchronization

/// One request to the converter and its answer, which can be cancelled at any time.
final class Exchange: Sendable {
  let message: [UInt8]
  /// The longest answer, in bytes.
  let answerLimit: Int
  private let state = Mutex(State.waiting)

  private enum State {
    /// Waiting for its first process, or for another one after a failure.
    case waiting
    case running(ConverterProcess)
    case cancelled
  }

  init(message: [UInt8], answerLimit: Int) {
    (self.message, self.answerLimit) = (message, answerLimit)
  }

  /// Records the process that handles the request; false when the request was cancelled.
  func begin(with process: ConverterProcess) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return false }
      state = .running(process)
      return true
    }
  }

  /// Releases the process for other requests; false when this one was cancelled.
  func finish() -> Bool {
    state.withLock { state in
      if case .cancelled = state { return false }
      state = .waiting
      return true
    }
  }

  /// Cancels the request and kills the process that handles it.
  func cancel() {
    state.withLock { state in
      if case .running(let process) = state { process.interrupt() }
      state = .cancelled
    }
  }
}
