import Foundation
import GRDB
import Testing

@testable import Articles

/// Tests of what a sync exchanges: articles, marks, tags and feeds.
@Suite(.timeLimit(.minutes(10))) struct SyncTests {
  typealias Dialect = GoogleReaderDouble.Dialect

  @Test func `an imported read mark of an article of an account is sent to its server`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let guid = try await reader.store.read {
      try String.fetchOne($0, sql: "SELECT guid FROM article WHERE title = 'a'")
    }
    _ = try await reader.store.insertReadMarks([
      "https://example.org/feed": [FeedMemory.key(try #require(guid))]
    ])
    #expect(try await reader.titles(.unread) == ["b", "c"])
    #expect(try await reader.waiting() == 1)
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["b", "c"])
    #expect(try await reader.titles(.unread) == ["b", "c"])
  }

  @Test func `an imported read mark of an article that a later sync brings is sent, too`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { _ = $0.model.publish("new", in: "feed/1") }
    let link = try reader.remote("new").item.link
    _ = try await reader.store.insertReadMarks([
      "https://example.org/feed": [FeedMemory.key(link)]
    ])
    try await reader.library.sync(account)
    #expect(try await reader.titles() == ["a", "b", "c", "new"])
    #expect(try await reader.titles(.unread) == ["a", "b", "c"])
    #expect(try await reader.waiting() == 1)
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["a", "b", "c"])
    let left = try await reader.store.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM readElsewhere")
    }
    #expect(left == 0)
  }

  @Test func `what is unread in an account is kept, however many articles its feed has`()
    async throws
  {
    let reader = try SyncedReader(
      .freshRSS, ["a", "b", "c", "d", "e"], retention: Retention(age: nil, countPerFeed: 2))
    let account = try await reader.addSyncedAccount()
    #expect(try await reader.library.tidy() == 0)
    #expect(try await reader.titles(.unread) == reader.unreadOfServer())
    let read = try await [
      reader.article("a").id, reader.article("b").id, reader.article("c").id,
    ]
    try await reader.library.setRead(true, of: read)
    #expect(try await reader.library.tidy() == 1)
    #expect(try await reader.titles(.unread) == ["d", "e"])
    #expect(try await reader.titles().count == 4)
    // Without the account, they are articles like any other.
    try await reader.library.removeAccount(account, keepsFeeds: true, dropsChanges: true)
    #expect(try await reader.library.tidy() == 2)
    #expect(try await reader.titles().count == 2)
  }

  @Test func `an article that an answer has twice is stored once`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    let article = RemoteArticle(
      id: RemoteID(number: 77), feed: "feed/1", title: "d", author: nil, link: nil, published: nil,
      html: "<p>Wool")
    #expect(try await reader.countsOfSavingTwice(article, of: account) == [1, nil])
    #expect(try await reader.titles(.unread) == ["a", "b", "c", "d"])
  }

  @Test(arguments: Dialect.allCases) func `a first sync brings feeds, folders, articles and marks`(
    dialect: Dialect
  ) async throws {
    let reader = try SyncedReader(dialect, ["a", "b", "c", "d"])
    reader.double.edit { state in
      let ids = state.model.items.sorted { $0.value.title < $1.value.title }.map(\.key)
      state.model.set(.starred, true, of: RemoteID(number: ids[1]))
      state.model.set(.unread, false, of: RemoteID(number: ids[1]))
      state.model.set(.unread, false, of: RemoteID(number: ids[3]))
    }
    let account = try await reader.addAccount()
    let report = try await reader.library.sync(account)
    #expect(report.newArticleCount == 3)
    let feed = try #require(await reader.store.feeds(in: .account(account)).first?.feed)
    #expect(feed.title == "Feed")
    #expect(feed.folder?.path == ["News"])
    #expect(feed.address == "https://example.org/feed")
    // What is read and has no star is not asked for.
    #expect(try await reader.titles() == ["a", "b", "c"])
    #expect(try await reader.titles(.unread) == ["a", "c"])
    #expect(try await reader.titles(.starred) == ["b"])
    let (_, text) = try #require(await reader.store.article(try await reader.article("a").id))
    #expect(text.html == "<p>Text of <b>a</b></p>")
    let summary = try #require(await reader.library.storedAccounts().first)
    #expect(summary.lastSynced == reader.today.now)
    #expect(summary.unreadCount == 2)
    // Nothing is new the second time.
    #expect(try await reader.library.sync(account) == SyncReport())
  }

  @Test func `a list shows what a first sync has brought, while the rest is on its way`()
    async throws
  {
    let reader = try SyncedReader(.freshRSS, (0..<301).map { "\($0)" })
    let account = try await reader.addAccount()
    reader.double.edit { $0.contentsLimit = 2 }
    let list = reader.library.articles(in: .account(account), refresh: .hourly)
    for try await event in list.events() {
      if case .value(let articles) = event, articles.count > 150 { break }
    }
    #expect(try await reader.store.feeds(in: .all).count == 1)
  }

  @Test(arguments: Dialect.allCases) func `marks go both ways`(dialect: Dialect) async throws {
    let reader = try SyncedReader(dialect)
    let account = try await reader.addSyncedAccount()
    try await reader.library.setRead(true, of: [reader.article("a").id, reader.article("b").id])
    try await reader.library.setStarred(true, of: [reader.article("c").id])
    #expect(try await reader.waiting() == 3)
    let (id, _) = try reader.remote("c")
    reader.double.edit { _ = $0.model.set(.unread, false, of: id) }
    let report = try await reader.library.sync(account)
    #expect(report.sentMarks == 3)
    #expect(report.receivedMarks == 1)
    #expect(try await reader.waiting() == 0)
    #expect(reader.double.model.ids(with: .unread).isEmpty)
    #expect(try reader.remote("c").item.isStarred)
    #expect(try await reader.titles(.unread) == [])
  }

  @Test func `a mark of an article that two feeds of an account have goes to both`() async throws {
    let reader = try SyncedReader()
    reader.double.edit { state in
      let feeds = [
        state.model.subscribe("https://example.org/one", title: "One"),
        state.model.subscribe("https://example.org/two", title: "Two"),
      ]
      for feed in feeds {
        state.model.publish("story", in: feed, at: "https://example.org/2026/story")
      }
    }
    let account = try await reader.addSyncedAccount()
    func marks() -> [Bool] {
      reader.double.model.items.values.filter { $0.title == "story" }.map(\.isRead)
    }
    let shown = try await reader.store.articles(matching: ArticleQuery())
    #expect(shown.count { $0.title == "story" } == 1)
    try await reader.library.setRead(true, of: [reader.article("story").id])
    #expect(try await reader.waiting() == 2)
    try await reader.library.sync(account)
    #expect(marks() == [true, true])
    try await reader.library.undo()
    try await reader.library.sync(account)
    #expect(marks() == [false, false])
    #expect(try await reader.waiting() == 0)
  }

  @Test func `an undone mark is undone on the server`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    try await reader.library.sync(account)
    #expect(try reader.remote("a").item.isRead)
    try await reader.library.undo()
    try await reader.library.sync(account)
    #expect(try !reader.remote("a").item.isRead)
  }

  @Test func `tags are the names of articles where the server has some`() async throws {
    let reader = try SyncedReader(.freshRSS)
    let account = try await reader.addSyncedAccount()
    try await reader.library.tag([reader.article("a").id], adding: ["later", "swift"])
    try await reader.library.sync(account)
    #expect(try reader.remote("a").item.labels == ["later", "swift"])
    let (id, _) = try reader.remote("b")
    let (first, _) = try reader.remote("a")
    reader.double.edit { state in
      state.model.set(.label("swift"), true, of: id)
      state.model.set(.label("later"), false, of: first)
    }
    try await reader.library.sync(account)
    #expect(try await reader.article("b").tags == ["swift"])
    // No article has the other one any more, so the server has forgotten it: it stays here.
    #expect(try await reader.article("a").tags == ["later", "swift"])
  }

  @Test func `tags stay here where the server has none`() async throws {
    let reader = try SyncedReader(.miniflux)
    let account = try await reader.addSyncedAccount()
    try await reader.library.tag([reader.article("a").id], adding: ["swift"])
    #expect(try await reader.library.sync(account).refusedMarks == 0)
    #expect(try await reader.waiting() == 0)
    #expect(try await reader.article("a").tags == ["swift"])
    try await reader.library.sync(account)
    #expect(try await reader.article("a").tags == ["swift"])
  }

  @Test func `what rules do to new articles the server is told`() async throws {
    let reader = try SyncedReader(rules: [
      ArticleRule(when: "title:b", actions: [.read, .star])
    ])
    let account = try await reader.addSyncedAccount()
    #expect(try await reader.waiting() == 2)
    try await reader.library.sync(account)
    #expect(try reader.remote("b").item.isRead)
    #expect(try reader.remote("b").item.isStarred)
  }

  // MARK: Feeds

  @Test(arguments: Dialect.allCases) func `what is done to feeds goes both ways`(
    dialect: Dialect
  ) async throws {
    let reader = try SyncedReader(dialect)
    let account = try await reader.addSyncedAccount()
    let feed = try #require(await reader.store.feeds(in: .account(account)).first?.feed)
    try await reader.library.arrange(
      feed.id, as: FeedArrangement(title: "Mine", folder: FeedFolder(["Deep", "Er"])))
    #expect(try await reader.waiting() == 1)
    try await reader.library.sync(account)
    #expect(try await reader.waiting() == 0)
    #expect(reader.double.model.feeds.values.map(\.title) == ["Mine"])
    #expect(reader.double.model.feeds.values.map(\.folder) == ["Deep/Er"])
    let same = try #require(await reader.store.feeds(in: .account(account)).first?.feed)
    #expect(same.title == "Mine")
    #expect(same.folder?.path == ["Deep", "Er"])

    reader.double.edit { state in
      for id in state.model.feeds.keys {
        state.model.feeds[id]?.title = "Theirs"
        state.model.feeds[id]?.folder = "Other"
      }
    }
    try await reader.library.sync(account)
    let changed = try #require(await reader.store.feeds(in: .account(account)).first?.feed)
    #expect(changed.title == "Theirs")
    #expect(changed.folder?.path == ["Other"])

    try await reader.library.remove(feed.id)
    try await reader.library.sync(account)
    #expect(reader.double.model.feeds.isEmpty)
    // Taken back, it is subscribed to again.
    try await reader.library.undo()
    try await reader.library.sync(account)
    #expect(reader.double.model.feeds.values.map(\.address) == ["https://example.org/feed"])
  }

  /// How a feed comes back that the server no longer has, or has under another id.
  enum Return: CaseIterable {
    case undo, addition, addedElsewhere, replacedElsewhere
  }

  @Test(arguments: Dialect.allCases, Return.allCases)
  func `a feed that comes back to an account has its articles and their marks`(
    dialect: Dialect, way: Return
  ) async throws {
    let address = "https://example.org/feed"
    let reader = try SyncedReader(dialect)
    let account = try await reader.addSyncedAccount()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    try await reader.library.setStarred(true, of: [reader.article("b").id])
    try await reader.library.sync(account)
    func articles() async throws -> [Article.ID: String] {
      let articles = try await reader.store.articles(matching: ArticleQuery())
      return Dictionary(uniqueKeysWithValues: articles.map { ($0.id, $0.title) })
    }
    let before = try await articles()
    let feed = try #require(await reader.store.feeds(in: .account(account)).first?.feed)
    if way != .replacedElsewhere {
      try await reader.library.remove(feed.id)
      try await reader.library.sync(account)
      #expect(reader.double.model.feeds.isEmpty)
    }
    switch way {
    case .undo: try await reader.library.undo()
    case .addition: _ = try await reader.library.addition(of: address, to: account)
    case .addedElsewhere: reader.double.edit { _ = $0.model.subscribe(address, title: "Feed") }
    case .replacedElsewhere:
      reader.double.edit { state in
        state.model.unsubscribe("feed/1")
        state.model.subscribe(address, title: "Feed")
      }
    }
    try await reader.library.sync(account)
    #expect(try await articles() == before)
    #expect(try await reader.titles(.unread) == ["b", "c"])
    #expect(try await reader.titles(.starred) == ["b"])
    // The marks go to the server's new articles.
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["b", "c"])
    #expect(try reader.remote("b").item.isStarred)
    #expect(try await reader.waiting() == 0)
  }

  @Test(arguments: [false, true])
  func `the articles of a removed feed keep their marks`(isRefused: Bool) async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setStarred(true, of: [reader.article("b").id])
    try await reader.library.sync(account)
    let feed = try #require(await reader.store.feeds(in: .account(account)).first?.feed)
    try await reader.library.remove(feed.id)
    if isRefused {
      // The server still has the articles, and another client changes their marks.
      let ids = try ["a", "b", "c"].map { try reader.remote($0).id }
      reader.double.edit { state in
        for id in ids {
          state.model.set(.unread, false, of: id)
          state.model.set(.starred, false, of: id)
        }
        state.faults = [.status(500)]
      }
    }
    let report = try await reader.library.sync(account)
    #expect(report.refusedFeeds.count == (isRefused ? 1 : 0))
    #expect(report.receivedMarks == 0)
    try await reader.library.undo()
    #expect(try await reader.titles(.unread) == ["a", "b", "c"])
    #expect(try await reader.titles(.starred) == ["b"])
  }

  @Test(arguments: Dialect.allCases) func `a feed is added to an account, or refused`(
    dialect: Dialect
  ) async throws {
    let reader = try SyncedReader(dialect)
    reader.double.edit { $0.model.published["https://example.org/new"] = ["x", "y"] }
    let account = try await reader.addSyncedAccount()
    let added = try await reader.library.addition(of: "https://example.org/new", to: account)
    #expect(added.failure == nil)
    #expect(added.feed.account == account)
    #expect(try await reader.titles(ArticleQuery(.feed(added.feed.id))) == ["x", "y"])

    // Subscribed to by another client a moment ago.
    reader.double.edit { $0.faults = [.lost] }
    await #expect(throws: (any Error).self) {
      try await reader.library.addition(of: "https://example.org/feed", to: account)
    }
    reader.double.edit { $0.faults = [] }
    #expect(try await reader.store.feeds(in: .account(account)).count == 2)
  }

  @Test func `a feed whose sync fails stays in the account, and undo takes it away`() async throws {
    let reader = try SyncedReader(.freshRSS)
    let account = try await reader.addSyncedAccount()
    reader.double.edit { $0.faults = Array(repeating: .status(500), count: 20) }
    let added = try await reader.library.addition(of: "https://example.org/new", to: account)
    #expect(added.failure is SyncError)
    func ids() async throws -> [Feed.ID] {
      try await reader.store.feeds(in: .account(account)).map(\.feed.id)
    }
    #expect(try await ids().contains(added.feed.id))
    reader.double.edit { $0.faults = [] }
    #expect(try await reader.library.undo()?.kind == .addedFeed)
    #expect(try await !ids().contains(added.feed.id))
  }

  @Test func `a feed that is here becomes one of the account, with its articles`() async throws {
    let reader = try SyncedReader(.freshRSS, ["a", "b"])
    try await reader.addOwnFeed(["a", "old"])
    try await reader.library.setRead(true, of: [reader.article("a").id])
    let account = try await reader.addSyncedAccount()
    // One of each, and what was read here is read.
    #expect(try await reader.store.articles(matching: ArticleQuery()).count == 3)
    #expect(try await reader.titles(.unread) == ["b", "old"])
    try await reader.library.sync(account)
    #expect(try reader.remote("a").item.isRead)
    #expect(try await reader.store.feeds(in: .all).map(\.feed.account) == [account])
  }

  @Test(arguments: Dialect.allCases)
  func `in a feed that was here before, what was read on the server is read`(dialect: Dialect)
    async throws
  {
    let reader = try SyncedReader(dialect, ["a", "b", "c", "d"])
    try await reader.addOwnFeed(["a", "b", "c", "old"])
    reader.double.edit { state in
      for title in ["a", "c", "d"] {
        let id = state.model.items.first { $0.value.title == title }?.key
        if let id { state.model.set(.unread, false, of: RemoteID(number: id)) }
      }
    }
    let account = try await reader.addSyncedAccount()
    #expect(try await reader.titles(.unread) == ["b", "old"])
    // They are the server's articles now: marks go both ways.
    try await reader.library.setRead(false, of: [reader.article("c").id])
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["b", "c"])
  }

  @Test func `a server that does not list the articles of a feed has its other marks`() async throws
  {
    let reader = try SyncedReader(.freshRSS, ["a", "b"])
    reader.double.edit { $0.listsFeeds = false }
    try await reader.addOwnFeed(["a"])
    _ = try await reader.addSyncedAccount()
    #expect(try await reader.titles(.unread) == ["a", "b"])
  }

  @Test func `a feed that the server has lost goes, and adding it again brings it back`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { $0.model.unsubscribe("feed/1") }
    #expect(try await reader.library.sync(account).removedFeeds == ["Feed"])
    #expect(try await reader.store.feeds(in: .all).isEmpty)
    // The user did not remove it here, so there is nothing to undo.
    #expect(reader.library.latestChange == nil)
    let added = try await reader.library.addition(of: "https://example.org/feed")
    #expect(added.feed.account == account)
    #expect(try await reader.titles() == ["a", "b", "c"])
    #expect(reader.double.model.feeds.count == 1)
  }
}
