extension LoadingObserver {
  /// An event of a ``Resource`` or a ``MutationOutbox``, with its load and time.
  public struct Record: Sendable {
    /// An event of a ``Resource`` or a ``MutationOutbox``.
    public enum Event: Sendable {
      /// A load was started.
      case started(LoadActivity.Cause)
      /// A load was requested and joined the running one.
      case joined(LoadActivity.Cause)
      /// A load was requested and ignored.
      case dropped(LoadActivity.Cause)
      /// A load was requested and runs after the running one.
      case queued(LoadActivity.Cause)
      /// A load reported its progress.
      case progressed(LoadingProgress)
      /// Another attempt began.
      case attempted(Int)
      /// An attempt failed, and another follows.
      case attemptFailed(any Error)
      /// The load was paused for this reason, see ``LoadActivity/Phase/paused(reason:)``.
      case paused(String)
      /// The load continued after a pause.
      case resumed
      /// A value was found in a ``LoadCache``.
      case foundInCache
      /// The load yielded a value and continues.
      case yielded
      /// The load succeeded.
      case finished
      /// The load failed.
      case failed(any Error)
      /// The load was cancelled, or given up because its viewers had left.
      case cancelled
      /// An event of a load was ignored, because a newer load has replaced it or a commit
      /// overlapped it.
      case discarded
      /// A state was set, see ``Resource/set(_:)``.
      case published
      /// The resource was reset, see ``Resource/reset()``.
      case reset
      /// A mutation began.
      case mutated(PendingMutation.ID)
      /// A mutation was written to a ``MutationJournal``.
      case kept(PendingMutation.ID)
      /// A mutation was stored.
      case committed(PendingMutation.ID)
      /// An attempt to store a mutation failed, and another follows, see
      /// ``Mutation/committing(by:)``.
      case commitAttemptFailed(PendingMutation.ID, any Error)
      /// A mutation could not be stored and was rolled back.
      case commitFailed(PendingMutation.ID, any Error)
      /// A mutation was undone before it was committed.
      case undone(PendingMutation.ID)
      /// A ``MutationOutbox`` has sent the change with this key.
      case delivered(String)
      /// An attempt of a ``MutationOutbox`` to send the change with this key has failed; the last
      /// one if `isFinal`.
      case deliveryFailed(String, any Error, isFinal: Bool)
    }

    /// What happened.
    public let event: Event
    /// The load of the event; nil if it is not about a load.
    public let ticket: LoadActivity.Ticket?
    /// When it happened, on the resource's clock.
    public let at: AnyClock.Instant
    /// How long the load had run, the mutation had been pending, or the attempt to send a change
    /// took; nil if there was none of them.
    public let elapsed: Duration?
  }
}
