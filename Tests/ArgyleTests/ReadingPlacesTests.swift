import Articles
import Loading
import LoadingTesting
import Synchronization
import Testing

@testable import Argyle
@testable import TerminalUI

/// Tests of when a reading position is stored.
@MainActor
@Suite struct ReadingPlacesTests {
  private final class Store: Sendable {
    let written = Mutex<[ReadingPosition?]>([])
    let isBroken = Mutex(false)

    var all: [ReadingPosition?] { written.withLock { $0 } }

    func write(_ position: ReadingPosition?) throws {
      if isBroken.withLock({ $0 }) { throw DescribedError("The disk is full.", advice: "") }
      written.withLock { $0.append(position) }
    }
  }

  private let store = Store()
  private let runtime = ManualRuntime()

  private func places() -> ReadingPlaces {
    ReadingPlaces(
      store: { [store] position, _, _ in try store.write(position) }, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
  }

  private func content(_ id: Int64 = 1, at position: ReadingPosition? = nil) -> ArticleDocument {
    ArticleDocument(
      article: Article(id, of: "", title: ""),
      document: Document(), position: position)
  }

  private func move(_ proxy: ScrollProxy, to block: Int) {
    proxy.settle(ScrollPosition(block: block)) { _ in true }
    runtime.run()
  }

  @Test func `it is written once, when the user rests`() {
    let places = places()
    let proxy = places.proxy(of: content())
    for block in 1...5 {
      move(proxy, to: block)
      runtime.advance(by: .milliseconds(500))
    }
    #expect(store.all == [])
    #expect(places.isSaving)
    runtime.advance(by: .milliseconds(500))
    #expect(store.all == [ReadingPosition(block: 5)])
    #expect(!places.isSaving)
  }

  @Test func `the full text of an article begins at its top, and the feed's keeps its place`() {
    let feed = content(at: ReadingPosition(block: 7))
    let page = ArticleDocument(
      article: feed.article, document: Document(), position: feed.position, textSource: .page)
    var source = DemoScript(.full).source
    source.document = { _ in .constant(feed) }
    source.text = { _, wanted in .constant(wanted == .page ? page : feed) }
    let model = ReaderModel(source, runtime)
    model.document(of: feed.article).load()
    runtime.run()
    #expect(model.places.proxy(of: feed).position == ScrollPosition(block: 7))
    model.toggleFullText(of: feed.article)
    runtime.run()
    #expect(model.places.proxy(of: page).position == nil)
    #expect(model.places.proxy(of: feed).position == ScrollPosition(block: 7))
  }

  @Test func `a page that takes the place of the feed's text has a place of its own`() {
    let sources = Mutex<[TextSource]>([])
    let places = ReadingPlaces(
      store: { _, _, source in sources.withLock { $0.append(source) } }, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    let feed = content()
    let page = ArticleDocument(article: feed.article, document: Document(), textSource: .page)
    move(places.proxy(of: feed), to: 3)
    #expect(places.proxy(of: page).position == nil)
    move(places.proxy(of: page), to: 4)
    runtime.advance(by: .seconds(1))
    #expect(Set(sources.withLock(\.self)) == [.feed, .page])
  }

  @Test func `an article to which the user returns keeps its place, however many are between`() {
    let places = places()
    move(places.proxy(of: content(0)), to: 3)
    for id in 1...200 as ClosedRange<Int64> {
      move(places.proxy(of: content(id)), to: 4)
      #expect(places.proxy(of: content(0)).position == ScrollPosition(block: 3))
    }
    #expect(places.proxy(of: content(1)).position == nil, "not all of them are kept")
  }

  @Test func `two articles, one right after the other, are both written`() {
    let places = places()
    move(places.proxy(of: content(1)), to: 3)
    move(places.proxy(of: content(2)), to: 4)
    runtime.advance(by: .seconds(1))
    #expect(Set(store.all) == [ReadingPosition(block: 3), ReadingPosition(block: 4)])
  }

  @Test func `the end of the program writes what is left, and the beginning of a text is no place`()
    async
  {
    let places = places()
    let proxy = places.proxy(of: content(1, at: ReadingPosition(block: 7, offset: 2)))
    #expect(proxy.position == ScrollPosition(block: 7, offset: 2))
    move(proxy, to: 0)
    let end = Task { await places.finishSaving() }
    await runtime.run { !places.isSaving }
    #expect(await end.value.isEmpty)
    #expect(store.all == [nil])
    #expect(!places.isSaving)
  }

  @Test func `what could not be written goes with the next place`() async {
    let places = places()
    store.isBroken.withLock { $0 = true }
    move(places.proxy(of: content(1)), to: 3)
    runtime.advance(by: .seconds(2))
    #expect(places.isSaving)
    store.isBroken.withLock { $0 = false }
    let end = Task { await places.finishSaving() }
    await runtime.run { !places.isSaving }
    #expect(await end.value.isEmpty)
    #expect(store.all == [ReadingPosition(block: 3)])
  }

  @Test func `a place that cannot be written at the end is named`() async {
    let places = places()
    store.isBroken.withLock { $0 = true }
    move(places.proxy(of: content(1)), to: 3)
    var losses: [String]?
    let end = Task { losses = await places.finishSaving() }
    await runtime.run { losses != nil }
    await end.value
    #expect(losses == ["Your place in “Untitled” was not saved."])
  }

  @Test func `the handbook, which no store has, is written nowhere`() {
    let places = places()
    move(places.proxy(of: content(-5)), to: 3)
    #expect(!places.isSaving)
    #expect(places.proxy(of: content(-5)).position == ScrollPosition(block: 3))
  }
}
