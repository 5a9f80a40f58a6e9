/// How far a load has come, as far as it is known.
public struct LoadingProgress: Hashable, Sendable {
  /// What is being done, in words for the user: "3 of 20 feeds".
  public let message: String?
  /// How much is done, 0...1; nil when unknown.
  public let fraction: Double?

  /// Clamps `fraction` to 0...1; a fraction that is not a number is unknown.
  public init(message: String? = nil, fraction: Double? = nil) {
    self.message = message
    self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
  }

  /// Counts what is done; `total` of zero is unknown.
  public init(message: String? = nil, completed: Int, of total: Int) {
    self.init(message: message, fraction: total > 0 ? Double(completed) / Double(total) : nil)
  }

  /// The fraction as a whole number 0...100, rounded down, so that 100 means finished.
  public var percent: Int? {
    // 29 of 100 is a little less than 0.29, and a hundred times that less than 29.
    fraction.map { $0 < 1 ? min(99, Int($0 * 100 + 1e-9)) : 100 }
  }

  /// The next progress of the same attempt: a fraction never goes backwards or back to unknown.
  func advanced(to next: LoadingProgress) -> LoadingProgress {
    guard let fraction else { return next }
    return LoadingProgress(
      message: next.message, fraction: max(fraction, next.fraction ?? fraction))
  }
}
