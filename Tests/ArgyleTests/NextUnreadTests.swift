import Articles
import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import Testing

@testable import Argyle

/// Tests of the way to the next unread article, in the list and in others.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct NextUnreadTests {
  private let runtime = ManualRuntime()
  private let articles = (1...2).map { Article($0, title: "\($0)") }
  /// What is unread in the store.
  private let unread = Lock<[Article]>([])
  private let searches = Lock(0)

  private func feed(_ number: Int64) -> ReaderList {
    .feeds(.feed(Feed.ID(rawValue: number)))
  }

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

  /// Lets everything run that the current time allows.
  private func settle() async {
    for _ in 1...100 {
      runtime.run()
      await Task.yield()
    }
  }

  @Test func `a search that another one replaced does not say what it waits for`() async throws {
    let stores = ManualCalls<Int, Void>()
    let model = model { $0.marks.markAllRead = { _, _ in try await stores.call(0) } }
    model.markRead(.all)
    await runtime.run { stores.count == 1 }
    model.openNextUnread()
    await settle()
    model.open(articles[0])
    await settle()
    model.openNextUnread()
    await settle()
    model.openNextUnread()
    await settle()
    runtime.advance(by: .milliseconds(499))
    await settle()
    #expect(model.notice.latestValue ?? nil == nil)
    runtime.advance(by: .milliseconds(1))
    await settle()
    let words = (model.notice.latestValue ?? nil)?.words
    #expect(words == "The next unread article is searched for once your marks are stored.")
    stores[0].succeed(())
    await runtime.run { model.next.latestValue != nil }
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

  /// What the user does while the key for the next unread article waits.
  enum Change: CaseIterable { case otherList, search, sheet, tags, close, end }

  @Test(arguments: Change.allCases)
  func `nothing is opened after the user has gone elsewhere, or ends the program`(
    change: Change
  ) async throws {
    let stores = ManualCalls<Int, Void>()
    let model = model { $0.marks.markAllRead = { _, _ in try await stores.call(0) } }
    if change == .close {
      model.open(articles[0])
      await runtime.run { !model.isSaving && !model.next.isLoading }
    }
    model.markRead(.all)
    await runtime.run { stores.count == 1 }
    model.openNextUnread()
    await settle()
    try #require(model.next.isLoading)
    var end: Task<[String], Never>?
    switch change {
    case .otherList: model.select(.starred)
    case .search: model.openSearch()
    case .sheet: model.sheet = .lists
    case .tags: model.editTags(articles[0])
    case .close: model.close()
    case .end: end = Task { await model.finishSaving() }
    }
    await settle()
    let list = model.list
    stores[0].succeed(())
    await runtime.run { !model.next.isLoading }
    model.take(model.next.latestValue)
    await settle()
    #expect(model.openArticle == nil)
    #expect(model.list == list)
    #expect(model.search.isOpen == (change == .search))
    _ = await end?.value
  }

  @Test func `a search of a long list that another one replaced ends early`() async {
    let looked = Lock(0)
    let rows = ArticleListing((1...3 * UnreadSearch.slice).map { Article($0, title: "") })
    let search = UnreadSearch(rows: rows, start: 7) { _ in
      looked.withLock { $0 += 1 }
      return false
    }
    #expect(search.first == nil)
    #expect(looked.withLock(\.self) == rows.count)
    looked.withLock { $0 = 0 }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return search.first?.id
    }
    #expect(await task.value == nil)
    #expect(looked.withLock(\.self) == UnreadSearch.slice)
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

  @Test func `a macro does not wait for what is loaded in advance`() async {
    let model = model()
    model.open(articles[0])
    #expect(model.next.isLoading)
    #expect(!model.isGoingOn)
    await runtime.run { !model.next.isLoading }
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

  // MARK: Other lists

  @Test func `a search for the next unread article by a key is not replaced by one ahead`() throws {
    var source = DemoScript(.full).source
    let article = Article(1, of: "Alpha", title: "One")
    source.articles = { _ in .constant(ArticleListing([article])) }
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    model.open(article)
    runtime.run()
    let ahead = try #require(model.next.latestValue)
    #expect(!ahead.opens)
    model.close()
    model.openNextUnread()
    // The frame that delivers the article found in advance comes after the key, by which time that
    // article is read.
    model.take(NextUnread(article: article, opens: false, search: ahead.search))
    runtime.run()
    #expect(model.next.latestValue?.opens == true)
  }

  @Test func `where the next unread article cannot be searched for, the key says why`() throws {
    let failure = StoreError.locked(path: "/data")
    let scene = Scene.program { source in
      source.articles = { _ in .constant(ArticleListing([])) }
      source.marks.nextUnread = { _ in throw failure }
    }
    let still = Still(scene, 80, 24)
    defer { still.end() }
    still.play(try KeyScript("@1 n @2"))
    #expect(still.frame.text.contains(UserMessage(failure).what))
  }

  @Test
  func `after everything that was found, the next unread article closes the search`() async {
    var source = DemoScript(.full).source
    let article = Article(7, of: "Alpha", title: "Seven")
    source.articles = { _ in .constant(ArticleListing([article])) }
    source.marks.nextUnread = { _ in article }
    let model = ReaderModel(source, runtime)
    model.select(.feeds(.feed(article.feedID)))
    model.search.begin()
    model.openNextUnread()
    runtime.run()
    model.take(model.next.latestValue)
    await runtime.run { model.openArticle == article }
    #expect(!model.search.isOpen)
  }

  @Test(arguments: [false, true])
  func `after a feed that was read comes the feed below it, from its first unread article`(
    isCountOld: Bool
  ) async {
    let (alpha, beta, gamma) = (feed(1), feed(2), feed(3))
    var source = DemoScript(.full).source
    source.feeds = .constant(
      [(1, "Alpha"), (2, "Beta"), (3, "Gamma")].map { number, title in
        FeedSummary(
          feed: Feed(id: Feed.ID(rawValue: Int64(number)), address: title, title: title),
          articleCount: 2, unreadCount: number == 1 ? 0 : 2)
      })
    @Sendable nonisolated func articles(of list: ReaderList) -> [Article] {
      guard case .feeds(.feed(let id)) = list else { return [] }
      let isRead = list == alpha || list == beta && isCountOld
      return (1...3).map { place in
        Article(
          id: Article.ID(rawValue: id.rawValue * 10 + Int64(place)), feedID: id, feedTitle: "",
          title: "\(id.rawValue).\(place)", isRead: isRead || place == 1)
      }
    }
    source.articles = { .constant(ArticleListing(articles(of: $0.list))) }
    source.marks.nextUnread = { _ in articles(of: gamma).last }
    let model = ReaderModel(source, runtime)
    model.prepare()
    model.select(alpha)
    model.openNextUnread()
    await runtime.run { model.next.latestValue != nil }
    model.take(model.next.latestValue)
    await runtime.run { model.openArticle != nil }
    #expect(model.openArticle?.title == (isCountOld ? "3.3" : "2.2"))
    #expect(model.list == (isCountOld ? gamma : beta))
    #expect(
      model.notice.latestValue??.words
        == "Now in “\(isCountOld ? "Gamma" : "Beta")”: everything in “Alpha” is read.")
  }

  @Test func `a feed that was removed elsewhere is not said to be read`() async {
    let (removed, next) = (Article(1, of: "Alpha", title: "1"), Article(2, of: "Beta", title: "2"))
    var source = DemoScript(.full).source
    source.feeds = .constant([
      FeedSummary(
        feed: Feed(id: next.feedID, address: "Beta", title: "Beta"), articleCount: 1, unreadCount: 1
      )
    ])
    let gone = ReaderList.feeds(.feed(Feed.ID(rawValue: 99)))
    source.articles = { .constant(ArticleListing($0.list == gone ? [] : [next])) }
    source.marks.nextUnread = { _ in next }
    let model = ReaderModel(source, runtime)
    model.prepare()
    model.select(gone)
    model.open(removed)
    model.openNextUnread()
    await runtime.run { model.next.latestValue != nil }
    model.take(model.next.latestValue)
    await runtime.run { model.openArticle == next }
    #expect(model.notice.latestValue??.words == "Now in “Beta”: “Alpha” was removed.")
  }

  @Test
  func `a feed that was visited before is read again before it is passed over`() async {
    let isNew = Mutex(false)
    let (held, release) = AsyncStream<Void>.makeStream()
    var source = DemoScript(.full).source
    source.feeds = .constant(
      [(1, "Alpha"), (2, "Beta")].map { number, title in
        FeedSummary(
          feed: Feed(id: Feed.ID(rawValue: Int64(number)), address: title, title: title),
          articleCount: 1, unreadCount: number - 1)
      })
    source.articles = { request in
      Loader { _ in
        guard case .feeds(.feed(let id)) = request.list else { return ArticleListing([]) }
        let isRead = id.rawValue == 1 || !isNew.withLock(\.self)
        if !isRead { for await _ in held {} }
        return ArticleListing([
          Article(
            id: Article.ID(rawValue: id.rawValue), feedID: id, feedTitle: "",
            title: "\(id.rawValue)",
            isRead: isRead)
        ])
      }
    }
    source.marks.nextUnread = { _ in
      Article(id: Article.ID(rawValue: 9), feedID: Feed.ID(rawValue: 3), feedTitle: "", title: "9")
    }
    let model = ReaderModel(source, runtime)
    model.prepare()
    for number in [2, 1] {
      model.select(feed(Int64(number)))
      model.articles.prefetch()
      await runtime.run { model.shownArticles != nil }
    }
    isNew.withLock { $0 = true }
    model.openNextUnread()
    await runtime.run { model.next.latestValue != nil }
    model.take(model.next.latestValue)
    await runtime.run { model.articles.isLoading }
    #expect(model.openArticle == nil)
    #expect(model.isGoingOn, "a macro waits")
    release.finish()
    await runtime.run { model.openArticle != nil }
    #expect(model.openArticle?.title == "2")
    #expect(model.list == feed(2))
  }
}
