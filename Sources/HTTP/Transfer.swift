import Synchronization

/// One running request, shared by the task that waits for it and the thread that works on it.
///
/// Every member can be used from any thread.
final class Transfer: Sendable {
  let request: HTTPRequest
  let address: WebAddress
  let progress: (@Sendable (HTTPProgress) -> Void)?
  /// Called before it gets a permit; throws if it is no longer to be sent.
  let admission: (@Sendable () throws -> Void)?
  /// How many bytes of the body have to arrive before the task is woken.
  let pieceSize: Int
  /// Whether the body is read only once it is complete; then the server is never held back.
  var isReadAtEnd: Bool { pieceSize == .max }
  private let worker: Worker
  let state = Mutex(State())

  struct State {
    var head: HTTPResponseHead?
    var body: [UInt8] = []
    /// Whether curl holds data back until the body here is taken.
    var isPaused = false
    var end: Result<Void, any Error>?
    /// Grows with every change, so that a waiting task cannot miss one.
    fileprivate var version = 0
    fileprivate var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The size of the unread body, in bytes, above which curl has to wait: enough to keep a
  /// connection busy.
  static let highWater = 256 << 10

  init(
    _ request: HTTPRequest, address: WebAddress, pieceSize: Int = .max, worker: Worker,
    progress: (@Sendable (HTTPProgress) -> Void)?, admission: (@Sendable () throws -> Void)? = nil
  ) {
    self.pieceSize = pieceSize
    self.request = request
    self.address = address
    self.worker = worker
    self.progress = progress
    self.admission = admission
  }

  // MARK: The worker's side

  var isEnded: Bool { state.withLock { $0.end != nil } }

  func receive(head: HTTPResponseHead) {
    change(isHead: true) { $0.head = head }
  }

  enum Reception { case taken, full, ended }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
    change { state in
      if state.end != nil { return .ended }
      if state.body.count >= Self.highWater, !isReadAtEnd {
        state.isPaused = true
        return .full
      }
      state.body.append(contentsOf: bytes)
      return .taken
    }
  }

  /// Ends the transfer; only the first end counts.
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

  /// Returns the whole answer of a transfer that is read at its end.
  func whole() async throws -> (head: HTTPResponseHead, body: [UInt8]) {
    try await wait { state in
      guard let end = state.end else { return nil }
      try end.get()
      // A successful transfer always has a head.
      guard let head = state.head else { return nil }
      defer { state.body = [] }
      return (head, state.body)
    }
  }

  /// Returns the bytes that arrived since the last call, once there are enough of them; empty at
  /// the end of the body.
  func nextBytes() async throws -> [UInt8] {
    let (bytes, wasPaused) = try await wait { state -> ([UInt8], Bool)? in
      guard state.end != nil || state.body.count >= pieceSize else { return nil }
      if state.body.isEmpty {
        try state.end?.get()
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

  /// Ends the transfer for its waiting tasks before this returns; the connection is closed and the
  /// permit returned a moment later.
  ///
  /// A transfer that has already ended stays as it is.
  func cancel() {
    if endIfRunning(.failure(CancellationError())) { worker.post(.release(self)) }
  }

  /// Returns the permit; called when nobody reads the body any more.
  func release() {
    _ = endIfRunning(.success(()))
    worker.post(.release(self))
  }

  private func endIfRunning(_ result: Result<Void, any Error>) -> Bool {
    change { state in
      if state.end != nil { return false }
      state.end = result
      state.body = []
      return true
    }
  }

  // MARK: Waiting

  private func change<Value: Sendable>(
    isHead: Bool = false, _ body: (inout State) -> Value
  ) -> Value {
    let (value, waiters) = state.withLock { state -> (Value, [CheckedContinuation<Void, Never>]) in
      let value = body(&state)
      guard state.end != nil || state.body.count >= pieceSize || isHead && !isReadAtEnd else {
        return (value, [])
      }
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
