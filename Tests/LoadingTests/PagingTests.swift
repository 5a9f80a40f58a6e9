import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct PagingTests {
  let runtime = ManualRuntime()

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
    list.itemAppeared(at: 1)
    runtime.run()
    #expect(loads.count == 1)
    list.itemAppeared(at: 2)
    list.itemAppeared(at: 3)
    runtime.run()
    #expect(loads.count == 2)
    #expect(list.append.isLoading)
    #expect(!list.content.isLoading)
    loads[1].succeed(Page([5], next: nil))
    runtime.run()
    #expect(list.state == .loaded([1, 2, 3, 4, 105]))
    #expect(!list.hasMore)
    list.itemAppeared(at: 4)
    runtime.run()
    #expect(loads.count == 2)
  }

  @Test func `a failed append does not change the list, and only the user retries it`() {
    let loads = ManualLoads<Page<Int, Int>>()
    let list = list(loads)
    list.load()
    runtime.run()
    loads[0].succeed(Page([1], next: 100))
    runtime.run()
    list.itemAppeared(at: 0)
    runtime.run()
    loads[1].fail(Broken())
    runtime.run()
    #expect(list.items == [1])
    #expect(list.content.currentFailure == nil)
    #expect(list.append.state == .failed(Broken()))
    list.itemAppeared(at: 0)
    runtime.run()
    #expect(loads.count == 2)
    list.append.retry()
    runtime.run()
    loads[2].succeed(Page([2], next: nil))
    runtime.run()
    #expect(list.items == [1, 102])
  }

  @Test func `retrying a successful append adds nothing`() {
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
    #expect(!list.append.canReload)
    #expect(list.items == [1, 2, 5])
  }

  @Test func `a failed append is not retried after the list was loaded again`() {
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

  @Test func `a refresh ends an append, whose page is never added to the new list`() {
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

  @Test func `a list that was set gets no page of the earlier list`() {
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

  @Test func `adding a page keeps the pending changes of the list`() {
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
    // The page may have come with the change, which may be one of any item.
    #expect(list.content.isLoading)
    loads.end()
    runtime.run()
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

  @Test func `a list can start over with its first page, and loads more when its end is shown`() {
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
    list.itemAppeared(at: 0)
    runtime.run()
    #expect(pages.count == 4)
    pages.end()
    runtime.run()
  }

  /// The cursor of the next page is not known before the reload has ended.
  @Test(arguments: [true, false])
  func `a page that is requested during a reload is not loaded until it is requested again`(
    reloadFails: Bool
  ) {
    let (list, pages) = listWithAPage()
    list.load()
    list.loadMore()
    list.loadPrevious()
    list.itemAppeared(at: 0)
    runtime.run()
    #expect(pages.count == 2)
    #expect(!list.append.isLoading)
    if reloadFails { pages[1].fail(Broken()) } else { pages[1].succeed(Page([5], next: 6)) }
    runtime.run()
    #expect(pages.count == 2)
    list.itemAppeared(at: 0)
    runtime.run()
    #expect(pages.count == 3)
    pages[2].succeed(Page([9], next: nil))
    runtime.run()
    #expect(list.items == (reloadFails ? [1, 9] : [5, 9]))
  }

  @Test func `a page that is yielded is followed by the whole one`() {
    let list = PagedResource<Int, Int>(
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      guard let cursor else { return .constant(Page([1], next: 1)) }
      return Loader { context, output in
        output.yield(Page([2], next: cursor))
        try await context.sleep(for: .seconds(1))
        return Page([2, 3], next: nil)
      }
    }
    list.load()
    runtime.run()
    list.loadMore()
    runtime.run()
    #expect(list.items == [1])
    runtime.advance(by: .seconds(1))
    #expect(list.items == [1, 2, 3])
    #expect(!list.hasMore)
  }

  @Test func `a page that was read before a change was stored is read again`() {
    let loads = ManualLoads<Page<Int, Int>>()
    let commits = ManualCalls<Int, Void>()
    let list = list(loads)
    list.load()
    runtime.run()
    loads[0].succeed(Page([1], next: 0))
    runtime.run()
    list.content.mutate(
      apply: { pages in
        for index in pages.indices { pages[index].items.removeAll { $0 == 2 } }
      }, commit: { _ in try await commits.call(2) })
    list.loadMore()
    runtime.run()
    commits[0].succeed()
    runtime.run()
    loads[1].succeed(Page([2], next: nil))
    runtime.run()
    #expect(list.items == [1])
    loads[2].succeed(Page([3], next: nil))
    runtime.run()
    #expect(list.items == [1, 3])
  }

  @Test func `the pages of another query replace the old ones, also after a failure`() {
    let (list, pages) = listWithAPage()
    let found = ManualCalls<Int?, Page<Int, Int>>()
    list.loadMore()
    runtime.run()
    list.load { cursor in Loader { _ in try await found.call(cursor) } }
    runtime.run()
    pages[1].succeed(Page([2], next: nil))
    runtime.run()
    #expect(list.state == .loaded([1]))
    found[0].fail(Broken())
    runtime.run()
    #expect(list.state == .failed(Broken()))
    list.loadMore()
    list.content.retry()
    runtime.run()
    found[1].succeed(Page([7], next: 8))
    runtime.run()
    list.loadMore()
    runtime.run()
    found[2].succeed(Page([8], next: nil))
    runtime.run()
    #expect(list.state == .loaded([7, 8]))
    #expect(found.inputs == [nil, nil, 8])
    list.load()
    runtime.run()
    #expect(found.count == 4)
    found.end()
    runtime.run()
  }

  /// A list on a server that answers only while it is online, whose pages are cached.
  private func cached(
    in cache: LoadCache<Int, Page<Int, Int>>, isOnline: Lock<Bool>
  ) -> PagedResource<Int, Int> {
    PagedResource(
      prefetchDistance: 1, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      let number = cursor ?? 0
      return Loader {
        guard isOnline.withLock({ $0 }) else { throw Broken() }
        return Page([number], next: number + 1)
      }.cached(in: cache, key: number)
    }
  }

  @Test func `a stale page of a cache is added although it cannot be loaded again`() {
    let cache = LoadCache<Int, Page<Int, Int>>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let isOnline = Lock(true)
    let earlier = cached(in: cache, isOnline: isOnline)
    earlier.load()
    runtime.run()
    for _ in 0..<2 {
      earlier.loadMore()
      runtime.run()
    }
    #expect(earlier.items == [0, 1, 2])
    runtime.advance(by: .seconds(61))
    isOnline.withLock { $0 = false }
    let list = cached(in: cache, isOnline: isOnline)
    // A load by the user would not use the cache.
    list.content.appear()
    runtime.run()
    #expect(list.content.currentFailure != nil)
    list.show(0..<1)
    runtime.run()
    #expect(list.items == [0, 1])
    list.loadMore()
    runtime.run()
    #expect(list.items == [0, 1, 2])
    #expect(list.append.state == .idle)
    // There is none in the cache.
    list.loadMore()
    runtime.run()
    #expect(list.items == [0, 1, 2])
    #expect(list.append.state == .failed(Broken()))
  }

  @Test(arguments: [true, false])
  func `a part of a page is not added if its load fails or is cancelled, and the other end goes on`(
    isCancelled: Bool
  ) {
    let loads = ManualLoads<Page<Int, Int>>()
    let list = PagedResource(
      start: 5, prefetchDistance: 1, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { (_: Int?) in loads.loader }
    list.load()
    runtime.run()
    loads[0].succeed(Page([5], previous: 4, next: 6))
    runtime.run()
    list.show(0..<1)
    runtime.run()
    loads[1].output.yield(Page([6], next: 7))
    runtime.run()
    if isCancelled { list.append.cancel() } else { loads[1].fail(Broken()) }
    runtime.run()
    #expect(list.items == [5])
    #expect(list.prepend.isLoading)
    loads.latest?.succeed(Page([4], next: 5))
    runtime.run()
    #expect(list.items == [4, 5])
    list.content.reset()
    loads.end()
    runtime.run()
  }

  @Test(arguments: ["fails", "is cancelled", "is given up"])
  func `a part of a page is not added either if the second load of the page yields it and`(
    how: String
  ) {
    let (list, loads) = listWithAPage()
    list.append.appear()
    list.loadMore()
    runtime.run()
    func yieldAndEnd() {
      loads.latest?.output.yield(Page([2], next: 9))
      runtime.run()
      switch how {
      case "fails": loads.latest?.fail(Broken())
      case "is cancelled": list.append.cancel()
      default:
        loads.latest?.context.send(.phase(.waiting))
        runtime.run()
        list.append.disappear()
        list.append.appear()
      }
      runtime.run()
    }
    for _ in 0..<3 {
      yieldAndEnd()
      #expect(list.items == [1])
      runtime.advance(by: .seconds(5))
      list.append.retry()
      runtime.run()
    }
    loads.latest?.succeed(Page([2, 3], next: 4))
    runtime.run()
    #expect(list.items == [1, 2, 3])
    list.append.disappear()
    loads.end()
    runtime.run()
  }

  @Test func `a part of a page is not added if only what the page is made of was in a cache`() {
    let cache = LoadCache<Int, [Int]>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let parts = ManualLoads<Page<Int, Int>>()
    let ids = Loader { [5] }.cached(in: cache, key: 1)
    let earlier = runtime.resource(ids)
    earlier.load()
    runtime.run()
    runtime.advance(by: .seconds(5))
    let list = PagedResource(
      initialPages: [Page([1], next: 2)], clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { (_: Int?) in ids.flatMap { _ in parts.loader } }
    list.loadMore()
    runtime.run()
    parts[0].output.yield(Page([5], next: 9))
    runtime.run()
    parts[0].fail(Broken())
    runtime.run()
    #expect(list.items == [1])
    list.append.retry()
    runtime.run()
    parts.latest?.succeed(Page([5, 6], next: nil))
    runtime.run()
    #expect(list.items == [1, 5, 6])
  }
}
