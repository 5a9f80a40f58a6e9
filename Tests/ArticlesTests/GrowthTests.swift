import Limits
import PseudoTerminal
import Testing

@testable import Articles

/// A text from outside that was or could be slow to read, of any size.
struct Growth: Sendable, CustomTestStringConvertible {
  let name: String
  /// How often its piece is repeated at first; then twice, four, eight and sixteen times as often.
  var count = 400
  let text: @Sendable (_ count: Int) -> String
  let read: @Sendable (_ bytes: [UInt8], _ budget: Budget) -> Void

  var testDescription: String { name }
}

/// Work and memory for texts from outside grow with their size and no faster.
@Suite struct GrowthTests {
  @Test(
    arguments: feeds + syncs + texts + lists + headers + searches + episodes
  ) func `work grows in proportion to the text`(growth: Growth) {
    var before: (steps: Int, bytes: Int)?
    for doubling in 0..<5 {
      let bytes = Array(growth.text(growth.count << doubling).utf8)
      let budget = Budget(bytes: bytes.count) { false }
      growth.read(bytes, budget)
      #expect(budget.end != .tooMuch(.work), "\(bytes.count) bytes took \(budget.spent) steps")
      #expect(
        budget.spent <= 16_384 + 40 * bytes.count,
        "\(bytes.count) bytes took \(budget.spent) steps")
      if let before {
        // As many more steps as there are more bytes, and an eighth.
        let expected = before.steps * bytes.count / before.bytes * 9 / 8 + 16_384
        #expect(budget.spent <= expected, "\(before.steps) steps, then \(budget.spent)")
      }
      before = (budget.spent, bytes.count)
    }
  }

  @Test(arguments: feeds + syncs + texts + lists + searches + episodes)
  func `a cancelled task stops in the middle`(
    growth: Growth
  ) {
    let bytes = Array(growth.text(growth.count * 16).utf8)
    let whole = Budget(bytes: bytes.count) { false }
    growth.read(bytes, whole)
    // Short enough that a task would end before it is asked again.
    guard whole.spent > 60_000 else { return }
    let budget = Budget(bytes: bytes.count) { true }
    growth.read(bytes, budget)
    #expect(budget.end == .cancelled)
    #expect(budget.spent < whole.spent)
  }

  /// Comparing texts with many marks, and looking for one text among many, take quadratic time and
  /// are no steps that anything counts.
  @Test(
    arguments: feeds + syncs + lists + headers + searches + queries + episodes
      + texts.filter { $0.name.contains("marks") }
  ) func `time grows in proportion to the text`(growth: Growth) {
    func read(_ count: Int) -> () -> Void {
      let bytes = Array(growth.text(count).utf8)
      return { growth.read(bytes, Budget(bytes: bytes.count) { false }) }
    }
    // Sixteen times as much text; quadratic work would take 256 times as long.
    let excess = excessOfTime(
      over: 64, small: read(4 * growth.count), large: read(64 * growth.count))
    #expect(excess == nil)
  }

  @Test(arguments: feeds) func `a feed takes ten times the memory of its text at most`(
    growth: Growth
  ) {
    let bytes = Array(growth.text(growth.count * 8).utf8)
    guard let feed = try? FeedParser.parse(bytes, address: "https://example.org/") else { return }
    let size = feed.articles.reduce(0) { size, article in
      let texts = [article.guid, article.title, article.html] + article.attachments.map(\.address)
      return size + MemoryLayout<ParsedArticle>.stride
        + texts.reduce(0) { $0 + ($1.utf8.count > 15 ? $1.utf8.count + 32 : 0) }
    }
    // What is not in proportion: as many articles as a feed may have.
    let articles = FeedParser.articleLimit * 2 * MemoryLayout<ParsedArticle>.stride
    #expect(size <= 10 * bytes.count + articles)
  }

  @Test(arguments: pages)
  func `an article takes ten times the memory of its text and 16 MB at most`(
    growth: Growth
  ) {
    let html = growth.text(growth.count * 128)
    let count = html.utf8.count
    let tree = HTMLTree(html, budget: Budget(bytes: count) { false })?.byteCount
    let document = HTMLRenderer.document(html: html, base: "https://example.org/")
    let size = (tree ?? HTMLTree.memoryLimit(forBytes: count)) + document.byteCount
    #expect(size <= 10 * count + 16 << 20, "\(count) bytes took \(size)")
  }

  @Test func `links relative to a long address end before they take much memory`() throws {
    let html = times(4_000) { "<a href=\($0)>x</a> <img src=\($0)>" }
    let document = HTMLRenderer.document(html: html, base: longBase)
    #expect(document.byteCount <= 20 * html.utf8.count + 32 << 20)
    #expect(document.blocks.last == Self.endByMemory)
    let page = times(10_000) { "<link rel=feed href=\($0)>" }
    #expect(FeedDiscovery.pageLinks(page, base: longBase).count < 5_000)
    // The address of a feed is its base, which may be longer after a redirect.
    let items = times(5_000, "{\"url\":\"a\",\"attachments\":[{\"url\":\"b\"}]},")
    for address in [longBase, longBase + longBase] {
      #expect(throws: FeedError.tooMuch(.memory)) {
        try FeedParser.parse(
          Array(#"{"title": "T", "items": [\#(items)]}"#.utf8), address: address)
      }
      #expect(throws: FeedError.tooMuch(.memory)) {
        try FeedParser.parse(
          Array("<feed>\(times(5_000, "<entry/>"))</feed>".utf8), address: address)
      }
    }
  }

  @Test(arguments: ["<img src=1>", "<video><source src=1></video>"], [0, 1])
  func `an article may end at any address`(piece: String, links: Int) {
    let html = times(links, "<a href=1>x</a>") + times(4_000, piece)
    let document = HTMLRenderer.document(html: html, base: longBase)
    #expect(document.blocks.last == Self.endByMemory)
  }

  private static let endByMemory = Block.paragraph([
    .text(
      "The rest of this text is left out: it has relative addresses that would take far too much "
        + "memory.", .emphasis)
  ])

  @Test func `what is too much is refused in plain words`() {
    func message(_ text: String) -> String? {
      do throws(FeedError) {
        _ = try FeedParser.parse(Array(text.utf8), address: "https://example.org/")
        return nil
      } catch {
        return error.message.what
      }
    }
    func text(_ name: String, _ count: Int) -> String {
      Self.feeds.first { $0.name == name }?.text(count) ?? ""
    }
    #expect(
      message(text("attributes in one element", 129))
        == "The feed has more than 128 attributes in one element.")
    #expect(
      message(text("entities", 1_001)) == "The feed has more than 1000 entities of its own.")
    #expect(
      message(text("namespaces in elements in each other", 200))
        == "The feed has more than 256 namespaces at one place.")
    #expect(
      message(text("JSON items that say nothing", 50_001))
        == "The feed has more than 50000 articles.")
    #expect(
      message(text("items that say nothing", 50_001)) == "The feed has more than 50000 articles.")
    #expect(
      FeedError.tooMuch(.work).message.what
        == "The feed has a structure that would take far too long to read.")
  }
}

let marks = "\u{301}\u{316}"

/// An address nearly as long as one may be.
let longBase = "https://example.org/" + times(7_960, "a") + "/"

private func read(_ name: String, _ count: Int = 400, _ text: @escaping @Sendable (Int) -> String)
  -> Growth
{
  Growth(name: name, count: count, text: text) { bytes, budget in
    let feed = try? FeedParser.parse(
      bytes, address: "https://example.org/", charset: nil, chunkSize: 1 << 20, budget: budget)
    guard let feed else { return }
    let prepared = PreparedFeed(feed)
    for article in prepared.articles {
      _ = ArticleDetails(article, home: prepared.home, rules: .none)
    }
  }
}

private func rss(_ text: String) -> String { "<rss><channel>\(text)</channel></rss>" }

private func json(_ members: String) -> String { #"{"title": "T", "items": [], \#(members)}"# }

func times(_ count: Int, _ text: (Int) -> String) -> String {
  (0..<count).map(text).joined()
}

func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

extension GrowthTests {
  static let feeds: [Growth] = [
    read("document types in a title") { rss("<title>\(times($0, "&lt;!doctype"))</title>") },
    read("comments in a title") { rss("<title>\(times($0, "&lt;!-- "))</title>") },
    read("tags in a title that do not end") { rss("<title>\(times($0, "&lt;b '"))</title>") },
    read("quotes in tags of a title that do not end") {
      rss("<title>\(times($0, "&lt;b \">\""))</title>")
    },
    read("scripts in a title") { rss("<title>\(times($0, "&lt;script&gt;&lt;/s"))</title>") },
    read("long names of tags in a title") {
      rss("<title>\(times($0, "&lt;bbbbbbbb"))&gt;</title>")
    },
    read("attributes in one element", 100) { rss("<item \(times($0) { "a\($0)='' " })/>") },
    read("elements with many attributes", 20) { count in
      rss(times(count, "<item \(times(128) { "a\($0)='' " })/>"))
    },
    read("quotes in tags") { rss(times($0, "<a '<b \"")) },
    read("entities", 100) { "<!DOCTYPE rss [\(times($0) { "<!ENTITY e\($0) ''>" })]>" + rss("") },
    read("entities without names") { "<!DOCTYPE rss [" + times($0, "<!ENTITY") },
    read("namespaces in elements in each other", 10) { count in
      "<rss>" + times(min(count, 200)) { "<a\($0) xmlns:p\($0)='u\($0)' xmlns:q\($0)='v\($0)'>" }
        + times(count, "<p1:b/>")
    },
    read("elements in each other") { "<rss>" + times($0, "<a>") },
    read("comments") { rss(times($0, "<!-- -->")) },
    read("comments that do not end") { rss(times($0, "<!-- ")) },
    read("bare signs") { rss("<title>\(times($0, "& < &amp &#; &x;"))</title>") },
    read("marks in a title") { rss("<title>\(times($0, marks))</title>") },
    read("marks as references") { rss("<title>\(times($0, "&#x301;&#x316;"))</title>") },
    read("marks in an address") { rss("<link>https://example.org/\(times($0, marks))</link>") },
    read("items that say nothing") { rss(times($0, "<item/>")) },
    read("items with one id") { rss(times($0, "<item><guid>a</guid><title>b</title></item>")) },
    read("items with ids of marks") {
      rss(times($0) { "<item><guid>\(marks)\($0)</guid></item>" })
    },
    read("authors of a channel") { count in
      "<feed><author><name>\(times(count, "a"))</name></author>"
        + times(count, "<author><name>b</name></author>") + "</feed>"
    },
    read("texts of an entry") { rss("<item>\(times($0, "<description>a</description>"))</item>") },
    read("enclosures below a long base", 20) { count in
      "<feed xml:base='\(longBase)'>" + times(count, "<entry>\(enclosures)</entry>")
    },
    read("long bases in each other", 4) { count in
      "<feed xml:base='\(longBase)'>" + times(40, "<a xml:base='\(times(3_995, "b/"))'>")
        + times(count, "<entry>\(enclosures)</entry>")
    },
    read("bases in each other") { "<feed>" + times(200, "<a xml:base='b/'>") + times($0, "<c/>") },

    read("JSON items that say nothing") { count in
      #"{"title": "T", "items": [\#(times(count, #"{"a":0},"#))]}"#
    },
    read("JSON names of marks") { json(times($0) { "\"\(marks)\($0)\":0," }) },
    read("a JSON name of marks") { json("\"\(times($0, marks))\":0,\"\(times($0, marks))\":0") },
    read("JSON authors") { json("\"authors\":[\(times($0) { "{\"name\":\"\($0)\"}," })]") },
    read("JSON escapes") { json("\"a\":\"\(times($0, "\\u0301\\\\"))\"") },
    read("JSON arrays beside each other") { json("\"a\":[\(times($0, "[],{},"))]") },
    read("JSON arrays in each other") { json("\"a\":" + times($0, "[")) },
    read("JSON attachments") { count in
      json("\"items\":[{\"attachments\":[\(times(count, "{\"url\":\"https://e.org/a\"},"))]}]")
    },
  ]

  private static let enclosures = times(16) { "<link rel='enclosure' href='\($0)'/>" }

  private static func html(
    _ name: String, _ count: Int = 400, _ text: @escaping @Sendable (Int) -> String
  ) -> Growth {
    Growth(name: name, count: count, text: text) { bytes, budget in
      let text = String(decoding: bytes, as: UTF8.self)
      let document = HTMLRenderer.document(
        html: text, base: "https://example.org/", budget: budget)
      for written in [
        HTMLWriter(links: document.links).text(document.blocks),
        MarkdownWriter(links: document.links).blocks(document.blocks).joined(separator: "\n\n"),
      ] {
        #expect(written.utf8.count <= 10 * bytes.count + 400_000, "\(name)")
      }
      _ = HTMLText.text(text, limit: SearchText.lengthLimit, budget: budget)
    }
  }

  private static func markdown(
    _ name: String, _ count: Int = 200, _ text: @escaping @Sendable (Int) -> String
  ) -> Growth {
    Growth(name: name, count: count, text: text) { bytes, budget in
      let html = MarkdownText(bytes, budget: budget).html
      #expect(html.utf8.count <= (16 << 20) + 10 * bytes.count, "\(name)")
    }
  }

  static let texts = pages + notes

  static let pages: [Growth] = [
    html("marks in text") { "<p>" + times($0, marks) },
    html("marks as references in HTML") { "<p>" + times($0, "&#x301;&#x316;") },
    html("marks in code") { "<pre>" + times($0, marks) },
    html("marks in a class") { "<pre class='\(times($0, marks))'>x" },
    html("marks in an id") { "<p id='\(times($0, marks))'>x<a href='#\(times($0, marks))'>y</a>" },
    html("marks in a style") { "<p style='\(times($0, marks))'>x" },
    html("marks in aria-hidden") { "<p aria-hidden='true\(times($0, marks))'>x" },
    html("marks in an address of HTML") { "<a href='https://e.org/\(times($0, marks))'>x</a>" },
    html("ids") { count in times(count) { "<p id=a\($0)><a href=#a\(count - $0)>x</a>" } },
    html("links") { times($0) { "<a href=https://example.org/\($0)>x</a> " } },
    html("paragraphs of one link") { count in
      "<a href='https://e.org/\(times(2_000, "x"))'>" + times(count, "<p>x")
    },
    html("addresses in text") { times($0) { "https://example.org/\($0) " } },
    html("beginnings of addresses") { times($0, "http://") },
    html("short addresses in text", 8_000) { times($0, "http://a ") },
    html("brackets in addresses") { "http://" + times($0, "((") },
    html("elements in each other in HTML", 200) { times($0, "<div>") + "x" },
    html("quotes in each other", 200) { times($0, "<blockquote>") + "x" },
    html("attributes of one element of HTML", 200) { "<p \(times($0) { "a\($0) " })>x" },
    html("cells of one row") { "<table><tr>" + times($0, "<td>x") },
    html("rows below a wide one") { count in
      "<table><tr>" + times(count, "<td>x") + times(count, "<tr><td>y<td>z")
    },
    html("lines of a cell") { "<table><tr><td>a<td>" + times($0, "x<br>") },
    html("tables in each other", 50) { times($0, "<table><tr><td>x<td>") },
    html("breaks") { times($0, "a<br>") },
    html("list items") { "<ul>" + times($0, "<li>x") },
    html("pictures") { times($0, "<img src=a.png alt=x>") },
    html("readings of characters") { "<ruby>" + times($0, "漢<rt>かん</rt>") },
    html("sources of a sound") { "<audio>" + times($0, "<source src=a>") + "</audio>" },
    html("scripts without an end") { times($0, "<script>") },
    html("comments without an end") { times($0, "<!--") },
    html("signs") { times($0, "& < > * _ [ ") },
    html("cells without text") { "<table><tr>" + times($0, "<td>") },
    html("rows") { "<table>" + times($0, "<tr><td>x") },
    html("lines between tags") { times($0, "<pre>x\n") },
    html("styles in each other") { times($0, "<b>x") },
    html("short lines in styles", 4_000) { times($0, "<b>x\n") },
  ]

  static let notes: [Growth] = [
    markdown("uses of a long reference") { count in
      "[a]: https://example.org/\(times(count, "xxxx"))\n\n" + times(count, "[a] ")
    },
    markdown("short rows of a wide table", 20) { count in
      times(count, "|a") + "|\n" + times(count, "|-") + "|\n" + times(count, "|b\n")
    },
    markdown("brackets in each other") { times($0, "![[]()") },
    markdown("emphasis in each other") { times($0, "*a _b ") },
    markdown("lists in each other", 50) { count in
      times(count) { String(repeating: " ", count: 2 * ($0 % 100)) + "- a\n" }
    },
    markdown("quotes in each other of Markdown") { times($0, ">") + "a\n" + times($0, ">\n") },
    markdown("ticks") { times($0) { String(repeating: "`", count: $0 % 64 + 1) + "a" } },
    markdown("addresses of Markdown") { times($0, "www.a.b:") },
  ]

  static let lists: [Growth] = [
    opml("folders in each other") { times($0, "<outline text='a'>") },
    opml("feeds in folders in each other") { count in
      times(count, "<outline text='a'>" + outline)
    },
    opml("a long name of a folder") { count in
      "<outline text='\(times(count, "a"))'>" + times(count, outline) + "</outline>"
    },
    opml("one feed with ever more attributes") { count in
      times(count) { "<outline xmlUrl='http://e.org/' a\($0)='x' b\($0)='y'/>" }
    },
    opml("feeds") { times($0) { "<outline xmlUrl='http://e.org/\($0)'/>" } },
    opml("one empty folder") { times($0, "<outline text='a'/>") },
    opml("empty folders") { times($0) { "<outline text='\($0)'/>" } },
    opml("categories") { "<outline xmlUrl='http://e.org/' category='\(times($0, "a,"))'/>" },
    opml("entries that are refused") { times($0, "<outline xmlUrl='exec:x'/>") },
    newsboat("long words") { "http://e.org/ " + times($0, "abcdefgh") },
    newsboat("words") { "http://e.org/ " + times($0, "a ") },
    newsboat("quoted words") { "http://e.org/ " + times($0, "\"a\\\"\" ") },
    newsboat("lines") { times($0) { "http://e.org/\($0) tag\n" } },
    newsboat("lines that are refused") { times($0) { "\($0)\n" } },
    newsboat("marks") { "http://e.org/ " + times($0, marks) },
  ]

  private static let outline = "<outline xmlUrl='http://e.org/'/>"

  private static func opml(
    _ name: String, _ text: @escaping @Sendable (Int) -> String
  ) -> Growth {
    Growth(name: "OPML: " + name, text: { "<opml><body>\(text($0))</body></opml>" }) {
      bytes, budget in
      guard let list = try? OPML.read(bytes, budget: budget) else { return }
      #expect(list.byteCount <= 10 * bytes.count + 4_096, "\(name)")
      #expect(OPML.text(list.subscriptions).utf8.count <= 10 * bytes.count + 1_000, "\(name)")
    }
  }

  private static func newsboat(
    _ name: String, _ text: @escaping @Sendable (Int) -> String
  ) -> Growth {
    Growth(name: "newsboat: " + name, text: text) { bytes, budget in
      guard let list = try? NewsboatList.read(bytes, budget: budget) else { return }
      #expect(list.byteCount <= 10 * bytes.count + 4_096, "\(name)")
    }
  }
}
