import Foundation
import HTTP
import Loading

/// One exchange with an account's server.
///
/// It first sends the local changes. Then it fetches the server's feeds and articles and stores
/// each batch as it arrives. Finally it sets the marks to those of the server, except for marks
/// that were changed here meanwhile. After a failure, everything that was sent or stored until then
/// stays, and unsent marks wait in the outbox.
///
/// Only one exchange may run for an account at a time, across all processes.
struct AccountSync: Sendable {
  let account: StoredAccount
  let server: any SyncServer
  let store: ArticleStore
  var rules = RulesInForce.none
  let now: @Sendable () -> Date
  /// Called with the progress.
  var progress: @Sendable (LoadingProgress) -> Void = { _ in }
  /// Called when feeds or articles were stored, long before the exchange has finished.
  var stored: @Sendable () -> Void = {}

  private let matched = MatchedFeeds()
  private static let stepCount = 5
  /// How many articles of a feed that joins the account are compared at most.
  private static let adoptedLimit = 1_000

  /// Only sends the local changes.
  func send() async throws -> SyncReport {
    var report = SyncReport()
    step(1, "Sending marks")
    try await sendMarks(&report)
    step(2, "Sending feeds")
    try await sendFeeds(&report)
    return report
  }

  /// Sends the local changes and fetches everything.
  func run() async throws -> SyncReport {
    var report = try await send()
    let id = account.account.id
    step(3, "Feeds")
    let feeds = try await server.feeds()
    try Task.checkCancellation()
    (report.addedFeeds, report.removedFeeds) = try await store.apply(
      feeds, of: id, at: now())
    // A server also refuses to add a feed that it has: another client has added it, or the answer
    // to an earlier addition was lost.
    let there = try await store.feedsOnServer(of: id)
    report.refusedFeeds.removeAll { $0.isAddition && there.contains($0.id) }
    stored()
    step(4, "Lists")
    // First: an article that comes between the two would be in this list alone, and count as read.
    let adopted = try await articlesOfAdoptedFeeds()
    let lists = try await lists()
    for articles in adopted { try await match(articles, lists: lists, &report) }
    let unknown = try await store.unknown(in: lists, of: id)
    try await fetch(unknown, lists: lists, &report)
    let (unstarred, gone) = try await withoutStar(in: lists)
    try Task.checkCancellation()
    report.receivedMarks = try await store.apply(
      lists, unstarred: unstarred, gone: gone, of: id, at: now())
    return report
  }

  private func step(_ number: Int, _ name: String, part: Double = 0) {
    let done = Double(number - 1) + part
    progress(
      LoadingProgress(
        message: "\(name) (\(number) of \(Self.stepCount))",
        fraction: done / Double(Self.stepCount)))
  }

  // MARK: Sending

  private func sendMarks(_ report: inout SyncReport) async throws {
    var rows = try await store.outbox(of: account.account.id)
    if account.lacksLabels { rows = try await dropLabels(rows) }
    let rowCount = rows.count
    var groups: [MarkGroup: [OutboxRow]] = [:]
    for row in rows { groups[MarkGroup(row.mark, row.value), default: []].append(row) }
    // In the order of the oldest mark of each group, so that the server applies changes in the
    // order in which they were made.
    let ordered = groups.sorted { ($0.value[0].revision) < ($1.value[0].revision) }
    let folders = try await store.foldersOnServer(of: account.account.id)
    var done = 0
    for (group, rows) in ordered {
      guard let (mark, isInverse) = group.mark.remote else { continue }
      var tagOfFolder: String?
      if case .label(let name) = mark, group.value, folders.contains(name) { tagOfFolder = name }
      for batch in rows.batches(of: server.marksPerRequest) {
        let refused = try await inParts(batch) { part in
          do {
            try await server.set(mark, group.value != isInverse, of: part.map(\.item))
            // FreshRSS makes no label with the name of a folder, and says OK all the same. So the tag
            // is sent again until there is no such folder.
            if let tagOfFolder {
              report.refusedMarks += part.count
              report.tagsOfFolders.insert(tagOfFolder)
              return
            }
            report.sentMarks += part.count
          } catch SyncError.unsupported {
            try await store.noteNoLabels(of: account.account.id)
          }
          try await store.removeFromOutbox(part)
        }
        report.refusedMarks += refused.count
        done = min(rowCount, done + batch.count)
        step(1, "Sending marks", part: Double(done) / Double(rowCount))
      }
    }
  }

  private struct MarkGroup: Hashable {
    let mark: ArticleMark
    let value: Bool
    init(_ mark: ArticleMark, _ value: Bool) { (self.mark, self.value) = (mark, value) }
  }

  /// Sends a request about several marks or articles, in smaller parts if the server does not take
  /// or deliver that many at once.
  ///
  /// - Parameter send: sends the request for a part.
  /// - Returns: those for which the server refuses it even one by one.
  private func inParts<Element: Sendable>(
    _ batch: [Element], send: ([Element]) async throws -> Void
  ) async throws -> [Element] {
    do {
      try await send(batch)
      return []
    } catch let error as SyncError where error.isAboutTheRequest {
    } catch HTTPError.tooLarge {
      // A few articles may fill an answer; a single one may be too large to be read.
    }
    guard batch.count > 1 else { return batch }
    var refused: [Element] = []
    for part in batch.batches(of: (batch.count + 1) / 2) {
      refused += try await inParts(part, send: send)
    }
    return refused
  }

  /// Removes label changes from the outbox of a server without labels; the tags stay here.
  private func dropLabels(_ rows: [OutboxRow]) async throws -> [OutboxRow] {
    let isLabel = { (row: OutboxRow) in if case .tag = row.mark { true } else { false } }
    try await store.removeFromOutbox(rows.filter(isLabel))
    return rows.filter { !isLabel($0) }
  }

  private func sendFeeds(_ report: inout SyncReport) async throws {
    for pending in try await store.pendingFeeds(of: account.account.id) {
      let isAddition = if case .subscribe = pending.change { true } else { false }
      func refuse(_ reason: String, passing: SyncError? = nil) {
        report.refusedFeeds.append(
          .init(
            id: pending.id, title: UserMessage.cleaned(pending.title, limit: 60), reason: reason,
            isAddition: isAddition, passing: passing))
      }
      do {
        var remote: String?
        switch pending.change {
        case .subscribe(let address, let title, let folder):
          remote = try await server.subscribe(to: address, title: title, folder: folder)
        case .unsubscribe(let feed): try await server.unsubscribe(from: feed)
        case .edit(let feed, let title, let folder):
          try await server.edit(feed, title: title, folder: folder)
        }
        try await store.noteSent(pending, remote: remote)
        report.sentFeeds += 1
      } catch SyncError.unsupported {
        // It would wait for ever.
        try await store.takeBack(pending)
        refuse(pending.change.whenUnsupported)
      } catch SyncError.folderRequired {
        try await store.takeBack(pending)
        refuse(
          "The server keeps every feed in a folder, so it has the server's title and folder again.")
      } catch let error as SyncError where error.isAboutTheFeed {
        // A refusal of one feed must not block the others. A feed that has been fetched before goes on
        // without the account, unless the next sync may succeed.
        if isAddition, !error.isRetryable {
          try await store.leaveAccount(pending.account, pending.id, ifFetched: true)
        }
        refuse(
          error.message.detail ?? error.message.what, passing: error.isRetryable ? error : nil)
      }
    }
  }

  // MARK: Fetching

  private func lists() async throws -> RemoteLists {
    var lists = RemoteLists()
    lists.unread = try await server.articles(with: .unread)
    lists.starred = try await server.articles(with: .starred)
    try requireFew(lists)
    guard !account.lacksLabels, let labels = try await server.labels() else { return lists }
    for label in labels {
      lists.labels[label] = try await server.articles(with: .label(label))
      try requireFew(lists)
    }
    return lists
  }

  /// Returns the newest articles of each feed that has joined the account with unread articles of
  /// its own.
  ///
  /// The server's lists do not name an article that was read there, so without its id it would stay
  /// unread here for ever.
  private func articlesOfAdoptedFeeds() async throws -> [Set<RemoteID>] {
    var lists: [Set<RemoteID>] = []
    for feed in try await store.unmatchedFeeds(of: account.account.id) {
      do {
        lists.append(
          try await server.newestArticles(
            of: feed.remote, limit: min(2 * feed.articleCount, Self.adoptedLimit)))
      } catch let error as SyncError where error.isAboutTheFeed {
        // A server without this list: what is not in its other lists stays as it is here.
      }
    }
    return lists
  }

  /// Stores the newest articles of a feed that has joined the account.
  ///
  /// All at once: if this is interrupted, no article of the feed has a server id, and the next sync
  /// tries it again.
  private func match(
    _ ids: Set<RemoteID>, lists: RemoteLists, _ report: inout SyncReport
  ) async throws {
    var articles: [RemoteArticle] = []
    for batch in ids.sorted(by: { $0.text > $1.text }).batches(of: server.articlesPerRequest) {
      _ = try await inParts(batch) { articles += try await server.articles($0) }
    }
    let new = try await store.save(
      articles, of: account.account.id, lists: lists, rules: rules, matched: matched,
      at: now())
    report.newArticles.merge(new, uniquingKeysWith: +)
    stored()
  }

  private func requireFew(_ lists: RemoteLists) throws {
    guard lists.count > ServerAnswer.articleLimit else { return }
    throw SyncError.badAnswer(
      detail: "The lists have more than \(ServerAnswer.articleLimit) articles.")
  }

  /// Fetches articles that are not stored, roughly newest first.
  private func fetch(
    _ ids: [RemoteID], lists: RemoteLists, _ report: inout SyncReport
  ) async throws {
    var waiting = ids.batches(of: server.articlesPerRequest)[...]
    var done = 0
    try await withThrowingTaskGroup(of: (count: Int, new: [Feed.ID: Int]).self) { group in
      var running = 0
      while running > 0 || !waiting.isEmpty {
        while running < server.requestsAtOnce, let batch = waiting.popFirst() {
          running += 1
          // Each task stores its own batch: writes that wait for the store share a transaction,
          // which writes the index pages once.
          group.addTask {
            var new: [Feed.ID: Int] = [:]
            // An article that the server cannot deliver must not block the others.
            _ = try await inParts(batch) { part in
              let counts = try await store.save(
                server.articles(part), of: account.account.id, lists: lists, rules: rules,
                matched: matched, at: now())
              new.merge(counts, uniquingKeysWith: +)
              stored()
            }
            return (batch.count, new)
          }
        }
        guard let answer = try await group.next() else { break }
        running -= 1
        report.newArticles.merge(answer.new, uniquingKeysWith: +)
        done += answer.count
        step(5, "\(done) of \(ids.count) articles", part: Double(done) / Double(ids.count))
      }
    }
  }

  /// Returns the articles whose star was removed on the server, and the starred articles that the
  /// server no longer has, for example because it was restored from a backup: these keep their
  /// stars.
  private func withoutStar(
    in lists: RemoteLists
  ) async throws -> (unstarred: [RemoteID], gone: [RemoteID]) {
    let missing = try await store.withoutStar(in: lists, of: account.account.id)
    var (there, refused): ([RemoteID], [RemoteID]) = ([], [])
    for batch in missing.batches(of: server.articlesPerRequest) {
      refused += try await inParts(batch) { there += try await server.articles($0).map(\.id) }
    }
    let gone = Set(missing).subtracting(there).subtracting(refused)
    return (there, gone.sorted { $0.text < $1.text })
  }
}

extension SyncError {
  /// Whether the server wants no other request for a while.
  var asksToWait: Bool {
    guard case .refused(let status, _, let retryDate) = self else { return false }
    return status == 429 || retryDate != nil
  }

  /// Whether the server may accept a smaller request.
  fileprivate var isAboutTheRequest: Bool {
    guard case .refused(let status, _, _) = self else { return false }
    return status == 400 || status == 413 || status == 414
  }

  /// Whether the server failed at this particular change, and not at all requests.
  fileprivate var isAboutTheFeed: Bool {
    switch self {
    // A server that stumbles over a single feed answers with 500, and what is in front of a server
    // turns every request away with 403.
    case .refused(let status, _, _): ![403, 429, 502, 503, 504].contains(status)
    case .badAnswer, .unsupported, .feedRefused: true
    default: false
    }
  }
}
