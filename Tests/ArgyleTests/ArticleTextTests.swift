import Articles
import LoadingTesting
import TerminalUITesting
import Testing

@testable import Argyle
@testable import TerminalUI

/// Tests of links, headings, wide blocks and scroll positions of an article, with expected lines
/// written by hand.
@MainActor
@Suite struct ArticleTextTests {
  @MainActor
  private final class Choices {
    var numbers: [Int] = []
    var copied: [Int] = []
  }

  private let choices = Choices()

  private static func article(_ blocks: [Block], links: [Link] = [], jumps: [Link] = [])
    -> ArticleDocument
  {
    ArticleDocument(
      article: Article(1, of: "", title: "One"),
      document: Document(blocks: blocks, links: links, jumps: jumps))
  }

  private func still(
    _ content: ArticleDocument, width: Int = 32, height: Int = 10,
    proxy: ScrollProxy = ScrollProxy(), isJustified: Bool = false, mayCopy: Bool = true
  ) -> Still {
    let scene = Scene("text", "", at: .zero) { [choices] _ in
      ArticleText(
        content: content, proxy: proxy, isJustified: isJustified, pictures: nil,
        mayCopy: { mayCopy }
      ) { number, isCopied in
        if isCopied { choices.copied.append(number) } else { choices.numbers.append(number) }
      }
    }
    return Still(scene, width, height)
  }

  private func press(_ keys: String, in still: Still) throws { still.play(try KeyScript(keys)) }

  private static func text(_ words: String) -> Block { .paragraph([.text(words)]) }

  private static let linked = article(
    [
      .paragraph([
        .text("See "), .text("this", link: 1), .text(" and "), .text("that", link: 2), .text("."),
      ])
    ],
    links: [Link(number: 1, address: "http://a/"), Link(number: 2, address: "http://b/")])

  // MARK: Links

  @Test func `Y puts no letters at the links if nothing can be copied`() throws {
    for mayCopy in [true, false] {
      let still = still(Self.linked, mayCopy: mayCopy)
      let before = still.lines[0]
      try press("Y", in: still)
      #expect((still.lines[0] == before) == !mayCopy)
    }
  }

  @Test func `f puts letters at the links on the screen, and the letter of one opens it`() throws {
    let still = still(Self.linked)
    #expect(still.lines[0] == "See this[1] and that[2].")
    try press("f", in: still)
    #expect(still.lines[0] == "See ahis[1] and shat[2].")
    try press("s", in: still)
    #expect(choices.numbers == [2])
    #expect(still.lines[0] == "See this[1] and that[2].")
    still.end()
  }

  @Test func `a number and Enter open a link, and Esc none`() throws {
    let still = still(Self.linked)
    try press("f 2 enter", in: still)
    #expect(choices.numbers == [2])
    try press("f 1 2 backspace enter", in: still)
    #expect(choices.numbers == [2, 1])
    try press("f esc s", in: still)
    #expect(choices.numbers == [2, 1])
    #expect(still.lines[0] == "See this[1] and that[2].")
    still.end()
  }

  @Test func `the footer names the digits, and Enter once a number is typed`() throws {
    let still = still(Self.linked)
    func footer() -> [String] {
      still.frame.bindings.filter { $0.footer == .first }.map(\.label)
    }
    try press("f", in: still)
    #expect(footer().contains("to 9: open by number"))
    #expect(!footer().contains { $0.hasPrefix("open") })
    try press("2", in: still)
    #expect(footer().contains("open link 2"))
    #expect(!footer().contains { $0.hasPrefix("to 9") })
    still.end()
  }

  @Test func `nine rows have room for the source of an article, as below a message`() {
    let rows = [10, 9].map { height in
      let still = Still(reading: [Self.text("Words")], size: Size(width: 80, height: height))
      defer { still.end() }
      return still.lines.firstIndex { $0.contains("Words") }
    }
    #expect(rows == [3, 1])
  }

  @Test func `Y copies the link that is chosen`() throws {
    let still = still(Self.linked)
    try press("Y a f s", in: still)
    #expect(choices.copied == [1])
    #expect(choices.numbers == [2])
    still.end()
  }

  @Test(arguments: [(8_192, "Copied: a"), (8_193, "Not copied: the address is too long")])
  func `only an address that is sent to the terminal is said to be copied`(
    length: Int, words: String
  ) {
    let runtime = ManualRuntime()
    let screen = MemoryScreen(size: Size(width: 20, height: 2))
    let app = TerminalApp(
      screen: screen, clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { Text("") }
    let model = ReaderModel(DemoScript(.full).source, runtime)
    model.settings.copying = .osc52
    let address = String(repeating: "a", count: length)
    model.copy(address, by: TerminalHandle(app))
    runtime.run()
    #expect((model.notice.latestValue ?? nil)?.words.hasPrefix(words) == true)
    #expect(screen.copies == (length > 8_192 ? [] : [address]))
  }

  @Test func `more links than letters have two letters each, none twice`() throws {
    let count = 40
    let content = Self.article(
      [.paragraph((1...count).map { .text("\($0) ", link: $0) })],
      links: (1...count).map { Link(number: $0, address: "http://a/\($0)") })
    let still = still(content, width: 60, height: 60)
    for _ in 0..<2 {
      try press("f a", in: still)
      #expect(choices.numbers == [])
      try press("d", in: still)
      #expect(choices.numbers == [3])
      choices.numbers = []
    }
    still.end()
  }

  @Test func `an open article gets the colours of another theme`() {
    func stage(_ theme: ThemeName) -> Stage {
      let content = Self.article([
        .heading(level: 2, [.text("Part")]), .code(language: nil, text: "x"),
      ])
      return Stage(32, 10, environment: EnvironmentValues(DisplaySettings(theme: theme))) {
        ArticleText(content: content, proxy: ScrollProxy(), pictures: nil) { _, _ in }
      }
    }
    let (stage, light) = (stage(.dark), stage(.light))
    #expect(stage.style(of: "Part") != light.style(of: "Part"))
    stage.environment = light.environment
    #expect(stage.style(of: "Part") == light.style(of: "Part"))
    #expect(stage.style(of: "x") == light.style(of: "x"))
  }

  // MARK: Scroll positions

  @Test func `keys go from heading to heading`() throws {
    let blocks = (1...5).flatMap { number -> [Block] in
      [.heading(level: 2, [.text("Part \(number)")])]
        + (1...4).map { Self.text("Line \($0) of part \(number)") }
    }
    let still = still(Self.article(blocks))
    try press("}", in: still)
    #expect(still.lines[0] == "Part 2")
    try press("} j", in: still)
    #expect(still.lines[1] == "Line 1 of part 3")
    try press("{", in: still)
    #expect(still.lines[0] == "Part 3")
    try press("{ {", in: still)
    #expect(still.lines[0] == "Part 1")
    still.end()
  }

  @Test(arguments: [
    Block.paragraph([.anchor("note"), .text("1. The note.")]),
    .table(
      Table(rows: [[[.anchor("note"), .text("1.")], [.text("The note.")]]], hasHeader: false)),
  ])
  func `a link of the text itself leads to its place, and has no number`(note: Block) throws {
    let proxy = ScrollProxy()
    let content = Self.article(
      [.paragraph([.text("A word"), .text("1", link: -1)])]
        + (1...20).map { Self.text("\($0)") }
        + [note]
        + (21...40).map { Self.text("\($0)") },
      jumps: [Link(number: -1, address: "#note")])
    let still = still(content, proxy: proxy)
    #expect(still.lines[0] == "A word1")
    try press("f a", in: still)
    #expect(choices.numbers == [-1])
    proxy.scroll(toName: "note")
    still.run(to: .seconds(1))
    #expect(still.lines[0].split(separator: " ") == ["1.", "The", "note."])
    still.end()
  }

  @Test func `a place is the same in lines of another width`() throws {
    let words = (1...200).map { "word\($0)" }.joined(separator: " ")
    let content = Self.article([Self.text("First"), Self.text(words), Self.text("Last")])
    let proxy = ScrollProxy()
    let wide = still(content, width: 72, proxy: proxy)
    try press("pgdn", in: wide)
    let top = try #require(wide.lines[0].split(separator: " ").first)
    let place = try #require(proxy.position)
    #expect(place.block == 1)
    let narrow = still(content, width: 22, proxy: ScrollProxy(at: place))
    #expect(narrow.lines[0].split(separator: " ").contains(top))
    let again = still(content, width: 72, proxy: ScrollProxy(at: place))
    #expect(again.lines == wide.lines)
    for still in [wide, narrow, again] { still.end() }
  }

  @Test func `a place that the text no longer has is its beginning`() {
    let still = still(
      Self.article([Self.text("First")]), proxy: ScrollProxy(at: ScrollPosition(block: 9)))
    #expect(still.lines[0] == "First")
    still.end()
  }

  // MARK: Wide blocks

  @Test func `code is not wrapped: arrows scroll it, and marks say where it goes on`() throws {
    let still = still(
      Self.article([
        Self.text("Some words that are wrapped here"),
        .code(language: nil, text: "let a = [1, 2, 3, 4, 5]\nb()"),
      ]), width: 20)
    let before = ["Some words that", "are wrapped here", "", "  let a = [1, 2, ›", "  b()"]
    #expect(Array(still.lines[0...4]) == before)
    try press("right", in: still)
    #expect(still.lines[3...4] == ["  ‹[1, 2, 3, 4, 5]", "  ‹"])
    try press("right right right", in: still)
    #expect(still.lines[3...4] == ["  ‹[1, 2, 3, 4, 5]", "  ‹"])
    try press("left left", in: still)
    #expect(Array(still.lines[0...4]) == before)
    still.end()
  }

  @Test func `a table fits, or is scrolled where columns would be too narrow to be read`() throws {
    let rows = [["Name", "Colour", "Pattern"], ["Christmas sock", "red and white", "snowflakes"]]
      .map { $0.map { [Inline.text($0)] } }
    let table = Self.article([.table(Table(rows: rows, hasHeader: true))])
    let wide = still(table, width: 46)
    #expect(
      wide.lines[0...2] == [
        "Name            Colour         Pattern", String(repeating: "─", count: 41),
        "Christmas sock  red and white  snowflakes",
      ])
    let narrow = still(table, width: 20)
    #expect(narrow.lines[0] == "Name      Colour ›")
    try press("right right", in: narrow)
    #expect(narrow.lines[0] == "‹olour    Pattern")
    for still in [wide, narrow] { still.end() }
  }

  @Test func `justified lines end at one edge`() {
    let still = still(
      Self.article([Self.text("One two three for five six seven")]), width: 20,
      isJustified: true)
    #expect(still.lines[0...1] == ["One  two three for", "five six seven"])
    still.end()
  }
}
