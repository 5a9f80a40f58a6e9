import Foundation
import HTTP
import Loading
import Storage
import Synchronization

/// The user's feeds and their articles, stored on the disk and kept up to date over HTTP.
///
/// Screens use its loaders, which read and fetch nothing before they run. Commands use its
/// asynchronous methods. Where these do not say what they throw, it is a ``StoreError``.
///
/// ```swift
/// let library = Library(store: try ArticleStore(directory: path))
/// _ = try await library.addition(of: "https://example.org/feed.xml")
/// let articles = Resource(library.listing(matching: ArticleQuery(), refresh: .hourly))
/// ```
public final class Library: Sendable {
  /// Whether nothing can be stored, because the folder of the store cannot be written or its disk was
  /// full.
  public var isReadOnly: Bool { store.isReadOnly }
  let store: ArticleStore
  let sources: FeedSources
  let client: HTTPClient
  let passwords: any AccountPasswords
  let programs: any OutsidePrograms
  let now: @Sendable () -> Date
  let log = Mutex(ChangeLog())
  let board = FetchBoard<Feed.ID, FetchedFeed>()
  let accountBoard = FetchBoard<SyncAccount.ID, AccountExchange>()
  /// Limits how many feeds are parsed and stored at the same time.
  ///
  /// Hundreds may arrive before the store has written the first, and a parsed feed takes several
  /// times the memory of its document. The limit is high enough to parse some feeds while others
  /// are stored together.
  let turns = LoadLimit(16)
  let threads: Threads
  let chance: @Sendable () -> Double
  let observer: (@Sendable (FetchReport) -> Void)?
  let hub = ChangeHub<Void>()
  private let uncancelledWrites = Mutex<[UUID: Task<Void, Never>]>([:])
  private let currentOptions: Mutex<Options>
  private let hubElsewhere = ChangeHub<Void>()
  private let elsewhere = Mutex<ForeignChanges?>(nil)
  private let bundledBytes: @Sendable () -> [UInt8]
  let bundledSearch = BundledSearch()
  private let bundledFeed = Mutex<BundledFeed?>(nil)
  /// The servers whose pages are not fetched automatically for a while.
  let pageServers = BusyServers(longest: 86_400)
  /// The downloads as they were loaded last.
  let seenDownloads = Mutex<[Download.ID: Download]>([:])
  /// How many bytes the downloads that are being fetched still need.
  let downloadRests = Mutex<[Download.ID: Int]>([:])

  /// Settings that may change while a library is in use.
  public struct Options: Sendable {
    /// The limits of a fetch on time and redirects; ``FeedParser/sizeLimit`` limits its size.
    public var limits = HTTPRequest.Limits()
    /// Whether passwords may be sent over `http` to another machine.
    public var sendsPasswordsInClear = false
    /// How long articles are kept.
    public var retention = Retention.standard
    /// Which feeds screens fetch automatically when they load articles; the library itself does not
    /// use it.
    public var refresh = RefreshPolicy.hourly
    /// The rules that are applied to new articles.
    public var rules: [ArticleRule] = []
    /// The interval in seconds after which a feed is reloaded automatically, unless it has its own;
    /// nil for never.
    ///
    /// ``FeedSummary/nextReload`` says when that is, and ``Library/reloadScheduled()`` does it.
    public var reloadInterval: TimeInterval?
    /// The programs that may write feeds, by the names used in addresses such as `exec:name`.
    public var programs: [String: FeedProgram] = [:]
    /// Whether lists across feeds show an article that several feeds carry only once.
    public var joinsCopies = true
    /// Where downloads are stored, and their limits.
    public var downloads = DownloadOptions()
    /// How the full text of articles is extracted from their web pages.
    public var fullText = FullTextOptions()
    /// The user's languages, such as `de` or `en-GB`, most preferred first.
    ///
    /// They decide which of an episode's transcripts is shown.
    public var languages: [String] = []

    public init() {}
  }

  /// The options for later fetches, and for the next time that old articles are dropped.
  public var options: Options {
    get { currentOptions.withLock(\.self) }
    set {
      let old = currentOptions.withLock { options in
        defer { options = newValue }
        return options
      }
      store.joinsCopies.store(newValue.joinsCopies, ordering: .relaxed)
      // The list of feeds shows when each is reloaded, and lists depend on `joinsCopies`.
      if old.reloadInterval != newValue.reloadInterval || old.joinsCopies != newValue.joinsCopies {
        changed()
      }
    }
  }

  /// - Parameters:
  ///   - bundled: a feed's document, shown while the user has no feeds; empty for none. It is made
  ///     when it is needed.
  ///   - client: limits how many feeds are fetched at the same time, in total and per host.
  ///   - options: may be changed later.
  ///   - threads: the threads that parse feeds and articles.
  ///   - passwords: stores the passwords of accounts.
  ///   - programs: runs the programs defined in the options.
  ///   - now: the current date and time, for schedules and for dates in the store.
  ///   - chance: returns a random number in 0..<1, so that failing feeds are not all retried at
  ///     once.
  ///   - observer: called after every fetch of a feed and every sync of an account, and after old
  ///     articles were dropped.
  public init(
    store: ArticleStore, bundled: @autoclosure @escaping @Sendable () -> [UInt8] = [],
    client: HTTPClient = HTTPClient(), options: Options = Options(), threads: Threads = Threads(),
    passwords: any AccountPasswords = NoPasswords(),
    programs: any OutsidePrograms = NoPrograms(),
    now: @escaping @Sendable () -> Date = { Date() },
    chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
    observer: (@Sendable (FetchReport) -> Void)? = nil
  ) {
    self.store = store
    self.threads = threads
    self.chance = chance
    self.observer = observer
    bundledBytes = bundled
    self.client = client
    self.passwords = passwords
    self.programs = programs
    sources = FeedSources(client: client, programs: programs)
    currentOptions = Mutex(options)
    store.joinsCopies.store(options.joinsCopies, ordering: .relaxed)
    self.now = now
  }

  // MARK: Reading

  /// Loads the list of feeds, sorted by title.
  ///
  /// Fetches nothing.
  public func feeds() -> Loader<[FeedSummary]> {
    Loader { [self] _ in
      if let bundled = try await bundledIfAlone() { return [bundled.summary] }
      return try await store.feedSummaries(
        reloadInterval: options.reloadInterval, now: now)
    }
  }

  /// Loads an article with its text.
  ///
  /// For a long text without a reading position, the loader yields the first pages and then all of
  /// it. If the full text is wanted and not stored yet, it yields the feed's text and then fetches
  /// the page; if that fails, it throws, and the feed's text stays visible.
  ///
  /// A transcript is fetched if it is not stored yet; nothing is yielded before.
  ///
  /// The loader throws ``LibraryError/articleGone`` when the article has been removed.
  ///
  /// - Parameter source: which text is loaded. Nil for the page's text if it is stored or the feed
  ///   is set to full text and has not clearly more text than the page, otherwise the feed's text.
  public func document(
    of id: Article.ID, from source: TextSource? = nil
  ) -> Loader<ArticleDocument> {
    Loader { [self] context, output in
      if source == .transcript { return try await transcript(of: id).articleDocument }
      let (article, text) = try await text(of: id)
      let stored = id.isBundled ? nil : try await store.position(of: id)
      let wantsPage =
        source.map { $0 == .page } ?? (text.full != nil || isFullTextWanted(text, of: article))
      if wantsPage, let full = text.full {
        return await document(of: article, text, full, position: stored)
      }
      // Once the page's text is stored, the position is one in that.
      let position = text.full == nil ? stored : nil
      if position == nil, !wantsPage,
        let beginning = await rendered({ Document(beginningOf: text) })
      {
        output.yield(
          ArticleDocument(
            article: article.timed(by: text), document: beginning, isWhole: false,
            privateHost: text.privateHost, extras: text.extras))
      }
      let own = await document(of: article, text, nil, position: position)
      guard wantsPage else { return own }
      output.yield(own)
      context.report(LoadingProgress(message: "Fetching the full text"))
      return try await fetchedDocument(of: id, isAutomatic: source == nil)
    }
  }

  /// Returns an article, which may be a bundled one, with its text.
  ///
  /// - Throws: ``LibraryError/articleGone`` or ``StoreError``.
  func text(of id: Article.ID) async throws -> (Article, StoredText) {
    let found = id.isBundled ? try bundled()?.document(of: id) : try await store.article(id)
    guard let found else { throw LibraryError.articleGone }
    return found
  }

  /// Yields after every change of the store, by this library or by another program.
  ///
  /// Reading positions and the settings of lists, stored by this library, are not reported. Changes
  /// that come faster than they are consumed are merged. The stream ends when the library is
  /// released.
  public func changes() -> AsyncStream<Void> {
    watchElsewhere()
    return hub.changes()
  }

  /// Yields after changes of the store by other programs only.
  public func changesElsewhere() -> AsyncStream<Void> {
    watchElsewhere()
    return hubElsewhere.changes()
  }

  // Started on demand: a short command need not watch the file.
  private func watchElsewhere() {
    elsewhere.withLock { [store, hub, hubElsewhere] elsewhere in
      guard elsewhere == nil else { return }
      elsewhere = ForeignChanges(of: store.file) {
        hubElsewhere.notify(())
        hub.notify(())
      }
    }
  }

  // MARK: Running fetches

  /// The feeds that are being fetched, each with its progress.
  public var fetching: [Feed.ID: LoadingProgress] { board.progress }

  /// Yields whenever ``fetching`` changes; changes that come faster than they are consumed are
  /// merged.
  public func fetchingChanges() -> AsyncStream<Void> { board.changes() }

  /// Cancels the fetch of a feed, or of all feeds.
  ///
  /// Stored articles stay, and no failure is recorded; a reload of several feeds continues with the
  /// others. A cancelled feed is not fetched again automatically before it would be due after a
  /// successful fetch.
  public func cancelFetching(_ id: Feed.ID? = nil) { board.end(id, at: now()) }

  // MARK: Inside

  func changed() {
    hub.notify(())
  }

  /// Runs a write also if this task is cancelled: a cancelled one writes nothing.
  func uncancelled<Value: Sendable>(
    _ write: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task(operation: write)
    return try await noted { try await task.value }
  }

  /// Runs work for whose end ``uncancelledWritesFinished()`` waits: once cancelled, it still writes.
  func noted<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    let id = UUID()
    uncancelledWrites.withLock { $0[id] = Task { for await _ in end {} } }
    defer {
      continuation.finish()
      uncancelledWrites.withLock { $0[id] = nil }
    }
    return try await work()
  }

  /// Waits for what is being stored although its task was cancelled.
  ///
  /// For example that a download is complete, or that a feed was not added. An addition of a feed that
  /// was not cancelled is waited for, too.
  public func uncancelledWritesFinished() async {
    for task in uncancelledWrites.withLock({ Array($0.values) }) { await task.value }
  }

  /// Returns the bundled feed if the user has added no feed.
  ///
  /// Nil for a list of starred articles: bundled articles have no stars, but articles of removed
  /// feeds may have some.
  func bundledIfAlone(for query: ArticleQuery = ArticleQuery()) async throws -> BundledFeed? {
    guard query.isStarred != true, try await !store.hasFeeds() else { return nil }
    return try bundled()
  }

  private func bundled() throws -> BundledFeed? {
    try bundledFeed.withLock { cached in
      if let cached { return cached }
      let bytes = bundledBytes()
      cached = bytes.isEmpty ? nil : try BundledFeed(bytes)
      return cached
    }
  }
}
