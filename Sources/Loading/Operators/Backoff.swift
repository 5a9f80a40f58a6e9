/// How long to wait before the next attempt: exponential, with full jitter, so that many clients
/// that failed together do not come back together.
public struct Backoff: Sendable {
  /// The most that is waited before the second attempt.
  public var base: Duration
  /// By what the most grows with each attempt.
  public var factor: Double
  /// The most that is ever waited.
  public var maximum: Duration
  /// A random number in 0..<1.
  public var random: @Sendable () -> Double

  /// - Parameters:
  ///   - base: the most that is waited before the second attempt.
  ///   - factor: by what the most grows with each attempt.
  ///   - maximum: the most that is ever waited.
  ///   - random: gives a random number in 0..<1; a test gives a known one.
  public init(
    base: Duration = .milliseconds(500), factor: Double = 2, maximum: Duration = .seconds(30),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.base = base
    self.factor = factor
    self.maximum = maximum
    self.random = random
  }

  /// No wait at all.
  public static let none = Backoff(base: .zero, maximum: .zero, random: { 0 })

  /// How long to wait after the given attempt, counted from 1, has failed.
  public func delay(after attempt: Int) -> Duration {
    var most = base
    for _ in 1..<max(1, attempt) where most < maximum { most = most * factor }
    return min(most, maximum) * min(max(random(), 0), 1)
  }
}
