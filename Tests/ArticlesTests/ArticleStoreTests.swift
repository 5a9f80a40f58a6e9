import Foundation
import GRDB
import PseudoTerminal
import Synchronization
import Testing

@testable import Articles
@testable import Storage

private let noon = Date(timeIntervalSince1970: 1_795_262_400)

private func feed(_ guids: [String], title: String = "Feed") -> ParsedFeed {
  ParsedFeed(
    title: title,
    articles: guids.map {
      ParsedArticle(guid: $0, title: "Title \($0)", html: "<p>Text \($0)</p>")
    })
}

@Suite struct ArticleStoreTests {
  private func save(
    _ parsed: ParsedFeed, in store: ArticleStore, of id: Feed.ID, at date: Date = noon
  ) async throws -> Int? {
    try await store.save(PreparedFeed(parsed), of: id, at: date)
  }

  @Test
  func `a mark reaches the disk before it is told to be kept, what can be fetched again need not`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let store = try ArticleStore(directory: directory.path)
    let (normal, full) = (1, 2)
    func level(_ durability: StoreFile.Durability?) async throws -> Int? {
      try await store.write(durability: durability) {
        try Int.fetchOne($0, sql: "PRAGMA synchronous")
      }
    }
    #expect(try await level(nil) == normal)
    #expect(try await level(.disk) == full)
    #expect(try await level(nil) == normal)
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await store.write(durability: .disk) { database in
        try database.execute(sql: "INSERT INTO feed (address) VALUES ('http://a.b/')")
        throw Refusal()
      }
    }
    #expect(try await store.feedSummaries().isEmpty)
    #expect(try await level(nil) == normal)
  }

  @Test func `only what is new or has changed in a feed is prepared to be stored`() async throws {
    let directory = try TemporaryDirectory()
    let store = try ArticleStore(directory: directory.path)
    let id = try #require(try await store.insertFeed(address: "http://a.b/")?.id)
    let guids = (1...100).map(String.init)
    #expect(try await save(feed(guids), in: store, of: id) == 100)
    var next = feed(["new"] + guids)
    next.articles[70].html = "<p>Changed"
    let prepared = PreparedFeed(next)
    let details = try await store.details(ofNewIn: prepared, of: id, rules: .none)
    #expect(Set(details.keys) == ["new", "70"])
    #expect(try await store.save(prepared, of: id, details: details, at: noon) == 1)
  }

  @Test func `the id of an article is never given to another`() async throws {
    let directory = try TemporaryDirectory()
    let store = try ArticleStore(directory: directory.path)
    let id = try #require(try await store.insertFeed(address: "http://a.b/")?.id)
    func ids() async throws -> [Int64] {
      try await store.articles(matching: ArticleQuery()).map(\.id.rawValue).sorted()
    }
    _ = try await save(feed(["a", "b"]), in: store, of: id)
    let first = try await ids()
    try await store.write { try $0.execute(sql: "DELETE FROM article") }
    _ = try await save(feed(["c", "d", "e"]), in: store, of: id)
    let second = try await ids()
    #expect((first.count, second.count) == (2, 3))
    #expect(try #require(first.last) < second[0])
  }

  @Test func `each change of the feeds reaches the disk before it is told, a fetch need not`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let store = try ArticleStore(directory: directory.path)
    let waits = Mutex(0)
    try await store.write { database in
      database.trace(options: .statement) { event in
        if "\(event)".contains("synchronous = FULL") { waits.withLock { $0 += 1 } }
      }
    }
    func waited<Value>(_ change: () async throws -> Value) async throws -> Bool {
      let before = waits.withLock(\.self)
      _ = try await change()
      return waits.withLock(\.self) > before
    }
    let added = try #require(try await store.insertFeed(address: "https://a.example/feed"))
    #expect(waits.withLock(\.self) == 1, "added")
    #expect(try await !waited { try await self.save(feed(["1"]), in: store, of: added.id) })
    let folder = try #require(FeedFolder(["Tech"]))
    #expect(
      try await waited { try await store.arrange(added.id, as: FeedArrangement(folder: folder)) })
    #expect(try await waited { try await store.move(folder, to: nil) })
    #expect(try await waited { try await store.removeFeed(added.id, at: noon) })
    #expect(try await waited { try await store.restoreFeed(added.id) })
    #expect(
      try await waited {
        try await store.takeBack(added: [added.id], arranged: [], at: noon)
      })
    #expect(
      try await waited { try await store.insert([Subscription(address: "https://b.example/")]) })
  }

  @Test func `feeds and articles are sorted by the numbers in their titles`() async throws {
    let store = try ArticleStore.inMemory()
    for number in [10, 2, 1] {
      let address = "https://example.org/\(number)"
      let added = try #require(await store.insertFeed(address: address))
      _ = try await save(feed(["\(number)"], title: "Feed \(number)"), in: store, of: added.id)
    }
    let feeds = try await store.feedSummaries().map(\.feed.title)
    #expect(feeds == ["Feed 1", "Feed 2", "Feed 10"])
    for order in [ArticleOrder.title, .feed] {
      let titles = try await store.articles(matching: ArticleQuery(order: order)).map(\.title)
      #expect(titles == ["Title 1", "Title 2", "Title 10"])
    }
  }

  @Test func `what was kept is there when the store is opened again`() async throws {
    let directory = try TemporaryDirectory()
    do {
      let store = try ArticleStore(directory: directory.path + "/a/b")
      let added = try #require(await store.insertFeed(address: "https://example.org/feed"))
      #expect(try await save(feed(["1", "2"]), in: store, of: added.id) == 2)
    }
    let store = try ArticleStore(directory: directory.path + "/a/b")
    let summary = try #require(try await store.feedSummaries().first)
    #expect(summary.feed.title == "Feed")
    #expect(summary.feed.lastFetched == noon)
    #expect(summary.articleCount == 2)
    let articles = try await store.articles(matching: ArticleQuery(.feed(summary.id)))
    #expect(articles.map(\.title) == ["Title 1", "Title 2"])
    #expect(articles.map(\.feedTitle) == ["Feed", "Feed"])
    let text = try #require(try await store.article(articles[1].id)).1
    #expect(text.html == "<p>Text 2</p>")
  }

  @Test func `an article that comes again is changed, not doubled, and keeps its place`()
    async throws
  {
    let store = try ArticleStore.inMemory()
    let id = try #require(await store.insertFeed(address: "https://example.org/feed")).id
    var parsed = feed(["1", "2"])
    parsed.articles[0].published = noon.addingTimeInterval(-60)
    _ = try await save(parsed, in: store, of: id)
    let before = try await store.articles(matching: ArticleQuery())

    parsed.articles[0].published = nil
    parsed.articles[0].title = "Corrected"
    #expect(
      try await save(parsed, in: store, of: id, at: noon.addingTimeInterval(3_600)) == 0)
    let after = try await store.articles(matching: ArticleQuery())
    #expect(after.map(\.id) == before.map(\.id))
    #expect(after.map(\.title) == ["Title 2", "Corrected"])
    #expect(after.map(\.published) == [nil, noon.addingTimeInterval(-60)])
  }

  @Test func `what comes with an article is kept in order, and replaced when it changes`()
    async throws
  {
    let store = try ArticleStore.inMemory()
    let id = try #require(await store.insertFeed(address: "https://example.org/feed")).id
    var parsed = feed(["1"])
    let sound = Attachment(
      address: "https://example.org/1.mp3", type: "audio/mpeg", byteCount: 12_345_678, seconds: 3725
    )
    parsed.articles[0].attachments = [
      sound, Attachment(address: "https://example.org/1.jpg"),
    ]
    _ = try await save(parsed, in: store, of: id)
    let article = try #require(try await store.articles(matching: ArticleQuery()).first)
    let text = try #require(try await store.article(article.id)).1
    #expect(text.attachments == parsed.articles[0].attachments)

    parsed.articles[0].attachments = [sound]
    _ = try await save(parsed, in: store, of: id)
    let changed = try #require(try await store.article(article.id)).1
    #expect(changed.attachments == [sound])
    #expect(
      Document(changed).blocks == [
        .paragraph([.text("Text 1")]),
        .paragraph([
          .text("Audio, 1:02:05, 12.3 MB: "), .text("https://example.org/1.mp3", link: 1),
        ]),
      ])
  }

  @Test func `a picture that comes with an article stands in front when the text has none`() {
    let picture = Attachment(address: "https://example.org/1.jpg", type: "image")
    let plain = Document(StoredText(html: "<p>Text", base: nil, attachments: [picture]))
    #expect(plain.blocks.first == .picture(Picture(alt: "", address: picture.address)))
    let html = "<p>Text <img src='https://example.org/2.jpg' alt='two'> more"
    let own = Document(StoredText(html: html, base: nil, attachments: [picture]))
    #expect(own == HTMLRenderer.document(html: html))
  }

  @Test func `an unchanged feed writes no article`() async throws {
    let store = try ArticleStore.inMemory()
    let id = try #require(await store.insertFeed(address: "https://example.org/feed")).id
    _ = try await save(feed(["1", "2"]), in: store, of: id)
    try await store.write {
      try $0.execute(
        sql: "CREATE TRIGGER t BEFORE UPDATE ON article BEGIN SELECT RAISE(ABORT, 'x'); END")
    }
    #expect(try await save(feed(["1", "2"]), in: store, of: id) == 0)
    await #expect(throws: StoreError.self) {
      _ = try await save(
        feed(["1", "2"].reversed(), title: "New").with { $0.articles[0].title = "x" },
        in: store, of: id)
    }
    // Nothing of the failed transaction is there, the feed's title neither.
    #expect(try await store.feedSummaries().map(\.feed.title) == ["Feed"])
  }

  @Test func `articles come newest first, and those of the future do not stay on top`()
    async throws
  {
    let store = try ArticleStore.inMemory()
    let id = try #require(await store.insertFeed(address: "https://example.org/feed")).id
    var parsed = feed(["old", "future", "none", "recent"])
    parsed.articles[0].published = noon.addingTimeInterval(-9_000)
    parsed.articles[1].published = noon.addingTimeInterval(1e9)
    parsed.articles[3].published = noon.addingTimeInterval(-60)
    _ = try await save(parsed, in: store, of: id)
    _ = try await save(feed(["next"]), in: store, of: id, at: noon.addingTimeInterval(60))
    #expect(
      try await store.articles(matching: ArticleQuery()).map(\.title) == [
        "Title next", "Title future", "Title none", "Title recent", "Title old",
      ])
  }

  @Test func `feeds are kept apart and go with their articles`() async throws {
    let store = try ArticleStore.inMemory()
    let one = try #require(await store.insertFeed(address: "https://example.org/1")).id
    let two = try #require(await store.insertFeed(address: "https://example.org/2")).id
    #expect(try await store.insertFeed(address: "https://example.org/2") == nil)
    _ = try await save(feed(["same"], title: "One"), in: store, of: one)
    _ = try await save(feed(["same"], title: "Two"), in: store, of: two)
    #expect(try await store.articles(matching: ArticleQuery()).count == 2)
    #expect(
      try await store.articles(matching: ArticleQuery(.feed(two))).map(\.feedTitle) == ["Two"])

    #expect(try await store.removeFeed(two, at: noon) != nil)
    #expect(try await store.removeFeed(two, at: noon) == nil)
    #expect(try await store.articles(matching: ArticleQuery()).map(\.feedTitle) == ["One"])
    #expect(try await save(feed(["late"]), in: store, of: two) == nil)
    #expect(try await store.purgeRemoved(after: -1, limit: 10))
    #expect(try await !store.purgeRemoved(after: -1, limit: 10))
    #expect(
      try await store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM articleText") } == 1)
    let three = try #require(await store.insertFeed(address: "https://example.org/3")).id
    #expect(three != two)
  }

  @Test func `a failure is remembered until the next success`() async throws {
    let store = try ArticleStore.inMemory()
    let id = try #require(await store.insertFeed(address: "https://example.org/feed")).id
    let message = UserMessage(what: "What.", advice: "Advice.", detail: "detail")
    try await store.recordFailure(message, of: id, from: nil, at: noon)
    #expect(
      try await store.feedSummaries().first?.failure
        == FeedSummary.Failure(message: message, date: noon))
    #expect(try await store.feedSummaries().first?.feed.lastFetched == nil)
    try await store.recordUnchanged(id, from: nil, at: noon)
    #expect(try await store.feedSummaries().first?.failure == nil)
  }

  @Test func `a full disk is said to be full, and what was there stays`() async throws {
    let directory = try TemporaryDirectory()
    let store = try ArticleStore(directory: directory.path)
    let id = try #require(await store.insertFeed(address: "https://example.org/feed")).id
    _ = try await save(feed(["1"]), in: store, of: id)
    try await store.write { try $0.execute(sql: "PRAGMA max_page_count = 20") }
    await #expect(throws: StoreError.full(path: store.path)) {
      _ = try await save(feed((1...2_000).map(String.init)), in: store, of: id)
    }
    #expect(try await store.articles(matching: ArticleQuery()).map(\.title) == ["Title 1"])
  }

  @Test func `two openers of one file see each other's changes`() async throws {
    let directory = try TemporaryDirectory()
    let one = try ArticleStore(directory: directory.path)
    let two = try ArticleStore(directory: directory.path)
    let id = try #require(await one.insertFeed(address: "https://example.org/feed")).id
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<20 {
        group.addTask {
          _ = try await save(feed(["\(index)"]), in: index.isMultiple(of: 2) ? one : two, of: id)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await one.articles(matching: ArticleQuery()).count == 20)
    #expect(try await two.articles(matching: ArticleQuery()).count == 20)
  }
}

extension ParsedFeed {
  fileprivate func with(_ change: (inout ParsedFeed) -> Void) -> ParsedFeed {
    var copy = self
    change(&copy)
    return copy
  }
}
