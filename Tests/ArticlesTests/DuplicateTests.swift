import Foundation
import GRDB
import PseudoTerminal
import Storage
import Synchronization
import Testing

@testable import Articles

/// Articles that several feeds have.
@Suite struct DuplicateTests {
  private let shelf: Shelf
  private var library: Library { shelf.library }

  init() throws { shelf = try Shelf() }

  private struct Item {
    var title: String
    var link: String?
    var guid: String?
    var text = "Short."
  }

  @discardableResult
  private func put(
    _ items: [Item], in name: String, site: String? = nil
  ) async throws -> Feed.ID {
    let articles = items.map {
      ParsedArticle(guid: $0.guid ?? $0.title, title: $0.title, link: $0.link, html: $0.text)
    }
    return try await shelf.put(articles: articles, in: name, site: site)
  }

  private func list(_ query: ArticleQuery = ArticleQuery()) async throws -> [String] {
    try await library.storedArticles(matching: query).map { article in
      let others = article.alsoIn.isEmpty ? "" : " (\(article.alsoIn.joined(separator: ", ")))"
      return "\(article.feedTitle): \(article.title)\(others)"
    }.sorted()
  }

  private static let story = "https://news.example/2026/story"

  @Test func `finding copies in many feeds reads each key once`() async throws {
    let items = (0..<20).map { Item(title: "Title \($0)", link: "https://example.org/a/\($0)") }
    for feed in 0..<15 { try await put(items, in: "feed \(feed)") }
    let statements = Mutex(0)
    try await shelf.store.write { $0.trace { _ in statements.withLock { $0 += 1 } } }
    try await put(items, in: "the last")
    try await shelf.store.write { $0.trace(options: []) }
    // One for each of the 16 copies of an article, and few more for all of them. It would be as
    // many again if each copy read the members of its key.
    #expect(statements.withLock(\.self) < 20 * 16 + 400)
  }

  @Test func `a mark for which there is no room changes no copy, is told, and can be made again`()
    async throws
  {
    for feed in ["A", "B"] {
      try await put((0..<200).map { Item(title: "\($0)", link: "\(Self.story)/\($0)") }, in: feed)
    }
    var query = ArticleQuery()
    query.showsCopies = true
    func tagged() async throws -> Int {
      try await library.storedArticles(matching: query).count { !$0.tags.isEmpty }
    }
    let ids = try await library.storedArticles(matching: ArticleQuery()).map(\.id)
    #expect(ids.count == 200)
    // As on a disk on which not a page more fits.
    try await shelf.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
    let tag = String(repeating: "long", count: 40)
    await #expect {
      try await library.tag(ids, adding: [tag], removing: [])
    } throws: { error in
      if case StoreError.full = error { true } else { false }
    }
    #expect(try await tagged() == 0)
    #expect(library.latestChange == nil)
    try await shelf.store.write { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
    try await library.tag(ids, adding: [tag], removing: [])
    #expect(try await tagged() == 400)
    try await library.undo()
    #expect(try await tagged() == 0)
  }

  @Test func `copies are one in lists across feeds, and each in its own feed`() async throws {
    let a = try await put(
      [Item(title: "Story", link: Self.story), Item(title: "Own", link: "https://a.example/1")],
      in: "A")
    let b = try await put([Item(title: "The story", link: Self.story + "/?utm_source=b")], in: "B")
    #expect(try await list() == ["A: Own", "A: Story (B)"])
    #expect(try await list(ArticleQuery(.feed(a))) == ["A: Own", "A: Story (B)"])
    #expect(try await list(ArticleQuery(.feed(b))) == ["B: The story (A)"])
    var all = ArticleQuery()
    all.showsCopies = true
    #expect(try await list(all) == ["A: Own", "A: Story (B)", "B: The story (A)"])
    // A list that has only one of them has that one.
    let ofB = ArticleQuery(where: try ArticleCondition("feed:B"))
    #expect(try await list(ofB) == ["B: The story (A)"])
    try await library.arrange(b, as: FeedArrangement(folder: FeedFolder(["F"])))
    let folder = try #require(FeedFolder(["F"]))
    #expect(try await list(ArticleQuery(.folder(folder))) == ["B: The story (A)"])
  }

  @Test func `a list of a text with signs has the only copy with that text`() async throws {
    try await put([Item(title: "About C", link: Self.story)], in: "A")
    try await put([Item(title: "About C++", link: Self.story)], in: "B")
    let found = try await list(ArticleQuery(where: ArticleCondition("c++")))
    #expect(found == ["B: About C++ (A)"])
  }

  @Test func `counts have each once, and what is marked is marked everywhere, in one step`()
    async throws
  {
    try await put([Item(title: "Story", link: Self.story)], in: "A")
    let b = try await put([Item(title: "Story", link: Self.story)], in: "B")
    try await put([Item(title: "Story", link: Self.story), Item(title: "Other")], in: "C")
    func counts() async throws -> [Int] {
      let counts = try await shelf.store.counts(since: .distantPast)
      return [try await shelf.store.count(.starred), counts.starredUnread, counts.recentUnread]
    }
    #expect(try await counts() == [0, 0, 2])
    let story = try await shelf.id("Story")
    try await library.setStarred(true, of: [story])
    try await library.setRead(true, of: [story])
    #expect(try await counts() == [1, 0, 1])
    #expect(try await shelf.summary(b)?.unreadCount == 0)
    #expect(try await list(.unread) == ["C: Other"])
    let undone = try await library.undo()
    #expect(undone?.undoing == .all && undone?.count == 1 && undone?.articles.count == 3)
    #expect(try await counts() == [1, 1, 2])
    #expect(try await shelf.summary(b)?.unreadCount == 1)
    try await library.markRead(ArticleQuery(.feed(b)))
    #expect(try await counts() == [1, 0, 1])
    _ = try await library.undo()
    let marked = try await library.markRead()
    #expect(marked.articles.count == 4 && marked.shownCount == 2)
    #expect(try await counts() == [1, 0, 0])
    #expect(try await library.undo()?.articles.count == 4)
    // Another program makes one of the two unread, with all its copies.
    try await library.markRead()
    _ = try await shelf.store.mark([(.read, false)], of: [story])
    let partly = try await library.undo()
    #expect(partly?.count == 2 && partly?.undoing == .allBut(1) && partly?.articles.count == 1)
  }

  @Test func `what was read in one feed is not new in another`() async throws {
    try await put([Item(title: "Story", link: Self.story)], in: "A")
    try await library.setRead(true, of: [try await shelf.id("Story")])
    let b = try await put([Item(title: "Story", link: Self.story)], in: "B")
    #expect(try await shelf.summary(b)?.unreadCount == 0)
  }

  @Test func `a copy takes the place of the one that is gone, removed or muted`() async throws {
    let a = try await put([Item(title: "Story", link: Self.story)], in: "A")
    try await put([Item(title: "Story", link: Self.story)], in: "B")
    try await library.remove(a)
    #expect(try await list() == ["B: Story"])
    _ = try await library.undo()
    #expect(try await list() == ["A: Story (B)"])
    try await shelf.store.write {
      try $0.execute(sql: "UPDATE article SET isMuted = 1 WHERE id = 1")
    }
    #expect(try await list() == ["B: Story"])
    try await shelf.store.write { try $0.execute(sql: "DELETE FROM article WHERE id = 1") }
    #expect(try await list() == ["B: Story"])
    #expect(try await shelf.store.count(ArticleQuery()) == 1)
  }

  private static let long = String(repeating: "The harbour office recorded the tide. ", count: 20)

  @Test(arguments: [
    (Item(title: "A", link: "http://www.x.org/p/"), Item(title: "B", link: "https://x.org/p")),
    (
      Item(title: "A", link: "https://x.org/p?id=1&fbclid=x"),
      Item(title: "B", link: "https://x.org/p?id=1&UTM_medium=y")
    ),
    (Item(title: "A", link: "https://x.org/p#xtor=1"), Item(title: "B", link: "https://x.org/p")),
    (Item(title: "A", guid: "https://x.org/p"), Item(title: "B", link: "https://x.org/p")),
    (Item(title: "A", guid: "tag:x.org,2026:7"), Item(title: "B", guid: "tag:x.org,2026:7")),
    (
      Item(title: "A", guid: "urn:uuid:6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
      Item(title: "B", guid: "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
    ),
    (Item(title: "a É", guid: "1", text: long), Item(title: "A e", guid: "2", text: "<p>\(long)")),
  ])
  private func `articles are the same by their address, their id, or their title and text`(
    _ one: Item, _ other: Item
  ) async throws {
    try await put([one], in: "A")
    try await put([other], in: "B")
    #expect(try await list().count == 1)
  }

  @Test(arguments: [
    (
      Item(title: "A", link: "https://x.org/p?id=1"),
      Item(title: "B", link: "https://x.org/p?id=2")
    ),
    (Item(title: "A", link: "https://x.org/p#a"), Item(title: "B", link: "https://x.org/p#b")),
    (Item(title: "A", link: "https://x.org/"), Item(title: "B", link: "https://x.org")),
    (Item(title: "A", link: "https://x.org/blog"), Item(title: "B", link: "https://x.org/blog/")),
    (Item(title: "A", guid: "7"), Item(title: "B", guid: "7")),
    (Item(title: "A", guid: "1", text: long), Item(title: "B", guid: "2", text: long)),
    (Item(title: "A", guid: "1", text: long), Item(title: "A", guid: "2", text: long + "More.")),
    (Item(title: "A", guid: "1"), Item(title: "A", guid: "2")),
  ])
  private func `what could be the same by chance stays apart`(
    _ one: Item, _ other: Item
  ) async throws {
    try await put([one], in: "A", site: "https://x.org/blog")
    try await put([other], in: "B")
    #expect(try await list().count == 2)
  }

  @Test func `an address that one feed has twice says nothing`() async throws {
    try await put(
      [Item(title: "1", link: Self.story), Item(title: "2", link: Self.story)], in: "A")
    try await put([Item(title: "3", link: Self.story)], in: "B")
    #expect(try await list() == ["A: 1", "A: 2", "B: 3"])
  }

  @Test func `an article that changes is compared again`() async throws {
    try await put([Item(title: "Story", link: Self.story, guid: "a")], in: "A")
    try await put([Item(title: "Story", link: "https://x.org/1", guid: "b")], in: "B")
    #expect(try await list().count == 2)
    try await put([Item(title: "Story", link: Self.story, guid: "b")], in: "B")
    #expect(try await list() == ["A: Story (B)"])
    try await put([Item(title: "Story", link: "https://x.org/2", guid: "b")], in: "B")
    #expect(try await list() == ["A: Story", "B: Story"])
  }

  @Test func `a key that turns out to say nothing joins nothing any more`() async throws {
    try await put([Item(title: "1", link: Self.story)], in: "A")
    try await put([Item(title: "2", link: Self.story)], in: "B")
    #expect(try await list() == ["A: 1 (B)"])
    try await put(
      [Item(title: "1", link: Self.story), Item(title: "3", link: Self.story)], in: "A")
    #expect(try await list() == ["A: 1", "A: 3", "B: 2"])
    // Its second article is another one after all.
    try await put([Item(title: "3", link: "https://x.org/3")], in: "A")
    #expect(try await list() == ["A: 1 (B)", "A: 3"])
  }

  @Test func `what a rule has read in one feed is unread in another`() async throws {
    let rules = try RulesInForce(
      [ArticleRule(when: "feed:A", actions: [.read])], now: shelf.today.now)
    let a = try #require(try await shelf.store.insertFeed(address: "https://example.org/A")?.id)
    let parsed = ParsedFeed(
      title: "A", articles: [ParsedArticle(guid: "1", title: "Story", link: Self.story)])
    _ = try await shelf.store.save(PreparedFeed(parsed), of: a, rules: rules, at: shelf.today.now)
    try await put([Item(title: "Story", link: Self.story)], in: "B")
    #expect(try await list(.unread) == ["B: Story (A)"])
    // The counts of a tag agree with the list.
    let first = try await shelf.id("Story")
    try await library.tag([first], adding: ["wool"])
    let wool = try #require(try ArticleCondition("tag:wool "))
    #expect(try await list(ArticleQuery(isRead: false, where: wool)).count == 1)
    #expect(try await library.storedArticleTags().map(\.unreadCount) == [1])
    #expect(try await library.storedArticleTags().map(\.articleCount) == [1])
    // The user's own mark counts, also where a rule has made the same before.
    try await library.setRead(true, of: [first])
    #expect(try await list(.unread).isEmpty)
    #expect(try await library.storedArticleTags().map(\.unreadCount) == [0])
    try await put([Item(title: "Story", link: Self.story)], in: "C")
    #expect(try await list(.unread).isEmpty)
    _ = try await library.setRead(false, of: [first])
    #expect(try await list(.unread) == ["A: Story (B, C)"])
  }

  @Test func `a search finds the copy that has the words, and one of several`() async throws {
    try await put([Item(title: "Story", link: Self.story, text: "Wool.")], in: "A")
    try await put([Item(title: "Story", link: Self.story, text: "Wool and rain.")], in: "B")
    func found(_ text: String) async throws -> [String] {
      let condition = try #require(try ArticleCondition(text))
      return try await library.found(condition).map(\.article).map {
        "\($0.feedTitle) \($0.alsoIn)"
      }
    }
    #expect(try await found("rain") == ["B [\"A\"]"])
    #expect(try await found("wool") == ["A [\"B\"]"])
    #expect(try await found("is:shared") == ["A [\"B\"]"])
    #expect(try await found("wool -is:shared").isEmpty)
  }

  @Test func `folders and tags count what several of their feeds have once`() async throws {
    let a = try await put([Item(title: "Story", link: Self.story), Item(title: "Own")], in: "A")
    let b = try await put([Item(title: "Story", link: Self.story)], in: "B")
    let c = try await put([Item(title: "Story", link: Self.story)], in: "C")
    let counts = try await shelf.store.counts(since: .distantPast)
    #expect(counts.unreadCopies(in: [a, b]) == 1)
    #expect(counts.unreadCopies(in: [a, b, c]) == 2)
    #expect(counts.unreadCopies(in: [b]) == 0)
    try await library.tag([try await shelf.id("Story")], adding: ["wool"], removing: [])
    let tags = try await library.storedArticleTags()
    #expect(tags.map(\.articleCount) == [1])
    #expect(tags.map(\.unreadCount) == [1])
  }

  @Test func `the setting keeps copies apart, and brings them together again`() async throws {
    try await put([Item(title: "Story", link: Self.story)], in: "A")
    try await put([Item(title: "Story", link: Self.story)], in: "B")
    library.options.joinsCopies = false
    #expect(try await list() == ["A: Story", "B: Story"])
    try await library.setRead(true, of: [try await shelf.id("Story")])
    try await put([Item(title: "Story", link: Self.story)], in: "C")
    #expect(try await list().count == 3)
    #expect(try await list(.unread).count == 2)
    #expect(try await shelf.store.count(.unread) == 2)
    library.options.joinsCopies = true
    #expect(try await list() == ["A: Story (B, C)"])
    #expect(try await shelf.store.count(.unread) == 1)
  }

  @Test func `copies in a store of the version before are joined when it is opened`() async throws {
    let directory = try TemporaryDirectory()
    try await StoreSchema.makeStore(
      before: "CREATE TABLE articleKey", in: directory.path,
      """
      INSERT INTO feed (address, title) VALUES
        ('https://a.org/', 'A'), ('https://b.org/', 'B'), ('https://c.org/', 'C');
      INSERT INTO article (feedID, guid, title, link, firstSeen, listed, digest) VALUES
        (1, 'a', 'Story', 'https://x.org/p', 5, 4, 9), (1, 'b', 'Own', 'https://x.org/q', 5, 3, 9),
        (2, 'a', 'Story', 'http://x.org/p/?utm_id=1', 5, 4, 9),
        (1, 'c', 'First', 'https://x.org/1', 5, 2, 9),
        (2, 'https://x.org/2', 'Linked', 'https://x.org/1', 5, 1, 9),
        (3, 'd', 'Last', 'https://x.org/2', 5, 0, 9);
      INSERT INTO articleText (articleID, html) SELECT id, '' FROM article;
      """)
    let library = Library(store: try ArticleStore(directory: directory.path))
    let articles = try await library.storedArticles(matching: ArticleQuery())
    #expect(articles.map(\.title) == ["Story", "Own", "First", "Linked", "Last"])
    #expect(articles.map(\.alsoIn) == [["B"], [], [], [], []])
  }

  // MARK: Against a model

  /// An article as a random feed has it.
  private struct Random {
    let feed: Int
    let guid: Int
    var link: Int?
    var text: Int?

    var item: Item {
      Item(
        title: text.map { "T\($0)" } ?? "\(feed).\(guid)",
        link: link.map { "https://x.org/\($0)?utm_source=\(feed)" }, guid: "\(guid)",
        text: text.map { "\(DuplicateTests.long)\($0)" } ?? "Short.")
    }
    var keys: [String] { [link.map { "l\($0)" }, text.map { "t\($0)" }].compactMap(\.self) }
  }

  /// Which articles are one: what ``ArticleStore`` does, said once more from nothing.
  private static func groups(_ articles: [Random]) -> [[Int]] {
    var holders: [String: [Int]] = [:]
    for (index, article) in articles.enumerated() {
      for key in article.keys { holders[key, default: []].append(index) }
    }
    func areOne(_ places: [Int]) -> Bool {
      places.count <= ArticleStore.mostCopies
        && Set(places.map { articles[$0].feed }).count == places.count
    }
    var group = Array(articles.indices)
    for places in holders.values where areOne(places) {
      let all = Set(places.map { group[$0] })
      for place in group.indices where all.contains(group[place]) { group[place] = all.min() ?? 0 }
    }
    return Dictionary(grouping: articles.indices) { group[$0] }.values
      .flatMap { areOne($0) ? [$0] : $0.map { [$0] } }
  }

  @Test(arguments: 0..<12)
  func `random feeds are grouped, listed, counted and marked as a model has them`(
    seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    // Few addresses make many copies; many feeds make more than there may be.
    let (feeds, links) = seed < 10 ? (5, 24) : (26, 30)
    var articles: [Random] = []
    for round in 0..<3 {
      for feed in 0..<feeds {
        for index in articles.indices
        where articles[index].feed == feed && Int.random(in: 0..<4, using: &generator) == 0 {
          articles[index].link = Int.random(in: 0..<links, using: &generator)
        }
        for guid in 0..<Int.random(in: 0..<5, using: &generator) {
          func some() -> Int? {
            Bool.random(using: &generator) ? .random(in: 0..<links, using: &generator) : nil
          }
          articles.append(
            Random(feed: feed, guid: 10 * round + guid, link: some(), text: some()))
        }
        try await put(articles.filter { $0.feed == feed }.map(\.item), in: "F\(feed)")
        let groups = Self.groups(articles)
        #expect(try await list().count == groups.count)
      }
    }
    let groups = Self.groups(articles)
    let listed = try await library.storedArticles(matching: ArticleQuery())
    #expect(
      listed.map { $0.alsoIn.count + 1 }.sorted() == groups.map(\.count).sorted())
    #expect(try await shelf.store.count(.unread) == groups.count)
    // A mark of one of a group is one of all, and of nothing else.
    for article in listed.prefix(8) {
      try await library.setRead(true, of: [article.id])
      let unread = try await shelf.store.feedSummaries().reduce(0) { $0 + $1.unreadCount }
      #expect(unread == articles.count - article.alsoIn.count - 1)
      _ = try await library.undo()
    }
    let unread = try await shelf.store.feedSummaries().reduce(0) { $0 + $1.unreadCount }
    #expect(unread == articles.count)
  }

  @Test func `lists read the same indexes as before`() async throws {
    func plan(_ query: ArticleQuery) async throws -> String {
      try await shelf.store.read { database in
        try SQLRequest<Row>(
          literal: """
            EXPLAIN QUERY PLAN SELECT id FROM article WHERE \(query.condition)
            ORDER BY \(query.order.sql)
            """
        ).fetchAll(database).map { $0["detail"] as String }.joined(separator: "\n")
      }
    }
    for (query, index) in [
      (ArticleQuery(), "articleByDate"), (.unread, "articleUnread"), (.starred, "articleStarred"),
    ] as [(ArticleQuery, String)] {
      let plan = try await plan(query)
      #expect(plan.contains("SCAN article USING INDEX \(index)"), "\(plan)")
      #expect(plan.contains("SEARCH twin USING"), "\(plan)")
      #expect(plan.contains("articleCopies"), "\(plan)")
      #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }
}
