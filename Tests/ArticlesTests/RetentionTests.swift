import Foundation
import GRDB
import PseudoTerminal
import TestServer
import Storage
import Synchronization
import Testing

@testable import Articles

@Suite struct RetentionTests {
  private func shelf(_ retention: Retention) throws -> Shelf {
    try Shelf(retention: retention)
  }

  @Test func `the oldest of each feed are dropped, but for those with a star`() async throws {
    let shelf = try shelf(Retention(age: nil, countPerFeed: 2))
    try await shelf.put(["a", "b", "c", "d"], in: "one")
    try await shelf.put(["e"], in: "two")
    try await shelf.library.setStarred(true, of: [try await shelf.id("d")])
    #expect(try await shelf.library.tidy() == 1)
    #expect(try await Set(shelf.titles()) == ["a", "b", "d", "e"])
    #expect(try await shelf.library.tidy() == 0)
    // A star that is taken away leaves the article among the others.
    try await shelf.library.setStarred(false, of: [try await shelf.id("d")])
    #expect(try await shelf.library.tidy() == 1)
    #expect(try await Set(shelf.titles()) == ["a", "b", "e"])
  }

  @Test func `a list that is reloaded has nothing that is dropped at the end`() async throws {
    let shelf = try shelf(Retention(age: nil, countPerFeed: 2))
    let server = try TestServer()
    server["/feed"] = .whole(feedText(["a", "b", "c"]))
    let feed = try await shelf.library.add(server.url("/feed"))
    let list = shelf.library.articles(in: .feed(feed.id), refresh: .always)
    #expect(try await list.value().map(\.title) == ["a", "b"])
  }

  @Test func `a reload and the log say how many articles each limit has dropped`() async throws {
    let server = try TestServer()
    server["/feed"] = .whole(feedText(["a", "b", "c"]))
    let today = Today()
    let reports = Mutex<[FetchReport.Subject]>([])
    let library = Library(
      store: try .inMemory(), options: .patient, now: { today.now },
      observer: { report in reports.withLock { $0.append(report.subject) } })
    library.options.retention = .everything
    let feed = try await library.add(server.url("/feed"))
    let articles = try await library.storedArticles(matching: ArticleQuery())
    try await library.setRead(true, of: [try #require(articles.last).id])
    today.pass(86_401)
    library.options.retention = Retention(age: 86_400, countPerFeed: 1)
    #expect(try await library.reload().dropped == DroppedArticles(byAge: 1, byCount: 1))
    #expect(
      reports.withLock(\.self) == [
        .feed(feed.address), .feed(feed.address),
        .dropping(DroppedArticles(byAge: 1, byCount: 1)),
      ])
    #expect(try await library.reload().dropped.count == 0)
  }

  @Test func `what was read is dropped by its age, and the unread where that is wanted`()
    async throws
  {
    for keepsUnread in [true, false] {
      let shelf = try shelf(Retention(age: 86_400, countPerFeed: nil, keepsUnread: keepsUnread))
      try await shelf.put(["read", "unread", "star"])
      try await shelf.library.setRead(
        true, of: [try await shelf.id("read"), try await shelf.id("star")])
      try await shelf.library.setStarred(true, of: [try await shelf.id("star")])
      shelf.today.pass(86_400)
      #expect(try await shelf.library.tidy() == 0)
      shelf.today.pass(1)
      #expect(try await shelf.library.tidy() == (keepsUnread ? 1 : 2))
      #expect(try await shelf.titles() == (keepsUnread ? ["unread", "star"] : ["star"]))
    }
  }

  @Test func `what was marked as read by mistake, and then dropped, comes back unread`()
    async throws
  {
    let shelf = try shelf(Retention(age: 86_400, countPerFeed: nil))
    try await shelf.put(["a", "b"])
    shelf.today.pass(86_401)
    try await shelf.library.setRead(true, of: [try await shelf.id("a"), try await shelf.id("b")])
    #expect(try await shelf.library.tidy() == 2)
    #expect(try await shelf.titles() == [])
    #expect(try await shelf.library.undo()?.undoing == .all)
    #expect(try await shelf.titles(.unread) == ["a", "b"])
    #expect(try await shelf.library.tidy() == 0)
  }

  @Test(arguments: [
    Retention(age: 86_400, countPerFeed: nil), Retention(age: nil, countPerFeed: 1),
  ])
  func `what has lost its star or its tag by mistake, and was then dropped, comes back with it`(
    retention: Retention
  ) async throws {
    let shelf = try shelf(retention)
    try await shelf.put(["new", "star", "tag"])
    let (star, tag) = (try await shelf.id("star"), try await shelf.id("tag"))
    try await shelf.library.setStarred(true, of: [star])
    try await shelf.library.tag([tag], adding: ["later"])
    try await shelf.library.setRead(true, of: [star, tag])
    shelf.today.pass(86_401)
    try await shelf.library.setStarred(false, of: [star])
    #expect(try await shelf.library.tidy() == 1)
    #expect(try await shelf.library.undo()?.undoing == .all)
    #expect(try await shelf.titles(.starred) == ["star"])
    try await shelf.library.tag([tag], adding: [], removing: ["later"])
    #expect(try await shelf.library.tidy() == 1)
    #expect(try await shelf.library.undo()?.undoing == .all)
    #expect(try await shelf.titles(.later) == ["tag"])
    #expect(try await shelf.library.tidy() == 0)
    #expect(try await shelf.titles() == ["new", "star", "tag"])
  }

  @Test func `what was dropped and comes back is nothing that has just arrived`() async throws {
    let shelf = try shelf(Retention(age: 86_400, countPerFeed: nil))
    try await shelf.put(["old"])
    try await shelf.store.beginArrivals()
    try await shelf.put(["new", "old"])
    #expect(try await shelf.library.arrivals().articles.map(\.title) == ["new"])
    shelf.today.pass(86_401)
    try await shelf.library.setRead(true, of: [try await shelf.id("new")])
    #expect(try await shelf.library.tidy() == 1)
    #expect(try await shelf.library.arrivals().articles.isEmpty)
    #expect(try await shelf.library.undo()?.undoing == .all)
    #expect(try await shelf.titles(.unread) == ["new", "old"])
    #expect(try await shelf.library.arrivals().articles.isEmpty)
  }

  @Test func `what was dropped is not new while its feed still carries it, or is back soon`()
    async throws
  {
    let shelf = try shelf(Retention(age: nil, countPerFeed: 1))
    try await shelf.put(["a", "b", "c"])
    #expect(try await shelf.library.tidy() == 2)
    for _ in 0..<30 {
      shelf.today.pass(86_400)
      try await shelf.put(["a", "b", "c"])
      #expect(try await shelf.titles() == ["a"])
    }
    // Left out for six days, one is known again; after more than a week, nobody remembers.
    try await shelf.put(["a"])
    shelf.today.pass(6 * 86_400)
    try await shelf.put(["a", "b"])
    #expect(try await shelf.titles() == ["a"])
    shelf.today.pass(2 * 86_400)
    try await shelf.put(["a", "c"])
    let remembered = try await shelf.store.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM dropped")
    }
    #expect(remembered == 2)
    shelf.today.pass(8 * 86_400)
    try await shelf.put(["a"])
    #expect(
      try await shelf.store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM dropped") } == 0)
    try await shelf.put(["a", "b"])
    #expect(try await Set(shelf.titles()) == ["a", "b"])
  }

  @Test func `a feed that was removed is gone for good after a month of use`() async throws {
    let shelf = try shelf(.everything)
    let feed = try await shelf.put((0..<250).map(String.init))
    try await shelf.library.remove(feed)
    try await shelf.use(days: 30)
    #expect(try await shelf.library.undo()?.undoing == .all)
    #expect(try await shelf.titles().count == 250)
    try await shelf.library.remove(feed)
    try await shelf.use(days: 31)
    #expect(try await shelf.library.undo()?.undoing == .nothing)
    #expect(try await shelf.titles().isEmpty)
    let rows = try await shelf.store.read { database in
      try ["feed", "article", "articleText", "unindexed"].map {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \($0)")
      }
    }
    #expect(rows == [0, 0, 0, 0])
  }

  @Test func `what has a star outlives its feed, in the list of those`() async throws {
    let shelf = try shelf(.everything)
    let feed = try await shelf.put(["a", "b", "c"])
    let ids = try await shelf.store.articles(matching: ArticleQuery()).map(\.id)
    try await shelf.library.setStarred(true, of: [ids[1]])
    let starred = try await shelf.store.article(ids[1])?.0
    try await shelf.library.remove(feed)
    func listed(_ query: ArticleQuery) async throws -> [Article.ID] {
      try await shelf.store.articles(matching: query).map(\.id)
    }
    #expect(try await listed(.starred) == [ids[1]])
    #expect(try await listed(ArticleQuery()).isEmpty)
    #expect(try await listed(ArticleQuery(.feed(feed), isStarred: true)).isEmpty)
    let alone = Library(store: shelf.store, bundled: Array("<rss><channel/></rss>".utf8))
    #expect(try await alone.storedArticles(matching: .starred).map(\.id) == [ids[1]])
    #expect(try await alone.articles(matching: .starred, refresh: .never).value().count == 1)
    let counts = try await shelf.store.counts(since: .distantPast)
    #expect((counts.starredUnread, counts.recentUnread) == (1, 0))

    try await shelf.use(days: 31)
    #expect(try await listed(.starred) == [ids[1]])
    #expect(try await shelf.store.article(ids[1])?.0.title == starred?.title)

    // Added again, it has that one from before, and the others as new ones.
    #expect(try await shelf.put(["a", "b", "c"]) == feed)
    #expect(try await listed(ArticleQuery()).count == 3)
    #expect(try await listed(.starred) == [ids[1]])

    try await shelf.library.remove(feed)
    try await shelf.use(days: 31)
    try await shelf.library.setStarred(false, of: [ids[1]])
    #expect(try await listed(.starred).isEmpty)
    try await shelf.use(days: 1)
    #expect(
      try await shelf.store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM feed") } == 0)
  }

  // MARK: What was dropped by mistake

  /// Everything that is known of the articles, of every table that has something of theirs.
  private func contents(_ shelf: Shelf) async throws -> [String] {
    try await shelf.store.read { database in
      try [
        "SELECT * FROM article ORDER BY id", "SELECT * FROM articleText ORDER BY articleID",
        "SELECT * FROM attachment ORDER BY articleID, position",
        "SELECT * FROM articlePosition ORDER BY articleID", "SELECT guid FROM dropped",
        "SELECT * FROM fullText ORDER BY articleID", "SELECT * FROM readByRule ORDER BY articleID",
        "SELECT * FROM episodeFile ORDER BY articleID, kind",
        "SELECT id, articleID FROM download ORDER BY id",
        "SELECT articleCount, unreadCount FROM feed ORDER BY id",
      ].flatMap { try Row.fetchAll(database, sql: $0).map(\.description) }
    }
  }

  /// Two feeds whose articles were first seen a day after one another, and have all that articles have.
  private func filledShelf(_ retention: Retention) async throws -> Shelf {
    let shelf = try shelf(retention)
    for day in 1...20 {
      try await shelf.put((1...day).reversed().map { "one \($0)" }, in: "one")
      try await shelf.put((1...day).reversed().map { "two \($0)" }, in: "two")
      shelf.today.pass(86_400)
    }
    let ids = try await shelf.store.articles(matching: ArticleQuery()).map(\.id)
    try await shelf.library.setRead(true, of: ids.indices.filter { $0 % 3 > 0 }.map { ids[$0] })
    try await shelf.library.setStarred(true, of: [ids[1], ids[30]])
    for id in ids { try await shelf.library.setPosition(.init(block: 2, offset: 3), of: id) }
    try await shelf.store.write { database in
      try database.execute(
        sql: """
          INSERT INTO attachment
          SELECT id, 0, 'https://example.org/' || id, 'audio/mpeg', 5, NULL FROM article;
          INSERT INTO fullText
          SELECT id, CASE WHEN id % 2 THEN '<p>Page of "' || id || '"' END, NULL, 'nas.local', 7.5
          FROM article WHERE id % 3;
          INSERT INTO episodeFile
          SELECT id, 'chapters', 'https://example.org/c', 'https://example.org/d', '{"a":"b"}', NULL, 8
          FROM article WHERE id % 2;
          INSERT INTO episodeFile
          SELECT id, 'transcript', 'https://example.org/t', 'https://example.org/t', 'WEBVTT', 'h', 9
          FROM article WHERE id % 5 = 0;
          INSERT INTO readByRule SELECT id FROM article WHERE isRead = 1 AND id % 2;
          INSERT INTO download (place, articleID, feedTitle, title, address, state)
          SELECT id, id, 'Feed', title, 'https://example.org/' || id, 'waiting' FROM article
          WHERE id % 4 = 0;
          """)
    }
    try await shelf.library.index()
    return shelf
  }

  @Test func `what a clock that was wrong for a reload has dropped comes back whole`() async throws
  {
    let shelf = try await filledShelf(.standard)
    try await shelf.library.tidy()
    let before = try await contents(shelf)
    shelf.today.pass(200 * 86_400)
    #expect(try await shelf.library.tidy() > 20)
    // All of it is hidden, also from a search.
    #expect(try await shelf.titles().count < 20)
    #expect(
      try await shelf.library.found("one").count == shelf.titles().count { $0.hasPrefix("one") })
    // For how long the clock was wrong does not matter, only how often.
    shelf.today.pass(-200 * 86_400)
    #expect(try await shelf.library.tidy() == 0)
    let after = try await contents(shelf)
    #expect(after == before)
    #expect(try await shelf.library.found("one").count == 20)
  }

  @Test(arguments: [
    Retention(age: 86_400, countPerFeed: 1_000), Retention(age: nil, countPerFeed: 2),
    Retention(age: 86_400, countPerFeed: 0, keepsUnread: false),
  ])
  func `what settings that were typed by mistake have dropped comes back whole`(
    mistake: Retention
  ) async throws {
    let shelf = try await filledShelf(.standard)
    try await shelf.library.tidy()
    let before = try await contents(shelf)
    shelf.library.options.retention = mistake
    #expect(try await shelf.library.tidy() > 10)
    #expect(try await Set(shelf.titles(.starred)).count == 2)
    try await shelf.use(days: 29)
    shelf.today.pass(-29 * 86_400)
    shelf.library.options.retention = .standard
    try await shelf.library.tidy()
    let after = try await contents(shelf)
    #expect(after == before)
  }

  @Test func `what was dropped is deleted for good after a month of use`() async throws {
    let shelf = try await filledShelf(.standard)
    shelf.library.options.retention = Retention(age: nil, countPerFeed: 0)
    try await shelf.library.tidy()
    try await shelf.use(days: 31)
    shelf.library.options.retention = .everything
    try await shelf.library.tidy()
    #expect(try await shelf.titles().count == 2)
    #expect(
      try await shelf.store.read {
        try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM droppedArticle")
      }
        == 0)
  }

  @Test func `a clock that is wrong once makes nothing deleted for good`() async throws {
    let shelf = try await filledShelf(Retention(age: nil, countPerFeed: 5))
    let removed = try #require(try await shelf.store.feeds(in: .all).first).feed.id
    try await shelf.library.tidy()
    try await shelf.library.remove(removed)
    shelf.today.pass(20 * 365 * 86_400)
    try await shelf.library.tidy()
    shelf.today.pass(-20 * 365 * 86_400)
    shelf.library.options.retention = .everything
    try await shelf.library.tidy()
    #expect(try await shelf.library.undo()?.undoing == .all)
    #expect(try await shelf.titles().count == 40)
    #expect(try await shelf.titles(.starred).count == 2)
  }

  @Test func `an article that was one too many stays dropped when a newer one gets too old`()
    async throws
  {
    let shelf = try shelf(Retention(age: 86_400, countPerFeed: 2))
    try await shelf.put(["new", "middle", "old"])
    #expect(try await shelf.library.tidy() == 1)
    try await shelf.library.setRead(true, of: [try await shelf.id("new")])
    shelf.today.pass(86_401)
    #expect(try await shelf.library.tidy() == 1)
    #expect(try await shelf.titles() == ["middle"])
    // With room for one more it comes back, and no more than that.
    shelf.library.options.retention.countPerFeed = 3
    try await shelf.library.tidy()
    #expect(try await shelf.titles() == ["middle", "old"])
  }

  @Test func `an article that its feed has brought again is not there twice`() async throws {
    let shelf = try shelf(Retention(age: nil, countPerFeed: 1))
    try await shelf.put(["a", "b"])
    try await shelf.library.tidy()
    try await shelf.put(["a"])
    shelf.today.pass(8 * 86_400)
    try await shelf.put(["a"])
    try await shelf.put(["a", "b"])
    #expect(try await Set(shelf.titles()) == ["a", "b"])
    shelf.library.options.retention = .everything
    try await shelf.library.tidy()
    #expect(try await shelf.titles().count == 2)
  }

  @Test func `tidying writes nothing where there is nothing to tidy`() async throws {
    // In a process of its own: there is one observer for all files.
    await #expect(processExitsWith: .success) {
      let shelf = try Shelf(retention: .standard)
      try await shelf.put(["a", "b"])
      try await shelf.library.tidy()
      let works = Mutex<[StoreReport.Work]>([])
      StoreReport.observe { report in works.withLock { $0.append(report.work) } }
      try await shelf.library.tidy()
      StoreReport.observe(nil)
      let told = works.withLock(\.self)
      #expect(!told.isEmpty && told.allSatisfy { $0 == .read })
    }
  }

  @Test func `a reload whose tidying fails is still a reload`() async throws {
    let shelf = try shelf(.standard)
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      "<rss><channel><title>T</title><item><title>A</title></item></channel></rss>", to: "f.xml")
    try await shelf.library.add(path)
    try await shelf.store.write { try $0.execute(sql: "DROP TABLE storeTime") }
    let report = try await shelf.library.reload()
    #expect(report.entries.count == 1)
    #expect(report.error == nil)
  }
}

extension Shelf {
  /// Lets days pass of which each has a reload.
  fileprivate func use(days: Int) async throws {
    for _ in 0..<days {
      today.pass(86_400)
      try await library.tidy()
    }
  }
}
