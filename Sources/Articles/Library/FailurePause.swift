import Foundation

/// Computes how long a failing feed is not fetched.
enum FailurePause {
  static let first: TimeInterval = 300
  static let longest: TimeInterval = 86_400

  /// Returns the pause in seconds, which doubles with every failure.
  ///
  /// - Parameter chance: in 0..<1. Makes the pause up to a quarter shorter or longer, so that feeds
  ///   which failed together, for example without a network, are not all fetched together again.
  static func seconds(
    failures: Int, chance: Double, first: TimeInterval = first
  ) -> TimeInterval {
    let doublings = min(max(failures, 1) - 1, 20)
    return min(first * Double(1 << doublings), longest) * (0.75 + chance / 2)
  }
}
