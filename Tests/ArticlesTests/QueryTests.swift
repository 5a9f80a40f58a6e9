import Foundation
import GRDB
import PseudoTerminal
import Testing

@testable import Articles

@Suite struct QueryTests {
  private static let utc = LocalDays { _ in 0 }
  /// 2026-11-20, 12:00.
  private static let now = Date(timeIntervalSince1970: 1_795_176_000)

  private func condition(
    _ text: String, isBeingTyped: Bool = false
  ) throws(QueryError) -> ArticleCondition? {
    try ArticleCondition(text, isBeingTyped: isBeingTyped, now: Self.now, days: Self.utc)
  }

  private static func words(
    _ text: String, in part: ArticleCondition.Part? = nil, isPrefix: Bool = false
  ) -> ArticleCondition? {
    SearchPhrase(text.unicodeScalars, isPrefix: isPrefix).map { .words($0, in: part) }
  }

  private static func all(_ parts: ArticleCondition?...) -> ArticleCondition {
    .all(parts.compactMap(\.self))
  }

  private static func any(_ parts: ArticleCondition?...) -> ArticleCondition {
    .any(parts.compactMap(\.self))
  }

  private static let week = ArticleCondition.since(now.addingTimeInterval(-7 * 86_400))
  private static func day(_ number: Int) -> ArticleCondition {
    .since(Date(timeIntervalSince1970: 1_795_132_800 + Double(number - 20) * 86_400))
  }

  // MARK: What is read

  @Test(
    arguments: [
      ("swift actors ", all(words("swift"), words("actors"))),
      ("swift act", all(words("swift"), words("act", isPrefix: true))),
      ("\"swift act", nil),
      ("\"swift act\"", words("swift act")),
      ("“swift act”", words("swift act")),
      ("unread", .not(.isRead)), ("UNREAD ", .not(.isRead)), ("\"unread\"", words("unread")),
      ("is:read", .isRead), ("is:unread starred", all(.not(.isRead), .isStarred)),
      ("unread and starred", all(.not(.isRead), .isStarred)),
      ("a or b ", any(words("a"), words("b"))),
      ("a b or c ", any(all(words("a"), words("b")), words("c"))),
      ("a (b or c) ", all(words("a"), any(words("b"), words("c")))),
      ("a(b) c ", all(words("a(b)"), words("c"))),
      ("(f(a) or b) ", any(words("f(a)"), words("b"))), ("print() ", words("print()")),
      ("\"a)\" b ", all(words("a)"), words("b"))),
      (
        "title:(swift or actors) ", any(words("swift", in: .title), words("actors", in: .title))
      ),
      (
        "title:(a b) c ",
        all(all(words("a", in: .title), words("b", in: .title)), words("c"))
      ),
      (
        "text: (a or (b not c)) ",
        any(
          words("a", in: .text),
          all(words("b", in: .text), words("c", in: .text).map(ArticleCondition.not)))
      ),
      ("title:(a or author:ann) ", any(words("a", in: .title), words("ann", in: .author))),
      ("title:(unread or a) ", any(words("unread", in: .title), words("a", in: .title))),
      ("title!=(a or b) ", any(words("a", in: .title), words("b", in: .title)).negated),
      ("tag:(dev or wool) ", any(.tag("dev"), .tag("wool"))),
      ("is:(unread or starred) ", any(.not(.isRead), .isStarred)),
      ("not a ", words("a").map(ArticleCondition.not)),
      ("-a b ", all(words("a").map(ArticleCondition.not), words("b"))),
      ("a - b ", all(words("a"), words("b"))),
      ("well-known ", words("well-known")),
      ("not (a or b)", any(words("a"), words("b")).negated),
      ("title:swift ", words("swift", in: .title)),
      (
        "title:\"two words\" author:ann text:x ",
        all(
          words("two words", in: .title), words("ann", in: .author), words("x", in: .text))
      ),
      ("title: swift ", words("swift", in: .title)), ("title=swift ", words("swift", in: .title)),
      ("title!=swift ", words("swift", in: .title).map(ArticleCondition.not)),
      ("feed:\"The News\"", .feed("The News")), ("tag:dev", .tag("dev")),
      ("folder:Tech/Swift", FeedFolder(["Tech", "Swift"]).map(ArticleCondition.folder)),
      ("link:example.org", .link("example.org")),
      ("age<7d", week), ("age < 7d", week), ("age>1w", .not(week)), ("age<=168h", week),
      ("date:today", all(day(20), .not(day(21)))), ("date:yesterday", all(day(19), .not(day(20)))),
      ("date>=2026-11-18", day(18)), ("date>2026-11-18", day(19)),
      ("date<2026-11-18", .not(day(18))), ("date<=2026-11-18", .not(day(19))),
      ("minutes<5", .minutes(0...4)), ("minutes>=5", .minutes(5...Int(Int32.max))),
      ("minutes:5", .minutes(5...5)), ("minutes<0", .any([])),
      ("minutes!=5", .not(.minutes(5...5))),
      ("note: this ", all(words("note:"), words("this"))), ("12:30 ", words("12:30")),
      ("std::string ", words("std::string")),
      ("C++", all(words("C++"), .text("C++", in: nil))),
      ("title:c# ", all(words("c#", in: .title), .text("c#", in: .title))),
      ("++ # ", nil), ("a+b ", words("a+b")),
      ("https://example.org ", words("https://example.org")),
      ("a<b ", words("a<b")), ("!!!", nil), ("", nil), (" ", nil), ("\"\"", nil), ("()", nil),
      ("a !!! b ", all(words("a"), words("b"))), ("android ", words("android")),
      ("nothing orange ", all(words("nothing"), words("orange"))),
      (
        "unread and feed:\"x y\" and (title:swift or tag:dev) and age<7d",
        all(
          .not(.isRead), .feed("x y"), any(words("swift", in: .title), .tag("dev")), week)
      ),
    ] as [(String, ArticleCondition?)])
  func `a query is read as its grammar says`(text: String, expected: ArticleCondition?) throws {
    if text == "\"swift act" {
      #expect(try condition(text, isBeingTyped: true) == Self.words("swift act"))
    } else {
      #expect(try condition(text) == expected)
    }
  }

  @Test(arguments: [
    ("titel:swift", 0..<5, "There is no field “titel”."),
    ("a foo:b", 2..<5, "There is no field “foo”."),
    ("age<7x b", 4..<6, "“7x” cannot be compared here."),
    ("age:7d b", 4..<6, "“7d” cannot be compared here."),
    ("date>2026-02-30 b", 5..<15, "“2026-02-30” cannot be compared here."),
    ("minutes>many b", 8..<12, "“many” cannot be compared here."),
    ("is:new b", 3..<6, "“new” cannot be compared here."),
    ("text:🧦 b", 5..<6, "“🧦” cannot be searched for here."),
    ("author:\"❤️\"", 7..<11, "“❤️” cannot be searched for here."),
    ("a) b", 1..<2, "Nothing opens this parenthesis."),
    ("json)", 4..<5, "Nothing opens this parenthesis."),
    ("unread title:swift)", 18..<19, "Nothing opens this parenthesis."),
    ("(a or b)) c", 8..<9, "Nothing opens this parenthesis."),
    ("a )", 2..<3, "Nothing opens this parenthesis."),
    ("a(b c", 1..<2, "The parenthesis is not closed."),
    ("a(b or c)", 1..<2, "The parenthesis is not closed."),
    (String(repeating: "a", count: 501), 0..<500, "The query is longer than 500 characters."),
    (
      String(repeating: "a ", count: 25), 48..<50,
      "The query has more than 24 words and conditions."
    ),
  ])
  func `an error names the part of the query that is wrong`(
    text: String, place: Range<Int>, what: String
  ) throws {
    for isBeingTyped in [false, true] {
      let error = #expect(throws: QueryError.self) {
        try condition(text, isBeingTyped: isBeingTyped)
      }
      #expect(error?.place == place)
      #expect(error?.what == what)
    }
  }

  @Test(arguments: [
    ("unread and", 7..<10), ("unread or ", 7..<9), ("unread not", 7..<10), ("unread (", 7..<8),
    ("unread title:", 7..<13), ("unread \"", 7..<8), ("unread age<7", 11..<12),
    ("unread age<", 7..<11), ("unread is:un", 10..<12), ("unread date>=2026-11", 13..<20),
    ("unread (title:", 8..<14), ("unread title:(", 13..<14), ("unread title:()", 7..<15),
    ("unread (title:)", 8..<14), ("unread title:((", 14..<15), ("unread text:🧦", 12..<13),
  ])
  func `what is not finished is left out while it is typed, and an error elsewhere`(
    text: String, place: Range<Int>
  ) throws {
    #expect(try condition(text, isBeingTyped: true) == .not(.isRead))
    let error = #expect(throws: QueryError.self) { try condition(text) }
    #expect(error?.place == place)
  }

  @Test(
    arguments: [
      ("(swift", words("swift", isPrefix: true)),
      ("title:(swift", words("swift", in: .title, isPrefix: true)),
      (
        "title:(a or swift",
        any(words("a", in: .title), words("swift", in: .title, isPrefix: true))
      ),
      ("a(swift", words("a(swift", isPrefix: true)),
    ] as [(String, ArticleCondition?)])
  func `a parenthesis may be open while a query is typed, and is an error elsewhere`(
    text: String, expected: ArticleCondition?
  ) throws {
    #expect(try condition(text, isBeingTyped: true) == expected)
    let error = #expect(throws: QueryError.self) { try condition(text) }
    #expect(error?.what == "The parenthesis is not closed.")
    let place = try #require(text.unicodeScalars.map { $0 }.firstIndex(of: "("))
    #expect(error?.place == place..<place + 1)
  }

  @Test(arguments: 0..<2_000 as Range<UInt64>)
  func `whatever is typed is read or refused, and never more than a query may have`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "(", ")", "\"", "-", "not ", "and ", "or ", "age", "<", ">=", "!=", ":", "7d", "title:", " ",
      "feed=", "unread", "is:", "日本", "\u{0}", "é", "date", "2026-11-19",
    ]
    let text = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
      pieces.randomElement(using: &generator) ?? ""
    }.joined()
    for isBeingTyped in [false, true] {
      do throws(QueryError) {
        let condition = try condition(text, isBeingTyped: isBeingTyped)
        #expect((condition?.size ?? 0) <= 2 * QueryParser.termLimit, "\(text)")
      } catch {
        #expect(error.place.upperBound <= text.unicodeScalars.count, "\(text)")
      }
    }
  }

  // MARK: What is found

  /// How many queries each of the 20 shelves is asked.
  private static let queries =
    ProcessInfo.processInfo.environment["ARGYLE_QUERIES"].flatMap { Int($0) } ?? 50

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a query finds what looking at each article finds`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let shelf = try Shelf()
    let articles = try await RandomShelf.fill(shelf, &generator)
    try await shelf.library.index()
    for _ in 0..<Self.queries {
      let condition = RandomShelf.condition(depth: 3, now: shelf.today.now, &generator)
      let expected = Set(articles.filter { $0.fulfils(condition) }.map(\.title))
      let query = ArticleQuery(where: condition)
      #expect(try await Set(shelf.titles(query)) == expected, "\(condition)")
      #expect(try await shelf.store.count(query) == expected.count, "\(condition)")
      let found = try await shelf.library.found(condition)
      #expect(Set(found.map(\.article.title)) == expected, "\(condition)")
      #expect(found.count == expected.count, "\(condition)")
    }
  }

  @Test func `a search without words has the newest first, with the beginning of each text`()
    async throws
  {
    let shelf = try Shelf()
    try await shelf.put(["new", "old"])
    let found = try await shelf.library.found("unread")
    #expect(found.map(\.article.title) == ["new", "old"])
    #expect(found.map(\.snippet.text) == ["Text of new", "Text of old"])
    #expect(found.flatMap(\.title.parts).allSatisfy { !$0.isMatch })
  }

  @Test func `conditions choose among the matches, and change nothing in their order`() async throws
  {
    let shelf = try Shelf()
    try await shelf.put(["a long title with wool in it", "wool", "wool and more", "socks"])
    let all = try await shelf.library.found("wool ").map(\.article.title)
    #expect(all == ["wool", "wool and more", "a long title with wool in it"])
    let found = try await shelf.library.found("wool unread not title:and (wool or text:socks) ")
    #expect(found.map(\.article.title) == ["wool", "a long title with wool in it"])
    #expect(found.first?.title.parts == [.init(text: "wool", isMatch: true)])
  }

  @Test func `an age is counted from each load`() async throws {
    let shelf = try Shelf()
    try await shelf.put(["a"])
    #expect(try await shelf.library.count(with: "age<1h", isRead: false) == 1)
    shelf.today.pass(7_200)
    #expect(try await shelf.library.count(with: "age<1h", isRead: false) == 0)
  }

  @Test func `names are compared without case and diacritics`() async throws {
    let shelf = try Shelf()
    let id = try await shelf.put(["a"], in: "Café News")
    try await shelf.library.arrange(
      id, as: FeedArrangement(folder: FeedFolder(["Études", "X"])))
    for text in ["feed:cafe", "feed:NEWS", "folder:etudes", "folder:ÉTUDES/x", "feed:example.org"] {
      #expect(try await shelf.library.found(text).count == 1, "\(text)")
    }
    for text in ["feed:tea", "folder:x", "folder:etude", "folder:etudes/y", "tag:etudes"] {
      #expect(try await shelf.library.found(text).isEmpty, "\(text)")
    }
  }

  @Test(arguments: 0..<20)
  func `a text without diacritics is folded as any other is`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let text = String(
      decoding: (0..<200).map { _ in UInt8.random(in: 0..<0x80, using: &generator) }, as: UTF8.self)
    #expect(
      FoldedText.folded(text)
        == text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
    #expect(FoldedText.folded(text + "ÉÀ") == FoldedText.folded(text) + "ea")
  }
}

extension ArticleCondition {
  fileprivate var negated: ArticleCondition { .not(self) }

  /// How many words and conditions it has.
  fileprivate var size: Int {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.size }
    case .not(let part): part.size
    default: 1
    }
  }
}
