import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct RefreshingTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  func resource(_ refreshing: Refreshing, _ loader: Loader<Int>? = nil) -> Resource<Int> {
    Resource(
      loader ?? loads.loader, refreshing: refreshing, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
  }

  @Test func `a resource on the screen loads by interval, counted from the end of a load`() {
    let resource = resource(Refreshing(interval: .seconds(60)))
    resource.appear()
    runtime.advance(by: .seconds(90))
    #expect(loads.count == 1)
    loads[0].succeed(1)
    runtime.run()
    runtime.advance(by: .seconds(59))
    #expect(loads.count == 1)
    runtime.advance(by: .seconds(1))
    #expect(loads.count == 2)
    #expect(loads[1].context.cause == .refresh)
    loads[1].succeed(2)
    runtime.run()
    runtime.advance(by: .seconds(60))
    #expect(loads.count == 3)
    loads[2].succeed(3)
    runtime.run()
    resource.disappear()
    runtime.advance(by: .seconds(600))
    #expect(loads.count == 3)
    #expect(runtime.clock.sleeperCount == 0)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)])
  func `an interval that is no time at all does not load without a pause`(interval: Duration) {
    let resource = resource(Refreshing(interval: interval))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.advance(by: .milliseconds(99))
    #expect(loads.count == 1)
    runtime.advance(by: .milliseconds(1))
    #expect(loads.count == 2)
    resource.disappear()
    loads.end()
    runtime.run()
  }

  @Test func `a resource loads less often while loads fail, and as before after a success`() {
    let resource = resource(Refreshing(interval: .seconds(60)))
    resource.appear()
    runtime.run()
    for (number, wait) in [120, 240, 480, 480].enumerated() {
      loads[number].fail(Broken())
      runtime.advance(by: .seconds(wait - 1))
      #expect(loads.count == number + 1)
      runtime.advance(by: .seconds(1))
      #expect(loads.count == number + 2)
    }
    loads[4].succeed(1)
    runtime.advance(by: .seconds(60))
    #expect(loads.count == 6)
    resource.disappear()
    loads.end()
    runtime.run()
  }

  @Test func `a refresh waits while another window has the focus, says why, and then continues`() {
    let focus = LoadGate("unfocused")
    let resource = Resource(
      loads.loader, refreshing: Refreshing(interval: .seconds(60)), clock: runtime.clock.any,
      scheduler: runtime.scheduler.refreshing(whileOpen: focus))
    focus.close()
    resource.appear()
    runtime.run()
    // A first load does not wait for the gate.
    loads[0].succeed(1)
    runtime.advance(by: .seconds(600))
    #expect(loads.count == 1)
    #expect(resource.activity?.pauseReason == "unfocused")
    #expect(resource.state == .loaded(1))
    focus.open()
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))

    focus.close()
    runtime.advance(by: .seconds(60))
    #expect(resource.activity?.pauseReason == "unfocused")
    resource.load()
    runtime.run()
    #expect(loads.count == 3)
    loads[2].succeed(3)
    runtime.run()
    #expect(resource.state == .loaded(3))
    resource.disappear()
  }

  @Test func `a refresh that waits for a gate does not hold back an invalidation`() {
    for isQueuedFirst in [false, true] {
      let (focus, loads) = (LoadGate("unfocused"), ManualLoads<Int>())
      let resource = Resource(
        loads.loader, refreshing: Refreshing(interval: .seconds(60)), clock: runtime.clock.any,
        scheduler: runtime.scheduler.refreshing(whileOpen: focus))
      resource.appear()
      runtime.run()
      loads[0].succeed(1)
      runtime.run()
      focus.close()
      if isQueuedFirst {
        // Before the refresh has found its gate closed.
        resource.load(.join, cause: .refresh)
      } else {
        runtime.advance(by: .seconds(60))
        #expect(resource.activity?.pauseReason == "unfocused")
      }
      resource.invalidate()
      runtime.run()
      #expect(loads.count == 2)
      loads.latest?.succeed(2)
      runtime.run()
      #expect(resource.state == .loaded(2))
      resource.disappear()
    }
  }

  @Test(arguments: [false, true])
  func `what has failed is loaded again when a gate opens, if another attempt can help`(
    isFinal: Bool
  ) {
    struct Gone: Error, RetryAdvice { let isRetryable = false }
    let network = LoadGate("offline")
    let resource = Resource(
      loads.loader, refreshing: Refreshing(staleAfter: .seconds(300)), clock: runtime.clock.any,
      scheduler: runtime.scheduler.refreshing(whileOpen: network))
    network.close()
    resource.appear()
    runtime.run()
    loads[0].fail(isFinal ? Gone() : Broken())
    runtime.advance(by: .seconds(1))
    network.open()
    runtime.run()
    #expect(loads.count == (isFinal ? 1 : 2))
    loads.latest?.succeed(1)
    runtime.run()
    // A value that is fresh is not loaded again.
    network.close()
    runtime.run()
    network.open()
    runtime.run()
    #expect(loads.count == (isFinal ? 1 : 2))
    resource.disappear()
    runtime.run()
  }

  @Test func `a refresh waits until every gate is open, and says which one is closed`() {
    let (network, focus) = (LoadGate("offline"), LoadGate("unfocused"))
    let resource = Resource(
      loads.loader, refreshing: Refreshing(interval: .seconds(60)), clock: runtime.clock.any,
      scheduler: runtime.scheduler.refreshing(whileOpen: network).refreshing(whileOpen: focus))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    network.close()
    focus.close()
    runtime.advance(by: .seconds(60))
    #expect(resource.activity?.pauseReason == "offline")
    network.open()
    runtime.run()
    #expect(resource.activity?.pauseReason == "unfocused")
    // While it waits for one gate, the other one may close again.
    network.close()
    focus.open()
    runtime.run()
    #expect(resource.activity?.pauseReason == "offline")
    #expect(loads.count == 1)
    network.open()
    runtime.run()
    #expect(loads.count == 2)
    resource.disappear()
    loads.end()
    runtime.run()
  }

  /// Returns a resource on the screen whose value goes stale after a minute, and the gate of its
  /// window.
  private func resourceInAWindow() -> (Resource<Int>, focus: LoadGate) {
    let focus = LoadGate("unfocused")
    let resource = Resource(
      loads.loader, refreshing: Refreshing(staleAfter: .seconds(60)), clock: runtime.clock.any,
      scheduler: runtime.scheduler.refreshing(whileOpen: focus))
    resource.appear()
    runtime.run()
    return (resource, focus)
  }

  /// Lets time pass while the user looks at another window.
  private func leave(_ focus: LoadGate, for duration: Duration) {
    focus.close()
    runtime.advance(by: duration)
    focus.open()
    runtime.run()
  }

  @Test func `a stale value on the screen is loaded again when the user is back`() {
    let (resource, focus) = resourceInAWindow()
    loads[0].succeed(1)
    leave(focus, for: .seconds(59))
    #expect(loads.count == 1)
    leave(focus, for: .seconds(1))
    #expect(loads.count == 2)
    #expect(loads[1].context.cause == .refresh)
    loads[1].fail(Broken())
    runtime.run()
    // The failed load has not changed the age of the value.
    leave(focus, for: .seconds(1))
    #expect(loads.count == 3)
    loads[2].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    resource.disappear()
    runtime.run()
    #expect(runtime.executor.taskCount == 0)
    leave(focus, for: .seconds(600))
    #expect(loads.count == 3)
  }

  @Test func `a resource that disappears as the user comes back is not loaded again`() {
    let (resource, focus) = resourceInAWindow()
    loads[0].succeed(1)
    focus.close()
    runtime.advance(by: .seconds(60))
    focus.open()
    resource.disappear()
    runtime.run()
    #expect(loads.count == 1)
  }

  @Test func `a load that the user has cancelled does not start again with the window`() {
    let (resource, focus) = resourceInAWindow()
    resource.cancel()
    leave(focus, for: .seconds(600))
    #expect(loads.count == 1)
    resource.load()
    runtime.run()
    loads[1].succeed(1)
    leave(focus, for: .seconds(600))
    #expect(loads.count == 3)
    resource.disappear()
    loads.end()
    runtime.run()
  }

  @Test func `a stale value is loaded again even if one of its views has gone`() {
    let (resource, focus) = resourceInAWindow()
    loads[0].succeed(1)
    runtime.run()
    resource.appear()
    resource.disappear()
    leave(focus, for: .seconds(60))
    #expect(loads.count == 2)
    resource.disappear()
    loads.end()
    runtime.run()
  }

  @Test func `a refresh that the user has cancelled runs again after another interval`() {
    let resource = resource(Refreshing(interval: .seconds(60)))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.advance(by: .seconds(90))
    #expect(loads.count == 2)
    resource.cancel()
    runtime.advance(by: .seconds(30))
    // Other events do not delay it.
    resource.mutate(apply: { $0 += 1 }, commit: { _ in })
    runtime.advance(by: .seconds(29))
    #expect(loads.count == 2)
    runtime.advance(by: .seconds(1))
    #expect(loads.count == 3)
    resource.disappear()
    loads.end()
    runtime.run()
  }

  @Test func `a stale value is loaded again when a view appears`() {
    let resource = resource(Refreshing(staleAfter: .seconds(60)))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    resource.disappear()
    runtime.advance(by: .seconds(59))
    resource.appear()
    runtime.run()
    #expect(loads.count == 1)
    resource.disappear()
    runtime.advance(by: .seconds(1))
    resource.appear()
    runtime.run()
    #expect(loads.count == 2)
    #expect(resource.state == .loaded(1))
    loads.end()
    runtime.run()
  }

  @Test func `a failed refresh does not make a stale value fresh`() {
    let resource = resource(Refreshing(staleAfter: .seconds(10)))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.loadedAt == .ms(0))
    runtime.advance(by: .seconds(11))
    resource.load()
    runtime.run()
    loads[1].fail(Broken())
    runtime.run()
    resource.disappear()
    runtime.advance(by: .seconds(1))
    #expect(resource.loadedAt == .ms(0))
    resource.appear()
    runtime.run()
    #expect(loads.count == 3)
    loads[2].succeed(2)
    runtime.run()
    #expect(resource.loadedAt == .ms(12_000))
    resource.disappear()
  }

  @Test func `an initial value goes stale according to its initial age`() {
    func kept(for age: Duration) -> Resource<Int> {
      Resource(
        loads.loader, initialState: .loaded(0), initialAge: age,
        refreshing: Refreshing(staleAfter: .seconds(60)), clock: runtime.clock.any,
        scheduler: runtime.scheduler)
    }
    let (fresh, stale) = (kept(for: .seconds(59)), kept(for: .seconds(60)))
    for resource in [fresh, stale] { resource.appear() }
    runtime.run()
    #expect(loads.count == 1)
    #expect(stale.isLoading)
    #expect(stale.loadedAt == .ms(-60_000))
    loads[0].succeed(1)
    runtime.run()
    #expect(stale.state == .loaded(1))
  }

  @Test func `a prefetch loads what a view that appears would load`() {
    let resource = resource(Refreshing(staleAfter: .seconds(10)))
    resource.prefetch()
    resource.prefetch()
    runtime.run()
    #expect(loads.count == 1)
    loads[0].succeed(1)
    runtime.advance(by: .seconds(9))
    resource.prefetch()
    runtime.run()
    #expect(loads.count == 1)
    runtime.advance(by: .seconds(1))
    resource.prefetch()
    runtime.run()
    #expect(loads.count == 2)
    resource.cancel()
    resource.prefetch()
    #expect(!resource.isLoading)
    loads.end()
    runtime.run()
  }

  @Test func `a load that ends without a value counts as one, so that the next waits`() {
    let starts = Lock(0)
    let loader = Loader<Int>(sequence: {
      let number = starts.withLock { count in
        count += 1
        return count
      }
      return AsyncStream { numbers in
        if number == 1 { numbers.yield(1) }
        numbers.finish()
      }
    })
    let resource = resource(Refreshing(interval: .seconds(10)), loader)
    resource.appear()
    runtime.advance(by: .seconds(35))
    #expect(starts.withLock { $0 } == 4)
    resource.disappear()
  }

  @Test func `a subscription that the user has cancelled starts again only after the interval`() {
    let starts = Lock(0)
    let loader = Loader<Int>(sequence: {
      starts.withLock { $0 += 1 }
      return AsyncStream<Int> { $0.yield(1) }
    })
    let resource = resource(Refreshing(interval: .seconds(10)), loader)
    resource.appear()
    runtime.advance(by: .seconds(60))
    #expect(starts.withLock { $0 } == 1)
    resource.cancel()
    runtime.advance(by: .seconds(9))
    #expect(starts.withLock { $0 } == 1)
    runtime.advance(by: .seconds(1))
    #expect(starts.withLock { $0 } == 2)
    resource.disappear()
    resource.reset()
  }

  @Test(arguments: [true, false])
  func `a resource that was emptied is not loaded again by itself`(isReset: Bool) {
    let loads = ManualLoads<Int>()
    let resource = Resource(
      loads.loader, initialState: .loaded(1), refreshing: Refreshing(interval: .seconds(10)),
      clock: runtime.clock.any, scheduler: runtime.scheduler)
    resource.appear()
    if isReset { resource.reset() } else { resource.set(.idle) }
    runtime.advance(by: .seconds(60))
    #expect(loads.count == 0)
    #expect(resource.state == .idle)
    resource.disappear()
  }
}
