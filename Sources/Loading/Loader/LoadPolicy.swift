/// What happens to a load that is started while another one runs.
///
/// A refresh that is paused by a gate counts as running for other refreshes only: any other load
/// replaces it and starts at once. A load by the user replaces every paused load.
public enum LoadPolicy: Hashable, Sendable {
  /// It joins the running load and shares its answer.
  case join
  /// It cancels the running load and starts.
  case restart
  /// It is ignored.
  case drop
  /// It runs after the running load, or after the first value of a subscription; of several that
  /// wait, only the newest runs.
  case keepLatest
}

extension LoadActivity {
  /// Why a load was started.
  public enum Cause: Hashable, Sendable {
    /// A view that shows its content appeared.
    case appeared
    /// The user started it.
    case user
    /// The input of the load changed, for example the text of a search.
    case inputChanged
    /// The user retried it after a failure.
    case retry
    /// A mutation overlapped the previous load.
    case mutation
    /// The loaded value was invalidated, see ``Resource/invalidate()``.
    case invalidated
    /// The interval of a refresh has passed, or the value has gone stale.
    case refresh

    /// Whether neither the user nor the input has caused it.
    var isAutomatic: Bool {
      switch self {
      case .appeared, .mutation, .invalidated, .refresh: true
      case .user, .inputChanged, .retry: false
      }
    }
  }
}

/// What a failure after a success does to the value on the screen.
public enum ErrorPolicy: Hashable, Sendable {
  /// The value stays on the screen, with the failure beside it.
  case keep
  /// The failure replaces the value on the screen until the next success.
  case replace
}

/// When a resource is loaded again automatically, which happens only while a view shows it.
public struct Refreshing: Hashable, Sendable {
  /// The time from the end of a load to the start of the next, at least a tenth of a second; nil for
  /// no further loads.
  ///
  /// Each failure in a row doubles it, up to eight times the interval, to spare a server in
  /// trouble. A success resets it. An error's ``RetryAdvice/retryAfter`` can make it longer. The
  /// interval goes on after an error whose ``RetryAdvice/isRetryable`` is false, too: a later load
  /// is not another attempt of the failed one.
  public var interval: Duration?
  /// The age from which a value is loaded again when a view appears; nil for never.
  ///
  /// If a view shows it already, it is loaded again when a gate of
  /// ``LoadScheduler/refreshing(whileOpen:)`` opens, for example because the user or the network is
  /// back. What has failed is then loaded again whatever its age, if its error allows that.
  ///
  /// A failed load does not change the age. If its error has a ``RetryAdvice/retryAfter``, the next
  /// load waits until that time has passed, and starts then without another view or gate.
  public var staleAfter: Duration?

  /// Creates a rule; without arguments, nothing is loaded again.
  public init(interval: Duration? = nil, staleAfter: Duration? = nil) {
    self.interval = interval
    self.staleAfter = staleAfter
  }

  /// Returns how long to wait for the next load after `count` failures in a row.
  func wait(_ interval: Duration, afterFailures count: Int) -> Duration {
    max(interval, .milliseconds(100)) * (1 << min(count, 3))
  }

  /// Nothing is loaded again automatically.
  public static let never = Refreshing()
}
