import Articles
import Foundation
import Loading

/// The source of everything that the reader's screens show: the library, or scripts in demos and
/// tests.
struct ArticleSource: Sendable {
  /// The stored feeds.
  var feeds: Loader<[FeedSummary]>
  /// The numbers of articles in the lists across all feeds.
  var counts: @Sendable () -> Loader<ArticleCounts>
  /// The numbers of unread articles that saved searches find.
  var unreadFound: @Sendable ([SavedSearch]) -> Loader<[SavedSearch: Int]> = { _ in .constant([:]) }
  /// The articles of a list: first the stored ones, then those from the network, for feeds that are
  /// due or, when the user asks for it, for all of them.
  var articles: @Sendable (ListRequest) -> Loader<ArticleListing>
  /// The first stored articles of a long list; empty for a short one, which is read at once.
  var beginning: @Sendable (ListRequest) -> Loader<[Article]> = { _ in .constant([]) }
  /// Articles of a long list that were not loaded with it.
  var rows: @Sendable ([Article.ID]) -> Loader<[Article.ID: Article]> = { _ in .constant([:]) }
  /// The document of an article.
  var document: @Sendable (Article.ID) -> Loader<ArticleDocument>
  /// The address of the file that an article encloses; nil if there is none.
  var enclosure: @Sendable (Article.ID) async throws -> String? = { _ in nil }
  /// The search through all articles.
  var search: SearchSource
  /// The marks that the user makes.
  var marks: ArticleMarks
  /// The tags of articles.
  var tags: @Sendable () -> Loader<[ArticleTag]> = { .constant([]) }
  /// The changes that the user makes to feeds.
  var feedEdits = FeedEdits()
  /// Stores the reading position of an article; nil removes it.
  var keepPosition: @Sendable (ReadingPosition?, Article.ID, TextSource) async throws -> Void
  /// Yields whenever something was stored.
  var changes: @Sendable () -> AsyncStream<Void>
  /// The article with a chosen text: the feed's, that of its page, or its transcript.
  var text: @Sendable (Article.ID, TextSource) -> Loader<ArticleDocument> = { _, _ in
    .failure(
      DescribedError(
        "A demonstration fetches no pages.", advice: "Start argyle without demo.",
        isRetryable: false))
  }
  /// The chapters of an article's episode.
  var chapters: @Sendable (Article.ID) -> Loader<[Chapter]> = { _ in
    .failure(EpisodeFileError.none(.chapters))
  }
  /// The articles that have arrived since the last call, or since the program began to fetch.
  var arrivals: @Sendable () async throws -> Arrivals = { Arrivals() }
  /// The changes by other programs; nil if they are not observed.
  var elsewhere: ArticlesElsewhere?
  /// The feeds that are being fetched.
  var fetches = FeedFetches()
  /// The downloads.
  var downloads = DownloadSource()
  /// The accounts on servers.
  var accounts = AccountStates()
  /// The folders of feeds that are closed.
  var folders = FolderStates()
  /// How lists are shown.
  var arrangements = ArrangementStates()
}

/// The search through all articles.
struct SearchSource: Sendable {
  /// The articles that match a query, best first, at most as many as the limit.
  var find: @Sendable (_ text: String, _ limit: Int) -> Loader<[SearchResult]>
  /// The number of matches if they are too many to list; nil if all are listed.
  var count: @Sendable (String) async throws -> Int? = { _ in nil }
  /// A correction of a query that matches nothing.
  var correct: @Sendable (String) async throws -> SearchCorrection? = { _ in nil }
  /// What a query cannot find because the search index lacks it; nil if it has everything.
  var gap: @Sendable (String) async throws -> UserMessage? = { _ in nil }
}

/// How lists are shown, stored for the next run.
struct ArrangementStates: Sendable {
  var stored = Loader<ListArrangements>.constant(ListArrangements())
  var store: @Sendable (ArrangementChange) async throws -> Void = { _ in }
  /// Removes the stored choice of a list that no longer exists.
  var forget: @Sendable (ReaderList) async throws -> Void = { _ in }
}

/// The accounts on servers, and syncing with them.
struct AccountStates: Sendable {
  /// The stored accounts.
  var stored = Loader<[AccountSummary]>.constant([])
  /// The accounts that are being synced.
  var running = Running<SyncAccount.ID>()
  var sync: @Sendable (SyncAccount.ID) async throws -> Void = { _ in }
  /// Sends pending marks to the servers.
  var sendMarks: @Sendable () async throws -> Void = {}
}

/// Which folders of feeds are closed, stored for the next run.
struct FolderStates: Sendable {
  var closed = Loader<Set<FeedFolder>>.constant([])
  /// Stores whether a folder is closed.
  var setClosed: @Sendable (Bool, FeedFolder) async throws -> Void = { _, _ in }
}

/// The changes by other programs.
struct ArticlesElsewhere: Sendable {
  /// Yields whenever another program has stored something.
  var changes: @Sendable () -> AsyncStream<Void>
  /// The stored articles of a list; nothing is fetched.
  var articles: @Sendable (ListRequest) -> Loader<ArticleListing>
}

/// The work in progress for feeds or accounts, and a way to cancel it.
struct Running<ID: Hashable & Sendable>: Sendable {
  /// The progress of each.
  var current: @Sendable () -> [ID: LoadingProgress] = { [:] }
  /// Yields whenever the progress changes.
  var changes: @Sendable () -> AsyncStream<Void> = { AsyncStream { $0.finish() } }
  /// Cancels the work for one.
  var cancel: @Sendable (ID) -> Void = { _ in }
}

/// Fetching feeds.
struct FeedFetches: Sendable {
  /// The feeds that are being fetched.
  var running = Running<Feed.ID>()
  /// Fetches the feeds that are due for an automatic reload; returns whether any was fetched.
  var reloadScheduled: @Sendable () async throws -> Bool = { false }
  /// Fetches all feeds that may be fetched.
  var reloadAll: @Sendable () async throws -> ReloadReport = { ReloadReport(entries: []) }
  /// The current time, on the clock that ``FeedSummary/nextReload`` uses.
  var now: @Sendable () -> Date = { Date() }
  /// Indexes new articles for the search, in the background.
  var index: @Sendable () async -> Void = {}
  /// Fetches the full text of new articles, if that is enabled; returns how many were fetched.
  ///
  /// It fails if nothing can be stored. An article whose page could not be fetched is tried again
  /// when it is opened, which shows the error.
  var fullTexts: @Sendable () async throws -> Int = { 0 }
}

/// The marks that the user makes; each call returns when they are stored on disk.
struct ArticleMarks: Sendable {
  var setRead: @Sendable (Bool, [Article.ID]) async throws -> Void
  /// Turns a rule's mark of an article as read into the user's own.
  var confirmRead: @Sendable (Article.ID) async throws -> Void = { _ in }
  var setStarred: @Sendable (Bool, Article.ID) async throws -> Void
  /// Adds tags to an article and removes others.
  var tag: @Sendable (Article.ID, _ adding: [String], _ removing: [String]) async throws -> Void = {
    _, _, _ in
  }
  /// Marks a list other than a search as read, except for articles newer than the given one.
  var markAllRead: @Sendable (ReaderList, Article.ID?) async throws -> Void
  /// Marks the articles of a list as read, or only those older than a date; returns those that were
  /// unread, and how many of them are no copies of others.
  var markMatchingRead:
    @Sendable (ReaderList, _ olderThan: Date?) async throws
      -> (articles: [Article.ID], shownCount: Int) = { _, _ in ([], 0) }
  /// Adds a change of a saved search to the changes that ``undo`` undoes, with what undoes it.
  var record:
    @Sendable (LibraryChange.Kind, _ undo: @escaping @Sendable () async throws -> Void) -> Void = {
      _, _ in
    }
  /// Undoes the latest change; returns nil if there is none.
  var undo: @Sendable () async throws -> LibraryChange?
  /// The ID of this program's latest change that can be undone, of marks or anything else; 0 if
  /// there is none.
  var latestChange: @Sendable () -> LibraryChange.ID = { 0 }
  /// The next unread article after one, in any list.
  var nextUnread: @Sendable (Article.ID?) async throws -> Article?
}

extension ArticleSource {
  /// How many articles of a long list are shown before its order is loaded: more than fit on a screen.
  static let beginning = 200

  /// Makes the source that reads from the library.
  ///
  /// - Parameter dayStart: returns when today began; called each time.
  init(
    _ library: Library, passwords: KeptPasswords, network: LoadGate = LoadGate("offline"),
    dayStart: @escaping @Sendable () -> Date
  ) {
    feeds = library.feeds()
    counts = { library.counts(since: dayStart()) }
    unreadFound = { searches in
      Loader { _ in
        var counts: [SavedSearch: Int] = [:]
        for search in searches {
          counts[search] = try await library.count(with: search.text, isRead: false)
        }
        return counts
      }
      .removeDuplicates()
    }
    let whole = { @Sendable (request: ListRequest, refresh: RefreshPolicy) in
      request.loader(library, dayStart) { query in
        if case .search(let search) = request.list {
          return library.listing(
            with: search.text, matching: query, around: request.place, refresh: refresh)
        }
        return library.listing(matching: query, around: request.place, refresh: refresh)
      }
    }
    articles = { whole($0, library.options.refresh) }
    elsewhere = ArticlesElsewhere(changes: { library.changesElsewhere() }) {
      whole($0, .whenAsked)
    }
    beginning = { request in
      if case .search = request.list { return .constant([]) }
      return request.loader(library, dayStart) {
        library.beginning(
          of: $0, count: Self.beginning, ifLongerThan: ArticleListing.longLength)
      }
    }
    rows = { library.articles($0) }
    document = { library.document(of: $0) }
    text = { library.document(of: $0, from: $1) }
    chapters = { library.chapters(of: $0) }
    search = SearchSource(
      find: { library.search($0, limit: $1) }, count: { try await library.count(with: $0) },
      correct: { try await library.correction(of: $0) },
      gap: { try await library.searchGap(of: $0)?.message })
    marks = ArticleMarks(
      setRead: { try await library.setRead($0, of: $1) },
      confirmRead: { try await library.confirmRead($0) },
      setStarred: { try await library.setStarred($0, of: [$1]) },
      tag: { try await library.tag([$0], adding: $1, removing: $2) },
      markAllRead: { list, newest in
        try await library.markRead(list.query(dayStart: dayStart()), newest: newest)
      },
      markMatchingRead: { list, date in
        var query = list.query(dayStart: dayStart())
        var conditions = [query.where, date.map { .not(.since($0)) }].compactMap(\.self)
        if case .search(let search) = list {
          guard let condition = try library.condition(search.text) else { return ([], 0) }
          conditions.append(condition)
        }
        query.where = conditions.isEmpty ? nil : .all(conditions)
        return try await library.markRead(query)
      },
      record: { library.record($0, undo: $1) },
      undo: { try await library.undo() },
      latestChange: { library.latestChange?.id ?? 0 },
      nextUnread: { try await library.nextUnread(after: $0) })
    enclosure = { try await library.enclosure(of: $0)?.address }
    tags = { library.articleTags() }
    arrivals = { try await library.arrivals() }
    downloads = DownloadSource(library, network: network)
    feedEdits = FeedEdits(library, passwords: passwords)
    keepPosition = { try await library.setPosition($0, of: $1, in: $2) }
    changes = { library.changes() }
    fetches = FeedFetches(
      running: Running(
        current: { library.fetching }, changes: { library.fetchingChanges() },
        cancel: { library.cancelFetching($0) }),
      reloadScheduled: {
        let report = try await library.reloadScheduled()
        return report.entries.contains { $0.outcome != .cancelled }
          || report.accounts.contains { $0.outcome != .cancelled }
      },
      reloadAll: { try await library.reload() },
      // A search indexes too, and reports errors.
      index: { try? await library.index() },
      fullTexts: { try await library.fetchFullTexts() })
    accounts = AccountStates(
      stored: library.accounts().removeDuplicates(),
      running: Running(
        current: { library.syncing }, changes: { library.syncingChanges() },
        cancel: { library.cancelSyncing($0) }),
      sync: { try await library.sync($0) }, sendMarks: { try await library.sendMarks() })
    folders = FolderStates(
      closed: library.closedFolders(),
      setClosed: { try await library.setFolder($1, isClosed: $0) })
    arrangements = ArrangementStates(
      stored: library.listArrangements(),
      store: { try await library.arrange($0) },
      forget: { list in
        if let name = list.arrangementName { try await library.forgetArrangement(of: name) }
      })
  }
}

extension ListRequest {
  /// Returns the loader that `load` makes for the query of the list, with the requested or the
  /// stored arrangement.
  fileprivate func loader<Output: Sendable>(
    _ library: Library, _ dayStart: @escaping @Sendable () -> Date,
    _ load: @escaping @Sendable (ArticleQuery) -> Loader<Output>
  ) -> Loader<Output> {
    let arranged = { @Sendable (arrangement: ListArrangement) in
      load(list.query(dayStart: dayStart()).arranged(arrangement, keptSince: keptSince))
    }
    if let arrangement { return arranged(arrangement) }
    // Not flatMap, which would count reading the arrangement as half of the progress.
    let stored = library.listArrangements()
    return Loader(of: stored) { context, output in
      let arrangement = try await stored.value()[list.arrangementName]
      return try await arranged(arrangement).run(context, output)
    }
  }
}
