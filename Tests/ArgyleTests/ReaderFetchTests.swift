import Articles
import Loading
import LoadingTesting
import Observation
import Synchronization
import Testing

@testable import Argyle

/// Tests of how the reader shows fetches, and what it does when they end.
@MainActor
@Suite struct ReaderFetchTests {
  /// Feeds whose fetches a test starts and ends.
  private final class Fetches: Sendable {
    private let current = Mutex<[Feed.ID: LoadingProgress]>([:])
    private let stream = AsyncStream<Void>.makeStream()

    var running: Running<Feed.ID> {
      Running(
        current: { self.current.withLock(\.self) }, changes: { [stream] in stream.stream })
    }

    func set(_ ids: Int64...) {
      current.withLock {
        $0 = Dictionary(
          uniqueKeysWithValues: ids.map { (Feed.ID(rawValue: $0), LoadingProgress()) })
      }
      stream.continuation.yield()
    }
  }

  /// Lets time pass until a condition holds.
  private func settle(_ runtime: ManualRuntime, until condition: () -> Bool) async {
    while !condition(), !Task.isCancelled {
      runtime.advance(by: .milliseconds(100))
      await Task.yield()
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `fetches are shown and arrivals told while pages of new articles are on their way`()
    async throws
  {
    let runtime = ManualRuntime()
    let (fetches, pages) = (Fetches(), AsyncStream<Int>.makeStream())
    let told = Mutex(0)
    let indexed = Mutex(0)
    var source = DemoScript(.full).source
    source.fetches = FeedFetches(
      running: fetches.running, index: { indexed.withLock { $0 += 1 } },
      fullTexts: { await pages.stream.first { _ in true } ?? 0 })
    source.arrivals = {
      told.withLock { $0 += 1 }
      return Arrivals()
    }
    let model = ReaderModel(source, runtime)
    let following = Task { await model.followFetches() }
    defer { following.cancel() }

    fetches.set(1)
    await settle(runtime) { model.fetching.current.count == 1 }
    fetches.set()
    await settle(runtime) { told.withLock(\.self) == 1 && model.fullTexts.isLoading }
    fetches.set(2, 3)
    await settle(runtime) { model.fetching.current.count == 2 && !model.indexing.isLoading }
    #expect(model.fullTexts.isLoading)
    let before = indexed.withLock(\.self)
    pages.continuation.yield(4)
    await settle(runtime) { model.fullTexts.latestValue == 4 }
    #expect(indexed.withLock(\.self) == before + 1, "what pages have is found, too")
  }

  @Test(.timeLimit(.minutes(10)))
  func `fetches are shown while new articles of others are being indexed`() async {
    let runtime = ManualRuntime()
    let (fetches, indexes) = (Fetches(), ManualCalls<Int, Void>())
    let told = Mutex(0)
    var source = DemoScript(.full).source
    source.fetches = FeedFetches(
      running: fetches.running, index: { try? await indexes.call(0) })
    source.arrivals = {
      told.withLock { $0 += 1 }
      return Arrivals()
    }
    let model = ReaderModel(source, runtime)
    let following = Task { await model.followFetches() }
    defer { following.cancel() }
    fetches.set()
    await settle(runtime) { indexes.count == 1 }
    for id in 1...3 as ClosedRange<Int64> {
      fetches.set(id)
      await settle(runtime) { model.fetching.current.keys.first?.rawValue == id }
      fetches.set()
      await settle(runtime) { model.fetching.isEmpty }
    }
    #expect(indexes.count == 1, "one at a time")
    #expect(told.withLock(\.self) == 0)
    indexes[0].succeed()
    await settle(runtime) { indexes.count == 2 }
    #expect(told.withLock(\.self) == 1)
    indexes[1].succeed()
    await settle(runtime) { told.withLock(\.self) == 2 }
    #expect(indexes.count == 2)
  }

  @Test(.timeLimit(.minutes(10)))
  func `arrivals are told while the user looks at another window`() async {
    let runtime = ManualRuntime()
    let fetches = Fetches()
    let (indexed, told) = (Lock(0), Lock(0))
    var source = DemoScript(.full).source
    source.fetches = FeedFetches(
      running: fetches.running, index: { indexed.withLock { $0 += 1 } })
    source.arrivals = {
      told.withLock { $0 += 1 }
      return Arrivals()
    }
    let focus = LoadGate("unfocused")
    focus.close()
    defer { focus.open() }
    let model = ReaderModel(
      source: source, pictures: .demo, clock: runtime.clock.any,
      scheduler: runtime.scheduler.refreshing(whileOpen: focus))
    let following = Task { await model.followFetches() }
    defer { following.cancel() }
    fetches.set()
    await settle(runtime) { model.indexing.isLoading || told.withLock(\.self) > 0 }
    let held = LoadActivity.Phase.paused(reason: focus.reason)
    await settle(runtime) { !model.indexing.isLoading || model.indexing.activity?.phase == held }
    #expect(told.withLock(\.self) == 1)
    #expect(indexed.withLock(\.self) == 1)
  }

  /// Returns a reader whose list has one article, and whose next loads a test answers.
  private func model(
    of article: Article, _ loads: ManualLoads<ArticleListing>, _ runtime: ManualRuntime
  ) -> ReaderModel {
    var source = DemoScript(.full).source
    source.articles = { _ in loads.loader }
    source.marks.setRead = { _, _ in }
    let model = ReaderModel(source, runtime)
    model.articles.load()
    runtime.run()
    loads[0].succeed(ArticleListing([article]))
    runtime.run()
    return model
  }

  @Test(.timeLimit(.minutes(10)))
  func `a second reload does not disturb the first, which keeps marks and tells what is new`() async
  {
    let runtime = ManualRuntime()
    let loads = ManualLoads<ArticleListing>()
    let (one, two) = (Article(1, title: "One"), Article(2, title: "Two"))
    let model = model(of: one, loads, runtime)
    model.setRead(true, one)
    runtime.run()
    model.reload()
    runtime.run()
    #expect(model.current(one).isRead)
    model.reload()
    runtime.run()
    #expect(loads.count == 2)
    loads[1].succeed(ArticleListing([two, one]))
    await runtime.run { (model.notice.latestValue ?? nil)?.words == "1 new article." }
    await runtime.run { !model.current(one).isRead }
    loads.end()
  }

  @Test(.timeLimit(.minutes(10)))
  func `what is new is told in a list that was left and reloaded again meanwhile`() async {
    let runtime = ManualRuntime()
    let loads = ManualLoads<ArticleListing>()
    let (one, two) = (Article(1, title: "One"), Article(2, title: "Two"))
    let model = model(of: one, loads, runtime)
    for list in [model.list, .unread, model.list] {
      model.select(list)
      model.reload()
      runtime.run()
    }
    loads[1].succeed(ArticleListing([two, one]))
    await runtime.run { (model.notice.latestValue ?? nil)?.words == "1 new article." }
    loads.end()
  }

  @Test(.timeLimit(.minutes(10)))
  func `the store is believed after a reload, also if a feed could not be fetched`() async {
    let runtime = ManualRuntime()
    let one = Article(1, title: "One")
    var source = DemoScript(.full).source
    source.articles = { _ in
      Loader { _, output in
        output.yield(ArticleListing([one]))
        let failure = ReloadError.Failure(
          feed: FeedSummary.samples[0].feed, message: UserMessage(DownloadError.busy))
        throw ReloadError(failures: [failure], feedCount: 2)
      }
    }
    source.marks.setRead = { _, _ in }
    let model = ReaderModel(source, runtime)
    model.setRead(true, one)
    runtime.run()
    #expect(model.current(one).isRead)
    model.reload()
    await runtime.run { !model.current(one).isRead }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a fetch that begins and ends between two looks is followed by what follows others`() async {
    let runtime = ManualRuntime()
    let fetches = Fetches()
    let told = Mutex(0)
    var source = DemoScript(.full).source
    source.fetches = FeedFetches(running: fetches.running)
    source.arrivals = {
      told.withLock { $0 += 1 }
      return Arrivals()
    }
    let model = ReaderModel(source, runtime)
    let following = Task { await model.followFetches() }
    defer { following.cancel() }
    fetches.set(1)
    fetches.set()
    while told.withLock(\.self) < 1 {
      runtime.advance(by: .milliseconds(100))
      await Task.yield()
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a disk that has no room for the full texts of new articles is reported`() async {
    let runtime = ManualRuntime()
    let fetches = Fetches()
    var source = DemoScript(.full).source
    source.fetches = FeedFetches(
      running: fetches.running, fullTexts: { throw StoreError.full(path: "/data") })
    let model = ReaderModel(source, runtime)
    let following = Task { await model.followFetches() }
    defer { following.cancel() }
    let notices = model.notice.updates()
    fetches.set(1)
    fetches.set()
    let words = await words(of: notices, model, runtime)
    #expect(words == UserMessage(StoreError.full(path: "/data")).what)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a reload that is cancelled says nothing of new articles`() async {
    let (runtime, loads) = (ManualRuntime(), ManualLoads<ArticleListing>())
    let model = model(of: loads, runtime)
    loads[0].succeed(articles(1))
    runtime.run()
    let notices = model.notice.updates()
    model.reload()
    // These run after the task that waits for the reload to say what is new.
    let waiting = Task { await model.articles.settled() }
    await Task { model.articles.cancel() }.value
    _ = await waiting.value
    runtime.run()
    model.reload()
    runtime.run()
    loads[2].succeed(articles(2))
    #expect(await words(of: notices, model, runtime) == "1 new article.")
  }

  @Test(.timeLimit(.minutes(10)))
  func `all articles are new in a list that was empty`() async {
    let (runtime, loads) = (ManualRuntime(), ManualLoads<ArticleListing>())
    let model = model(of: loads, runtime)
    loads[0].succeed(ArticleListing([]))
    runtime.run()
    let notices = model.notice.updates()
    model.reload()
    runtime.run()
    loads[1].succeed(articles(2))
    #expect(await words(of: notices, model, runtime) == "2 new articles.")
  }

  @Test(.timeLimit(.minutes(10)))
  func `what a list has after a failure is not told to be nothing new`() async {
    let (runtime, loads) = (ManualRuntime(), ManualLoads<ArticleListing>())
    let model = model(of: loads, runtime)
    loads[0].fail(LoadingError.noValue)
    runtime.run()
    let notices = model.notice.updates()
    model.reload()
    runtime.run()
    loads[1].succeed(articles(2))
    await runtime.run { model.articles.latestValue?.count == 2 }
    model.reload()
    runtime.run()
    loads[2].succeed(articles(3))
    #expect(await words(of: notices, model, runtime) == "1 new article.")
  }

  @Test(.timeLimit(.minutes(10)))
  func `a reload of a list that gets few of the new articles speaks of that list alone`() async {
    let (runtime, loads) = (ManualRuntime(), ManualLoads<ArticleListing>())
    let model = model(of: loads, runtime)
    model.select(.starred)
    model.articles.prefetch()
    runtime.run()
    loads[1].succeed(articles(1))
    runtime.run()
    let notices = model.notice.updates()
    model.reload()
    runtime.run()
    loads[2].succeed(articles(1))
    #expect(await words(of: notices, model, runtime) == "Nothing new in “Starred”.")
    loads.end()
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [(.all, false), (.unread, false), (.starred, true)] as [(ReaderList, Bool)])
  func `reloading all feeds tells how many articles came, whichever list is shown`(
    list: ReaderList, isCounted: Bool
  ) async {
    let runtime = ManualRuntime()
    var source = DemoScript(.full).source
    source.articles = { _ in .constant(ArticleListing([Article(1, title: "One")])) }
    source.fetches.reloadAll = {
      ReloadReport(
        entries: [
          ReloadReport.Entry(feed: FeedSummary.samples[0].feed, outcome: .updated(newArticles: 3))
        ], feedCount: 3, goneCount: 2, dropped: DroppedArticles(byCount: 2))
    }
    let model = ReaderModel(source, runtime)
    model.select(list)
    model.articles.prefetch()
    await runtime.run { model.articles.latestValue != nil && !model.articles.isLoading }
    let notices = model.notice.updates()
    model.reloadAll(.demo)
    let words = await words(of: notices, model, runtime)
    let counted =
      "1 feed reloaded: 3 new articles, 2 are gone. Old articles: 2 dropped as too many of a feed."
    #expect(words == (isCounted ? counted : "No new articles."))
  }

  @Test(.timeLimit(.minutes(10)))
  func `a reload of all feeds shows what has come of each as soon as it is stored`() async {
    let runtime = ManualRuntime()
    let stored = Mutex(1)
    let change = AsyncStream<Void>.makeStream()
    var source = DemoScript(.full).source
    source.changes = { change.stream }
    source.articles = { _ in
      Loader { _ in
        ArticleListing((1...stored.withLock(\.self)).map { Article(Int64($0), title: "One") })
      }
    }
    source.beginning = { _ in .constant([]) }
    let slowest = AsyncStream<Never>.makeStream()
    source.fetches.reloadAll = {
      for await _ in slowest.stream {}
      return ReloadReport(entries: [], feedCount: 3)
    }
    let model = ReaderModel(source, runtime)
    let following = Task { await model.followChanges() }
    defer { following.cancel() }
    model.select(.starred)
    model.articles.prefetch()
    await runtime.run { model.articles.latestValue?.count == 1 && !model.articles.isLoading }
    model.reloadAll(.demo)
    stored.withLock { $0 = 2 }
    change.continuation.yield()
    await runtime.run { model.articles.latestValue?.count == 2 }
    #expect(model.reloadOfAll.isLoading)
    slowest.continuation.finish()
    await runtime.run { !model.reloadOfAll.isLoading }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a reload of all feeds that fails after an earlier one says why`() async {
    let runtime = ManualRuntime()
    let isFull = Mutex(false)
    var source = DemoScript(.full).source
    source.fetches.reloadAll = {
      if isFull.withLock(\.self) { throw DescribedError("No room.", advice: "Make some.") }
      return ReloadReport(entries: [], feedCount: 3)
    }
    let model = ReaderModel(source, runtime)
    model.select(.starred)
    for (fails, words) in [(false, "3 feeds reloaded: 0 new articles."), (true, "No room.")] {
      isFull.withLock { $0 = fails }
      model.reloadAll(.demo)
      await runtime.run { model.notice.latestValue??.words == words }
      #expect(model.notice.latestValue??.words == words)
    }
  }

  private func articles(_ count: Int64) -> ArticleListing {
    let articles = (1...count).map { number in
      Article(number, title: "Article \(number)")
    }
    return ArticleListing(articles)
  }

  /// A model whose lists are loaded by the test.
  private func model(of loads: ManualLoads<ArticleListing>, _ runtime: ManualRuntime) -> ReaderModel
  {
    var source = DemoScript(.full).source
    source.articles = { _ in loads.loader }
    source.beginning = { _ in .constant([]) }
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    return model
  }

  /// Returns the words of the first notice.
  private func words(
    of notices: AsyncStream<Resource<Notice?>.Snapshot>, _ model: ReaderModel,
    _ runtime: ManualRuntime
  ) async -> String? {
    await runtime.run { model.notice.latestValue != nil }
    for await notice in notices {
      if let words = notice.state.value??.words { return words }
    }
    return nil
  }

  @Test func `a step of a fetch changes its own row alone, and the others only at both ends`() {
    let work = RunningWork<Int>()
    func isChanged(
      by progress: [Int: LoadingProgress], _ read: (RunningWork<Int>) -> Void
    ) -> Bool {
      let isChanged = Mutex(false)
      withObservationTracking {
        read(work)
      } onChange: {
        isChanged.withLock { $0 = true }
      }
      work.show(progress)
      return isChanged.withLock(\.self)
    }
    let half = LoadingProgress(completed: 1, of: 2)
    #expect(isChanged(by: [1: LoadingProgress()]) { _ = $0.isEmpty })
    #expect(!isChanged(by: [1: half]) { _ = $0.isEmpty })
    #expect(!isChanged(by: [1: half, 2: half]) { _ = $0[1] })
    #expect(isChanged(by: [1: LoadingProgress(), 2: half]) { _ = $0[1] })
    #expect(isChanged(by: [2: half]) { _ = $0[1] })
    #expect(work[1] == nil && work[2] == half)
    #expect(isChanged(by: [1: half, 2: half]) { _ = $0[1] })
    #expect(isChanged(by: [:]) { _ = $0.isEmpty })
  }
}
