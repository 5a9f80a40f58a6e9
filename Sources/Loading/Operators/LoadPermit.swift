/// A load's permit of a ``LoadLimit``, which can be given back and acquired again until the load
/// ends.
final class LoadPermit: Sendable {
  private enum Status {
    case none, held, ended
  }

  private let limit: LoadLimit
  private let status = Lock(Status.none)
  // Parts of a load that rest at the same time share its permit: one of them waits for it.
  private let turn = LoadLimit(1)

  init(in limit: LoadLimit) {
    self.limit = limit
  }

  /// Acquires a permit if one is free.
  func tryAcquire() throws -> Bool {
    if isHeld { return true }
    guard limit.tryEnter() else { return false }
    try keep()
    return true
  }

  /// Waits for a permit; throws without one when the task is cancelled.
  func acquire() async throws {
    try await turn.withPermit {
      if isHeld { return }
      try await limit.enter()
      try keep()
    }
  }

  private var isHeld: Bool { status.withLock { $0 == .held } }

  func giveBack() {
    leave(for: .none)
  }

  /// Gives the permit back for good.
  func end() {
    leave(for: .ended)
  }

  // A cancelled load may still acquire a permit after it has ended, and would never give it back.
  private func keep() throws {
    let before = status.withLock { status in
      defer { if status == .none { status = .held } }
      return status
    }
    if before != .none { limit.leave() }
    if before == .ended { throw CancellationError() }
  }

  private func leave(for next: Status) {
    let wasHeld = status.withLock { status in
      defer { if status != .ended { status = next } }
      return status == .held
    }
    if wasHeld { limit.leave() }
  }
}
