/// How far a load has come.
public struct LoadingProgress: Hashable, Sendable {
  /// What is being done, for the user: "3 of 20 feeds".
  public let message: String?
  /// How much is done, from 0 to 1; nil if unknown.
  public let fraction: Double?

  /// Creates a progress; `fraction` is clamped to 0...1, and NaN counts as unknown.
  public init(message: String? = nil, fraction: Double? = nil) {
    self.message = message
    self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
  }

  /// Creates a progress from a count; if `total` is not positive, the fraction is unknown.
  public init(message: String? = nil, completed: Int, of total: Int) {
    self.init(message: message, fraction: total > 0 ? Double(completed) / Double(total) : nil)
  }

  /// The fraction in percent, rounded down, so that 100 means finished; nil if unknown.
  public var percent: Int? {
    // As a Double, 0.29 * 100 is a little less than 29.
    fraction.map { $0 < 1 ? min(99, Int($0 * 100 + 1e-9)) : 100 }
  }

  /// Returns the next progress of the same attempt, whose fraction is neither lower nor unknown,
  /// and whose message is the last one: an empty one removes the message before it.
  func advanced(to next: LoadingProgress) -> LoadingProgress {
    LoadingProgress(
      message: next.message ?? message,
      fraction: next.fraction.map { max($0, fraction ?? 0) } ?? fraction)
  }

  /// The progress as it is shown: with no message instead of an empty one.
  var shown: LoadingProgress {
    LoadingProgress(message: message == "" ? nil : message, fraction: fraction)
  }
}
