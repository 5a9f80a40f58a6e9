import Loading
import Testing

/// The same rules for a whole resource, whose tasks run on a serial executor.
///
/// At the end of each sequence no task, timer or resource may be left alive.
@MainActor
@Suite struct ResourcePropertyTests {
  @Test(arguments: Shard.all)
  func `a resource agrees with the reference model, with real tasks`(shard: Shard) async {
    for seed in shard.seeds(of: 5_000) {
      await Task.yield()
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
