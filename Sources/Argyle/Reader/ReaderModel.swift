import Articles
import Foundation
import Loading
import Observation
import TerminalUI

/// The state of the reader: the current list, the open article, and everything loaded for them.
///
/// It outlives its screens, so a list is unchanged when the user comes back to it.
@MainActor
@Observable
final class ReaderModel {
  let feeds: Resource<[FeedSummary]>
  /// The marks on top of the lists.
  let marks: Resource<Markings>
  /// Stores the read marks of opened articles that were read already.
  let confirmations: Resource<Void>
  /// The numbers of articles in the lists across all feeds.
  let counts: Resource<ArticleCounts>
  /// The numbers of unread articles in saved searches.
  let unreadFound: Resource<[SavedSearch: Int]>
  /// The feeds that are being fetched, with their progress.
  let fetching = RunningWork<Feed.ID>()
  /// Whether feeds of the current list are being fetched.
  var isFetchingList = false
  private(set) var list = ReaderList.all {
    didSet { noteFetchesOfList() }
  }
  /// The article that is open.
  private(set) var openArticle: Article?
  /// The sheet that is open, apart from those of ``feedEditor``.
  var sheet: ReaderSheet?
  /// The articles whose texts are in memory from before something was fetched.
  @ObservationIgnored private var oldTexts: Set<Article.ID> = []
  private(set) var openings = 0
  /// How often the user opened or closed an article, apart from keys that had to wait for a load.
  @ObservationIgnored var moves = 0
  /// Waits for the end of the user's latest reload, to say how many articles are new.
  @ObservationIgnored var reloadNotice: (list: ReaderList, task: Task<Void, Never>)?
  /// The latest notice, for as long as it is shown.
  let notice: Resource<Notice?>
  /// Whether the feeds are shown, on a screen without room for both feeds and articles.
  var showsFeeds = false
  let search: ArticleSearch
  /// When feeds were last reloaded automatically.
  let scheduledReload: Resource<Date>
  /// The result of reloading all feeds while the list of some of them is shown.
  let reloadOfAll: Resource<ReloadReport>
  /// Indexes the articles that were fetched last.
  let indexing: Resource<Void>
  /// How many full texts of new articles were fetched last.
  let fullTexts: Resource<Int>
  /// The accounts on servers.
  let accounts: Resource<[AccountSummary]>
  /// The accounts that are being synced, with their progress.
  let syncing = RunningWork<SyncAccount.ID>()
  /// The sheet in which feeds are added and edited.
  let feedEditor: FeedEditor
  /// The stored choices of how lists are shown.
  let storedArrangements: Resource<ListArrangements>
  /// The user's changes to those, in order.
  var arrangementChanges: [ArrangementChange] = []
  /// The downloads of enclosed files.
  let downloads: DownloadQueue
  /// The chapters and transcripts of episodes.
  let episodes: EpisodeTexts
  /// Finds words in the open article.
  let finder: ArticleFinder
  /// The editor of an article's tags.
  let tagEditor: TagEditor
  /// The folders whose feeds are hidden.
  let closedFolders: Resource<Set<FeedFolder>>
  /// The saved searches.
  var searches: [SavedSearch] = [] {
    didSet {
      if case .search(let search) = list, !searches.contains(search) {
        let renamed = searches.first { $0.text == search.text }
        let next = min(oldValue.firstIndex(of: search) ?? 0, searches.count - 1)
        let neighbour = searches.indices.contains(next) ? searches[next] : nil
        // A search that is being typed stays open in front of it.
        change(to: (renamed ?? neighbour).map(ReaderList.search) ?? .all)
      }
      countFound()
    }
  }
  /// The settings of the program, apart from those that keys may change.
  var programSettings = Settings(environment: ["HOME": "/nonexistent"])
  /// The hours in which nothing is reloaded automatically.
  var quiet: QuietHours? { programSettings.configuration.fetching.quiet }
  /// Seconds east of Greenwich at a date.
  @ObservationIgnored var localOffset = DayText.local.offset
  /// The text of the notification of new articles.
  var arrivalWords: ArrivalWords?
  /// How many times the bell was requested; a view rings it when this changes.
  var bells = 0
  /// The marks that are pending or failed.
  @ObservationIgnored var unsavedMarks: [PendingMutation.ID: UnsavedMark] = [:]
  /// The work that keys began and that has not ended, by number.
  @ObservationIgnored var begun: [Int: BegunWork] = [:]
  /// The last key on an article that was not loaded: the keys after it act after it.
  @ObservationIgnored var articleKey: Task<Void, Never>?
  /// How many changes were begun.
  @ObservationIgnored var markChanges = 0
  @ObservationIgnored let source: ArticleSource
  // Subscribed before anything is loaded, so that no change is missed that is stored before the
  // model listens.
  @ObservationIgnored private let changes: AsyncStream<Void>
  @ObservationIgnored private let changesElsewhere: AsyncStream<Void>?
  /// How many programs that the reader started are still running.
  @ObservationIgnored var programCount = 0
  @ObservationIgnored let clock: AnyClock
  @ObservationIgnored private let scheduler: LoadScheduler
  @ObservationIgnored lazy var lists = ResourcePool<ShownList, ArticleListing>(
    capacity: Self.listCapacity, name: { "\($0.list)" }, clock: clock, scheduler: scheduler
  ) { [unowned self] in
    loader(of: $0)
  }
  @ObservationIgnored let documents: ResourcePool<Article.ID, ArticleDocument>
  /// The settings for reading, which keys may change until the program ends.
  var settings = ReaderSettings()
  @ObservationIgnored var configuredSettings = ReaderSettings()
  /// The articles whose pictures the user loaded, if they are not loaded automatically.
  private var articlesWithPictures: Set<Article.ID> = []
  /// The reading times of the full texts that were shown, which lists loaded before do not know.
  var minutesOfPages: [Article.ID: Int] = [:]
  /// Which text of an article was requested last.
  var wantedTexts: [Article.ID: TextSource] = [:]
  /// Changes the configuration file.
  @ObservationIgnored var editConfiguration:
    @Sendable (ConfigurationEdit) async -> ConfigurationEdit.Outcome = { _ in
      .failed("There is no configuration file to save searches in.")
    }
  /// The reading positions in articles.
  @ObservationIgnored let places: ReadingPlaces
  /// The list to show once it exists: a feed that was just added, a folder that was renamed, or a
  /// search that was restored.
  private var awaitedList: ReaderList?
  /// Articles that were marked as read after this change stay in the list while it is shown.
  @ObservationIgnored var arrival: LibraryChange.ID = 0
  /// The pictures of articles.
  @ObservationIgnored let pictures: ArticlePictures
  /// The beginning of the selected article.
  let preview: Resource<ArticleBeginning?>
  /// The unread article that was searched for last.
  let next: Resource<NextUnread>
  @ObservationIgnored var unreadSearches = 0
  /// Where its key was pressed; nil if it is searched for in advance.
  @ObservationIgnored var unreadKey: ReaderPosition?
  /// The articles of the current list that were loaded after it.
  let otherRows: Resource<OtherRows?>
  /// The row around which these were loaded.
  @ObservationIgnored var loadedRow: ArticleListing.Row?
  private var selectedArticles: [ReaderList: Article.ID] = [:]
  // Where the selected article was found last: a key must not search ten thousand articles for it.
  @ObservationIgnored var indexInList = 0

  /// A list with the arrangement in which it is shown.
  struct ShownList: Hashable {
    let list: ReaderList
    /// How the list is shown; nil for the stored choice.
    let arrangement: ListArrangement?
  }

  /// How many documents are kept in memory, so that the user can go back to them without a load.
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
    // Loaded again after every change, mostly with the same result, which must not cause a redraw.
    feeds = Resource(
      source.feeds.removeDuplicates(), name: "feeds", clock: clock, scheduler: scheduler)
    counts = Resource(
      source.counts().removeDuplicates(), name: "unread counts", clock: clock,
      scheduler: scheduler)
    unreadFound = Resource(
      initialState: .loaded([:]), name: "unread articles of searches", clock: clock,
      scheduler: scheduler)
    marks = Resource(
      initialState: .loaded(Markings()), name: "marks", clock: clock, scheduler: scheduler)
    confirmations = Resource(
      initialState: .loaded(()), name: "marks of rules", clock: clock, scheduler: scheduler)
    closedFolders = Resource(
      source.folders.closed.removeDuplicates(), name: "closed folders", clock: clock,
      scheduler: scheduler)
    storedArrangements = Resource(
      source.arrangements.stored.removeDuplicates(), name: "arrangements of lists", clock: clock,
      scheduler: scheduler)
    notice = Resource(name: "notice", clock: clock, scheduler: scheduler)
    downloads = DownloadQueue(source: source.downloads, clock: clock, scheduler: scheduler)
    episodes = EpisodeTexts(source: source, clock: clock, scheduler: scheduler)
    search = ArticleSearch(source.search, clock: clock, scheduler: scheduler)
    scheduledReload = Resource(name: "scheduled reload", clock: clock, scheduler: scheduler)
    reloadOfAll = Resource(name: "reload of all feeds", clock: clock, scheduler: scheduler)
    indexing = Resource(name: "index of new articles", clock: clock, scheduler: scheduler)
    fullTexts = Resource(name: "full texts", clock: clock, scheduler: scheduler)
    finder = ArticleFinder(clock: clock, scheduler: scheduler)
    tagEditor = TagEditor(clock: clock, scheduler: scheduler)
    accounts = Resource(
      source.accounts.stored, name: "accounts", clock: clock, scheduler: scheduler)
    feedEditor = FeedEditor(clock: clock, scheduler: scheduler)
    otherRows = Resource(
      initialState: .loaded(nil), name: "rows of a long list", clock: clock, scheduler: scheduler)
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

  /// Returns how an article's pictures from the web are shown.
  func remotePictures(of article: Article) -> RemotePictures {
    switch settings.pictures {
    case .always: .shown
    case .whenAsked: articlesWithPictures.contains(article.id) ? .shown : .announced
    case .never: .words
    }
  }

  /// Loads the pictures of an article, if that is not done automatically.
  func loadPictures(of article: Article) { articlesWithPictures.insert(article.id) }

  /// Starts reading what the first frame needs, while that frame is still being made.
  func prepare() {
    storedArrangements.prefetch()
    articles.prefetch()
    closedFolders.prefetch()
    feeds.prefetch()
    accounts.prefetch()
    downloads.stored.prefetch()
  }

  // MARK: Lists

  /// The articles of the current list.
  var articles: Resource<ArticleListing> { lists[shownList] }

  /// Returns the loader of a list that is shown for the first time, or again after many others.
  ///
  /// It yields the first rows of a long list at once, however long it is, unless the selected row is
  /// further down: another row would be selected instead.
  private func loader(of shown: ShownList) -> Loader<ArticleListing> {
    let selected = selectedArticles[shown.list]
    let request = ListRequest(
      list: shown.list, arrangement: shown.arrangement, place: selected)
    let whole = listing(request)
    let beginning = source.beginning(request)
    return Loader(of: whole) { context, output in
      if context.cause == .appeared {
        let rows = try await beginning.value()
        let hasSelected = selected.map { id in rows.contains { $0.id == id } } ?? true
        if !rows.isEmpty, hasSelected { output.yield(ArticleListing(rows, isWhole: false)) }
      }
      return try await whole.run(context, output)
    }
  }

  var shownList: ShownList { ShownList(list: list, arrangement: chosenArrangement) }

  /// How the current list is shown; nil for the stored choice.
  private var chosenArrangement: ListArrangement? { arrangementChanges.isEmpty ? nil : arrangement }

  func request(keptSince change: LibraryChange.ID? = nil) -> ListRequest {
    ListRequest(
      list: list, arrangement: chosenArrangement, keptSince: change,
      place: loadedRow?.id ?? selectedArticles[list])
  }

  /// Shows another list: its stored articles, then new ones from feeds that are due.
  func select(_ list: ReaderList) {
    guard list != self.list else { return }
    search.isOpen = false
    // The user has gone elsewhere; the list of feeds selects another row where the selected one is
    // gone.
    if awaitedList != nil, allRows.contains(where: { $0.id == self.list }) { awaitedList = nil }
    change(to: list)
  }

  private func change(to list: ReaderList) {
    self.list = list
    indexInList = 0
    loadedRow = nil
    arrive()
    guard marks.hasPendingMutations else { return }
    // What is being stored may belong to this list, which is being read.
    Task {
      await marks.mutationsSettled()
      if self.list == list { readAgain() }
    }
  }

  /// Begins a new visit to the current list, in which articles stay that are marked as read from now
  /// on.
  func arrive() {
    arrival = source.marks.latestChange()
    // A list that was shown before does not load by itself, but its feeds may be due. Any other one
    // would load once it is drawn: then its pane was drawn a second time for that.
    if articles.latestValue != nil { load(cause: .appeared) } else { articles.prefetch() }
  }

  /// Shows a list as soon as the feeds contain it.
  func showWhenListed(_ list: ReaderList) {
    awaitedList = list
    feeds.load(.restart, cause: .refresh)
  }

  /// The list that was waited for, once it exists.
  var arrivedList: ReaderList? {
    guard let awaitedList else { return nil }
    if case .feeds(.account(let id)) = awaitedList {
      return accounts.latestValue?.contains { $0.id == id } == true ? awaitedList : nil
    }
    if case .search(let search) = awaitedList {
      return searches.contains(search) ? awaitedList : nil
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

  /// Reads the current list again, the results of the search that is shown instead of it, how lists
  /// are arranged and which folders are closed, without fetching anything.
  func readAgain() {
    closedFolders.load(.keepLatest, cause: .refresh)
    storedArrangements.load(.keepLatest, cause: .refresh)
    readListAgain()
  }

  private func readListAgain() {
    search.readAgain()
    let articles = articles
    guard articles.latestValue != nil || articles.isLoading else { return }
    let request = request(keptSince: arrival)
    // Runs after a load in progress, which may have read before the last change was stored.
    articles.load(storedArticles(request).removeDuplicates(), .keepLatest, cause: .refresh)
  }

  /// The article of the selected row, which the keys of the list act on.
  var selectedArticle: Article.ID? {
    get { search.isOpen ? search.selected : selectedArticles[list] }
    set {
      if search.isOpen {
        search.selected = newValue
      } else {
        selectedArticles[list] = newValue
      }
      if articles.latestValue?.isLoaded == false, let row = selectedRow {
        load(around: row.index)
      }
      if preview.isShown { loadPreview() }
    }
  }

  /// Reads the feeds again whenever something was stored, until the task is cancelled.
  ///
  /// Changes stored within 250 ms are handled together: a reload stores hundreds of feeds in a
  /// second, and each change would cost a read of all feeds and a frame.
  func followChanges() async {
    for await _ in changes {
      feeds.load(.keepLatest, cause: .refresh)
      downloads.stored.load(.keepLatest, cause: .refresh)
      accounts.load(.keepLatest, cause: .refresh)
      counts.load(source.counts().removeDuplicates(), .keepLatest, cause: .refresh)
      countFound()
      // Not only when the slowest feed has been fetched.
      if reloadOfAll.isLoading || scheduledReload.isLoading { readListAgain() }
      try? await clock.sleep(for: .milliseconds(250))
    }
  }

  func countFound() {
    guard !searches.isEmpty else { return }
    unreadFound.load(source.unreadFound(searches), .keepLatest, cause: .refresh)
  }

  /// Updates the list with what other programs store, until the task is cancelled.
  func followOthers() async {
    guard let changesElsewhere else { return }
    for await _ in changesElsewhere {
      readAgain()
      noteFetchedTexts()
      forgetMarksAfterReading()
      try? await clock.sleep(for: .milliseconds(250))
    }
  }

  // MARK: Reading

  /// Shows an article, and marks it as read.
  func open(_ article: Article) {
    leaveArticle()
    let document =
      article.id == openArticle?.id ? documents[article.id] : currentDocument(of: article.id)
    openArticle = article
    openings += 1
    // The article may have been closed before the rest of a long text was loaded.
    if document.latestValue?.isWhole == false { document.load(.join, cause: .appeared) }
    if current(article).isRead { confirmRead(article) } else { setRead(true, article) }
    loadNextUnread()
  }

  /// Notes that the texts in memory may have changed: each is loaded again when it is opened next.
  func noteFetchedTexts() {
    oldTexts = []
    documents.forEach { id, _ in oldTexts.insert(id) }
  }

  /// Returns the resource of an article's text, without a text that may have changed since.
  func currentDocument(of id: Article.ID) -> Resource<ArticleDocument> {
    // A load that runs may be one that the user asked for.
    if documents.resource(ifPresent: id)?.isLoading != true, oldTexts.remove(id) != nil {
      documents.remove(id)
    }
    return documents[id]
  }

  func close() {
    leaveArticle()
    openArticle = nil
  }

  private func leaveArticle() {
    moves += 1
    finder.close()
    episodes.shown = nil
    if sheet?.isOfArticle == true { sheet = nil }
  }

  /// Returns the text of an article, or its transcript while that is shown instead.
  func document(of article: Article) -> Resource<ArticleDocument> {
    showsTranscript(of: article) ? episodes.transcripts[article.id] : documents[article.id]
  }
}
