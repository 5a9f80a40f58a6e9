import Foundation
import HTTP
import Loading

/// What is done about a web page in place of a feed.
enum WebPages {
  /// It is no feed.
  case refuse
  /// The best feed that it names takes its place.
  case followBest
  /// The same, unless there are several to choose from: ``LibraryError/severalFeeds(_:)``.
  case followOnly
}

/// What came of fetching a feed.
struct FetchedFeed: Sendable {
  /// The feed that has what came: where a page names the address of a feed that was removed, that one
  /// is back in its place.
  let id: Feed.ID
  let outcome: ReloadReport.Entry.Outcome
}

extension Library {
  /// Fetches one feed and stores what it says, or why it failed.
  ///
  /// - Parameters:
  ///   - policy: why it is fetched.
  ///   - pages: whether a web page in place of a feed is searched for one.
  func fetch(
    _ feed: StoredFeed, policy: RefreshPolicy = .always, pages: WebPages = .refuse
  ) async throws -> FetchedFeed {
    // What another fetch takes for a page without articles may name a feed.
    let sharesFailure = { @Sendable (error: any Error) in
      pages == .refuse || !(error is FeedError)
    }
    let rests = { [now] (end: Date) in policy.leaves(feed.feed, endedAt: end, now: now()) }
    return try await board.run(feed.feed.id, sharesFailure: sharesFailure, rests: rests) { [self] in
      do {
        let fetched = try await fetchAndStore(feed, pages: pages)
        changed()
        return fetched
      } catch {
        if error is CancellationError || Task.isCancelled { throw CancellationError() }
        // Neither the store's own failure nor one of the list is a property of the feed.
        if error is StoreError || error is LibraryError { throw error }
        try await record(error, of: feed)
        changed()
        throw error
      }
    } ?? FetchedFeed(id: feed.feed.id, outcome: .cancelled)
  }

  private func fetchAndStore(
    _ feed: StoredFeed, pages: WebPages
  ) async throws -> FetchedFeed {
    let step = try await read(feed, origin: feed.origin) { [self] answer in
      try await keep(answer, of: feed.feed.id, pages: pages)
    }
    switch step {
    case .end(let outcome): return FetchedFeed(id: feed.feed.id, outcome: outcome)
    // Outside of the turn: one that waits for another would wait for ever if all did.
    case .follow(let best, let others, let origin):
      do {
        return try await follow(best.address, from: feed, origin: origin)
      } catch LibraryError.alreadyAdded(let address, _) {
        let known = Set(try await store.feeds(in: .all).map(\.feed.address))
        throw LibraryError.alreadyAdded(
          address: address, others: others.filter { !known.contains($0.address) })
      }
    }
  }

  /// Reads a feed from its source, and uses the answer when its turn has come.
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

  /// What is to be done once an answer has been read.
  private enum Step {
    case end(ReloadReport.Entry.Outcome)
    /// The page, of this origin, says that its feed is there, and that it has others.
    case follow(FeedLink, others: [FeedLink], RequestOrigin)
  }

  private func keep(
    _ answer: FeedAnswer, of id: Feed.ID, pages: WebPages
  ) async throws -> Step {
    switch answer {
    case .unchanged(let notBefore):
      try await store.recordUnchanged(id, at: now(), notBefore: notBefore)
      return .end(.unchanged)
    case .feed(let parsed, let facts):
      return .end(try await save(parsed, of: id, facts))
    case .document(let document):
      try Task.checkCancellation()
      do {
        let parsed = try FeedParser.parse(
          document.bytes, address: document.address, charset: document.charset)
        return .end(try await save(parsed, of: id, document.facts))
      } catch let error as FeedError where pages != .refuse && document.mayNameFeed(error) {
        let feeds = FeedDiscovery.feeds(namedBy: document)
        guard let best = feeds.first else { throw error }
        if pages == .followOnly, feeds.count(where: { !$0.isOfComments }) > 1 {
          throw LibraryError.severalFeeds(feeds)
        }
        return .follow(
          best, others: Array(feeds.dropFirst()), document.facts.contentOrigin)
      }
    }
  }

  private func save(
    _ parsed: ParsedFeed, of id: Feed.ID, _ facts: FetchFacts
  ) async throws -> ReloadReport.Entry.Outcome {
    let prepared = PreparedFeed(parsed)
    let rules = try RulesInForce(options.rules, now: now())
    let words = rules.haveWords ? try await store.words(ofNewIn: prepared, of: id) : [:]
    let newArticles = try await store.save(
      prepared, of: id, facts: facts, rules: rules, words: words, at: now())
    return .updated(newArticles: newArticles ?? 0)
  }

  /// Fetches what a page says is its feed, in its place.
  ///
  /// The address is the page's word and not the user's: one that the page may not name is not kept.
  private func follow(
    _ address: String, from page: StoredFeed, origin: RequestOrigin
  ) async throws -> FetchedFeed {
    do {
      return try await read(page.moved(to: address), origin: origin) { [self] answer in
        let id = try await move(page.feed.id, to: address, origin: origin)
        guard case .end(let outcome) = try await keep(answer, of: id, pages: .refuse) else {
          return FetchedFeed(id: id, outcome: .cancelled)
        }
        return FetchedFeed(id: id, outcome: outcome)
      }
    } catch  where (error is HTTPError || error is FetchError) && !Self.isMistake(error) {
      // Kept for later under the address of the feed: the page's own would never have articles.
      _ = try await move(page.feed.id, to: address, origin: origin)
      throw error
    }
  }

  /// Gives a feed the address that its page names.
  ///
  /// - Returns: the feed that has it now, which may be one that was removed before.
  private func move(
    _ id: Feed.ID, to address: String, origin: RequestOrigin
  ) async throws -> Feed.ID {
    let isPublic = origin == .publicContent
    if try await store.changeAddress(of: id, to: address, isPublic: isPublic) { return id }
    _ = try await store.removeFeed(id, at: now())
    changed()
    guard let removedBefore = try await store.insertFeed(address: address) else {
      throw LibraryError.alreadyAdded(address: UserMessage.cleaned(address))
    }
    return removedBefore.id
  }

  private func record(_ error: any Error, of feed: StoredFeed) async throws {
    let date = now()
    let pause = FailurePause.seconds(failures: feed.failureCount + 1, chance: chance())
    var notBefore = date.addingTimeInterval(pause)
    var isGone = false
    var retryAfter: Date?
    if case FetchError.status(let status, let retryDate) = error {
      isGone = status == 410
      retryAfter = retryDate
      if let retryDate { notBefore = max(notBefore, retryDate) }
    }
    try await store.recordFailure(
      UserMessage(error), of: feed.feed.id, at: date, notBefore: notBefore,
      retryAfter: retryAfter,
      isGone: isGone)
  }
}

extension LoadingProgress {
  /// In steps that a screen can show: each of them may mean a new frame.
  fileprivate init(_ progress: HTTPProgress) {
    guard let expected = progress.expected, expected > 0 else {
      self.init(message: "\(progress.received / 65_536 * 64) kB")
      return
    }
    self.init(completed: progress.received * 100 / expected, of: 100)
  }
}
