import Articles
import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import Testing

@testable import Argyle

/// Tests of the marks that are kept on top of the lists.
@MainActor
@Suite struct MarkTests {
  /// The marks that were stored.
  private final class Stored: Sendable {
    let newest = Mutex<[Article.ID?]>([])
    let ids = Mutex<[Article.ID]>([])
  }

  private let runtime = ManualRuntime()
  private let stored = Stored()
  /// The lists that were marked where they are stored.
  private let asked = Lock<[ReaderList]>([])

  private static func articles(_ count: Int) -> [Article] {
    (1...count).map { number in
      Article(number, of: "Alpha", title: "\(number)", isRead: number == 2)
    }
  }

  /// Returns a model that shows some articles, of which the second one is read.
  private func model(
    of articles: [Article], failing failure: LibraryError? = nil,
    _ change: (inout ArticleSource) -> Void = { _ in }
  ) -> ReaderModel {
    var source = DemoScript(.full).source
    source.articles = { _ in .constant(ArticleListing(articles)) }
    source.marks.setRead = { [stored] _, ids in stored.ids.withLock { $0 += ids } }
    // One of them is a copy, which no list shows.
    source.marks.markMatchingRead = { _, _ in (articles.suffix(2).map(\.id), 1) }
    source.marks.markAllRead = { [stored] _, newest in
      if let failure { throw failure }
      stored.newest.withLock { $0.append(newest) }
    }
    source.marks.undo = {
      LibraryChange(
        id: 1, kind: .markedRead, count: articles.count - 1,
        articles: articles.filter { !$0.isRead }.map(\.id))
    }
    change(&source)
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    return model
  }

  /// Returns a search that finds some articles, whatever is searched for.
  private static func finding(
    _ articles: [Article]
  ) -> @Sendable (String, Int) -> Loader<[SearchResult]> {
    { _, limit in
      .constant(
        articles.prefix(limit).map {
          SearchResult(article: $0, title: .init(parts: []), snippet: .init(parts: []))
        })
    }
  }

  private func unread(_ articles: [Article], in model: ReaderModel) -> Int {
    articles.count { !model.current($0).isRead }
  }

  @Test(arguments: [10, 10_000])
  func `a list is looked through where loads run, and is one mark however long it is`(count: Int)
    throws
  {
    let articles = Self.articles(count)
    let model = model(of: articles)
    model.markRead(.all)
    #expect(unread(articles, in: model) == count - 1, "nothing was looked through yet")
    #expect(model.marks.latestValue?.sweeps.isEmpty == true)
    runtime.run()
    #expect(unread(articles, in: model) == 0)
    #expect(model.marks.latestValue?.swept?.count == count - 1)
    #expect(model.marks.latestValue?.sweeps.count == 1)
    #expect(stored.newest.withLock { $0 } == [articles.last?.id])

    model.undo()
    runtime.run()
    #expect(unread(articles, in: model) == count - 1)
    #expect(model.marks.latestValue?.sweeps.count == 1, "the mark that was undone is gone")
  }

  @Test func `what is undone comes back to a list that it had left`() {
    let all = Self.articles(3)
    let isMarked = Mutex(false)
    var source = DemoScript(.full).source
    source.articles = { _ in
      Loader { _ in
        ArticleListing(isMarked.withLock { $0 } ? [] : all.filter { !$0.isRead })
      }
    }
    source.marks.markAllRead = { _, _ in isMarked.withLock { $0 = true } }
    source.marks.undo = {
      isMarked.withLock { $0 = false }
      return LibraryChange(
        id: 1, kind: .markedRead, count: 2, articles: all.filter { !$0.isRead }.map(\.id))
    }
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    model.markRead(.all)
    runtime.run()
    model.readAgain()
    runtime.run()
    #expect(model.articles.latestValue?.isEmpty == true)
    model.undo()
    runtime.run()
    model.tell(model.marks.latestValue?.undone)
    runtime.run()
    #expect(model.articles.latestValue?.articles.map(\.title) == ["1", "3"])
  }

  @Test func `all results of the open search are marked, whether they are listed or not`() {
    let articles = Self.articles(300)
    let model = model(of: articles) { source in
      source.search.find = Self.finding(articles)
      source.search.count = { _ in articles.count }
      source.marks.markMatchingRead = { [asked] list, _ in
        asked.withLock { $0.append(list) }
        let unread = articles.filter { !$0.isRead }.map(\.id)
        return (unread, unread.count)
      }
    }
    model.search.begin()
    model.search.text = "alpha"
    runtime.advance(by: .seconds(1))
    #expect(model.search.countWords == "100 of 300")
    model.markRead(.all)
    runtime.run()
    #expect(asked.withLock { $0 } == [.search(SavedSearch(name: "alpha", text: "alpha"))])
    #expect(model.marks.latestValue?.swept?.count == 299)
  }

  /// Returns the program with marks that cannot be stored, after some keys.
  private func text(after keys: String) throws -> String {
    let scene = Scene.program { source in
      source.marks.setRead = { _, _ in throw LibraryError.articleGone }
      source.marks.markAllRead = { _, _ in throw LibraryError.articleGone }
      source.marks.tag = { _, _, _ in throw LibraryError.articleGone }
    }
    let still = Still(scene, 80, 24)
    still.play(try KeyScript(keys))
    still.run(to: .seconds(2))
    defer { still.end() }
    return still.frame.text
  }

  @Test func `the mark of an article that covers the lists is told if it cannot be stored`() throws
  {
    let text = try text(after: "@1 enter")
    #expect(text.contains("Esc"))
    #expect(text.contains("was not marked as read."))
    #expect(text.contains("to retry"))
  }

  @Test(arguments: [
    ("@1 U", "How lists are shown was not saved."),
    ("@1 left G left left", "Which folders are closed was not saved."),
  ])
  func `how lists and folders are shown is told at once if it cannot be stored`(
    keys: String, words: String
  ) throws {
    let folder = try #require(FeedFolder(["News"]))
    let scene = Scene("program", "", at: .zero) { runtime in
      var source = DemoScript(.full).source
      source.feeds = .constant([
        FeedSummary(
          feed: Feed(id: Feed.ID(rawValue: 1), address: "a", title: "Alpha", folder: folder),
          articleCount: 1)
      ])
      source.arrangements.store = { _ in throw LibraryError.articleGone }
      source.folders.setClosed = { _, _ in throw LibraryError.articleGone }
      let model = ProgramModel(
        part: .articles, source: source,
        socks: Resource(name: "drawer", clock: runtime.clock, scheduler: runtime.scheduler),
        pictures: .demo, scripted: runtime, clock: runtime.clock, scheduler: runtime.scheduler)
      model.reader.prepare()
      return RootScreen(model: model, days: .demo)
    }
    let still = Still(scene, 80, 24)
    defer { still.end() }
    still.play(try KeyScript(keys))
    still.run(to: .seconds(2))
    let text = still.frame.text
    #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words))
    #expect(text.contains("to retry"))
  }

  @Test(arguments: [("A", "were not marked as read."), ("b", "The tags of")])
  func `what could not be stored is not said to be done`(key: String, words: String) throws {
    let text = try text(after: "@1 \(key)")
    #expect(text.contains(words))
    #expect(!text.contains("to undo"))
  }

  @Test(arguments: [ReaderModel.ListPart.above, .below], [1, 3, 5])
  func `what is above or below the selected article is marked, and taken back in one step`(
    part: ReaderModel.ListPart, selected: Int
  ) {
    let articles = Self.articles(5)
    let model = model(of: articles)
    model.selectedArticle = articles[selected - 1].id
    let meant = articles.filter {
      part == .above ? $0.id.rawValue < selected : $0.id.rawValue > selected
    }
    // The second one is read from the start.
    let marked = meant.filter { !$0.isRead }.count
    model.markRead(part)
    runtime.run()
    #expect(meant.allSatisfy { model.current($0).isRead })
    #expect(unread(articles, in: model) == 4 - marked)
    #expect(model.marks.latestValue?.swept?.count == marked)
    #expect(stored.ids.withLock { $0 } == meant.filter { !$0.isRead }.map(\.id))
    #expect(stored.newest.withLock { $0 }.isEmpty, "not the whole list")
  }

  @Test func `what is older than a time is marked by the store, and shown as it says`() {
    let articles = Self.articles(5)
    let model = model(of: articles)
    model.sheet = .olderArticles
    for text in ["soon", "7", "2026-13-01"] {
      #expect(!model.markRead(olderThan: text) && model.sheet == .olderArticles, "\(text)")
    }
    #expect(model.markRead(olderThan: " 7d ") && model.sheet == nil)
    runtime.run()
    #expect(articles.filter { !model.current($0).isRead }.map(\.title) == ["1", "3"])
    #expect(model.marks.latestValue?.swept?.count == 1)
  }

  @Test(arguments: ["", " "])
  func `an empty field stands for the age that it shows`(text: String) {
    let model = model(of: Self.articles(5))
    #expect(model.markRead(olderThan: text))
    runtime.run()
    #expect(model.marks.latestValue?.swept?.count == 1)
  }

  @Test func `a list that is marked and unmarked for ever needs no more memory`() {
    let articles = Self.articles(10)
    let model = model(of: articles)
    for _ in 1...100 {
      model.markRead(.all)
      runtime.run()
      // Nothing is left to mark.
      model.markRead(.all)
      runtime.run()
      model.undo()
      runtime.run()
    }
    #expect(unread(articles, in: model) == 9)
    #expect(model.marks.latestValue?.sweeps.count == 1)
  }

  @Test func `of two marks of an article the later one counts`() {
    let articles = Self.articles(5)
    let model = model(of: articles)
    model.markRead(.all)
    // Before the unread articles of the list were found.
    model.setRead(true, articles[3])
    model.toggleRead(articles[3])
    #expect(unread(articles, in: model) == 4)
    runtime.run()
    #expect(articles.filter { !model.current($0).isRead }.map(\.title) == ["4"])
    model.markRead(.all)
    runtime.run()
    #expect(unread(articles, in: model) == 0)
    model.toggleRead(articles[0])
    runtime.run()
    #expect(articles.filter { !model.current($0).isRead }.map(\.title) == ["1"])
  }

  @Test func `a list that could not be stored is as it was, and is named with its number`() async {
    let articles = Self.articles(5)
    let model = model(of: articles, failing: .articleGone)
    model.markRead(.all)
    #expect(model.isSaving)
    runtime.run()
    #expect(unread(articles, in: model) == 4)
    #expect(await model.finishSaving() == ["4 articles were not marked as read."])
  }

  @Test func `marks that the store knows are forgotten but for the article that is read`() {
    let articles = Self.articles(5)
    let model = model(of: articles)
    model.markRead(.all)
    runtime.run()
    model.open(articles[0])
    let stored = model.storedMarks
    model.toggleRead(articles[4])
    runtime.run()
    let swept = model.marks.latestValue?.swept
    model.forgetMarks(stored)
    #expect(swept != nil && model.marks.latestValue?.swept == swept, "it can still be undone")
    #expect(
      articles.filter { !model.current($0).isRead }.map(\.title) == ["3", "4", "5"],
      "the first one is open, the second one was read in the list")
    #expect(model.marks.latestValue?.sweeps.isEmpty == true)
  }

  @Test func `a list whose mark was undone is not told again when its marks are forgotten`() {
    let model = model(of: Self.articles(5))
    model.markRead(.all)
    runtime.run()
    let stored = model.storedMarks
    model.undo()
    runtime.run()
    model.forgetMarks(stored)
    #expect(model.marks.latestValue?.swept == nil)
  }

  @Test func `marks of what a search has found stay until the search is closed`() {
    let articles = Self.articles(5)
    let model = model(of: articles) { source in
      source.search.find = Self.finding([articles[3]])
    }
    model.search.begin()
    model.search.text = "alpha"
    runtime.advance(by: .seconds(1))
    model.setRead(true, articles[3])
    model.setRead(true, articles[4])
    runtime.run()
    model.forgetMarks(model.storedMarks)
    #expect([3, 4].map { model.current(articles[$0]).isRead } == [true, false])
    model.search.isOpen = false
    model.forgetMarks(model.storedMarks)
    #expect(!model.current(articles[3]).isRead)
  }

  // MARK: Before the list is loaded

  private func model(loading loads: ManualLoads<ArticleListing>) -> ReaderModel {
    var source = DemoScript(.full).source
    source.articles = { _ in loads.loader }
    source.marks.markAllRead = { [stored] _, newest in stored.newest.withLock { $0.append(newest) }
    }
    return ReaderModel(source, runtime)
  }

  /// Returns the changes that are not saved when the program ends; `meanwhile` gets the task that
  /// waits for them.
  private func losses(
    of model: ReaderModel, _ meanwhile: (Task<Void, Never>) -> Void
  ) async -> [String] {
    var losses: [String]?
    let end = Task { losses = await model.finishSaving() }
    meanwhile(end)
    await runtime.run { losses != nil }
    return losses ?? []
  }

  @Test func `a list that is still loading is marked as read before the program ends`() async {
    let loads = ManualLoads<ArticleListing>()
    let model = model(loading: loads)
    model.markRead(.all)
    runtime.run()
    #expect(model.isSaving)
    #expect(
      await losses(of: model) { _ in loads[0].succeed(ArticleListing(Self.articles(5))) } == [])
    #expect(stored.newest.withLock { $0 } == [Article.ID(rawValue: 5)])
    #expect(!model.isSaving)
  }

  @Test func `a list that does not come before the program ends is named`() async {
    let loads = ManualLoads<ArticleListing>()
    let model = model(loading: loads)
    model.markRead(.all)
    runtime.run()
    #expect(
      await losses(of: model) { $0.cancel() }
        == ["The articles of “All articles” were not marked as read."])
    #expect(stored.newest.withLock { $0 }.isEmpty)
    loads.end()
  }

  @Test func `what a search has found is named by the search if it is not marked`() async {
    let articles = Self.articles(300)
    let model = model(of: articles) { source in
      source.search.find = Self.finding(articles)
      source.marks.markMatchingRead = { _, _ in throw LibraryError.articleGone }
    }
    model.openSearch()
    model.search.text = "wool"
    runtime.advance(by: .seconds(1))
    model.markRead(.all)
    let loss = "The articles of “wool” were not marked as read."
    #expect(await losses(of: model) { _ in } == [loss])
  }

  @Test func `a list is marked as read although another one is shown by then`() async {
    let loads = ManualLoads<ArticleListing>()
    let model = model(loading: loads)
    model.markRead(.all)
    runtime.run()
    model.select(.starred)
    loads[0].succeed(ArticleListing(Self.articles(5)))
    await runtime.run { !model.isSaving }
    #expect(stored.newest.withLock { $0 } == [Article.ID(rawValue: 5)])
    loads.end()
  }
}
