import Articles
import Loading
import LoadingTesting
import Synchronization
import Testing

@testable import Argyle

/// Tests of what other programs store while the reader shows a list.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct OtherProgramsTests {
  private final class Others: Sendable {
    private let listener = Mutex<AsyncStream<Void>.Continuation?>(nil)

    func changes() -> AsyncStream<Void> {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      listener.withLock { $0 = continuation }
      return stream
    }

    var hasListener: Bool { listener.withLock { $0 != nil } }

    func store() { _ = listener.withLock { $0?.yield() } }
  }

  private let runtime = ManualRuntime()
  private let loads = ManualLoads<ArticleListing>()
  private let reads = ManualLoads<ArticleListing>()
  private let others = Others()
  private let model: ReaderModel

  init() {
    var source = DemoScript(.full).source
    source.articles = { [loads] _ in loads.loader }
    source.elsewhere = ArticlesElsewhere(changes: { [others] in others.changes() }) {
      [reads] _ in reads.loader
    }
    // Only what this test is about waits for the clock.
    source.document = { _ in Loader { _ in throw LibraryError.articleGone } }
    source.marks.setRead = { _, _ in }
    source.marks.nextUnread = { _ in nil }
    model = ReaderModel(source, runtime)
  }

  /// Follows other programs while `body` runs, which begins when the first list is loaded.
  private func following(_ rows: [Article], _ body: () async -> Void) async {
    model.articles.load()
    runtime.run()
    loads[0].succeed(ArticleListing(rows))
    runtime.run()
    let following = Task { await model.followOthers() }
    await runtime.run(until: { others.hasListener })
    await body()
    following.cancel()
    loads.end()
    reads.end()
    await following.value
    runtime.run()
  }

  /// Another program stores something, and the reader is notified.
  private func storeElsewhere() async {
    others.store()
    // The reader pauses after each change.
    await runtime.run(until: { runtime.clock.sleeperCount == 1 })
  }

  private static func article(_ number: Int64, isRead: Bool = false, isStarred: Bool = false)
    -> Article
  {
    Article(number, title: "Article \(number)", isRead: isRead, isStarred: isStarred)
  }

  @Test func `it shows without a fetch`() async {
    await following([Self.article(1)]) {
      await storeElsewhere()
      reads[0].succeed(ArticleListing([Self.article(1, isStarred: true)]))
      runtime.run()
      #expect(model.articles.latestValue?.articles.map(\.isStarred) == [true])
      #expect(loads.count == 1)
    }
  }

  @Test func `a text that they have changed is loaded again when it is opened`() async {
    await following([Self.article(1)]) {
      model.open(Self.article(1))
      let text = model.documents[Self.article(1).id]
      await storeElsewhere()
      #expect(model.documents[Self.article(1).id] === text, "it is being read")
      model.close()
      model.open(Self.article(1))
      #expect(model.documents[Self.article(1).id] !== text)
    }
  }

  @Test func `what is stored while feeds are fetched is read when they have come`() async {
    await following([Self.article(1)]) {
      model.reload()
      runtime.run()
      await storeElsewhere()
      #expect(reads.count == 0, "a fetch is not ended for it")
      loads[1].succeed(ArticleListing([Self.article(1)]))
      runtime.run()
      reads.latest?.succeed(ArticleListing([Self.article(1, isStarred: true)]))
      runtime.run()
      #expect(model.articles.latestValue?.articles.map(\.isStarred) == [true])
    }
  }

  @Test func `what is stored before anybody follows is not missed`() async {
    others.store()
    await following([Self.article(1)]) {
      await runtime.run(until: { runtime.clock.sleeperCount == 1 })
      #expect(reads.count == 1)
    }
  }

  @Test func `what they mark shows also where it was marked here before`() async {
    await following([Self.article(1), Self.article(2)]) {
      model.open(Self.article(1))
      model.open(Self.article(2))
      model.close()
      runtime.run()
      await storeElsewhere()
      #expect(shownAsRead == [true, true], "not as it was before it was marked")
      reads[0].succeed(ArticleListing([Self.article(1), Self.article(2, isRead: true)]))
      await runtime.run(until: { shownAsRead == [false, true] })
    }
  }

  @Test func `what is marked here in the meantime stays`() async {
    await following([Self.article(1), Self.article(2)]) {
      model.setRead(true, Self.article(1))
      runtime.run()
      await storeElsewhere()
      model.setRead(true, Self.article(2))
      runtime.run()
      reads[0].succeed(ArticleListing([Self.article(1), Self.article(2)]))
      await runtime.run(until: { shownAsRead == [false, true] })
    }
  }

  @Test func `the article that is open keeps its marks`() async {
    await following([Self.article(1), Self.article(2)]) {
      model.open(Self.article(2))
      model.open(Self.article(1))
      runtime.run()
      await storeElsewhere()
      reads[0].succeed(ArticleListing([Self.article(2)]))
      await runtime.run(until: { shownAsRead == [false] })
      #expect(model.openArticle.map(model.current)?.isRead == true)
    }
  }

  @Test func `a list that is not shown is read again once marks are forgotten`() async {
    await following([Self.article(1)]) {
      let shown = model.articles
      model.open(Self.article(1))
      model.close()
      runtime.run()
      let starred = loads.count
      model.select(.starred)
      model.articles.load()
      runtime.run()
      loads[starred].succeed(ArticleListing([]))
      runtime.run()
      await storeElsewhere()
      reads[0].succeed(ArticleListing([]))
      await runtime.run(until: { model.marks.latestValue?.isEmpty == true })
      model.select(.all)
      #expect(model.articles !== shown)
      #expect(model.articles.latestValue == nil)
    }
  }

  /// Begins to wait until a list was read; returns whether it was.
  private func waiting(for list: Resource<ArticleListing>) async -> @Sendable () -> Bool {
    let (isWaiting, isRead) = (Lock(false), Lock(false))
    Task {
      isWaiting.withLock { $0 = true }
      _ = await list.settled()
      isRead.withLock { $0 = true }
    }
    await runtime.run(until: { isWaiting.withLock(\.self) })
    return { isRead.withLock(\.self) }
  }

  /// Loads the list of starred articles with an article, and marks that as read.
  ///
  /// - Returns: the number of that load.
  @discardableResult
  private func markInStarredList() -> Int {
    let starred = loads.count
    model.select(.starred)
    model.articles.load()
    runtime.run()
    loads[starred].succeed(ArticleListing([Self.article(1)]))
    runtime.run()
    model.setRead(true, Self.article(1))
    runtime.run()
    return starred
  }

  @Test func `marks stay until the list that is shown by then was read, too`() async {
    await following([Self.article(1)]) {
      markInStarredList()
      await storeElsewhere()
      // This waits for the same list as what forgets the marks, but after that.
      let isRead = await waiting(for: model.articles)
      let all = loads.count
      model.select(.all)
      runtime.run()
      reads[0].succeed(ArticleListing([]))
      await runtime.run(until: isRead)
      #expect(shownAsRead == [true], "as it was before it was marked, it is unread")
      loads[all].succeed(ArticleListing([Self.article(1, isRead: true)]))
      await runtime.run(until: { model.marks.latestValue?.isEmpty == true })
      #expect(shownAsRead == [true])
    }
  }

  @Test func `marks stay until a list that is not shown has been reloaded`() async {
    await following([Self.article(1)]) {
      let starred = markInStarredList()
      model.reload()
      runtime.run()
      let reloaded = model.articles
      #expect(reloaded.isLoading && reloaded.latestValue != nil)
      model.select(.all)
      runtime.run()
      loads[starred + 2].succeed(ArticleListing([Self.article(1)]))
      runtime.run()
      await storeElsewhere()
      let isRead = await waiting(for: model.articles)
      reads[0].succeed(ArticleListing([Self.article(1, isRead: true)]))
      await runtime.run(until: isRead)
      #expect(model.marks.latestValue?.isEmpty == false, "the other list is as it was before")
      loads[starred + 1].succeed(ArticleListing([Self.article(1)]))
      await runtime.run(until: { model.marks.latestValue?.isEmpty == true })
      model.select(.starred)
      #expect(model.articles !== reloaded)
    }
  }

  private var shownAsRead: [Bool] {
    (model.articles.latestValue?.articles ?? []).map { model.current($0).isRead }
  }
}
