import Foundation
import GRDB
import PseudoTerminal
import Storage
import Synchronization
import Testing

@testable import Articles

@Suite struct NewsboatTests {
  @Test func `the list has addresses, tags and titles`() throws {
    let list = try NewsboatList.read(
      Array(
        #"""
        # my feeds
        https://example.org/feed.xml
        https://example.com/atom news "two words" "~My \"Title\"" !
        "https://example.net/a b" x # a comment
        file:///home/ann/local.xml

        exec:~/bin/make-feed.sh news
        "filter:~/bin/filter.pl:https://example.org/x"
        "query:Unread Articles:unread = \"yes\"" favourites
        https://example.org/feed.xml more
        nonsense
        """#.utf8))
    #expect(
      list.subscriptions == [
        Subscription(address: "https://example.org/feed.xml", tags: ["more"]),
        Subscription(
          address: "https://example.com/atom", name: #"My "Title""#, tags: ["news", "two words"]),
        Subscription(address: "https://example.net/a%20b", tags: ["x"]),
        Subscription(address: "file:///home/ann/local.xml"),
      ])
    #expect(list.refusals.map(\.reason) == [.program, .program, .query, .address])
    #expect(list.refusals[3].sentence == "This is not the address of a feed.")
    #expect(list.refusals[0].entry == "exec:~/bin/make-feed.sh news")
    #expect(
      list.refusals[0].sentence == "It would run a program: name that in a table [[exec]] of the "
        + "configuration file, then run argyle feeds add exec:NAME, or import your own list again "
        + "(in OPML with --own).")
    #expect(
      list.refusals[2].sentence
        == "It is a search over feeds, not a feed: search for is:unread and "
        + "save that with F2, or in a table [[search]] of the configuration file.")
    let other = SubscriptionList.Refusal(reason: .query, entry: "query:a:title =~ \"^a\"")
    #expect(
      other.sentence == "It is a search over feeds, not a feed: search for what it finds and save "
        + "that with F2, or in a table [[search]] of the configuration file.")
    #expect(try NewsboatList.read([0xFF, 0x0A, 0x22]).subscriptions.isEmpty)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `what is refused is named with its line`(end: String) throws {
    let lines = ["# Mine", "", "https://example.org/a", "", "not a url", "", "exec:~/x \"a b\""]
    let list = try NewsboatList.read(Array(lines.joined(separator: end).utf8))
    #expect(list.refusals.map(\.line) == [5, 7])
    #expect(list.refusals.map(\.words) == ["Line 5: not a url", "Line 7: exec:~/x \"a b\""])
  }

  @Test func `a program of the configuration may be named, with its title and tags`() throws {
    let text = """
      exec:notes "~My notes" mine
      "filter:notes:https://example.org/a" x
      exec:other
      "exec:notes --as-rss"
      exec:/usr/bin/notes
      """
    let list = try NewsboatList.read(Array(text.utf8), programs: ["notes"])
    #expect(
      list.subscriptions == [
        Subscription(address: "exec:notes", name: "My notes", tags: ["mine"]),
        Subscription(address: "filter:notes:https://example.org/a", tags: ["x"]),
      ])
    #expect(list.refusals.map(\.reason) == [.program, .program, .program])
  }

  @Test func `how many feeds newsboat hides is told, and no tag has its mark`() async throws {
    let text = """
      https://example.org/a ! news
      https://example.org/b "!hidden one"
      https://example.org/c news "~!Loud!"
      """
    let list = try NewsboatList.read(Array(text.utf8))
    #expect(list.subscriptions.map(\.tags) == [["news"], ["hidden one"], ["news"]])
    #expect(list.subscriptions.last?.name == "!Loud!")
    #expect(list.hiddenCount == 2)
    let report = try await Shelf().library.add(list)
    #expect(report.hiddenCount == 2)
  }

  @Test(
    arguments: [
      ("unread = \"yes\"", "is:unread"), ("unread = \"no\"", "is:read"),
      ("unread!=\"no\"", "is:unread"),
      ("tags # \"x\" and unread == \"yes\"", "tag:x and is:unread"),
      ("tags !# \"two words\" or title =~ \"Linux\"", "-tag:\"two words\" or title:Linux"),
      ("age < 7 and author =~ \"Ann\"", "age<7d and author:Ann"),
      ("feedtitle = \"News\"", "feed:News"),
      ("title =~ \"^a.*b$\"", nil), ("unread = \"yes\" and", nil), ("unread = yes", nil),
      ("unread = \"yes\" and (tags # \"x\")", nil), ("title =~ \"x", nil), ("title =~ \"xyz", nil),
      ("title =~ \"", nil), ("title =~ \"\"", nil), ("", nil),
      ("tags # \"a\" and tags # \"b\" or tags # \"c\"", nil), ("rssurl =~ \"x\"", nil),
    ] as [(String, String?)])
  func `a simple query of newsboat is named as a search`(
    expression: String, search: String?
  ) throws {
    #expect(NewsboatQuery.search(for: "query:Some title:\(expression)") == search)
    if let search { #expect(try ArticleCondition(search) != nil) }
  }

  @Test func `a long query is named as a whole search, and its entry is shortened`() throws {
    let names = (1...9).map { "tags # \"some quite long tag \($0)\"" }.joined(separator: " or ")
    let line = #""query:All:\#(names.replacing("\"", with: "\\\""))""#
    let list = try NewsboatList.read(Array(line.utf8))
    let refusal = try #require(list.refusals.first)
    #expect(refusal.entry.hasSuffix("…"))
    #expect(refusal.sentence.contains("or tag:\"some quite long tag 9\" and save that"))
  }

  @Test func `a list is recognised under any name`() async throws {
    let directory = try TemporaryDirectory()
    let list = try directory.write(
      "# Mine\n\nhttps://example.org/a x\n\"query:a:b\"\nnot a url\nexec:notes mine\n", to: "mylist"
    )
    #expect(NewsboatList.isFile("mylist", directory: directory.path))
    let shelf = try Shelf()
    shelf.library.options.programs = ["notes": FeedProgram(command: ["notes"])]
    let report = try await shelf.library.importList(at: list)
    #expect(report.added.map(\.address) == ["https://example.org/a", "exec:notes"])
    #expect(report.refusals.map(\.line) == [4, 5])

    let page = "<html><body>https://example.org/a</body></html>"
    let texts = ["", "# nothing\n", "Dear all,\nhttps://example.org/a is\nmy site.\n", page]
    for (index, text) in texts.enumerated() {
      _ = try directory.write(text, to: "\(index)")
      #expect(!NewsboatList.isFile("\(index)", directory: directory.path), "\(text)")
    }
    #expect(!NewsboatList.isFile("none", directory: directory.path))
    #expect(!NewsboatList.isFile(".", directory: directory.path))
    await #expect(throws: OPMLError.self) {
      try await shelf.library.importList(at: directory.path + "/2")
    }
  }

  @Test func `a list in another encoding is read`() throws {
    let line = "http://e.org/ \"~Caf"
    let expected = [Subscription(address: "http://e.org/", name: "Café")]
    #expect(try NewsboatList.read(Array("\u{FEFF}\(line)é\"".utf8)).subscriptions == expected)
    let latin = Array(line.utf8) + [0xE9, 0x22]
    #expect(try NewsboatList.read(latin).subscriptions == expected)
  }

  /// A file as newsboat 2.21 makes it.
  private func cache(
    in directory: TemporaryDirectory,
    _ items: [(feed: String, guid: String, url: String, unread: Int)]
  ) throws -> String {
    let path = directory.path + "/cache.db"
    try DatabaseQueue(path: path).write { database in
      try database.execute(
        sql: """
          CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL,
            title VARCHAR(1024) NOT NULL, lastmodified INTEGER(11) NOT NULL DEFAULT 0,
            is_rtl INTEGER(1) NOT NULL DEFAULT 0, etag VARCHAR(128) NOT NULL DEFAULT "");
          CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            guid VARCHAR(64) NOT NULL, title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL,
            url VARCHAR(1024) NOT NULL, feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL,
            content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024),
            enclosure_type VARCHAR(1024), enqueued INTEGER(1) NOT NULL DEFAULT 0,
            flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0, base VARCHAR(128) NOT NULL DEFAULT "");
          """)
      for item in items {
        try database.execute(
          sql: """
            INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread)
            VALUES (?, 't', '', ?, ?, 0, '', ?)
            """, arguments: [item.guid, item.url, item.feed, item.unread])
      }
    }
    return path
  }

  @Test func `what was read there is read here, now or when it is fetched`() async throws {
    let directory = try TemporaryDirectory()
    let address = "https://example.org/feed"
    let path = try cache(
      in: directory,
      [
        (address, "a", "https://example.org/a", 0), (address, "b", "https://example.org/b", 1),
        (address, "other guid", "https://example.org/c", 0),
        ("https://elsewhere.example/", "d", "", 0),
      ])
    let shelf = try Shelf()
    let list = try NewsboatList.read(Array("\(address)\n".utf8))
    let report = try await shelf.library.add(list, cache: try NewsboatCache(path: path))
    #expect(report.readMarks > 0)

    let parsed = ParsedFeed(
      articles: ["a", "b", "c"].map {
        ParsedArticle(guid: $0, title: $0, link: "https://example.org/\($0)")
      })
    let feed = try #require(try await shelf.store.feeds(in: .all).first).feed.id
    // What comes after a mistake is recognised later.
    var part = parsed
    (part.articles, part.mistake) = ([parsed.articles[0]], .truncated(line: 7))
    _ = try await shelf.store.save(PreparedFeed(part), of: feed, at: shelf.today.now)
    #expect(try await shelf.titles(.unread).isEmpty)
    _ = try await shelf.store.save(
      PreparedFeed(parsed), of: feed, at: shelf.today.now)
    #expect(try await shelf.titles(.unread) == ["b"])
    #expect(try await shelf.summary(feed)?.unreadCount == 1)
    // Of no more use, so not kept.
    let left = try await shelf.store.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM readElsewhere")
    }
    #expect(left == 0)

    // The same for articles that are here already.
    try await shelf.library.setRead(
      false, of: try await shelf.store.articles(matching: ArticleQuery()).map(\.id))
    _ = try await shelf.library.add(list, cache: try NewsboatCache(path: path))
    #expect(try await shelf.titles(.unread) == ["b"])
  }

  @Test func `many read marks are written in several transactions`() async throws {
    // In a process of its own: there is one observer for all files.
    await #expect(processExitsWith: .success) {
      let shelf = try Shelf()
      try await shelf.put([])
      let largest = Mutex(0)
      StoreReport.observe { report in
        guard case .wrote(_, let rows) = report.work else { return }
        largest.withLock { $0 = max($0, rows) }
      }
      let marks = Set<Int64>(0..<25_000)
      let count = try await shelf.store.insertReadMarks(["https://example.org/feed": marks])
      StoreReport.observe(nil)
      #expect(count == 25_000)
      #expect(largest.withLock(\.self) == ArticleStore.readMarksPerWrite)
    }
  }

  @Test func `an address that ends in the name of newsboat's list is no file`() {
    for path in ["/home/me/urls", "./urls", "~/.newsboat/urls", "file:///home/me/urls", "urls "] {
      #expect(NewsboatList.isFile(path, directory: "/home/me"), "\(path)")
    }
    for address in [
      "https://example.org/urls", "http://localhost:8080/urls", "example.org/urls",
      "feed://example.org/urls", "filter:wool:https://example.org/urls", "/home/me/urls.txt",
    ] {
      #expect(!NewsboatList.isFile(address, directory: "/home/me"), "\(address)")
    }
  }

  @Test func `a file that is not newsboat's is refused and left as it is`() throws {
    let directory = try TemporaryDirectory()
    let missing = directory.path + "/none.db"
    #expect(throws: NewsboatCacheError.missing(path: missing)) { try NewsboatCache(path: missing) }
    let text = try directory.write("no database", to: "text.db")
    #expect(throws: NewsboatCacheError.self) { try NewsboatCache(path: text) }
    #expect(try directory.bytes(of: "text.db") == Data("no database".utf8))
    let other = directory.path + "/other.db"
    try DatabaseQueue(path: other).write {
      try $0.execute(
        sql:
          "CREATE TABLE t (a); CREATE VIEW rss_item AS SELECT 1 AS guid, 2 AS url, 3 AS feedurl, 0 AS unread"
      )
    }
    #expect(throws: NewsboatCacheError.otherTables) { try NewsboatCache(path: other) }
  }

  @Test func `a file that newsboat has open is only read`() throws {
    let directory = try TemporaryDirectory()
    let path = try cache(in: directory, [("https://a.b/", "a", "", 0)])
    let before = try directory.bytes(of: "cache.db")
    #expect(try NewsboatCache(path: path).marks.count == 1)
    #expect(try directory.bytes(of: "cache.db") == before)
  }
}
