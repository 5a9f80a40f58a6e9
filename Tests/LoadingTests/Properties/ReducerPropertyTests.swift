import Loading
import Testing

/// Every rule, over every interleaving that chance finds.
///
/// A failure prints its seed and the shortest sequence that still shows it; `difference(in:)` with
/// these steps shows it again.
@Suite struct ReducerPropertyTests {
  static let shards: [UInt64] = Array(0..<10)
  static let sequencesPerShard: UInt64 = 10_000

  @Test(arguments: shards)
  func `the reducer does what the log says, in every order of events`(shard: UInt64) async {
    for number in 0..<Self.sequencesPerShard {
      // Tests that talk to a real server, or wait for real tasks, share these threads: a minute's
      // calculation would make every one of them late.
      await Task.yield()
      let seed = shard * Self.sequencesPerShard + number
      let policy: ErrorPolicy = seed.isMultiple(of: 4) ? .replace : .keep
      let steps = Step.sequence(seed: seed, longest: 20)
      guard ReducerHarness.difference(in: steps, errorPolicy: policy) != nil else { continue }
      let short = shrunk(steps) {
        ReducerHarness.difference(in: $0, errorPolicy: policy) != nil
      }
      let difference = ReducerHarness.difference(in: short, errorPolicy: policy) ?? "none"
      Issue.record("\(report(seed: seed, steps: short, difference: difference)) (\(policy))")
      return
    }
  }
}
