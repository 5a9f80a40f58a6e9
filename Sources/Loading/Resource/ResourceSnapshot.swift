extension Resource {
  /// The state of a resource at one moment, and what is happening to it.
  public struct Snapshot: Sendable, Identifiable {
    /// The identity of the resource.
    public let id: ObjectIdentifier
    /// The name of the resource.
    public let name: String
    /// The state that a view switches over, see ``Resource/state``.
    public let state: LoadingState<Value>
    /// The running load; nil if there is none.
    public let activity: LoadActivity?
    /// The progress of the running load.
    public let progress: LoadingProgress?
    /// The last failure; nil after a success.
    public let failure: LoadFailure?
    /// When the value was loaded, see ``Resource/loadedAt``.
    public let loadedAt: AnyClock.Instant?
    /// The ticket of the newest load, or of the newest state that was set; nil before the first.
    public let ticket: LoadActivity.Ticket?
    /// The number of mutations that are not stored yet.
    public let pendingMutationCount: Int
    /// The number of mutations that could not be stored, and can be retried or dismissed.
    public let failedMutationCount: Int
    /// Whether a view shows the resource.
    public let isShown: Bool
    /// Whether the resource has a loader, and so can be loaded again.
    public let canReload: Bool

    /// The state in which every load and every failure replaces the value, see
    /// ``Resource/strictState``.
    public var strictState: LoadingState<Value> {
      if activity?.isLoading == true { return .loading(progress) }
      return failure.map { .failed($0.error) } ?? state
    }
  }
}

extension Resource {
  func snapshot<Shown: Sendable>(_ show: (Value) -> Shown) -> Resource<Shown>.Snapshot {
    Resource<Shown>.Snapshot(
      id: ObjectIdentifier(self), name: name, state: projection.map(show),
      activity: truth.activity, progress: truth.progress, failure: truth.failure,
      loadedAt: truth.loadedAt,
      ticket: truth.lastTicket.number == 0 ? nil : truth.lastTicket,
      pendingMutationCount: truth.log.pendingCount,
      failedMutationCount: truth.log.failed.count, isShown: isShown,
      canReload: truth.loader != nil)
  }
}
