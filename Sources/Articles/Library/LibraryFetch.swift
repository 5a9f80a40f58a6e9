import Foundation
import HTTP
import Loading

/// What to do with a web page in place of a feed.
enum WebPages {
  /// Fail: it is not a feed.
  case refuse
  /// Use the best feed that it links to.
  case followBest
  /// Use its only feed; if there are several, throw ``LibraryError/severalFeeds(_:)``.
  case followOnly
}

/// The result of fetching a feed.
struct FetchedFeed: Sendable {
  /// The feed that was stored: if a page links to a feed that was removed before, that feed is
  /// restored instead.
  let id: Feed.ID
  var outcome: ReloadReport.Entry.Outcome
  /// The mistake in the feed, before which the articles are stored; or why the feed that a page links
  /// to was stored without being fetched.
  var failure: (any Error)?
  /// The further feeds of the page that linked to this one.
  var others: [FeedLink] = []
  /// The address of the removed feed that the page links to, with the origin of the page, if an
  /// account's server has its articles: then nothing was fetched or stored.
  var inAccount: (address: String, origin: RequestOrigin)?
  var work = FetchReport.Work()
}

extension ReloadReport.Entry.Outcome {
  fileprivate var newArticles: Int? {
    switch self {
    case .updated(let count), .failed(_, let count): count
    case .unchanged, .cancelled: nil
    }
  }
}

extension Library {
  /// Fetches one feed and stores its contents, or why it failed, or both: the articles before a
  /// mistake, and the mistake, which is returned.
  ///
  /// If the feed that a page links to cannot be fetched now, it is kept, and its failure is returned.
  ///
  /// - Parameters:
  ///   - policy: why it is fetched.
  ///   - pages: what to do with a web page in place of a feed.
  ///   - sharesFailures: whether a fetch of the feed that runs already may fail for this one, too.
  func fetch(
    _ feed: StoredFeed, policy: RefreshPolicy = .always, pages: WebPages = .refuse,
    sharesFailures: Bool = true
  ) async throws -> FetchedFeed {
    // If another fetch failed because it got a page, this one may still find a feed through the
    // page.
    let sharesFailure = { @Sendable (error: any Error) in
      sharesFailures && (pages == .refuse || !(error is FeedError))
    }
    let rests = { [now] (end: Date) in policy.leaves(feed.feed, endedAt: end, now: now()) }
    return try await board.run(feed.feed.id, sharesFailure: sharesFailure, rests: rests) { [self] in
      do {
        try await store.beginArrivals()
        let fetched = try await reporting(
          .feed(feed.feed.address), newArticles: \.outcome.newArticles, error: \.failure,
          work: \.work
        ) {
          try await fetchAndStore(feed, pages: pages)
        }
        if let failure = fetched.failure {
          try await record(failure, of: feed, as: fetched.id, afterStoring: true)
        }
        changed()
        return fetched
      } catch {
        if error is CancellationError || Task.isCancelled { throw CancellationError() }
        // A failure of the store or of the list of feeds is not a failure of the feed.
        if error is StoreError || error is LibraryError { throw error }
        try await record(error, of: feed, as: feed.feed.id)
        changed()
        throw error
      }
    } ?? FetchedFeed(id: feed.feed.id, outcome: .cancelled)
  }

  private func fetchAndStore(
    _ feed: StoredFeed, pages: WebPages
  ) async throws -> FetchedFeed {
    let step = try await read(feed, origin: feed.origin) { [self] answer in
      try await keep(answer, of: feed, as: feed.feed.id, pages: pages)
    }
    switch step {
    case .end(let fetched): return fetched
    // Outside the turn: if all turns waited for another turn, they would wait forever.
    case .follow(let best, let others, let origin):
      do {
        var followed = try await follow(best.address, from: feed, origin: origin)
        followed.others = others
        return followed
      } catch LibraryError.alreadyAdded(let address, _) {
        let known = Set(try await store.feeds(in: .all).map(\.feed.address))
        throw LibraryError.alreadyAdded(
          address: address, others: others.filter { !known.contains($0.address) })
      }
    }
  }

  /// Reads a feed from its source, and uses the answer in a turn.
  private func read<Value: Sendable>(
    _ feed: StoredFeed, origin: RequestOrigin,
    use: @escaping @Sendable (FeedAnswer) async throws -> Value
  ) async throws -> Value {
    let options = options
    let fetch = FeedFetch(
      feed: feed, origin: origin, limits: options.limits,
      sendsPasswordsInClear: options.sendsPasswordsInClear, now: now(),
      turn: FeedTurn(limit: turns, executor: threads.feeds), programs: options.programs,
      progress: { [board, id = feed.feed.id] progress in
        board.report(LoadingProgress(progress), of: id)
      })
    return try await sources.source(of: feed.feed.address).read(fetch, use: use)
  }

  /// The next step after an answer was used.
  private enum Step {
    case end(FetchedFeed)
    /// Fetch the feed that the page, which has this origin, links to; `others` are its further
    /// feeds.
    case follow(FeedLink, others: [FeedLink], RequestOrigin)
  }

  /// - Parameter id: the feed that was fetched in place of `feed`.
  private func keep(
    _ answer: FeedAnswer, of feed: StoredFeed, as id: Feed.ID, pages: WebPages
  ) async throws -> Step {
    switch answer {
    case .unchanged(let notBefore):
      try await store.recordUnchanged(
        id, from: feed.feed.address, at: now(), notBefore: notBefore)
      return .end(FetchedFeed(id: id, outcome: .unchanged))
    case .feed(let parsed, let facts):
      return .end(try await save(parsed, of: feed, as: id, facts, FetchReport.Work()))
    case .document(let document):
      try Task.checkCancellation()
      if pages != .refuse { try await refuseKnown(document.facts, of: id) }
      var work = FetchReport.Work()
      let start = ContinuousClock.now
      let parsed: ParsedFeed
      do throws(FeedError) {
        parsed = try document.parsed()
      } catch {
        guard pages != .refuse, document.mayNameFeed(error) else { throw error }
        let feeds = FeedDiscovery.feeds(namedBy: document)
        guard let best = feeds.first else { throw error }
        if pages == .followOnly, feeds.count(where: { !$0.isOfComments }) > 1 {
          throw LibraryError.severalFeeds(feeds)
        }
        return .follow(
          best, others: Array(feeds.dropFirst()), document.facts.contentOrigin)
      }
      work.parsing = start.duration(to: .now)
      let kept = pages == .refuse ? id : try await restored(document.facts, insteadOf: id)
      do {
        return .end(try await save(parsed, of: feed, as: kept, document.facts, work))
      } catch {
        try await takeBackMove(of: id, to: kept)
        throw error
      }
    }
  }

  /// Restores the removed feed to whose address a new feed has permanently moved, in its place.
  ///
  /// - Returns: the feed that has the address now.
  private func restored(_ facts: FetchFacts, insteadOf id: Feed.ID) async throws -> Feed.ID {
    guard let address = facts.newAddress,
      try await store.isRemovedFeed(address: address, ofAccount: false)
    else { return id }
    // One with articles stays where it is, beside the removed one.
    return try await moved(id, to: address, origin: facts.contentOrigin) ?? id
  }

  private func save(
    _ parsed: ParsedFeed, of feed: StoredFeed, as id: Feed.ID, _ facts: FetchFacts,
    _ work: FetchReport.Work
  ) async throws -> FetchedFeed {
    var work = work
    let start = ContinuousClock.now
    let rules = try RulesInForce(options.rules, now: now())
    let prepared = PreparedFeed(parsed)
    let details = try await store.details(
      ofNewIn: prepared, of: id, hasArticles: feed.hasArticles, rules: rules)
    work.preparing = start.duration(to: .now)
    let newArticles =
      try await store.save(
        prepared, of: id, from: feed.feed.address, facts: facts, rules: rules, details: details,
        at: now()) ?? 0
    return FetchedFeed(
      id: id,
      outcome: parsed.mistake.map { .failed(UserMessage($0), newArticles: newArticles) }
        ?? .updated(newArticles: newArticles),
      failure: parsed.mistake, work: work)
  }

  /// Fetches the feed that a page links to, in place of the page.
  ///
  /// The page and not the user has named the address, so the address is only kept if the page was
  /// allowed to name it.
  private func follow(
    _ address: String, from page: StoredFeed, origin: RequestOrigin
  ) async throws -> FetchedFeed {
    if try await store.isRemovedFeed(address: address, ofAccount: true) {
      return FetchedFeed(id: page.feed.id, outcome: .unchanged, inAccount: (address, origin))
    }
    do {
      return try await read(page.moved(to: address), origin: origin) { [self] answer in
        var answer = answer
        if case .document(let document) = answer {
          try await refuseKnown(document.facts, of: page.feed.id)
          // Before anything is stored: what is no feed must not take the place of the page.
          answer = .feed(try document.parsed(), document.facts)
        }
        let id = try await move(page.feed.id, to: address, origin: origin)
        do {
          let step = try await keep(answer, of: page, as: id, pages: .refuse)
          guard case .end(let fetched) = step else {
            return FetchedFeed(id: id, outcome: .cancelled)
          }
          // A fetch that is cancelled fails for its callers, even if everything was stored.
          try Task.checkCancellation()
          return fetched
        } catch {
          try await takeBackMove(of: page.feed.id, to: id)
          throw error
        }
      }
    } catch
      where (error is HTTPError || error is FetchError) && !Self.isMistake(error)
      && !Task.isCancelled
    {
      // Stored with the feed's address, to be fetched later: the page's own address would never
      // have articles.
      return FetchedFeed(
        id: try await move(page.feed.id, to: address, origin: origin),
        outcome: .failed(UserMessage(error)), failure: error)
    }
  }

  /// Checks that a new feed has not permanently moved to the address of another one: it would be
  /// the same feed twice.
  ///
  /// A feed that moves there later stays, with its old address, because it has articles.
  ///
  /// - Throws: ``LibraryError/alreadyAdded(address:others:)`` or ``StoreError``.
  private func refuseKnown(_ facts: FetchFacts, of id: Feed.ID) async throws {
    guard let moved = facts.newAddress else { return }
    let address = FeedCredentials.split(moved).address
    guard
      try await store.feeds(in: .all).contains(where: {
        $0.feed.id != id && $0.feed.address == address
      })
    else { return }
    throw LibraryError.alreadyAdded(address: UserMessage.cleaned(address))
  }

  /// Gives a feed the address that its page links to.
  ///
  /// - Returns: the feed that has the address now, which may be one that was removed before.
  func move(
    _ id: Feed.ID, to address: String, origin: RequestOrigin
  ) async throws -> Feed.ID {
    guard let moved = try await moved(id, to: address, origin: origin) else {
      throw LibraryError.alreadyAdded(address: UserMessage.cleaned(address))
    }
    return moved
  }

  /// - Returns: the feed that has the address now; nil if another one has it, or this one has
  ///   articles.
  private func moved(
    _ id: Feed.ID, to address: String, origin: RequestOrigin
  ) async throws -> Feed.ID? {
    let moved = try await store.movePage(
      id, to: address, isPublic: origin == .publicContent, at: now())
    if let moved, moved != id { changed() }
    return moved
  }

  /// Undoes ``move(_:to:origin:)`` if it has restored a feed; a mere change of the address stays.
  private func takeBackMove(of page: Feed.ID, to restored: Feed.ID) async throws {
    guard restored != page else { return }
    try await uncancelled { [store, date = now()] in
      try await store.takeBackMove(of: page, to: restored, at: date)
    }
    changed()
  }

  /// - Parameters:
  ///   - id: the feed that was fetched in place of `feed`.
  ///   - afterStoring: whether the fetch has stored articles, which has ended earlier failures.
  private func record(
    _ error: any Error, of feed: StoredFeed, as id: Feed.ID, afterStoring: Bool = false
  ) async throws {
    let date = now()
    let chance = chance()
    // Whoever fetches during the pause after a failure does not make it longer.
    let pauseEnd =
      afterStoring || feed.failureCount == 0
      ? nil
      : feed.notBefore.flatMap {
        RefreshPolicy.isPausing(from: feed.lastAttempt ?? .distantFuture, to: $0, now: date)
          ? $0 : nil
      }
    let pause = FailurePause.seconds(failures: feed.failureCount + 1, chance: chance)
    var notBefore = pauseEnd ?? date.addingTimeInterval(pause)
    var isGone = false
    var retryAfter: Date?
    if case FetchError.status(let status, let retryDate) = error {
      isGone = status == 410
      retryAfter = retryDate
      if let retryDate { notBefore = max(notBefore, retryDate) }
    }
    var counts = pauseEnd == nil
    if case FetchError.serverBusy(let end) = error {
      // It has not failed itself, and what is known of it stays. Not all of the server's feeds are due
      // at once.
      let later = end.addingTimeInterval(60 * chance)
      (counts, retryAfter, notBefore) = (false, end, max(pauseEnd ?? later, later))
      isGone = feed.goneSince != nil
    }
    try await store.recordFailure(
      UserMessage(error), of: id, from: feed.feed.address, at: date, notBefore: notBefore,
      retryAfter: retryAfter, isGone: isGone, counts: counts)
  }
}

extension LoadingProgress {
  /// Rounds progress to steps that a screen can show, because each step may mean a new frame.
  fileprivate init(_ progress: HTTPProgress) {
    guard let expected = progress.expected, expected > 0 else {
      self.init(message: "\(progress.received / 65_536 * 64) kB")
      return
    }
    self.init(completed: progress.received * 100 / expected, of: 100)
  }
}
