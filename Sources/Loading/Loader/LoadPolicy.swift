/// What a load does while another one runs.
public enum LoadPolicy: Hashable, Sendable {
  /// Waits with the running one; what runs is not disturbed.
  case join
  /// Cancels the running one and starts anew.
  case restart
  /// Is ignored.
  case drop
  /// Runs after the running one; of several that wait, only the newest does.
  case keepLatest
}

/// Why a load was started.
public enum LoadCause: Hashable, Sendable {
  /// Its content came on the screen.
  case appeared
  /// A person asked for it.
  case person
  /// What is to be loaded changed.
  case inputChanged
  /// A person asked again after a failure.
  case retry
  /// A mutation overlapped the load before it.
  case mutation
  /// Time passed: the interval of a refresh, or content gone stale.
  case refresh
}

/// What a failure after a success does to the value on the screen.
public enum ErrorPolicy: Hashable, Sendable {
  /// The value stays valid, with the failure beside it.
  case keep
  /// The failure takes the screen; the value is not valid until the next success.
  case replace
}
