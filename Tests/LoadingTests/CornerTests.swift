import Loading
import LoadingTesting
import Observation
import Testing

/// Cases in which a user of the library could expect one thing or another, as the article
/// "What happens when" decides them.
@MainActor
@Suite(.leavesNothingBehind) struct CornerTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  let otherLoads = ManualLoads<Int>()

  // MARK: Another input

  @Test func `a value of an earlier input is shown, and marked, until the new one comes`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    #expect(!resource.showsEarlierInput)
    resource.load(otherLoads.loader)
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.showsEarlierInput)
    otherLoads[0].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(!resource.showsEarlierInput)
  }

  @Test func `when another input fails, the value of the earlier one is not shown for it`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load(otherLoads.loader)
    runtime.run()
    otherLoads[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .failed(Broken()))
    #expect(resource.latestValue == 1)
    #expect(resource.showsEarlierInput)
    resource.retry()
    runtime.run()
    #expect(resource.state == .loading)
    otherLoads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
  }

  @Test func `when the load of another input is cancelled, the old value is back, still marked`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load(otherLoads.loader)
    runtime.run()
    resource.cancel()
    otherLoads.end()
    runtime.run()
    #expect(resource.state == .loaded(1))
    #expect(resource.showsEarlierInput)
    resource.load()
    runtime.run()
    otherLoads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(!resource.showsEarlierInput)
  }

  @Test func `a failed reload of the same input keeps the value, also while another one loads`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .loaded(1))
    resource.load(otherLoads.loader)
    runtime.run()
    #expect(resource.state == .loaded(1))
    otherLoads.end()
    runtime.run()
  }

  // MARK: Changes without a value

  @Test func `an element is created while the list has not loaded`() {
    let resource: Resource<[Int]> = runtime.resource()
    let creations = ManualCalls<Int, Void>()
    let id = resource.mutate(item: 7) {
      $0.append(7)
    } commit: {
      try await creations.call(7)
    }
    #expect(id != nil)
    #expect(resource.state == .idle)
    #expect(resource.isModifying(7))
    runtime.run()
    resource.set(.loaded([1]))
    #expect(resource.state == .loaded([1, 7]))
    creations[0].succeed()
    runtime.run()
    #expect(resource.state == .loaded([1, 7]))
    #expect(!resource.hasPendingMutations)
  }

  @Test func `a creation that fails where nothing was loaded can be retried`() {
    let resource: Resource<[Int]> = runtime.resource()
    let creations = ManualCalls<Int, Void>()
    resource.mutate(item: 7) {
      $0.append(7)
    } commit: {
      try await creations.call(7)
    }
    runtime.run()
    creations[0].fail(Broken())
    runtime.run()
    let failed = resource.failedMutations.map(\.id)
    #expect(failed.count == 1)
    for id in failed { resource.retryMutation(id) }
    runtime.run()
    #expect(creations.count == 2)
    creations[1].succeed()
    runtime.run()
    #expect(resource.failedMutations.isEmpty)
    #expect(resource.state == .idle)
  }

  @Test func `a load that a creation overlaps runs again, and brings what was created`() {
    let lists = ManualLoads<[Int]>()
    let resource = runtime.resource(lists.loader)
    let creations = ManualCalls<Int, Void>()
    resource.load()
    runtime.run()
    resource.mutate(item: 7) {
      $0.append(7)
    } commit: {
      try await creations.call(7)
    }
    runtime.run()
    lists[0].succeed([1])
    runtime.run()
    #expect(resource.state == .loading)
    creations[0].succeed()
    runtime.run()
    #expect(lists.count == 2)
    lists[1].succeed([1, 7])
    runtime.run()
    #expect(resource.state == .loaded([1, 7]))
  }

  // MARK: Pools

  @Test func `asking a pool while drawing changes nothing that is observed or kept`() {
    let pool = ResourcePool(
      capacity: 2, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { [loads] (_: Int) in loads.loader }
    _ = pool[1]
    runtime.run()
    let notifications = Lock(0)
    withObservationTracking {
      _ = pool.counts
    } onChange: {
      notifications.withLock { $0 += 1 }
    }
    for key in 2...5 { _ = pool[key] }
    #expect(notifications.withLock { $0 } == 0)
    #expect((1...5).allSatisfy { pool.resource(ifPresent: $0) != nil })
    #expect(pool.counts.all == 5)
    runtime.run()
    #expect(notifications.withLock { $0 } == 1)
    #expect((1...5).filter { pool.resource(ifPresent: $0) != nil } == [4, 5])
  }

  // MARK: One scope in several resources

  func change(
    _ commits: ManualCalls<Int, Void>, scope: String? = "account", undoWindow: Duration? = nil
  ) -> Mutation<Int> {
    Mutation(scope: scope, undoWindow: undoWindow) {
      $0 += 1
    } commit: {
      try await commits.call($0)
    }
  }

  @Test func `changes of one scope are committed in order across resources`() {
    let (first, second) = (ManualCalls<Int, Void>(), ManualCalls<Int, Void>())
    let left = runtime.resource(initialState: .loaded(0))
    let right = runtime.resource(initialState: .loaded(0))
    left.mutate(change(first))
    right.mutate(change(second))
    left.mutate(change(first))
    runtime.run()
    #expect((first.count, second.count) == (1, 0))
    #expect(right.pendingMutations.map(\.phase) == [.waiting])
    #expect(right.state == .loaded(1))
    first[0].succeed()
    runtime.run()
    #expect((first.count, second.count) == (1, 1))
    second[0].fail(Broken())
    runtime.run()
    #expect((first.count, second.count) == (2, 1))
    first[1].succeed()
    runtime.run()
    #expect(!left.hasPendingMutations)
  }

  @Test func `a change that waits for another resource can be undone, and lets the next one by`() {
    let (first, second) = (ManualCalls<Int, Void>(), ManualCalls<Int, Void>())
    let resources = (0..<3).map { _ in runtime.resource(initialState: .loaded(0)) }
    resources[0].mutate(change(first))
    let undone = resources[1].mutate(change(second))
    resources[2].mutate(change(second))
    runtime.run()
    #expect(undone.map(resources[1].undo) == true)
    first[0].succeed()
    runtime.run()
    #expect(second.count == 1)
    #expect(resources[1].state == .loaded(0))
    second[0].succeed()
    runtime.run()
  }

  @Test func `a reset gives the turn to the next resource`() {
    let (first, second) = (ManualCalls<Int, Void>(), ManualCalls<Int, Void>())
    let left = runtime.resource(initialState: .loaded(0))
    let right = runtime.resource(initialState: .loaded(0))
    left.mutate(change(first, undoWindow: .seconds(9)))
    right.mutate(change(second))
    runtime.run()
    #expect(second.count == 0)
    left.reset()
    runtime.run()
    #expect(second.count == 1)
    second[0].succeed()
    runtime.run()
  }

  @Test func `a change that waits for another resource is kept when its screen has gone`() {
    let (first, second) = (ManualCalls<Int, Void>(), ManualCalls<Int, Void>())
    let left = runtime.resource(initialState: .loaded(0))
    var right: Resource<Int>? = runtime.resource(initialState: .loaded(0))
    left.mutate(change(first))
    right?.mutate(change(second))
    right = nil
    runtime.run()
    first[0].succeed()
    runtime.run()
    #expect(second.inputs == [1])
    second.end()
    runtime.run()
  }

  @Test func `scopes without a name are of one resource alone`() {
    let commits = ManualCalls<Int, Void>()
    let left = runtime.resource(initialState: .loaded(0))
    let right = runtime.resource(initialState: .loaded(0))
    left.mutate(change(commits, scope: nil))
    right.mutate(change(commits, scope: nil))
    runtime.run()
    #expect(commits.count == 2)
    commits.end()
    runtime.run()
  }

  // MARK: Decisions

  @Test func `nested retries multiply`() {
    let resource = runtime.resource(
      loads.loader.retrying(limit: 2, backoff: .none).retrying(limit: 3, backoff: .none))
    resource.load()
    for attempt in 0..<6 {
      runtime.run()
      loads[attempt].fail(Broken())
    }
    runtime.run()
    #expect(loads.count == 6)
    #expect(resource.state == .failed(Broken()))
  }

  @Test func `nested retries stop at an error that no further attempt can help`() {
    let resource = runtime.resource(
      loads.loader.retrying(limit: 2, backoff: .none, if: { $0 as? Broken != Broken("gone") })
        .retrying(limit: 3, backoff: .none, if: { $0 as? Broken != Broken("gone") }))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    loads[1].fail(Broken("gone"))
    runtime.run()
    #expect(loads.count == 2)
    #expect(resource.state == .failed(Broken("gone")))
  }

  @Test func `a reset forgets the initial state too`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.reset()
    #expect(resource.state == .idle)
    #expect(resource.loadedAt == nil)
    #expect(resource.lastResult == nil)
    // So a view that appears loads it, which it does not where the initial state is shown.
    resource.appear()
    runtime.run()
    #expect(loads.count == 1)
    loads[0].fail(Broken())
    runtime.run()
    #expect(resource.state == .failed(Broken()))
    resource.cancel()
    #expect(resource.state == .failed(Broken()))
  }

  @Test func `a load that runs is finished after its last viewer has left`() {
    let resource = runtime.resource(loads.loader)
    resource.appear()
    runtime.run()
    resource.disappear()
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `attempts go on while no view shows them, up to their limit`() {
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

  /// A resource in its backoff, whose next attempt finds no permit.
  private func resourceWithoutPermit() -> (Resource<Int>, free: () -> Void) {
    let limit = LoadLimit(1)
    let resource = runtime.resource(
      loads.loader.retrying(limit: 2, backoff: Backoff { _ in .seconds(1) }).limited(by: limit))
    resource.appear()
    runtime.run()
    loads[0].fail(Broken())
    return (resource, takePermit(of: limit))
  }

  @Test func `an attempt that finds no permit when no view shows it is given up until one does`() {
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

  @Test func `an attempt waits for its permit when a view is back before it is due`() {
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
  func `who waits for the value of a load that is given up gets no older outcome`(
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

  @Test func `a state that is set after a load was given up is enough for the next view`() {
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

  /// Returns a list that has loaded its first page and has more.
  private func listWithAPage() -> (PagedResource<Int, Int>, ManualLoads<Page<Int, Int>>) {
    let pages = ManualLoads<Page<Int, Int>>()
    let list = PagedResource(
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { (_: Int?) in pages.loader }
    list.load()
    runtime.run()
    pages[0].succeed(Page([1], next: 2))
    runtime.run()
    return (list, pages)
  }

  @Test func `a list begins with its first page again, and more is loaded when its end is shown`() {
    let (list, pages) = listWithAPage()
    list.loadMore()
    runtime.run()
    pages[1].succeed(Page([2], next: 3))
    runtime.run()
    #expect(list.items == [1, 2])
    list.loadFirst()
    runtime.run()
    #expect(pages.count == 3)
    pages[2].succeed(Page([1], next: 2))
    runtime.run()
    #expect(list.items == [1])
    list.shown(0)
    runtime.run()
    #expect(pages.count == 4)
    pages.end()
    runtime.run()
  }

  /// Which page is next is not known before the reload has ended.
  @Test(arguments: [true, false])
  func `a page that is requested during a reload is forgotten until it is requested again`(
    reloadFails: Bool
  ) {
    let (list, pages) = listWithAPage()
    list.load()
    list.loadMore()
    list.loadPrevious()
    list.shown(0)
    runtime.run()
    #expect(pages.count == 2)
    #expect(!list.append.isLoading)
    if reloadFails { pages[1].fail(Broken()) } else { pages[1].succeed(Page([5], next: 6)) }
    runtime.run()
    #expect(pages.count == 2)
    list.shown(0)
    runtime.run()
    #expect(pages.count == 3)
    pages[2].succeed(Page([9], next: nil))
    runtime.run()
    #expect(list.items == (reloadFails ? [1, 9] : [5, 9]))
  }
}
