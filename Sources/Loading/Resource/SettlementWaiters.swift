/// The tasks that wait for a resource to settle; each checks its condition again when it is resumed.
struct SettlementWaiters {
  private var continuations: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var lastID = 0

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func add(_ id: Int, _ continuation: CheckedContinuation<Void, Never>) {
    continuations.append((id, continuation))
  }

  mutating func resume(_ id: Int) {
    guard let index = continuations.firstIndex(where: { $0.id == id }) else { return }
    continuations.remove(at: index).continuation.resume()
  }

  mutating func resumeAll() {
    guard !continuations.isEmpty else { return }
    let woken = continuations
    continuations = []
    for waiter in woken { waiter.continuation.resume() }
  }
}
