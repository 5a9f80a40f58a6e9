import Loading
import Testing

/// The same rules for a whole resource, whose tasks run on a serial executor.
///
/// At the end of each sequence no task, timer or resource may be left alive.
@MainActor
@Suite struct ResourcePropertyTests {
  nonisolated static let shards: [UInt64] = Array(0..<5)
  static let sequencesPerShard: UInt64 = 1_000

  @Test(arguments: shards)
  func `a resource agrees with the reference model, with real tasks`(shard: UInt64) async {
    for number in 0..<Self.sequencesPerShard {
      // Tests that talk to a real server, or wait for real tasks, share these threads. A minute of
      // computation without a pause would make them time out.
      await Task.yield()
      let seed = shard * Self.sequencesPerShard + number
      let policy: ErrorPolicy = seed.isMultiple(of: 4) ? .replace : .keep
      let steps = Step.sequenceWithTurns(seed: seed, longest: 40)
      guard ResourceHarness.difference(in: steps, errorPolicy: policy) != nil else { continue }
      let short = shrunk(steps) {
        ResourceHarness.difference(in: $0, errorPolicy: policy) != nil
      }
      let difference = ResourceHarness.difference(in: short, errorPolicy: policy) ?? "none"
      Issue.record("\(report(seed: seed, steps: short, difference: difference)) (\(policy))")
      return
    }
  }
}
