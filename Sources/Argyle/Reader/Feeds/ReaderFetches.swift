import Articles
import Foundation
import Loading
import Observation
import TerminalUI

/// The progress of the fetches, or syncs, that are running, for views to observe.
///
/// A view that reads the progress of one feed observes only that feed, and a view that reads
/// ``isEmpty`` only the first start and the last end: a reload of 500 feeds makes thousands of
/// steps.
@MainActor
@Observable
final class RunningWork<ID: Hashable & Sendable> {
  /// The progress of one fetch or sync, observed on its own.
  @MainActor
  @Observable
  final class Part {
    fileprivate(set) var progress: LoadingProgress?
  }

  private(set) var isEmpty = true
  /// The progress of everything that is running; not observed.
  @ObservationIgnored private(set) var current: [ID: LoadingProgress] = [:]
  @ObservationIgnored private var parts: [ID: Part] = [:]

  /// The progress for one feed or account; nil if nothing is running for it.
  subscript(id: ID) -> LoadingProgress? {
    if let part = parts[id] { return part.progress }
    let part = Part()
    part.progress = current[id]
    parts[id] = part
    return part.progress
  }

  func show(_ new: [ID: LoadingProgress]) {
    current = new
    for (id, part) in parts where part.progress != new[id] { part.progress = new[id] }
    if isEmpty != new.isEmpty { isEmpty = new.isEmpty }
  }
}

/// The fetches and syncs in progress, and what follows them.
extension ReaderModel {
  // MARK: Reloads by the user

  /// Fetches the feeds of the list; says which of them have to wait.
  func reload(_ days: DayText = .local) {
    let feeds = (feeds.latestValue ?? []).filter { list.selection.contains($0.feed) }
    // The list may know of a failure before the feeds do.
    let failed = (articles.failure?.error as? ReloadError)?.failures ?? []
    let pauses = feeds.compactMap { summary in
      let message = summary.failure?.message ?? failed.first { $0.feed.id == summary.id }?.message
      return message?.pauseWords(days).map { (summary.feed, $0) }
    }
    if let (feed, words) = pauses.first {
      let title = "“\(shortTitle(feed.shownTitle))”"
      say(
        pauses.count == 1
          ? "\(title) is not fetched. \(words)"
          : "\(pauses.count) feeds are not fetched: their servers ask to wait.")
      if pauses.count == feeds.count { return }
    }
    if pauses.isEmpty { withdrawNotice() }
    load(cause: .user)
  }

  /// Fetches every feed, whichever list is shown, and reports the outcome.
  func reloadAll(_ days: DayText) {
    // A list of all new articles shows the progress and the failures in its own view, and what is
    // new in it is all that is new.
    guard list != .all, list != .unread else { return reload(days) }
    withdrawNotice()
    guard !reloadOfAll.isLoading else { return }
    reloadOfAll.load(Loader { [fetches = source.fetches] _ in try await fetches.reloadAll() })
    Task {
      let settled = await reloadOfAll.settled()
      // The report of an earlier reload stays the value.
      if let failure = reloadOfAll.failure { return say(UserMessage(failure.error).what) }
      guard let report = settled.value, !reloadOfAll.wasCancelled else { return }
      say(report.words)
      readAgain()
    }
  }

  /// Loads what is stored, and then, except in the quiet hours, what feeds that are due have.
  func listing(_ request: ListRequest) -> Loader<ArticleListing> {
    let isQuiet = quiet?.end(around: source.fetches.now(), localOffset) != nil
    return (isQuiet ? storedArticles : source.articles)(request).removeDuplicates()
  }

  /// Loads lists from the store; feeds are fetched only when the user asks for it.
  var storedArticles: @Sendable (ListRequest) -> Loader<ArticleListing> {
    source.elsewhere?.articles ?? source.articles
  }

  // Uses a new loader each time, since the meaning of "today" changes.
  func load(cause: LoadActivity.Cause) {
    // Any other load fetches fewer feeds, such as those that are due at the start, or none.
    let running = articles.activity?.cause
    guard running != .user, running != .retry else {
      // Leaving the list has ended that.
      if cause == .user, reloadNotice?.list != list { tellNew(in: list) }
      return
    }
    arrival = source.marks.latestChange()
    articles.load(listing(request()), .restart, cause: cause)
    guard cause == .user else { return }
    forgetMarksAfterReading()
    tellNew(in: list)
  }

  /// Says how many new articles a reload by the user has found, unless it fails or is cancelled, or
  /// the user leaves the list.
  private func tellNew(in list: ReaderList) {
    let articles = articles
    // A list without a value may get old articles, too.
    let newest = articles.latestValue.map { $0.lazy.map(\.id.rawValue).max() ?? .min }
    reloadNotice?.task.cancel()
    let task = Task {
      let settled = await articles.settled()
      search.readAgain()
      guard let rows = settled.value, articles.failure == nil, !articles.wasCancelled,
        self.list == list, !Task.isCancelled
      else { return }
      if newest == nil, !rows.isEmpty { return }
      let count = rows.count { $0.id.rawValue > newest ?? .max }
      let failure = count == 0 ? await failureOfAccounts(in: list) : nil
      guard self.list == list, !Task.isCancelled else { return }
      say(failure ?? (count == 0 ? noneNew(in: list) : "\(counted(count, "new article"))."))
    }
    reloadNotice = (list, task)
  }

  /// Returns the words for a reload that brought nothing new to a list: new articles may have come
  /// that are not in it.
  private func noneNew(in list: ReaderList) -> String {
    switch list {
    case .feeds, .unread: "No new articles."
    case .starred, .today, .later, .muted, .search: "Nothing new in “\(listTitle)”."
    }
  }

  // MARK: Fetches in progress

  /// How often the screen shows the progress of fetches: reloading hundreds of feeds reports
  /// thousands of steps, each of which would need a frame.
  private static let fetchRest = Duration.milliseconds(100)

  /// Shows which feeds are being fetched, until the task is cancelled.
  func followFetches() async {
    await follow(source.fetches.running, fetching) { noteFetchedTexts() }
  }

  /// Shows which accounts are being synced, until the task is cancelled.
  func followAccounts() async {
    // Marks may have come from another device.
    await follow(source.accounts.running, syncing) {
      readAgain()
      noteFetchedTexts()
      forgetMarksAfterReading()
    }
  }

  /// - Parameter ended: called when the last of them has ended.
  private func follow<ID>(
    _ running: Running<ID>, _ shown: RunningWork<ID>, ended: () -> Void
  ) async {
    let changes = running.changes()
    shown.show(running.current())
    noteFetchesOfList()
    for await _ in changes {
      shown.show(running.current())
      noteFetchesOfList()
      // Even if no fetch was seen: a quick one may begin and end between two updates.
      if shown.isEmpty {
        ended()
        // Not awaited, since other fetches may begin before many new articles are indexed; and not
        // a refresh, which would wait until the user looks at the window.
        indexing.load(
          Loader { [weak self] _ in await self?.indexArrivals() ?? () }, .keepLatest)
      }
      guard (try? await clock.sleep(for: Self.fetchRest)) != nil else { return }
    }
  }

  /// Indexes new articles for the search, and then tells about them.
  private func indexArrivals() async {
    await source.fetches.index()
    // Searches find the new articles from now on.
    countFound()
    loadFullTexts()
    await tellArrivals()
  }

  /// Fetches the full text of new articles, which may take a while if they are on hundreds of
  /// servers.
  private func loadFullTexts() {
    let loader = Loader { [fetches = source.fetches] _ in
      let count = try await fetches.fullTexts()
      if count > 0 { await fetches.index() }
      return count
    }
    fullTexts.load(loader, .keepLatest, cause: .refresh)
    Task {
      let count = await fullTexts.settled().value ?? 0
      // The number of an earlier load stays the value.
      if let failure = fullTexts.failure { return say(UserMessage(failure.error).what) }
      if count > 0 { noteFetchedTexts() }
    }
  }

  /// Notifies the user, and the user's program, about new articles.
  private func tellArrivals() async {
    // Also if nobody is told: who asks to be told later is not told of what came before.
    guard let new = try? await source.arrivals(), !new.articles.isEmpty else { return }
    let fetching = programSettings.configuration.fetching
    if fetching.bell { bells += 1 }
    if fetching.notifies { arrivalWords = ArrivalWords(new.articles, after: arrivalWords) }
    guard !fetching.onNew.isEmpty, !new.own.isEmpty else { return }
    program { [self] in
      if let words = await ArrivalHook(words: fetching.onNew).run(new.own) { say(words) }
    }
  }

  /// Returns the feeds of a list that are being fetched.
  func fetches(of list: ReaderList) -> [Feed.ID] {
    let fetching = fetching.current
    guard !fetching.isEmpty else { return [] }
    if case .feeds(.feed(let id)) = list { return fetching[id] == nil ? [] : [id] }
    if list.selection == .all { return Array(fetching.keys) }
    let feeds = feeds.latestValue ?? []
    return feeds.filter { fetching[$0.id] != nil && list.selection.contains($0.feed) }.map(\.id)
  }

  /// Updates ``isFetchingList`` if it has changed.
  func noteFetchesOfList() {
    let isFetching = !fetches(of: list).isEmpty
    if isFetching != isFetchingList { isFetchingList = isFetching }
  }

  /// Whether a feed of the selected list is being fetched, or its account synced.
  var hasFetchToCancel: Bool { isFetchingList || isSyncingSelected }

  /// Cancels the fetches and the sync of the selected list.
  func cancelFetches() {
    if isSyncingSelected {
      endReloadNotice()
      say("Cancelled: the account was not synced to the end.")
    }
    cancelFetches(of: list)
    cancelSyncing()
  }

  /// Cancels the fetches of a list; articles that were stored stay, and other fetches continue.
  func cancelFetches(of list: ReaderList) {
    let fetches = fetches(of: list)
    for id in fetches { source.fetches.running.cancel(id) }
    guard !fetches.isEmpty else { return }
    endReloadNotice()
    say("Cancelled: \(counted(fetches.count, "feed was", "feeds were")) not fetched.")
  }

  /// The load of the list continues without what was cancelled, and its notice would replace the one
  /// about that.
  private func endReloadNotice() {
    reloadNotice?.task.cancel()
    reloadNotice = nil
  }
}

extension ReloadReport {
  /// The outcome on one line.
  var words: String {
    let cancelled = entries.count { $0.outcome == .cancelled }
    let fetchedCount = feedCount - goneCount
    guard cancelled == 0 else {
      return "Cancelled: \(fetchedCount - cancelled) of \(fetchedCount) feeds were fetched."
    }
    // A feed that is gone is no failure of this reload: its row says so.
    let failed =
      (error.map { ", \($0.failures.count) failed" } ?? "")
      + (goneCount > 0 ? ", \(counted(goneCount, "is", "are")) gone" : "")
    let new = counted(newArticles, "new article")
    let old = dropped.words.isEmpty ? "" : " Old articles: \(dropped.words)."
    return "\(counted(fetchedCount, "feed")) reloaded: \(new)\(failed).\(old)"
  }
}
