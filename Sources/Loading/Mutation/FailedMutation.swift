/// A mutation that could not be stored, kept to be retried or dismissed.
///
/// It outlives the screen that made it, and is retried with the arguments that it had. One from an
/// inbox keeps its resource alive, because its screen may have been left.
public struct FailedMutation: Identifiable, Sendable {
  /// The number of the mutation, which only mutations of another resource may share.
  public let id: PendingMutation.ID
  /// The element that it changes.
  public let item: MutationKey?
  /// Why it failed.
  public let error: any Error
  /// When it failed, on the resource's clock.
  public let at: AnyClock.Instant
  /// Begins the mutation again with the same arguments, see ``Resource/retryMutation(_:)``; nil if
  /// the error's ``RetryAdvice`` says that another attempt cannot help.
  public let retry: (@MainActor @Sendable () -> Void)?
  /// Removes the failed mutation, see ``Resource/dismissMutation(_:)``.
  public let dismiss: @MainActor @Sendable () -> Void
  /// Returns whether the mutation is still failed: false once it was retried or dismissed, by any
  /// view, or a newer change of the same field was stored.
  ///
  /// The result is observed: a view that calls it is drawn again when it changes.
  public let isCurrent: @MainActor @Sendable () -> Bool
}

extension FailedMutation {
  /// Collects the failed mutations of many resources, even if the screen that made them was left.
  ///
  /// Read it: views leave failed mutations to it, and each failure keeps its resource alive until it
  /// was read and answered.
  ///
  /// ```swift
  /// for await failure in inbox.failures {
  ///   toasts.show("Not saved: \(failure.error)", about: failure)
  /// }
  /// ```
  ///
  /// One inbox for the program is enough. Failures that nobody reads keep their resources alive.
  ///
  /// A program on TerminalUI shows the failures by `toasts(_:following:)`.
  @MainActor
  public final class Inbox {
    private let unread = UnreadFailures()

    /// Creates an empty inbox.
    public init() {}

    deinit {
      unread.close()
    }

    /// A stream of the failures that were not read yet, each once, for one reader at a time.
    ///
    /// What a reader leaves unread when it is cancelled is for the next stream; at most the newest
    /// 256 failures are kept. The stream ends when the inbox is released.
    public var failures: AsyncStream<FailedMutation> {
      AsyncStream { [unread] in await unread.next() }
    }

    /// The number of failures that were not read yet.
    package var unreadCount: Int { unread.count }

    func deliver(_ failure: FailedMutation) {
      unread.add(failure)
    }
  }
}

/// The failures that nobody has read yet, which outlive their readers.
private final class UnreadFailures: Sendable {
  private struct Status {
    var failures = Queue<FailedMutation>()
    var isClosed = false
    /// Fulfilled when there is another failure, or there will be none.
    var change: Promise<Void>?

    mutating func takeChange() -> Promise<Void>? {
      defer { change = nil }
      return change
    }
  }

  private enum Step {
    case take(FailedMutation)
    case wait(Promise<Void>)
    case end
  }

  private static let capacity = 256
  private let status = Lock(Status())

  var count: Int { status.withLock { $0.failures.count } }

  func add(_ failure: FailedMutation) {
    // The dropped one is released outside the lock: it may be the last reference to a resource.
    let (change, _) = status.withLock { status in
      status.failures.append(failure)
      let isFull = status.failures.count > Self.capacity
      return (status.takeChange(), isFull ? status.failures.removeFirst() : nil)
    }
    change?.fulfil(())
  }

  func close() {
    let change = status.withLock { status in
      status.isClosed = true
      return status.takeChange()
    }
    change?.fulfil(())
  }

  /// Waits for a failure and removes it; returns nil when the waiting task is cancelled, or there
  /// will be none.
  func next() async -> FailedMutation? {
    while true {
      switch nextStep() {
      case .take(let failure): return failure
      case .wait(let change): guard await change.isReached() else { return nil }
      case .end: return nil
      }
    }
  }

  private func nextStep() -> Step {
    status.withLock { status in
      if !status.failures.isEmpty { return .take(status.failures.removeFirst()) }
      if status.isClosed { return .end }
      let change = status.change ?? Promise()
      status.change = change
      return .wait(change)
    }
  }
}
