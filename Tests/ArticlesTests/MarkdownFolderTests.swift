import Foundation
import PseudoTerminal
import Testing

@testable import Articles

@Suite struct MarkdownFolderTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func write(_ text: String, to name: String) throws {
    let path = directory.path + "/" + name
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func articles() throws -> [ParsedArticle] {
    try MarkdownFolder(path: directory.path).feed().articles
  }

  @Test func `texts that are read at the same time are read as if alone`() async {
    let bytes = Array("~~struck~~ and www.example.org\n\n| a | b |\n|---|---|\n| 1 | ~~2~~ |".utf8)
    let alone = MarkdownText(bytes).html
    let others = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask { (0..<5_000).count { _ in MarkdownText(bytes).html != alone } }
      }
      return await group.reduce(0, +)
    }
    #expect(others == 0)
  }

  @Test func `front matter, or else the first heading, or else the name, is the title`() throws {
    try write("---\ntitle: \"One: a start\"\nauthor: Ann\n---\n# Not this\n", to: "a.md")
    try write("+++\ntitle = 'Two'\n+++\nText", to: "b.markdown")
    try write("# Three *and* `four`\n\nText", to: "c.md")
    try write("Text\n\n## Five\n", to: "d.md")
    try write("Text alone", to: "e.MD")
    let articles = try articles()
    #expect(articles.map(\.title) == ["One: a start", "Two", "Three and four", "Five", "e.MD"])
    #expect(articles.map(\.author) == ["Ann", nil, nil, nil, nil])
    // The heading that is the title is not shown twice; a later one stays where it is.
    #expect(articles[0].html == "<h1>Not this</h1>\n")
    #expect(articles[2].html == "<p>Text</p>\n")
    #expect(articles[3].html.contains("<h2>Five</h2>"))
  }

  @Test func `the date is the one in the front matter, or else the file's`() throws {
    try write("---\ndate: 2026-11-21T08:30:00Z\n---\n", to: "a.md")
    try write("text", to: "b.md")
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: directory.path + "/b.md")
    #expect(
      try articles().map(\.published) == [Date(timeIntervalSince1970: 1_795_249_800), date])
  }

  @Test(arguments: [
    ("| a | b |\n|---|---|\n| 1 | 2 |", "<table>"), ("~~no~~", "<del>no</del>"),
    ("- [x] done", "done"), ("see https://example.org/", "<a href=\"https://example.org/\">"),
    ("a[^1]\n\n[^1]: note", "note"),
  ])
  func `Markdown is read as GitHub has it`(text: String, html: String) {
    #expect(MarkdownText(Array(text.utf8)).html.contains(html))
  }

  @Test(arguments: [
    "[a]: https://example.org/\(String(repeating: "x", count: 250_000))\n\n"
      + String(repeating: "[a] ", count: 100_000),
    String(repeating: "|a", count: 2_500) + "|\n" + String(repeating: "|-", count: 2_500) + "|\n"
      + String(repeating: "|b\n", count: 2_500),
    String(repeating: "![[]()", count: 40_000),
  ])
  func `a text that swells is shown as it is written`(text: String) {
    let markdown = MarkdownText(Array(text.utf8))
    #expect(markdown.isPlain)
    #expect(markdown.html.hasPrefix("<p><em>This text is shown as it is written"))
    #expect(markdown.html.utf8.count < 2 * text.utf8.count + 1_000)
    // Nothing of it is left behind for the next.
    #expect(MarkdownText(Array("~~a~~ www.example.org".utf8)).html.contains("<del>a</del>"))
  }

  @Test func `files in folders below count, hidden ones, links and others do not`() throws {
    try write("x", to: "deep/er/a.md")
    try write("x", to: ".hidden.md")
    try write("x", to: ".git/b.md")
    try write("x", to: "c.txt")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/d.md", withDestinationPath: "/etc/passwd")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/loop", withDestinationPath: directory.path)
    try #require(mkfifo(directory.path + "/e.md", 0o600) == 0)
    #expect(try articles().map(\.guid) == ["deep/er/a.md"])
  }

  @Test func `names of any bytes are read, and cannot be taken for another's`() throws {
    let path = Array(directory.path.utf8) + Array("/\u{1B}[31m".utf8) + [0xFF] + Array(".md".utf8)
    let file = try #require(fopen((path + [0]).map { CChar(bitPattern: $0) }, "w"))
    fputs("text", file)
    fclose(file)
    let article = try #require(try articles().first)
    #expect(article.guid == "\u{1B}[31m\u{FFFD}.md")
    #expect(article.html == "<p>text</p>\n")
  }

  @Test func `a file over the limit is left out`() throws {
    try write(String(repeating: "x", count: MarkdownFolder.fileSizeLimit + 1), to: "big.md")
    try write("x", to: "small.md")
    #expect(try articles().map(\.guid) == ["small.md"])
  }

  @Test func `a folder that is a whole disk is not looked through to its end`() throws {
    for number in 0..<20 { try write("x", to: "\(number)/a.md") }
    let files = try MarkdownFolder(path: directory.path, entryLimit: 10).feed().articles
    #expect(1...9 ~= files.count)
  }

  @Test(arguments: [
    (#""Say \"Hi\"""#, #"Say "Hi""#), (#""C:\\a""#, #"C:\a"#), ("'It''s'", "It's"),
    (#"A "quote""#, #"A "quote""#), ("'", "'"),
  ])
  func `quotes in a quoted title are read as they are meant`(_ written: String, _ title: String) {
    #expect(FrontMatter(Array("---\ntitle: \(written)\n---\n".utf8)).title == title)
  }

  @Test func `front matter that never ends is text`() {
    let text = Array("---\ntitle: x\n".utf8)
    #expect(FrontMatter(text).end == 0)
    #expect(FrontMatter(Array("---- \ntitle: x\n---\n".utf8)).title == nil)
    #expect(FrontMatter([]).end == 0)
  }

  @Test func `a folder without Markdown is refused, and added only if that is meant`() async throws
  {
    try write("<p>x", to: "a.html")
    let library = Library(store: try .inMemory())
    let refusal = FetchError.noMarkdown(path: directory.path)
    await #expect(throws: refusal) { try await library.add(directory.path) }
    #expect(Library.canKeep(after: refusal))
    #expect(try await library.addedFeeds().isEmpty)
    let addition = try await library.addition(of: directory.path, keepsMistakes: true)
    #expect(addition.failure == nil)
    try write("# One", to: "a.md")
    #expect(try await library.reload().entries.map(\.outcome) == [.updated(newArticles: 1)])
  }

  @Test func `a folder is followed, and read again only when something has changed`() async throws {
    try write("# One", to: "a.md")
    let library = Library(store: try .inMemory())
    let feed = try await library.add(directory.path)
    #expect(feed.title == directory.path.split(separator: "/").last.map(String.init))
    #expect(try await library.reload().entries.map(\.outcome) == [.unchanged])
    try write("# Two", to: "b.md")
    #expect(try await library.reload().entries.map(\.outcome) == [.updated(newArticles: 1)])
    try write("# One, corrected", to: "a.md")
    #expect(try await library.reload().entries.map(\.outcome) == [.updated(newArticles: 0)])
    try FileManager.default.removeItem(atPath: directory.path + "/a.md")
    try FileManager.default.removeItem(atPath: directory.path + "/b.md")
    #expect(try await library.reload().entries.map(\.outcome) == [.updated(newArticles: 0)])
    let folder = directory.path + "/none"
    await #expect(throws: FetchError.fileMissing(path: folder)) { try await library.add(folder) }
    _ = try await library.addition(of: folder, keepsMistakes: true)
    #expect(library.latestChange?.feedTitle == folder, "as the list of feeds shows it")
  }
}
