import LoadingTesting
import Testing

@testable import Loading

/// Subscriptions and refreshes under gates that open and close at random, with real tasks.
@MainActor
@Suite struct GatePropertyTests {
  private enum Step: CaseIterable {
    case closeNetwork, openNetwork, closeFocus, openFocus, appear, disappear, load, retry, deliver,
      finish,
      fail, wait
  }

  @Test(arguments: Shard.all)
  func `a load behind a closed gate waits, says why, and continues when the gate opens`(
    shard: Shard
  ) async {
    for seed in shard.seeds(of: 300) {
      await Task.yield()
      run(seed: seed)
    }
  }

  private func run(seed: UInt64) {
    var random = Seeded(seed)
    let runtime = ManualRuntime()
    let loads = ManualLoads<Int>()
    let (network, focus) = (LoadGate("offline"), LoadGate("unfocused"))
    let staleAge = Duration.seconds(2)
    let resource = Resource(
      loads.loader.gated(by: network),
      refreshing: Refreshing(
        interval: random.chance(50) ? .seconds(1) : nil,
        staleAfter: random.chance(50) ? staleAge : nil),
      clock: runtime.clock.any, scheduler: runtime.scheduler.refreshing(whileOpen: focus))
    let isWatched = resource.refreshing.staleAfter != nil
    var known = 0
    var viewers = 0
    // The subscriptions that have delivered and have not ended.
    var live: Set<Int> = []
    var answered: Set<Int> = []
    for number in 0..<40 {
      let wasOpen = (network: network.isOpen, focus: focus.isOpen)
      // A refresh that has begun, or waits for the network, has passed the gate of the window before.
      let wasLetThrough = resource.activity.map { $0.pauseReason != "unfocused" } ?? false
      let ticket = resource.activity?.ticket
      let step = Step.allCases[random.below(Step.allCases.count)]
      let age = resource.loadedAt?.duration(to: runtime.clock.now) ?? .zero
      let isIdleAndStale = resource.activity == nil && isWatched && age >= staleAge
      switch step {
      case .closeNetwork: network.close()
      case .openNetwork: network.open()
      case .closeFocus: focus.close()
      case .openFocus: focus.open()
      case .appear:
        viewers += 1
        resource.appear()
      case .disappear:
        viewers = max(0, viewers - 1)
        resource.disappear()
      case .load: resource.load()
      case .retry: resource.retry()
      case .deliver:
        if let latest = loads.latest, !latest.isCancelled {
          if !answered.contains(loads.count - 1) { live.insert(loads.count - 1) }
          latest.output.yield(number)
          latest.context.send(.phase(.live))
        }
      case .finish, .fail:
        if step == .fail { loads.latest?.fail(Broken()) } else { loads.latest?.succeed(number) }
        live.remove(loads.count - 1)
        answered.insert(loads.count - 1)
      case .wait: runtime.advance(by: .milliseconds(100 * random.below(30)))
      }
      runtime.run()
      for index in known..<loads.count {
        let cause = loads[index].context.cause
        let isAsked = cause == .user || cause == .retry
        #expect(
          isAsked || wasOpen.network || network.isOpen,
          "seed \(seed), step \(number): a load began offline")
        #expect(
          cause != .refresh || wasOpen.focus || focus.isOpen
            || wasLetThrough && resource.activity?.ticket == ticket,
          "seed \(seed), step \(number): a refresh, unfocused")
        #expect(
          !loads[index].isCancelled, "seed \(seed), step \(number): a load began that was cancelled"
        )
      }
      if step == .openFocus, !wasOpen.focus, viewers > 0, isIdleAndStale {
        #expect(
          resource.activity != nil,
          "seed \(seed), step \(number): it is not loaded again, and is stale")
      }
      known = loads.count
      let phase = resource.activity?.phase
      switch phase {
      case .paused("offline"): #expect(!network.isOpen, "seed \(seed), step \(number)")
      case .paused("unfocused"): #expect(!focus.isOpen, "seed \(seed), step \(number)")
      case .paused("hidden"): #expect(viewers == 0, "seed \(seed), step \(number)")
      case .live:
        // A load that ignores its cancellation may run for a while.
        #expect(
          network.isOpen || loads.latest?.isCancelled == true,
          "seed \(seed), step \(number): live without a network")
        #expect(
          viewers > 0 || step != .disappear, "seed \(seed), step \(number): live without a viewer")
      default: break
      }
      if phase == .paused(reason: "hidden") {
        for index in live {
          #expect(loads[index].isCancelled, "seed \(seed), step \(number): it goes on hidden")
        }
      }
    }
    network.open()
    focus.open()
    resource.appear()
    runtime.run()
    #expect(resource.activity?.pauseReason == nil, "it goes on when nothing holds it back")
    resource.reset()
    resource.disappear()
    loads.end()
    runtime.run()
  }
}
