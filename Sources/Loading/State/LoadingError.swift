/// Why something failed that did not fail by itself.
public enum LoadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A load took longer than its limit, see ``Loader/timeout(_:)``.
  case timeout(limit: Duration)
  /// A loader ended without a value.
  case noValue
  /// The value that a mutation changed was reset before the change was stored.
  case valueReset

  /// What happened, in a sentence.
  public var description: String {
    switch self {
    case .timeout(let limit): "No answer within \(limit)."
    case .noValue: "There was nothing to load."
    case .valueReset: "The change was not stored before its content was reset."
    }
  }
}
