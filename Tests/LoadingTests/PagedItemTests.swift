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
}
