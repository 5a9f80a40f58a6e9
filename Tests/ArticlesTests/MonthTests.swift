import Foundation
import GRDB
import Loading
import PseudoTerminal
import Testing

@testable import Articles

/// A month of use on a clock that a test moves: hourly reloads, one feed in twenty failing.
///
/// `ARGYLE_MONTH` makes it a whole one, of 500 feeds and 30 days; else it is a few feeds for a few
/// days.
@Suite struct MonthTests {
  private static let isWhole = ProcessInfo.processInfo.environment["ARGYLE_MONTH"] != nil
  private static let feeds = isWhole ? 500 : 20
  private static let days = isWhole ? 30 : 3
  private static let retention = Retention(age: 7 * 86_400, countPerFeed: 40)
  /// How many entries a feed's document has.
  private static let documentLength = 20
  private static let hoursBetweenEntries = isWhole ? 4 : 1

  private let directory: TemporaryDirectory
  private let today = Today()

  init() throws { directory = try TemporaryDirectory() }

  private func path(_ feed: Int) -> String { "\(directory.path)/\(feed).xml" }

  /// What a feed carries after so many hours: an entry every few hours, the newest first.
  private func write(_ feed: Int, hour: Int) throws {
    let newest = (hour + feed) / Self.hoursBetweenEntries + Self.documentLength
    let isWritten = hour > 0 && (hour + feed) % Self.hoursBetweenEntries != 0
    guard !isWritten || !FileManager.default.fileExists(atPath: path(feed)) else { return }
    let filler = String(repeating: "Words of feed \(feed). ", count: 40)
    let items = (newest - Self.documentLength..<newest).reversed().map { index in
      "<item><guid>\(index)</guid><title>Entry \(index) of \(feed)</title>"
        + "<description>&lt;p&gt;\(filler)&lt;/p&gt;</description></item>"
    }
    let text = "<rss><channel><title>Feed \(feed)</title>\(items.joined())</channel></rss>"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(feed)))
  }

  @Test func `memory and store stay as small as the retention says`() async throws {
    let store = try ArticleStore(directory: directory.path + "/store")
    let library = Library(
      store: store, now: { [today] in today.now }, chance: { 0.5 })
    library.options.retention = Self.retention
    for feed in 0..<Self.feeds {
      try write(feed, hour: 0)
      _ = try await store.insertFeed(address: "file://" + path(feed))
    }
    var generator = SeededGenerator(seed: 1)
    var failures = 0
    // By their hashes: the test's own memory is not to be what grows.
    var seen: Set<Int> = []
    var facts: [(day: Int, memory: Int, bytes: Int, articles: Int)] = []
    var starred: Set<Article.ID> = []

    for hour in 0..<Self.days * 24 {
      // Each hour it is another twentieth that fails.
      for feed in 0..<Self.feeds {
        if (feed + hour) % 20 == 0 {
          try? FileManager.default.removeItem(atPath: path(feed))
        } else {
          try write(feed, hour: hour)
        }
      }
      let report = try await library.reload()
      failures += report.error?.failures.count ?? 0
      // Nobody sees an article as new twice.
      let since = today.now
      for article in try await store.articles(matching: ArticleQuery(since: since)) {
        #expect(
          seen.insert("\(article.feedID) \(article.title)".hashValue).inserted, "hour \(hour)")
      }
      if hour % 6 == 0 { try await use(library, store, &generator, &starred) }
      if hour % 24 == 23 {
        try await library.index()
        facts.append(
          (
            hour / 24 + 1, Self.residentMemory, try size(),
            try await store.articles(matching: ArticleQuery()).count
          ))
      }
      today.pass(3_600)
    }

    for fact in facts {
      print("day \(fact.day): \(fact.memory >> 20) MB, \(fact.bytes >> 10) kB, \(fact.articles)")
    }
    #expect(failures == Self.days * 24 * Self.feeds / 20)
    let articles = try await store.articles(matching: ArticleQuery())
    let limit = try #require(Self.retention.countPerFeed)
    for (feed, articles) in Dictionary(grouping: articles, by: \.feedID) {
      #expect(articles.count { !$0.isStarred } <= limit, "\(feed)")
    }
    #expect(starred.isSubset(of: articles.filter(\.isStarred).map(\.id)))
    let complaints = try await store.read {
      try String.fetchAll($0, sql: "PRAGMA integrity_check")
    }
    #expect(complaints == ["ok"])
    guard Self.isWhole else { return }
    // From when the retention has taken hold to the end.
    let (early, late) = (facts[9], facts[facts.count - 1])
    #expect(late.bytes < early.bytes * 6 / 5)
    #expect(late.memory < early.memory * 6 / 5)
  }

  /// What the user does: reads half of what is new, puts a star here and there, searches.
  private func use(
    _ library: Library, _ store: ArticleStore, _ generator: inout SeededGenerator,
    _ starred: inout Set<Article.ID>
  ) async throws {
    let unread = try await store.articles(matching: .unread)
    try await library.setRead(
      true, of: unread.filter { $0.id.rawValue.isMultiple(of: 2) }.map(\.id))
    if let article = unread.randomElement(using: &generator) {
      try await library.setStarred(true, of: [article.id])
      starred.insert(article.id)
    }
    #expect(try await !library.found("words entry", limit: 5).isEmpty)
  }

  private func size() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: directory.path + "/store").reduce(0) {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: directory.path + "/store/" + $1)
      return $0 + (attributes[.size] as? Int ?? 0)
    }
  }

  /// In bytes; 0 where the system does not tell.
  private static var residentMemory: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4_096 } ?? 0
  }
}
