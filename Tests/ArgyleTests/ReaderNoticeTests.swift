import Articles
import Loading
import LoadingTesting
import TerminalUI
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
}
