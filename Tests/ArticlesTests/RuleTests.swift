import Foundation
import GRDB
import Loading
import PseudoTerminal
import TestServer
import Testing

@testable import Articles

/// Rules: applied to articles as they come in, and to everything that is stored.
@Suite struct RuleTests {
  private let shelf: Shelf
  private var library: Library { shelf.library }

  init() throws { shelf = try Shelf() }

  private func rule(
    _ text: String, feed: String? = nil, _ actions: ArticleRule.Action...
  ) throws -> ArticleRule {
    try ArticleRule(when: text, feed: feed, actions: Set(actions))
  }

  private func add(_ titles: [String], as feed: String, from server: TestServer) async throws {
    server["/\(feed)"] = .whole(feedText(titles, title: feed))
    if try await library.addedFeeds().contains(where: { $0.feed.title == feed }) {
      try await library.reload()
    } else {
      try await library.add(server.url("/\(feed)"))
    }
  }

  @Test func `what comes in is muted, read or starred, and what was there stays as it is`()
    async throws
  {
    let server = try TestServer()
    try await add(["wool 1"], as: "Alpha", from: server)
    library.options.rules = [
      try rule("title:wool or text:rain", .mute), try rule("title:swift", .star),
      try rule("age<1d and not title:swift", feed: "beta", .read),
    ]
    try await add(["wool 2", "swift 1", "rainbow", "rain", "wool 1"], as: "Alpha", from: server)
    try await add(["wool 3", "swift 2", "plain"], as: "Beta", from: server)
    #expect(try await shelf.titles(.muted).sorted() == ["rain", "wool 2", "wool 3"])
    #expect(try await shelf.titles(.starred).sorted() == ["swift 1", "swift 2"])
    #expect(
      try await shelf.titles(.unread).sorted() == ["rainbow", "swift 1", "swift 2", "wool 1"])
    #expect(try await shelf.titles(ArticleQuery(isRead: true)) == ["plain"])

    let counts = try await shelf.store.counts(since: .distantPast)
    #expect(counts.recentUnread == 4 && counts.muted == 3)
    let feeds = try await shelf.store.feedSummaries()
    #expect(feeds.map(\.articleCount) == [3, 2])
    #expect(feeds.map(\.unreadCount) == [3, 1])
    // The index of the search has them all the same.
    #expect(try await library.found(condition("wool")).map(\.article.title) == ["wool 1"])
    #expect(try await library.found(condition("wool muted")).count == 2)
    #expect(try await library.found(condition("wool -is:muted")).count == 1)
  }

  private func condition(_ text: String) throws -> ArticleCondition {
    try #require(try ArticleCondition(text))
  }

  @Test func `a reload counts the new articles that are not muted`() async throws {
    let server = try TestServer()
    try await add([], as: "Alpha", from: server)
    library.options.rules = [try rule("title:wool", .mute)]
    server["/Alpha"] = .whole(feedText(["wool", "rain", "snow"], title: "Alpha"))
    #expect(try await library.reload().newArticles == 2)
  }

  @Test(arguments: 0..<12)
  func `a rule finds on arrival what looking at each article finds`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let items = try await RandomShelf.fill(shelf, &generator)
    let arrived = items.map { item in
      (
        id: item.article.id,
        words: SearchWords(
          title: item.title, author: item.article.author, html: "<p>\(item.text)</p>")
      )
    }
    for _ in 0..<25 {
      let condition = RandomShelf.condition(depth: 2, now: shelf.today.now, &generator)
      let rules = RulesInForce(condition, [.mute])
      let (count, found) = try await shelf.store.write { database in
        try database.execute(sql: "UPDATE article SET isMuted = 0")
        let count = try ArticleStore.apply(rules, to: arrived, database)
        let ids = try Article.ID.fetchSet(
          database, sql: "SELECT id FROM article WHERE isMuted = 1")
        return (count, ids)
      }
      let wanted = Set(
        items.filter { $0.fulfils(condition) && !$0.article.isStarred }.map(\.article.id))
      try #require(found == wanted, "\(condition)")
      #expect(count == wanted.count)
    }
  }

  @Test func `what each rule would change is known before, and exactly that is changed`()
    async throws
  {
    try await shelf.put(["wool 1", "wool 2", "rain", "swift"], in: "Alpha")
    try await library.setStarred(true, of: [shelf.id("wool 2")])
    let rules = [
      try rule("title:wool", .mute), try rule("rain or swift", .read, .star),
      try rule("title:none", .mute),
    ]
    let effects = try await library.effects(of: rules)
    #expect(effects.map(\.matches) == [2, 2, 0])
    #expect(effects.map { $0.changes.map(\.title) } == [["wool 1"], ["rain", "swift"], []])
    #expect(try await shelf.titles(.muted).isEmpty, "nothing was changed")

    #expect(try await library.apply(rules) == RuleOutcome(muted: 1, read: 2, starred: 2))
    #expect(try await shelf.titles(.muted) == ["wool 1"])
    #expect(try await shelf.titles(.starred) == ["wool 2", "rain", "swift"])
    #expect(try await library.apply(rules) == RuleOutcome())
    #expect(try await library.effects(of: rules).flatMap(\.changes).isEmpty)
    // The rule is gone.
    #expect(try await library.apply([rules[1]]) == RuleOutcome(unmuted: 1))
    #expect(try await shelf.titles(.muted).isEmpty)
  }

  @Test func `what is muted in a removed feed stays so, whatever rules there are`() async throws {
    let feed = try await shelf.put(["wool", "rain"], in: "Alpha")
    #expect(try await library.apply([rule("title:wool", .mute)]) == RuleOutcome(muted: 1))
    try await library.remove(feed)
    #expect(try await library.apply([]) == RuleOutcome())
    try await library.undo()
    #expect(try await shelf.titles(.muted) == ["wool"])
  }

  @Test func `a star wins over muting on arrival, when rules are applied, and by hand`()
    async throws
  {
    let rules = [try rule("title:wool", .mute), try rule("title:red", .star)]
    let server = try TestServer()
    library.options.rules = rules
    try await add(["red wool", "blue wool"], as: "Alpha", from: server)
    #expect(try await shelf.titles(.starred) == ["red wool"])
    #expect(try await shelf.titles(.muted) == ["blue wool"])
    #expect(try await library.apply(rules) == RuleOutcome(), "it was so on arrival")

    library.options.rules = []
    try await add(["red wool 2", "blue wool 2"], as: "Beta", from: server)
    let effects = try await library.effects(of: rules)
    #expect(effects.map { $0.changes.map(\.title) } == [["blue wool 2"], ["red wool 2"]])
    #expect(try await library.apply(rules) == RuleOutcome(muted: 1, starred: 1))

    // A star that the user gives.
    let blue = try #require(try await shelf.store.articles(matching: .muted).first).id
    try await library.setStarred(true, of: [blue])
    #expect(try await shelf.titles(.muted) == ["blue wool 2"])
    #expect(try await shelf.titles(.starred).contains("blue wool"))
    #expect(try await library.undo()?.kind == .starred)
    #expect(try await shelf.titles(.muted).sorted() == ["blue wool", "blue wool 2"])
    #expect(try await !shelf.titles().contains("blue wool"))
  }

  @Test func `what rules have changed is taken back, and no star is muted by that`() async throws {
    try await shelf.put(["wool 1", "wool 2", "rain", "swift"], in: "Alpha")
    let rules = [try rule("title:wool", .mute), try rule("rain or swift", .read, .star)]
    #expect(try await library.takeBackRules().isEmpty)
    _ = try await library.apply(rules)
    _ = try await library.setRead(false, of: [shelf.id("rain")])
    #expect(try await library.takeBackRules() == RuleOutcome(muted: 2, read: 1, starred: 2))
    #expect(try await shelf.titles() == ["wool 1", "wool 2", "rain", "swift"])
    #expect(try await shelf.titles(.unread).count == 4)
    #expect(try await shelf.titles(.starred).isEmpty)
    #expect(try await library.takeBackRules().isEmpty)

    // A rule that is gone has muted both; one of them gets a star before that is taken back.
    _ = try await library.apply(rules)
    _ = try await library.apply([])
    try await library.setStarred(true, of: [shelf.id("wool 1")])
    #expect(try await library.takeBackRules() == RuleOutcome(unmuted: 1))
    #expect(try await shelf.titles(.muted) == ["wool 2"])
    #expect(try await shelf.titles(.starred).contains("wool 1"))
  }

  @Test func `words of a rule are whole words, and a rule needs a condition`() async throws {
    try await shelf.put(["wool", "woolly"])
    #expect(try await library.effects(of: [rule("title:wool", .mute)])[0].matches == 1)
    #expect(throws: QueryError.self) { try rule("titel:x", .mute) }
    #expect(throws: QueryError.self) { try rule("…", .mute) }
    #expect(throws: QueryError.self) { try rule("unread and", .mute) }
  }

  @Test func `what rules have marked as read, and was then dropped, is taken back`() async throws {
    library.options.retention = Retention(age: 86_400, countPerFeed: nil)
    try await shelf.put(["wool", "rain"])
    shelf.today.pass(86_401)
    _ = try await library.apply([rule("title:wool", .read)])
    #expect(try await library.tidy() == 1)
    #expect(try await shelf.titles() == ["rain"])
    #expect(try await library.takeBackRules() == RuleOutcome(read: 1))
    #expect(try await shelf.titles(.unread) == ["wool", "rain"])
    #expect(try await library.takeBackRules().isEmpty)
  }

  @Test func `a rule may be as long as any query`() async throws {
    let word = String(repeating: "w", count: 494)
    try await shelf.put([word, word + "w"])
    #expect(try await library.effects(of: [rule("title:" + word, .mute)])[0].matches == 1)
    #expect(throws: QueryError.self) { try rule("title:" + word + " ", .mute) }
  }

  @Test func `what was muted and dropped comes back muted`() async throws {
    try await shelf.put(["wool", "rain"])
    _ = try await library.apply([rule("title:wool", .mute)])
    let strict = Retention(age: 60, countPerFeed: nil, keepsUnread: false)
    let later = shelf.today.now.addingTimeInterval(120)
    #expect(try await shelf.store.drop(strict, at: later, limit: 10).count == 2)
    #expect(try await shelf.titles(.muted).isEmpty)
    #expect(try await shelf.store.restoreDropped(.standard, at: later, limit: 10) == 2)
    #expect(try await shelf.titles(.muted) == ["wool"])
    #expect(try await shelf.titles() == ["rain"])
  }
}

extension RulesInForce {
  fileprivate init(_ condition: ArticleCondition, _ actions: Set<ArticleRule.Action>) {
    self.init(rules: [Rule(condition: condition, actions: actions)])
  }
}
