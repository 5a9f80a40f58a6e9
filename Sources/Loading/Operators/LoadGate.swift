/// Holds loads back while something that they need is missing, such as the network.
///
/// The program closes and opens it; a new gate is open. ``Loader/gated(by:)`` holds back one loader,
/// ``LoadScheduler/refreshing(whileOpen:)`` whatever is loaded again by itself.
///
/// ```swift
/// let network = LoadGate("offline")
/// let results = Resource(api.search(text).gated(by: network))
/// network.close()
/// results.appear()  // paused: results.activity?.pauseReason is "offline"
/// network.open()  // and it goes on
/// ```
public final class LoadGate: Sendable {
  /// Why loads are held back while it is closed, in a word for the user: "offline".
  public let reason: String

  private struct Status {
    /// Given when it opens; nil while it is open.
    var opening: Promise<Void>?
    /// Given when it closes.
    var closing = Promise<Void>()
  }

  private let status = Lock(Status())

  /// An open gate.
  public init(_ reason: String) {
    self.reason = reason
  }

  /// Whether loads may begin.
  public var isOpen: Bool { status.withLock { $0.opening == nil } }

  /// Lets the loads that are held back go on.
  public func open() {
    let opening = status.withLock { status in
      defer { status.opening = nil }
      return status.opening
    }
    opening?.fulfil(())
  }

  /// Holds back the loads that begin from now on, and subscriptions.
  public func close() {
    let closing: Promise<Void>? = status.withLock { status in
      guard status.opening == nil else { return nil }
      status.opening = Promise()
      defer { status.closing = Promise() }
      return status.closing
    }
    closing?.fulfil(())
  }

  /// Returns when it is open.
  func untilOpen() async throws {
    while let opening = status.withLock({ $0.opening }) { try await opening.value() }
  }

  /// Returns when it is closed.
  func untilClosed() async throws {
    let (isOpen, closing) = status.withLock { ($0.opening == nil, $0.closing) }
    if isOpen { try await closing.value() }
  }
}

extension LoadContext {
  /// Waits while `gate` is closed, in the phase ``LoadActivity/Phase/paused(reason:)``, and gives the permit of a
  /// ``LoadLimit`` back meanwhile; throws `CancellationError` when the load is cancelled.
  ///
  /// For a loader that needs what the gate stands for in some cases only: it looks first at what is kept
  /// on the disk. Where it is always needed, use ``Loader/gated(by:)``. A load that the user started,
  /// and a retry, do not wait.
  public func wait(for gate: LoadGate) async throws {
    if cause != .user, cause != .retry { try await pass(gate) }
  }

  /// Waits while any of `gates` is closed.
  func pass(all gates: [LoadGate]) async throws {
    while let closed = gates.first(where: { !$0.isOpen }) { try await pass(closed) }
  }

  func pass(_ gate: LoadGate) async throws {
    guard !gate.isOpen else { return }
    send(.phase(.paused(reason: gate.reason)))
    let goOn = rest()
    try await gate.untilOpen()
    try await goOn()
    send(.phase(.running))
  }
}

extension Loader {
  /// The loader, held back while `gate` is closed, in the phase ``LoadActivity/Phase/paused(reason:)``.
  ///
  /// It goes on by itself when the gate opens. A load that the user started, or a retry, is not held
  /// back: the user may know better. A load that works is not stopped. A subscription that has
  /// delivered is: what it has brought stays, and it starts again when the gate opens.
  ///
  /// Waiting can be cancelled, counts toward no `timeout`, holds no permit of a ``LoadLimit``, and is
  /// given up when the last viewer of the resource leaves. Inside `retrying` each attempt waits,
  /// outside only the first. Progress and attempts are passed on.
  public func gated(by gate: LoadGate) -> Loader {
    Loader(of: self) { context, output in
      try await context.wait(for: gate)
      while true {
        let isLive = Promise<Void>()
        let door = Door()
        let part = context.derived { signal in
          door.pass {
            context.send(signal)
            if case .phase(.live) = signal { isLive.fulfil(()) }
          }
        }
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
          // It may have opened again before the work had ended; nothing is live then either.
          if gate.isOpen { context.send(.phase(.running)) } else { try await context.pass(gate) }
        }
      }
    }
  }
}

/// Ends a subscription whose gate was closed.
private struct GateClosed: Error {}
