import Articles
import Foundation
import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of automatic reloads while the reader runs.
@MainActor
@Suite struct ReaderScheduleTests {
  /// A library with a single feed, which is due some time after each reload.
  private final class Schedule: Sendable {
    struct State {
      var now = Date(timeIntervalSince1970: 1_800_000_000)
      var reloads = 0
      var next: Date?
      /// When the account without feeds is due.
      var nextOfAccount: Date?
      /// Whether a reload fetches nothing, as in a data folder that cannot be written.
      var isFutile = false
    }

    private let state = Mutex(State())
    private let changed = Mutex<[AsyncStream<Void>.Continuation]>([])

    var now: Date { state.withLock(\.now) }
    var reloads: Int { state.withLock(\.reloads) }
    var next: Date? { state.withLock(\.next) }
    var nextOfAccount: Date? { state.withLock(\.nextOfAccount) }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func reload() -> Bool {
      state.withLock {
        $0.reloads += 1
        if !$0.isFutile { $0.next = $0.now + 600 }
        return !$0.isFutile
      }
    }
  }

  private let runtime = ManualRuntime()
  private let schedule = Schedule()
  private let model: ReaderModel
  private let stage: Stage

  init() {
    var source = DemoScript(.full).source
    source.feeds = Loader { [schedule] _ in
      let feed = Feed(id: Feed.ID(rawValue: 1), address: "http://a/", title: "Alpha")
      return [FeedSummary(feed: feed, articleCount: 0, nextReload: schedule.next)]
    }
    source.accounts.stored = Loader { [schedule] _ in
      let account = SyncAccount(
        id: SyncAccount.ID(rawValue: 1), kind: .googleReader, address: "https://a", user: "ann")
      return [AccountSummary(account: account, nextReload: schedule.nextOfAccount)]
    }
    source.fetches.now = { [schedule] in schedule.now }
    source.fetches.reloadScheduled = { [schedule] in schedule.reload() }
    let model = ReaderModel(source, runtime)
    self.model = model
    stage = Stage(10, 1, runtime: runtime) {
      Text("").task(id: model.nextReload) { await model.reloadWhenDue() }
    }
  }

  /// Reads the feeds, as after every change of the store.
  private func readFeeds() async {
    model.feeds.load(.restart, cause: .refresh)
    await stage.settle { !model.feeds.isLoading }
  }

  /// Waits until the only sleeper is due after this many seconds.
  private func untilItSleeps(_ seconds: Double) async {
    await stage.settle {
      runtime.clock.sleeperCount == 1
        && runtime.clock.nextDeadline.map { runtime.clock.now.duration(to: $0) }
          == .seconds(seconds)
    }
  }

  private func pass(_ seconds: Double) {
    schedule.change { $0.now += seconds }
    runtime.advance(by: .seconds(seconds))
  }

  @Test(.timeLimit(.minutes(10)))
  func `it waits for the next feed that is due and for nothing else, reloads, and waits again`()
    async
  {
    await readFeeds()
    #expect(runtime.clock.sleeperCount == 0, "nothing is to be reloaded by itself")
    schedule.change { $0.next = $0.now + 600 }
    await readFeeds()
    await untilItSleeps(600)
    pass(599)
    #expect(schedule.reloads == 0)
    pass(1)
    await stage.settle { schedule.reloads == 1 }
    await readFeeds()
    await untilItSleeps(600)
    pass(600)
    await stage.settle { schedule.reloads == 2 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a setting that is turned off ends the wait, one that is changed moves it`() async {
    schedule.change { $0.next = $0.now + 600 }
    await readFeeds()
    await untilItSleeps(600)
    schedule.change { $0.next = $0.now + 60 }
    await readFeeds()
    await untilItSleeps(60)
    pass(60)
    await stage.settle { schedule.reloads == 1 }
    schedule.change { $0.next = nil }
    await readFeeds()
    await stage.settle { runtime.clock.sleeperCount == 0 }
    #expect(model.nextReload == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `an account without feeds is reloaded, too`() async {
    schedule.change { ($0.next, $0.nextOfAccount) = ($0.now + 600, $0.now + 300) }
    await readFeeds()
    await untilItSleeps(600)
    model.accounts.load(.restart, cause: .refresh)
    await untilItSleeps(300)
    pass(300)
    await stage.settle { schedule.reloads == 1 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `what is due in the quiet hours is reloaded when they end`() async {
    // The local time is 08:00.
    model.localOffset = { _ in 0 }
    model.programSettings.configuration.fetching.quiet = QuietHours("07:30-08:30")
    schedule.change { $0.next = $0.now - 60 }
    await readFeeds()
    await untilItSleeps(1800)
    pass(1799)
    stage.settle()
    #expect(schedule.reloads == 0)
    pass(1)
    await stage.settle { schedule.reloads == 1 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `after a reload that could fetch nothing, the next one waits a quarter of an hour`() async {
    schedule.change { ($0.next, $0.isFutile) = ($0.now, true) }
    await readFeeds()
    await stage.settle { schedule.reloads == 1 }
    await untilItSleeps(900)
    pass(900)
    await stage.settle { schedule.reloads == 2 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a feed that stays due is not asked for again within a minute`() async {
    schedule.change { $0.next = $0.now }
    await readFeeds()
    await stage.settle { schedule.reloads == 1 }
    // As if its fetch had been cancelled.
    schedule.change { $0.next = $0.now }
    await readFeeds()
    await untilItSleeps(60)
    pass(59)
    stage.settle()
    #expect(schedule.reloads == 1)
    pass(1)
    await stage.settle { schedule.reloads == 2 }
  }

  @Test(arguments: ["00:00-23:59", nil])
  func `in the quiet hours a list that is shown fetches nothing by itself`(quiet: String?) {
    let asked = Mutex<Set<String>>([])
    @Sendable func listing(_ name: String) -> Loader<ArticleListing> {
      _ = asked.withLock { $0.insert(name) }
      return .constant(ArticleListing([]))
    }
    var source = DemoScript(.full).source
    source.articles = { _ in listing("due") }
    source.elsewhere = ArticlesElsewhere(changes: { AsyncStream { $0.finish() } }) { _ in
      listing("stored")
    }
    source.fetches.now = { Date(timeIntervalSince1970: 1_800_000_000) }
    let model = ReaderModel(source, runtime)
    model.localOffset = { _ in 0 }
    model.programSettings.configuration.fetching.quiet = quiet.flatMap(QuietHours.init)
    asked.withLock { $0 = [] }
    model.load(cause: .appeared)
    #expect(asked.withLock(\.self) == [quiet == nil ? "due" : "stored"])
  }
}
