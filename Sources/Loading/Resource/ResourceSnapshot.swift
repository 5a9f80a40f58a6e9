extension Resource {
  /// A resource at one moment: what it shows, and what is happening to it.
  public struct Snapshot: Sendable, Identifiable {
    /// Which resource of the process it is.
    public let id: ObjectIdentifier
    /// The name of the resource.
    public let name: String
    /// What a view switches over.
    public let state: LoadingState<Value>
    /// What runs; nil when nothing does.
    public let activity: LoadActivity?
    /// How far the running load has come.
    public let progress: LoadingProgress?
    /// The last failure, unless a value came after it.
    public let failure: LoadFailure?
    /// When the value came, on the resource's clock; nil when there is none.
    public let loadedAt: AnyClock.Instant?
    /// The last load that was started, or state that was set; nil before the first.
    public let ticket: LoadActivity.Ticket?
    /// How many mutations are not stored yet.
    public let pendingMutationCount: Int
    /// How many mutations could not be stored, and wait to be retried or dismissed.
    public let failedMutationCount: Int
    /// Whether a view of it is on the screen.
    public let isShown: Bool
    /// Whether there is a loader, so that it can be loaded again.
    public let canReload: Bool
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
