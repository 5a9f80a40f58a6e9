/// What a load does while another one runs.
public enum LoadPolicy: Hashable, Sendable {
  /// Shares the running load and its answer.
  case join
  /// Cancels the running one and starts again.
  case restart
  /// Is ignored.
  case drop
  /// Runs after the running one; of several that wait, only the newest does.
  case keepLatest
}

extension LoadActivity {
  /// Why a load was started.
  public enum Cause: Hashable, Sendable {
    /// A view of its content appeared.
    case appeared
    /// The user started it.
    case user
    /// What is to be loaded changed.
    case inputChanged
    /// The user retried it after a failure.
    case retry
    /// A mutation overlapped the load before it.
    case mutation
    /// What was loaded has changed since, see ``Resource/invalidate()``.
    case invalidated
    /// Time passed: the interval of a refresh, or content gone stale.
    case refresh
  }
}

/// What a failure after a success does to the value on the screen.
public enum ErrorPolicy: Hashable, Sendable {
  /// The value stays valid, with the failure beside it.
  case keep
  /// The failure takes the screen; the value is not valid until the next success.
  case replace
}

/// When a resource is loaded again by itself, which happens only while a view shows it.
public struct Refreshing: Hashable, Sendable {
  /// How long after a load has ended the next one starts; nil for never.
  ///
  /// Every failure in a row doubles it, up to eight times, so that a server in trouble is left in peace;
  /// a success brings it back.
  public var interval: Duration?
  /// How old the value must be to be loaded again when a view of it appears; nil for never.
  ///
  /// While a view shows it, it is loaded again, too, when a gate of ``LoadScheduler/refreshing(whileOpen:)``
  /// opens: the user is back, or the network is.
  ///
  /// A failed load does not make it younger.
  public var staleAfter: Duration?

  /// Never, unless told when.
  public init(interval: Duration? = nil, staleAfter: Duration? = nil) {
    self.interval = interval
    self.staleAfter = staleAfter
  }

  /// How long to wait for the next load after so many failures in a row.
  func wait(_ interval: Duration, afterFailures count: Int) -> Duration {
    interval * (1 << min(count, 3))
  }

  /// Only when the user asks.
  public static let never = Refreshing()
}
