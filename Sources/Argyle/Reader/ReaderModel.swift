import Articles
import Foundation
import Loading
import Observation
import TerminalUI

/// What the reader shows: which list, which article, and what is loaded of them.
///
/// It outlives its screens: a list that is left and entered again is still there.
@MainActor
@Observable
final class ReaderModel {
  let feeds: Resource<[FeedSummary]>
  /// What was marked since the program started.
  let marks: Resource<Markings>
  /// What was opened that is read already, on its way into the store.
  let confirmations: Resource<Void>
  /// How many articles the lists across all feeds have.
  let counts: Resource<ArticleCounts>
  /// How many unread articles the searches find that are lists.
  let unreadFound: Resource<[SavedSearch: Int]>
  /// The feeds that are being fetched, and how far each of them is.
  var fetching: [Feed.ID: LoadingProgress] = [:]
  private(set) var list = ReaderList.all
  /// The article that is being read.
  private(set) var openArticle: Article?
  private var openings = 0
  /// What happened last, in a line, for as long as it is shown.
  let notice: Resource<Notice?>
  /// Whether the feeds have the screen where there is no room for them beside the articles.
  var showsFeeds = false
  let search: ArticleSearch
  /// When feeds were last reloaded by themselves.
  let scheduledReload: Resource<Date>
  /// What came of reloading all feeds, while the list of some of them was shown.
  let reloadOfAll: Resource<ReloadReport>
  /// How many full texts of new articles were fetched last.
  let fullTexts: Resource<Int>
  /// The accounts on servers.
  let accounts: Resource<[AccountSummary]>
  /// The accounts that are being synced, and how far each of them is.
  var syncing: [SyncAccount.ID: LoadingProgress] = [:]
  /// Where feeds are added and changed.
  let feedEditor: FeedEditor
  /// How lists are shown, as it is stored.
  let storedArrangements: Resource<ListArrangements>
  /// What the user has changed of that, one after the other.
  var arrangementChanges: [ArrangementChange] = []
  /// What is enclosed with articles, and downloaded.
  let downloads: DownloadQueue
  /// The chapters and transcripts of episodes.
  let episodes: EpisodeTexts
  /// Where a list is found by its name.
  let listFinder = ListFinder()
  /// Where words are found in the open article.
  let finder: ArticleFinder
  /// Where the tags of an article are typed.
  let tagEditor: TagEditor
  /// Where it is asked what is old enough to be marked as read.
  let older = OlderArticles()
  /// The folders whose feeds are hidden.
  let closedFolders: Resource<Set<FeedFolder>>
  /// The searches that are lists.
  var searches: [SavedSearch] = [] {
    didSet {
      if case .search(let search) = list, !searches.contains(search) { select(.all) }
      countFound()
    }
  }
  /// What can be run on an article.
  var commands: [ArticleCommand] = []
  /// When nothing is reloaded by itself.
  var quiet: QuietHours?
  /// Seconds east of Greenwich at a date.
  @ObservationIgnored var localOffset = DayText.local.offset
  /// What is run when new articles have come.
  @ObservationIgnored var arrivalHook: ArrivalHook?
  /// Whether the terminal's bell rings then.
  @ObservationIgnored var ringsBell = false
  /// How the terminal shows a message then; nil for not at all.
  @ObservationIgnored var notification: NotificationKind?
  /// What that says.
  var arrivalWords: ArrivalWords?
  /// How often it was to ring.
  var bells = 0
  /// Looks what is there already, which is no arrival.
  @ObservationIgnored private(set) lazy var firstLook = Task.detached { [source] in
    // Not behind the first frame, which a key may follow at once.
    _ = try? await source.arrivals()
  }
  /// Tells of marks that could not be stored.
  let toasts = ToastQueue()

  /// The marks that are not stored, or could not be.
  @ObservationIgnored var unsavedMarks: [MutationID: UnsavedMark] = [:]
  /// The changes of lists that are not loaded yet, by number.
  @ObservationIgnored var changesThatWait: [Int: ChangeThatWaits] = [:]
  /// How many changes of marks were begun.
  @ObservationIgnored var markChanges = 0
  @ObservationIgnored let source: ArticleSource
  // Taken before anything is loaded, so that no change is missed that is stored before the model
  // listens.
  @ObservationIgnored private let changes: AsyncStream<Void>
  @ObservationIgnored private let changesElsewhere: AsyncStream<Void>?
  @ObservationIgnored var browser = Browser(candidates: [])
  /// How many programs that were started from here have not ended.
  @ObservationIgnored var programCount = 0
  @ObservationIgnored let clock: AnyClock
  @ObservationIgnored private let scheduler: LoadScheduler
  @ObservationIgnored private lazy var lists = ResourcePool<ShownList, ArticleRows>(
    capacity: Self.listCapacity, name: { "\($0.list)" }, clock: clock, scheduler: scheduler
  ) { [unowned self] in
    loader(of: $0)
  }
  @ObservationIgnored let documents: ResourcePool<Article.ID, ArticleDocument>
  /// How articles are read, which keys may change until the program ends.
  var settings = ReaderSettings()
  @ObservationIgnored var configuredSettings = ReaderSettings()
  /// Whose pictures were asked for, where they are not fetched by themselves.
  private var articlesWithPictures: Set<Article.ID> = []
  /// Whether the terminal is one that may be asked to copy.
  @ObservationIgnored var isClipboardKnown = false
  /// How long the full texts take to read that were shown, which lists that were loaded before do not know.
  var minutesOfPages: [Article.ID: Int] = [:]
  /// Which text of an article was asked for last.
  var wantedTexts: [Article.ID: TextSource] = [:]
  /// Where articles are saved.
  @ObservationIgnored var saveFolder = "/nonexistent"
  /// Changes the configuration file; says why it could not, nil when it did.
  @ObservationIgnored var editConfiguration: @Sendable (ConfigurationEdit) async -> String? = { _ in
    "There is no configuration file to save searches in."
  }
  /// Where articles are read.
  @ObservationIgnored let places: ReadingPlaces
  /// What is to be shown once it is listed: a feed that was just added, a folder that was renamed.
  private var awaitedList: ReaderList?
  /// What is marked as read after this change stays in the list while it is looked at.
  @ObservationIgnored private var arrival: LibraryChange.ID = 0
  /// The pictures of articles.
  @ObservationIgnored let pictures: ArticlePictures
  /// The beginning of the selected article.
  let preview: Resource<ArticleBeginning?>
  /// The unread article that was looked for last.
  let next: Resource<NextUnread>
  @ObservationIgnored var unreadSearches = 0
  private var selectedArticles: [ReaderList: Article.ID] = [:]
  // Where it was found last: a key must not look through ten thousand articles for it.
  @ObservationIgnored var selectedIndex = 0

  /// A list as it is shown.
  struct ShownList: Hashable {
    let list: ReaderList
    /// Nil for as it is stored.
    let arrangement: ListArrangement?
  }

  /// How many articles are kept as they are drawn, so that going back and on takes no time.
  private static let documentCapacity = 16
  /// How many lists are kept in memory; the others are read from the store again.
  private static let listCapacity = 8

  init(
    source: ArticleSource, pictures: PictureSupply, clock: AnyClock = .terminal,
    scheduler: LoadScheduler = .terminal
  ) {
    self.source = source
    changes = source.changes()
    changesElsewhere = source.elsewhere?.changes()
    self.clock = clock
    self.scheduler = scheduler
    feeds = Resource(source.feeds, name: "feeds", clock: clock, scheduler: scheduler)
    counts = Resource(source.counts(), name: "unread counts", clock: clock, scheduler: scheduler)
    unreadFound = Resource(
      initialState: .loaded([:]), name: "unread articles of searches", clock: clock,
      scheduler: scheduler)
    marks = Resource(
      initialState: .loaded(Markings()), name: "marks", clock: clock, scheduler: scheduler)
    confirmations = Resource(
      initialState: .loaded(()), name: "marks of rules", clock: clock, scheduler: scheduler)
    closedFolders = Resource(
      source.folders.closed, name: "closed folders", clock: clock, scheduler: scheduler)
    storedArrangements = Resource(
      source.arrangements.stored, name: "arrangements of lists", clock: clock, scheduler: scheduler)
    notice = Resource(name: "notice", clock: clock, scheduler: scheduler)
    downloads = DownloadQueue(source: source.downloads, clock: clock, scheduler: scheduler)
    episodes = EpisodeTexts(source: source, clock: clock, scheduler: scheduler)
    search = ArticleSearch(
      source.search, count: source.foundCount, correct: source.correction, clock: clock,
      scheduler: scheduler)
    scheduledReload = Resource(name: "scheduled reload", clock: clock, scheduler: scheduler)
    reloadOfAll = Resource(name: "reload of all feeds", clock: clock, scheduler: scheduler)
    fullTexts = Resource(name: "full texts", clock: clock, scheduler: scheduler)
    finder = ArticleFinder(clock: clock, scheduler: scheduler)
    tagEditor = TagEditor(clock: clock, scheduler: scheduler)
    accounts = Resource(
      source.accounts.stored, name: "accounts", clock: clock, scheduler: scheduler)
    feedEditor = FeedEditor(clock: clock, scheduler: scheduler)
    next = Resource(name: "next article", clock: clock, scheduler: scheduler)
    preview = Resource(
      initialState: .loaded(nil), name: "preview", clock: clock, scheduler: scheduler)
    places = ReadingPlaces(store: source.keepPosition, clock: clock, scheduler: scheduler)
    self.pictures = ArticlePictures(pictures, clock: clock, scheduler: scheduler)
    documents = ResourcePool(
      capacity: Self.documentCapacity, name: { "article \($0.rawValue)" }, clock: clock,
      scheduler: scheduler
    ) { source.document($0) }
  }

  /// How the pictures of an article that are on the web are shown.
  func remotePictures(of article: Article) -> RemotePictures {
    switch settings.pictures {
    case .always: .shown
    case .whenAsked: articlesWithPictures.contains(article.id) ? .shown : .announced
    case .never: .words
    }
  }

  /// Fetches the pictures of an article, where that is not done by itself.
  func loadPictures(of article: Article) { articlesWithPictures.insert(article.id) }

  /// Begins to read what the first frame will ask for, while that is still being made.
  func prepare() {
    // Before a key can bring anything.
    _ = firstLook
    storedArrangements.prefetch()
    articles.prefetch()
    closedFolders.prefetch()
    feeds.prefetch()
    accounts.prefetch()
    downloads.stored.prefetch()
  }

  // MARK: Lists

  /// The articles of the list.
  var articles: Resource<ArticleRows> { lists[shownList] }

  /// Loads a list that is shown for the first time, or again after it was too long to be kept: of a long
  /// one its first rows at once, however many it has.
  ///
  /// Not where the selected row is further down: it would have to give its place to another one.
  private func loader(of shown: ShownList) -> Loader<ArticleRows> {
    let request = ListRequest(list: shown.list, arrangement: shown.arrangement)
    let whole = source.articles(request).map { ArticleRows($0) }
    let (beginning, selected) = (source.beginning(request), selectedArticles[shown.list])
    return Loader(of: whole) { context, output in
      if context.cause == .appeared {
        let rows = try await beginning.value()
        let hasSelected = selected.map { id in rows.contains { $0.id == id } } ?? true
        if !rows.isEmpty, hasSelected { output.yield(ArticleRows(rows, isWhole: false)) }
      }
      return try await whole.run(context, output)
    }
  }

  /// Forgets a list that is not shown any more, where it is long and not at work.
  func release(_ left: ShownList) {
    guard left != shownList, let list = lists.resource(ifPresent: left), !list.isLoading,
      list.latestValue?.count ?? 0 > ArticleRows.longLength
    else { return }
    lists.remove(left)
  }

  var shownList: ShownList { ShownList(list: list, arrangement: chosenArrangement) }

  /// Nil for as it is stored.
  private var chosenArrangement: ListArrangement? { arrangementChanges.isEmpty ? nil : arrangement }

  private func request(keptSince change: LibraryChange.ID? = nil) -> ListRequest {
    ListRequest(list: list, arrangement: chosenArrangement, keptSince: change)
  }

  /// Shows other articles: those that are stored, brought up to date where due.
  func select(_ list: ReaderList) {
    guard list != self.list else { return }
    search.isOpen = false
    let left = shownList
    self.list = list
    release(left)
    arrive()
  }

  /// Begins with the list as it is now.
  func arrive() {
    arrival = source.marks.latestChange()
    // One that was shown before does not start again by itself, and feeds may have become due.
    if articles.latestValue != nil { load(cause: .appeared) }
  }

  /// Shows a list as soon as the feeds have it.
  func showWhenListed(_ list: ReaderList) {
    awaitedList = list
    feeds.load(.restart, cause: .refresh)
  }

  /// What was waited for, once it is listed.
  var arrivedList: ReaderList? {
    guard let awaitedList else { return nil }
    if case .feeds(.account(let id)) = awaitedList {
      return accounts.latestValue?.contains { $0.id == id } == true ? awaitedList : nil
    }
    let isListed = feeds.latestValue?.contains { awaitedList.selection.contains($0.feed) }
    return isListed == true ? awaitedList : nil
  }

  func show(_ arrived: ReaderList?) {
    guard let arrived else { return }
    awaitedList = nil
    select(arrived)
    openFoldersAround()
  }

  /// Reads the list that is shown again, without fetching anything.
  func readAgain() {
    let articles = articles
    guard articles.latestValue != nil || articles.isLoading else { return }
    let stored = source.elsewhere?.articles ?? source.articles
    let request = request(keptSince: arrival)
    articles.load(stored(request).map { ArticleRows($0) }, .keepLatest, cause: .refresh)
  }

  /// The articles that are shown: of the list, or those that the search found; nil before all of them
  /// are loaded.
  var shownArticles: [Article]? { shownRows.flatMap { $0.isWhole ? $0.articles : nil } }

  private var shownRows: ArticleRows? {
    search.isOpen ? ArticleRows(search.found.map(\.article)) : articles.latestValue
  }

  /// The row that the keys of the list act on.
  var selectedArticle: Article.ID? {
    get { search.isOpen ? search.selected : selectedArticles[list] }
    set {
      if search.isOpen {
        search.selected = newValue
      } else {
        selectedArticles[list] = newValue
      }
      if preview.isShown { loadPreview() }
    }
  }

  /// The article of the selected row, as it is in the list that is shown.
  var selected: Article? {
    let articles = shownRows?.articles ?? []
    guard let id = selectedArticle, let index = articles.index(of: id, near: selectedIndex) else {
      return articles.first
    }
    selectedIndex = index
    return articles[index]
  }

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
    forgetMarks(storedMarks)
    load(cause: .user)
  }

  /// Fetches every feed, whichever list is shown, and says what came of it.
  func reloadAll(_ days: DayText) {
    // A list of all feeds shows how far that is, and what has failed.
    guard list.selection != .all else { return reload(days) }
    reloadOfAll.load(Loader { [fetches = source.fetches] _ in try await fetches.reloadAll() })
    Task {
      guard let report = await reloadOfAll.settled().value else { return }
      say(report.words)
      readAgain()
    }
  }

  // With a new loader each time, since the meaning of "today" changes.
  private func load(cause: LoadCause) {
    // Reading what another program stored fetches nothing, so such a load is not joined.
    let policy: LoadPolicy = articles.activity?.cause == .refresh ? .restart : .join
    arrival = source.marks.latestChange()
    articles.load(source.articles(request()).map { ArticleRows($0) }, policy, cause: cause)
  }

  /// Reads the feeds again whenever something was stored, until the task is cancelled.
  ///
  /// Changes stored within 250 ms are handled together: a reload stores hundreds of feeds in a second,
  /// and each time costs a read of all feeds and a frame.
  func followChanges() async {
    for await _ in changes {
      feeds.load(.keepLatest, cause: .refresh)
      downloads.stored.load(.keepLatest, cause: .refresh)
      accounts.load(.keepLatest, cause: .refresh)
      counts.load(source.counts(), .keepLatest, cause: .refresh)
      countFound()
      try? await clock.sleep(for: .milliseconds(250))
    }
  }

  func countFound() {
    guard !searches.isEmpty else { return }
    unreadFound.load(source.unreadFound(searches), .keepLatest, cause: .refresh)
  }

  /// Shows in the list what other programs store, until the task is cancelled.
  func followOthers() async {
    guard let elsewhere = source.elsewhere, let changesElsewhere else { return }
    for await _ in changesElsewhere {
      let (shown, marked) = (articles, storedMarks)
      if shown.latestValue != nil || shown.isLoading {
        // After a load that is at work, which may have read before this was stored.
        let stored = elsewhere.articles(request(keptSince: arrival)).map { ArticleRows($0) }
        shown.load(stored, .keepLatest, cause: .refresh)
        // Not waited for here: what is shown meanwhile may be another list.
        Task {
          _ = await shown.settled()
          forgetMarks(marked)
        }
      }
      try? await clock.sleep(for: .milliseconds(250))
    }
  }

  // MARK: Reading

  /// Shows an article, and marks it as read.
  func open(_ article: Article) {
    finder.close()
    episodes.shown = nil
    openArticle = article
    openings += 1
    // Left before the rest of a long text had come.
    let document = documents[article.id]
    if document.latestValue?.isWhole == false { document.load(.join, cause: .appeared) }
    if current(article).isRead { confirmRead(article) } else { setRead(true, article) }
    loadNextUnread()
  }

  func close() {
    finder.close()
    episodes.shown = nil
    openArticle = nil
  }

  /// The text of an article, or its transcript while that stands in the place of it.
  func document(of article: Article) -> Resource<ArticleDocument> {
    showsTranscript(of: article) ? episodes.transcripts[article.id] : documents[article.id]
  }

  /// An article that was opened: each time is another one.
  struct Opening: Hashable {
    let article: Article.ID
    let number: Int
  }

  /// The article that was opened last, once its text, or why there is none, is on the screen.
  var readable: Opening? {
    guard let id = openArticle?.id, let document = documents.resource(ifPresent: id) else {
      return nil
    }
    return document.lastResult == nil ? nil : Opening(article: id, number: openings)
  }
}

extension ReloadReport {
  /// What came of it, in a line.
  fileprivate var words: String {
    let failed = error.map { ", \($0.failures.count) failed" } ?? ""
    let new = newArticles == 1 ? "1 new article" : "\(newArticles) new articles"
    return "\(feedCount == 1 ? "1 feed" : "\(feedCount) feeds") reloaded: \(new)\(failed)."
  }
}
