import Loading
import LoadingTesting
import Synchronization
import Testing

/// Changes of one field at random times, with a minimum time between their commits.
@MainActor
@Suite(.leavesNothingBehind) struct ThrottlePropertyTests {
  private static let throttle = Duration.milliseconds(250)

  /// A store that takes a random time for each commit, and sometimes fails.
  private final class Store: Sendable {
    struct Contents {
      var begun: [(value: Int, at: AnyClock.Instant)] = []
      var value = 0
      var random: Seeded
    }

    let contents: Mutex<Contents>
    private let clock: AnyClock

    init(_ seed: UInt64, clock: AnyClock) {
      contents = Mutex(Contents(random: Seeded(seed)))
      self.clock = clock
    }

    func store(_ value: Int) async throws {
      let (time, fails) = contents.withLock { contents in
        contents.begun.append((value, clock.now))
        let slow = contents.random.below(10) == 0
        return (contents.random.below(slow ? 900 : 30), contents.random.below(8) == 0)
      }
      if time > 0 { try await clock.sleep(for: .milliseconds(time)) }
      if fails { throw Broken() }
      contents.withLock { $0.value = value }
    }
  }

  @Test(arguments: Shard.all)
  func `commits keep their distance, a single change does not wait, and the latest is stored`(
    shard: Shard
  ) async throws {
    for seed in shard.seeds(of: 100) {
      await Task.yield()
      try run(seed: seed)
    }
  }

  private func run(seed: UInt64) throws {
    var random = Seeded(seed)
    let runtime = ManualRuntime()
    let store = Store(seed, clock: runtime.clock.any)
    let resource = runtime.resource(initialState: .loaded(0))
    var changes: [AnyClock.Instant] = []
    for value in 1...60 {
      // As while the user holds a key down, with pauses.
      runtime.advance(
        by: .milliseconds(random.below(8) == 0 ? 200 + random.below(1_500) : random.below(40)))
      changes.append(runtime.clock.now)
      resource.mutate(field: "value", throttle: Self.throttle) {
        $0 = value
      } commit: {
        try await store.store($0)
      }
      #expect(resource.latestValue == value, "seed \(seed)")
      runtime.run()
    }
    let atTheEnd = random.below(2) == 0
    if atTheEnd { resource.commitHeldMutations() }
    runtime.advance(by: .seconds(4))

    let begun = store.contents.withLock(\.begun)
    try #require(begun.last?.value == 60, "seed \(seed)")
    for (before, after) in zip(begun, begun.dropFirst()) {
      let isHurried = atTheEnd && after.value == 60
      let distance = before.at.duration(to: after.at)
      #expect(distance >= Self.throttle || isHurried, "seed \(seed): \(before), \(after)")
      #expect(after.value > before.value, "seed \(seed): \(before), \(after)")
    }
    for (value, time) in zip(1..., changes) {
      // Its commit, or that of a newer change, has begun when the time after the one before is
      // over and that one has ended.
      let earlier = begun.last { $0.value < value }
      let due = max(time, earlier.map { $0.at.advanced(by: Self.throttle) } ?? time)
      let late = due.advanced(by: .milliseconds(901))
      let taken = try #require(begun.first { $0.value >= value })
      #expect(taken.at <= late, "seed \(seed): \(value)")
    }
    // The latest change is stored, unless its commit failed: then it can be retried.
    let stored = store.contents.withLock(\.value)
    #expect(stored == 60 || !resource.failedMutations.isEmpty, "seed \(seed)")
    #expect(stored == resource.latestValue, "seed \(seed)")
  }

  @Test func `a single change is committed at once, and the next one when its time is over`() {
    let runtime = ManualRuntime()
    let store = Store(0, clock: runtime.clock.any)
    let resource = runtime.resource(initialState: .loaded(0))
    func change(to value: Int) {
      resource.mutate(field: "value", throttle: Self.throttle) {
        $0 = value
      } commit: {
        try await store.store($0)
      }
      runtime.run()
    }
    change(to: 1)
    runtime.advance(by: .milliseconds(100))
    change(to: 2)
    change(to: 3)
    runtime.advance(by: .milliseconds(600))
    change(to: 4)
    let begun = store.contents.withLock(\.begun)
    #expect(begun.map(\.value) == [1, 3, 4])
    #expect(begun.map(\.at.offset) == [.zero, .milliseconds(250), .milliseconds(700)])
    runtime.advance(by: .seconds(2))
  }
}
