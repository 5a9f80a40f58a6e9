import Foundation
import GRDB
import Loading
import PseudoTerminal
import Synchronization
import Testing

@testable import Articles

@Suite struct SearchTests {
  let shelf: Shelf
  var library: Library { shelf.library }

  init() throws { shelf = try Shelf() }

  /// Stores articles with a title and a text in HTML each.
  @discardableResult
  private func put(_ articles: [(String, String)], in name: String = "feed") async throws -> Feed.ID
  {
    try await shelf.put(
      articles: articles.map { ParsedArticle(guid: $0, title: $0, html: $1) }, in: name)
  }

  private func found(_ text: String, in query: ArticleQuery = ArticleQuery()) async throws
    -> [String]
  {
    try await library.found(text, in: query).map(\.article.title)
  }

  /// The index holds exactly what the articles say.
  private func checkIndex() async throws {
    try await shelf.store.write {
      try $0.execute(sql: "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }
  }

  // MARK: What is found

  @Test func `all words are looked for, and of the last one the beginning`() async throws {
    try await put([
      ("Concurrency", "<p>Actors in <b>Swift</b></p>"), ("Birds", "<p>A swift is a bird.</p>"),
    ])
    #expect(try await found("swift actors") == ["Concurrency"])
    #expect(try await found("swift act") == ["Concurrency"])
    #expect(try await found("act swift") == [])
    #expect(try await found("act ") == [])
    #expect(try await Set(found("SWIFT")) == ["Concurrency", "Birds"])
    #expect(try await found("nothing") == [])
    #expect(try await found("") == [])
  }

  @Test func `emoji and other signs, which the index lacks, are found in titles`() async throws {
    try await put([
      ("🧦 Wool", "<p>a</p>"), ("Love ❤️ wool", "<p>🧦</p>"), ("Flag 🇫🇷", "<p>b</p>"),
      ("Thumb 👍🏽", "<p>c</p>"),
    ])
    #expect(try await found("🧦") == ["🧦 Wool"])
    #expect(try await found("title:🧦 ") == ["🧦 Wool"])
    #expect(try await found("❤") == ["Love ❤️ wool"])
    #expect(try await found("❤️") == ["Love ❤️ wool"])
    #expect(try await found("🇫🇷") == ["Flag 🇫🇷"])
    #expect(try await found("👍") == ["Thumb 👍🏽"])
    #expect(try await found("🧦 wool") == ["🧦 Wool"])
    #expect(try await found("wool -🧦") == ["Love ❤️ wool"])
    let either = try await found("🧦 or 👍 ")
    #expect(either.sorted() == ["Thumb 👍🏽", "🧦 Wool"])
    // Punctuation beside words means nothing, as ever.
    let punctuated = try await found("wool & ")
    #expect(punctuated.count == 2)
  }

  @Test func `a sharp s and ligatures are found however they are written`() async throws {
    try await put([
      ("Straße", "<p>x</p>"), ("STRASSE", "<p>y</p>"), ("Oﬃce", "<p>z</p>"), ("Office", "<p>w</p>"),
      ("Wasserstraße", "<p>u</p>"), ("Wasserstrasse", "<p>t</p>"), ("Schlossstraße", "<p>s</p>"),
      ("Schloßstraße", "<p>r</p>"),
    ])
    for words in ["wasserstrasse", "Wasserstraße ", "waßerstraße", "title:wasserstraß"] {
      #expect(try await Set(found(words)) == ["Wasserstraße", "Wasserstrasse"], "\(words)")
    }
    for words in ["schlossstrasse", "Schlossstraße", "Schloßstraße "] {
      #expect(try await Set(found(words)) == ["Schlossstraße", "Schloßstraße"], "\(words)")
    }
    // Not more than an expression can have: of many, all or none.
    #expect(SearchText.spellings(of: "assassassass").count == 16)
    #expect(SearchText.spellings(of: "assassassassass") == ["assassassassass", "aßaßaßaßaß"])
    for words in ["straße", "strasse", "STRASSE", "Straße ", "title:strass", "\"strasse\""] {
      #expect(try await Set(found(words)) == ["Straße", "STRASSE"], "\(words)")
    }
    for words in ["office", "oﬃce ", "offic"] {
      #expect(try await Set(found(words)) == ["Oﬃce", "Office"], "\(words)")
    }
    let titles = try await library.found("strasse").map(\.title)
    #expect(titles.allSatisfy { $0.parts.map(\.isMatch) == [true] })
    #expect(Set(titles.map(\.text)) == ["Straße", "STRASSE"])
  }

  @Test func `the signs at the end of a word are looked for`() async throws {
    try await put([
      ("C", "<p>The language C, and the grade A</p>"), ("Old", "<p>A guide to c&#43;&#43;</p>"),
      ("C# and C++", "<p>x</p>"), ("Cats", "<p>x</p>"), ("A+", "<p>The grade, and é#</p>"),
    ])
    #expect(try await Set(found("c++")) == ["Old", "C# and C++"])
    #expect(try await Set(found("C++ ")) == ["Old", "C# and C++"])
    #expect(try await found("C+ guide") == ["Old"])
    #expect(try await found("c#") == ["C# and C++"])
    #expect(try await found("title:c++") == ["C# and C++"])
    #expect(try await found("text:c++") == ["Old"])
    #expect(try await found("É#") == ["A+"])
    #expect(try await Set(found("c or a+")) == ["C", "Old", "C# and C++", "A+"])
    #expect(try await Set(found("c not c++ ")) == ["C"])
    // The best are first, and the word is marked, as without signs.
    let best = try await library.found("c++")
    #expect(best.map(\.article.title) == ["C# and C++", "Old"])
    #expect(best[0].title.parts.filter(\.isMatch).map(\.text) == ["C", "C"])
    let list = ArticleQuery(where: try #require(try ArticleCondition("c++")))
    #expect(try await Set(library.storedArticles(matching: list).map(\.title)).count == 2)
  }

  @MainActor
  @Test func `a search is a list, in the order of all lists`() async throws {
    try await put([("Swift one", "<p>x</p>"), ("Other", "<p>y</p>"), ("Two", "<p>swift</p>")])
    let list = Resource(library.listing(with: "swift", refresh: .never))
    #expect(await list.refresh().value?.articles.map(\.title) == ["Swift one", "Two"])
  }

  @MainActor
  @Test func `a search as a list has the newest first, however bad they are, and all matches`()
    async throws
  {
    // What was stored first is the best.
    try await put((0..<600).map { ("Sock \($0)", "sock sock sock") }, in: "best")
    shelf.today.pass(86_400)
    let newer = (0..<5).map { "New \($0)" }
    try await put(newer.map { ($0, "a long text with one sock") }, in: "newer")
    let list = Resource(library.listing(with: "sock", refresh: .never))
    let articles = try #require(await list.refresh().value?.articles)
    #expect(articles.count == 605)
    #expect(articles.prefix(5).map(\.title) == newer)
  }

  @Test func `words in quotes stand together`() async throws {
    try await put([("One", "the quick brown fox"), ("Two", "the brown quick fox")])
    #expect(try await found("\"quick brown\"") == ["One"])
    #expect(try await found("“quick brown”") == ["One"])
    #expect(try await found("\"quick brown\" fox") == ["One"])
    #expect(try await found("\"quick bro") == [])
    #expect(try await Set(found("quick brown")) == ["One", "Two"])
  }

  @Test(arguments: [
    ("日", ["日本語の記事"]), ("日本", ["日本語の記事"]), ("本語", ["日本語の記事"]), ("本日", []),
    ("記事", ["日本語の記事"]), ("東京", ["日本語の記事"]), ("京", ["日本語の記事"]), ("ス", ["カタカナ"]),
    ("テスト", ["カタカナ"]), ("iPhone", ["カタカナ"]), ("iPhone用", ["カタカナ"]), ("한", ["한국어"]),
    ("국어", ["한국어"]), ("어국", []), ("ภาษา", ["ไทย"]), ("ไทย", ["ไทย"]), ("ทย", ["ไทย"]),
    ("𠮷", ["カタカナ"]),
  ])
  func `single characters of scripts without spaces are found`(
    text: String, expected: [String]
  ) async throws {
    try await put([
      ("日本語の記事", "<p>東京は日本の首都です。</p>"), ("カタカナ", "テスト、新しいiPhone用の𠮷野家"),
      ("한국어", "<p>한국어는 어렵다</p>"), ("ไทย", "<p>ภาษาไทยไม่ยาก</p>"),
    ])
    #expect(try await found(text) == expected)
  }

  @Test func `case and diacritics make no difference, and vowel signs do`() async throws {
    try await put([
      ("Café crème", "Ça va? STRASSE"), ("हिन्दी", "<p>यह किताब है</p>"),
      ("Nguyễn", "e\u{301}te\u{301}"),
    ])
    #expect(try await found("cafe creme") == ["Café crème"])
    #expect(try await found("CAFÉ") == ["Café crème"])
    #expect(try await found("ca va") == ["Café crème"])
    #expect(try await found("nguyen") == ["Nguyễn"])
    #expect(try await found("été") == ["Nguyễn"])
    #expect(try await found("किताब") == ["हिन्दी"])
    #expect(try await found("कत ") == [])
  }

  @Test func `HTML is read as text`() async throws {
    try await put([
      (
        "a",
        """
        <style>p { color: red }</style><script>var hidden = 1 < 2</script><!-- secret -->
        <p title="a > tooltip">One<b>word</b> caf&eacute; &#x65e5;&#26412; 1 &lt; 2</p><li>item</li>\
        hy\u{AD}phen
        """
      )
    ])
    for text in ["oneword", "café", "日本", "item", "hyphen"] {
      #expect(try await found(text) == ["a"], "\(text)")
    }
    for text in ["color", "hidden", "secret", "tooltip", "eacute"] {
      #expect(try await found(text) == [], "\(text)")
    }
  }

  @Test func `a match in the title comes first, then the text that has most of it`() async throws {
    let filler = String(repeating: "word ", count: 40)
    try await put([
      ("Once", "<p>\(filler) sock \(filler)</p>"), ("The sock", "<p>\(filler) \(filler)</p>"),
      ("Twice", "<p>\(filler) sock sock \(filler)</p>"), ("Never", filler), ("Nowhere", filler),
    ])
    #expect(try await found("sock") == ["The sock", "Twice", "Once"])
  }

  @Test func `of equally good results the newest comes first`() async throws {
    let titles = (0..<5).map { "Sock \($0)" }
    try await shelf.put(titles, in: "one")
    #expect(try await found("sock ") == titles)
    shelf.today.pass(86_400)
    try await shelf.put(["Sock 5"], in: "two")
    #expect(try await found("sock ") == ["Sock 5"] + titles)
    #expect(try await found("sock ", in: .unread) == ["Sock 5"] + titles)
  }

  @Test func `the exact words come first if the title has them, above all in sequence`()
    async throws
  {
    // In the order of a feed, with the best of them last.
    let others = (1...9).map { "Big item 16 about topic \($0)" }
    let longer = ["Big item 3 about topic 160", "Big item 4 about topic 1600"]
    try await put(
      [("Item", "topic 16 topic 16 topic 16 topic 16")] + longer.map { ($0, "topic 16") }
        + others.map { ($0, "text") } + [("A rather long title: big item 2 about topic 16", "text")]
    )
    let found = try await found("topic 16")
    #expect(found.first == "A rather long title: big item 2 about topic 16")
    #expect(Set(found.dropFirst().prefix(9)) == Set(others))
    #expect(Set(found.dropFirst(10).prefix(2)) == Set(longer))
    #expect(found.last == "Item")
    let titled = try await self.found("title:topic title:16")
    #expect(titled.first == "A rather long title: big item 2 about topic 16")
  }

  @Test func `a result shows where the words are`() async throws {
    try await put([("Swift socks", "<p>Some &lt;b&gt; text about <i>socks</i>: 東京の靴下</p>")])
    let result = try #require(try await library.found("sock").first)
    #expect(
      result.title.parts == [
        .init(text: "Swift ", isMatch: false), .init(text: "socks", isMatch: true),
      ])
    #expect(
      result.snippet.parts == [
        .init(text: "Some <b> text about ", isMatch: false), .init(text: "socks", isMatch: true),
        .init(text: ": 東京の靴下", isMatch: false),
      ])
    let other = try #require(try await library.found("靴下").first)
    #expect(other.snippet.parts.last == .init(text: "靴下", isMatch: true))
    #expect(other.title.parts == [.init(text: "Swift socks", isMatch: false)])
  }

  @Test func `the excerpt of a long text is cut around the first place with most of the words`()
    async throws
  {
    let filler = String(repeating: "word ", count: 100)
    try await put([
      ("Long", "<p>\(filler) sock \(filler) wet sock in the rain \(filler)</p>")
    ])
    let snippet = try #require(try await library.found("wet sock").first?.snippet)
    #expect(snippet.parts.filter(\.isMatch).map(\.text) == ["wet", "sock"])
    #expect(snippet.text.hasPrefix("…word "))
    #expect(snippet.text.contains("word wet sock in the rain word"))
    #expect(snippet.text.hasSuffix(" word…"))
    #expect(snippet.text.split(separator: " ").count == 24)
    let phrase = try #require(try await library.found("\"sock in the\"").first?.snippet)
    #expect(phrase.parts.filter(\.isMatch).map(\.text) == ["sock in the"])
  }

  @Test func `a text without spaces or words is cut too`() async throws {
    try await put([
      ("sock one", String(repeating: "x", count: 50_000)),
      ("sock two", String(repeating: "!", count: 50_000)), ("sock three", ""),
    ])
    for result in try await library.found("sock") {
      #expect(result.snippet.text.utf8.count <= 2_010)
      #expect(result.title.parts.first == .init(text: "sock", isMatch: true))
    }
  }

  @Test func `a text of matches is read once, and its results come before its snippets`()
    async throws
  {
    let text = String(repeating: "the ", count: 100_000)
    try await put((0..<6).map { ("Long \($0)", text) })
    try await library.index()
    let condition = try #require(try ArticleCondition("the "))
    let handedOn = Mutex<[Int]>([])
    let results = try await shelf.store.search(
      condition, in: ArticleQuery(), limit: 100,
      found: { results in
        handedOn.withLock { $0.append(results.count { !$0.snippet.parts.isEmpty }) }
      })
    #expect(results.count == 6)
    #expect(results.allSatisfy { $0.snippet.parts.first == .init(text: "the", isMatch: true) })
    // With the snippet of the first one; then each time that as much was read again.
    #expect(handedOn.withLock { $0 } == [1, 2, 4])
  }

  // MARK: Where

  @Test func `a search is about a feed, a folder, the unread or the starred`() async throws {
    let one = try await put([("a", "sock"), ("b", "sock")], in: "one")
    let two = try await put([("c", "sock")], in: "two")
    let folder = try #require(FeedFolder(["F"]))
    try await library.arrange(two, as: FeedArrangement(folder: folder))
    try await library.setRead(true, of: [try await shelf.id("a")])
    try await library.setStarred(true, of: [try await shelf.id("b")])
    func titles(_ query: ArticleQuery) async throws -> Set<String> {
      Set(try await found("sock", in: query))
    }
    #expect(try await titles(ArticleQuery()) == ["a", "b", "c"])
    #expect(try await titles(ArticleQuery(.feed(one))) == ["a", "b"])
    #expect(try await titles(ArticleQuery(.folder(folder))) == ["c"])
    #expect(try await titles(.unread) == ["b", "c"])
    #expect(try await titles(.starred) == ["b"])
    #expect(try await library.count(with: "so", isRead: false) == 2)
    #expect(try await library.count(with: "wool", isRead: false) == 0)
    #expect(try await library.count(with: " ", isRead: false) == 0)
    try await library.remove(two)
    #expect(try await titles(ArticleQuery()) == ["a", "b"])
  }

  // MARK: The index

  @Test func `the index follows what changes, goes and comes`() async throws {
    let feed = try await put([("a", "old words"), ("b", "other")])
    #expect(try await found("old") == ["a"])
    try await put([("a", "new words"), ("c", "third")])
    #expect(try await found("old ") == [])
    #expect(try await found("new") == ["a"])
    #expect(try await found("third") == ["c"])
    try await checkIndex()
    try await library.remove(feed)
    #expect(try await found("new") == [])
    while try await shelf.store.purgeRemoved(after: -1, limit: 1) {}
    try await checkIndex()
    #expect(
      try await shelf.store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM search") } == 0)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `the index is whole after any changes`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let articles = (0..<4).map { index in
        ("\(index)", (0..<3).map { _ in generator.hostileText(length: 8) }.joined(separator: "<p>"))
      }
      try await put(articles)
      if Bool.random(using: &generator) { _ = try await shelf.store.index(limit: 2) }
      if Bool.random(using: &generator) {
        try await shelf.store.write {
          try $0.execute(sql: "DELETE FROM article WHERE guid = '2'")
        }
      }
      try await checkIndexed()
      // Whatever is typed is no syntax of the index.
      let text = generator.hostileText(length: 12)
      do {
        _ = try await library.found(text)
        _ = try await library.found("\"\(text)")
      } catch is QueryError {}
    }
    try await library.index()
    try await checkIndex()
  }

  @Test func `an article that changes while its words are made is found by the new ones`()
    async throws
  {
    try await put([("a", "old words"), ("b", "other words")])
    let read = try await shelf.store.unindexed(limit: 10)
    try await put([("a", "new words")])
    try await shelf.store.index(read)
    try await checkIndexed()
    #expect(try await shelf.store.unindexed(limit: 10).map(\.title) == ["a"])
    #expect(try await found("new") == ["a"])
    #expect(try await found("old ") == [])
    try await checkIndex()
  }

  @Test func `the texts that are indexed at a time are of a few megabytes`() async throws {
    let text = String(repeating: "word ", count: 600_000)
    try await put(["a", "b", "c"].map { ($0, text) })
    #expect(try await shelf.store.unindexed(limit: 10).map(\.title) == ["c", "b"])
    #expect(try await shelf.store.index(limit: 10))
    #expect(try await shelf.store.unindexed(limit: 10).map(\.title) == ["a"])
    #expect(try await shelf.store.index(limit: 10))
    #expect(try await !shelf.store.index(limit: 10))
  }

  /// The index without those that are not in it yet.
  private func checkIndexed() async throws {
    try await shelf.store.write {
      try $0.execute(sql: "INSERT INTO search (search) VALUES ('integrity-check')")
    }
  }

  @Test(arguments: [
    "\"", "\"\"", "*", "a*", "NEAR(a b)", "{title} : a", "a + b", "^a", "a OR b)", "(a OR b)",
    "'; DROP TABLE article; --", "\u{0}", "a\u{0}b", ":", "\\", "%", "_", "a\"b\"c", "\u{200B}",
    "\u{301}", "日\"本", "👩‍👩‍👧", "!!!", "..", "title:\"a\" *", "feed:%", "tag:'", "link:\"'; --",
  ])
  func `nothing that is typed is an operator of the index or of SQL`(text: String) async throws {
    try await put([("a", "a b"), ("AND OR NOT NEAR", "title near drop table")])
    for text in [text, text + " "] {
      do { _ = try await library.found(text) } catch is QueryError {}
    }
    #expect(try await shelf.titles().count == 2)
  }

  @Test func `what was stored a moment ago is found without anybody's doing`() async throws {
    try await put([("a", "sock")])
    #expect(try await shelf.store.hasUnindexed())
    let resource = await Resource(library.search("sock"))
    #expect(await resource.refresh().value?.map(\.article.title) == ["a"])
    #expect(try await !shelf.store.hasUnindexed())
  }
}

@Suite struct SearchStoppingTests {
  @Test func `a search that nobody waits for stops in the middle, and the next one works`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let store = try ArticleStore(directory: directory.path)
    let searcher = store.searcher
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let endless = Task {
      try await searcher.read { database, _ in
        begin.yield()
        // Would count until the numbers run out.
        return try Int.fetchOne(
          database,
          sql:
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x & 1 FROM n) SELECT MAX(x) FROM n")
      }
    }
    for await _ in begun { break }
    let waiting = Task { try await searcher.read { _, _ in 1 } }
    waiting.cancel()
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try await searcher.read { _, _ in 2 } == 2)
  }
}
