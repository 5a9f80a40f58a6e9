import Foundation
import Testing

@testable import Articles

/// Tags of articles: given and taken, found, kept, and undone.
@Suite struct ArticleTagTests {
  private let shelf: Shelf
  private var library: Library { shelf.library }

  init() throws { shelf = try Shelf() }

  private func tags(_ title: String) async throws -> [String] {
    try await library.storedArticle(shelf.id(title))?.tags ?? []
  }

  private func found(_ query: String) async throws -> [String] {
    let condition = try #require(try ArticleCondition(query))
    return try await shelf.titles(ArticleQuery(where: condition))
  }

  @Test func `names keep the joiners within words and emoji, and no other invisible characters`()
    async throws
  {
    let names = ["👨\u{200D}👩\u{200D}👧", "می\u{200C}خواهم"]
    try await shelf.put(["a"])
    try await library.tag([shelf.id("a")], adding: names)
    let given = try await tags("a")
    #expect(Set(given) == Set(names))
    for name in names { #expect(try await found("tag:\(name)") == ["a"]) }
    #expect(FeedFolder(names)?.path == names)
    let strange = ["\u{200D}a\u{200C} \u{200D}b\u{200D}", "\u{202E}c\u{200D}\u{202E}d", "\u{200D}"]
    #expect(NameList.cleaned(strange) == ["a b", "cd"])
  }

  @Test func `tags are given, found in any case, taken, and undone as one change`() async throws {
    try await shelf.put(["a", "b", "c"])
    let ids = [try await shelf.id("a"), try await shelf.id("b")]
    try await library.tag(ids, adding: ["Émile", "later"])
    try await library.tag([ids[0]], adding: ["emile", "x"], removing: ["LATER"])
    #expect(try await tags("a") == ["Émile", "x"])
    #expect(try await tags("b") == ["Émile", "later"])
    #expect(try await found("tag:EMILE") == ["a", "b"])
    #expect(try await found("tag:mile").isEmpty, "only a whole tag")
    #expect(try await shelf.titles(.later) == ["b"])
    let counts = try await shelf.store.counts(since: .distantFuture)
    #expect(counts.later == 1 && counts.laterUnread == 1)
    #expect(
      try await library.storedArticleTags() == [
        ArticleTag(name: "Émile", articleCount: 2, unreadCount: 2),
        ArticleTag(name: "later", articleCount: 1, unreadCount: 1),
        ArticleTag(name: "x", articleCount: 1, unreadCount: 1),
      ])

    let undone = try #require(try await library.undo())
    #expect(undone.kind == .tagged && undone.undoing == .all)
    #expect(undone.tags == [ids[0]: ["Émile", "later"]])
    #expect(try await tags("a") == ["Émile", "later"])
    _ = try await library.undo()
    #expect(try await tags("a").isEmpty)
    #expect(try await library.storedArticleTags().isEmpty)
  }

  @Test func `what is to be read later, and no longer, is a change of its own, unlike other tags`()
    async throws
  {
    try await shelf.put(["a"])
    let id = try await shelf.id("a")
    try await library.tag([id], adding: ["x"])
    #expect(library.latestChange?.kind == .tagged)
    try await library.tag([id], adding: ["LATER"])
    #expect(library.latestChange?.kind == .markedLater)
    try await library.tag([id], removing: ["later"])
    #expect(library.latestChange?.kind == .unmarkedLater)
    let undone = try #require(try await library.undo())
    #expect(undone.tags == [id: ["x", "LATER"]])
    try await library.tag([id], adding: ["y"], removing: ["later"])
    #expect(library.latestChange?.kind == .tagged)
  }

  @Test func `of a removed feed the articles in the lists that show them count, and no others`()
    async throws
  {
    let feed = try await shelf.put(["a", "b", "c"])
    try await library.tag([try await shelf.id("a")], adding: ["x", "later"])
    try await library.tag([try await shelf.id("b")], adding: ["x", "y"])
    try await library.tag([try await shelf.id("c")], adding: ["x", "z"])
    try await library.setStarred(true, of: [try await shelf.id("c")])
    try await library.remove(feed)
    #expect(try await shelf.titles(.later) == ["a"])
    #expect(try await shelf.titles(.starred) == ["c"])
    for (query, titles) in [
      ("tag:x", ["a", "c"]), ("tag:X unread", ["a", "c"]), ("tag:y", []), ("tag:z", ["c"]),
      ("tag:y or starred", ["c"]), ("tag:x or unread", []), ("-tag:y", []),
    ] {
      let found = try await found(query)
      #expect(found == titles, "\(query)")
    }
    #expect(
      try await library.storedArticleTags() == [
        ArticleTag(name: "later", articleCount: 1, unreadCount: 1),
        ArticleTag(name: "x", articleCount: 2, unreadCount: 2),
        ArticleTag(name: "z", articleCount: 1, unreadCount: 1),
      ])
  }

  @Test
  func `a query finds the kept articles of a removed feed where it asks for those, as their lists`()
    async throws
  {
    let feed = try await shelf.put(["a", "b", "c"])
    try await library.setStarred(true, of: [shelf.id("a")])
    try await library.tag([shelf.id("b")], adding: ["later"])
    try await library.arrange(feed, as: FeedArrangement(tags: ["later"]))
    try await library.remove(feed)
    for (query, titles) in [
      ("starred", ["a"]), ("tag:later", ["b"]), ("tag:Later", ["b"]),
      ("starred or tag:later", ["a", "b"]),
      ("starred tag:later", []), ("starred or unread", []), ("-starred", []),
    ] {
      let found = try await found(query).sorted()
      #expect(found == titles, "\(query)")
    }
  }

  @Test func `a tag of a feed is that of its articles in queries, and of no article`() async throws
  {
    let feed = try await shelf.put(["a", "b"])
    try await library.arrange(feed, as: FeedArrangement(tags: ["dev"]))
    #expect(try await found("tag:dev") == ["a", "b"])
    #expect(try await library.storedArticleTags().isEmpty)
    #expect(try await found("tag:dev -tag:dev").isEmpty)
  }

  @Test func `a tag is taken away however it is written, from a muted article too`() async throws {
    try await shelf.put(["a", "b"])
    let ids = try await [shelf.id("a"), shelf.id("b")]
    try await library.tag(ids, adding: ["Dev"])
    try await library.apply([ArticleRule(when: "title:a", actions: [.mute])])
    #expect(try await library.tag([ids[1]], removing: ["dev"]) == [ids[1]])
    #expect(try await library.tag([ids[0]], removing: ["dev"]) == [ids[0]])
    #expect(try await library.undo()?.count == 1)
    #expect(try await shelf.store.articles(matching: .muted).map(\.tags) == [["Dev"]])
  }

  @Test func `what is typed becomes names, each once, as it was written before`() {
    #expect(ArticleTag.names(typed: " a, ,B,b\n, A ", among: ["b"]) == ["a", "b"])
    #expect(ArticleTag.names(typed: ",, ").isEmpty)
    #expect(ArticleTag.names(typed: "a\u{1F}b") == ["a b"])
  }

  @Test func `what has a tag is not dropped, and outlives its feed`() async throws {
    let feed = try await shelf.put(["a", "b", "c"])
    try await library.tag([shelf.id("b")], adding: ["later"])
    for retention in [
      Retention(age: 60, countPerFeed: nil, keepsUnread: false),
      Retention(age: nil, countPerFeed: 0),
    ] {
      let later = shelf.today.now.addingTimeInterval(120)
      #expect(try await shelf.store.drop(retention, at: later, limit: 10).count == 2)
      #expect(try await shelf.titles() == ["b"])
      #expect(try await shelf.store.restoreDropped(.everything, at: later, limit: 10) == 2)
    }
    try await library.remove(feed)
    #expect(try await shelf.titles(.later) == ["b"])
    #expect(try await shelf.titles().isEmpty)
    for _ in 0..<40 {
      shelf.today.pass(86_400)
      try await library.tidy()
    }
    #expect(try await shelf.titles(.later) == ["b"])
  }

  @Test func `a rule tags what comes in and what is there, and that is taken back`() async throws {
    try await shelf.put(["wool 1", "rain"], in: "Alpha")
    let rule = try ArticleRule(
      when: "title:wool", actions: [#require(ArticleRule.Action(name: "tag:yarn")), .read])
    #expect(try await library.effects(of: [rule])[0].changes.map(\.title) == ["wool 1"])
    #expect(try await library.apply([rule]) == RuleOutcome(read: 1, tagged: 1))
    #expect(try await library.apply([rule]).isEmpty)
    #expect(try await tags("wool 1") == ["yarn"])
    #expect(try await library.takeBackRules() == RuleOutcome(read: 1, tagged: 1))
    #expect(try await tags("wool 1").isEmpty)

    let inForce = try RulesInForce([rule], now: shelf.today.now)
    let parsed = ParsedFeed(articles: [ParsedArticle(guid: "new", title: "wool 2")])
    let feed = try #require(try await shelf.store.feeds(in: .all).first).feed.id
    let prepared = PreparedFeed(parsed)
    let details = try await shelf.store.details(ofNewIn: prepared, of: feed, rules: inForce)
    _ = try await shelf.store.save(
      prepared, of: feed, rules: inForce, details: details, at: shelf.today.now)
    #expect(try await tags("wool 2") == ["yarn"])
  }

  @Test func `what is to be read later is not muted, by rules, by hand, or by taking back`()
    async throws
  {
    try await shelf.put(["wool 1", "wool 2", "red wool"], in: "Alpha")
    let mute = try ArticleRule(when: "title:wool", actions: [.mute])
    let later = try ArticleRule(when: "title:red", actions: [.tag("later")])
    try await library.tag([shelf.id("wool 1")], adding: ["Later"])
    let effects = try await library.effects(of: [mute, later])
    #expect(effects.map { $0.changes.map(\.title) } == [["wool 2"], ["red wool"]])
    #expect(try await library.apply([mute, later]) == RuleOutcome(muted: 1, tagged: 1))
    #expect(try await library.apply([mute, later]).isEmpty)
    #expect(try await shelf.titles(.later) == ["wool 1", "red wool"])

    let muted = try #require(try await shelf.store.articles(matching: .muted).first).id
    try await library.tag([muted], adding: ["later"])
    #expect(try await shelf.titles(.later) == ["wool 1", "wool 2", "red wool"])
    _ = try await library.undo()
    #expect(try await shelf.titles(.muted) == ["wool 2"])

    // Muted by a rule that is gone; put on the list before that is taken back.
    _ = try await library.apply([later])
    try await library.tag([muted], adding: ["later"])
    #expect(try await library.takeBackRules().isEmpty)
    #expect(try await shelf.titles(.muted).isEmpty)
  }

  @Test func `the action of a rule is written as it is read`() {
    for name in ["mute", "read", "star", "tag:later"] {
      #expect(ArticleRule.Action(name: name)?.name == name)
    }
    for name in ["tag:", "tag:a,b", "hide", "tags:x"] {
      #expect(ArticleRule.Action(name: name) == nil, "\(name)")
    }
  }
}
