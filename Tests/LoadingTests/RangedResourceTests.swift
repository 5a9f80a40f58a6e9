import LoadingTesting
import Observation
import Testing

@testable import Loading

/// A long list that loads only the ranges of its rows that are on the screen.
@MainActor
@Suite(.leavesNothingBehind) struct RangedResourceTests {
  let runtime = ManualRuntime()

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

  @Test func `pages load when they are shown, even after a jump to the end`() {
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

  @Test func `a view that reads a row before its page exists is notified when the page is created`()
  {
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

  @Test func `few pages are kept, but always those that are shown`() {
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

  @Test func `when the list has grown, its old last page is loaded again`() {
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

  /// Returns 50 rows of a query, the first of which was changed to 5, after the list has grown to 60.
  private func grownRows(
    _ count: ManualLoads<Int>, _ loads: ManualLoads<[Int]>
  ) -> RangedResource<Int> {
    let rows = rows(loads, count: count)
    rows.load()
    rows.show(0..<100)
    runtime.run()
    count[0].succeed(50)
    runtime.run()
    loads[0].succeed([])
    runtime.run()
    rows.pages[0].mutate(undoWindow: .seconds(5), apply: { $0[0] = 5 }, commit: { _ in })
    rows.count.load()
    runtime.run()
    count[1].succeed(60)
    runtime.run()
    return rows
  }

  @Test func `a change of a row can still be undone when the list has grown`() throws {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = grownRows(count, loads)
    #expect(!rows.pages[0].showsEarlierInput)
    loads[1].succeed([])
    runtime.run()
    #expect(rows[0] == 5)
    #expect(rows[59] == 59)
    let id = try #require(rows.pages[0].pendingMutations.first?.id)
    #expect(rows.pages[0].undo(id))
    #expect(rows[0] == 0)
    runtime.advance(by: .seconds(5))
  }

  @Test func `if the rows of a list that has grown fail to load, the others stay`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = grownRows(count, loads)
    loads[1].fail(Broken())
    runtime.run()
    #expect(rows[0] == 5)
    #expect(rows.state(at: 55) == .failed(Broken()))
    rows.retry(at: 55)
    runtime.run()
    loads[2].succeed([])
    runtime.run()
    #expect(rows[59] == 59)
    runtime.advance(by: .seconds(5))
  }

  /// Returns the 250 rows of a query, whose first page was shown and loaded.
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

  @Test func `a change during a reload is loaded after it`() {
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

  @Test func `the rows of another query are loaded once its count is known`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = loadedRows(count, loads)
    let (others, otherCount) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    var asked: [Range<Int>] = []
    rows.load(count: otherCount.loader) { range in
      asked.append(range)
      return others.loader
    }
    runtime.run()
    // Until the count is loaded, the rows of the earlier query are shown, even if the user scrolls.
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

  @Test func `of several queries in a row, the rows of the last one are loaded`() {
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

  @Test func `a failed query hides the rows of the previous one until a retry succeeds`() {
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

  @Test func `of the pages that are removed, those that are shown are loaded again`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = rows(loads, count: count)
    rows.load()
    rows.show(0..<30)
    runtime.run()
    count[0].succeed(1_000)
    runtime.run()
    loads[0].succeed([])
    rows.show(500..<530)
    runtime.run()
    loads[1].succeed([])
    runtime.run()
    rows.pages.removeAll()
    runtime.run()
    #expect(rows.pages.counts == .init(loaded: 1, reloading: 1))
    loads[2].succeed([])
    runtime.run()
    #expect(rows[510] == 510)
    #expect(rows[10] == nil)
    rows.show(0..<0)
    rows.pages.removeAll()
    #expect(rows.pages.counts.all == 0)
  }

  @Test func `a page with a failed change is kept when the list becomes shorter`() {
    let (loads, count) = (ManualLoads<[Int]>(), ManualLoads<Int>())
    let rows = loadedRows(count, loads)
    rows.show(200..<230)
    runtime.run()
    loads[1].succeed([])
    runtime.run()
    rows.pages[2].mutate(apply: { $0[0] = 5 }, commit: { _ in throw Broken() })
    rows.count.load()
    runtime.run()
    count[1].succeed(150)
    runtime.run()
    #expect(rows.pages.resource(ifPresent: 2)?.failedMutations.count == 1)
    #expect(rows[200] == nil)
    // It is not loaded again before the list reaches it again.
    rows.load()
    runtime.run()
    #expect(loads.count == 2)
    rows.pages[2].dismissFailedMutations()
    count[2].succeed(150)
    rows.load()
    #expect(rows.pages.resource(ifPresent: 2) == nil)
    count.end()
    runtime.run()
  }
}
