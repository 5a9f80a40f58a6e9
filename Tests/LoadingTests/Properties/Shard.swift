import Foundation
import Testing

/// A part of the random sequences of a property; the parts run beside each other, or in turn on the
/// main actor.
///
/// `ARGYLE_SEQUENCES=100000` runs that many of every property that has these parts. Between two sequences a test yields:
/// tests that talk to a real server, or wait for real tasks, share the threads, and would time out
/// after a minute of computation without a pause.
struct Shard: Sendable, CustomTestStringConvertible {
  static let all = (0..<4).map { Shard(number: $0) }

  private static let wanted = ProcessInfo.processInfo.environment["ARGYLE_SEQUENCES"]
    .flatMap { UInt64($0) }.map { max(1, $0) }

  let number: UInt64

  var testDescription: String { "shard \(number)" }

  /// The seeds of this part.
  ///
  /// - Parameter count: how many sequences the property has in all parts together, by default.
  func seeds(of count: UInt64) -> StrideTo<UInt64> {
    stride(from: number, to: Self.wanted ?? count, by: Self.all.count)
  }
}
