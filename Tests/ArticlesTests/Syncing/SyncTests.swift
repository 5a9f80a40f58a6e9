import Foundation
import HTTP
import PseudoTerminal
import Testing

@testable import Articles

/// A library with an account on a double of a server.
private struct Reader {
  let double: GoogleReaderDouble
  let library: Library
  let store: ArticleStore
  let today = Today()

  /// - Parameters:
  ///   - titles: the articles of the one feed that the account has.
  ///   - directory: where the store is; nil for memory.
  init(
    _ dialect: GoogleReaderDouble.Dialect = .freshRSS, _ titles: [String] = ["a", "b", "c"],
    directory: String? = nil, rules: [ArticleRule] = [], retention: Retention = .standard
  ) throws {
    double = try GoogleReaderDouble(dialect)
    double.edit { state in
      state.model.published["https://example.org/feed"] = titles
      state.model.subscribe("https://example.org/feed", title: "Feed", folder: "News")
    }
    store = try directory.map { try ArticleStore(directory: $0) } ?? .inMemory()
    library = Library(
      store: store, options: Library.Options(retention: retention, rules: rules),
      passwords: Passwords(), now: { [today] in today.now })
  }

  struct Passwords: AccountPasswords {
    func password(of account: SyncAccount) async throws -> String { GoogleReaderDouble.password }
    func removePassword(of account: SyncAccount) async {}
  }

  func addAccount() async throws -> SyncAccount.ID {
    try await library.addAccount(
      address: double.root, user: GoogleReaderDouble.user, password: GoogleReaderDouble.password
    ).id
  }

  func article(_ title: String) async throws -> Article {
    try #require(
      try await store.articles(matching: ArticleQuery()).first { $0.title == title })
  }

  func titles(_ query: ArticleQuery = ArticleQuery()) async throws -> Set<String> {
    Set(try await store.articles(matching: query).map(\.title))
  }

  func waiting() async throws -> Int {
    try await library.storedAccounts().reduce(0) { $0 + $1.waitingCount }
  }

  /// The article of this title on the server.
  func remote(_ title: String) throws -> (id: RemoteID, item: ServerModel.Item) {
    let found = try #require(double.model.items.first { $0.value.title == title })
    return (RemoteID(number: found.key), found.value)
  }
}

@Suite struct SyncTests {
  typealias Dialect = GoogleReaderDouble.Dialect

  @Test(arguments: Dialect.allCases) func `a first sync brings feeds, folders, articles and marks`(
    dialect: Dialect
  ) async throws {
    let reader = try Reader(dialect, ["a", "b", "c", "d"])
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

  @Test(arguments: Dialect.allCases) func `marks go both ways`(dialect: Dialect) async throws {
    let reader = try Reader(dialect)
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
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

  @Test func `an undone mark is undone on the server`() async throws {
    let reader = try Reader()
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    try await reader.library.setRead(true, of: [reader.article("a").id])
    try await reader.library.sync(account)
    #expect(try reader.remote("a").item.isRead)
    try await reader.library.undo()
    try await reader.library.sync(account)
    #expect(try !reader.remote("a").item.isRead)
  }

  @Test func `tags are the names of articles where the server has some`() async throws {
    let reader = try Reader(.freshRSS)
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
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
    let reader = try Reader(.miniflux)
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    try await reader.library.tag([reader.article("a").id], adding: ["swift"])
    #expect(try await reader.library.sync(account).refusedMarks == 0)
    #expect(try await reader.waiting() == 0)
    #expect(try await reader.article("a").tags == ["swift"])
    try await reader.library.sync(account)
    #expect(try await reader.article("a").tags == ["swift"])
  }

  @Test func `what rules do to new articles the server is told`() async throws {
    let reader = try Reader(rules: [
      ArticleRule(when: "title:b", actions: [.read, .star])
    ])
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    #expect(try await reader.waiting() == 2)
    try await reader.library.sync(account)
    #expect(try reader.remote("b").item.isRead)
    #expect(try reader.remote("b").item.isStarred)
  }

  // MARK: Feeds

  @Test(arguments: Dialect.allCases) func `what is done to feeds goes both ways`(
    dialect: Dialect
  ) async throws {
    let reader = try Reader(dialect)
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
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

  @Test(arguments: Dialect.allCases) func `a feed is added to an account, or refused`(
    dialect: Dialect
  ) async throws {
    let reader = try Reader(dialect)
    reader.double.edit { $0.model.published["https://example.org/new"] = ["x", "y"] }
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
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

  @Test func `a feed that is here becomes one of the account, with its articles`() async throws {
    let reader = try Reader(.freshRSS, ["a", "b"])
    let local = try #require(await reader.store.insertFeed(address: "https://example.org/feed")).id
    var parsed = ParsedFeed()
    parsed.articles = ["a", "old"].map { title in
      var article = ParsedArticle()
      (article.guid, article.title) = ("guid of \(title)", title)
      article.link = reader.double.model.items.values.first { $0.title == title }?.link
      return article
    }
    _ = try await reader.store.save(PreparedFeed(parsed), of: local, at: reader.today.now)
    try await reader.library.setRead(true, of: [reader.article("a").id])
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    // One of each, and what was read here is read.
    #expect(try await reader.store.articles(matching: ArticleQuery()).count == 3)
    #expect(try await reader.titles(.unread) == ["b", "old"])
    try await reader.library.sync(account)
    #expect(try reader.remote("a").item.isRead)
    #expect(try await reader.store.feeds(in: .all).map(\.feed.account) == [account])
  }

  @Test func `a feed that the server has lost goes, and can be had back`() async throws {
    let reader = try Reader()
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    reader.double.edit { $0.model.unsubscribe("feed/1") }
    #expect(try await reader.library.sync(account).removedFeeds == ["Feed"])
    #expect(try await reader.store.feeds(in: .all).isEmpty)
  }

  // MARK: Failures

  @Test(arguments: Dialect.allCases) func `a lost answer is asked for again and nothing is lost`(
    dialect: Dialect
  ) async throws {
    // Each request of a sync in turn has no answer, though the server acts.
    for place in 0..<9 {
      let reader = try Reader(dialect)
      let account = try await reader.addAccount()
      try await reader.library.sync(account)
      try await reader.library.setRead(true, of: [reader.article("a").id])
      try await reader.library.setStarred(true, of: [reader.article("b").id])
      let (id, _) = try reader.remote("c")
      reader.double.edit { state in
        state.model.set(.starred, true, of: id)
        state.model.publish("new", in: "feed/1")
      }
      reader.double.edit { $0.passing = place }
      _ = try? await reader.library.sync(account)
      reader.double.edit { $0.passing = nil }
      try await reader.library.sync(account)
      #expect(try await reader.titles(.unread) == ["b", "c", "new"], "request \(place)")
      #expect(try await reader.titles(.starred) == ["b", "c"], "request \(place)")
      #expect(try reader.remote("a").item.isRead)
      #expect(try reader.remote("b").item.isStarred)
      #expect(try await reader.waiting() == 0)
    }
  }

  @Test(arguments: ["[]", "<html>Login</html>", "{}", "", #"{"itemRefs": [{"id": "?!"}]}"#])
  func `an answer that is none changes nothing`(text: String) async throws {
    for place in 0..<4 {
      let reader = try Reader(.miniflux)
      let account = try await reader.addAccount()
      try await reader.library.sync(account)
      reader.double.edit { state in
        state.faults =
          Array(repeating: GoogleReaderDouble.Fault.none, count: place) + [.answers(text)]
      }
      await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
      #expect(try await reader.titles(.unread) == ["a", "b", "c"])
      #expect(try await reader.store.feeds(in: .all).count == 1)
      let summary = try #require(await reader.library.storedAccounts().first)
      #expect(summary.failure?.what == "The server's answer cannot be read.")
    }
  }

  @Test func `a list whose pages shift is read until it is the same twice`() async throws {
    let reader = try Reader(.miniflux, (0..<10).map { "\($0)" })
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    // While the first reading goes on, another client reads what stood on the first page.
    reader.double.edit { state in
      state.pageLimit = 4
      state.marksAtPage = 2
    }
    try await reader.library.sync(account)
    #expect(try await reader.titles(.unread).count == reader.double.model.ids(with: .unread).count)
  }

  @Test func `a list that is another one each time is not believed`() async throws {
    let reader = try Reader(.miniflux, (0..<30).map { "\($0)" })
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    reader.double.edit { state in
      state.pageLimit = 4
      state.marksAtPage = .max
    }
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    #expect(try await reader.titles(.unread).count == 30)
  }

  @Test func `a server that wants fewer ids gets fewer`() async throws {
    let reader = try Reader(.freshRSS, (0..<40).map { "\($0)" })
    reader.double.edit { $0.idLimit = 7 }
    let account = try await reader.addAccount()
    let first = try await reader.library.sync(account)
    #expect(first.newArticleCount == 40)
    try await reader.library.markRead()
    let report = try await reader.library.sync(account)
    #expect(report.sentMarks == 40)
    #expect(reader.double.model.ids(with: .unread).isEmpty)
  }

  @Test func `a server that asks to wait is left alone until then`() async throws {
    let reader = try Reader()
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    reader.double.edit { $0.faults = [.status(429, headers: ["Retry-After": "7200"])] }
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    let failed = try #require(await reader.library.storedAccounts().first)
    #expect(failed.failure?.what == "The server says that it gets too many requests.")
    #expect(failed.nextAttempt == reader.today.now.addingTimeInterval(7_200))
    let count = reader.double.edit { $0.requests.count }
    reader.today.pass(3_600)
    try await reader.library.reload(refresh: .scheduled(every: 60))
    try await reader.library.sendMarks()
    #expect(reader.double.edit { $0.requests.count } == count)
    reader.today.pass(3_700)
    let report = try await reader.library.reload(refresh: .scheduled(every: 60))
    #expect(report.accounts.map(\.outcome) == [.synced(SyncReport())])
  }

  @Test func `a password that is refused is asked for once, and not again by itself`() async throws
  {
    let reader = try Reader()
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    // The server has ended all logins, and has another password.
    reader.double.edit { state in
      state.generation += 1
      state.refusesPassword = true
    }
    await #expect(throws: SyncError.passwordRefused) { try await reader.library.sync(account) }
    let logins = { reader.double.edit { $0.requests.count { $0 == "/accounts/ClientLogin" } } }
    let count = logins()
    reader.today.pass(86_400)
    try await reader.library.reload(refresh: .scheduled(every: 60))
    try await reader.library.sendMarks()
    #expect(logins() == count)
    let summary = try #require(await reader.library.storedAccounts().first)
    #expect(summary.failure?.isLasting == true)
    reader.double.edit { $0.refusesPassword = false }
    try await reader.library.checkPassword(GoogleReaderDouble.password, of: account)
    #expect(try await reader.library.storedAccounts().first?.failure == nil)
    try await reader.library.sync(account)
  }

  @Test func `a server that cannot be reached is offline, and marks wait`() async throws {
    let reader = try Reader()
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    reader.double.server.refuseConnections()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    await #expect(throws: HTTPError.self) { try await reader.library.sync(account) }
    let offline = try #require(await reader.library.storedAccounts().first)
    #expect(offline.offlineSince == reader.today.now)
    #expect(offline.failure == nil)
    #expect(offline.waitingCount == 1)
    // A reload of everything tells of it, and no feed has failed.
    let report = try await reader.library.reload()
    #expect(report.error == nil)
    #expect(report.accounts.count == 1)
    #expect(try await reader.library.storedAccounts().first?.offlineSince == reader.today.now)
    try reader.double.server.acceptConnections()
    try await reader.library.sync(account)
    #expect(try reader.remote("a").item.isRead)
    #expect(try await reader.library.storedAccounts().first?.offlineSince == nil)
  }

  @Test func `stars survive a server that was restored from a backup`() async throws {
    let reader = try Reader(.miniflux)
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    try await reader.library.setStarred(true, of: [reader.article("a").id, reader.article("b").id])
    try await reader.library.sync(account)
    let ids = try (reader.remote("a").id, reader.remote("b").id)
    reader.double.edit { state in
      state.model.lose(ids.0)
      state.model.set(.starred, false, of: ids.1)
    }
    try await reader.library.sync(account)
    #expect(try await reader.titles(.starred) == ["a"])
    // It is asked for once, not with every sync.
    reader.double.edit { $0.requests = [] }
    try await reader.library.sync(account)
    #expect(!reader.double.edit { $0.requests.contains { $0.hasSuffix("contents") } })
  }

  @Test func `what was dropped here does not come back while the server has it`() async throws {
    let reader = try Reader(
      retention: Retention(age: 86_400 * 30, countPerFeed: nil, keepsUnread: false))
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    for _ in 0..<8 {
      reader.today.pass(86_400 * 5)
      try await reader.library.sync(account)
      try await reader.library.reload(refresh: .never)
      try await reader.library.tidy()
    }
    #expect(try await reader.titles() == [])
    #expect(try await reader.library.sync(account).newArticleCount == 0)
  }

  // MARK: Accounts

  @Test func `an account with changes that wait is not removed without being told to`() async throws
  {
    let reader = try Reader()
    let account = try await reader.addAccount()
    try await reader.library.sync(account)
    try await reader.library.setRead(true, of: [reader.article("a").id])
    await #expect(throws: SyncError.changesWaiting(1)) {
      try await reader.library.removeAccount(account)
    }
    try await reader.library.removeAccount(account, keepsFeeds: true, dropsChanges: true)
    #expect(try await reader.library.storedAccounts().isEmpty)
    let feeds = try await reader.store.feeds(in: .all)
    #expect(feeds.map(\.feed.account) == [nil])
    #expect(try await reader.titles() == ["a", "b", "c"])
    // The server still has everything.
    #expect(reader.double.model.feeds.count == 1)
  }

  @Test func `an account is there once`() async throws {
    let reader = try Reader()
    _ = try await reader.addAccount()
    await #expect(throws: SyncError.alreadyThere) { try await reader.addAccount() }
  }

  @Test func `two programs do not sync one account at the same time`() async throws {
    let directory = try TemporaryDirectory()
    let reader = try Reader(directory: directory.path)
    let account = try await reader.addAccount()
    let path = "/api/greader.php/reader/api/0/subscription/list"
    reader.double.server[path] = .heldHead(#"{"subscriptions": []}"#)
    async let first = reader.library.sync(account)
    try await reader.double.server.request(to: path)
    let other = Library(
      store: try ArticleStore(directory: directory.path), passwords: Reader.Passwords())
    await #expect(throws: SyncError.busy) { try await other.sync(account) }
    reader.double.server.release(path)
    _ = try await first
  }

  @Test func `two reloads share one sync`() async throws {
    let reader = try Reader()
    let account = try await reader.addAccount()
    let path = "/api/greader.php/reader/api/0/subscription/list"
    reader.double.server[path] = .heldHead(#"{"subscriptions": []}"#)
    async let first = reader.library.sync(account)
    try await reader.double.server.request(to: path)
    var changes = reader.library.syncingChanges().makeAsyncIterator()
    async let second = reader.library.reload(.account(account))
    while reader.library.accountBoard.waiterCount(of: account) == 0 { await changes.next() }
    reader.double.server.release(path)
    _ = try await (first, second)
    #expect(reader.double.server.requests(to: path).count == 1)
  }
}
