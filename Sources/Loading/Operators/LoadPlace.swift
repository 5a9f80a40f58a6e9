/// The place of one load in a ``LoadLimit``: it may be given back and taken again until it ends.
final class LoadPlace: Sendable {
  private enum Status {
    case none, held, ended
  }

  private let limit: LoadLimit
  private let status = Lock(Status.none)

  init(in limit: LoadLimit) {
    self.limit = limit
  }

  /// Takes a place if one is free.
  func tryTake() throws -> Bool {
    guard limit.tryEnter() else { return false }
    try keep()
    return true
  }

  /// Waits for a place; throws, and holds none, when cancelled.
  func take() async throws {
    try await limit.enter()
    try keep()
  }

  func giveBack() {
    leave(for: .none)
  }

  /// Gives the place back for good.
  func end() {
    leave(for: .ended)
  }

  // Work that nobody waits for any more may come back to its place after the end: nobody would
  // ever give that place back.
  private func keep() throws {
    let isEnded = status.withLock { status in
      if status == .ended { return true }
      status = .held
      return false
    }
    if isEnded {
      limit.leave()
      throw CancellationError()
    }
  }

  private func leave(for next: Status) {
    let wasHeld = status.withLock { status in
      defer { if status != .ended { status = next } }
      return status == .held
    }
    if wasHeld { limit.leave() }
  }
}
