import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct BoundedPagingTests {
  let runtime = ManualRuntime()

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
    #expect(list.append.canReload)
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
    #expect(list.prepend.canReload)
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

  struct Post: Identifiable, Equatable {
    let id: Int
    var isStarred = false
  }

  /// The server has ten posts on each of ten pages, and reads and stores their stars when it answers.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `whatever happens, no change of an item is lost or made twice`(seed: UInt64) {
    var random = Seeded(seed)
    let (loads, commits) = (ManualCalls<Int, Void>(), ManualCalls<Post, Void>())
    let stars = Lock<Set<Int>>([])
    let list = PagedResource<Post, Int>(
      start: 4, maximumPageCount: 2, prefetchDistance: 2, clock: runtime.clock.any,
      scheduler: runtime.scheduler
    ) { cursor in
      let number = cursor ?? 0
      return Loader { _ in
        try await loads.call(number)
        let posts = stars.withLock { stars in
          (10 * number..<10 * number + 10).map { Post(id: $0, isStarred: stars.contains($0)) }
        }
        return Page(
          posts, previous: number > 0 ? number - 1 : nil, next: number < 9 ? number + 1 : nil)
      }
    }
    list.load()
    var wanted: Set<Int> = []
    var (loaded, committed) = (0, 0)
    func answerLoad() {
      guard loaded < loads.count else { return }
      loads[loaded].succeed(())
      loaded += 1
    }
    func answerCommit() {
      guard committed < commits.count else { return }
      commits[committed].succeed(())
      committed += 1
    }
    for _ in 0..<60 {
      switch random.below(10) {
      case 0: if random.chance(30) { list.load() }
      case 1: list.loadMore()
      case 2: list.loadPrevious()
      case 3, 4:
        guard let post = list.items.randomElement(using: &random)?.id else { break }
        let access = list.access(
          id: post, undoWindow: random.chance(50) ? .seconds(1) : nil
        ) { change in
          try await commits.call(change.value)
          stars.withLock { stars in
            if change.value.isStarred { stars.insert(post) } else { stars.remove(post) }
          }
        }
        access?.isStarred.modify { $0.toggle() }
        wanted.formSymmetricDifference([post])
      case 5: runtime.advance(by: .milliseconds(400))
      case 6, 7: answerCommit()
      default: answerLoad()
      }
      if random.chance(80) { runtime.run() }
    }
    for _ in 0..<200 {
      runtime.advance(by: .milliseconds(100))
      answerCommit()
      answerLoad()
      runtime.run()
    }
    #expect(!list.content.isLoading && list.content.pendingMutations.isEmpty, "seed \(seed)")
    #expect(list.content.failedMutations.isEmpty, "seed \(seed)")
    #expect(stars.withLock { $0 } == wanted, "seed \(seed)")
    let shown = list.items.filter(\.isStarred).map(\.id)
    #expect(shown == list.items.map(\.id).filter(wanted.contains), "seed \(seed)")
  }

  @Test(arguments: [true, false])
  func `an evicted page is not taken from the cache after a change of it was stored`(
    isKept: Bool
  ) {
    let stars = Lock<Set<Int>>([])
    let cache = LoadCache<Int, Page<Int, Int>>(staleAfter: .seconds(600), lifetime: .seconds(600))
    let list = PagedResource<Int, Int>(
      maximumPageCount: 2, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { cursor in
      let number = cursor ?? 0
      return Loader {
        // A starred item is negative.
        Page([stars.withLock { $0.contains(number) ? -number : number }], next: number + 1)
      }.cached(in: cache, key: number)
    }
    list.load()
    runtime.run()
    list.loadMore()
    runtime.run()
    #expect(list.items == [0, 1])
    list.content.mutate(apply: { $0[1].items = [-1] }) { _ in
      _ = stars.withLock { $0.insert(1) }
      if !isKept { throw Broken() }
    }
    runtime.run()
    for _ in 0..<2 {
      list.loadMore()
      runtime.run()
    }
    #expect(list.items == [2, 3])
    list.loadPrevious()
    runtime.run()
    #expect(list.items == [-1, 2])
  }
}
