/// A failed mutation as it is shown to the user: once, whatever is on the screen by then.
public struct MutationFailure: Sendable {
  /// What failed.
  public let mutation: FailedMutation
  /// Begins the mutation again with what it was given.
  public let retry: @MainActor @Sendable () -> Void
  /// Forgets the mutation.
  public let dismiss: @MainActor @Sendable () -> Void
  /// Whether it still stands: not once it was tried again or dismissed, wherever that was done, or
  /// a newer change of the same field was stored.
  ///
  /// A view that reads it is drawn again when it changes.
  public let isCurrent: @MainActor @Sendable () -> Bool
}

/// Collects the failed mutations of many resources, each once, also after the screen that made them
/// was left.
///
/// ```swift
/// for await failure in inbox.failures {
///   toasts.show(failure.mutation.error, retry: failure.retry)
/// }
/// ```
@MainActor
public final class MutationFailureInbox {
  /// The failures, each delivered once, to one reader; the newest 256 wait for it.
  public let failures: AsyncStream<MutationFailure>
  private let continuation: AsyncStream<MutationFailure>.Continuation

  /// An empty inbox.
  public init() {
    (failures, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  deinit {
    continuation.finish()
  }

  func deliver(_ failure: MutationFailure) {
    continuation.yield(failure)
  }
}
