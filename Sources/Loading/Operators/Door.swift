/// Lets signals through until it is closed: what an attempt tells after its end is dropped.
final class Door: Sendable {
  private let isOpen = Lock(true)

  /// Runs `body` if the door is open.
  ///
  /// It cannot be closed while `body` runs.
  func pass(_ body: () -> Void) {
    isOpen.withLock { isOpen in
      if isOpen { body() }
    }
  }

  func close() {
    isOpen.withLock { isOpen in isOpen = false }
  }
}
