import Foundation
import GRDB
import Loading
import PseudoTerminal
import TestServer
import Testing

@testable import Articles

/// In which order lists stand, and what stays in a list of unread articles.
@MainActor @Suite struct ListArrangementTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  private func titles(_ order: ArticleOrder, limit: Int? = nil) async throws -> [String] {
    try await shelf.titles(ArticleQuery(order: order, limit: limit))
  }

  @Test func `a list stands in each order, and a limit takes its first articles`() async throws {
    try await shelf.put(["pear", "Apple", "fig"], in: "beta")
    shelf.today.pass(60 * 60)
    try await shelf.put(["banana", "date"], in: "Alpha")
    #expect(try await titles(.newest) == ["banana", "date", "pear", "Apple", "fig"])
    #expect(try await titles(.oldest) == ["fig", "Apple", "pear", "date", "banana"])
    #expect(try await titles(.feed) == ["banana", "date", "pear", "Apple", "fig"])
    #expect(try await titles(.title) == ["Apple", "banana", "date", "fig", "pear"])
    #expect(try await titles(.oldest, limit: 2) == ["fig", "Apple"])
    #expect(try await titles(.title, limit: 1) == ["Apple"])

    let alpha = try #require(
      try await shelf.store.feeds(in: .all).first { $0.feed.title == "Alpha" })
    try await shelf.library.arrange(alpha.feed.id, as: FeedArrangement(title: "zebra"))
    #expect(try await titles(.feed) == ["pear", "Apple", "fig", "banana", "date"])
  }

  private func arrange(_ selection: FeedSelection) async throws {
    try await shelf.library.arrange(
      ArrangementChange(of: try #require(selection.arrangementName), order: .oldest))
  }

  private func isArranged(_ selection: FeedSelection) async throws -> Bool {
    try await shelf.store.listArrangements()[selection.arrangementName].order == .oldest
  }

  private func rowCount() async throws -> Int? {
    try await shelf.store.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM arrangementOfList")
    }
  }

  @Test func `a folder that is renamed or goes keeps how the lists in it are shown`() async throws {
    try await shelf.put(["pear"], in: "beta")
    let feed = try #require(try await shelf.store.feeds(in: .all).first?.feed)
    let news = try #require(FeedFolder(["News", "World"]))
    let (outer, other) = (try #require(FeedFolder(["News"])), try #require(FeedFolder(["Other"])))
    try await shelf.library.arrange(feed.id, as: FeedArrangement(folder: news))
    try await arrange(.folder(outer))
    try await arrange(.folder(news))
    try await shelf.library.move(outer, to: other)
    let moved = try #require(FeedFolder(["Other", "World"]))
    #expect(try await isArranged(.folder(other)))
    #expect(try await isArranged(.folder(moved)))
    try await shelf.library.undo()
    #expect(try await isArranged(.folder(outer)))
    #expect(try await isArranged(.folder(news)))
    try await shelf.library.remove(outer)
    #expect(try await isArranged(.folder(try #require(FeedFolder(["World"])))))
    // What is left over of the names before goes by itself.
    _ = try await shelf.library.tidy()
    #expect(try await rowCount() == 1)
  }

  @Test func `a folder that is renamed or goes keeps which folders in it are closed`() async throws
  {
    try await shelf.put(["pear"], in: "beta")
    try await shelf.put(["plum"], in: "gamma")
    let feeds = try await shelf.store.feeds(in: .all).map(\.feed.id)
    func closed() async throws -> [String] {
      try await shelf.library.closedFolders().value().map(\.text).sorted()
    }
    let (news, world, other, open) = (
      try #require(FeedFolder(["News"])), try #require(FeedFolder(["News", "World"])),
      try #require(FeedFolder(["Other"])), try #require(FeedFolder(["Open"]))
    )
    try await shelf.library.arrange(feeds[0], as: FeedArrangement(folder: world))
    try await shelf.library.arrange(feeds[1], as: FeedArrangement(folder: open))
    for folder in [news, world] { try await shelf.library.setFolder(folder, isClosed: true) }
    try await shelf.library.move(news, to: other)
    #expect(try await closed().contains("Other"))
    #expect(try await closed().contains("Other / World"))
    try await shelf.library.undo()
    #expect(try await closed().contains("News / World"))
    _ = try await shelf.library.tidy()
    #expect(try await closed() == ["News", "News / World"])
    // One that was opened meanwhile is open under a name that it had before.
    try await shelf.library.move(news, to: other)
    try await shelf.library.undo()
    try await shelf.library.setFolder(news, isClosed: false)
    try await shelf.library.move(news, to: other)
    _ = try await shelf.library.tidy()
    #expect(try await closed() == ["Other / World"])
    try await shelf.library.setFolder(other, isClosed: true)
    try await shelf.library.move(other, to: open)
    _ = try await shelf.library.tidy()
    #expect(try await closed() == ["Open / World"], "the folder that it joins stays open")
    try await shelf.library.remove(open)
    _ = try await shelf.library.tidy()
    #expect(try await closed() == ["World"])
  }

  @Test func `a folder stays closed when it gets the name of one whose feeds were removed`()
    async throws
  {
    try await shelf.put(["pear"], in: "beta")
    try await shelf.put(["plum"], in: "gamma")
    let feeds = try await shelf.store.feeds(in: .all).map(\.feed.id)
    let (news, other) = (
      try #require(FeedFolder(["News"])), try #require(FeedFolder(["Other"]))
    )
    try await shelf.library.arrange(feeds[0], as: FeedArrangement(folder: news))
    try await shelf.library.arrange(feeds[1], as: FeedArrangement(folder: other))
    try await shelf.library.remove(feeds[1])
    try await shelf.library.setFolder(news, isClosed: true)
    try await shelf.library.move(news, to: other)
    #expect(try await shelf.library.closedFolders().value().contains(other))
  }

  @Test func `nothing is kept of how lists were shown that are gone`() async throws {
    try await shelf.put(["pear"], in: "beta")
    let feed = try #require(try await shelf.store.feeds(in: .all).first?.feed)
    try await arrange(.feed(feed.id))
    try await arrange(.account(SyncAccount.ID(rawValue: 7)))
    try await shelf.library.arrange(ArrangementChange(of: "unread", order: .oldest))
    _ = try await shelf.library.tidy()
    #expect(try await rowCount() == 2)
    try await shelf.library.remove(feed.id)
    _ = try await shelf.library.tidy()
    // It can be brought back.
    #expect(try await rowCount() == 2)
    for _ in 0..<32 {
      shelf.today.pass(86_400)
      _ = try await shelf.library.tidy()
    }
    #expect(try await rowCount() == 1)
  }

  @Test func `by length the shortest comes first, and what has no text last`() async throws {
    let lengths = [("none", 0), ("ten", 2_000), ("one", 20), ("five", 1_000)]
    try await shelf.put(
      articles: lengths.map { title, count in
        let words = Array(repeating: "word", count: count)
        return ParsedArticle(guid: title, title: title, html: words.joined(separator: " "))
      })
    #expect(try await titles(.length) == ["one", "five", "ten", "none"])
    #expect(try await titles(.length, limit: 1) == ["one"])
    let minutes = try await shelf.store.articles(matching: ArticleQuery(order: .length))
      .map(\.readingMinutes)
    #expect(minutes.first == 1 && minutes.last == .some(nil))
  }

  @Test(arguments: 0..<20)
  func `every order has each article once, and oldest is newest backwards`(seed: UInt64)
    async throws
  {
    var generator = SeededGenerator(seed: seed)
    let items = try await RandomShelf.fill(shelf, &generator)
    let newest = try await titles(.newest)
    #expect(try await titles(.oldest) == newest.reversed())
    let date = { (item: RandomShelf.Item) in item.article.published ?? .distantPast }
    let sorted = items.sorted { sortKey($0.title) < sortKey($1.title) }
    #expect(try await titles(.title) == sorted.map(\.title))
    let byFeed = items.sorted {
      $0.feed.shownTitle == $1.feed.shownTitle
        ? date($0) > date($1) : sortKey($0.feed.shownTitle) < sortKey($1.feed.shownTitle)
    }
    #expect(try await titles(.feed).map { $0.prefix(1) } == byFeed.map { $0.title.prefix(1) })
    #expect(Set(try await titles(.feed)) == Set(newest))
  }

  @Test func `reading by date needs no sorting`() async throws {
    for order in [ArticleOrder.newest, .oldest] {
      for isRead in [nil, false] as [Bool?] {
        let query = ArticleQuery(isRead: isRead, order: order, limit: 100)
        let plan = try await shelf.store.plan(of: query)
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
      }
    }
  }

  @Test func `how lists are shown is kept`() async throws {
    let stored = { try await shelf.library.listArrangements().value()[nil] }
    #expect(try await stored() == ListArrangement())
    for order in ArticleOrder.allCases {
      let arrangement = ListArrangement(
        isOnlyUnread: order == .title, order: order, isGrouped: order == .feed)
      try await shelf.library.arrange(
        ArrangementChange(
          of: nil, isOnlyUnread: arrangement.isOnlyUnread, order: order,
          isGrouped: arrangement.isGrouped))
      #expect(try await stored() == arrangement)
    }
  }

  @Test func `a list has an order of its own until it is that of all articles`() async throws {
    func stored(_ list: String?) async throws -> ListArrangement {
      try await shelf.library.listArrangements().value()[list]
    }
    let grouped = ListArrangement(order: .oldest, isGrouped: true)
    func change(_ list: String?, _ order: ArticleOrder, isGrouped: Bool = false) async throws {
      try await shelf.library.arrange(
        ArrangementChange(of: list, order: order, isGrouped: isGrouped))
    }
    try await change("feed 1", .oldest, isGrouped: true)
    #expect(try await stored("feed 1") == grouped)
    #expect(try await stored("feed 2") == ListArrangement())
    #expect(try await stored(nil) == ListArrangement())

    let byTitle = ListArrangement(isOnlyUnread: true, order: .title)
    try await change(nil, .title)
    try await shelf.library.arrange(ArrangementChange(of: "feed 2", isOnlyUnread: true))
    #expect(try await stored("feed 2") == byTitle)
    // What was read is left out in every list.
    let unread = ListArrangement(isOnlyUnread: true, order: .oldest, isGrouped: true)
    #expect(try await stored("feed 1") == unread)

    try await change("feed 1", .title)
    try await change(nil, .feed)
    try await shelf.library.arrange(ArrangementChange(of: nil, isOnlyUnread: false))
    #expect(try await stored("feed 1") == ListArrangement(order: .feed))

    // What a screen has in memory follows in the same way.
    var arrangements = ListArrangements()
    arrangements["feed 1"] = ListArrangement(order: .oldest)
    arrangements["feed 1"] = ListArrangement()
    arrangements[nil] = ListArrangement(order: .title)
    #expect(arrangements["feed 1"].order == .title)
  }

  @Test func `a change stores what was chosen, and nothing else`() async throws {
    func stored(_ list: String?) async throws -> ListArrangement {
      try await shelf.library.listArrangements().value()[list]
    }
    try await shelf.library.arrange(ArrangementChange(of: "feed 1", order: .oldest))
    // Another program does not know of that, and leaves out what was read.
    try await shelf.library.arrange(ArrangementChange(of: "feed 1", isOnlyUnread: true))
    #expect(try await stored("feed 1") == ListArrangement(isOnlyUnread: true, order: .oldest))
    try await shelf.library.arrange(ArrangementChange(of: "feed 1", isGrouped: true))
    let grouped = ListArrangement(isOnlyUnread: true, order: .oldest, isGrouped: true)
    #expect(try await stored("feed 1") == grouped)
    #expect(try await stored(nil) == ListArrangement(isOnlyUnread: true))
  }

  // MARK: What was read a moment ago

  @Test func `what is read after a change stays among the unread articles, in its place`()
    async throws
  {
    try await shelf.put(["a", "b", "c", "d"])
    try await shelf.library.setRead(true, of: [shelf.id("a")])
    let start = try #require(shelf.library.latestChange?.id)
    try await shelf.library.setRead(true, of: [shelf.id("c")])
    func titles(since change: Int?) async throws -> [String] {
      let query = ArticleQuery().arranged(ListArrangement(isOnlyUnread: true), keptSince: change)
      return try await shelf.library.storedArticles(matching: query).map(\.title)
    }
    #expect(try await titles(since: nil) == ["b", "d"])
    #expect(try await titles(since: start) == ["b", "c", "d"])
    #expect(try await titles(since: 0) == ["a", "b", "c", "d"])
    try await shelf.library.undo()
    #expect(try await titles(since: start) == ["b", "c", "d"], "it is unread again")
    try await shelf.library.setRead(true, of: [shelf.id("d")])
    try await shelf.library.remove(shelf.store.feeds(in: .all)[0].feed.id)
    #expect(try await titles(since: 0) == [], "the feed is gone, and what was read of it too")
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `a list of unread articles has what it keeps where the list of all has it`(
    seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let items = try await RandomShelf.fill(shelf, &generator)
    let read = items.map(\.article.id).filter { _ in Bool.random(using: &generator) }
    try await shelf.library.setRead(true, of: read)
    let kept = items.map(\.article.id).filter { _ in Bool.random(using: &generator) }
    let feeds = try await shelf.store.feeds(in: .all).map { FeedSelection.feed($0.feed.id) }
    let now = shelf.today.now
    let narrowings = [
      ArticleQuery(), ArticleQuery(isStarred: .random(using: &generator)),
      ArticleQuery(since: now.addingTimeInterval(-.random(in: 0..<20 * 86_400, using: &generator))),
      ArticleQuery(where: RandomShelf.condition(depth: 1, now: now, &generator)),
    ]
    for var query in narrowings {
      for feeds in feeds + [.all] {
        for order in ArticleOrder.allCases {
          (query.feeds, query.order) = (feeds, order)
          let all = try await shelf.store.articles(matching: query)
          let listed = try await shelf.store.articles(matching: query.unread, keeping: kept)
          #expect(listed == all.filter { !$0.isRead || kept.contains($0.id) }, "\(query)")
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `an article that is read while feeds come in stays until the list is loaded again`()
    async throws
  {
    let server = try TestServer()
    server["/feed"] = .whole(feedText(["a", "b"]))
    let feed = try await shelf.library.add(server.url("/feed"))
    shelf.today.pass(60)
    server["/feed"] = .heldHead(feedText(["c", "a", "b"]))
    let resource = Resource(
      shelf.library.articles(
        matching: ArticleQuery(.feed(feed.id), isRead: false), refresh: .always))
    resource.appear()
    try await server.hold(at: "/feed")
    // The server has the request before the main actor has what is stored.
    for await state in resource.states() where state.value?.map(\.title) == ["a", "b"] { break }
    try await shelf.library.setRead(true, of: [shelf.id("a")])
    server.release("/feed")
    #expect(await resource.settled().value?.map(\.title) == ["c", "a", "b"])
    server["/feed"] = .whole(feedText(["c", "a", "b"]))
    #expect(await resource.refresh().value?.map(\.title) == ["c", "b"])
  }
}

extension ArticleStore {
  /// How SQLite reads a list.
  fileprivate func plan(of query: ArticleQuery) async throws -> String {
    try await read { database in
      try SQLRequest<Row>(
        literal: """
          EXPLAIN QUERY PLAN SELECT * FROM article WHERE \(query.condition)
          ORDER BY \(query.order.sql) LIMIT \(query.limit ?? -1)
          """
      ).fetchAll(database).map { $0["detail"] as String }.joined(separator: "\n")
    }
  }
}

/// The title in lower case, with all its numbers written at the same length.
private func sortKey(_ title: String) -> String {
  var (key, digits) = ("", "")
  for character in title.lowercased() + " " {
    if character.isWholeNumber {
      digits.append(character)
    } else {
      if !digits.isEmpty { key += String(repeating: "0", count: 20 - digits.count) + digits }
      digits = ""
      key.append(character)
    }
  }
  return key
}
