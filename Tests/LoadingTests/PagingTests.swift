import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct PagingTests {
  let runtime = ManualRuntime()

  // MARK: Changing items

  struct Post: Identifiable, Equatable {
    let id: Int
    var title = "untitled"
  }

  /// A list of two pages, with the posts 1 and 2, and 3 and 4.
  func posts() -> PagedResource<Post, Int> {
    let posts = PagedResource<Post, Int>(
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      .constant(
        cursor == nil
          ? Page([Post(id: 1), Post(id: 2)], next: 3) : Page([Post(id: 3), Post(id: 4)], next: nil))
    }
    posts.load()
    runtime.run()
    posts.loadMore()
    runtime.run()
    return posts
  }

  @Test func `an item is changed and removed on whichever page it is`() {
    let posts = posts()
    let commits = ManualCalls<Int, Void>()
    posts.content.mutate(item: 3) {
      $0.modify(id: 3) { $0.title = "three" }
    } commit: { _ in
      try await commits.call(3)
    }
    posts.content.mutate(item: 1) {
      $0.remove(id: 1)
    } commit: { _ in
      try await commits.call(1)
    }
    // Changes of items that are gone, as after a reload, do nothing.
    posts.content.mutate {
      $0.modify(id: 9) { $0.title = "nine" }
      $0.remove(id: 9)
    } commit: { _ in
      try await commits.call(9)
    }
    runtime.run()
    #expect(posts.items == [Post(id: 2), Post(id: 3, title: "three"), Post(id: 4)])
    commits[1].fail(Broken())
    commits[0].succeed()
    commits[2].succeed()
    runtime.run()
    #expect(posts.items == [Post(id: 1), Post(id: 2), Post(id: 3, title: "three"), Post(id: 4)])
  }

  @Test func `access to an item of a page changes the item and stores only that`() throws {
    let posts = posts()
    let commits = ManualCalls<ValueAccess<Post>.Change, Void>()
    let access = posts.access(id: 4) { try await commits.call($0) }
    let post = try #require(access)
    post.title.modify { $0 += "!" }
    runtime.run()
    #expect(posts.items.last?.title == "untitled!")
    #expect(post.value.title == "untitled!")
    #expect(posts.content.isModifying(4))
    #expect(commits[0].input.value == Post(id: 4, title: "untitled!"))
    #expect(commits[0].input.isWithin(\.title))
    commits[0].fail(Broken())
    runtime.run()
    #expect(posts.items.last?.title == "untitled")
    let missing = posts.access(id: 9) { _ in }
    #expect(missing == nil)
  }

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
    #expect(!list.append.canRetry)
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
    list.itemAppeared(at: 1)
    #expect(list.prepend.isLoading)
    // Only one end is loaded at a time, because a page that is added at one moves the other.
    list.itemAppeared(at: 9)
    #expect(!list.append.isLoading)
    answer(loads)
    #expect(list.items == Array(40..<60))
    list.itemAppeared(at: 19)
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
  func `a bounded list evicts pages, and loads them again when the user comes back`(
    knowsWayBack: Bool
  ) {
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

  @Test func `a reload keeps the pages, and replaces them when all of them are loaded`() {
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

  @Test func `a failed page at one end is not retried after the other end has grown`() {
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
    // The page that it would follow was evicted.
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
  func `whatever happens, a list is a contiguous part of the server's list`(seed: UInt64) {
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
      case 4: list.itemAppeared(at: random.below(max(1, list.items.count)))
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
}
