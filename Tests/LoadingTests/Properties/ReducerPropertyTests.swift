import Loading
import Testing

/// The rules of a resource, over random interleavings of loads, answers, mutations and user
/// actions.
///
/// The reducer is compared with ``ReferenceModel`` after every step. A failure prints its seed and
/// the shortest sequence of steps that still fails; passing these steps to
/// ``ReducerHarness/difference(in:errorPolicy:)`` reproduces it.
@Suite struct ReducerPropertyTests {
  @Test(arguments: Shard.all)
  func `the reducer agrees with the reference model, in every order of events`(shard: Shard) async {
    for seed in shard.seeds(of: 100_000) {
      await Task.yield()
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
