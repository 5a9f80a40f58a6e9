import Articles
import Foundation
import Loading

/// The source of what the reader's screens show: the library, or scripts in demos and tests.
struct ArticleSource: Sendable {
  /// The feeds, as they are stored.
  var feeds: Loader<[FeedSummary]>
  /// How many articles the lists across all feeds have.
  var counts: @Sendable () -> Loader<ArticleCounts>
  /// How many of the articles that searches find are unread.
  var unreadFound: @Sendable ([SavedSearch]) -> Loader<[SavedSearch: Int]> = { _ in .constant([:]) }
  /// The articles of a list: the stored ones at once, then what the network has, for feeds that are
  /// due, or for all of them when the user asks.
  var articles: @Sendable (ListRequest) -> Loader<[Article]>
  /// The first articles of a long list, as they are stored; none of another one, which is read at once.
  var beginning: @Sendable (ListRequest) -> Loader<[Article]> = { _ in .constant([]) }
  /// An article to read.
  var document: @Sendable (Article.ID) -> Loader<ArticleDocument>
  /// The address of what is enclosed with an article to be played or opened; nil where there is nothing.
  var enclosure: @Sendable (Article.ID) async throws -> String? = { _ in nil }
  /// The articles that have some words, best first, at most ``ArticleSearch/limit``.
  var search: @Sendable (String) -> Loader<[SearchResult]>
  /// How many there are with those that are too many to be listed; nil where all are listed.
  var foundCount: @Sendable (String) async throws -> Int? = { _ in nil }
  /// What may have been meant by a query of which nothing was found.
  var correction: @Sendable (String) async throws -> SearchCorrection? = { _ in nil }
  /// The marks that the user makes.
  var marks: ArticleMarks
  /// The tags that articles have.
  var tags: @Sendable () -> Loader<[ArticleTag]> = { .constant([]) }
  /// The changes that the user makes to feeds.
  var feedEdits = FeedEdits()
  /// Stores where the reading of an article stopped; nil forgets it.
  var keepPosition: @Sendable (ReadingPosition?, Article.ID) async throws -> Void
  /// Yields after something was stored.
  var changes: @Sendable () -> AsyncStream<Void>
  /// The same article with the text that is asked for: the feed's, that of its page, or its transcript.
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
  /// What has come in since it was asked for last; nothing at the first time.
  var arrivals: @Sendable () async throws -> [Article] = { [] }
  /// The changes by other programs; nil where there are none.
  var elsewhere: ArticlesElsewhere?
  /// The feeds that are being fetched.
  var fetches = FeedFetches()
  /// What is downloaded.
  var downloads = DownloadSource()
  /// The accounts on servers.
  var accounts = AccountStates()
  /// Which folders of feeds are closed.
  var folders = FolderStates()
  /// How lists are shown.
  var arrangements = ArrangementStates()
}

/// How lists are shown, kept from one run to the next.
struct ArrangementStates: Sendable {
  var stored = Loader<ListArrangements>.constant(ListArrangements())
  var store: @Sendable (ArrangementChange) async throws -> Void = { _ in }
  /// Forgets that of a list that is gone.
  var forget: @Sendable (ReaderList) async throws -> Void = { _ in }
}

/// The accounts on servers, and what is exchanged with them.
struct AccountStates: Sendable {
  /// The accounts, as they are stored.
  var stored = Loader<[AccountSummary]>.constant([])
  /// Those that are being synced.
  var running = Running<SyncAccount.ID>()
  var sync: @Sendable (SyncAccount.ID) async throws -> Void = { _ in }
  /// Tells the servers what was marked here.
  var sendMarks: @Sendable () async throws -> Void = {}
}

/// Which folders of feeds are closed, kept from one run to the next.
struct FolderStates: Sendable {
  var closed = Loader<Set<FeedFolder>>.constant([])
  /// Stores that a folder is closed, or open.
  var setClosed: @Sendable (Bool, FeedFolder) async throws -> Void = { _, _ in }
}

/// The changes by other programs.
struct ArticlesElsewhere: Sendable {
  /// Yields after another program has stored something.
  var changes: @Sendable () -> AsyncStream<Void>
  /// The articles of a list as they are stored, for which nothing is fetched.
  var articles: @Sendable (ListRequest) -> Loader<[Article]>
}

/// What is at work for feeds or accounts, and how to end it.
struct Running<ID: Hashable & Sendable>: Sendable {
  /// How far each of them is.
  var current: @Sendable () -> [ID: LoadingProgress] = { [:] }
  /// Yields after a change of these.
  var changes: @Sendable () -> AsyncStream<Void> = { AsyncStream { $0.finish() } }
  /// Ends the work for one.
  var cancel: @Sendable (ID) -> Void = { _ in }
}

/// The feeds that are fetched.
struct FeedFetches: Sendable {
  /// Those that are being fetched.
  var running = Running<Feed.ID>()
  /// Fetches those whose time to be reloaded by themselves has come.
  var reloadScheduled: @Sendable () async throws -> Void = {}
  /// Fetches all that may be fetched.
  var reloadAll: @Sendable () async throws -> ReloadReport = { ReloadReport(entries: []) }
  /// The time that ``FeedSummary/nextReload`` is on.
  var now: @Sendable () -> Date = { Date() }
  /// Makes what has come in ready to be searched, while nobody waits for it.
  var index: @Sendable () async -> Void = {}
  /// Fetches the full text of what has come in, where that is set; says how many texts there are now.
  var fullTexts: @Sendable () async -> Int = { 0 }
}

/// The marks that the user makes; each call returns when they are on the disk.
struct ArticleMarks: Sendable {
  var setRead: @Sendable (Bool, [Article.ID]) async throws -> Void
  /// Makes it the user's own mark that an article is read, where it is a rule's.
  var confirmRead: @Sendable (Article.ID) async throws -> Void = { _ in }
  var setStarred: @Sendable (Bool, Article.ID) async throws -> Void
  /// Gives tags to an article and takes others from it.
  var tag: @Sendable (Article.ID, _ adding: [String], _ removing: [String]) async throws -> Void = {
    _, _, _ in
  }
  /// Marks all of a list, which is no search, as read that is not newer than an article of it.
  var markAllRead: @Sendable (ReaderList, Article.ID?) async throws -> Void
  /// Marks what is older than a time in a list as read; returns what had been unread.
  var markOlderRead: @Sendable (ReaderList, Date) async throws -> [Article.ID] = { _, _ in [] }
  /// Takes the latest of these back; nil when there is none.
  var undo: @Sendable () async throws -> LibraryChange?
  /// The number of the latest of these and of the other changes of this program.
  var latestChange: @Sendable () -> LibraryChange.ID = { 0 }
  /// The next article to read after one, in whichever list.
  var nextUnread: @Sendable (Article.ID?) async throws -> Article?
}

extension ArticleSource {
  /// - Parameter dayStart: when this day began, asked for each time.
  init(
    _ library: Library, passwords: KeptPasswords, network: LoadGate = LoadGate("offline"),
    dayStart: @escaping @Sendable () -> Date
  ) {
    // Loaded again after each change of anything, and mostly the same: no view is drawn again for that.
    feeds = library.feeds().removeDuplicates()
    counts = { library.counts(since: dayStart()).removeDuplicates() }
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
    let loader = {
      @Sendable
      (
        request: ListRequest, load: @escaping @Sendable (ArticleQuery) -> Loader<[Article]>
      ) in
      let arranged = { @Sendable (arrangement: ListArrangement) in
        load(
          request.list.query(dayStart: dayStart())
            .arranged(arrangement, keptSince: request.keptSince))
      }
      if let arrangement = request.arrangement { return arranged(arrangement) }
      // Not flatMap, which would count this as half of the progress.
      let stored = library.listArrangements()
      return Loader(of: stored) { context, output in
        let arrangement = try await stored.value()[request.list.arrangementName]
        return try await arranged(arrangement).run(context, output)
      }
    }
    let whole = { @Sendable (request: ListRequest, refresh: RefreshPolicy) in
      loader(request) { query in
        if case .search(let search) = request.list {
          return library.articles(with: search.text, matching: query, refresh: refresh)
        }
        return library.articles(matching: query, refresh: refresh)
      }
    }
    articles = { whole($0, library.options.refresh) }
    elsewhere = ArticlesElsewhere(changes: { library.changesElsewhere() }) {
      whole($0, .whenAsked)
    }
    beginning = { request in
      if case .search = request.list { return .constant([]) }
      return loader(request) {
        library.beginning(
          of: $0, count: ArticleRows.beginning, ifLongerThan: ArticleRows.longLength)
      }
    }
    document = { library.document(of: $0) }
    text = { library.document(of: $0, from: $1) }
    chapters = { library.chapters(of: $0) }
    search = { library.search($0, limit: ArticleSearch.limit) }
    foundCount = { try await library.count(with: $0) }
    correction = { try await library.correction(of: $0) }
    marks = ArticleMarks(
      setRead: { try await library.setRead($0, of: $1) },
      confirmRead: { try await library.confirmRead($0) },
      setStarred: { try await library.setStarred($0, of: [$1]) },
      tag: { try await library.tag([$0], adding: $1, removing: $2) },
      markAllRead: { list, newest in
        try await library.markRead(list.query(dayStart: dayStart()), newest: newest)
      },
      markOlderRead: { list, date in
        var query = list.query(dayStart: dayStart())
        let isOlder = ArticleCondition.not(.since(date))
        query.where = isOlder
        if case .search(let search) = list {
          guard let condition = try ArticleCondition(search.text) else { return [] }
          query.where = .all([condition, isOlder])
        }
        return try await library.markRead(query)
      },
      undo: { try await library.undo() },
      latestChange: { library.latestChange?.id ?? 0 },
      nextUnread: { try await library.nextUnread(after: $0) })
    enclosure = { try await library.enclosure(of: $0)?.address }
    tags = { library.articleTags() }
    let arrivals = Arrivals(of: library)
    self.arrivals = { try await arrivals.next() }
    downloads = DownloadSource(library, network: network)
    feedEdits = FeedEdits(library, passwords: passwords)
    keepPosition = { try await library.setPosition($0, of: $1) }
    changes = { library.changes() }
    fetches = FeedFetches(
      running: Running(
        current: { library.fetching }, changes: { library.fetchingChanges() },
        cancel: { library.cancelFetching($0) }),
      reloadScheduled: { try await library.reloadScheduled() },
      reloadAll: { try await library.reload() },
      // A search does it too, and says what is wrong.
      index: { try? await library.index() },
      // Opening such an article tries it again, and says what is wrong.
      fullTexts: { (try? await library.fetchFullTexts()) ?? 0 })
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
