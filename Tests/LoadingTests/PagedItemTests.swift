import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct PagedItemTests {
  let runtime = ManualRuntime()

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

  // MARK: Pages that are loaded while changes are stored

  /// A list whose pages the test answers, after its first page with the posts 1 and 2.
  private func growing(
    _ loads: ManualLoads<Page<Post, Int>>, maximumPageCount: Int? = nil
  ) -> PagedResource<Post, Int> {
    let posts = PagedResource<Post, Int>(
      maximumPageCount: maximumPageCount, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { (_: Int?) in loads.loader }
    posts.load()
    runtime.run()
    answer(loads, [1, 2])
    return posts
  }

  private func answer(_ loads: ManualLoads<Page<Post, Int>>, _ ids: [Int]) {
    loads.latest?.succeed(Page(ids.map { Post(id: $0) }, next: (ids.last ?? 0) + 1))
    runtime.run()
  }

  @Test func `a page with an item that is being changed is evicted once the change is stored`()
    throws
  {
    let loads = ManualLoads<Page<Post, Int>>()
    let posts = growing(loads, maximumPageCount: 1)
    let commits = ManualCalls<Post, Void>()
    let access = posts.access(id: 1, undoWindow: .seconds(5)) { try await commits.call($0.value) }
    try #require(access).title.modify { $0 += "!" }
    for page in [[3, 4], [5, 6]] {
      posts.loadMore()
      runtime.run()
      answer(loads, page)
    }
    #expect(posts.items.map(\.id) == [1, 2, 3, 4, 5, 6])
    runtime.advance(by: .seconds(5))
    #expect(commits.inputs == [Post(id: 1, title: "untitled!")])
    commits[0].succeed()
    runtime.run()
    #expect(posts.items.first?.title == "untitled!")
    posts.loadMore()
    runtime.run()
    answer(loads, [7, 8])
    #expect(posts.items.map(\.id) == [7, 8])
    #expect(posts.content.failedMutations.isEmpty)
  }

  @Test func `changes of other items that end while a page is loaded do not hold it up`() {
    let loads = ManualLoads<Page<Post, Int>>()
    let posts = growing(loads)
    let commits = ManualCalls<Int, Void>()
    posts.loadMore()
    runtime.run()
    for change in 0..<5 {
      posts.content.mutate(item: 1 + change % 2) {
        $0.modify(id: 1 + change % 2) { $0.title += "!" }
      } commit: { _ in
        try await commits.call(change)
      }
      runtime.run()
      commits[change].succeed()
      runtime.run()
    }
    #expect(loads.count == 2)
    #expect(posts.append.isLoading)
    answer(loads, [3, 4])
    #expect(posts.items.map(\.id) == [1, 2, 3, 4])
    #expect(!posts.append.isLoading)
    #expect(!posts.content.isLoading)
  }

  /// As after the server's list has shifted: the next page has the item again.
  @Test(arguments: ["item", "element of it", "whole list"])
  func `a page is read again if a change has ended meanwhile that may be of its items:`(
    _ what: String
  ) throws {
    let loads = ManualLoads<Page<Post, Int>>()
    let posts = growing(loads)
    let commits = ManualCalls<Void, Void>()
    posts.loadMore()
    runtime.run()
    switch what {
    case "item":
      posts.content.mutate(
        item: 2, apply: { $0.remove(id: 2) }, commit: { _ in try await commits.call(()) })
    case "element of it":
      let access = posts.access(id: 2) { _ in try await commits.call(()) }
      let post = try #require(access)
      // The change is one of the element with the number 9.
      post.modify(MutationPlace(item: MutationKey(9), path: [MutationKey(9)])) { $0.title = "9" }
    default:
      posts.content.mutate(
        apply: { $0.remove(id: 2) }, commit: { _ in try await commits.call(()) })
    }
    runtime.run()
    commits[0].succeed()
    runtime.run()
    let before = posts.items
    runtime.advance(by: .seconds(1))
    let timing = posts.append.timing
    #expect(timing.waitingSince != nil)
    answer(loads, [2, 3])
    #expect(posts.items == before)
    #expect(posts.append.state.isLoading)
    // The spinner does not disappear for a moment.
    #expect(posts.append.timing == timing)
    #expect(loads.count == 3)
    answer(loads, [3, 4])
    #expect(posts.items.suffix(2).map(\.id) == [3, 4])
    #expect(!posts.append.isLoading)
    #expect(loads.count == 3)
  }

  @Test(arguments: [[3, 4], [2, 3]])
  func `a list is loaded again after a change if a page has come that may contain the change`(
    page: [Int]
  ) {
    let loads = ManualLoads<Page<Post, Int>>()
    let posts = growing(loads)
    let commits = ManualCalls<Void, Void>()
    posts.content.mutate(item: 2) {
      $0.modify(id: 2) { $0.title += "!" }
    } commit: { _ in
      try await commits.call(())
    }
    posts.loadMore()
    runtime.run()
    answer(loads, page)
    #expect(posts.items.map(\.id) == [1, 2] + page)
    #expect(!posts.content.isLoading)
    commits[0].succeed()
    runtime.run()
    #expect(posts.content.isLoading == page.contains(2))
    loads.end()
    runtime.run()
  }

  @Test func `a page is read again only once, although changes that may be of its items go on`() {
    let loads = ManualLoads<Page<Post, Int>>()
    let posts = growing(loads)
    let commits = ManualCalls<Void, Void>()
    posts.loadMore()
    runtime.run()
    for change in 0..<2 {
      posts.content.mutate(
        apply: { $0.modify(id: 1) { $0.title += "!" } }, commit: { _ in try await commits.call(()) }
      )
      runtime.run()
      commits[change].succeed()
      runtime.run()
      #expect(posts.append.isLoading)
      answer(loads, [3, 4])
    }
    #expect(loads.count == 4)
    #expect(!posts.append.isLoading)
    #expect(posts.items.map(\.id) == [1, 2, 3, 4])
    // The page may lack the second change. It is not removed by the reload.
    #expect(posts.content.isLoading)
    answer(loads, [1, 2])
    answer(loads, [3, 4])
    #expect(!posts.content.isLoading)
    #expect(posts.items.map(\.id) == [1, 2, 3, 4])
  }

  /// The change adds a post, to which the server gives its id.
  @Test(arguments: [true, false])
  func `a page that may have a new item is read again, or the list is loaded again`(
    hasEnded: Bool
  ) {
    let loads = ManualLoads<Page<Post, Int>>()
    let posts = growing(loads)
    let commits = ManualCalls<Void, Void>()
    posts.loadMore()
    runtime.run()
    posts.content.mutate(item: 9) {
      $0[$0.count - 1].items.append(Post(id: 9, title: "draft"))
    } commit: { _ in
      try await commits.call(())
    } confirm: { pages, _ in
      pages[pages.count - 1].items.append(Post(id: 77))
    }
    runtime.run()
    if hasEnded {
      commits[0].succeed()
      runtime.run()
      answer(loads, [3, 77])
      #expect(posts.append.isLoading)
    } else {
      answer(loads, [3, 77])
      #expect(posts.items.map(\.id) == [1, 2, 3, 77, 9])
      commits[0].succeed()
      runtime.run()
      #expect(posts.content.isLoading)
    }
    loads.end()
    runtime.run()
  }

  @Test func `a page is not read again for a change that has removed another item`() {
    let loads = ManualLoads<Page<Post, Int>>()
    let posts = growing(loads)
    let commits = ManualCalls<Void, Void>()
    posts.loadMore()
    posts.content.mutate(
      item: 1, apply: { $0.remove(id: 1) }, commit: { _ in try await commits.call(()) })
    runtime.run()
    commits[0].succeed()
    runtime.run()
    answer(loads, [3, 4])
    #expect(posts.items.map(\.id) == [2, 3, 4])
    #expect(!posts.content.isLoading)
  }
}
