import Foundation
import Loading

extension Library {
  /// Loads the articles of a list, in its order, and fetches the feeds of the query.
  ///
  /// The loader first yields the stored articles, if there are any. Then it fetches the feeds that
  /// are due, and yields the list again as they arrive. When feeds fail, it yields the articles
  /// that there are, and then throws ``ReloadError``. Cancelling it cancels the fetches; articles
  /// that have been stored stay. While it loads, articles that become read stay in a list of unread
  /// articles.
  ///
  /// - Parameter id: the row of a long list around which articles are loaded; nil for the first.
  public func listing(
    matching query: ArticleQuery, around id: Article.ID? = nil, refresh: RefreshPolicy
  ) -> Loader<ArticleListing> {
    reloading(query, refresh: refresh, emptiness: query.emptiness) { [self] in
      try await storedListing(of: $0, around: id)
    }
  }

  /// Loads the list of the articles that fulfil a condition.
  ///
  /// It loads like ``listing(matching:around:refresh:)``, fetches all feeds, and throws
  /// ``QueryError`` for a text that cannot be parsed. Ages in the condition are relative to the time
  /// of each load.
  ///
  /// - Parameters:
  ///   - query: further conditions.
  ///   - id: the row around which a long list is loaded; nil for the first.
  public func listing(
    with text: String, matching query: ArticleQuery = ArticleQuery(), around id: Article.ID? = nil,
    refresh: RefreshPolicy
  ) -> Loader<ArticleListing> {
    reloading(query, refresh: refresh, emptiness: .possible) { [self] query in
      guard let condition = try condition(text) else { return ArticleListing([]) }
      var query = query
      query.where = condition
      return try await storedListing(of: query, around: id)
    }
  }

  /// Loads a list from the store, and again as its feeds are fetched.
  ///
  /// - Parameter emptiness: the meaning of an empty list.
  private func reloading(
    _ query: ArticleQuery, refresh: RefreshPolicy, emptiness: ArticleQuery.Emptiness,
    read readStored: @escaping @Sendable (ArticleQuery) async throws -> ArticleListing
  ) -> Loader<ArticleListing> {
    Loader { [self] context, output in
      let policy = refresh.asked(by: context.cause)
      let plan = try await plan(query.feeds, policy)
      var query = query
      query.keptSince = query.keptSince ?? latestChange?.id ?? 0
      let read = { [query] in try await readStored(query) }
      var rows = try await read()
      guard !plan.isEmpty else { return rows }
      if !rows.isEmpty || emptiness == .final { output.yield(rows) }

      var nextYield: AnyClock.Instant?
      var isStale = false
      let report = try await run(plan, clock: context.clock) { progress, hasStored in
        context.report(progress)
        isStale = isStale || hasStored
        guard isStale else { return nil }
        // Often enough to watch feeds arrive. Each time reads the whole list, which must stay a
        // small part of the work however long the list is.
        let start = context.clock.now
        if let nextYield, nextYield > start { return start.duration(to: nextYield) }
        rows = try await read()
        let end = context.clock.now
        nextYield = end.advanced(by: max(.milliseconds(250), start.duration(to: end) * 8))
        isStale = false
        if !rows.isEmpty { output.yield(rows) }
        return nil
      }
      if isStale { rows = try await read() }
      guard let error = report.error(of: plan.feedCount) else { return rows }
      // A list that would be empty even without the failures is shown as empty: one dead feed must
      // not replace "No unread articles" with its error.
      let isExplained = emptiness == .failure && error.failures.count == plan.feedCount
      if isStale && !rows.isEmpty || rows.isEmpty && !isExplained { output.yield(rows) }
      throw error
    }
  }

  /// Fetches feeds and stores their articles.
  ///
  /// - Parameters:
  ///   - progress: called at the start, after every feed and account, and after old articles were
  ///     dropped.
  ///   - ended: called with the part of the report about each feed or account, when that has ended.
  /// - Throws: ``StoreError`` or `CancellationError`.
  ///   Failures of feeds are in the report.
  @discardableResult
  public func reload(
    _ selection: FeedSelection = .all, refresh: RefreshPolicy = .always,
    progress: @Sendable (LoadingProgress) -> Void = { _ in },
    ended: @Sendable (ReloadReport.Part) -> Void = { _ in }
  ) async throws -> ReloadReport {
    try await run(plan(selection, refresh), ended: ended) { step, _ in
      progress(step)
      return nil
    }
  }

  /// Fetches the feeds whose reload interval has passed.
  ///
  /// - Throws: ``StoreError``, or `CancellationError`.
  @discardableResult
  public func reloadScheduled() async throws -> ReloadReport {
    try await reload(refresh: .scheduled(every: options.reloadInterval))
  }

  private func plan(
    _ selection: FeedSelection, _ policy: RefreshPolicy
  ) async throws -> ReloadPlan {
    let (accounts, feeds) = try await store.accounts(withFeedsIn: selection)
    // What is fetched could not be stored, which only a user who started it needs to be told.
    let isFutile = store.isReadOnly && policy != .always
    return ReloadPlan(
      feeds, of: selection, accounts: accounts, policy: isFutile ? .never : policy, now: now())
  }

  /// Starts all fetches; the client limits how many run at the same time.
  ///
  /// - Parameters:
  ///   - clock: used to call `step` again, and when an account stores a part of what it has; nil if
  ///     that is not needed.
  ///   - ended: called for each feed or account that has ended.
  ///   - step: called with the progress, and whether anything was stored that lists show. If it is
  ///     too early to show that, it returns after which time it has to be called again.
  private func run(
    _ plan: ReloadPlan, clock: AnyClock? = nil,
    ended: (ReloadReport.Part) -> Void = { _ in },
    step: (LoadingProgress, _ hasStored: Bool) async throws -> Duration?
  ) async throws -> ReloadReport {
    var entries = plan.known
    var accounts: [ReloadReport.AccountEntry] = []
    let total = plan.due.count + plan.accounts.reduce(0) { $0 + $1.feeds.count }
    for entry in entries { ended(ReloadReport.Part(entries: [entry])) }
    guard !plan.isIdle else { return plan.report(entries, accounts) }
    _ = try await step(Self.progress(0, of: total), false)
    let changes = plan.accounts.isEmpty || clock == nil ? nil : hub.changes()
    try await withThrowingTaskGroup(of: ReloadPart.self) { group in
      for feed in plan.due {
        group.addTask { [self] in
          .feed(try await reload(feed, plan.policy))
        }
      }
      for (account, feeds) in plan.accounts {
        group.addTask { [self] in try await reload(account, feeds, plan.policy) }
      }
      func watch() {
        guard let changes else { return }
        group.addTask {
          for await _ in changes { break }
          return .stored
        }
      }
      watch()
      var done = 0
      var running = plan.due.count + plan.accounts.count
      var isWaiting = false
      func tell(_ hasStored: Bool) async throws {
        guard let rest = try await step(Self.progress(done, of: total), hasStored), !isWaiting,
          let clock
        else { return }
        isWaiting = true
        group.addTask {
          try await clock.sleep(for: rest)
          return .waited
        }
      }
      while running > 0, let part = try await group.next() {
        switch part {
        case .feed(let entry):
          running -= 1
          done += 1
          entries.append(entry)
          ended(ReloadReport.Part(entries: [entry]))
          try await tell(entry.mayHaveStored)
        case .account(let account, let feeds):
          running -= 1
          done += feeds.count
          accounts.append(account)
          entries += feeds
          ended(ReloadReport.Part(entries: plan.sorted(feeds), account: account))
          // Marks may have changed too.
          try await tell(true)
        case .stored:
          // After the last account, only feeds are left, each of which reports its own end.
          guard accounts.count < plan.accounts.count else { continue }
          try await tell(true)
          watch()
        case .waited:
          isWaiting = false
          try await tell(false)
        }
      }
      group.cancelAll()
    }
    var dropped = DroppedArticles()
    do {
      let restored: Int
      (restored, dropped) = try await tidied()
      // Lists that were read earlier still contain the articles that are dropped now.
      if restored + dropped.count > 0 { _ = try await step(Self.progress(total, of: total), true) }
    } catch let error as CancellationError {
      throw error
    } catch {
      // The reload itself has succeeded; the next one tidies again.
    }
    return plan.report(entries, accounts, dropped)
  }

  /// Fetches a feed from its own server.
  private func reload(
    _ feed: StoredFeed, _ policy: RefreshPolicy
  ) async throws -> ReloadReport.Entry {
    do {
      let fetched = try await fetch(feed, policy: policy)
      return ReloadReport.Entry(feed: feed.feed, outcome: fetched.outcome)
    } catch let error where error is CancellationError || error is StoreError {
      throw error
    } catch {
      return ReloadReport.Entry(feed: feed.feed, outcome: .failed(UserMessage(error)))
    }
  }

  /// Syncs an account, which fetches all of its feeds.
  ///
  /// A feed that was fetched before it joined the account, and that the server still does not have
  /// after the sync, is fetched from its own server.
  ///
  /// A failure is reported for the account and not for each feed.
  private func reload(
    _ account: SyncAccount, _ feeds: [Feed], _ policy: RefreshPolicy
  ) async throws -> ReloadPart {
    func unsynced(_ outcome: ReloadReport.AccountEntry.Outcome) async throws -> ReloadPart {
      let summary = try await storedAccounts().first { $0.id == account.id }
      let waiting = summary?.waitingCount ?? 0
      return .account(.init(account: account, outcome: outcome, waitingCount: waiting), [])
    }
    do {
      guard let report = try await exchange(account.id) else {
        return try await unsynced(.cancelled)
      }
      var entries: [Feed.ID: ReloadReport.Entry] = [:]
      for feed in feeds {
        let new = report.newArticles[feed.id] ?? 0
        entries[feed.id] = ReloadReport.Entry(
          feed: feed, outcome: new > 0 ? .updated(newArticles: new) : .unchanged)
      }
      // Only now: articles of a feed that the server has just taken would be stored twice.
      for feed in try await store.feeds(in: .account(account.id))
      where feed.remote == nil && feed.feed.lastFetched != nil && entries[feed.feed.id] != nil {
        guard case .fetch = policy.decision(on: feed, now: now()) else { continue }
        entries[feed.feed.id] = try await reload(feed, policy)
      }
      return .account(.init(account: account, outcome: .synced(report)), Array(entries.values))
    } catch let error where error is CancellationError || error is StoreError {
      throw error
    } catch SyncError.noSuchAccount {
      // It was removed meanwhile.
      return try await unsynced(.cancelled)
    } catch {
      return try await unsynced(.failed(UserMessage(error)))
    }
  }

  private static func progress(_ done: Int, of total: Int) -> LoadingProgress {
    // The number of an account's feeds is unknown before its first sync.
    guard total > 0 else { return LoadingProgress(message: "syncing") }
    return LoadingProgress(
      message: "\(done) of \(total) feed\(total == 1 ? "" : "s")", completed: done, of: total)
  }
}

/// The result of one part of a reload.
private enum ReloadPart: Sendable {
  case feed(ReloadReport.Entry)
  /// An account, with those of its feeds that belong to the reload.
  case account(ReloadReport.AccountEntry, [ReloadReport.Entry])
  /// Something was stored.
  case stored
  /// What was stored can be shown now.
  case waited
}

extension ReloadReport.Entry {
  /// A feed with a mistake has failed, and the articles before the mistake are stored.
  fileprivate var mayHaveStored: Bool {
    switch outcome {
    case .updated, .failed: true
    case .unchanged, .cancelled: false
    }
  }
}

/// What a reload has to fetch.
private struct ReloadPlan: Sendable {
  /// The feeds that the library fetches itself.
  let due: [StoredFeed]
  /// The accounts to sync, with those of their feeds that belong to the reload.
  let accounts: [(account: SyncAccount, feeds: [Feed])]
  let policy: RefreshPolicy
  /// Earlier failures that are reported again without another fetch.
  let known: [ReloadReport.Entry]
  /// The number of all feeds, including those that are not fetched.
  let feedCount: Int
  private let goneCount: Int
  private let order: [Feed.ID: Int]

  init(
    _ feeds: [StoredFeed], of selection: FeedSelection, accounts: [StoredAccount],
    policy: RefreshPolicy, now: Date
  ) {
    var due: [StoredFeed] = []
    var gone: [StoredFeed] = []
    var known: [ReloadReport.Entry] = []
    for feed in feeds {
      switch policy.decision(on: feed, now: now) {
      case .fetch: due.append(feed)
      case .leave: break
      case .leaveGone: gone.append(feed)
      case .reportAgain(let message):
        known.append(ReloadReport.Entry(feed: feed.feed, outcome: .failed(message)))
      }
    }
    if gone.count == feeds.count {
      // A user who reloads only feeds that are gone wants to try them; an automatic reload reports
      // their failures again.
      if policy == .always {
        due = gone
      } else {
        known = gone.compactMap { feed in
          feed.failure.map { ReloadReport.Entry(feed: feed.feed, outcome: .failed($0.message)) }
        }
      }
    }
    self.due = due.filter { $0.feed.account == nil }
    let reported = Set(known.map(\.feed.id))
    let dueAccounts = Set(due.compactMap(\.feed.account))
    let accountsWithFeeds = Set(feeds.lazy.filter { !$0.isOnlyAdded }.compactMap(\.feed.account))
    self.accounts = accounts.compactMap { account in
      let id = account.account.id
      let isMeant = selection == .all || selection == .account(id)
      let hasFeeds = accountsWithFeeds.contains(id)
      let isDue =
        dueAccounts.contains(id)
        || isMeant && policy.isDue(account, hasFeeds: hasFeeds, now: now)
      guard isDue, policy == .always || account.mayBeTried(at: now) else { return nil }
      let own = feeds.lazy.map(\.feed).filter {
        $0.account == id && !reported.contains($0.id)
      }
      return (account.account, Array(own))
    }
    self.policy = policy
    self.known = known
    feedCount = feeds.count
    // Those that are all gone are fetched, or their failures are reported.
    goneCount = gone.count == feeds.count ? 0 : gone.count
    order = Dictionary(uniqueKeysWithValues: feeds.enumerated().map { ($1.feed.id, $0) })
  }

  /// Whether nothing has to be fetched.
  var isIdle: Bool { due.isEmpty && accounts.isEmpty }

  var isEmpty: Bool { isIdle && known.isEmpty }

  /// Returns the results in the order of the feeds.
  func sorted(_ entries: [ReloadReport.Entry]) -> [ReloadReport.Entry] {
    entries.sorted { order[$0.feed.id, default: 0] < order[$1.feed.id, default: 0] }
  }

  func report(
    _ entries: [ReloadReport.Entry], _ accounts: [ReloadReport.AccountEntry],
    _ dropped: DroppedArticles = DroppedArticles()
  ) -> ReloadReport {
    ReloadReport(
      entries: sorted(entries),
      accounts: accounts.sorted { $0.account.id.rawValue < $1.account.id.rawValue },
      feedCount: order.count, goneCount: goneCount, dropped: dropped)
  }
}

extension RefreshPolicy {
  /// Returns the policy for a load with this cause: a load or a retry by the user fetches every
  /// feed now, not only those that failed.
  fileprivate func asked(by cause: LoadActivity.Cause) -> RefreshPolicy {
    switch self {
    case .ifDue, .whenAsked: cause == .user || cause == .retry ? .always : self
    case .always, .scheduled, .never: self
    }
  }
}
