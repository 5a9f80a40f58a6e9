/// Passes signals on until it is closed, so that signals of an attempt that has ended are dropped.
final class Door: Sendable {
  private let isOpen = Lock(true)

  /// Runs `body` if the door is open.
  ///
  /// The door cannot be closed while `body` runs.
  func pass(_ body: () -> Void) {
    isOpen.withLock { isOpen in
      if isOpen { body() }
    }
  }

  /// Returns a context that passes signals on while the door is open, each after `note` was called
  /// with it.
  func guarding(
    _ context: LoadContext, attempt: Int? = nil, rest: LoadContext.Rest? = nil,
    noting note: @escaping @Sendable (LoadSignal) -> Void = { _ in }
  ) -> LoadContext {
    context.derived(attempt: attempt, rest: rest) { signal in
      self.pass {
        note(signal)
        context.send(signal)
      }
    }
  }

  /// Returns an output that passes values on while the door is open.
  func guarding<Value>(_ output: LoadContext.Output<Value>) -> LoadContext.Output<Value> {
    LoadContext.Output { value in self.pass { output.yield(value) } }
  }

  func close() {
    isOpen.withLock { isOpen in isOpen = false }
  }
}
