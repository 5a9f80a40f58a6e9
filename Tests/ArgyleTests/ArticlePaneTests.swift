import Loading
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
    let model = ReaderModel(source, runtime)
    model.select(.feeds(.feed(id)))
    model.prepare()
    runtime.run()
    let stage = Stage(width, 10, runtime: runtime) { Shown(model: model) }
    return stage.lines[0]
  }

  @Test func `the names of other feeds are left out where only the sign of a cut would fit`() {
    func row(titleWidth: Int) -> String {
      var article = Article(1, of: "Alpha", title: String(repeating: "a", count: titleWidth))
      article.alsoIn = ["Beta"]
      return Stage(60, 1, runtime: runtime) { [article] in
        ArticleRow(article: article, days: .local, width: 60, showsFeed: false)
      }
      .lines[0]
    }
    #expect(row(titleWidth: 40).contains("a also in Beta "))
    let long = row(titleWidth: 55)
    #expect(long.hasPrefix(String(repeating: "a", count: 55)) && !long.contains("…"), "\(long)")
  }

  private func articles(_ numbers: [Int64]) -> ArticleListing {
    ArticleListing(
      numbers.map {
        Article($0, of: "Alpha", title: "Article \($0)")
      })
  }

  /// Opens a list whose load yields what the test says, and ends with the last of it.
  private func opened(_ parts: ManualCalls<Void, ArticleListing>) -> (ReaderModel, Stage) {
    var source = DemoScript(.full).source
    source.beginning = { _ in .constant([]) }
    source.articles = { _ in
      Loader { _, output in
        for _ in 0..<2 { output.yield(try await parts.call(())) }
        return try await parts.call(())
      }
    }
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    return (model, Stage(60, 6, runtime: runtime) { Shown(model: model) })
  }

  @Test(
    arguments: [
      (.starred, "No unread articles in “Starred”.", true), (.unread, "No unread articles.", false),
      (.all, "No unread articles.", true),
    ] as [(ReaderList, String, Bool)])
  func `an empty list of only unread articles does not say that there are no read ones`(
    list: ReaderList, words: String, hasHint: Bool
  ) {
    let reader = FeedSheetReader(80, 12, selected: list)
    reader.model.toggleOnlyUnread()
    reader.stage.settle()
    #expect(reader.stage.text.contains(words))
    #expect(reader.stage.text.contains("to show read ones, too") == hasHint)
  }

  @Test func `the right arrow goes back from the feeds to what a search has found`() {
    let reader = FeedSheetReader()
    reader.stage.press("/")
    reader.submit("sock")
    reader.stage.advance(by: .seconds(2))
    #expect(!reader.model.search.found.isEmpty)
    reader.stage.press(.left)
    #expect(reader.stage.text.contains("results"))
    reader.stage.press(.right)
    #expect(reader.model.search.isOpen)
    reader.stage.press(.enter)
    #expect(reader.model.openArticle?.id == reader.model.search.found.first?.id)
  }

  @Test func `while a new list fills, its first row is the selected one`() {
    let parts = ManualCalls<Void, ArticleListing>()
    let (model, stage) = opened(parts)
    func arrive(_ numbers: ClosedRange<Int64>, part: Int) {
      parts[part].succeed(articles(numbers.reversed()))
      stage.settle()
    }
    arrive(1...9, part: 0)
    #expect(stage.lines[1].contains("Article 9"))
    // More rows than fit above the one that was there.
    arrive(1...30, part: 1)
    #expect(stage.lines[1].contains("Article 30"))
    arrive(1...40, part: 2)
    #expect(stage.lines[1].contains("Article 40"))
    #expect(model.selectedArticle == Article.ID(rawValue: 40))
  }

  @Test func `an article that a key has acted on stays selected while its list fills`() {
    let parts = ManualCalls<Void, ArticleListing>()
    let (model, stage) = opened(parts)
    parts[0].succeed(articles([9]))
    stage.settle()
    model.withSelected(isMark: true, model.toggleStar)
    parts[1].succeed(articles([10, 9]))
    stage.settle()
    #expect(model.selectedArticle == Article.ID(rawValue: 9))
    parts[2].succeed(articles([10, 9]))
    stage.settle()
  }

  @Test(arguments: [50, 54, 80])
  func `a long title is cut, and the number of articles is not`(width: Int) {
    let line = firstLine(titled: String(repeating: "A very long title ", count: 10), width: width)
    #expect(line.hasPrefix("A very long title"))
    #expect(line.contains("…"))
    #expect(line.hasSuffix("12 articles"))
  }
}
