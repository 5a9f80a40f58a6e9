import Foundation
import TestServer
import Testing

@testable import Articles

/// Which articles of a feed are the same ones after it joins an account or leaves it.
@Suite struct SyncJoiningTests {
  private static let page = "https://example.org/podcast"

  /// A reader whose account has a feed with episodes that all link to one page.
  private func podcast(_ titles: [String]) throws -> SyncedReader {
    let reader = try SyncedReader(.freshRSS, [])
    reader.double.edit { state in
      for title in titles { state.model.publish(title, in: "feed/1", at: Self.page) }
    }
    return reader
  }

  @Test func `of episodes that link to one page, only the one that was read is read on the server`()
    async throws
  {
    let reader = try podcast(["a", "b", "c"])
    try await reader.addOwnFeed(["a", "b", "c"])
    try await reader.library.setRead(true, of: [reader.article("b").id])
    try await reader.library.setStarred(true, of: [reader.article("c").id])
    let account = try await reader.addSyncedAccount()
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["a", "c"])
    #expect(try reader.remote("c").item.isStarred)
    #expect(try !reader.remote("a").item.isStarred)
    #expect(
      try await reader.store.articles(matching: ArticleQuery()).map(\.title).sorted()
        == ["a", "b", "c"])
  }

  @Test func `what cannot be told apart is not taken for the same`() async throws {
    let reader = try podcast(["news", "news"])
    try await reader.addOwnFeed(["news"])
    try await reader.library.setRead(true, of: [reader.article("news").id])
    let account = try await reader.addSyncedAccount()
    try await reader.library.sync(account)
    #expect(reader.double.model.ids(with: .unread).count == 2)
  }

  @Test func `a new episode is not taken for an old one that the server does not have`()
    async throws
  {
    let reader = try podcast(["a"])
    try await reader.addOwnFeed(["a"])
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed.id
    let own = ParsedArticle(guid: "guid of b", title: "b", link: Self.page)
    _ = try await reader.store.save(
      PreparedFeed(ParsedFeed(articles: [own])), of: feed, at: reader.today.now)
    try await reader.library.setRead(true, of: [reader.article("b").id])
    let account = try await reader.addSyncedAccount()
    reader.double.edit { _ = $0.model.publish("c", in: "feed/1", at: Self.page) }
    try await reader.library.sync(account)
    #expect(try await reader.titles() == ["a", "b", "c"])
    #expect(try await reader.titles(.unread) == ["a", "c"])
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["a", "c"])
  }

  @Test func `an article without a link is the server's of the same title and date`() async throws {
    let reader = try SyncedReader(.freshRSS, ["a", "twins", "moved", "linked"])
    let feed = try #require(try await reader.store.insertFeed(address: "https://example.org/feed"))
    var own = [
      ("1", "a"), ("2", "twins"), ("3", "twins"), ("4", "moved"), ("5", "linked"),
    ].map { guid, title in ParsedArticle(guid: guid, title: title) }
    for index in own.indices { own[index].published = try reader.published(own[index].title) }
    own[3].published?.addTimeInterval(60)
    own[4].link = "https://example.org/another"
    _ = try await reader.store.save(
      PreparedFeed(ParsedFeed(articles: own)), of: feed.id, at: reader.today.now)
    let ids = try await reader.store.articles(matching: ArticleQuery()).map(\.id)
    try await reader.library.setRead(true, of: ids)
    let account = try await reader.addSyncedAccount()
    try await reader.library.sync(account)
    // One that several could be is none of them.
    #expect(try await reader.titles(.unread) == ["twins", "moved", "linked"])
    #expect(reader.unreadOfServer() == ["twins", "moved", "linked"])
    #expect(try await reader.store.articles(matching: ArticleQuery()).count == 8)
  }

  @Test func `an article without a link keeps its star when its feed leaves the account`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let starred = try await reader.article("b").id
    try await reader.library.setStarred(true, of: [starred])
    try await reader.library.removeAccount(account, keepsFeeds: true, dropsChanges: true)
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed.id
    let own = try ["a", "b", "c"].map { title in
      ParsedArticle(guid: "own \(title)", title: title, published: try reader.published(title))
    }
    #expect(
      try await reader.store.save(
        PreparedFeed(ParsedFeed(articles: own)), of: feed, at: reader.today.now) == 0)
    #expect(try await reader.article("b").id == starred)
    #expect(try await reader.titles(.starred) == ["b"])
  }

  @Test(arguments: [false, true])
  func `a feed that a server refuses can be added without the account`(wasThere: Bool) async throws
  {
    let reader = try SyncedReader()
    let own = try TestServer()
    own["/feed"] = .whole(feedText(["mine"]))
    let account = try await reader.addSyncedAccount()
    if wasThere {
      let added = try await reader.library.addition(of: own.url("/feed"), to: account)
      try await reader.library.remove(added.feed.id)
      try await reader.library.sync(account)
      // This one is sent to the account, because it was one of it.
      reader.double.edit { $0.faults = [.status(400)] }
    } else {
      reader.double.edit { $0.faults = [.status(400)] }
      await #expect(throws: SyncError.self) {
        try await reader.library.addition(of: own.url("/feed"), to: account)
      }
    }
    let added = try await reader.library.addition(of: own.url("/feed"))
    #expect(added.feed.account == nil)
    #expect(added.failure == nil)
    #expect(try await reader.titles(ArticleQuery(.feed(added.feed.id))) == ["mine"])
  }

  @Test func `the star of an episode stays on it when its feed leaves the account`() async throws {
    let reader = try podcast(["a", "b", "c"])
    let account = try await reader.addSyncedAccount()
    let starred = try await reader.article("b").id
    try await reader.library.setStarred(true, of: [starred])
    try await reader.library.removeAccount(account, keepsFeeds: true, dropsChanges: true)
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed.id
    #expect(try await reader.fetchOwn(["c", "b", "a", "new"], of: feed) == 1)
    #expect(try await reader.article("b").id == starred)
    #expect(try await reader.titles(.starred) == ["b"])
  }

  @Test func `a removed feed of an account that is added again is one of the account again`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed
    for isSent in [false, true] {
      try await reader.library.remove(feed.id)
      if isSent { try await reader.library.sync(account) }
      let added = try await reader.library.addition(of: feed.address)
      #expect(added.feed.account == account)
      #expect(added.failure == nil)
      #expect(
        try await reader.store.articles(matching: ArticleQuery()).map(\.title).sorted()
          == ["a", "b", "c"])
      #expect(reader.double.model.feeds.count == 1)
    }
  }

  @Test(arguments: [false, true])
  func `a removed feed of an account that a page names is one of the account again`(
    pageIsThere: Bool
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    let site = try TestServer()
    site["/feed"] = .whole(feedText(["x", "y"]))
    let address = site.url("/feed")
    reader.double.edit { $0.model.published[address] = ["x", "y"] }
    if pageIsThere {
      site["/"] = .whole("", status: 404)
      _ = try await reader.library.addition(of: site.url("/"), keepsMistakes: true)
    }
    site["/"] = .whole("<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    let removed = try await reader.library.addition(of: address, to: account).feed.id
    try await reader.library.remove(removed)
    try await reader.library.sync(account)
    let added = try await reader.library.addition(of: site.url("/"))
    #expect(added.feed.id == removed)
    #expect(added.feed.account == account)
    #expect(
      try await reader.store.articles(matching: ArticleQuery(.feed(removed))).map(\.title).sorted()
        == ["x", "y"])
    #expect(try await reader.store.feeds(in: .all).count == 2)
    #expect(reader.double.model.feeds.values.map(\.address).contains(address))
    try await reader.library.undo()
    #expect(try await reader.store.feeds(in: .all).map(\.feed.id).contains(removed) == false)
  }

  @Test(arguments: [false, true])
  func `a removed feed of an account that a page names and its server refuses is the user's`(
    pageIsThere: Bool
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    let site = try TestServer()
    site["/feed"] = .whole(feedText(["x", "y"]))
    if pageIsThere {
      site["/"] = .whole("", status: 404)
      _ = try await reader.library.addition(of: site.url("/"), keepsMistakes: true)
    }
    site["/"] = .whole("<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    let removed = try await reader.library.addition(of: site.url("/feed"), to: account).feed.id
    try await reader.library.remove(removed)
    try await reader.library.sync(account)
    reader.double.edit { $0.faults = [.status(400)] }
    let added = try await reader.library.addition(of: site.url("/"))
    #expect(added.feed.id == removed)
    #expect(added.feed.account == nil)
    #expect(added.failure == nil)
    #expect(try await reader.store.feeds(in: .all).count == 2)
    #expect(try await reader.titles(ArticleQuery(.feed(removed))) == ["x", "y"])
  }

  @Test func `a feed that joined an account offline and is refused later is fetched on its own`()
    async throws
  {
    let reader = try SyncedReader()
    let site = try TestServer()
    site["/feed"] = .whole(feedText(["mine"]))
    let own = try await reader.library.addition(of: site.url("/feed")).feed.id
    let account = try await reader.addSyncedAccount()
    reader.double.edit { $0.faults = Array(repeating: .status(503), count: 20) }
    let joined = try await reader.library.addition(of: site.url("/feed"), to: account)
    #expect(joined.failure != nil)
    #expect(joined.feed.account == account)
    reader.double.edit { $0.faults = [.status(400)] }
    #expect(try await reader.library.sync(account).refusedFeeds.map(\.id) == [own])
    site["/feed"] = .whole(feedText(["newer", "mine"]))
    try await reader.library.reload(.feed(own))
    #expect(try await reader.titles(ArticleQuery(.feed(own))) == ["newer", "mine"])
    #expect(try await reader.waiting() == 0)
  }

  @Test(arguments: [500, 408])
  func `a feed that joins an account whose server fails for a moment stays in it`(
    status: Int
  ) async throws {
    let reader = try SyncedReader()
    let address = "https://example.org/own"
    let own = try #require(try await reader.store.insertFeed(address: address)).id
    try await reader.fetchOwn(["mine"], of: own)
    let account = try await reader.addSyncedAccount()
    reader.double.edit { $0.faults = [.status(status)] }
    let joined = try await reader.library.addition(of: address, to: account)
    #expect(joined.failure as? SyncError == .refused(status: status, detail: "a problem"))
    #expect(joined.feed.account == account)
    reader.double.edit { $0.faults = [.status(status)] }
    #expect(try await reader.library.sync(account).refusedFeeds.map(\.id) == [own])
    #expect(try await reader.waiting() == 1)
    #expect(try await reader.library.sync(account).refusedFeeds.isEmpty)
    #expect(reader.double.model.feeds.values.map(\.address).contains(address))
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a feed that its account's server fails to add is fetched from its own until then`()
    async throws
  {
    let reader = try SyncedReader()
    let site = try TestServer()
    site["/feed"] = .whole(feedText(["mine"]))
    let own = try await reader.library.addition(of: site.url("/feed")).feed.id
    let account = try await reader.addSyncedAccount()
    reader.double.edit { $0.faults = [.status(500)] }
    let joined = try await reader.library.addition(of: site.url("/feed"), to: account)
    #expect(joined.feed.account == account)
    site["/feed"] = .whole(feedText(["newer", "mine"]))
    reader.double.edit { $0.faults = [.status(500)] }
    let report = try await reader.library.reload()
    #expect(
      report.entries.filter { $0.feed.id == own }.map(\.outcome) == [.updated(newArticles: 1)])
    #expect(try await reader.titles(ArticleQuery(.feed(own))) == ["newer", "mine"])
    // The server takes it now, and delivers it from then on.
    site["/feed"] = .whole(feedText(["newest", "newer", "mine"]))
    try await reader.library.reload()
    #expect(try await reader.waiting() == 0)
    #expect(try await reader.titles(ArticleQuery(.feed(own))) == ["newer", "mine"])
  }

  @Test func `a removed feed whose address names a removed feed of an account stays removed`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let site = try TestServer()
    site["/"] = .whole(feedText(["own"]))
    let page = try await reader.library.addition(of: site.url("/")).feed.id
    try await reader.library.remove(page)
    let removed = try await reader.library.addition(of: site.url("/feed"), to: account).feed.id
    try await reader.library.remove(removed)
    try await reader.library.sync(account)
    let before = try await reader.store.feeds(in: .all).map(\.feed.id)
    site["/"] = .whole("<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    await #expect(throws: LibraryError.alreadyAdded(address: site.url("/feed"))) {
      try await reader.library.addition(of: site.url("/"))
    }
    #expect(try await reader.store.feeds(in: .all).map(\.feed.id) == before)
    #expect(try await reader.waiting() == 0)
  }

  @Test func `the reason of Miniflux is read from an error whose end is cut off, too`() {
    let whole = #"{"error_message":"no \"feed\""}"#
    #expect(ServerAnswer.errorMessage(in: whole) == "no \"feed\"")
    #expect(ServerAnswer.errorMessage(in: String(whole.dropLast(4))) == "no \"feed")
    #expect(ServerAnswer.errorMessage(in: "bad") == nil)
  }

  @Test func `a feed that Miniflux says it cannot fetch is refused`() async throws {
    let reader = try SyncedReader(.miniflux)
    let account = try await reader.addSyncedAccount()
    reader.double.edit { $0.unfetchable = ["https://example.org/new"] }
    await #expect(throws: SyncError.feedRefused("no feed")) {
      try await reader.library.addition(of: "https://example.org/new", to: account)
    }
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a new feed that is refused after it was added offline waits`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { $0.faults = Array(repeating: .status(503), count: 20) }
    let address = "https://example.org/new"
    let added = try await reader.library.addition(of: address, to: account)
    reader.double.edit { $0.faults = [.status(400)] }
    #expect(try await reader.library.sync(account).refusedFeeds.map(\.id) == [added.feed.id])
    #expect(try await reader.waiting() == 1)
    #expect(try await reader.library.sync(account).refusedFeeds.isEmpty)
    #expect(reader.double.model.feeds.values.map(\.address).contains(address))
  }

  @Test(arguments: [false, true])
  func `a feed whose addition to an account is cancelled is not added`(wasThere: Bool) async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let address = wasThere ? "https://example.org/feed" : "https://example.org/new"
    if wasThere {
      let feed = try #require(try await reader.store.feeds(in: .all).first).feed
      try await reader.library.remove(feed.id)
      try await reader.library.sync(account)
    }
    let before = try await reader.store.feeds(in: .all).map(\.feed.id)
    let path = "/api/greader.php/reader/api/0/subscription/quickadd"
    reader.double.server[path] = .heldHead("")
    let addition = Task { [library = reader.library] in
      wasThere
        ? try await library.addition(of: address)
        : try await library.addition(of: address, to: account)
    }
    try await reader.double.server.request(to: path)
    addition.cancel()
    await #expect(throws: CancellationError.self) { try await addition.value }
    reader.double.server.release(path)
    #expect(try await reader.store.feeds(in: .all).map(\.feed.id) == before)
    #expect(try await reader.waiting() == 0)
    #expect(reader.library.latestChange?.kind == (wasThere ? .removedFeed : nil))
  }

  @Test(arguments: [false, true])
  func `a page whose feed is one of an account is as before when its addition is cancelled`(
    pageIsThere: Bool
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    let site = try TestServer()
    if pageIsThere {
      site["/"] = .whole("", status: 404)
      _ = try await reader.library.addition(of: site.url("/"), keepsMistakes: true)
    }
    site["/"] = .whole("<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    let removed = try await reader.library.addition(of: site.url("/feed"), to: account).feed.id
    try await reader.library.remove(removed)
    try await reader.library.sync(account)
    let before = try await reader.store.feeds(in: .all).map(\.feed.id)
    let path = "/api/greader.php/reader/api/0/subscription/quickadd"
    reader.double.server[path] = .heldHead("")
    let addition = Task { [library = reader.library] in
      try await library.addition(of: site.url("/"))
    }
    // The second one: the first has added the feed.
    try await reader.double.server.request(to: path, count: 2)
    addition.cancel()
    await #expect(throws: CancellationError.self) { try await addition.value }
    reader.double.server.release(path)
    #expect(before.count == (pageIsThere ? 2 : 1))
    #expect(try await reader.store.feeds(in: .all).map(\.feed.id) == before)
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a feed stays added when only the sync of its account is cancelled`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    let path = "/api/greader.php/reader/api/0/subscription/quickadd"
    reader.double.server[path] = .heldHead("")
    let addition = Task { [library = reader.library] in
      try await library.addition(of: "https://example.org/new", to: account)
    }
    try await reader.double.server.request(to: path)
    reader.library.cancelSyncing(account)
    let added = try await addition.value
    reader.double.server.release(path)
    #expect(added.feed.account == account)
    #expect(try await reader.waiting() == 1)
    #expect(try await reader.library.undo()?.kind == .addedFeed)
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a feed of the user's own that a server refuses stays the user's own`() async throws {
    let reader = try SyncedReader()
    let address = "https://example.org/own"
    let own = try #require(try await reader.store.insertFeed(address: address)).id
    try await reader.fetchOwn(["mine"], of: own)
    let account = try await reader.addSyncedAccount()
    reader.double.edit { $0.faults = [.status(400)] }
    await #expect(throws: SyncError.self) {
      try await reader.library.addition(of: address, to: account)
    }
    let stays = try #require(try await reader.store.feeds(in: .feed(own)).first).feed
    #expect(stays.account == nil)
    #expect(try await reader.titles(ArticleQuery(.feed(own))) == ["mine"])
    #expect(try await reader.library.undo() == nil)
    // Accepted, it is one of the account; undoing that would remove the user's own.
    let joined = try await reader.library.addition(of: address, to: account)
    #expect(joined.kind == .joinedAccount)
    #expect(joined.feed.account == account)
    #expect(try await reader.library.undo() == nil)
  }

  @Test func `what was changed elsewhere while a feed was edited stays`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    let seen = try #require(try await reader.store.feeds(in: .all).first).feed
    reader.double.edit { $0.model.feeds["feed/1"]?.folder = "Moved" }
    try await reader.library.sync(account)
    var edited = FeedArrangement(seen)
    edited.title = "Mine"
    try await reader.library.arrange(seen.id, as: edited, since: FeedArrangement(seen))
    try await reader.library.sync(account)
    #expect(reader.double.model.feeds["feed/1"]?.folder == "Moved")
    #expect(reader.double.model.feeds["feed/1"]?.title == "Mine")
  }

  @Test func `tags that two programs give a feed at once are all kept`() async throws {
    let reader = try SyncedReader()
    let feed = try #require(await reader.store.insertFeed(address: "https://example.org/own")).id
    try await reader.library.arrange(feed, as: FeedArrangement(tags: ["a", "b"]))
    let seen = FeedArrangement(tags: ["a", "b"])
    try await reader.library.arrange(feed, as: FeedArrangement(tags: ["a", "b", "c"]), since: seen)
    try await reader.library.arrange(feed, as: FeedArrangement(tags: ["d", "a"]), since: seen)
    func tags() async throws -> [String]? {
      try await reader.store.feeds(in: .feed(feed)).first?.feed.tags
    }
    #expect(try await tags() == ["a", "c", "d"])
    // Undoing one takes back what it has changed.
    try await reader.library.undo()
    #expect(try await tags() == ["a", "b", "c"])
    try await reader.library.arrange(
      feed, as: FeedArrangement(tags: ["c", "b", "a"]),
      since: FeedArrangement(tags: ["a", "b", "c"]))
    #expect(try await tags() == ["c", "b", "a"])
  }

  @Test(arguments: [false, true])
  func `the feeds of an account wait no longer than its failure`(isRemoved: Bool) async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { state in
      state.generation += 1
      state.refusesPassword = true
    }
    await #expect(throws: SyncError.passwordRefused) { try await reader.library.sync(account) }
    #expect(try await reader.store.feeds(in: .all).map { $0.notBefore == nil } == [false])
    if isRemoved {
      try await reader.library.removeAccount(account, keepsFeeds: true, dropsChanges: true)
      #expect(try await reader.store.feeds(in: .all).map { $0.notBefore == nil } == [true])
      // Together with the account, its failure is back.
      try await reader.library.undo()
      #expect(try await reader.store.feeds(in: .all).map { $0.notBefore == nil } == [false])
      try await reader.library.removeAccount(account, keepsFeeds: true, dropsChanges: true)
    } else {
      reader.double.edit { $0.refusesPassword = false }
      try await reader.library.checkPassword(GoogleReaderDouble.password, of: account)
    }
    #expect(try await reader.store.feeds(in: .all).map { $0.notBefore == nil } == [true])
  }

  @Test func `a clock that was ahead during a failure keeps no mark from being sent`() async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    reader.today.pass(86_400)
    reader.double.edit { $0.faults = Array(repeating: .status(500), count: 20) }
    await #expect(throws: (any Error).self) { try await reader.library.sync(account) }
    reader.double.edit { $0.faults = [] }
    reader.today.pass(-86_400)
    try await reader.library.sendMarks()
    #expect(try reader.remote("a").item.isRead)
  }
}
