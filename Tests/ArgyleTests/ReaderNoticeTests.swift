import Articles
import Loading
import LoadingTesting
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of the messages of the reader that disappear after a while.
@MainActor
@Suite struct ReaderNoticeTests {
  private let runtime = ManualRuntime()

  private static func articles(_ count: Int) -> [Article] {
    (1...count).map { Article($0, title: "\($0)", isRead: $0 == 2) }
  }

  private func model(
    of articles: [Article], _ change: (inout ArticleSource) -> Void = { _ in }
  ) -> ReaderModel {
    var source = DemoScript(.full).source
    source.articles = { _ in .constant(ArticleListing(articles)) }
    change(&source)
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    return model
  }

  @Test func `a notice offers to undo the newest change only`() {
    let articles = Self.articles(3)
    let model = model(of: articles)
    model.toggleLater(articles[0])
    runtime.run()
    #expect(model.notice.latestValue??.hint == .undo)
    model.toggleRead(articles[0])
    runtime.run()
    #expect(model.notice.latestValue == .some(nil))
  }

  @Test func `a notice disappears after its time`() {
    let model = model(of: Self.articles(1))
    model.say("Nothing is unread.")
    runtime.advance(by: .seconds(3))
    #expect(model.notice.latestValue??.words == "Nothing is unread.")
    runtime.advance(by: .seconds(2))
    #expect(model.notice.latestValue == .some(nil))
  }

  @Test func `a change ends the notice that was said before it`() {
    let articles = Self.articles(3)
    let model = model(of: articles)
    model.say("Nothing is unread.")
    runtime.run()
    model.toggleRead(articles[1])
    runtime.run()
    #expect(model.notice.latestValue == .some(nil))
  }

  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func `a mark that could not be stored does not take the notice of another change away`(
    isOfDownloads: Bool
  ) async {
    let articles = Self.articles(2)
    let stores = ManualCalls<Article.ID, Void>()
    let model = model(of: articles) { $0.marks.tag = { id, _, _ in try await stores.call(id) } }
    let stage = Stage(80, 24, environment: EnvironmentValues(DisplaySettings()), runtime: runtime) {
      ReaderScreen(model: model, days: .demo)
    }
    model.toggleLater(articles[0])
    await runtime.run { stores.count == 1 }
    if isOfDownloads {
      model.sheet = .downloads
      model.say("Removed.", .undo)
    } else {
      model.toggleLater(articles[1])
    }
    stage.settle()
    let notice = model.notice.latestValue
    #expect(notice??.hint == .undo)
    stores[0].fail(LibraryError.articleGone)
    await runtime.run { model.marks.failedMutations.count == 1 }
    stage.settle()
    #expect(model.notice.latestValue == notice)
    guard !isOfDownloads else { return }
    await runtime.run { stores.count == 2 }
    stores[1].fail(LibraryError.articleGone)
    await runtime.run { model.marks.failedMutations.count == 2 }
    stage.settle()
    #expect(model.notice.latestValue == .some(nil))
  }
}
