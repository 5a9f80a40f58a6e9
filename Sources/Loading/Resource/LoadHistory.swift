extension LoadingObserver {
  /// One thing that happened to a ``Resource``, for an inspector.
  public struct Record: Sendable {
    /// What happened.
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
      /// An attempt failed and another follows.
      case attemptFailed(any Error)
      /// A ``LoadGate`` holds the load back, for this reason.
      case paused(String)
      /// The gate has opened.
      case resumed
      /// A value was found in a ``LoadCache``.
      case foundInCache
      /// A value came and the load goes on.
      case yielded
      /// The load ended well.
      case finished
      /// The load failed.
      case failed(any Error)
      /// The load was cancelled.
      case cancelled
      /// Something came from a load that is not the newest, or that a commit overlapped.
      case discarded
      /// A state was set.
      case published
      /// Everything was forgotten.
      case reset
      /// A mutation was begun.
      case mutated(PendingMutation.ID)
      /// A mutation was written into a ``MutationJournal``.
      case kept(PendingMutation.ID)
      /// A mutation was stored.
      case committed(PendingMutation.ID)
      /// A mutation could not be stored and was taken out.
      case commitFailed(PendingMutation.ID, any Error)
      /// A mutation was undone before it was stored.
      case undone(PendingMutation.ID)
    }

    /// What happened.
    public let event: Event
    /// The load it happened to.
    public let ticket: LoadActivity.Ticket?
    /// When, on the resource's clock.
    public let at: AnyClock.Instant
    /// How long the load had run, or the mutation had been pending, by then; nil where it is neither.
    public let elapsed: Duration?
  }
}

/// The newest of many elements.
struct Ring<Element: Sendable>: Sendable {
  let capacity: Int
  private var ring: [Element] = []
  private var oldest = 0

  init(capacity: Int) {
    self.capacity = max(0, capacity)
  }

  /// Those that are kept, oldest first.
  var elements: [Element] {
    Array(ring[oldest...] + ring[..<oldest])
  }

  mutating func append(_ element: Element) {
    guard capacity > 0 else { return }
    if ring.count < capacity {
      // A load has two events at the least, its start and its end.
      if ring.isEmpty { ring.reserveCapacity(min(capacity, 2)) }
      ring.append(element)
    } else {
      ring[oldest] = element
      oldest = oldest + 1 == capacity ? 0 : oldest + 1
    }
  }
}
