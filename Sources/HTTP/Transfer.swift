import Synchronization

/// One request on its way: the meeting point of the task that waits for it and the thread that
/// works on it.
///
/// Everything here can be called from anywhere.
final class Transfer: Sendable {
  let request: HTTPRequest
  let address: WebAddress
  let progress: (@Sendable (HTTPProgress) -> Void)?
  private let worker: Worker
  let state = Mutex(State())

  struct State {
    var head: HTTPResponseHead?
    var body: [UInt8] = []
    /// curl holds data back until the body here is taken.
    var isPaused = false
    var end: Result<Void, any Error>?
    /// Nobody reads before the end: nothing but the end is worth waking the task for, and a body as
    /// large as its limit is no reason to make the server wait.
    var isReadAtEnd = false
    /// Grows with every change, so that a waiter cannot sleep through one.
    fileprivate var version = 0
    fileprivate var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Unread body above which curl is told to wait: enough to keep a connection busy.
  static let highWater = 256 << 10

  init(
    _ request: HTTPRequest, address: WebAddress, worker: Worker,
    progress: (@Sendable (HTTPProgress) -> Void)?
  ) {
    self.request = request
    self.address = address
    self.worker = worker
    self.progress = progress
  }

  // MARK: The worker's side

  var isEnded: Bool { state.withLock { $0.end != nil } }

  func receive(head: HTTPResponseHead) {
    change { $0.head = head }
  }

  enum Reception { case taken, full, ended }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
    change { state in
      if state.end != nil { return .ended }
      if state.body.count >= Self.highWater, !state.isReadAtEnd {
        state.isPaused = true
        return .full
      }
      state.body.append(contentsOf: bytes)
      return .taken
    }
  }

  /// Later ends than the first are ignored.
  func end(_ result: Result<Void, any Error>) {
    change { if $0.end == nil { $0.end = result } }
  }

  // MARK: The task's side

  func head() async throws -> HTTPResponseHead {
    try await wait { state in
      if let head = state.head { return head }
      try state.end?.get()
      return nil
    }
  }

  /// Before it starts: nothing is read but ``whole()``.
  func readAtEnd() { state.withLock { $0.isReadAtEnd = true } }

  /// The whole answer, of a transfer that is read at its end.
  func whole() async throws -> (head: HTTPResponseHead, body: [UInt8]) {
    try await wait { state in
      guard let end = state.end else { return nil }
      try end.get()
      // There is no success without a head.
      guard let head = state.head else { return nil }
      defer { state.body = [] }
      return (head, state.body)
    }
  }

  /// The bytes that came since the last call; empty at the end of the body.
  func nextBytes() async throws -> [UInt8] {
    let (bytes, wasPaused) = try await wait { state -> ([UInt8], Bool)? in
      if state.body.isEmpty {
        guard let end = state.end else { return nil }
        try end.get()
        return ([], false)
      }
      defer {
        state.body = []
        state.isPaused = false
      }
      return (state.body, state.isPaused)
    }
    if wasPaused { worker.post(.resume(self)) }
    return bytes
  }

  /// Ends the transfer for its waiters before this returns; the connection is closed a moment later.
  func cancel() {
    let wasRunning = change { state in
      if state.end != nil { return false }
      state.end = .failure(CancellationError())
      state.body = []
      return true
    }
    if wasRunning { worker.post(.cancel(self)) }
  }

  // MARK: Waiting

  private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let (value, waiters) = state.withLock { state -> (Value, [CheckedContinuation<Void, Never>]) in
      let value = body(&state)
      guard state.end != nil || !state.isReadAtEnd else { return (value, []) }
      state.version += 1
      defer { state.waiters = [] }
      return (value, state.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return value
  }

  private func wait<Value: Sendable>(
    until ready: (inout State) throws -> Value?
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      while true {
        let (value, version) = try state.withLock { (try ready(&$0), $0.version) }
        if let value { return value }
        await withCheckedContinuation { waiter in
          let isStale = state.withLock { state in
            if state.version != version { return true }
            state.waiters.append(waiter)
            return false
          }
          if isStale { waiter.resume() }
        }
      }
    } onCancel: {
      cancel()
    }
  }
}
