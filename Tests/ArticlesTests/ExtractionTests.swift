import Foundation
import Limits
import Testing

@testable import Articles

/// How much of the text of a page is found, and how much of what is found is not of it, by words.
struct Agreement {
  let found: Double
  let foreign: Double

  var isGood: Bool { found >= 0.9 && foreign <= 0.1 }

  init(_ text: String, with expected: String) {
    let (text, expected) = (Self.words(text), Self.words(expected))
    let common = expected.reduce(0) { $0 + min($1.value, text[$1.key] ?? 0) }
    let (wanted, got) = (expected.values.reduce(0, +), text.values.reduce(0, +))
    found = wanted == 0 ? 1 : Double(common) / Double(wanted)
    foreign = got == 0 ? 0 : Double(got - common) / Double(got)
  }

  private static func words(_ text: String) -> [String: Int] {
    let words = SearchText.segmented(text).lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.reduce(into: [:]) { $0[String($1), default: 0] += 1 }
  }
}

@Suite struct ExtractionTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let pages = folder.appending(path: "ExtractionPages")

  static func words(_ html: String) -> String { HTMLText.text(html, limit: .max) }

  private static func page(_ name: String) throws -> String {
    try String(contentsOf: pages.appending(path: name + ".html"), encoding: .utf8)
  }

  private static func text(_ name: String) throws -> ExtractedText {
    try #require(
      ArticleExtractor.text(of: try page(name), address: "https://example.org/a/\(name)"))
  }

  /// What a page has between comments that say where its article is.
  private static func article(of page: String) -> String {
    page.components(separatedBy: "<!--article-->").dropFirst()
      .map { $0.components(separatedBy: "<!--/article-->")[0] }.joined(separator: " ")
  }

  static let names = [
    "answers", "blog", "divs", "documentation", "forum", "japanese", "linklog", "news", "pictures",
    "plain", "stub", "table-layout", "wiki",
  ]

  @Test(arguments: names)
  func `the article of a page is found, and little else`(_ name: String) throws {
    let page = try Self.page(name)
    let agreement = Agreement(
      Self.words(try Self.text(name).html), with: Self.words(Self.article(of: page)))
    #expect(agreement.isGood, "\(agreement)")
  }

  @Test func `code, tables, lists and the pictures that scripts would show survive`() throws {
    let manual = HTMLRenderer.document(html: try Self.text("documentation").html)
    let hasCode = manual.blocks.contains {
      if case .code("swift", let text) = $0 { text.contains("\n  return 2.1") } else { false }
    }
    let hasTable = manual.blocks.contains {
      if case .table(let table) = $0 { table.rows.count == 4 && table.hasHeader } else { false }
    }
    #expect(hasCode && hasTable)
    let fog = try Self.text("pictures")
    let pictures = HTMLRenderer.document(html: fog.html, base: fog.base).blocks.compactMap {
      if case .picture(let picture) = $0 { picture.address } else { nil }
    }
    #expect(pictures == (0..<5).map { "https://example.org/fog\($0).jpg" })
    #expect(try Self.text("blog").html.components(separatedBy: "<li>").count == 4)
    #expect(try Self.text("news").html.contains("src=\"/img/ferry.jpg\""))
  }

  @Test func `the heading that repeats the title is left out, and others stay`() throws {
    let page = try Self.page("news")
    let text = try #require(
      ArticleExtractor.text(of: page, address: "https://example.org/a", title: "Ferry plan"))
    #expect(!text.html.contains("<h1>") && text.html.contains("<h2>What happens next"))
  }

  @Test func `a section that is named after a word of the title keeps its heading`() throws {
    let paragraph = "<p>\(String(repeating: "Words, words. ", count: 60))</p>"
    let page = """
      <title>Tides and harbours | Site</title><body><article><h2>Tides and harbours</h2>\(paragraph)
      <h2>Tides</h2>\(paragraph)</article>
      """
    let text = try #require(
      ArticleExtractor.text(
        of: page, address: "https://example.org/a", title: "Tides and harbours"))
    #expect(text.html.contains("<h2>Tides</h2>") && !text.html.contains("<h2>Tides and"))
  }

  @Test(arguments: [
    (#"src="a.jpg""#, "a.jpg"), (#"src="data:image/gif;base64,x" data-src="b.jpg""#, "b.jpg"),
    (#"src="x.gif" class="lazyload" data-original="c.jpg""#, "c.jpg"),
    (#"src="a.jpg" data-src="b.jpg""#, "a.jpg"),
    (#"srcset="s.jpg 480w, m.jpg 1600w, l.jpg 4000w""#, "m.jpg"),
    (#"data-srcset="s.jpg 1x, m.jpg 2x""#, "m.jpg"),
    (#"data-anything="/p/d.png?w=1""#, "/p/d.png?w=1"),
  ])
  func `a picture is where the script of the page would look for it`(
    _ attributes: String, _ address: String
  ) throws {
    let page = "<body><p>\(String(repeating: "Words, words. ", count: 60))<img \(attributes)></p>"
    let text = try #require(ArticleExtractor.text(of: page, address: "https://example.org/"))
    #expect(text.html.contains("src=\"\(address)\""), "\(text.html.suffix(80))")
  }

  @Test(arguments: ["acronym", "big", "nobr", "data", "output", "time", "u"])
  func `an element in a sentence stays in it`(_ name: String) throws {
    let page =
      "<body><p>\(String(repeating: "Words. ", count: 99))<\(name)>Some</\(name)> more.</p>"
    let text = try #require(ArticleExtractor.text(of: page, address: "https://example.org/"))
    #expect(HTMLRenderer.document(html: text.html).blocks.count == 1)
  }

  @Test func `a quotation keeps its author, and the article loses its footer`() throws {
    let page = """
      <body><article><p>\(String(repeating: "Words, words. ", count: 60))</p>
      <blockquote><p>Warm feet.</p><footer>Ann</footer></blockquote><footer>Topics</footer></article>
      """
    let text = try #require(ArticleExtractor.text(of: page, address: "https://example.org/"))
    #expect(text.html.contains("Ann") && !text.html.contains("Topics"))
  }

  @Test func `the cells of a table keep their columns`() throws {
    let page = """
      <body><p>\(String(repeating: "Words, words. ", count: 60))</p><table><tr><th>a<th>b<th>c
      <tr><td rowspan=2>1<td colspan=2 align=right>2<tr><td>3<td>4</table>
      """
    let text = try #require(ArticleExtractor.text(of: page, address: "https://example.org/"))
    #expect(text.html.contains("<td rowspan=\"2\">1"))
    #expect(text.html.contains("<td colspan=\"2\" align=\"right\">2"))
  }

  @Test func `addresses are relative to what the page says`() throws {
    let text = ArticleExtractor.text(
      of: "<head><base href='/deep/'></head><body><p>\(String(repeating: "A, b. ", count: 99))",
      address: "https://example.org/a/b")
    #expect(text?.base == "https://example.org/deep/")
  }

  @Test(arguments: [
    String(repeating: "<div>", count: 5_000) + "a", String(repeating: "<b><p>x", count: 500),
    String(repeating: "<table><tr><td>", count: 1_000),
    String(repeating: "<ul><li>a<a href=b>c", count: 2_000),
    String(repeating: "<p class='\(String(repeating: "a", count: 500))'>t, ", count: 200),
    String(repeating: "<noscript><img src=a.jpg></noscript>", count: 2_000),
    String(repeating: "<h1><div class=author>", count: 2_000), "", "\u{0}", "<html>",
    "<title></title>a",
  ])
  func `a hostile page costs what its size allows`(_ html: String) {
    let budget = Budget(bytes: html.utf8.count) { false }
    _ = ArticleExtractor.text(of: html, address: "https://example.org/", budget: budget)
    #expect(budget.spent <= Budget.leastSteps + Budget.stepsPerByte * html.utf8.count + 20_000)
  }

  @Test func `a cancelled extraction finds nothing`() throws {
    let html = try Self.page("news")
    let budget = Budget(bytes: html.utf8.count) { true }
    for _ in 0..<20 { budget.spend(1 << 14) }
    #expect(
      ArticleExtractor.text(of: html, address: "https://example.org/", budget: budget) == nil)
  }

  @Test(arguments: [
    ("<meta charset=\"windows-1251\">", "windows-1251"),
    ("<meta http-equiv=content-type content='text/html; charset=Shift_JIS'>", "shift_jis"),
    ("<p>none", nil),
  ])
  func `a page says in which encoding it is`(_ html: String, _ charset: String?) {
    #expect(PageSource.declaredCharset(Array(html.utf8)) == charset)
  }

  @Test func `every page of the folder is read`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.pages.path)
    #expect(files.sorted() == Self.names.map { $0 + ".html" })
  }
}
