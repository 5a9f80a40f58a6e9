import Foundation
import GRDB
import HTTP
import TestServer
import Testing

@testable import Articles

/// Tests of the feeds of an account: added, renamed and removed, here and elsewhere.
@Suite(.timeLimit(.minutes(10))) struct SyncFeedTests {
  typealias Dialect = GoogleReaderDouble.Dialect

  private static let other = "https://example.org/other"

  private func feed(_ reader: SyncedReader) async throws -> Feed {
    try #require(
      try await reader.store.feeds(in: .all).first {
        $0.feed.address == "https://example.org/feed"
      }
    ).feed
  }

  private func requests(_ reader: SyncedReader, to path: String) -> Int {
    reader.double.edit { state in state.requests.count { $0.hasSuffix(path) } }
  }

  // MARK: Additions

  @Test(arguments: Dialect.allCases, [false, true])
  func `a feed that another client has added to the account joins it`(
    dialect: Dialect, wasThere: Bool
  ) async throws {
    let reader = try SyncedReader(dialect)
    let account = try await reader.addSyncedAccount()
    if wasThere {
      let own = try #require(try await reader.store.insertFeed(address: Self.other)).id
      try await reader.fetchOwn(["mine"], of: own)
    }
    reader.double.edit { state in
      state.model.published[Self.other] = ["theirs"]
      state.model.subscribe(Self.other, title: "Other")
    }
    let added = try await reader.library.addition(of: Self.other, to: account)
    #expect(added.failure == nil)
    #expect(added.feed.account == account)
    #expect(try await reader.titles(ArticleQuery(.feed(added.feed.id))).contains("theirs"))
    #expect(try await reader.store.feeds(in: .account(account)).count == 2)
    #expect(try await reader.waiting() == 0)
    #expect(try await reader.library.sync(account) == SyncReport())
  }

  @Test(arguments: Dialect.allCases)
  func `a feed is one of the account although the answer to its addition was lost`(
    dialect: Dialect
  ) async throws {
    let reader = try SyncedReader(dialect)
    let account = try await reader.addSyncedAccount()
    reader.double.edit { $0.faults = [.lost] }
    let added = try await reader.library.addition(of: Self.other, to: account)
    #expect(added.failure is HTTPError)
    #expect(reader.double.model.feeds.count == 2)
    #expect(try await reader.library.sync(account).refusedFeeds.isEmpty)
    #expect(try await reader.store.feeds(in: .account(account)).count == 2)
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a server that fails at an addition is not asked again at once`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { state in
      state.requests = []
      state.faults = Array(repeating: .status(429, headers: ["Retry-After": "7200"]), count: 20)
    }
    let added = try await reader.library.addition(of: Self.other, to: account)
    #expect((added.failure as? SyncError)?.message.retryDate != nil)
    #expect(reader.double.edit(\.requests).count == 1)
    #expect(try await reader.waiting() == 1)
  }

  @Test func `an account is looked for at no other path after a server has asked to wait`()
    async throws
  {
    let reader = try SyncedReader(.miniflux)
    reader.double.edit { state in
      state.faults = Array(repeating: .status(429, headers: ["Retry-After": "60"]), count: 20)
    }
    let error = await #expect(throws: SyncError.self) { try await reader.addAccount() }
    #expect(error?.message.what == "The server says that it gets too many requests.")
    #expect(reader.double.edit(\.requests).count == 1)
  }

  // MARK: Titles

  @Test(arguments: [false, true])
  func `a title that the server writes in its own way is sent once, and is as it writes it`(
    isAddition: Bool
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    let address = isAddition ? Self.other : "https://example.org/feed"
    var id = try await feed(reader).id
    if isAddition { id = try #require(try await reader.store.insertFeed(address: address)).id }
    try await reader.library.arrange(id, as: FeedArrangement(title: "Q & A"))
    if isAddition { _ = try await reader.library.addition(of: address, to: account) }
    try await reader.library.sync(account)
    reader.double.edit { $0.requests = [] }
    try await reader.library.sync(account)
    #expect(requests(reader, to: "subscription/edit") == 0)
    #expect(try await reader.waiting() == 0)
    func title() async throws -> String? {
      try await reader.store.feeds(in: .feed(id)).first?.feed.shownTitle
    }
    #expect(try await title() == "Q ＆ A")
    reader.double.edit { state in
      for (feed, subscription) in state.model.feeds where subscription.address == address {
        state.model.feeds[feed]?.title = "Theirs"
      }
    }
    try await reader.library.sync(account)
    #expect(try await title() == "Theirs")
    #expect(reader.double.model.feeds.values.contains { $0.title == "Theirs" })
  }

  @Test(arguments: 0..<3, ["Mine", "Q & A"])
  func `a changed title and folder of an account's feed are undone here and on the server`(
    syncs: Int, title: String
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    let changed = FeedArrangement(title: title, folder: FeedFolder(["Other"]), tags: ["tag"])
    try await reader.library.arrange(feed(reader).id, as: changed)
    for _ in 0..<syncs { try await reader.library.sync(account) }
    #expect(try await reader.library.undo()?.undoing == .all)
    let undone = try await feed(reader)
    #expect(undone.shownTitle == "Feed")
    #expect(undone.folder?.path == ["News"])
    #expect(undone.tags == [])
    try await reader.library.sync(account)
    #expect(reader.double.model.feeds["feed/1"]?.title == "Feed")
    #expect(reader.double.model.feeds["feed/1"]?.folder == "News")
    #expect(try await feed(reader).customTitle == nil)
    #expect(try await reader.waiting() == 0)
  }

  @Test func `only what was not renamed elsewhere is undone`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.arrange(
      feed(reader).id, as: FeedArrangement(title: "Mine", folder: FeedFolder(["Other"])))
    try await reader.library.sync(account)
    reader.double.edit { $0.model.feeds["feed/1"]?.title = "Theirs" }
    try await reader.library.sync(account)
    #expect(try await reader.library.undo()?.undoing == .all)
    #expect(try await feed(reader).shownTitle == "Theirs")
    #expect(try await feed(reader).folder?.path == ["News"])
  }

  @Test func `a folder that was changed before a title is sent can be undone after that, too`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let id = try await feed(reader).id
    let news = FeedFolder(["News"])
    try await reader.library.arrange(id, as: FeedArrangement(title: "Mine", folder: news))
    try await reader.library.arrange(
      id, as: FeedArrangement(title: "Mine", folder: FeedFolder(["Other"])))
    try await reader.library.sync(account)
    #expect(try await reader.library.undo()?.undoing == .all)
    #expect(try await feed(reader).folder == news)
    #expect(try await feed(reader).shownTitle == "Mine")
    #expect(try await reader.library.undo()?.undoing == .all)
    #expect(try await feed(reader).shownTitle == "Feed")
  }

  @Test func `a feed that was renamed elsewhere since it was renamed here stays as it is`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.arrange(
      feed(reader).id, as: FeedArrangement(title: "Mine", folder: FeedFolder(["News"])))
    try await reader.library.sync(account)
    reader.double.edit { $0.model.feeds["feed/1"]?.title = "Theirs" }
    try await reader.library.sync(account)
    #expect(try await reader.library.undo()?.undoing == .nothing)
    #expect(try await feed(reader).shownTitle == "Theirs")
    #expect(try await reader.waiting() == 0)
  }

  // MARK: Removals

  @Test func `a removal that could not be sent for a month is sent all the same`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.remove(feed(reader).id)
    func use(days: Int) async throws {
      for _ in 0..<days {
        reader.today.pass(86_400)
        try await reader.library.tidy()
      }
    }
    func rows() async throws -> [Int?] {
      try await reader.store.read { database in
        try ["feed", "article"].map {
          try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \($0)")
        }
      }
    }
    try await use(days: 32)
    #expect(try await rows() == [1, 0])
    #expect(try await reader.waiting() == 1)
    try await reader.library.sync(account)
    #expect(reader.double.model.feeds.isEmpty)
    #expect(try await reader.store.feeds(in: .all).isEmpty)
    try await use(days: 1)
    #expect(try await rows() == [0, 0])
  }

  // MARK: Articles

  @Test func `what was marked as read by mistake comes back, however many articles its feed has`()
    async throws
  {
    let reader = try SyncedReader(
      .freshRSS, ["a", "b", "c"], retention: Retention(age: nil, countPerFeed: 1))
    let account = try await reader.addSyncedAccount()
    try await reader.library.markRead()
    #expect(try await reader.library.tidy() == 2)
    #expect(try await reader.library.undo()?.undoing == .all)
    #expect(try await reader.titles(.unread) == ["a", "b", "c"])
    #expect(try await reader.library.tidy() == 0)
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["a", "b", "c"])
  }

  @Test func `articles of an account that another program has removed are passed over`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    _ = try await reader.store.removeAccount(account, keepsFeeds: true, at: reader.today.now)
    let article = RemoteArticle(
      id: RemoteID(number: 77), feed: "feed/1", title: "d", author: nil, link: nil, published: nil,
      html: nil)
    let counts = try await reader.store.save(
      [article], of: account, lists: RemoteLists(unread: [article.id]), rules: .none,
      at: reader.today.now)
    #expect(counts.isEmpty)
  }

  @Test func `articles whose feed is not here are fetched once, and again when it is`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let id = reader.double.edit { state in
      let id = state.model.publish("stray", in: "feed/9")
      state.model.set(.starred, true, of: id)
      return id
    }
    try await reader.library.sync(account)
    reader.double.edit { $0.requests = [] }
    try await reader.library.sync(account)
    #expect(requests(reader, to: "contents") == 0)
    reader.double.edit { state in
      state.model.feeds["feed/9"] = .init(address: Self.other, title: "Other")
    }
    try await reader.library.sync(account)
    #expect(try await reader.titles(.starred) == ["stray"])
    // What the server no longer lists is not remembered.
    reader.double.edit { state in
      state.model.set(.starred, false, of: id)
      state.model.set(.unread, false, of: id)
    }
    try await reader.library.sync(account)
    let remembered = try await reader.store.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM strayArticle")
    }
    #expect(remembered == 0)
  }

  @Test func `an article with an id that another one had before is stored`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { state in
      state.model.unsubscribe("feed/1")
      state.model.subscribe("https://example.org/feed", title: "Feed")
    }
    try await reader.library.sync(account)
    let article = RemoteArticle(
      id: RemoteID(number: 1), feed: "feed/2", title: "d", author: nil, link: nil, published: nil,
      html: "<p>Wool")
    #expect(try await reader.countsOfSavingTwice(article, of: account) == [1, nil])
    #expect(try await reader.titles(.unread) == ["a", "b", "c", "d"])
  }

  @Test func `an article that lost its server's id is found again by an answer that has it twice`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let (before, remote) = try (await reader.article("b").id, reader.remote("b"))
    try await reader.store.write { database in
      try database.execute(sql: "UPDATE article SET remoteID = NULL WHERE title = 'b'")
    }
    let article = RemoteArticle(
      id: remote.id, feed: remote.item.feed, title: "b", author: nil, link: remote.item.link,
      published: nil, html: nil)
    let counts = try await reader.store.save(
      [article, article], of: account, lists: RemoteLists(unread: [article.id]), rules: .none,
      at: reader.today.now)
    #expect(counts.isEmpty)
    #expect(try await reader.article("b").id == before)
    #expect(try await reader.titles() == ["a", "b", "c"])
  }

  /// Lets the server of an account lead its feed to another address.
  private func move(
    _ old: String, to new: String, in account: SyncAccount.ID, _ reader: SyncedReader
  ) async throws {
    reader.double.edit { state in
      for (id, feed) in state.model.feeds where feed.address == old {
        state.model.feeds[id]?.address = new
      }
    }
    try await reader.library.sync(account)
  }

  @Test func `a feed has the address that its server has found on the page that was added`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let (page, address) = ("https://example.org/blog", "https://feeds.example.org/blog.xml")
    let added = try await reader.library.addition(of: page, to: account).feed
    try await move(page, to: address, in: account, reader)
    #expect(try await reader.store.feed(added.id)?.feed.address == address)
    // What the server names must not lead into a private network.
    #expect(try await reader.store.feed(added.id)?.origin == .publicContent)
    await #expect(throws: LibraryError.self) {
      try await reader.library.addition(of: page, to: account)
    }
    try await reader.library.sync(account)
    #expect(try await reader.store.feeds(in: .account(account)).count == 2)
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a feed in a private network stays the user's if its server spells it otherwise`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let (mine, theirs) = ("http://nas.local/feed", "http://nas.local/feed/")
    let added = try await reader.library.addition(of: mine, to: account).feed
    try await move(mine, to: theirs, in: account, reader)
    try await reader.library.removeAccount(account, keepsFeeds: true)
    let stored = try #require(try await reader.store.feed(added.id))
    #expect(stored.feed.address == theirs)
    #expect(stored.origin == .user)
  }

  @Test func `of two subscriptions with one address, the feed stays the first`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { state in
      state.model.feeds["feed/8"] = .init(address: "https://example.org/feed", title: "Twin")
      state.model.publish("twin", in: "feed/8")
    }
    for _ in 1...3 {
      try await reader.library.sync(account)
      #expect(try await reader.store.feeds(in: .all).map(\.remote) == ["feed/1"])
      #expect(try await reader.titles(.unread) == ["a", "b", "c"])
    }
    #expect(try await feed(reader).shownTitle == "Feed")
  }

  @Test func `a feed that is added to an account is on the disk before it is told to be`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    for text in ["INSERT INTO feed (address, accountID)", "SET accountID = NULL"] {
      let (found, all) = try await reader.statements(with: text) {
        reader.double.edit { $0.unfetchable = [Self.other] }
        _ = try? await reader.library.addition(of: Self.other, to: account)
      }
      let place = try #require(found.first)
      let level = all[..<place].last { $0.contains("PRAGMA synchronous") }
      #expect(level?.hasSuffix("FULL") == true, "\(text)")
    }
  }

  @Test func `the articles of a feed are compared with the first answers of a sync, not with each`()
    async throws
  {
    let reader = try SyncedReader(.freshRSS, (0..<901).map { "\($0)" })
    let account = try await reader.addAccount()
    let comparisons = try await reader.statements(with: "SELECT id, guid, link, title, published") {
      try await reader.library.sync(account)
    }
    #expect(try await reader.titles(.unread).count == 901)
    // The seven answers come four at once.
    #expect(1...4 ~= comparisons.found.count)
  }

  @Test func `what a batch that could not be stored has found in a feed is forgotten`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let (before, remote) = try (await reader.article("b").id, reader.remote("b"))
    let matched = MatchedFeeds()
    func save(_ title: String, as id: RemoteID, link: String? = nil) async throws -> [Feed.ID: Int]
    {
      try await reader.store.save(
        [
          RemoteArticle(
            id: id, feed: "feed/1", title: title, author: nil, link: link, published: nil,
            html: nil)
        ], of: account, lists: RemoteLists(unread: [id]), rules: .none, matched: matched,
        at: reader.today.now)
    }
    try await reader.store.write { database in
      try database.execute(
        sql: """
          CREATE TRIGGER refuse BEFORE INSERT ON article BEGIN SELECT RAISE(ABORT, 'no'); END
          """)
    }
    await #expect(throws: StoreError.self) { try await save("d", as: RemoteID(number: 77)) }
    try await reader.store.write { database in
      try database.execute(
        sql: """
          DROP TRIGGER refuse;
          UPDATE article SET remoteID = NULL, guid = 'own' WHERE title = 'b'
          """)
    }
    #expect(try await save("b", as: remote.id, link: remote.item.link).isEmpty)
    #expect(try await reader.article("b").id == before)
    #expect(try await reader.titles() == ["a", "b", "c"])
  }

  @Test func `what a feed's own server sends while the feed joins an account is not stored`()
    async throws
  {
    let reader = try SyncedReader()
    let own = try #require(try await reader.store.insertFeed(address: "https://example.org/feed"))
    _ = try await reader.addSyncedAccount()
    let parsed = ParsedFeed(articles: [ParsedArticle(guid: "guid of a", title: "a")])
    let new = try await reader.store.save(
      PreparedFeed(parsed), of: own.id, from: own.address, at: reader.today.now)
    #expect(new == nil)
    #expect(
      try await reader.store.articles(matching: ArticleQuery()).map(\.title).sorted()
        == ["a", "b", "c"])
  }
}
