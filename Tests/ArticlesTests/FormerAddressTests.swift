import Foundation
import TestServer
import Testing

@testable import Articles

/// Lists with addresses that feeds have no longer.
@Suite struct FormerAddressTests {
  private let server: TestServer
  private let store: ArticleStore
  private let library: Library
  private let list: SubscriptionList

  init() throws {
    server = try TestServer()
    store = try .inMemory()
    library = Library(store: store, options: .patient)
    var list = SubscriptionList()
    for name in ["moved", "page"] {
      list.append(Subscription(address: server.url("/\(name)"), tags: [name]))
    }
    self.list = list
    server["/moved"] = .redirect(to: server.url("/feed"), status: 301)
    server["/feed"] = .whole(feedText(["a"]))
    server["/page"] = .whole(
      "<!doctype html><head><link rel=alternate type=application/rss+xml href=/other></head>",
      headers: ["Content-Type": "text/html"])
    server["/other"] = .whole(feedText(["b"]))
  }

  private func addresses() async throws -> [String] {
    try await library.subscriptions().map(\.address)
  }

  /// Adds the page, imports the list, and fetches the feed that has moved.
  private func fill() async throws {
    try await library.add(server.url("/page"))
    try await library.add(list)
    try await library.reload()
  }

  @Test func `a list that is imported again has no feed twice`() async throws {
    try await fill()
    #expect(try await addresses() == [server.url("/other"), server.url("/feed")])
    let again = try await library.add(list)
    #expect(again.added == [])
    #expect(again.known == list.subscriptions)
    let tags = try await library.addedFeeds().flatMap(\.feed.tags)
    #expect(tags.sorted() == ["moved", "page"])
    let marks = [server.url("/moved"): [FeedMemory.key("a")] as Set]
    #expect(try await store.insertReadMarks(marks) == 1)
  }

  @Test func `an import that has a feed at both of its addresses is undone whole`() async throws {
    try await fill()
    let before = try await library.subscriptions()
    var both = SubscriptionList()
    for name in ["moved", "feed"] {
      both.append(
        Subscription(address: server.url("/\(name)"), name: name, folder: FeedFolder([name])))
    }
    #expect(try await library.add(both).added == [])
    #expect(try await library.subscriptions() != before)
    #expect(try await library.undo()?.undoing == .all)
    #expect(try await library.subscriptions() == before)
  }

  @Test func `a removed feed comes back by its former address`() async throws {
    try await fill()
    let feeds = try await library.addedFeeds().map(\.feed.id)
    for id in feeds { try await library.remove(id) }
    #expect(try await library.add(list).added == list.subscriptions)
    #expect(try await Set(library.addedFeeds().map(\.feed.id)) == Set(feeds))
    #expect(try await Set(addresses()) == [server.url("/other"), server.url("/feed")])
  }

  @Test func `a removed feed that is added at its former address comes back with its marks`()
    async throws
  {
    try await library.add(list)
    try await library.reload()
    let feed = try #require(
      await library.addedFeeds().first { $0.feed.address == server.url("/feed") }?.feed.id)
    let article = try #require(await store.articles(matching: ArticleQuery(.feed(feed))).first?.id)
    try await library.setRead(true, of: [article])
    try await library.remove(feed)
    let added = try await library.add(server.url("/moved"))
    #expect(added.id == feed)
    #expect(added.address == server.url("/feed"))
    #expect(try await store.articles(matching: ArticleQuery(.feed(feed))).map(\.isRead) == [true])
    await #expect(throws: LibraryError.alreadyAdded(address: server.url("/feed"))) {
      try await library.add(server.url("/moved"))
    }
    #expect(try await addresses().count == 2)
  }

  @Test func `a removed feed with articles comes back where it was, also beside another one`()
    async throws
  {
    let old = try await library.add(server.url("/feed"))
    server["/target"] = .whole(feedText(["c"]))
    let other = try await library.add(server.url("/target"))
    server["/feed"] = .redirect(to: server.url("/target"), status: 301)
    try await library.reload()
    for id in [old.id, other.id] { try await library.remove(id) }
    #expect(try await library.add(server.url("/feed")).id == old.id)
    #expect(try await addresses() == [server.url("/feed")])
  }

  @Test func `a password in a list does not go to another server`() async throws {
    let target = try TestServer()
    target["/feed"] = .whole(feedText(["a"]))
    server["/moved"] = .redirect(to: target.url("/feed"), status: 301)
    try await fill()
    let id = try #require(
      try await store.feeds(in: .all).first { $0.feed.address == target.url("/feed") }
    )
    .feed.id
    try await library.remove(id)
    var list = SubscriptionList()
    list.append(
      Subscription(address: server.url("/moved").replacing("://", with: "://ann:secret@")))
    #expect(try await library.add(list).added.count == 1)
    let back = try #require(try await store.feeds(in: .feed(id)).first)
    #expect(back.feed.address == target.url("/feed"))
    #expect(back.credentials == nil)
  }

  @Test func `no more than ten addresses of a feed are remembered, among them the latest`()
    async throws
  {
    let id = try await store.insertFeed(address: server.url("/0"))?.id
    for number in 1...12 {
      _ = try await store.movePage(
        try #require(id), to: server.url("/\(number)"), isPublic: false, at: .now)
    }
    var list = SubscriptionList()
    for number in 0...12 { list.append(Subscription(address: server.url("/\(number)"))) }
    let forgotten = try await library.add(list).added.map(\.address)
    #expect(forgotten.count == 2 && !forgotten.contains(server.url("/11")))
  }
}
