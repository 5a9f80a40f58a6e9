import Articles
import Loading
import LoadingTesting
import Storage
import Synchronization
import Testing

@testable import Argyle

/// Tests of what the reader keeps while lists change.
@MainActor
@Suite struct ReaderModelTests {
  private let runtime = ManualRuntime()

  private func model(_ source: ArticleSource = DemoScript(.full).source) -> ReaderModel {
    ReaderModel(source, runtime)
  }

  private func feed(_ number: Int64) -> ReaderList {
    .feeds(.feed(Feed.ID(rawValue: number)))
  }

  @Test func `of many lists that were visited the newest are kept, and which row was selected`() {
    let model = model()
    weak var first = model.articles
    model.selectedArticle = Article.ID(rawValue: 7)
    for number in 1...100 { model.select(feed(Int64(number))) }
    runtime.run()
    #expect(first == nil)
    weak var latest = model.articles
    model.select(.unread)
    model.select(feed(100))
    #expect(latest === model.articles)
    model.select(.all)
    #expect(model.selectedArticle == Article.ID(rawValue: 7))
  }

  @Test func `what is chosen before the stored orders have come is laid over them`() {
    let loads = ManualLoads<ListArrangements>()
    let stored = Mutex<[ArrangementChange]>([])
    var source = DemoScript(.full).source
    source.arrangements = ArrangementStates(
      stored: loads.loader, store: { change in stored.withLock { $0.append(change) } })
    let model = model(source)
    model.prepare()
    runtime.run()
    model.select(feed(1))
    model.toggleOnlyUnread()
    runtime.run()
    #expect(model.arrangement == ListArrangement(isOnlyUnread: true))
    #expect(stored.withLock(\.self) == [ArrangementChange(of: "feed 1", isOnlyUnread: true)])
    var arrangements = ListArrangements(ListArrangement(order: .title))
    arrangements["feed 1"] = ListArrangement(order: .oldest)
    // The first load began before the change was stored, so it is loaded again.
    loads[1].succeed(arrangements)
    runtime.run()
    #expect(model.arrangement == ListArrangement(isOnlyUnread: true, order: .oldest))
    model.select(.all)
    #expect(model.arrangement == ListArrangement(isOnlyUnread: true, order: .title))
    model.sortArticles()
    runtime.run()
    #expect(model.arrangement.order == .length)
    #expect(stored.withLock(\.last) == ArrangementChange(of: nil, order: .length))
  }

  @Test func `where the stored orders cannot be read, only what is chosen is stored`() {
    struct Unreadable: Error {}
    let stored = Mutex<[ArrangementChange]>([])
    var source = DemoScript(.full).source
    source.arrangements = ArrangementStates(
      stored: Loader { _ in throw Unreadable() },
      store: { change in stored.withLock { $0.append(change) } })
    let model = model(source)
    model.prepare()
    runtime.run()
    model.toggleGroups()
    model.toggleOnlyUnread()
    runtime.run()
    #expect(model.arrangement == ListArrangement(isOnlyUnread: true, isGrouped: true))
    #expect(
      stored.withLock(\.self) == [
        ArrangementChange(of: nil, isGrouped: true), ArrangementChange(of: nil, isOnlyUnread: true),
      ])
  }

  @Test func `a feed that is selected by a key shows its row, also in closed folders`() throws {
    let deep = try #require(FeedFolder(["News", "Deep"]))
    let news = try #require(deep.parent)
    var source = DemoScript(.full).source
    source.feeds = .constant([
      FeedSummary(
        feed: Feed(id: Feed.ID(rawValue: 1), address: "a", title: "Alpha", folder: deep),
        articleCount: 0,
        failure: FeedSummary.Failure(
          message: UserMessage(what: "It failed.", advice: "Wait."), date: .distantPast))
    ])
    source.folders.closed = .constant([deep, news])
    let model = model(source)
    model.prepare()
    runtime.run()
    #expect(model.isClosed(news))
    model.selectNextFailedFeed()
    runtime.run()
    #expect(model.list == feed(1))
    #expect(!model.isClosed(news) && !model.isClosed(deep))
  }

  @Test func `rows of closed folders are left out, and the folder counts what is unread in them`()
    throws
  {
    let deep = try #require(FeedFolder(["News", "Deep"]))
    let news = try #require(deep.parent)
    let feeds = [(1, "Alpha", deep), (2, "Beta", news)].map { number, title, folder in
      FeedSummary(
        feed: Feed(
          id: Feed.ID(rawValue: Int64(number)), address: "a", title: title, folder: folder),
        articleCount: 9, unreadCount: number)
    }
    func rows(_ closed: Set<FeedFolder>) -> [String] {
      FeedRow.rows(of: feeds, nil, searches: [], closed: closed).dropFirst(4).map {
        "\($0.title) \($0.unread)"
      }
    }
    #expect(rows([]) == ["▾ News 3", "▾ Deep 1", "Alpha 1", "Beta 2"])
    #expect(rows([deep]) == ["▾ News 3", "▸ Deep 1", "Beta 2"])
    #expect(rows([news, deep]) == ["▸ News 3"])
  }

  @Test func `which folders are closed is read again after a change of feeds`() throws {
    let (old, new) = (try #require(FeedFolder(["Old"])), try #require(FeedFolder(["New"])))
    let closed = Mutex<Set<FeedFolder>>([old])
    var source = DemoScript(.full).source
    source.folders.closed = Loader { _ in closed.withLock(\.self) }
    source.feedEdits.move = { _, new in closed.withLock { $0 = [old, new] } }
    let model = model(source)
    model.prepare()
    runtime.run()
    #expect(!model.isClosed(new))
    model.change("Renamed.", loss: "") { try await $0.move(old, new) }
    runtime.run()
    model.tell(model.marks.latestValue?.feedChange)
    runtime.run()
    #expect(model.isClosed(new))
  }

  @Test func `a search for the next unread article by a key is not replaced by one ahead`() throws {
    var source = DemoScript(.full).source
    let article = Article(1, of: "Alpha", title: "One")
    source.articles = { _ in .constant(ArticleListing([article])) }
    let model = model(source)
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

  @Test(.timeLimit(.minutes(10)))
  func `after everything that was found, the next unread article closes the search`() async {
    var source = DemoScript(.full).source
    let article = Article(7, of: "Alpha", title: "Seven")
    source.articles = { _ in .constant(ArticleListing([article])) }
    source.marks.nextUnread = { _ in article }
    let model = model(source)
    model.select(.feeds(.feed(article.feedID)))
    model.search.begin()
    model.openNextUnread()
    runtime.run()
    model.take(model.next.latestValue)
    await runtime.run { model.openArticle == article }
    #expect(!model.search.isOpen)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
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
    let model = model(source)
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

  @Test(.timeLimit(.minutes(10)))
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
    let model = model(source)
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
    release.finish()
    await runtime.run { model.openArticle != nil }
    #expect(model.openArticle?.title == "2")
    #expect(model.list == feed(2))
  }

  @Test func `the list is read again when copies of articles are joined or shown apart`() {
    let reads = Mutex(0)
    var source = DemoScript(.full).source
    source.articles = { _ in
      Loader { _ in
        reads.withLock { $0 += 1 }
        return ArticleListing([])
      }
    }
    let model = model(source)
    model.prepare()
    runtime.run()
    var settings = ReaderSettings()
    for (isJoined, measure, count) in [(false, 76, 2), (false, 60, 2), (true, 60, 3)] {
      (settings.joinsDuplicates, settings.measure) = (isJoined, measure)
      model.apply(settings)
      runtime.run()
      #expect(reads.withLock(\.self) == count)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a list that is shown while a mark is being stored is read again after it`() async {
    let (held, release) = AsyncStream<Void>.makeStream()
    let reads = Mutex(0)
    var source = DemoScript(.full).source
    source.marks.setStarred = { _, _ in for await _ in held {} }
    source.articles = { request in
      Loader { _ in
        if request.list == .starred { reads.withLock { $0 += 1 } }
        return ArticleListing([])
      }
    }
    let model = model(source)
    model.toggleStar(Article(1, title: "One"))
    model.select(.starred)
    model.articles.prefetch()
    await runtime.run { reads.withLock(\.self) == 1 }
    release.finish()
    await runtime.run { reads.withLock(\.self) == 2 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `what could not be written is said after another notice, too`() async {
    let model = model()
    let (writing, end) = AsyncStream<Void>.makeStream()
    model.write("The file was not saved.") {
      for await _ in writing {}
      return Notice(words: "Not saved.")
    }
    runtime.run()
    model.say("Copied.")
    runtime.run()
    end.finish()
    await runtime.run { (model.notice.latestValue ?? nil)?.words == "Not saved." }
  }

  @Test func `the unread article before is opened, at the first one the last of the list`() throws {
    var source = DemoScript(.full).source
    let articles = (1...4).map { number in
      Article(number, of: "Alpha", title: "\(number)", isRead: number == 2)
    }
    source.articles = { _ in .constant(ArticleListing(articles)) }
    let model = model(source)
    model.prepare()
    runtime.run()
    model.selectedArticle = articles[2].id
    var opened: [String?] = []
    for _ in 0..<4 {
      model.openPreviousUnread()
      runtime.run()
      opened.append(model.openArticle?.title)
      if opened == ["1", "4"] {
        #expect(model.notice.latestValue??.words == "From the end of the list.")
      }
    }
    #expect(opened == ["1", "4", "3", "3"])
    #expect(model.selectedArticle == articles[2].id)
    #expect(model.notice.latestValue??.words == "Nothing else is unread here.")
  }

  @Test(.timeLimit(.minutes(10)))
  func `reading goes on below an article that has left the list`() async {
    let all = (1...5).map { Article($0, title: "\($0)") }
    let isGone = Mutex(false)
    var source = DemoScript(.full).source
    source.articles = { _ in
      Loader { _ in
        ArticleListing(isGone.withLock(\.self) ? all.filter { $0.id != all[2].id } : all)
      }
    }
    let model = model(source)
    model.prepare()
    runtime.run()
    model.selectedArticle = all[2].id
    #expect(model.selectedRow?.id == all[2].id)
    isGone.withLock { $0 = true }
    model.readAgain()
    await runtime.run { model.shownArticles?.count == 4 }
    #expect(model.selectedRow?.id == all[3].id)
    model.openNextUnread()
    #expect(model.openArticle?.title == "4")
  }

  @Test(.timeLimit(.minutes(10)))
  func `a search does not change which row takes the place of an article that has left the list`()
    async
  {
    let all = (1...5).map { Article($0, title: "\($0)") }
    let isGone = Mutex(false)
    var source = DemoScript(.full).source
    source.articles = { _ in
      Loader { _ in
        ArticleListing(isGone.withLock(\.self) ? all.filter { $0.id != all[2].id } : all)
      }
    }
    let model = model(source)
    model.prepare()
    runtime.run()
    model.selectedArticle = all[2].id
    #expect(model.selectedRow?.id == all[2].id)
    model.openSearch()
    model.search.results.set(
      .loaded(
        ArticleSearch.Results(
          rows: [SearchResult(article: all[4], title: .init(parts: []), snippet: .init(parts: []))])
      ))
    model.selectedArticle = all[4].id
    #expect(model.selectedRow?.id == all[4].id)
    isGone.withLock { $0 = true }
    model.readAgain()
    await runtime.run { model.articles.latestValue?.count == 4 }
    model.search.isOpen = false
    #expect(model.selectedRow?.id == all[3].id)
  }

  @Test func `a folder or a feed that is as it was again is selected`() throws {
    let news = try #require(FeedFolder(["News"]))
    let alpha = Feed.ID(rawValue: 1)
    let summary = FeedSummary(
      feed: Feed(id: alpha, address: "a", title: "Alpha", folder: news), articleCount: 0)
    for (change, list) in [
      (LibraryChange(id: 1, kind: .removedFolder, folder: news), .feeds(.folder(news))),
      (LibraryChange(id: 1, kind: .movedFolder, folder: news), .feeds(.folder(news))),
      (LibraryChange(id: 1, kind: .arrangedFeed, feed: alpha), .feeds(.feed(alpha))),
      (LibraryChange(id: 1, kind: .removedFeed, feed: alpha), .feeds(.feed(alpha))),
      (LibraryChange(id: 1, kind: .starred, articles: [Article.ID(rawValue: 7)]), nil),
    ] as [(LibraryChange, ReaderList?)] {
      var source = DemoScript(.full).source
      source.feeds = .constant([summary])
      source.marks.undo = { change }
      let model = model(source)
      model.undo()
      runtime.run()
      model.tell(model.marks.latestValue?.undone)
      runtime.run()
      #expect(model.arrivedList == list)
    }
  }

  // MARK: Long lists

  private static func articles(_ range: Range<Int>) -> [Article] {
    range.map { number in
      Article(number, title: "Article \(number)")
    }
  }

  /// Returns a model whose lists yield their first articles at once.
  private func longModel(_ loads: ManualLoads<ArticleListing>) -> ReaderModel {
    var source = DemoScript(.full).source
    source.articles = { _ in loads.loader }
    let rows = Self.articles(0..<ArticleSource.beginning)
    source.beginning = { _ in .constant(rows) }
    return model(source)
  }

  @Test
  func `a long list begins with its first rows, and keys that are about all wait for the rest`()
    async
  {
    let loads = ManualLoads<ArticleListing>()
    let model = longModel(loads)
    model.articles.prefetch()
    runtime.run()
    #expect(model.articles.latestValue?.count == ArticleSource.beginning)
    #expect(model.articles.latestValue?.isWhole == false)
    #expect(model.selected?.id == Article.ID(rawValue: 0))
    model.markRead(.all)
    runtime.run()
    #expect(model.marks.latestValue?.swept == nil)
    #expect(model.isSaving)
    loads[0].succeed(ArticleListing(Self.articles(0..<3_000)))
    await runtime.run(until: { model.marks.latestValue?.swept != nil })
    #expect(model.articles.latestValue?.isWhole == true)
    #expect(model.marks.latestValue?.swept?.count == 3_000)
  }

  @Test func `what is above a row is above the one that was selected when the key was pressed`()
    async
  {
    let loads = ManualLoads<ArticleListing>()
    let model = longModel(loads)
    model.articles.prefetch()
    runtime.run()
    model.selectedArticle = Article.ID(rawValue: 3)
    model.markRead(.above)
    model.selectedArticle = Article.ID(rawValue: 8)
    loads[0].succeed(ArticleListing(Self.articles(0..<3_000)))
    await runtime.run(until: { model.marks.latestValue?.swept != nil })
    #expect(model.marks.latestValue?.swept?.count == 3)
  }

  @Test func `what was begun does not happen when the rest of a list cannot be read`() async {
    struct Unreadable: Error {}
    let loads = ManualLoads<ArticleListing>()
    let model = longModel(loads)
    model.articles.prefetch()
    runtime.run()
    model.markRead(.all)
    loads[0].fail(Unreadable())
    await runtime.run(until: { !model.isSaving })
    #expect(model.articles.latestValue?.count == ArticleSource.beginning)
    #expect(model.marks.latestValue?.swept == nil)
    #expect(!model.isSaving)
  }
}
