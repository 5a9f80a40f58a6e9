/// Holds loads back while something that they need is missing, such as the network.
///
/// The program closes and opens it; a new gate is open. ``Loader/gated(by:)`` holds back one
/// loader, ``LoadScheduler/refreshing(whileOpen:)`` every load that starts automatically by
/// ``Refreshing``.
///
/// ```swift
/// let network = LoadGate("offline")
/// let results = Resource(api.search(text).gated(by: network))
/// network.close()
/// results.appear()  // paused: results.activity?.pauseReason is "offline"
/// network.open()  // the load continues
/// ```
public final class LoadGate: Sendable {
  /// Why loads are held back while the gate is closed, in a word for the user, such as "offline".
  public let reason: String

  private struct Status {
    /// Fulfilled when the gate opens; nil while it is open.
    var opening: Promise<Void>?
    /// Fulfilled when the gate closes.
    var closing = Promise<Void>()
  }

  private let status = Lock(Status())

  /// Creates an open gate.
  public init(_ reason: String) {
    self.reason = reason
  }

  /// Whether loads may begin.
  public var isOpen: Bool { status.withLock { $0.opening == nil } }

  /// Opens the gate: loads that it held back continue.
  public func open() {
    let opening = status.withLock { status in
      defer { status.opening = nil }
      return status.opening
    }
    opening?.fulfil(())
  }

  /// Closes the gate: it holds back loads that begin from now on, and pauses subscriptions.
  public func close() {
    let closing: Promise<Void>? = status.withLock { status in
      guard status.opening == nil else { return nil }
      status.opening = Promise()
      defer { status.closing = Promise() }
      return status.closing
    }
    closing?.fulfil(())
  }

  /// Waits until the gate is open; calls `pause` before it waits.
  func untilOpen(pause: @Sendable () -> Void = {}) async throws {
    while let opening = status.withLock({ $0.opening }) {
      pause()
      try await opening.value()
    }
  }

  /// Waits until the gate is closed.
  func untilClosed() async throws {
    let (isOpen, closing) = status.withLock { ($0.opening == nil, $0.closing) }
    if isOpen { try await closing.value() }
  }
}

extension LoadContext {
  /// Waits while `gate` is closed, in the phase ``LoadActivity/Phase/paused(reason:)``.
  ///
  /// Meanwhile the load gives back its permit of a ``LoadLimit``.
  ///
  /// Used by loaders that need the network, or whatever else the gate stands for, only sometimes:
  /// for example if there is no copy on disk. If it is always needed, use ``Loader/gated(by:)``.
  /// Loads and retries by the user do not wait.
  ///
  /// - Throws: `CancellationError` when the load is cancelled.
  public func wait(for gate: LoadGate) async throws {
    if cause != .user, cause != .retry { try await pass(gate) }
  }

  /// Waits while any of `gates` is closed.
  ///
  /// It is not inlined, because its variables would enlarge the frame of every load.
  @inline(never)
  func pass(all gates: [LoadGate]) async throws {
    while let closed = gates.first(where: { !$0.isOpen }) { try await pass(closed) }
  }

  func pass(_ gate: LoadGate) async throws {
    if !gate.isOpen { try await resume(behind: gate) }
  }

  /// Waits until `gate` is open and the load has its permits again, which it gives back before.
  func resume(behind gate: LoadGate) async throws {
    let goOn = rest()
    try await gate.untilOpen { send(.phase(.paused(reason: gate.reason))) }
    try await goOn()
    send(.phase(.running))
  }
}

extension Loader {
  /// Returns a loader that waits while `gate` is closed, in the phase
  /// ``LoadActivity/Phase/paused(reason:)``.
  ///
  /// It continues automatically when the gate opens. Loads and retries by the user do not wait: the
  /// gate may be wrong. A gate that closes does not stop a running load, but it pauses a
  /// subscription that has delivered a value: its value stays, and it starts again when the gate
  /// opens.
  ///
  /// Waiting can be cancelled, counts towards no `timeout`, holds no permit of a ``LoadLimit``, and
  /// ends when the last viewer of the resource leaves. Inside `retrying` every attempt waits,
  /// outside only the first. Progress and attempts are passed on.
  ///
  /// Apply it after `cached`: a load by the user that shares the waiting load of another resource
  /// would wait with it.
  public func gated(by gate: LoadGate) -> Loader {
    Loader(of: self) { context, output in
      try await context.wait(for: gate)
      while true {
        let isLive = Promise<Void>()
        let door = Door()
        let part = door.guarding(
          context, noting: { if case .phase(.live) = $0 { isLive.fulfil(()) } })
        let guarded = door.guarding(output)
        do {
          return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await run(part, guarded) }
            group.addTask {
              try await isLive.value()
              try await gate.untilClosed()
              throw GateClosed()
            }
            defer {
              door.close()
              group.cancelAll()
            }
            return try await group.next() ?? nil
          }
        } catch is GateClosed {
          // A source that ignores cancellation may have ended long after the load.
          try Task.checkCancellation()
          // Also if the gate has opened again before the work ended: the load is live, and has no
          // permit.
          try await context.resume(behind: gate)
        }
      }
    }
  }
}

/// Ends a subscription whose gate was closed.
private struct GateClosed: Error {}
