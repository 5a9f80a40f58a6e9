import Foundation

/// How long a feed is left alone that keeps failing.
enum FailurePause {
  static let first: TimeInterval = 300
  static let longest: TimeInterval = 86_400

  /// Twice as long after every failure.
  ///
  /// - Parameter chance: 0..<1. Makes it up to a quarter shorter or longer, so that feeds which
  ///   failed together, as with the network, are not asked for together again and again.
  static func seconds(
    failures: Int, chance: Double, first: TimeInterval = first
  ) -> TimeInterval {
    let doublings = min(max(failures, 1) - 1, 20)
    return min(first * Double(1 << doublings), longest) * (0.75 + chance / 2)
  }
}
