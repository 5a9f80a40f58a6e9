import Foundation
import GRDB
import Synchronization
import TestServer
import Testing

@testable import Articles

/// What a store of 100,000 articles costs is decided by SQLite's plans: none may look at every
/// article for a few.
@Suite struct StorePlanTests {
  private let shelf: Shelf
  private var store: ArticleStore { shelf.store }

  init() throws { shelf = try Shelf() }

  private final class Log: Sendable {
    private let statements = Mutex<[String]>([])
    var all: [String] { statements.withLock(\.self) }

    func append(_ event: Database.TraceEvent) {
      if case .statement(let statement) = event {
        statements.withLock { $0.append(statement.sql) }
      }
    }
  }

  /// The statements that `body` runs and that contain a text.
  private func statements(
    with text: String, _ body: () async throws -> Void
  ) async throws -> [String] {
    let log = Log()
    try await store.write { $0.trace { log.append($0) } }
    try await body()
    try await store.write { $0.trace(options: []) }
    return log.all.filter { $0.contains(text) }
  }

  /// How SQLite finds the rows of the only statement that contains a text.
  private func plan(
    of text: String, _ body: () async throws -> Void
  ) async throws -> String {
    let statements = try await statements(with: text, body)
    try #require(statements.count == 1, "\(statements)")
    return try await store.write { database in
      let explanation = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(statements[0])")
      explanation.setUncheckedArguments([])
      return try Row.fetchAll(explanation).map { $0["detail"] as String }.joined(separator: "\n")
    }
  }

  // MARK: Lists

  @Test func `a search looks for copies by their number and not among all that it finds`()
    async throws
  {
    try await shelf.put(["a wool 🧦", "b"])
    let phrase = try #require(SearchPhrase("wool".unicodeScalars))
    let words = ArticleCondition.words(phrase, in: nil)
    for condition in [words, .signs("🧦"), .any([words, .signs("🧦")]), .all([words, words])] {
      let query = ArticleQuery(where: condition)
      let plan = try await plan(of: "COUNT") { _ = try await store.count(query) }
      #expect(plan.contains("SEARCH twin USING INDEX articleCopies (sameAs=? AND id<?)"), "\(plan)")
    }
  }

  @Test func `unread articles are found by their index, also with some that were read`()
    async throws
  {
    try await shelf.put(["a", "b"])
    let kept = [try await shelf.id("a")]
    let plan = try await plan(of: "ORDER BY listed") {
      _ = try await store.listing(matching: .unread, keeping: kept)
    }
    #expect(plan.contains("articleUnread") && !plan.contains("articleByDate"), "\(plan)")
    #expect(plan.contains("SEARCH twin USING INDEX articleCopies (sameAs=? AND id<?)"), "\(plan)")
  }

  @Test func `few unread articles are found by what they have, also with some that were read`()
    async throws
  {
    try await shelf.put(["a", "b"])
    let kept = [try await shelf.id("a")]
    let lists: [(ArticleQuery, String)] = [
      (ArticleQuery(since: shelf.today.now), "SEARCH article USING INDEX articleByDate (listed>?)"),
      (.starred, "SCAN article USING INDEX articleStarred"),
      (.later, "SCAN article USING INDEX articleTagged"),
    ]
    for (query, search) in lists {
      let plan = try await plan(of: "ORDER BY listed") {
        _ = try await store.listing(matching: query.unread, keeping: kept)
      }
      #expect(plan.contains(search), "\(plan)")
    }
  }

  @Test func `arrivals are looked for among the articles that are new`() async throws {
    try await shelf.put(["a"])
    try await store.beginArrivals()
    try await shelf.put(["b"])
    let plan = try await plan(of: "WHERE id > ") { _ = try await store.arrivals() }
    #expect(plan.contains("SEARCH article USING INTEGER PRIMARY KEY (rowid>?)"), "\(plan)")
    #expect(!plan.contains("rowid<?"), "\(plan)")
    // Once for each feed: for each article, all that is new in its feed would be read.
    let lookup = /SCAN new\nCORRELATED SCALAR SUBQUERY \d+\nSEARCH old USING COVERING INDEX/
    #expect(plan.contains(lookup), "\(plan)")
  }

  @Test func `of what is stored, only the new articles are counted and compared`() async throws {
    try await shelf.put(["a"])
    let found = "SEARCH article USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"
    for text in ["INTO unindexed", "AS arrived"] {
      let plan = try await plan(of: text) { try await shelf.put([text]) }
      #expect(plan.contains(found) && !plan.contains("SCAN article"), "\(plan)")
    }
    let plan = try await plan(of: "DISTINCT +own.key") {
      try await shelf.put(articles: [ParsedArticle(guid: "https://example.org/1", title: "b")])
    }
    #expect(plan.contains("SEARCH own USING COVERING INDEX articleKeyOf"), "\(plan)")
    #expect(plan.contains("SEARCH other USING PRIMARY KEY (key=?)"), "\(plan)")
  }

  @Test func `only the few articles that wait for the index are read for it`() async throws {
    try await shelf.put(["a"])
    let plan = try await plan(of: "FROM unindexed") { _ = try await store.unindexed(limit: 10) }
    #expect(plan.contains("SCAN unindexed"), "\(plan)")
    #expect(plan.contains("SEARCH article USING INTEGER PRIMARY KEY"), "\(plan)")
    #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
  }

  @Test func `full texts are looked for among the newest unread articles if a feed wants them`()
    async throws
  {
    let feed = try await shelf.put(["a"])
    func look(isForAll: Bool) async throws {
      _ = try await store.articlesWithoutFullText(
        isForAll: isForAll, since: .distantPast, limit: 9)
    }
    let none = try await statements(with: "FROM article") { try await look(isForAll: false) }
    #expect(none == [])
    try await shelf.library.arrange(feed, as: FeedArrangement(fullText: true))
    for isForAll in [false, true] {
      let plan = try await plan(of: "FROM article") { try await look(isForAll: isForAll) }
      #expect(plan.contains("SCAN article USING INDEX articleUnread"), "\(plan)")
      #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }

  // MARK: Marks

  @Test func `a list is marked as read by the index of unread articles`() async throws {
    try await shelf.put(["a"])
    let plan = try await plan(of: "isRead = 0 AND") {
      _ = try await store.markRead(.unread, newest: Article.ID(rawValue: 1))
    }
    #expect(plan.contains("SCAN article USING INDEX articleUnread"), "\(plan)")
  }

  @Test func `tags are counted by the index of tagged articles`() async throws {
    try await shelf.put(["a"])
    let plan = try await plan(of: "SELECT tags") { _ = try await store.articleTags() }
    #expect(plan.contains("SCAN article USING INDEX articleTagged"), "\(plan)")
  }

  private func account() async throws -> SyncAccount.ID {
    let account = try await store.insertAccount(
      .googleReader, address: "https://sync.example", user: "ann", passwordCommand: nil,
      secrets: SyncSession.Secrets())
    return try #require(account).id
  }

  @Test func `a sync looks for marks to remove among the articles that have them`() async throws {
    let account = try await account()
    try await shelf.put(["a"])
    let tagged = try #require(try await store.articles(matching: ArticleQuery()).first).id
    _ = try await store.mark([(.tag("fruit"), true)], of: [tagged])
    let removals = [
      ("SET isRead = 1 WHERE", "articleUnread"), ("SET isStarred = 0 WHERE", "articleRemote"),
      ("SET tags = trim", "articleTagged"),
    ]
    for (text, index) in removals {
      let plan = try await plan(of: text) {
        _ = try await store.apply(
          RemoteLists(labels: ["fruit": []]), unstarred: [], gone: [], of: account,
          at: shelf.today.now)
      }
      #expect(plan.contains(index) && !plan.contains("articleByFeed"), "\(plan)")
    }
    let stars = try await plan(of: "isStarred = 1") {
      _ = try await store.withoutStar(in: RemoteLists(), of: account)
    }
    #expect(stars.contains("articleStarred"), "\(stars)")
  }

  // MARK: Dropped articles

  @Test func `dropped articles are found by their feed`() async throws {
    let account = try await account()
    let removed = try await plan(of: "removedTime") {
      _ = try await store.purgeRemoved(after: 0, limit: 1)
    }
    #expect(!removed.contains("SCAN droppedArticle"), "\(removed)")
    let article = RemoteArticle(id: RemoteID(number: 1), feed: "feed/1", content: ParsedArticle())
    let restorable = try await plan(of: "droppedArticle.remoteID,") {
      _ = try await store.save(
        [article], of: account, lists: RemoteLists(starred: [article.id]), rules: .none,
        at: shelf.today.now)
    }
    #expect(restorable.contains("SEARCH droppedArticle USING INDEX droppedByFeed"), "\(restorable)")
    // None of their texts is read.
    let wanted = try await plan(of: "DISTINCT feedID") {
      _ = try await store.restoreDropped(.standard, at: shelf.today.now, limit: 1)
    }
    #expect(wanted.contains("droppedArticle USING COVERING INDEX droppedByFeed"), "\(wanted)")
  }

  @Test func `the articles of a feed are counted only if dropped ones might come back`()
    async throws
  {
    let feed = try await shelf.put(["a", "b", "c"])
    let few = Retention(age: nil, countPerFeed: 1)
    #expect(try await store.drop(few, at: shelf.today.now, limit: 9).byCount == 2)
    // What no setting asks for is not counted: a wrong count would bring nothing back.
    let again = try await statements(with: "DISTINCT feedID") {
      _ = try await store.restoreDropped(few, at: shelf.today.now, limit: 9)
    }
    #expect(again.map { $0.contains("countLimit < ") } == [true])
    let more = Retention(age: nil, countPerFeed: 2)
    #expect(try await store.restoreDropped(more, at: shelf.today.now, limit: 9) == 1)
    #expect(try await store.articleCount(of: feed) == 2)
  }

  // MARK: Reloads

  @Test func `the contents of a new feed are not compared with the store`() async throws {
    let server = try TestServer()
    server["/feed"] = .whole(feedText(["a"]))
    _ = try await store.insertFeed(address: server.url("/feed"))
    let statements = try await statements(with: "feed") {
      try await shelf.library.reload()
    }
    #expect(statements.count { $0.hasPrefix("SELECT 1 FROM article WHERE feedID") } == 1)
    #expect(!statements.contains { $0.hasPrefix("SELECT guid, id, digest FROM article") })
    // One for the fetch, and one for the counts.
    #expect(statements.count { $0.hasPrefix("UPDATE feed SET") } == 2)
  }

  @Test func `tidying asks for the time of the store once`() async throws {
    let statements = try await statements(with: "SELECT clock FROM storeTime") {
      _ = try await shelf.library.tidied()
    }
    // Once to see whether it has to be changed, and once to change it.
    #expect(statements.count == 2)
  }
}
