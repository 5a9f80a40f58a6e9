import Articles
import Loading
import Observation

/// What the reader shows: which feed, which article, and what is loaded of them.
///
/// It outlives its screens: a list that is left and entered again is still there.
@MainActor
@Observable
final class ReaderModel {
  let feeds: Resource<[FeedSummary]>
  private(set) var selection = FeedSelection.all
  /// The article that is being read.
  var openArticle: Article?
  /// What happened last, in a line, as long as it needs to be said.
  let notice: Resource<String?>
  /// Whether the feeds have the screen where there is no room for them beside the articles.
  var showsFeeds = false

  @ObservationIgnored private let source: ArticleSource
  // Taken before anything is loaded: what is stored before somebody listens is told as well.
  @ObservationIgnored private let changes: AsyncStream<Void>
  @ObservationIgnored private let browser: Browser
  @ObservationIgnored private let clock: AnyClock
  @ObservationIgnored private let scheduler: LoadScheduler
  @ObservationIgnored private var lists: [FeedSelection: Resource<[Article]>] = [:]

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
    notice = Resource(clock: clock, scheduler: scheduler)
  }

  /// The articles of the selected feeds.
  var articles: Resource<[Article]> {
    if let list = lists[selection] { return list }
    let list = Resource(source.articles(selection), clock: clock, scheduler: scheduler)
    lists[selection] = list
    return list
  }

  /// Shows the articles of other feeds: those that are stored, brought up to date where due.
  func select(_ selection: FeedSelection) {
    guard selection != self.selection else { return }
    self.selection = selection
    // One that was shown before does not start again by itself, and feeds may have become due.
    if articles.latestValue != nil { articles.load(.join, cause: .appeared) }
  }

  /// Fetches the selected feeds.
  func reload() {
    articles.load(.join, cause: .person)
  }

  func document(of article: Article) -> Loader<ArticleDocument> { source.document(article) }

  /// Reads the feeds again whenever something was stored, until the task is cancelled.
  func followChanges() async {
    for await _ in changes { feeds.load(.keepLatest, cause: .refresh) }
  }

  /// Says something in a line that goes away by itself.
  private func say(_ text: String) {
    notice.load(
      Loader { context in
        context.yield(text)
        try await context.clock.sleep(for: .seconds(4))
        return nil
      })
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
