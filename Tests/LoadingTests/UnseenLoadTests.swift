import Loading
import LoadingTesting
import Testing

/// Loads that no view shows any more: a running load is finished, one that waits for a permit is
/// given up until the next view.
@MainActor
@Suite(.leavesNothingBehind) struct UnseenLoadTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  let otherLoads = ManualLoads<Int>()

  @Test func `a load that runs is finished after its last viewer has left`() {
    let resource = runtime.resource(loads.loader)
    resource.appear()
    runtime.run()
    resource.disappear()
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `attempts continue while no view shows the resource, up to their limit`() {
    let resource = runtime.resource(
      loads.loader.retrying(limit: 2, backoff: Backoff { _ in .seconds(1) }))
    resource.appear()
    runtime.run()
    resource.disappear()
    loads[0].fail(Broken())
    runtime.advance(by: .seconds(1))
    #expect(loads.count == 2)
    loads[1].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `a view that appears during a backoff joins the load, and starts no other one`() {
    let resource = runtime.resource(
      loads.loader.retrying(limit: 3, backoff: Backoff { _ in .seconds(1) }))
    resource.appear()
    runtime.run()
    resource.disappear()
    loads[0].fail(Broken())
    runtime.run()
    let nextAttempt = resource.activity?.nextAttemptAt
    resource.appear()
    runtime.run()
    #expect(resource.activity?.phase == .backoff)
    #expect(resource.activity?.nextAttemptAt == nextAttempt)
    runtime.advance(by: .seconds(1))
    #expect(loads.count == 2)
    #expect(resource.activity?.attempt == 2)
    loads.end()
    runtime.run()
  }

  /// Takes the only permit of a limit until the returned function is called.
  private func takePermit(of limit: LoadLimit) -> () -> Void {
    let other = runtime.resource(otherLoads.loader.limited(by: limit))
    other.load()
    runtime.run()
    return {
      self.otherLoads[0].succeed(0)
      self.runtime.run()
    }
  }

  /// Returns a resource in a backoff, whose next attempt finds no permit.
  private func resourceWithoutPermit() -> (Resource<Int>, free: () -> Void) {
    let limit = LoadLimit(1)
    let resource = runtime.resource(
      loads.loader.retrying(limit: 2, backoff: Backoff { _ in .seconds(1) }).limited(by: limit))
    resource.appear()
    runtime.run()
    loads[0].fail(Broken())
    return (resource, takePermit(of: limit))
  }

  @Test func `an attempt that finds no permit is given up until a view shows the resource`() {
    let (resource, free) = resourceWithoutPermit()
    resource.disappear()
    runtime.advance(by: .seconds(1))
    #expect(resource.activity == nil)
    #expect(resource.state == .idle)
    free()
    #expect(loads.count == 1)
    resource.appear()
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `an attempt waits for its permit if a view is back before it is due`() {
    let (resource, free) = resourceWithoutPermit()
    resource.disappear()
    resource.appear()
    runtime.advance(by: .seconds(1))
    #expect(resource.activity?.phase == .waiting)
    free()
    #expect(loads.count == 2)
    loads[1].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `a load that begins after the last view has left waits for its permit`() {
    let (resource, free) = resourceWithoutPermit()
    resource.disappear()
    resource.load(.restart)
    runtime.run()
    #expect(resource.activity?.phase == .waiting)
    free()
    #expect(loads.count == 2)
    loads[1].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  /// Loads a first value; after that the limit has no permit left until `free` is called.
  private func loadedWithoutPermit() -> (Resource<Int>, free: () -> Void) {
    let limit = LoadLimit(1)
    let resource = runtime.resource(loads.loader.limited(by: limit))
    resource.appear()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    return (resource, takePermit(of: limit))
  }

  @Test func `a reload that is given up for want of a permit starts again with the next view`() {
    let (resource, free) = loadedWithoutPermit()
    resource.load()
    runtime.run()
    #expect(resource.activity?.phase == .waiting)
    resource.disappear()
    #expect(resource.activity == nil)
    free()
    #expect(loads.count == 1)
    resource.appear()
    runtime.run()
    #expect(loads.count == 2)
    #expect(loads[1].context.cause == .user)
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(loads.count == 2, "once is enough")
  }

  @Test(arguments: [LoadingState.loaded(1), .failed(Broken())])
  func `waiting for the value of a load that is given up returns no older outcome`(
    older: LoadingState<Int>
  ) async {
    let (resource, free) = loadedWithoutPermit()
    resource.set(older)
    var outcome: Result<Int, any Error>?
    let waiting = Task {
      do { outcome = .success(try await resource.value()) } catch { outcome = .failure(error) }
    }
    await runtime.run { resource.activity?.phase == .waiting }
    resource.disappear()
    await runtime.run { outcome != nil }
    await waiting.value
    #expect(throws: CancellationError.self) { try outcome?.get() }
    #expect(!resource.wasCancelled)
    free()
  }

  @Test func `a new input whose load was given up is loaded with the next view`() {
    let (resource, free) = loadedWithoutPermit()
    resource.load()
    runtime.run()
    let newInput = ManualLoads<Int>()
    resource.load(newInput.loader, .keepLatest)
    resource.disappear()
    free()
    #expect(resource.showsEarlierInput)
    resource.appear()
    runtime.run()
    #expect(loads.count == 1)
    newInput[0].succeed(5)
    runtime.run()
    #expect(resource.state == .loaded(5))
  }

  @Test func `after a state was set, the next view does not start a load that was given up`() {
    let (resource, free) = loadedWithoutPermit()
    resource.load()
    runtime.run()
    resource.disappear()
    resource.set(.loaded(7))
    free()
    resource.appear()
    runtime.run()
    #expect(loads.count == 1)
    #expect(resource.state == .loaded(7))
  }
}
