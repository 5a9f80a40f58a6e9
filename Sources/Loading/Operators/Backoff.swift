/// How long to wait before the next attempt: exponential, with full jitter, so that many clients
/// that failed together do not come back together; or by a function.
public struct Backoff: Sendable {
  /// How long to wait after the given attempt, counted from 1, has failed.
  public let delay: @Sendable (_ attempt: Int) -> Duration

  /// Waits as long as a function says.
  ///
  /// ```swift
  /// let patient = loader.retrying(limit: 5, backoff: Backoff { attempt in .seconds(attempt * 10) })
  /// ```
  ///
  /// - Parameter delay: given the number of the attempt that failed, from 1, how long to wait.
  public init(_ delay: @escaping @Sendable (_ attempt: Int) -> Duration) {
    self.delay = delay
  }

  /// - Parameters:
  ///   - base: the most that is waited before the second attempt.
  ///   - factor: by what the most grows with each attempt.
  ///   - maximum: the most that is ever waited.
  ///   - random: gives a random number in 0..<1; a test gives a known one.
  public init(
    base: Duration = .milliseconds(500), factor: Double = 2, maximum: Duration = .seconds(30),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.init { attempt in
      var most = base
      for _ in 1..<max(1, attempt) where most < maximum { most = most * factor }
      return min(most, maximum) * min(max(random(), 0), 1)
    }
  }

  /// No wait at all.
  public static let none = Backoff { _ in .zero }
}
