import Testing

@testable import Loading

/// The gate, compared with a simulated indicator that is switched on and off tick by tick.
@Suite struct IndicatorGatePropertyTests {
  private static let tick = 10

  /// Random loads over content: when each began and ended.
  private func loads(_ random: inout Seeded) -> [Range<Int>] {
    var loads: [Range<Int>] = []
    var time = 0
    for _ in 0..<1 + random.below(IndicatorGate.Timing.capacity) {
      let start = time + Self.tick * (1 + random.below(60))
      let end = start + Self.tick * (1 + random.below(60))
      loads.append(start..<end)
      time = end
    }
    return loads
  }

  /// Whether the simulated indicator is on at each tick.
  private func simulated(_ loads: [Range<Int>], until end: Int) -> [Bool] {
    var isOn = false
    var onSince = 0
    return stride(from: 0, to: end, by: Self.tick).map { now in
      // A load that ends at the moment at which the indicator is due is shown.
      if !isOn,
        let load = loads.first(where: { $0.lowerBound + 200 <= now && now <= $0.upperBound })
      {
        isOn = true
        onSince = load.lowerBound + 200
      }
      let isLoading = loads.contains { $0.contains(now) }
      if !isLoading, isOn, now - onSince >= 400 { isOn = false }
      return isOn
    }
  }

  private func timing(_ loads: [Range<Int>], at now: Int) -> IndicatorGate.Timing {
    var timing = IndicatorGate.Timing()
    for load in loads where load.lowerBound <= now {
      timing.note(isLoading: true, hasContent: true, at: .ms(load.lowerBound))
      if load.upperBound <= now {
        timing.note(isLoading: false, hasContent: true, at: .ms(load.upperBound))
      }
    }
    return timing
  }

  @Test(arguments: Shard.all)
  func `a first load is timed apart from a load over content`(
    shard: Shard
  ) async {
    for seed in shard.seeds(of: 200) {
      await Task.yield()
      timeLoads(seed: seed)
    }
  }

  private func timeLoads(seed: UInt64) {
    enum Moment { case rest, first, reload }
    var random = Seeded(seed)
    var timing = IndicatorGate.Timing()
    var (moment, since) = (Moment.rest, 0)
    for step in 0..<100 {
      let (isLoading, hasContent) = (random.chance(60), random.chance(50))
      timing.note(isLoading: isLoading, hasContent: hasContent, at: .ms(step))
      let next: Moment = !isLoading ? .rest : hasContent ? .reload : .first
      if next != moment { (moment, since) = (next, step) }
      #expect(timing.waitingSince == (moment == .first ? .ms(since) : nil), "step \(step)")
      let running = timing.reloads.filter { $0.end == nil }.map(\.start)
      #expect(running == (moment == .reload ? [.ms(since)] : []), "step \(step)")
    }
  }

  @Test(arguments: Shard.all)
  func `an indicator is on when a simulated one is, and says when that changes`(
    shard: Shard
  ) async throws {
    for seed in shard.seeds(of: 200) {
      await Task.yield()
      try compareWithSimulation(seed: seed)
    }
  }

  private func compareWithSimulation(seed: UInt64) throws {
    var random = Seeded(seed)
    let gate = IndicatorGate()
    let loads = loads(&random)
    let end = (loads.last?.upperBound ?? 0) + 1000
    let expected = simulated(loads, until: end)
    for (index, isOn) in expected.enumerated() {
      let now = index * Self.tick
      let facts = timing(loads, at: now)
      let indication = gate.indicator(for: facts, at: .ms(now))
      try #require(indication.isVisible == isOn, "seed \(seed), \(loads), at \(now)")
      guard let change = indication.changesAt else { continue }
      try #require(change > .ms(now))
      let before = AnyClock.Instant(offset: change.offset - .milliseconds(1))
      let unchanged = gate.indicator(for: facts, at: before).isVisible
      try #require(unchanged == isOn)
      let changed = gate.indicator(for: facts, at: change).isVisible
      try #require(changed != isOn)
    }
  }
}
