import Foundation
import GRDB
import PseudoTerminal
import Synchronization
import TestServer
import Testing

@testable import Articles
@testable import Storage

/// Tests of programs that are killed in the middle of a reload, while another one uses the same
/// store.
///
/// `ARGYLE_KILLS` sets how many; the seed is the number of the round.
struct KillTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["ARGYLE_KILLS"].flatMap(Int.init) ?? 10
  private static let feeds = 40

  private enum Hit: String, CaseIterable {
    case beforeRequests = "before it had asked for anything"
    case beforeAnything = "before anything was stored"
    case between = "between the storing of two feeds"
    case inTransaction = "in the middle of writing a transaction"
    case afterEverything = "after everything was stored"
    case tooLate = "after its end"
  }

  @Test func `a program that is killed in a reload loses no article and no mark`() async throws {
    let home = try Home()
    let server = try TestServer()
    let feeds = GrowingFeeds(Self.feeds, on: server)
    try await home.follow(feeds.addresses)
    let store = try ArticleStore(directory: home.dataDirectory)
    let library = Library(store: store)
    var marks: [Article.ID: Bool] = [:]
    var hits: [Hit: Int] = [:]

    for round in 0..<Self.rounds {
      var generator = SeededGenerator(seed: UInt64(round))
      let before = try await store.articles(matching: ArticleQuery())
      let counts = Dictionary(grouping: before, by: \.feedID).mapValues(\.count)
      let fetched = try await Self.fetchDates(store)
      let killing = Killing(at: .random(feeds: Self.feeds, using: &generator))
      feeds.begin(killing)
      let logChanges = Mutex(0)
      let log = FileWatch(path: home.log, queue: DispatchQueue(label: "log")) {
        killing.happened(
          .logged(
            logChanges.withLock { count in
              count += 1
              return count
            }))
      }
      let follower = Task {
        for await _ in library.changes() {
          let now = try await Self.fetchDates(store)
          for count in 0...now.count(where: { $0.value != fetched[$0.key] }) {
            killing.happened(.stored(count))
          }
        }
      }
      let terminal = try home.start(["reload"]).terminal
      killing.run(terminal.processID)
      killing.happened(.start)
      // Meanwhile, this process marks articles.
      for article in before.shuffled(using: &generator).prefix(10) {
        let value = Bool.random(using: &generator)
        try await library.setRead(value, of: [article.id])
        marks[article.id] = value
      }
      let ending = try terminal.waitForExit()
      killing.end()
      follower.cancel()
      withExtendedLifetime(log) {}
      let isTorn = try Self.hasTornTransaction(home)

      try await check(store, marks: marks, round: round)
      let after = try await store.articles(matching: ArticleQuery())
      #expect(Set(before.map(\.id)).isSubset(of: after.map(\.id)), "round \(round)")
      var grown = 0
      for (feed, articles) in Dictionary(grouping: after, by: \.feedID) {
        // Either all or none of an answer's articles.
        #expect(articles.count.isMultiple(of: GrowingFeeds.growth), "round \(round)")
        if articles.count > counts[feed, default: 0] { grown += 1 }
      }
      let hit: Hit =
        ending != .signalled(SIGKILL)
        ? .tooLate
        : isTorn
          ? .inTransaction
          : feeds.requests == 0
            ? .beforeRequests
            : grown == 0 ? .beforeAnything : grown == Self.feeds ? .afterEverything : .between
      hits[hit, default: 0] += 1
    }
    for hit in Hit.allCases { print("killed \(hit.rawValue): \(hits[hit, default: 0])") }
    // The test is meaningless if no kill ever hits a reload.
    #expect(hits[.tooLate, default: 0] < Self.rounds)

    // The next reload continues normally.
    feeds.begin(nil)
    #expect(try home.run("reload").ending == .exited(0))
    let articles = try await store.articles(matching: ArticleQuery())
    for (feed, summary) in try await store.feeds(in: .all).enumerated() {
      let titles = Set(articles.filter { $0.feedID == summary.feed.id }.map(\.title))
      #expect(titles.isSuperset(of: feeds.numbers(of: feed).map { "Article \($0)" }), "\(feed)")
    }
    try await check(store, marks: marks, round: Self.rounds)
  }

  private static func fetchDates(_ store: ArticleStore) async throws -> [Feed.ID: Date] {
    try await store.feeds(in: .all).reduce(into: [:]) { dates, feed in
      if let date = feed.feed.lastFetched { dates[feed.feed.id] = date }
    }
  }

  private func check(
    _ store: ArticleStore, marks: [Article.ID: Bool], round: Int
  ) async throws {
    let complaints = try await store.read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check")
    }
    #expect(complaints == ["ok"], "round \(round)")
    try await store.write {
      try $0.execute(sql: "INSERT INTO search (search) VALUES ('integrity-check')")
    }
    let articles = try await store.articles(matching: ArticleQuery())
    for article in articles {
      guard let mark = marks[article.id] else { continue }
      #expect(article.isRead == mark, "round \(round)")
    }
    let unread = Dictionary(grouping: articles.filter { !$0.isRead }, by: \.feedID)
    for summary in try await store.feedSummaries() {
      #expect(summary.unreadCount == unread[summary.id]?.count ?? 0, "round \(round)")
    }
  }

  /// Whether the log ends with pages of a transaction that was not committed.
  private static func hasTornTransaction(_ home: Home) throws -> Bool {
    let log = try Data(contentsOf: URL(fileURLWithPath: home.log))
    guard log.count > 32 else { return false }
    func number(_ place: Int) -> UInt32 {
      log[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let frame = 24 + Int(number(8))
    var last: UInt32?
    var place = 32
    // Frames of an earlier round of the log have other salts.
    while place + frame <= log.count, number(place + 8) == number(16),
      number(place + 12) == number(20)
    {
      last = number(place + 4)
      place += frame
    }
    return last == 0
  }

  @Test func `a command that ends takes no log from a program that has the store open twice`()
    throws
  {
    let home = try Home()
    let stores = try (0..<2).map { _ in try ArticleStore(directory: home.dataDirectory) }
    #expect(try home.run("feeds", "list").ending == .exited(0))
    // Only the last process to close the store removes the log.
    #expect(FileManager.default.fileExists(atPath: home.log))
    withExtendedLifetime(stores) {}
  }

  @Test func `who quits in a reload keeps what was stored until then`() async throws {
    let home = try Home()
    let server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
    server["/b"] = .heldBody(FeedText.rss("Beta", ["Banana"]))
    try await home.follow([server.url("/a"), server.url("/b")])
    let terminal = try home.openReader()
    try terminal.waitUntil("one feed is there, the other under way") {
      $0.text.contains("Apricot") && $0.text.contains("1 of 2 feeds")
    }
    #expect(try terminal.leave() == .exited(0))
    let list = try home.run("articles", "list", "--json")
    let articles =
      try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]]
    #expect(articles?.compactMap { $0["title"] as? String } == ["Apple", "Apricot"])
  }

  @Test func `two programs on one store see each other's changes`() async throws {
    let home = try Home()
    let server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
    let library = Library(store: try ArticleStore(directory: home.dataDirectory))
    var changes = library.changes().makeAsyncIterator()
    #expect(try home.run("feeds", "add", server.url("/a")).ending == .exited(0))
    // Notified through the file, since another process made the change.
    _ = await changes.next()
    while try await library.storedArticles(matching: .unread).count < 2 {
      _ = await changes.next()
    }
    let ids = try await library.storedArticles(matching: .unread).map(\.id)
    try await library.setRead(true, of: [ids[0]])
    #expect(
      try home.run("articles", "list", "--unread").output.contains("Apricot"))
    #expect(try home.run("articles", "mark", "\(ids[1].rawValue)", "--read").ending == .exited(0))
    #expect(try await library.storedArticles(matching: .unread).isEmpty)
  }
}

extension Home {
  /// The log that SQLite writes first.
  fileprivate var log: String { dataDirectory + "/articles.sqlite-wal" }
}
