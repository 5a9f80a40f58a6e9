import Articles
import Loading
import LoadingTesting
import Synchronization
import Testing

@testable import Argyle

/// Tests of the search for an unread article while the store and the screen have different marks.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct NextUnreadTests {
  private let runtime = ManualRuntime()
  private let articles = (1...2).map { Article($0, title: "\($0)") }
  /// What is unread in the store.
  private let unread = Lock<[Article]>([])
  private let searches = Lock(0)

  /// Returns a reader that shows both articles, which are unread.
  private func model(_ change: (inout ArticleSource) -> Void = { _ in }) -> ReaderModel {
    unread.withLock { $0 = articles }
    var source = DemoScript(.full).source
    source.articles = { [articles] _ in .constant(ArticleListing(articles)) }
    source.marks.setRead = { _, _ in }
    source.marks.nextUnread = { [unread, searches] id in
      searches.withLock { $0 += 1 }
      return unread.withLock { $0.first { $0.id != id } }
    }
    change(&source)
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    return model
  }

  @Test func `while marks are being stored the search waits for them, and says so`() async throws {
    let stores = ManualCalls<Int, Void>()
    let model = model { $0.marks.markAllRead = { _, _ in try await stores.call(0) } }
    model.markRead(.all)
    await runtime.run { stores.count == 1 }
    model.openNextUnread()
    for _ in 1...3 {
      runtime.run()
      model.take(model.next.latestValue)
    }
    #expect(searches.withLock(\.self) == 0)
    try #require(model.isGoingOn)
    while model.notice.latestValue??.words.contains("are stored") != true, !Task.isCancelled {
      runtime.advance(by: .milliseconds(100))
      await Task.yield()
    }
    unread.withLock { $0 = [] }
    stores[0].succeed(())
    await runtime.run { model.next.latestValue != nil }
    model.take(model.next.latestValue)
    runtime.run()
    #expect(searches.withLock(\.self) == 1)
    #expect(model.notice.latestValue??.words == "Nothing is unread.")
  }

  @Test func `an article that became unread elsewhere is opened, although it is shown as read`()
    async
  {
    let model = model()
    for article in articles { model.setRead(true, article) }
    runtime.run()
    model.openNextUnread()
    await runtime.run { model.next.latestValue != nil }
    model.take(model.next.latestValue)
    runtime.run()
    #expect(model.openArticle == articles[1])
    #expect(model.current(articles[1]).isRead, "it was marked again")
    #expect(model.isSaving == false)
  }

  @Test func `what is loaded in advance is looked for where loads run`() {
    let model = model()
    model.open(articles[0])
    model.take(model.next.latestValue)
    #expect(model.documents.resource(ifPresent: articles[1].id) == nil, "not here")
    runtime.run()
    model.take(model.next.latestValue)
    #expect(model.documents.resource(ifPresent: articles[1].id) != nil)
    #expect(searches.withLock(\.self) == 0, "it is in the list")
  }

  @Test func `nothing is loaded in advance that is shown as read`() async {
    let model = model()
    for article in articles { model.setRead(true, article) }
    model.open(articles[0])
    await runtime.run { model.next.latestValue != nil }
    model.take(model.next.latestValue)
    runtime.run()
    #expect(searches.withLock(\.self) == 1)
    #expect(model.documents.resource(ifPresent: articles[1].id) == nil)
  }
}
