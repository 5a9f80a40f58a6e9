import Articles
import Loading
import Observation
import TerminalUI

/// An unread article that was looked for.
struct NextUnread: Hashable, Sendable {
  /// Nil when everything is read.
  let article: Article?
  /// Whether a person wants to read it now.
  let opens: Bool
  /// Which search found it: the same article may be found twice.
  let search: Int
}

/// What the reader shows: which list, which article, and what is loaded of them.
///
/// It outlives its screens: a list that is left and entered again is still there.
@MainActor
@Observable
final class ReaderModel {
  let feeds: Resource<[FeedSummary]>
  /// What was marked since the program started.
  let marks: Resource<Markings>
  /// How many articles the lists across all feeds have.
  let counts: Resource<ArticleCounts>
  private(set) var list = ReaderList.all
  /// The article that is being read.
  private(set) var openArticle: Article?
  /// What happened last, in a line, as long as it needs to be said.
  let notice: Resource<String?>
  /// Whether the feeds have the screen where there is no room for them beside the articles.
  var showsFeeds = false
  let search: ArticleSearch
  /// Tells of marks that could not be stored.
  let toasts = ToastQueue()

  @ObservationIgnored let source: ArticleSource
  // Taken before anything is loaded: what is stored before somebody listens is told as well.
  @ObservationIgnored private let changes: AsyncStream<Void>
  @ObservationIgnored private let browser: Browser
  @ObservationIgnored private let clock: AnyClock
  @ObservationIgnored private let scheduler: LoadScheduler
  @ObservationIgnored private var lists: [ReaderList: Resource<[Article]>] = [:]
  @ObservationIgnored private let documents: ResourcePool<Article.ID, ArticleDocument>
  /// What there is to go on to.
  let next: Resource<NextUnread>
  @ObservationIgnored private var searches = 0
  // Not observed: the list draws its own selection, and a frame made anew for each row that the
  // selection passes would cost ten times as much.
  @ObservationIgnored private var selectedArticles: [ReaderList: Article.ID] = [:]

  /// Articles kept as they are drawn: the way back, and the way on, take no time.
  private static let documentCapacity = 16

  init(
    source: ArticleSource, browser: Browser, clock: AnyClock = .terminal,
    scheduler: LoadScheduler = .terminal
  ) {
    self.source = source
    changes = source.changes()
    self.browser = browser
    self.clock = clock
    self.scheduler = scheduler
    feeds = Resource(source.feeds, clock: clock, scheduler: scheduler)
    counts = Resource(source.counts(), clock: clock, scheduler: scheduler)
    marks = Resource(initialState: .loaded(Markings()), clock: clock, scheduler: scheduler)
    notice = Resource(clock: clock, scheduler: scheduler)
    search = ArticleSearch(source.search, clock: clock, scheduler: scheduler)
    next = Resource(clock: clock, scheduler: scheduler)
    documents = ResourcePool(
      capacity: Self.documentCapacity, clock: clock, scheduler: scheduler
    ) { source.document($0) }
  }

  // MARK: Lists

  /// The articles of the list.
  var articles: Resource<[Article]> {
    if let articles = lists[list] { return articles }
    let articles = Resource(source.articles(list), clock: clock, scheduler: scheduler)
    lists[list] = articles
    return articles
  }

  /// Shows other articles: those that are stored, brought up to date where due.
  func select(_ list: ReaderList) {
    guard list != self.list else { return }
    self.list = list
    // One that was shown before does not start again by itself, and feeds may have become due.
    if articles.latestValue != nil { load(cause: .appeared) }
  }

  /// The row that the keys of the list act on.
  var selectedArticle: Article.ID? {
    get { selectedArticles[list] }
    set { selectedArticles[list] = newValue }
  }

  /// The same, as it is in the list.
  var selected: Article? {
    let articles = articles.latestValue ?? []
    return articles.first { $0.id == selectedArticle } ?? articles.first
  }

  /// Fetches the feeds of the list.
  func reload() {
    forgetStoredMarks()
    load(cause: .person)
  }

  // With a loader of its own each time: what "today" means changes.
  private func load(cause: LoadCause) {
    articles.load(source.articles(list), .join, cause: cause)
  }

  /// Reads the feeds again whenever something was stored, until the task is cancelled.
  func followChanges() async {
    for await _ in changes {
      feeds.load(.keepLatest, cause: .refresh)
      counts.load(source.counts(), .keepLatest, cause: .refresh)
    }
  }

  // MARK: Reading

  /// Shows an article, and marks it as read.
  func open(_ article: Article) {
    openArticle = article
    setRead(true, article)
    findNextUnread(after: article, opens: false)
  }

  func close() { openArticle = nil }

  func document(of article: Article) -> Resource<ArticleDocument> { documents[article.id] }

  /// The article that is being read, once its text, or why there is none, is on the screen.
  var readable: Article.ID? {
    guard let id = openArticle?.id, let document = documents.resource(ifPresent: id) else {
      return nil
    }
    return document.latestSettled == nil ? nil : id
  }

  /// Opens the next article that was not read yet, wherever it is.
  func openNextUnread() {
    findNextUnread(after: openArticle ?? selected, opens: true)
  }

  /// Goes on to an article that was found, or has its text loaded for when a person does.
  func take(_ found: NextUnread?) {
    guard let found else { return }
    guard let article = found.article else {
      if found.opens { say("Nothing is unread.") }
      return
    }
    guard found.opens else { return documents[article.id].load(.drop, cause: .appeared) }
    if articles.latestValue?.contains(where: { $0.id == article.id }) == true {
      selectedArticle = article.id
    }
    open(article)
  }

  private func findNextUnread(after article: Article?, opens: Bool) {
    searches += 1
    next.load(
      Loader { [marks = source.marks, searches] _ in
        NextUnread(
          article: try await marks.nextUnread(article?.id), opens: opens, search: searches)
      }, .restart)
  }

  // MARK: Saying

  /// Says something in a line that goes away by itself.
  func say(_ text: String) {
    notice.load(
      Loader { context in
        context.yield(text)
        try await context.clock.sleep(for: .seconds(4))
        return nil
      }, .restart)
  }

  func openInBrowser(_ article: Article) {
    guard let link = article.link else {
      say("This article has no address to open.")
      return
    }
    do throws(Browser.Failure) {
      try browser.open(link)
      say("Opened in the browser: \(link)")
    } catch {
      switch error {
      case .notAWebAddress: say("Only web pages are opened: this link is not one.")
      case .noBrowser: say("No browser was found. Set BROWSER to the name of one.")
      }
    }
  }
}
