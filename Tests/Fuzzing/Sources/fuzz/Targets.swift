import Limits

@testable import Articles

/// A feed is read or refused, the same however it is cut into pieces, and keeps its promises.
func fuzzFeeds(_ bytes: [UInt8]) -> Int32 {
  let address = "https://example.org/feed"
  let whole = counted(bytes) { budget in
    try? FeedParser.parse(
      bytes, address: address, charset: nil, chunkSize: 1 << 20, budget: budget)
  }
  guard let feed = whole else { return -1 }
  // Where libxml2 finds a mistake depends on the pieces.
  if feed.mistake == nil {
    let pieces = try? FeedParser.parse(bytes, address: address, charset: nil, chunkSize: 5)
    precondition(pieces == feed, "read otherwise in pieces")
  }
  let articles = StableIDs.unique(feed.articles)
  precondition(Set(articles.map(\.guid)).count == articles.count, "an id twice")
  for article in articles {
    precondition(!article.guid.isEmpty && article.guid.utf8.count <= StableIDs.limit + 22)
    precondition(!article.title.utf8.contains { $0 < 0x20 }, "a title that is no line")
    requireWeb([article.link] + article.attachments.map(\.address))
    check(HTMLRenderer.document(html: article.html, base: article.base))
  }
  requireWeb([feed.site])
  return 0
}

func fuzzHTML(_ bytes: [UInt8]) -> Int32 {
  let text = String(decoding: bytes, as: UTF8.self)
  let document = counted(Array(text.utf8)) {
    HTMLRenderer.document(html: text, base: "https://example.org/a/b", budget: $0)
  }
  check(document)
  let written = MarkdownWriter(links: document.links).blocks(document.blocks)
  precondition(
    written.reduce(0) { $0 + $1.utf8.count } <= 10 * text.utf8.count + 65_536, "much longer")
  _ = counted(Array(text.utf8)) { HTMLText.text(text, limit: .max, budget: $0) }
  precondition(PlainText.line(html: text).utf8.count <= PlainText.lineLimit + 8)
  _ = ReadingTime.minutes(html: text)
  return 0
}

/// The article of a page is found within the budget, the same each time, and is a document.
func fuzzPages(_ bytes: [UInt8]) -> Int32 {
  let text = String(decoding: PageSource.utf8(bytes, charset: nil), as: UTF8.self)
  let address = "https://example.org/a/b"
  let budget = Budget(bytes: text.utf8.count) { false }
  let article = ArticleExtractor.text(of: text, address: address, title: "Title", budget: budget)
  // An attempt that is begun is brought to an end by each of its loops.
  precondition(
    budget.spent <= Budget.leastSteps + (Budget.stepsPerByte + 64) * max(text.utf8.count, 1_024),
    "\(budget.spent) steps for \(text.utf8.count) bytes")
  if let article {
    check(HTMLRenderer.document(html: article.html, base: article.base))
    precondition(!article.html.contains("<script"), "a script")
  }
  if let selector = PageSelector("div .a") {
    _ = ArticleExtractor.text(of: text, address: address, selecting: [selector])
  }
  _ = PageSelector(text)
  return 0
}

func fuzzMarkdown(_ bytes: [UInt8]) -> Int32 {
  let text = SourceText.utf8(bytes, charset: nil)
  let front = FrontMatter(text)
  let markdown = counted(text) { MarkdownText(Array(text[front.end...]), budget: $0) }
  precondition(markdown.html.utf8.count <= MarkdownText.memory(forBytes: text.count))
  check(HTMLRenderer.document(html: markdown.html))
  return 0
}

func check(_ document: Document) {
  for (index, link) in document.links.enumerated() {
    precondition(link.number == index + 1, "a link without its number")
    precondition(
      ["http://", "https://", "mailto:"].contains { link.address.hasPrefix($0) }, link.address)
  }
  let links = Set((document.links + document.jumps).map(\.number))
  for block in document.blocks { check(block, depth: 0, links: links) }
}

private func check(_ block: Block, depth: Int, links: Set<Int>) {
  precondition(depth <= HTMLRenderer.nestingLimit, "nested too deeply")
  switch block {
  case .heading(let level, let inlines):
    precondition(1...6 ~= level)
    check(inlines, links: links)
  case .paragraph(let inlines):
    precondition(!inlines.isEmpty, "an empty paragraph")
    check(inlines, links: links)
  case .quote(let blocks): for block in blocks { check(block, depth: depth + 1, links: links) }
  case .list(_, let items):
    for item in items { for block in item { check(block, depth: depth + 1, links: links) } }
  case .table(let table):
    for row in table.rows { for cell in row { check(cell, links: links) } }
  case .picture(let picture): requireWeb([picture.address])
  case .code, .rule: break
  }
}

private func check(_ inlines: [Inline], links: Set<Int>) {
  for inline in inlines {
    switch inline {
    case .text(let text, _, let link):
      precondition(!text.isEmpty, "an empty run")
      precondition(link.map(links.contains) ?? true, "a link that is not there")
    case .picture(let picture, let link):
      requireWeb([picture.address])
      precondition(link.map(links.contains) ?? true, "a link that is not there")
    case .lineBreak, .anchor: break
    }
  }
}

func requireWeb(_ addresses: [String?]) {
  for case let address? in addresses {
    precondition(address.hasPrefix("http://") || address.hasPrefix("https://"), address)
  }
}
