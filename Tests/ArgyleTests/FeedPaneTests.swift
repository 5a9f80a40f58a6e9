import Articles
import Foundation
import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of the list of feeds, with the state of each.
///
/// The expected frames are written by hand.
@MainActor
@Suite struct FeedPaneTests {
  private nonisolated static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let runtime = ManualRuntime()

  /// A pane on a screen, with a manual clock.
  @MainActor
  private final class Pane {
    let model: ReaderModel
    let stage: Stage

    init(
      _ runtime: ManualRuntime, _ feeds: [FeedSummary], fetches: FeedFetches,
      selected: ReaderList = .all, size: Size, display: DisplaySettings = DisplaySettings(),
      shows pane: LibraryScreen.Pane = .feeds, _ change: (inout ArticleSource) -> Void = { _ in }
    ) async {
      var source = DemoScript(.full).source
      source.feeds = .constant(feeds)
      source.counts = { .constant(ArticleCounts()) }
      source.articles = { _ in .constant(ArticleListing([])) }
      source.fetches = fetches
      change(&source)
      let model = ReaderModel(source, runtime)
      self.model = model
      let days = DayText(offset: { _ in 0 }, now: { FeedPaneTests.now })
      model.select(selected)
      // The scripted fetches report no changes, so this ends at once.
      await model.followFetches()
      stage = Stage(
        size.width, size.height, environment: EnvironmentValues(display), runtime: runtime
      ) {
        Shown(model: model, days: days, pane: pane)
      }
    }

    var lines: [String] { stage.lines }
  }

  /// The pane, in a view that owns the focus.
  private struct Shown: View {
    let model: ReaderModel
    let days: DayText
    let pane: LibraryScreen.Pane
    @FocusState private var focus: LibraryScreen.Pane?

    var body: some View {
      if pane == .articles {
        ArticlePane(model: model, days: days, focus: $focus)
      } else {
        FeedPane(model: model, days: days, focus: $focus)
          .onKeyPress(action: .reload) {}
      }
    }
  }

  private static func id(_ number: Int64) -> Feed.ID { Feed.ID(rawValue: number) }

  private static func feed(
    _ number: Int64, _ title: String, in folder: String? = nil, unread: Int = 0,
    failedBefore seconds: Double? = nil, nextIn wait: Double? = nil, isGone: Bool = false,
    isLasting: Bool = false
  ) -> FeedSummary {
    FeedSummary(
      feed: Feed(
        id: id(number), address: "http://a/\(number)", title: title,
        folder: folder.flatMap { FeedFolder(typed: $0) }),
      articleCount: unread, unreadCount: unread,
      failure: seconds.map {
        FeedSummary.Failure(
          message: UserMessage(
            what: "The server is asleep.", advice: "Wake it up.", isLasting: isGone || isLasting),
          date: now - $0, nextAttempt: wait.map { now + $0 })
      }, goneSince: isGone ? now - (seconds ?? 0) : nil)
  }

  private static let feeds = [
    feed(1, "Alpha", unread: 3), feed(2, "Beta", unread: 12), feed(3, "Gamma"),
    feed(4, "Delta", unread: 1, failedBefore: 300, nextIn: 3_000),
    feed(5, "Epsilon", failedBefore: 7_200), feed(6, "Zeta", failedBefore: 200_000, isGone: true),
  ]

  private final class Ended: Sendable {
    let feeds = Mutex<[Feed.ID]>([])
  }

  private func fetches(_ current: [Int64: Double?] = [:], ended: Ended? = nil) -> FeedFetches {
    let progress = Dictionary(
      uniqueKeysWithValues: current.map { (Self.id($0), LoadingProgress(fraction: $1)) })
    return FeedFetches(
      running: Running(
        current: { progress },
        cancel: { id in ended?.feeds.withLock { $0.append(id) } }))
  }

  private func pane(
    _ width: Int, _ height: Int, _ fetches: FeedFetches = FeedFetches(), selected: Int64? = nil,
    display: DisplaySettings = DisplaySettings()
  ) async -> Pane {
    await Pane(
      runtime, Self.feeds, fetches: fetches,
      selected: selected.map { .feeds(.feed(Self.id($0))) } ?? .all,
      size: Size(width: width, height: height), display: display)
  }

  @Test func `each feed says what goes on there`() async {
    #expect(
      await pane(30, 11, fetches([1: nil, 2: 0.45])).lines == [
        "Feeds",
        "All articles                16",
        "Unread                      16",
        "Today",
        "★ Starred",
        "Alpha                      ⠋ 3",
        "Beta                 ⠋ 45 % 12",
        "Gamma",
        "Delta                ✗ 5 min 1",
        "Epsilon                  ✗ 2 h",
        "Zeta                      gone",
      ])
  }

  @Test func `where there is little room a mark is all of it`() async {
    #expect(
      await pane(20, 11, fetches([1: nil, 2: 0.45])).lines[5...] == [
        "Alpha            ⠋ 3",
        "Beta            ⠋ 12",
        "Gamma",
        "Delta            ✗ 1",
        "Epsilon            ✗",
        "Zeta               ✗",
      ])
  }

  @Test func `where nothing is to move a word says that a feed is being fetched`() async {
    let pane = await pane(30, 8, fetches([1: nil]), display: DisplaySettings(reduceMotion: true))
    #expect(pane.lines[5] == "Alpha              Loading… 3")
  }

  @Test func `below the list stands why the selected feed failed, since when and until when`() async
  {
    #expect(
      await pane(30, 16, selected: 4).lines[11...] == [
        "",
        "✗ The server is asleep.",
        "5 min ago.",
        "Next try in 50 min.",
        "r to retry",
      ])
    #expect(
      await pane(30, 15, selected: 5).lines[11...] == [
        "",
        "✗ The server is asleep.",
        "2 h ago.",
        "r to retry",
      ])
  }

  @Test func `a failed feed that is fetched again offers no retry`() async {
    #expect(
      await pane(30, 16, fetches([4: nil]), selected: 4).lines[11...] == [
        "",
        "",
        "✗ The server is asleep.",
        "5 min ago.",
        "It is being fetched again.",
      ])
  }

  @Test func `a list without articles says whether its feeds have none or were not fetched`()
    async throws
  {
    func feed(_ number: Int64, in folder: String, isFetched: Bool, fails: Bool = false)
      -> FeedSummary
    {
      let failure = FeedSummary.Failure(
        message: UserMessage(what: "The server is asleep.", advice: "Wake it up."), date: Self.now)
      return FeedSummary(
        feed: Feed(
          id: Self.id(number), address: "http://a/\(number)", title: "\(number)",
          folder: FeedFolder([folder]), lastFetched: isFetched ? Self.now : nil),
        articleCount: 0, failure: fails ? failure : nil)
    }
    let feeds = [
      feed(1, in: "A", isFetched: true), feed(2, in: "A", isFetched: true),
      feed(3, in: "B", isFetched: false),
      feed(4, in: "B", isFetched: true, fails: true),
    ]
    func words(_ list: ReaderList) async -> String? {
      let pane = await Pane(
        runtime, feeds, fetches: FeedFetches(), selected: list, size: Size(width: 40, height: 5),
        shows: .articles)
      pane.model.prepare()
      pane.stage.settle()
      return pane.lines.dropFirst().lazy.map { $0.trimmingCharacters(in: .whitespaces) }
        .first { !$0.isEmpty }
    }
    let (a, b) = (try #require(FeedFolder(["A"])), try #require(FeedFolder(["B"])))
    #expect(await words(.feeds(.feed(Self.id(1)))) == "This feed has no articles.")
    #expect(await words(.feeds(.feed(Self.id(3)))) == "No articles yet.")
    #expect(await words(.feeds(.feed(Self.id(4)))) == "No articles yet.")
    #expect(await words(.feeds(.folder(a))) == "These feeds have no articles.")
    #expect(await words(.feeds(.folder(b))) == "No articles yet.")
    #expect(await words(.all) == "No articles yet.")
  }

  @Test func `a feed whose server asks to wait says until when, and is not fetched before`() async {
    let feed = Feed(id: Self.id(1), address: "http://a/1", title: "Alpha")
    let message = UserMessage(
      what: "Too many requests.", advice: "Try later.", retryDate: Self.now + 3_590)
    let summary = FeedSummary(
      feed: feed, articleCount: 1,
      failure: FeedSummary.Failure(
        message: message, date: Self.now, nextAttempt: Self.now + 3_590))
    let pane = await Pane(
      runtime, [summary], fetches: FeedFetches(), selected: .feeds(.feed(feed.id)),
      size: Size(width: 30, height: 13))
    #expect(
      pane.lines[8...] == [
        "", "✗ Too many requests.", "Just now.", "The server asks to wait until", "09:00.",
      ])
    let days = DayText(offset: { _ in 0 }, now: { Self.now })
    pane.model.reload(days)
    pane.stage.settle()
    #expect(
      pane.model.notice.latestValue??.words
        == "“Alpha” is not fetched. The server asks to wait until 09:00.")
    #expect(pane.model.articles.activity == nil)
  }

  @Test func `a feed that is gone says so in words`() async {
    #expect(
      await pane(30, 16, selected: 6).lines[11...] == [
        "",
        "✗ The server is asleep.",
        "Gone since 2027-01-13. It is",
        "no longer fetched.",
        "Wake it up.",
      ])
  }

  @Test func `when a feed is reloaded by itself next stands below the list`() async {
    for (seconds, words) in [(600.0, "at 08:10"), (86_400, "on 2027-01-16")] {
      let feed = Feed(id: Self.id(1), address: "http://a/1", title: "Alpha")
      let summary = FeedSummary(feed: feed, articleCount: 1, nextReload: Self.now + seconds)
      let pane = await Pane(
        runtime, [summary], fetches: FeedFetches(), selected: .feeds(.feed(feed.id)),
        size: Size(width: 30, height: 12))
      #expect(pane.lines.last == "Next reload \(words).")
    }
  }

  @Test func `a feed that is well has nothing below the list`() async {
    #expect(await pane(30, 16, selected: 1).lines[11...].allSatisfy(\.isEmpty))
  }

  @Test func `c and Esc end the fetch of the selected feed and no other`() async {
    let ended = Ended()
    let pane = await pane(30, 12, fetches([1: nil, 2: 0.45], ended: ended), selected: 2)
    let keys: [KeySequence] = ["c", KeySequence(.escape)]
    #expect(pane.stage.frame.bindings.contains { $0.label == "cancel" && $0.keys == keys })
    pane.stage.press("c")
    pane.stage.press(.escape)
    #expect(ended.feeds.withLock(\.self) == [Self.id(2), Self.id(2)])
  }

  @Test func `on a list of several feeds it ends all that are fetched for it`() async {
    let ended = Ended()
    let pane = await pane(30, 12, fetches([1: nil, 2: 0.45], ended: ended))
    pane.stage.press("c")
    #expect(Set(ended.feeds.withLock(\.self)) == [Self.id(1), Self.id(2)])
  }

  @Test func `c in the list of articles ends the fetch of its feed, too`() async {
    let ended = Ended()
    let pane = await Pane(
      runtime, Self.feeds, fetches: fetches([1: nil, 2: 0.45], ended: ended),
      selected: .feeds(.feed(Self.id(2))), size: Size(width: 30, height: 12), shows: .articles)
    pane.stage.press("c")
    #expect(ended.feeds.withLock(\.self) == [Self.id(2)])
    #expect(pane.model.notice.latestValue??.words == "Cancelled: 1 feed was not fetched.")
  }

  @Test(.timeLimit(.minutes(10)))
  func `the next unread article is opened in a closed folder while the feeds are shown`()
    async throws
  {
    let folder = try #require(FeedFolder(["News"]))
    let beta = ReaderList.feeds(.feed(Self.id(2)))
    let article = Article(id: Article.ID(rawValue: 7), feedID: Self.id(2), feedTitle: "", title: "")
    let loads = ManualLoads<ArticleListing>()
    let pane = await Pane(
      runtime, [Self.feed(1, "Alpha"), Self.feed(2, "Beta", in: "News", unread: 1)],
      fetches: FeedFetches(), selected: .feeds(.feed(Self.id(1))), size: Size(width: 30, height: 12)
    ) { source in
      source.folders.closed = .constant([folder])
      source.articles = { request in
        request.list == beta ? loads.loader : .constant(ArticleListing([]))
      }
      source.marks.nextUnread = { _ in article }
      source.marks.setRead = { _, _ in }
    }
    pane.model.prepare()
    pane.stage.settle()
    #expect(pane.model.isClosed(folder))
    pane.stage.press("n")
    await runtime.run { pane.model.next.latestValue != nil }
    pane.model.take(pane.model.next.latestValue)
    // Frames are presented before the list is loaded.
    pane.stage.settle()
    pane.stage.settle()
    #expect(pane.model.list == beta)
    await runtime.run { loads.count == 1 }
    loads[0].succeed(ArticleListing([article]))
    await runtime.run { pane.model.openArticle != nil || pane.model.list != beta }
    #expect(pane.model.openArticle == article)
  }

  @Test func `a feed stays selected when another copy closes the folder around it`() async throws {
    let (news, other) = (try #require(FeedFolder(["News"])), try #require(FeedFolder(["Other"])))
    let closed = Mutex<Set<FeedFolder>>([])
    let beta = ReaderList.feeds(.feed(Self.id(2)))
    let pane = await Pane(
      runtime,
      [
        Self.feed(1, "Alpha"), Self.feed(2, "Beta", in: "News"), Self.feed(3, "Gamma", in: "Other"),
      ],
      fetches: FeedFetches(), selected: beta, size: Size(width: 30, height: 12)
    ) { source in
      source.folders.closed = Loader { _ in closed.withLock(\.self) }
    }
    pane.model.prepare()
    pane.stage.settle()
    #expect(pane.stage.text.contains("Gamma"))
    closed.withLock { $0 = [news, other] }
    pane.model.readAgain()
    pane.stage.settle()
    pane.stage.settle()
    #expect(pane.model.list == beta)
    #expect(pane.stage.text.contains("▾ News"))
    #expect(!pane.stage.text.contains("Gamma"))
    pane.model.select(.all)
    pane.stage.settle()
    #expect(pane.stage.text.contains("▸ News"))
  }

  @Test(arguments: [.later, .muted] as [ReaderList])
  func `a list that becomes empty stays selected, and has no row once it is left`(
    list: ReaderList
  ) async {
    let count = Mutex(1)
    let pane = await Pane(
      runtime, Self.feeds, fetches: FeedFetches(), selected: list, size: Size(width: 30, height: 11)
    ) { source in
      source.counts = {
        Loader { _ in count.withLock { ArticleCounts(muted: $0, later: $0) } }
      }
    }
    let title = list == .later ? ReaderList.laterTitle : "Muted"
    #expect(pane.stage.text.contains(title))
    count.withLock { $0 = 0 }
    pane.model.counts.load()
    pane.stage.settle()
    #expect(pane.model.list == list)
    #expect(pane.stage.text.contains(title))
    pane.stage.press("k")
    #expect(pane.model.list != list)
    pane.stage.settle()
    #expect(!pane.stage.text.contains(title))
  }

  @Test func `nothing is there to be ended while nothing is fetched`() async {
    let pane = await pane(30, 12, fetches([1: nil]), selected: 2)
    #expect(!pane.stage.frame.bindings.contains { $0.label == "cancel" })
  }
}

/// Tests of how long ago something was, or how long until it happens.
@Suite struct AgeTests {
  @Test(arguments: [
    (-5.0, "now", 60.0), (0, "now", 60), (59, "now", 1), (60, "1 min", 60), (119, "1 min", 1),
    (3_599, "59 min", 1), (3_600, "1 h", 3_600), (86_399, "23 h", 1), (86_400, "1 d", 86_400),
    (200_000, "2 d", 59_200),
  ])
  func `the unit that matters is told, and when it changes`(
    seconds: Double, text: String, change: Double
  ) {
    #expect(Age(since: seconds).text == text)
    #expect(Age(since: seconds).secondsToChange == change)
  }

  @Test(arguments: [(1.0, "1 min"), (60, "1 min"), (61, "2 min"), (3_600, "1 h"), (3_601, "2 h")])
  func `of the time that is to come what has begun counts whole`(seconds: Double, text: String) {
    #expect(Age(until: seconds).text == text)
    #expect(Age(until: seconds).secondsToChange >= 1)
  }
}
