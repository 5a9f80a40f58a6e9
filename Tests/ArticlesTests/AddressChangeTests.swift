import Foundation
import GRDB
import Loading
import PseudoTerminal
import TestServer
import Testing

@testable import Articles

/// Feeds whose address the user changes.
@MainActor @Suite struct AddressChangeTests {
  let server: TestServer
  let today = Today()
  let store: ArticleStore
  let library: Library

  init() throws {
    server = try TestServer()
    store = try .inMemory()
    library = Library(
      store: store, options: .patient, now: { [today] in today.now }, chance: { 0.5 })
  }

  private func stored(_ id: Feed.ID) async throws -> StoredFeed {
    try #require(try await store.feeds(in: .feed(id)).first)
  }

  @Test func `a feed keeps what it has at its new address, and is fetched at once`() async throws {
    server["/old"] = .whole(
      feedText(["a", "b"]), headers: ["ETag": "\"1\"", "Last-Modified": "yesterday"])
    let id = try await library.add(server.url("/old")).id
    let arrangement = FeedArrangement(
      title: "Mine", folder: FeedFolder(["News"]), tags: ["x"], reloadMinutes: 60, fullText: false)
    try await library.arrange(id, as: arrangement)
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    try await library.setRead(true, of: [article.id])
    server["/old"] = .whole("", status: 410)
    try await library.reload()
    #expect(try await stored(id).goneSince != nil)

    server["/new"] = .whole(feedText(["c", "a", "b"]))
    let address = server.url("/new").replacing("http:", with: "feed:") + "#part"
    let feed = try await library.setAddress(address, of: id)
    #expect(feed.address == server.url("/new"))
    #expect(feed.id == id)
    #expect(FeedArrangement(feed) == arrangement)
    let moved = try await stored(id)
    #expect(moved.failure == nil && moved.failureCount == 0 && moved.goneSince == nil)
    // Opening a list fetches it, though it was fetched just now from its old address.
    _ = await Resource(library.articles(in: .all)).refresh(cause: .appeared)
    let request = try #require(server.requests(to: "/new").first)
    #expect(request["If-None-Match"] == nil && request["If-Modified-Since"] == nil)
    let articles = try await library.storedArticles(matching: ArticleQuery())
    #expect(Set(articles.map(\.title)) == ["a", "b", "c"])
    #expect(articles.filter(\.isRead).map(\.id) == [article.id])
    #expect(try await stored(id).feed.shownTitle == "Mine")
  }

  @Test func `a feed is reloaded by itself at its new address`() async throws {
    server["/old"] = .whole("", status: 503, headers: ["Retry-After": "7200"])
    let id = try await library.addition(of: server.url("/old")).feed.id
    library.options.reloadInterval = 86_400
    server["/new"] = .whole(feedText(["a"]))
    try await library.setAddress(server.url("/new"), of: id)
    _ = try await library.reloadScheduled()
    #expect(try await library.storedArticles(matching: ArticleQuery()).map(\.title) == ["a"])
  }

  @Test(arguments: ["whole", "moved", "unchanged", "mistake", "failure"])
  func `what a fetch learns of the address that another program has changed is not stored`(
    answer: String
  ) async throws {
    server["/old"] = .whole(feedText(["a"]), headers: ["ETag": "\"1\""])
    let id = try await library.add(server.url("/old")).id
    server["/moved"] = .whole(feedText(["b"]))
    let answers: [String: Answer] = [
      "whole": .whole(feedText(["b"]), headers: ["ETag": "\"2\""]),
      "moved": .redirect(to: server.url("/moved"), status: 301),
      "unchanged": .whole("", status: 304),
      "mistake": .whole(feedText(["b"]).replacing("</channel>", with: "")),
      "failure": .whole("", status: 410),
    ]
    server["/old"] = Answer([.hold] + (try #require(answers[answer])).steps)
    try await reload(changingAddressOf: id)
    let feed = try await stored(id)
    #expect(feed.feed.address == server.url("/new"))
    #expect(feed.etag == nil && feed.feed.lastFetched == nil && feed.lastAttempt == nil)
    #expect(feed.failure == nil && feed.failureCount == 0 && feed.goneSince == nil)
    #expect(try await library.storedArticles(matching: ArticleQuery()).map(\.title) == ["a"])
  }

  /// Reloads the feed at "/old"; while the server holds its answer, another program gives the feed the
  /// address "/new".
  private func reload(changingAddressOf id: Feed.ID) async throws {
    async let report = library.reload()
    try await server.hold(at: "/old")
    let other = Library(store: store, options: .patient, now: { [today] in today.now })
    try await other.setAddress(server.url("/new"), of: id)
    server.release("/old")
    _ = try await report
  }

  @Test func `the mistake of a feed whose server has moved it is stored with it`() async throws {
    server["/old"] = .whole(feedText(["a"]))
    let id = try await library.add(server.url("/old")).id
    server["/old"] = .redirect(to: server.url("/moved"), status: 301)
    server["/moved"] = .whole(feedText(["b"]).replacing("</channel>", with: ""))
    try await library.reload()
    let feed = try await stored(id)
    #expect(feed.feed.address == server.url("/moved"))
    #expect(feed.failure != nil && feed.failureCount == 1)
  }

  @Test func `a former address that the user has set again is one that the user can change`()
    async throws
  {
    server["/old"] = .whole(feedText(["a"]))
    let id = try await library.add(server.url("/old")).id
    server["/wrong"] = .whole(feedText(["a"]))
    server["/old"] = .redirect(to: server.url("/wrong"), status: 301)
    try await library.reload()
    #expect(try await stored(id).feed.address == server.url("/wrong"))
    try await library.setAddress(server.url("/old"), of: id)
    server["/old"] = Answer([.hold] + Answer.redirect(to: server.url("/moved"), status: 301).steps)
    server["/moved"] = .whole(feedText(["b"]))
    try await reload(changingAddressOf: id)
    let feed = try await stored(id)
    #expect(feed.feed.address == server.url("/new") && feed.feed.lastFetched == nil)
    #expect(try await library.storedArticles(matching: ArticleQuery()).map(\.title) == ["a"])
  }

  /// Adds a feed whose server then names another address eleven times: `/1` to `/11`.
  private func wanderingFeed(_ check: (Feed.ID) async throws -> Void) async throws -> Feed.ID {
    server["/0"] = .whole(feedText(["a"]))
    let id = try await library.add(server.url("/0")).id
    for number in 1...11 {
      server["/\(number - 1)"] = .redirect(to: server.url("/\(number)"), status: 301)
      server["/\(number)"] = .whole(feedText(["a"]).replacing("</channel>", with: ""))
      try await library.reload()
      #expect(try await stored(id).feed.address == server.url("/\(number)"))
      try await check(id)
    }
    return id
  }

  @Test func `the mistake of a feed is stored, however often its server has moved it`()
    async throws
  {
    _ = try await wanderingFeed { id in
      let feed = try await stored(id)
      #expect(feed.failure != nil && feed.failureCount == 1)
    }
    let count = try await store.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM formerAddress")
    }
    #expect(count == 10)
  }

  @Test func `a page leads to a removed feed, however often its server has moved that`()
    async throws
  {
    let id = try await wanderingFeed { _ in }
    try await library.remove(id)
    server["/11"] = .whole(feedText(["b", "a"]))
    server["/"] = .whole("<!doctype html><link rel=feed href=/11>")
    #expect(try await library.add(server.url("/")).id == id)
    let titles = try await library.storedArticles(matching: ArticleQuery()).map(\.title)
    #expect(Set(titles) == ["a", "b"])
  }

  @Test func `what is no address, or that of another feed, is refused`() async throws {
    server["/old"] = .whole(feedText(["a"]))
    server["/other"] = .whole(feedText(["b"]))
    let id = try await library.add(server.url("/old")).id
    try await library.add(server.url("/other"))
    await #expect(throws: LibraryError.addressOfOtherFeed(server.url("/other"))) {
      try await library.setAddress(server.url("/other"), of: id)
    }
    await #expect(throws: LibraryError.unusableAddress("javascript://x")) {
      try await library.setAddress("javascript://x", of: id)
    }
    await #expect(throws: LibraryError.severalAddresses(2)) {
      try await library.setAddress("https://a.example https://b.example", of: id)
    }
    await #expect(throws: ProgramError.notAllowed("wool")) {
      try await library.setAddress("exec:wool", of: id)
    }
    let directory = try TemporaryDirectory()
    await #expect(throws: FetchError.noMarkdown(path: directory.path)) {
      try await library.setAddress(directory.path, of: id)
    }
    await #expect(throws: FetchError.fileMissing(path: directory.path + "/a.xml")) {
      try await library.setAddress(directory.path + "/a.xml", of: id)
    }
    await #expect(throws: LibraryError.noSuchFeed()) {
      try await library.setAddress(server.url("/new"), of: Feed.ID(rawValue: 99))
    }
    #expect(try await stored(id).feed.address == server.url("/old"))
    #expect(try await stored(id).feed.lastFetched != nil)
    #expect(try await library.undo()?.kind == .addedFeed)
  }

  @Test func `the address of a feed of an account is not changed`() async throws {
    let (reader, _) = try await SyncedReader.synced()
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed
    let error = await #expect(throws: LibraryError.feedOfAccount) {
      try await reader.library.setAddress("https://example.org/new", of: feed.id)
    }
    #expect(error?.what == "The feed belongs to an account, whose server knows it by its address.")
    #expect(error?.advice == "Add the feed by its new address, then remove this one.")
    #expect(try await reader.store.feeds(in: .all).map(\.feed.address) == [feed.address])
  }

  @Test func `the address of a feed that was removed stays with it, so that it can come back`()
    async throws
  {
    server["/old"] = .whole(feedText(["a"]))
    server["/new"] = .whole(feedText(["b"]), headers: ["ETag": "\"1\""])
    let id = try await library.add(server.url("/old")).id
    let removed = try await library.add(server.url("/new")).id
    try await library.remove(removed)
    await #expect(throws: LibraryError.addressOfRemovedFeed) {
      try await library.setAddress(server.url("/new"), of: id)
    }
    #expect(try await library.addedFeeds().map(\.feed.address) == [server.url("/old")])
    // It comes back with its articles.
    #expect(try await library.add(server.url("/new")).id == removed)
    #expect(try await library.storedArticles(matching: ArticleQuery()).count == 2)
  }

  @Test func `a name and a password go only where they may, and come back with the old address`()
    async throws
  {
    server["/feed"] = .whole(feedText(["a"]))
    server["/new"] = .whole(feedText(["a"]))
    let other = try TestServer()
    other["/feed"] = .whole(feedText(["a"]))
    let address = server.url("/feed").replacing("://", with: "://ann:secret@")
    let id = try await library.add(address).id
    let secret = FeedCredentials(text: "ann:secret")
    try await library.setAddress(server.url("/new"), of: id)
    #expect(try await stored(id).credentials == secret)
    try await library.setAddress(other.url("/feed"), of: id)
    #expect(try await stored(id).credentials == nil)
    try await library.reload()
    #expect(other.requests.allSatisfy { $0["Authorization"] == nil })

    let change = try #require(library.latestChange)
    #expect(change.kind == .arrangedFeed && change.feed == id)
    #expect(try await library.undo()?.undoing == .all)
    #expect(try await stored(id).feed.address == server.url("/new"))
    #expect(try await stored(id).credentials == secret)
    try await library.setAddress(
      other.url("/feed").replacing("://", with: "://bob:other@"), of: id)
    #expect(try await stored(id).feed.address == other.url("/feed"))
    #expect(try await stored(id).credentials == FeedCredentials(text: "bob:other"))
    // Nothing is undone if the address has gone to another feed.
    try await library.add(server.url("/new"))
    _ = try await library.undo()
    _ = try await store.insertFeed(address: server.url("/new"))
    #expect(try await library.undo()?.undoing == .nothing)
    #expect(try await stored(id).feed.address == other.url("/feed"))
  }

  @Test func `a password that came with the new address goes with it`() async throws {
    server["/old"] = .whole(feedText(["a"]))
    let id = try await library.add(server.url("/old")).id
    let secret = server.url("/new").replacing("://", with: "://ann:secret@")
    try await library.setAddress(secret, of: id)
    #expect(try await stored(id).credentials == FeedCredentials(text: "ann:secret"))
    #expect(try await library.undo()?.undoing == .all)
    #expect(try await stored(id).feed.address == server.url("/old"))
    #expect(try await stored(id).credentials == nil)
  }

  @Test func `the address that a feed has changes nothing`() async throws {
    server["/feed"] = .whole(feedText(["a"]), headers: ["ETag": "\"1\""])
    let address = server.url("/feed").replacing("://", with: "://ann:secret@")
    let id = try await library.add(address).id
    for same in [address, server.url("/feed")] {
      #expect(try await library.setAddress(same, of: id).id == id)
    }
    #expect(try await stored(id).etag == "\"1\"")
    #expect(library.latestChange?.kind == .addedFeed)
    // Another password is a change.
    try await library.setAddress(address.replacing("secret", with: "other"), of: id)
    #expect(try await stored(id).credentials == FeedCredentials(text: "ann:other"))
  }

  @Test func `an address that is refused cancels no fetch`() async throws {
    server["/feed"] = .whole(feedText(["a"]))
    server["/other"] = .whole(feedText(["b"]))
    let id = try await library.add(server.url("/feed")).id
    try await library.add(server.url("/other"))
    server["/feed"] = .heldBody(feedText(["c", "a"]))
    async let report = library.reload(.feed(id))
    try await server.hold(at: "/feed")
    await #expect(throws: LibraryError.addressOfOtherFeed(server.url("/other"))) {
      try await library.setAddress(server.url("/other"), of: id)
    }
    server.release("/feed")
    #expect(try await report.newArticles == 1)
  }

  @Test func `a fetch of the old address that still runs leaves nothing behind`() async throws {
    server["/old"] = .whole(feedText(["a"]))
    let id = try await library.add(server.url("/old")).id
    server["/old"] = .heldBody(feedText(["late", "a"]))
    async let report = library.reload()
    try await server.hold(at: "/old")
    server["/new"] = .whole(feedText(["b", "a"]))
    try await library.setAddress(server.url("/new"), of: id)
    #expect(try await report.entries.map(\.outcome) == [.cancelled])
    #expect(try await stored(id).lastAttempt == nil)
    _ = await Resource(library.articles(in: .all)).refresh(cause: .appeared)
    let titles = try await library.storedArticles(matching: ArticleQuery()).map(\.title)
    #expect(Set(titles) == ["a", "b"])
  }
}
