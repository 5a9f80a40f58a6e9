extension FailedMutation {
  /// Collects the failed mutations of many resources, each once, also after the screen that made them
  /// was left.
  ///
  /// ```swift
  /// for await failure in inbox.failures {
  ///   toasts.show(failure.error, retry: failure.retry)
  /// }
  /// ```
  @MainActor
  public final class Inbox {
    /// The failures, each delivered once, to one reader; the newest 256 wait for it.
    public let failures: AsyncStream<FailedMutation>
    private let continuation: AsyncStream<FailedMutation>.Continuation

    /// An empty inbox.
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
