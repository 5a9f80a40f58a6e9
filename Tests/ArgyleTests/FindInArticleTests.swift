import Articles
import Loading
import LoadingTesting
import TerminalUI
import Testing

@testable import Argyle

/// Tests of finding words in the open article, with expected lines written by hand.
@MainActor
@Suite struct FindInArticleTests {
  private func still(_ blocks: [Block], width: Int = 40, height: Int = 8) -> Still {
    Still(reading: blocks, size: Size(width: width, height: height))
  }

  private static let parts = (1...30).map { number in
    Block.paragraph([.text(number.isMultiple(of: 10) ? "Wool \(number)" : "Line \(number)")])
  }

  private func press(_ keys: String, in still: Still) throws { still.play(try KeyScript(keys)) }

  @Test func `slash finds words in the article, n and N go on and back, and Esc ends it`() throws {
    let still = still(Self.parts)
    try press("/ w o o", in: still)
    #expect(still.lines.contains { $0.contains("Wool 10") })
    #expect(still.lines.contains("Find woo                          1 of 3"), "\(still.lines)")
    try press("enter n", in: still)
    #expect(still.lines.contains { $0.contains("Wool 20") && !$0.contains("Wool 10") })
    #expect(still.lines.contains { $0.hasSuffix("2 of 3") })
    try press("n n", in: still)
    #expect(still.lines.contains { $0.hasSuffix("1 of 3") })
    try press("N", in: still)
    #expect(still.lines.contains { $0.contains("Wool 30") })
    try press("esc", in: still)
    #expect(!still.lines.contains { $0.contains("Find") })
    #expect(still.lines.contains { $0.contains("Wool 30") })
    still.end()
  }

  @Test func `Enter does not wait for the matches, which come later`() throws {
    let runtime = ManualRuntime()
    let finder = ArticleFinder(clock: runtime.clock.any, scheduler: runtime.scheduler)
    let article = Article(1, title: "Wool")
    finder.open(in: article, from: nil)
    var block = RichText.Block { _ in [] }
    block.texts = { [StyledText("Some wool.")] }
    finder.search(SearchableText([block]))
    finder.typed = "wool"
    finder.closeIfEmpty()
    #expect(finder.article == article.id)
    runtime.run()
    #expect(finder.matches.count == 1)
    finder.typed = " "
    finder.closeIfEmpty()
    #expect(finder.article == nil)
  }

  @Test func `words in the title above the text are told, and no others`() throws {
    let still = still(Self.parts)
    try press("/ o n e", in: still)
    #expect(still.lines.contains { $0.hasSuffix("in the title") }, "\(still.lines)")
    try press("enter n", in: still)
    #expect(still.lines.contains { $0.contains("“one” is only in the title of this") })
    try press("/ backspace", in: still)
    #expect(still.lines.contains { $0.hasSuffix("not found") || $0.hasSuffix("in the title") })
    try press("backspace backspace n e", in: still)
    #expect(still.lines.contains { $0.hasSuffix(" of 27 + title") }, "\(still.lines)")
    still.end()
  }

  @Test func `what is not there is said, and nothing moves`() throws {
    let still = still(Self.parts)
    let before = still.lines[1...2]
    try press("/ x y", in: still)
    #expect(still.lines.contains { $0.hasSuffix("not found") })
    #expect(still.lines[1...2] == before)
    // The keys stay those of the search: without it, n would open another article.
    try press("enter n", in: still)
    #expect(still.lines.contains { $0.contains("“xy” is not in this article.") }, "\(still.lines)")
    #expect(still.lines.contains { $0.hasSuffix("not found") })
    try press("/ backspace backspace enter", in: still)
    #expect(!still.lines.contains { $0.contains("Find") }, "nothing to look for ends it")
    still.end()
  }
}
