import Loading
import LoadingTesting
import Testing

/// Tests of a list of pages whose view says which items it shows.
@MainActor
@Suite(.leavesNothingBehind) struct PagesShownTests {
  private let runtime = ManualRuntime()

  /// A list on a server that has ten items on each of ten pages; a page's number is its cursor.
  private func list(
    _ loads: ManualCalls<Int?, Void>, start: Int? = 5, stored: [Page<Int, Int>] = [],
    age: Duration = .zero, maximum: Int? = nil, refreshing: Refreshing = .never
  ) -> PagedResource<Int, Int> {
    PagedResource(
      start: start, initialPages: stored, initialAge: age, maximumPageCount: maximum,
      prefetchDistance: 2, refreshing: refreshing, clock: runtime.clock.any,
      scheduler: runtime.scheduler
    ) { cursor in
      Loader { _ in
        try await loads.call(cursor)
        return Self.page(cursor ?? 0)
      }
    }
  }

  private nonisolated static func page(_ number: Int) -> Page<Int, Int> {
    Page(
      Array(10 * number..<10 * number + 10), previous: number > 0 ? number - 1 : nil,
      next: number < 9 ? number + 1 : nil)
  }

  private func answer(_ loads: ManualCalls<Int?, Void>) {
    runtime.run()
    loads.latest?.succeed(())
    runtime.run()
  }

  @Test func `stored pages are shown at once, and loaded again from their start when stale`() {
    let loads = ManualCalls<Int?, Void>()
    let list = list(
      loads, stored: [Self.page(5), Self.page(6)], age: .seconds(7200),
      refreshing: Refreshing(staleAfter: .seconds(60)))
    #expect(list.items == Array(50..<70))
    #expect(list.hasPrevious && list.hasMore)
    #expect(list.content.loadedAt?.duration(to: runtime.clock.any.now) == .seconds(7200))
    list.content.appear()
    answer(loads)
    answer(loads)
    #expect(loads.inputs == [5, 6])
    #expect(list.items == Array(50..<70))
    #expect(list.content.loadedAt == runtime.clock.any.now)
    list.content.disappear()
  }

  @Test func `a fresh stored page is not loaded again, and grows both ways`() {
    let loads = ManualCalls<Int?, Void>()
    let list = list(
      loads, stored: [Self.page(5)], refreshing: Refreshing(staleAfter: .seconds(60)))
    list.content.appear()
    runtime.run()
    #expect(loads.inputs == [])
    list.loadPrevious()
    answer(loads)
    list.load()
    answer(loads)
    answer(loads)
    #expect(loads.inputs == [4, 4, 5])
    #expect(list.items == Array(40..<60))
    list.content.disappear()
  }

  @Test func `both ends that are shown are loaded, one after the other`() {
    let loads = ManualCalls<Int?, Void>()
    let list = list(loads)
    list.load()
    answer(loads)
    list.show(0..<10)
    answer(loads)
    #expect(list.items == Array(50..<70))
    #expect(list.prepend.isLoading)
    answer(loads)
    #expect(list.items == Array(40..<70))
    runtime.run()
    #expect(loads.inputs == [5, 6, 4])
  }

  @Test(arguments: [true, false])
  func `an end that is shown during a reload is loaded after it`(reloadFails: Bool) {
    let loads = ManualCalls<Int?, Void>()
    let list = list(loads)
    list.load()
    answer(loads)
    list.load()
    list.show(0..<5)
    runtime.run()
    #expect(loads.inputs == [5, 5])
    if reloadFails { loads.latest?.fail(Broken()) } else { loads.latest?.succeed(()) }
    runtime.run()
    #expect(list.prepend.isLoading)
    answer(loads)
    #expect(list.items == Array(40..<60))
  }

  @Test func `a list that is no longer shown loads no more`() {
    let loads = ManualCalls<Int?, Void>()
    let list = list(loads)
    list.load()
    answer(loads)
    list.load()
    list.show(0..<10)
    list.show(0..<0)
    answer(loads)
    #expect(loads.inputs == [5, 5])
  }

  @Test func `a failed end is not loaded again until the user retries it, and the other end is`() {
    let loads = ManualCalls<Int?, Void>()
    let list = list(loads)
    list.load()
    answer(loads)
    list.show(0..<5)
    runtime.run()
    loads.latest?.fail(Broken())
    runtime.run()
    list.show(1..<6)
    runtime.run()
    #expect(loads.inputs == [5, 4])
    #expect(list.prepend.canReload)
    list.show(1..<10)
    #expect(list.append.isLoading)
    runtime.run()
    list.prepend.retry()
    answer(loads)
    #expect(list.items == Array(40..<60))
    loads.end()
    runtime.run()
  }

  @Test(arguments: [false, true])
  func `a server with nothing but empty pages is not asked without end`(isChanging: Bool) async {
    var count = 0
    let list = PagedResource<Int, Int>(
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      count += 1
      return .constant(Page(cursor == nil ? [1] : [], next: count))
    }
    list.load()
    runtime.run()
    let commits = ManualCalls<Int, Void>()
    if isChanging {
      list.content.mutate(apply: { _ in }, commit: { _ in try await commits.call(1) })
      await runtime.run { commits.count == 1 }
    }
    let before = count
    list.show(0..<1)
    runtime.run()
    #expect(count == before + 10)
    list.show(0..<1)
    runtime.run()
    #expect(count == before + 20)
    if isChanging { commits[0].succeed() }
    runtime.run()
  }

  @Test func `pages are not evicted while items on or near them are shown`() {
    let loads = ManualCalls<Int?, Void>()
    let list = list(loads, maximum: 1)
    list.load()
    answer(loads)
    // All ten items are on the screen, which has room for more.
    list.show(0..<10)
    answer(loads)
    answer(loads)
    #expect(list.items == Array(40..<70))
    list.show(5..<20)
    runtime.run()
    #expect(loads.inputs == [5, 6, 4], "neither end is near")
    list.show(20..<29)
    answer(loads)
    #expect(list.items == Array(50..<80), "page 4 is out of reach")
  }

  /// A screen that keeps its first item in its place, as a list with an anchor does.
  private struct Screen {
    var height: Int
    var top = 0

    @MainActor mutating func show(_ list: PagedResource<Int, Int>) -> Range<Int> {
      let items = list.items
      let index = items.firstIndex(of: top) ?? 0
      let start = max(0, min(index, items.count - height))
      top = items.isEmpty ? top : items[start]
      let range = start..<min(items.count, start + height)
      list.show(range)
      return range
    }
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `what is shown is kept, what is near is loaded, and loading comes to an end`(seed: UInt64) {
    var random = Seeded(seed)
    let (distance, maximum) = (random.below(6), 1 + random.below(4))
    var loadCount = 0
    var fails = false
    let list = PagedResource<Int, Int>(
      start: random.below(10), maximumPageCount: maximum, prefetchDistance: distance,
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      loadCount += 1
      return fails || loadCount > 5000 ? .failure(Broken()) : .constant(Self.page(cursor ?? 0))
    }
    list.load()
    runtime.run()
    var screen = Screen(height: 1 + random.below(40))
    for step in 0..<40 {
      switch random.below(8) {
      case 0: list.load()
      case 1: fails.toggle()
      case 2:
        for end in [list.append, list.prepend] { end.retry() }
      default: screen.top += random.below(2 * screen.height + 1) - screen.height
      }
      _ = screen.show(list)
      let shown = screen.show(list)
      let visible = list.items[shown]
      runtime.run()
      var range = screen.show(list)
      runtime.run()
      while range != screen.show(list) {
        range = screen.show(list)
        runtime.run()
      }
      let items = list.items
      #expect(loadCount < 5000, "seed \(seed), step \(step): it goes on loading")
      #expect(visible.allSatisfy(items.contains), "seed \(seed), step \(step)")
      #expect(zip(items, items.dropFirst()).allSatisfy { $0 + 1 == $1 })
      guard !fails, list.append.currentFailure == nil, list.prepend.currentFailure == nil else {
        continue
      }
      #expect(range.lowerBound >= distance || !list.hasPrevious, "seed \(seed), step \(step)")
      #expect(range.upperBound <= items.count - distance || !list.hasMore)
      #expect(
        items.count <= max(10 * maximum, range.count + 2 * distance + 20),
        "seed \(seed), step \(step): \(items.count) items")
    }
  }

  @Test func `the first page alone is loaded, though a change is made in the same moment`() {
    let asked = Lock<[Int?]>([])
    let list = PagedResource<Int, Int>(
      prefetchDistance: 0, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      Loader { _ in
        asked.withLock { $0.append(cursor) }
        return Page([cursor ?? 0], next: (cursor ?? 0) + 1)
      }
    }
    list.load()
    runtime.run()
    list.loadMore()
    runtime.run()
    asked.withLock { $0 = [] }
    list.loadFirst()
    list.content.mutate(apply: { $0[0].items = [9] }, commit: { _ in })
    runtime.run()
    #expect(asked.withLock { $0 }.allSatisfy { $0 == nil })
  }
}
