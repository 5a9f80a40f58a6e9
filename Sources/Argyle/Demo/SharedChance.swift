import Synchronization

/// A seeded generator of random numbers that several tasks share.
final class SharedChance: Sendable {
  private let generator: Mutex<SplitMix>

  init(seed: UInt64) { generator = Mutex(SplitMix(seed: seed)) }

  /// Returns a number in 0..<1.
  func next() -> Double { generator.withLock { $0.fraction() } }
}

/// SplitMix64: the same numbers for the same seed, on every machine.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
