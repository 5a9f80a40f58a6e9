/// A mutation that could not be stored, kept to be retried or dismissed.
///
/// It outlives the screen that made it, and is retried with the arguments that it had. One from an
/// inbox keeps its resource alive, because its screen may have been left.
public struct FailedMutation: Sendable {
  /// The number of the mutation.
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
  ///   toasts.show(failure.error, retry: failure.retry)
  /// }
  /// ```
  @MainActor
  public final class Inbox {
    /// The failures, each once, for one reader; at most the newest 256 are buffered.
    public let failures: AsyncStream<FailedMutation>
    private let continuation: AsyncStream<FailedMutation>.Continuation

    /// Creates an empty inbox.
    public init() {
      (failures, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    deinit {
      continuation.finish()
    }

    func deliver(_ failure: FailedMutation) {
      continuation.yield(failure)
    }
  }
}
