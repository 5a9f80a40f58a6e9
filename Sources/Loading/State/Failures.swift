/// A failure that can be shown to the user.
public struct LoadFailure: Sendable {
  /// The error of the load.
  public let error: any Error
  /// How many loads in a row have failed, including this one.
  ///
  /// In the failure of an attempt, the load that is being retried does not count.
  public let failureCount: Int
  /// When it failed, on the resource's clock.
  public let at: AnyClock.Instant

  /// Creates a failure, for an object of your own.
  public init(error: any Error, failureCount: Int = 1, at: AnyClock.Instant) {
    self.error = error
    self.failureCount = failureCount
    self.at = at
  }
}

/// An error of this library, as opposed to those of your loaders and commits.
public enum LoadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A load took longer than its limit, see ``Loader/timeout(_:)``.
  case timeout(limit: Duration)
  /// A loader ended without a value.
  case noValue
  /// The value that a mutation changed was reset before the change was stored.
  case valueReset
  /// The element that a mutation changed was no longer in the value when it was to be stored.
  case elementGone

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .timeout(let limit): "No answer within \(limit)."
    case .noValue: "There was nothing to load."
    case .valueReset: "The change was not stored before its content was reset."
    case .elementGone: "The change was not stored, because its item is not in the list any more."
    }
  }
}
