import LoadingTesting
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle
@testable import Articles

/// Tests of the line above the list of articles.
@MainActor
@Suite struct ArticlePaneTests {
  private let runtime = ManualRuntime()

  private struct Shown: View {
    let model: ReaderModel
    @FocusState private var focus: LibraryScreen.Pane?

    var body: some View {
      ArticlePane(
        model: model, days: DayText(offset: { _ in 0 }, now: { .distantPast }), focus: $focus)
    }
  }

  private func firstLine(titled title: String, width: Int) -> String {
    var source = DemoScript(.full).source
    let id = Feed.ID(rawValue: 1)
    let feed = Feed(id: id, address: "https://example.org/", title: title)
    source.feeds = .constant([FeedSummary(feed: feed, articleCount: 12, unreadCount: 0)])
    source.articles = { _ in .constant(ArticleListing(Article.samples)) }
    let model = ReaderModel(
      source: source, pictures: .demo, clock: runtime.clock.any, scheduler: runtime.scheduler)
    model.select(.feeds(.feed(id)))
    model.prepare()
    runtime.run()
    let stage = Stage(width, 10, runtime: runtime) { Shown(model: model) }
    return stage.lines[0]
  }

  @Test(arguments: [50, 54, 80])
  func `a long title is cut, and the number of articles is not`(width: Int) {
    let line = firstLine(titled: String(repeating: "A very long title ", count: 10), width: width)
    #expect(line.hasPrefix("A very long title"))
    #expect(line.contains("…"))
    #expect(line.hasSuffix("12 articles"))
  }
}
