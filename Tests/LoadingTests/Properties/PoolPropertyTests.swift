import LoadingTesting
import Observation
import Testing

@testable import Loading

/// A pool in which keys are drawn, shown, changed and removed at random, beside a model of which
/// resources it keeps.
@MainActor
@Suite(.leavesNothingBehind) struct PoolPropertyTests {
  private enum Step: CaseIterable {
    case draw, drawMany, appear, disappear, load, set, mutate, store, refuse, dismiss, invalidate,
      remove
  }

  /// What the pool has to know of a resource.
  private struct Kept {
    let resource: Resource<Int>
    var viewers = 0
    /// The number of the commit that is running.
    var commit: Int?
    var hasFailed = false
  }

  /// The resources that a pool keeps, the least recently shown first.
  private struct Model {
    let capacity: Int
    var order: [Int] = []
    var kept: [Int: Kept] = [:]

    mutating func use(_ key: Int) {
      order.removeAll { $0 == key }
      order.append(key)
    }

    mutating func remove(_ key: Int) {
      order.removeAll { $0 == key }
      kept[key] = nil
    }

    /// Removes what no view shows and nobody has changed; beyond twice the capacity also what could
    /// not be stored.
    mutating func evict() {
      for (limit, keepsFailures) in [(capacity, true), (2 * capacity, false)] {
        for key in order where order.count > limit {
          guard let kept = kept[key], kept.viewers == 0, kept.commit == nil else { continue }
          if !(keepsFailures && kept.hasFailed) { remove(key) }
        }
      }
    }
  }

  @Test(arguments: Shard.all)
  func `a pool keeps what is shown or changed, and of the rest what was shown last`(
    shard: Shard
  ) async {
    for seed in shard.seeds(of: 2_000) {
      await Task.yield()
      run(seed: seed)
    }
  }

  private func run(seed: UInt64) {
    var random = Seeded(seed)
    let runtime = ManualRuntime()
    let commits = ManualCalls<Int, Void>()
    var model = Model(capacity: 1 + random.below(4))
    let pool = ResourcePool<Int, Int>(
      capacity: model.capacity, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { key in key.isMultiple(of: 5) ? .failure(Broken()) : .constant(key) }
    /// Draws some keys at once; what is created then is evicted only after the main actor's current
    /// work.
    func draw(_ keys: Int...) {
      var hasCreated = false
      for key in keys {
        let resource = pool[key]
        if let known = model.kept[key] {
          #expect(known.resource === resource, "one key has one resource")
        } else {
          model.kept[key] = Kept(resource: resource)
          hasCreated = true
        }
        model.use(key)
      }
      runtime.run()
      if hasCreated { model.evict() }
    }
    /// Begins a change of a resource that has none.
    func mutate(_ key: Int) {
      guard let kept = model.kept[key], kept.commit == nil, !kept.hasFailed else { return }
      kept.resource.set(.loaded(key))
      kept.resource.mutate(apply: { $0 += 1 }, commit: { try await commits.call($0) })
      runtime.run()
      model.kept[key]?.commit = commits.count - 1
    }
    var story: [String] = []
    for _ in 0..<60 {
      let step = Step.allCases[random.below(Step.allCases.count)]
      let isKnown = !model.order.isEmpty && random.chance(60)
      let key = isKnown ? model.order[random.below(model.order.count)] : random.below(9)
      story.append("\(step) \(key)")
      let before = pool.counts
      let wasNotified = Lock(false)
      withObservationTracking {
        _ = pool.counts
      } onChange: {
        wasNotified.withLock { $0 = true }
      }
      switch step {
      case .draw: draw(key)
      case .drawMany: draw(key, key + 1, key + 2)
      case .appear:
        // Drawn and shown in one turn, so that it is never without a viewer when others are evicted.
        let resource = pool[key]
        if model.kept[key] == nil { model.kept[key] = Kept(resource: resource) }
        model.kept[key]?.viewers += 1
        model.use(key)
        resource.appear()
        model.evict()
      case .disappear:
        guard let kept = model.kept[key], kept.viewers > 0 else { continue }
        model.kept[key]?.viewers -= 1
        kept.resource.disappear()
        model.use(key)
        model.evict()
      case .load: model.kept[key]?.resource.load()
      case .set:
        let states: [LoadingState<Int>] = [.idle, .loading(nil), .failed(Broken()), .loaded(key)]
        // A resource without a value has no pending mutations.
        if model.kept[key]?.commit == nil, model.kept[key]?.hasFailed == false {
          model.kept[key]?.resource.set(states[random.below(states.count)])
        }
      case .mutate: mutate(key)
      case .store, .refuse:
        mutate(key)
        guard let commit = model.kept[key]?.commit else { continue }
        if step == .store { commits[commit].succeed() } else { commits[commit].fail(Broken()) }
        model.kept[key]?.commit = nil
        model.kept[key]?.hasFailed = step == .refuse
      case .dismiss:
        guard let kept = model.kept[key], kept.hasFailed else { continue }
        for failed in kept.resource.failedMutations { kept.resource.dismissMutation(failed.id) }
        model.kept[key]?.hasFailed = false
      case .invalidate: pool.invalidate(key)
      case .remove:
        if let commit = model.kept[key]?.commit { commits[commit].succeed() }
        pool.remove(key)
        model.remove(key)
      }
      runtime.run()
      let difference = difference(
        model, pool, isSilent: pool.counts != before && !wasNotified.withLock { $0 })
      #expect(difference == nil, "seed \(seed): \(story.joined(separator: ", "))")
      if difference != nil { break }
    }
    commits.end()
    runtime.run()
  }

  private func difference(
    _ model: Model, _ pool: ResourcePool<Int, Int>, isSilent: Bool
  ) -> String? {
    for key in 0..<12 where pool.resource(ifPresent: key) !== model.kept[key]?.resource {
      return "\(key) should \(model.kept[key] == nil ? "not " : "")be there"
    }
    var counts: [LoadingKind: Int] = [:]
    for kept in model.kept.values { counts[kept.resource.truth.signature.kind, default: 0] += 1 }
    let known = [pool.counts.idle, pool.counts.loading, pool.counts.failed, pool.counts.loaded]
    let expected = [LoadingKind.idle, .loading, .failed, .loaded].map { counts[$0] ?? 0 }
    if known != expected { return "the counts are \(known), not \(expected)" }
    return isSilent ? "nobody was told of the new counts" : nil
  }
}
