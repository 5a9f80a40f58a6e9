import Articles
import Loading
import LoadingTesting
import Observation
import Synchronization
import TerminalUI
import Testing

@testable import Argyle

/// Tests of open and closed folders.
@MainActor
@Suite struct ReaderFoldersTests {
  private let runtime = ManualRuntime()

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
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    #expect(model.isClosed(news))
    model.selectNextFailedFeed()
    runtime.run()
    #expect(model.list == .feeds(.feed(Feed.ID(rawValue: 1))))
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

  @Test func `nothing is drawn again where the same folders are closed as before`() throws {
    let news = try #require(FeedFolder(["News"]))
    let (isChanged, reads) = (Lock(false), Lock(0))
    var source = DemoScript(.full).source
    source.folders.closed = Loader { _ in
      reads.withLock { $0 += 1 }
      return [news]
    }
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    withObservationTracking {
      _ = model.closedFolders.latestValue
    } onChange: {
      isChanged.withLock { $0 = true }
    }
    model.readAgain()
    runtime.run()
    #expect(reads.withLock(\.self) == 2)
    #expect(isChanged.withLock(\.self) == false)
  }

  @Test func `a click on the arrow of a folder closes and opens it, whatever is selected`() throws {
    let reader = FeedSheetReader()
    reader.model.prepare()
    reader.stage.settle()
    func click(_ title: String) throws {
      let lines = reader.stage.text.split(separator: "\n", omittingEmptySubsequences: false)
      let row = try #require(lines.firstIndex { $0.contains(title) })
      let column = try #require(lines[row].firstIndex { title.first == $0 })
      reader.stage.click(
        at: Point(x: lines[row].distance(from: lines[row].startIndex, to: column), y: row))
    }
    try click("▾ News")
    #expect(reader.stage.text.contains("▸ News"))
    #expect(!reader.stage.text.contains("Beta"))
    try click("▸ News")
    #expect(reader.stage.text.contains("▾ News"))
    #expect(reader.stage.text.contains("Beta"))
  }

  @Test func `which folders are closed is read again after a change of feeds`() throws {
    let (old, new) = (try #require(FeedFolder(["Old"])), try #require(FeedFolder(["New"])))
    let closed = Mutex<Set<FeedFolder>>([old])
    var source = DemoScript(.full).source
    source.folders.closed = Loader { _ in closed.withLock(\.self) }
    source.feedEdits.move = { _, new in
      closed.withLock { $0 = [old, new] }
      return true
    }
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    #expect(!model.isClosed(new))
    model.change("Renamed.", loss: "", gone: "") { try await $0.move(old, new) }
    runtime.run()
    model.tell(model.marks.latestValue?.feedChange)
    runtime.run()
    #expect(model.isClosed(new))
  }
}
