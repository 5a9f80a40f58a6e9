import Loading
import LoadingTesting
import Testing

/// Automatic loads after a failure whose server has asked to wait.
@MainActor
@Suite(.leavesNothingBehind) struct ServerPauseTests {
  private struct Busy: Error, RetryAdvice { let retryAfter: Duration? = .seconds(600) }

  let runtime = ManualRuntime()
  let network = LoadGate("offline")

  private func resource(
    _ loads: ManualLoads<Int>, _ refreshing: Refreshing = Refreshing(staleAfter: .seconds(60))
  ) -> Resource<Int> {
    Resource(
      loads.loader, refreshing: refreshing, clock: runtime.clock.any,
      scheduler: runtime.scheduler.refreshing(whileOpen: network))
  }

  private func openAgain() {
    network.close()
    runtime.run()
    network.open()
  }

  @Test func `automatic loads wait as long as the server has asked for`() {
    for refreshing in [
      Refreshing(interval: .seconds(60)), Refreshing(staleAfter: .seconds(60)),
    ] {
      let loads = ManualLoads<Int>()
      let resource = resource(loads, refreshing)
      resource.appear()
      runtime.run()
      loads[0].succeed(1)
      runtime.advance(by: .seconds(59))
      resource.load()
      runtime.run()
      loads[1].fail(Busy())
      runtime.run()
      for second in [300, 299, 1] {
        runtime.advance(by: .seconds(second))
        openAgain()
        resource.appear()
        resource.disappear()
        runtime.run()
        #expect(loads.count == (second == 1 ? 3 : 2))
      }
      loads.latest?.succeed(2)
      runtime.run()
      resource.disappear()
    }
  }

  @Test(arguments: [false, true])
  func `a load that was skipped because the server has asked to wait is made up`(
    hasValue: Bool
  ) {
    let loads = ManualLoads<Int>()
    let resource = resource(loads)
    resource.appear()
    runtime.run()
    if hasValue {
      loads[0].succeed(1)
      runtime.advance(by: .seconds(100))
      resource.load()
      runtime.run()
    }
    loads.latest?.fail(Busy())
    runtime.run()
    let before = loads.count
    // Without a view or a gate, nothing was skipped.
    runtime.advance(by: .seconds(100))
    #expect(runtime.clock.sleeperCount == 0)
    openAgain()
    runtime.advance(by: .seconds(499))
    #expect(loads.count == before)
    runtime.advance(by: .seconds(1))
    #expect(loads.count == before + 1)
    #expect(loads.latest?.context.cause == .refresh)
    // It is made up once.
    loads.latest?.fail(Busy())
    runtime.advance(by: .seconds(1_000))
    #expect(loads.count == before + 1)
    resource.disappear()
    runtime.run()
  }

  @Test func `a delayed load is given up if a value is set or no view shows it`() {
    for isSet in [false, true] {
      let loads = ManualLoads<Int>()
      let resource = resource(loads)
      resource.appear()
      runtime.run()
      loads[0].fail(Busy())
      runtime.advance(by: .seconds(100))
      resource.appear()
      runtime.run()
      #expect(runtime.clock.sleeperCount == 1)
      if isSet {
        resource.set(.loaded(1))
      } else {
        for _ in 0..<2 { resource.disappear() }
        resource.prefetch()
      }
      runtime.advance(by: .seconds(1_000))
      #expect(loads.count == 1)
      for _ in 0..<2 { resource.disappear() }
    }
  }

  @Test func `an invalidated value is loaded when a gate opens although the server is busy`() {
    let loads = ManualLoads<Int>()
    let resource = resource(loads)
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    resource.invalidate()
    runtime.run()
    loads[1].fail(Busy())
    runtime.run()
    openAgain()
    runtime.run()
    #expect(loads.count == 3)
    loads[2].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    resource.disappear()
  }
}
