import LoadingTesting
import Observation
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct PagingTests {
  let runtime = ManualRuntime()

  // MARK: Page by page

  func list(_ loads: ManualLoads<Page<Int, Int>>) -> PagedResource<Int, Int> {
    PagedResource(
      prefetchDistance: 2, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      loads.loader.map { page in Page(page.items.map { $0 + (cursor ?? 0) }, next: page.next) }
    }
  }

  @Test func `a list grows page by page near its end`() {
    let loads = ManualLoads<Page<Int, Int>>()
    let list = list(loads)
    list.load()
    runtime.run()
    loads[0].succeed(Page([1, 2, 3, 4], next: 100))
    runtime.run()
    list.shown(1)
    runtime.run()
    #expect(loads.count == 1)
    list.shown(2)
    list.shown(3)
    runtime.run()
    #expect(loads.count == 2)
    #expect(list.append.isLoading)
    #expect(!list.content.isLoading)
    loads[1].succeed(Page([5], next: nil))
    runtime.run()
    #expect(list.state == .loaded([1, 2, 3, 4, 105]))
    #expect(!list.hasMore)
    list.shown(4)
    runtime.run()
    #expect(loads.count == 2)
  }

  @Test func `a failed append leaves the list and is retried by the user only`() {
    let loads = ManualLoads<Page<Int, Int>>()
    let list = list(loads)
    list.load()
    runtime.run()
    loads[0].succeed(Page([1], next: 100))
    runtime.run()
    list.shown(0)
    runtime.run()
    loads[1].fail(Broken())
    runtime.run()
    #expect(list.items == [1])
    #expect(list.content.currentFailure == nil)
    #expect(list.append.state == .failed(Broken()))
    list.shown(0)
    runtime.run()
    #expect(loads.count == 2)
    list.append.retry()
    runtime.run()
    loads[2].succeed(Page([2], next: nil))
    runtime.run()
    #expect(list.items == [1, 102])
  }

  @Test func `a retry of an append that was successful adds nothing`() {
    let pages = ManualLoads<Page<Int, Int>>()
    let list = list(pages)
    list.load()
    runtime.run()
    pages.latest?.succeed(Page([1, 2], next: 2))
    runtime.run()
    list.loadMore()
    runtime.run()
    pages.latest?.succeed(Page([3], next: 3))
    runtime.run()
    let count = pages.count
    list.append.retry()
    list.append.load()
    runtime.run()
    #expect(pages.count == count)
    #expect(!list.append.canRetry)
    #expect(list.items == [1, 2, 5])
  }

  @Test func `a failed append is not retried behind a newer list`() {
    let pages = ManualLoads<Page<Int, Int>>()
    let list = list(pages)
    list.load()
    runtime.run()
    pages.latest?.succeed(Page([1, 2], next: 2))
    runtime.run()
    list.loadMore()
    runtime.run()
    pages.latest?.fail(Broken())
    runtime.run()
    list.load()
    runtime.run()
    pages.latest?.succeed(Page([8, 9], next: nil))
    runtime.run()
    let count = pages.count
    list.append.retry()
    runtime.run()
    #expect(pages.count == count)
    #expect(list.items == [8, 9])
  }

  @Test func `a refresh ends an append, whose page never gets behind the new list`() {
    let loads = ManualLoads<Page<Int, Int>>()
    let list = list(loads)
    list.load()
    runtime.run()
    loads[0].succeed(Page([1], next: 100))
    runtime.run()
    list.loadMore()
    runtime.run()
    list.load()
    runtime.run()
    loads[1].succeed(Page([2], next: nil))
    loads[2].succeed(Page([7], next: 100))
    runtime.run()
    #expect(list.items == [7])
    #expect(list.hasMore)
  }

  @Test func `a list that is set takes no page of the one before`() {
    let loads = ManualLoads<Page<Int, Int>>()
    let list = list(loads)
    list.load()
    runtime.run()
    loads[0].succeed(Page([1], next: 0))
    runtime.run()
    list.loadMore()
    runtime.run()
    list.content.set(.loaded([Page([7], next: 0)]))
    loads[1].succeed(Page([2], next: nil))
    runtime.run()
    #expect(list.items == [7])
    #expect(list.hasMore)
  }

  @Test func `a page that is added keeps the pending changes of the list`() {
    let loads = ManualLoads<Page<Int, Int>>()
    let commits = ManualCalls<Int, Void>()
    let list = list(loads)
    list.load()
    runtime.run()
    loads[0].succeed(Page([1], next: 0))
    runtime.run()
    list.content.mutate(
      apply: { $0[0].items.insert(9, at: 0) }, commit: { _ in try await commits.call(0) })
    list.loadMore()
    runtime.run()
    loads[1].succeed(Page([2], next: nil))
    runtime.run()
    #expect(list.items == [9, 1, 2])
    commits[0].fail(Broken())
    runtime.run()
    #expect(list.items == [1, 2])
  }

  // MARK: Both ways, bounded, reloaded

  /// A list on a server that has ten items on each of ten pages; a page's number is its cursor.
  private func numbered(
    _ loads: ManualCalls<Int?, Void>, start: Int? = nil, maximum: Int? = nil,
    refreshing: Refreshing = .never, knowsWayBack: Bool = true
  ) -> PagedResource<Int, Int> {
    PagedResource(
      start: start, maximumPageCount: maximum, prefetchDistance: 2, refreshing: refreshing,
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      Loader { _ in
        try await loads.call(cursor)
        let number = cursor ?? 0
        return Page(
          Array(10 * number..<10 * number + 10),
          previous: knowsWayBack && number > 0 ? number - 1 : nil,
          next: number < 9 ? number + 1 : nil)
      }
    }
  }

  private func answer(_ loads: ManualCalls<Int?, Void>) {
    runtime.run()
    loads.latest?.succeed(())
    runtime.run()
  }

  @Test func `a list that begins in the middle grows both ways`() {
    let loads = ManualCalls<Int?, Void>()
    let list = numbered(loads, start: 5)
    list.load()
    answer(loads)
    #expect(list.items == Array(50..<60))
    list.shown(1)
    #expect(list.prepend.isLoading)
    // Only one end is loaded at a time, because a page that is added at one moves the other.
    list.shown(9)
    #expect(!list.append.isLoading)
    answer(loads)
    #expect(list.items == Array(40..<60))
    list.shown(19)
    answer(loads)
    #expect(list.items == Array(40..<70))
    #expect(loads.inputs == [5, 4, 6])
    for _ in 0..<6 {
      list.loadPrevious()
      answer(loads)
    }
    #expect(list.items == Array(0..<70))
    #expect(!list.hasPrevious)
  }

  @Test(arguments: [true, false])
  func `a bounded list lets pages go, and finds the way back to them`(knowsWayBack: Bool) {
    let loads = ManualCalls<Int?, Void>()
    let list = numbered(loads, maximum: 3, knowsWayBack: knowsWayBack)
    list.load()
    answer(loads)
    for _ in 0..<5 {
      list.loadMore()
      answer(loads)
    }
    #expect(list.items == Array(30..<60))
    for _ in 0..<5 {
      list.loadPrevious()
      answer(loads)
    }
    #expect(list.items == Array(0..<30))
    #expect(!list.hasPrevious)
    #expect(loads.inputs == [nil, 1, 2, 3, 4, 5, 2, 1, nil])
    list.loadMore()
    answer(loads)
    #expect(list.items == Array(10..<40))
    #expect(list.hasPrevious)
  }

  @Test func `a reload keeps what was read, and replaces it when all of it has come`() {
    let loads = ManualCalls<Int?, Void>()
    let list = numbered(loads, maximum: 2, refreshing: Refreshing(interval: .seconds(60)))
    list.content.appear()
    answer(loads)
    for _ in 0..<2 {
      list.loadMore()
      answer(loads)
    }
    #expect(list.items == Array(10..<30))
    runtime.advance(by: .seconds(60))
    #expect(loads.count == 4)
    answer(loads)
    #expect(list.items == Array(10..<30))
    #expect(list.content.progress == nil)
    answer(loads)
    #expect(loads.inputs == [nil, 1, 2, 1, 2])
    #expect(!list.content.isLoading)
    #expect(list.items == Array(10..<30))
    #expect(list.hasPrevious)

    list.load()
    runtime.run()
    loads.latest?.fail(Broken())
    runtime.run()
    #expect(list.items == Array(10..<30))
    #expect(list.content.currentFailure != nil)
    list.content.retry()
    answer(loads)
    answer(loads)
    #expect(list.content.currentFailure == nil)
    #expect(list.items == Array(10..<30))

    list.loadFirst()
    answer(loads)
    #expect(list.items == Array(0..<10))
    list.content.disappear()
  }

  @Test func `a page that failed at one end is not retried after the other has grown`() {
    let loads = ManualCalls<Int?, Void>()
    let list = numbered(loads, start: 5, maximum: 2)
    list.load()
    answer(loads)
    list.loadMore()
    answer(loads)
    list.loadMore()
    runtime.run()
    loads.latest?.fail(Broken())
    runtime.run()
    #expect(list.append.canRetry)
    list.loadPrevious()
    answer(loads)
    // The page that it would follow has gone.
    #expect(list.items == Array(40..<60))
    var count = loads.count
    list.append.retry()
    runtime.run()
    #expect(loads.count == count)

    list.loadPrevious()
    runtime.run()
    loads.latest?.fail(Broken())
    runtime.run()
    #expect(list.prepend.canRetry)
    list.loadMore()
    answer(loads)
    #expect(list.items == Array(50..<70))
    count = loads.count
    list.prepend.retry()
    runtime.run()
    #expect(loads.count == count)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `whatever happens, a list is one stretch of what the server has`(seed: UInt64) {
    var random = Seeded(seed)
    let loads = ManualCalls<Int?, Void>()
    let list = numbered(
      loads, start: random.chance(50) ? 5 : nil, maximum: random.chance(60) ? 3 : nil,
      knowsWayBack: random.chance(70))
    var answered = 0
    for step in 0..<60 {
      switch random.below(10) {
      case 0: list.load()
      case 1: if random.chance(30) { list.loadFirst() }
      case 2: list.loadMore()
      case 3: list.loadPrevious()
      case 4: list.shown(random.below(max(1, list.items.count)))
      case 5: list.append.retry()
      case 6: list.prepend.retry()
      case 7: list.content.retry()
      default:
        guard answered < loads.count else { break }
        if random.chance(20) { loads[answered].fail(Broken()) } else { loads[answered].succeed(()) }
        answered += 1
      }
      if random.chance(80) { runtime.run() }
      let items = list.items
      let isStretch = zip(items, items.dropFirst()).allSatisfy { $0 + 1 == $1 }
      #expect(isStretch && items.count % 10 == 0, "seed \(seed), step \(step): \(items)")
      #expect(list.maximumPageCount.map { items.count <= 10 * $0 } ?? true)
    }
    runtime.run()
    list.content.reset()
    runtime.run()
    loads.end()
    runtime.run()
  }

  // MARK: By range

  func rows(
    _ loads: ManualLoads<[Int]>, count: ManualLoads<Int>, limit: Int = 10
  ) -> RangedResource<Int> {
    RangedResource(
      pageSize: 100, capacity: 4, limit: LoadLimit(limit), clock: runtime.clock.any,
      scheduler: runtime.scheduler, count: count.loader
    ) { range in
      loads.loader.map { _ in Array(range) }
    }
  }

  @Test func `pages load when they are shown, also after a jump to the end`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = rows(loads, count: count, limit: 1)
    rows.load()
    rows.show(0..<30)
    runtime.run()
    count[0].succeed(100_050)
    runtime.run()
    #expect(loads.count == 1)
    rows.show(50_000..<50_030)
    runtime.run()
    rows.show(100_020..<100_050)
    runtime.run()
    #expect(rows.state(at: 50_010) == .idle)
    #expect(rows.state(at: 100_049) == .loading)
    loads[0].succeed([])
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed([])
    runtime.run()
    #expect(rows[100_049] == 100_049)
    #expect(rows[100_050] == nil)
    #expect(rows[0] == 0)
    #expect(rows[-1] == nil)
  }

  @Test func `a view that reads a row before its page is made is told when it is`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = rows(loads, count: count)
    rows.load()
    runtime.run()
    count[0].succeed(1_000)
    runtime.run()
    let isTold = Lock(false)
    withObservationTracking {
      #expect(rows.state(at: 500) == .idle)
    } onChange: {
      isTold.withLock { $0 = true }
    }
    rows.show(500..<510)
    #expect(isTold.withLock { $0 })
    runtime.run()
    loads.end()
    runtime.run()
  }

  @Test func `few pages are kept, but all that are shown`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = rows(loads, count: count)
    rows.load()
    runtime.run()
    count[0].succeed(100_000)
    runtime.run()
    for start in stride(from: 0, to: 10_000, by: 100) { rows.show(start..<start + 100) }
    #expect(rows.pages.counts.all <= 4)
    rows.show(0..<1_000)
    #expect(rows.pages.counts.all == 10)
    for _ in 0..<3 {
      runtime.run()
      loads.end()
    }
    runtime.run()
  }

  @Test func `when the list has grown its old end is loaded again`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = rows(loads, count: count)
    rows.load()
    rows.show(0..<100)
    runtime.run()
    count[0].succeed(50)
    runtime.run()
    loads[0].succeed([])
    runtime.run()
    #expect(rows[49] == 49)
    #expect(rows[50] == nil)
    rows.count.load()
    runtime.run()
    count[1].succeed(60)
    runtime.run()
    #expect(rows[49] == 49)
    loads[1].succeed([])
    runtime.run()
    #expect(rows[59] == 59)
  }

  /// The 250 rows of a query, of which the first page was shown and has been loaded.
  func loadedRows(_ count: ManualLoads<Int>, _ loads: ManualLoads<[Int]>) -> RangedResource<Int> {
    let rows = rows(loads, count: count)
    rows.load()
    rows.show(0..<30)
    runtime.run()
    count[0].succeed(250)
    runtime.run()
    loads[0].succeed([])
    runtime.run()
    return rows
  }

  @Test func `what changed during a reload is loaded after it`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = loadedRows(count, loads)
    rows.load()
    runtime.run()
    #expect((count.count, loads.count) == (2, 2))
    rows.load(.keepLatest, cause: .refresh)
    rows.load(.keepLatest, cause: .refresh)
    count[1].succeed(250)
    loads[1].succeed([])
    runtime.run()
    #expect((count.count, loads.count) == (3, 3))
    count[2].succeed(250)
    loads[2].succeed([])
    runtime.run()
    #expect((count.count, loads.count) == (3, 3))
    #expect(!rows.count.isLoading)
  }

  @Test func `the rows of another query come when its count is there`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = loadedRows(count, loads)
    let (others, otherCount) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    var asked: [Range<Int>] = []
    rows.load(count: otherCount.loader) { range in
      asked.append(range)
      return others.loader
    }
    runtime.run()
    // Until the count is there, the rows of the earlier query are shown, also where the user scrolls to
    // others of them.
    rows.show(90..<120)
    runtime.run()
    loads[1].succeed([])
    runtime.run()
    #expect(rows[99] == 99)
    #expect(rows[100] == 100)
    #expect(asked.isEmpty)
    otherCount[0].succeed(101)
    runtime.run()
    #expect(rows.state == .loaded(101))
    #expect(asked == [0..<100, 100..<101] || asked == [100..<101, 0..<100])
    #expect(rows[99] == 99)
    let first = asked[0].isEmpty || asked[0].lowerBound == 0 ? 0 : 1
    others[first].succeed(Array(-100..<0))
    others[1 - first].succeed([-999])
    runtime.run()
    #expect(rows[99] == -1)
    #expect(rows[100] == -999)
    #expect(rows[101] == nil)
    #expect(loads.count == 2)
  }

  @Test func `of queries made one after the other the last one's rows come`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = loadedRows(count, loads)
    let (slow, quick) = (ManualLoads<Int>(), ManualLoads<Int>())
    rows.load(count: slow.loader) { range in .constant(range.map { _ in 1 }) }
    runtime.run()
    rows.load(count: quick.loader) { range in .constant(range.map { _ in 2 }) }
    runtime.run()
    quick[0].succeed(10)
    runtime.run()
    slow[0].succeed(20)
    runtime.run()
    #expect(rows.state == .loaded(10))
    #expect(rows[0] == 2)
  }

  @Test func `a query that fails hides the rows of the one before until a retry succeeds`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = loadedRows(count, loads)
    let otherCount = ManualLoads<Int>()
    rows.load(count: otherCount.loader) { range in .constant(range.map { _ in -1 }) }
    runtime.run()
    otherCount[0].fail(Broken())
    runtime.run()
    #expect(rows.state == .failed(Broken()))
    rows.load()
    runtime.run()
    #expect(loads.count == 1)
    otherCount[1].succeed(10)
    runtime.run()
    #expect(rows[7] == -1)
  }

  @Test func `a reload keeps a page with a failed change`() throws {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = loadedRows(count, loads)
    rows.pages[0].mutate(apply: { $0[0] = 5 }, commit: { _ in throw Broken() })
    rows.show(200..<230)
    runtime.run()
    rows.load()
    #expect(rows.pages.resource(ifPresent: 0)?.failedMutations.count == 1)
    for _ in 0..<2 {
      runtime.run()
      loads.end()
      count.end()
    }
    runtime.run()
  }
}
