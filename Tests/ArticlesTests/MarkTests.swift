import Foundation
import GRDB
import Loading
import PseudoTerminal
import TestServer
import Testing

@testable import Articles

/// A library with a clock of its own and feeds that were never on a server.
struct Shelf {
  let store: ArticleStore
  let library: Library
  let today = Today()

  init(_ store: ArticleStore? = nil, retention: Retention = .standard) throws {
    let store = try store ?? .inMemory()
    self.store = store
    var options = Library.Options.patient
    options.retention = retention
    library = Library(store: store, options: options, now: { [today] in today.now })
  }

  /// Stores a feed with articles of these titles, newest first.
  @discardableResult
  func put(_ titles: [String], in name: String = "feed") async throws -> Feed.ID {
    let articles = titles.enumerated().map { index, title in
      ParsedArticle(
        guid: title, title: title, published: today.now.addingTimeInterval(-60 * Double(index)),
        html: "<p>Text of \(title)</p>")
    }
    return try await put(articles: articles, in: name)
  }

  /// Stores a feed with these articles.
  @discardableResult
  func put(
    articles: [ParsedArticle], in name: String = "feed", site: String? = nil
  ) async throws -> Feed.ID {
    let address = "https://example.org/\(name)"
    let known = try await store.feeds(in: .all).first { $0.feed.address == address }?.feed.id
    let inserted = known == nil ? try await store.insertFeed(address: address)?.id : nil
    let id = try #require(known ?? inserted)
    _ = try await store.save(
      PreparedFeed(ParsedFeed(title: name, site: site, articles: articles)), of: id, at: today.now)
    return id
  }

  func titles(_ query: ArticleQuery = ArticleQuery()) async throws -> [String] {
    try await store.articles(matching: query).map(\.title)
  }

  func id(_ title: String) async throws -> Article.ID {
    try #require(try await store.articles(matching: ArticleQuery()).first { $0.title == title }).id
  }

  func summary(_ id: Feed.ID) async throws -> FeedSummary? {
    try await store.feedSummaries().first { $0.id == id }
  }
}

@Suite struct MarkTests {
  let shelf: Shelf
  var library: Library { shelf.library }

  init() throws { shelf = try Shelf() }

  @Test func `what is read leaves the unread list and its counts`() async throws {
    let feed = try await shelf.put(["a", "b", "c"])
    #expect(try await shelf.summary(feed)?.unreadCount == 3)
    try await library.setRead(true, of: [try await shelf.id("b")])
    #expect(try await shelf.titles(.unread) == ["a", "c"])
    #expect(try await shelf.titles() == ["a", "b", "c"])
    #expect(try await shelf.summary(feed)?.unreadCount == 2)
    #expect(try await shelf.summary(feed)?.articleCount == 3)
    try await library.setRead(false, of: [try await shelf.id("b")])
    #expect(try await shelf.titles(.unread) == ["a", "b", "c"])
    #expect(try await shelf.summary(feed)?.unreadCount == 3)
  }

  @Test func `an article that changes in its feed keeps its marks`() async throws {
    let feed = try await shelf.put(["a", "b"])
    try await library.setRead(true, of: [try await shelf.id("a")])
    try await library.setStarred(true, of: [try await shelf.id("a")])
    shelf.today.pass(60)
    try await shelf.put(["new", "a", "b"])
    #expect(try await shelf.titles(.unread) == ["new", "b"])
    #expect(try await shelf.titles(.starred) == ["a"])
    #expect(try await shelf.summary(feed)?.unreadCount == 2)
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `counts stay right through every change`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    var feeds: [Feed.ID] = []
    for name in ["one", "two", "three"] { feeds.append(try await shelf.put(["a"], in: name)) }
    for step in 0..<100 {
      let ids = try await shelf.store.articles(matching: ArticleQuery()).map(\.id)
      let some = ids.filter { _ in Bool.random(using: &generator) }
      switch Int.random(in: 0..<9, using: &generator) {
      case 0: try await library.setRead(true, of: some)
      case 1: try await library.setRead(false, of: some)
      case 2: try await library.setStarred(.random(using: &generator), of: some)
      case 3:
        let name = ["one", "two", "three"].randomElement(using: &generator) ?? "one"
        try await shelf.put((step..<step + 4).map(String.init), in: name)
      case 4: _ = try? await library.remove(feeds.randomElement(using: &generator) ?? feeds[0])
      case 5: try await library.markRead(.starred, newest: ids.randomElement(using: &generator))
      case 6: _ = try await shelf.store.purgeRemoved(after: -1, limit: 3)
      case 7:
        let condition: ArticleCondition = .minutes(.random(in: 0...1, using: &generator)...1)
        let rules = [RulesInForce.Rule(condition: condition, actions: [.mute])]
        _ = try await shelf.store.apply(RulesInForce(rules: rules))
      default: try await library.undo()
      }
      shelf.today.pass(1)
      let counted = try await shelf.store.read { database in
        try Bool.fetchOne(
          database,
          sql: """
            SELECT COUNT(*) = 0 FROM feed WHERE
              articleCount <> (SELECT COUNT(*) FROM article WHERE feedID = feed.id) OR
              mutedCount <> (SELECT COUNT(*) FROM article WHERE feedID = feed.id AND isMuted) OR
              unreadCount <> (
                SELECT COUNT(*) FROM article WHERE feedID = feed.id AND NOT isRead AND NOT isMuted)
            """)
      }
      try #require(counted == true, "step \(step)")
      let counts = try await shelf.store.counts(since: .distantPast)
      let unread = try await shelf.titles(.unread).count
      try #require(counts.recentUnread == unread, "step \(step)")
      let starred = try await shelf.titles(ArticleQuery(isRead: false, isStarred: true)).count
      try #require(counts.starredUnread == starred, "step \(step)")
    }
  }

  @Test func `a whole list is marked but for what came since it was shown`() async throws {
    let one = try await shelf.put(["a", "b"], in: "one")
    try await shelf.put(["c"], in: "two")
    let newest = try await shelf.store.articles(matching: ArticleQuery()).map(\.id.rawValue).max()
    shelf.today.pass(60)
    try await shelf.put(["late", "a", "b"], in: "one")
    let marked = try await library.markRead(
      ArticleQuery(.feed(one)), newest: newest.map(Article.ID.init))
    #expect(marked.articles.count == 2)
    #expect(try await shelf.titles(.unread) == ["late", "c"])
    #expect(library.latestChange?.kind == .markedRead)
    #expect(library.latestChange?.count == 2)
    try await library.undo()
    #expect(try await shelf.titles(.unread) == ["late", "a", "c", "b"])
  }

  @Test func `lists are about a folder with those in it, a day and a star`() async throws {
    let one = try await shelf.put(["a"], in: "one")
    let two = try await shelf.put(["b"], in: "two")
    let three = try await shelf.put(["c"], in: "three")
    try await library.arrange(one, as: FeedArrangement(folder: FeedFolder(["Tech"])))
    try await library.arrange(
      two, as: FeedArrangement(folder: FeedFolder(["Tech", "Swift"])))
    try await library.arrange(three, as: FeedArrangement(folder: FeedFolder(["Technics"])))
    func titles(_ feeds: FeedSelection) async throws -> Set<String> {
      Set(try await shelf.titles(ArticleQuery(feeds)))
    }
    #expect(try await titles(.folder(#require(FeedFolder(["Tech"])))) == ["a", "b"])
    #expect(try await titles(.folder(#require(FeedFolder(["Tech", "Swift"])))) == ["b"])
    #expect(try await titles(.folder(#require(FeedFolder(["Swift"])))).isEmpty)
    shelf.today.pass(86_400)
    try await shelf.put(["today"], in: "one")
    let query = ArticleQuery(since: shelf.today.now.addingTimeInterval(-3_600))
    #expect(try await shelf.titles(query) == ["today"])
    #expect(try await shelf.titles(ArticleQuery(limit: 1)) == ["today"])
    let counts = try await shelf.store.counts(since: shelf.today.now.addingTimeInterval(-3_600))
    #expect(counts == ArticleCounts(recentUnread: 1))
  }

  @Test func `the next unread article is below, then at the top, then there is none`()
    async throws
  {
    try await shelf.put(["a", "b", "c", "d"])
    try await library.setRead(true, of: [try await shelf.id("c")])
    func next(_ title: String) async throws -> String? {
      try await library.nextUnread(after: try await shelf.id(title))?.title
    }
    #expect(try await library.nextUnread()?.title == "a")
    #expect(try await next("a") == "b")
    #expect(try await next("b") == "d")
    #expect(try await next("c") == "d")
    #expect(try await next("d") == "a")
    try await library.markRead()
    #expect(try await next("a") == nil)
    try await library.setRead(false, of: [try await shelf.id("a")])
    #expect(try await next("a") == nil)
  }

  @Test func `where the reading stopped is remembered`() async throws {
    try await shelf.put(["a"])
    let id = try await shelf.id("a")
    let position = ReadingPosition(block: 4, offset: 17)
    try await library.setPosition(position, of: id)
    try await library.setPosition(position, of: Article.ID(rawValue: 999))
    let resource = await Resource(library.document(of: id))
    #expect(await resource.refresh().value?.position == position)
    try await library.setPosition(nil, of: id)
    #expect(await resource.refresh().value?.position == nil)
  }

  @Test func `marks of articles that are not stored are passed over`() async throws {
    try await library.setRead(true, of: [Article.ID(rawValue: -5), Article.ID(rawValue: 7)])
    #expect(library.latestChange == nil)
  }
}

@Suite struct UndoTests {
  let shelf: Shelf
  var library: Library { shelf.library }

  init() throws { shelf = try Shelf() }

  @Test func `changes are taken back newest first`() async throws {
    let feed = try await shelf.put(["a", "b"])
    let a = try await shelf.id("a")
    try await library.setRead(true, of: [a])
    try await library.setStarred(true, of: [a])
    try await library.arrange(feed, as: FeedArrangement(title: "Mine", tags: ["t"]))
    try await library.remove(feed)
    #expect(try await shelf.titles() == [])
    #expect(try await shelf.summary(feed) == nil)

    #expect(library.latestChange?.feedTitle == "Mine")
    #expect(try await library.undo()?.kind == .removedFeed)
    #expect(try await shelf.titles() == ["a", "b"])
    #expect(try await shelf.summary(feed)?.feed.title == "Mine")
    #expect(try await library.undo()?.kind == .arrangedFeed)
    #expect(try await shelf.summary(feed)?.feed.title == "feed")
    #expect(try await shelf.summary(feed)?.feed.tags == [])
    #expect(try await library.undo()?.kind == .starred)
    #expect(try await shelf.titles(.starred) == [])
    #expect(try await library.undo()?.kind == .markedRead)
    #expect(try await shelf.titles(.unread) == ["a", "b"])
    #expect(try await library.undo() == nil)
  }

  @Test func `only what a change changed is taken back`() async throws {
    try await shelf.put(["a", "b", "c"])
    let (a, b) = (try await shelf.id("a"), try await shelf.id("b"))
    try await library.setRead(true, of: [a])
    try await library.markRead()
    // Another program has had b unread and starred in the meantime.
    let other = try Shelf(shelf.store)
    try await other.library.setRead(false, of: [b])
    try await other.library.setStarred(true, of: [b])
    try await library.undo()
    #expect(try await shelf.titles(.unread) == ["b", "c"])
    #expect(try await shelf.titles(.starred) == ["b"])
    try await other.library.undo()
    try await other.library.undo()
    #expect(try await shelf.titles(.unread) == ["c"])
  }

  @Test func `it is told what could not be undone`() async throws {
    let feed = try await shelf.put(["a", "b", "c"])
    try await library.markRead()
    try await shelf.store.write { try $0.execute(sql: "DELETE FROM article WHERE title = 'c'") }
    try await Shelf(shelf.store).library.setRead(false, of: [try await shelf.id("b")])
    let marks = try await library.undo()
    #expect(marks?.undoing == .allBut(2))
    #expect(marks?.articles == [try await shelf.id("a")])

    try await library.remove(feed)
    try await shelf.store.write { try $0.execute(sql: "DELETE FROM article WHERE title = 'b'") }
    #expect(try await library.undo()?.undoing == .allBut(1))

    try await library.arrange(feed, as: FeedArrangement(title: "Mine"))
    try await library.remove(feed)
    while try await shelf.store.purgeRemoved(after: -1, limit: 10) {}
    #expect(try await library.undo()?.undoing == .nothing)
    #expect(try await library.undo()?.undoing == .nothing)
  }

  @Test func `an arrangement that another program has changed since stays as it is`()
    async throws
  {
    let feed = try await shelf.put(["a"])
    try await library.arrange(feed, as: FeedArrangement(title: "Mine"))
    try await Shelf(shelf.store).library.arrange(feed, as: FeedArrangement(title: "Theirs"))
    try await library.undo()
    #expect(try await shelf.summary(feed)?.feed.title == "Theirs")
  }

  @Test func `a folder is renamed with those in it, and taken back as one`() async throws {
    let folders = [["A"], ["A", "B"], ["AB"]]
    var ids: [Feed.ID] = []
    for (index, path) in folders.enumerated() {
      let id = try await shelf.put(["a"], in: "\(index)")
      try await library.arrange(id, as: FeedArrangement(folder: FeedFolder(path)))
      ids.append(id)
    }
    func paths() async throws -> [[String]?] {
      var paths: [[String]?] = []
      for id in ids { paths.append(try await shelf.summary(id)?.feed.folder?.path) }
      return paths
    }
    let (old, new) = (try #require(FeedFolder(["A"])), try #require(FeedFolder(["N", "M"])))
    #expect(try await library.move(old, to: new) == 2)
    #expect(try await paths() == [["N", "M"], ["N", "M", "B"], ["AB"]])
    #expect(try await library.move(old, to: new) == 0)
    try await library.arrange(ids[0], as: FeedArrangement(folder: FeedFolder(["Later"])))
    try await Shelf(shelf.store).library.arrange(ids[0], as: FeedArrangement(title: "Theirs"))
    try await library.undo()
    let undone = try await library.undo()
    #expect(undone?.kind == .movedFolder)
    #expect(undone?.folder == old)
    #expect(try await paths() == [nil, ["A", "B"], ["AB"]], "what others changed stays")
  }

  @Test func `a removed feed is as it was when it is added again`() async throws {
    let feed = try await shelf.put(["a", "b"])
    try await library.setRead(true, of: [try await shelf.id("a")])
    try await library.remove(feed)
    await #expect(throws: LibraryError.noSuchFeed()) { try await library.remove(feed) }
    #expect(try await shelf.store.insertFeed(address: "https://example.org/feed")?.id == feed)
    #expect(try await shelf.titles(.unread) == ["b"])
    // The removal is undone already, and the mark before it is taken back by the next undo.
    try await library.undo()
    #expect(try await shelf.titles(.unread) == ["b"])
    try await library.undo()
    #expect(try await shelf.titles(.unread) == ["a", "b"])
  }

  @Test func `the changes that can be taken back are bounded`() async throws {
    try await shelf.put(["a"])
    let a = try await shelf.id("a")
    for index in 0..<150 { try await library.setRead(index.isMultiple(of: 2), of: [a]) }
    var count = 0
    while try await library.undo() != nil { count += 1 }
    #expect(count == 100)
    var log = ChangeLog()
    for _ in 0..<3 {
      let change = MarkChange(mark: .read, value: true, articles: [])
      log.append(.markedRead, count: 600_000, step: .marks([change]))
    }
    #expect(log.entries.map(\.change.id) == [3])
  }

  @Test func `names are one line, without control characters, and not empty`() throws {
    let arrangement = FeedArrangement(
      title: " A\u{1F}\u{1B}[2J\nB ", folder: FeedFolder(["x\u{1F}y", "", "\u{202E}z"]),
      tags: ["a", "", "a", "b\n"])
    #expect(arrangement.title == "A [2J B")
    #expect(arrangement.folder?.path == ["x y", "z"])
    #expect(arrangement.tags == ["a", "b"])
    #expect(FeedFolder([" ", "\n"]) == nil)
    #expect(FeedArrangement(title: "\u{0}").title == nil)
    #expect(FeedFolder(typed: " News/ Tech /")?.path == ["News", "Tech"])
    #expect(FeedFolder(typed: " / ") == nil)
    let slashed = try #require(FeedFolder(["TV/Film", "x"]))
    #expect(FeedFolder(typed: slashed.text)?.path == ["TV", "Film", "x"])
    #expect(FeedFolder(typed: slashed.text, among: [slashed]) == slashed)
    #expect(FeedFolder((0..<50).map(String.init))?.path.count == 10)
  }
}

extension Library {
  /// What a user sees that types this.
  func found(
    _ typed: String, in query: ArticleQuery = ArticleQuery(), limit: Int = 100
  ) async throws -> [SearchResult] {
    guard let condition = try condition(typed) else { return [] }
    return try await found(condition, in: query, limit: limit)
  }
}
