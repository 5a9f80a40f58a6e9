import Foundation
import HTTP
import Loading
import Storage
import Synchronization

/// The user's feeds and their articles, stored on the disk and kept up to date over HTTP.
///
/// Its methods return loaders; nothing is read or fetched before a loader runs.
///
/// ```swift
/// let library = Library(store: try ArticleStore(directory: path))
/// try await library.add("https://example.org/feed.xml")
/// let articles = Resource(library.articles(in: .all, refresh: .hourly))
/// ```
public final class Library: Sendable {
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
  /// times its size. The limit leaves enough to parse some while others are stored together.
  let turns = LoadLimit(16)
  let threads: Threads
  let chance: @Sendable () -> Double
  let hub = ChangeHub<Void>()
  private let currentOptions: Mutex<Options>
  private let hubElsewhere = ChangeHub<Void>()
  private let elsewhere = Mutex<ForeignChanges?>(nil)
  private let bundledBytes: [UInt8]
  let bundledSearch = BundledSearch()
  private let bundledFeed = Mutex<BundledFeed?>(nil)

  /// What may change while a library is in use.
  public struct Options: Sendable {
    /// The time limits of a fetch; ``FeedParser/sizeLimit`` limits its size.
    public var limits = HTTPRequest.Limits()
    /// Whether passwords may be sent over `http` to another machine.
    public var sendsPasswordsInClear = false
    /// How long articles are kept.
    public var retention = Retention.standard
    /// Which feeds are fetched by themselves when articles are loaded.
    public var refresh = RefreshPolicy.hourly
    /// What happens to articles that are fetched first.
    public var rules: [ArticleRule] = []
    /// After how many seconds a feed is to be reloaded by itself, unless it has an interval of its
    /// own; nil for never.
    ///
    /// ``FeedSummary/nextReload`` says when that is, and ``Library/reloadScheduled()`` does it.
    public var reloadInterval: TimeInterval?
    /// The programs that may write feeds, by the names that addresses such as `exec:name` have.
    public var programs: [String: FeedProgram] = [:]
    /// Whether an article that several feeds have is one in lists across feeds.
    public var joinsCopies = true
    /// Where downloads go, and what they may cost.
    public var downloads = DownloadOptions()
    /// How the full text of articles is had from their web pages.
    public var fullText = FullTextOptions()
    /// Those that the user reads, such as `de` or `en-GB`, the most wanted first: of several transcripts
    /// of an episode the one in the first of them is shown.
    public var languages: [String] = []

    public init(
      limits: HTTPRequest.Limits = HTTPRequest.Limits(), sendsPasswordsInClear: Bool = false,
      retention: Retention = .standard, refresh: RefreshPolicy = .hourly,
      rules: [ArticleRule] = [], reloadInterval: TimeInterval? = nil,
      joinsCopies: Bool = true, fullText: FullTextOptions = FullTextOptions(),
      programs: [String: FeedProgram] = [:]
    ) {
      self.limits = limits
      self.sendsPasswordsInClear = sendsPasswordsInClear
      self.retention = retention
      self.refresh = refresh
      self.rules = rules
      self.reloadInterval = reloadInterval
      self.joinsCopies = joinsCopies
      self.fullText = fullText
      self.programs = programs
    }
  }

  /// The threads that parse feeds and articles.
  ///
  /// A hostile text can take long to parse. Nothing else runs there, so that lists, marks and quitting
  /// never wait for it; articles have threads of their own, so that one can be opened while feeds are
  /// parsed.
  public struct Threads: Sendable {
    let feeds: (any TaskExecutor)?
    let articles: (any TaskExecutor)?

    /// - Parameters:
    ///   - feeds: where feeds are parsed and stored; nil for the executor of the caller's task.
    ///   - articles: where articles are prepared to be shown; nil for the executor of the caller's task.
    public init(feeds: (any TaskExecutor)? = nil, articles: (any TaskExecutor)? = nil) {
      self.feeds = feeds
      self.articles = articles
    }
  }

  /// The options for the next fetch, and for the next time that old articles are dropped.
  public var options: Options {
    get { currentOptions.withLock(\.self) }
    set {
      let old = currentOptions.withLock { options in
        defer { options = newValue }
        return options
      }
      store.joinsCopies.store(newValue.joinsCopies, ordering: .relaxed)
      // The list of feeds says when each is reloaded, which may have changed, and lists have copies.
      if old.reloadInterval != newValue.reloadInterval || old.joinsCopies != newValue.joinsCopies {
        changed()
      }
    }
  }

  /// - Parameters:
  ///   - bundled: a feed's document, shown as long as no feed has been added; empty for none.
  ///   - client: limits how many feeds are fetched at one time, in all and from one host.
  ///   - options: may be changed later.
  ///   - threads: where the text of feeds and articles is read.
  ///   - passwords: where those of accounts are kept.
  ///   - programs: runs what the options name.
  ///   - now: the date and time, for what is due and for dates in the store.
  ///   - chance: returns a random number in 0..<1, so that failing feeds are not all retried at once.
  public init(
    store: ArticleStore, bundled: [UInt8] = [], client: HTTPClient = HTTPClient(),
    options: Options = Options(), threads: Threads = Threads(),
    passwords: any AccountPasswords = NoPasswords(),
    programs: any OutsidePrograms = NoPrograms(),
    now: @escaping @Sendable () -> Date = { Date() },
    chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.store = store
    self.threads = threads
    self.chance = chance
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

  /// The list of feeds, by title.
  ///
  /// It fetches nothing.
  public func feeds() -> Loader<[FeedSummary]> {
    Loader { [self] _ in
      if let bundled = try await bundledIfAlone() { return [bundled.summary] }
      return try await store.feedSummaries(reloadInterval: options.reloadInterval)
    }
  }

  /// An article with its text.
  ///
  /// Of a long text without a reading position, the loader yields the first pages, and then all of it.
  /// Where the full text is wanted and not stored yet, it yields the feed's text, and then fetches the
  /// page; a failure of that is thrown with the feed's text still shown.
  ///
  /// A transcript is fetched where it is not stored yet, and nothing is yielded before.
  ///
  /// The loader throws ``LibraryError/articleGone`` when the article has been removed.
  ///
  /// - Parameter source: the text that is wanted. Nil for the page's where that is stored, or its feed
  ///   is set so, and else for the feed's.
  public func document(
    of id: Article.ID, from source: TextSource? = nil
  ) -> Loader<ArticleDocument> {
    Loader { [self] context, output in
      if source == .transcript { return try await transcript(of: id).articleDocument }
      let (article, text) = try await text(of: id)
      let position = id.isBundled ? nil : try await store.position(of: id)
      let wantsPage =
        source.map { $0 == .page } ?? (text.full != nil || isFullTextWanted(text, of: article))
      if wantsPage, let full = text.full {
        return await document(of: article, full, position: position, extras: text.extras)
      }
      let ofFeed = article.timed(by: text)
      if position == nil, !wantsPage,
        let beginning = await rendered({ Document(beginningOf: text) })
      {
        output.yield(
          ArticleDocument(
            article: ofFeed, document: beginning, isWhole: false, privateHost: text.privateHost,
            extras: text.extras))
      }
      let own = ArticleDocument(
        article: ofFeed, document: await rendered { Document(text) }, position: position,
        privateHost: text.privateHost, extras: text.extras)
      guard wantsPage else { return own }
      output.yield(own)
      context.report(LoadingProgress(message: "Fetching the full text"))
      return try await fetchedDocument(of: id, position: position)
    }
  }

  /// An article, also of the bundled feed.
  ///
  /// - Throws: ``LibraryError/articleGone`` or ``StoreError``.
  func text(of id: Article.ID) async throws -> (Article, StoredText) {
    let found = id.isBundled ? try bundled()?.document(of: id) : try await store.article(id)
    guard let found else { throw LibraryError.articleGone }
    return found
  }

  /// Prepares an article's text to be shown, on the threads for articles.
  func rendered<Value: Sendable>(_ render: @escaping @Sendable () -> Value) async -> Value {
    await withTaskExecutorPreference(threads.articles) { await Self.apart(render) }
  }

  @concurrent
  private static func apart<Value: Sendable>(_ work: @Sendable () -> Value) async -> Value {
    work()
  }

  /// Yields after every change of what is stored, by this library or by another program.
  ///
  /// Changes that come faster than they are consumed arrive as one. The stream ends when the library
  /// is released.
  public func changes() -> AsyncStream<Void> {
    watchElsewhere()
    return hub.changes()
  }

  /// The same, after changes by other programs alone.
  public func changesElsewhere() -> AsyncStream<Void> {
    watchElsewhere()
    return hubElsewhere.changes()
  }

  // Lazy: a short command need not watch the file.
  private func watchElsewhere() {
    elsewhere.withLock { [store, hub, hubElsewhere] elsewhere in
      guard elsewhere == nil else { return }
      elsewhere = ForeignChanges(of: store.file) {
        hubElsewhere.notify(())
        hub.notify(())
      }
    }
  }

  // MARK: Changing

  /// A feed that was added.
  public struct Addition: Sendable {
    /// The feed, as far as it is known.
    public let feed: Feed
    /// Why its first fetch failed; nil when it did not.
    public let failure: (any Error)?
  }

  /// Adds a feed and fetches it.
  ///
  /// - Throws: what ``addition(of:directory:asksWhich:keepsMistakes:)`` throws, and why the first fetch
  ///   failed, also where the address is kept all the same.
  @discardableResult
  public func add(
    _ address: String, directory: String = FileManager.default.currentDirectoryPath,
    asksWhich: Bool = false, keepsMistakes: Bool = false
  ) async throws -> Feed {
    let addition = try await addition(
      of: address, directory: directory, asksWhich: asksWhich, keepsMistakes: keepsMistakes)
    if let failure = addition.failure { throw failure }
    return addition.feed
  }

  /// Adds a feed and fetches it.
  ///
  /// ``undo()`` removes it again.
  ///
  /// - Parameters:
  ///   - address: an `http`, `https` or `file` URL, or the path of a file. Or `exec:name` or
  ///     `filter:name:URL` for a program of ``Options/programs``.
  ///   - directory: what a relative path is relative to.
  ///   - asksWhich: whether a page that names several feeds is an error. Otherwise the best of them
  ///     is added.
  ///   - keepsMistakes: whether the address is kept even if nothing can ever be fetched from it, as
  ///     far as can be told: no such file or server, or no feed there.
  /// - Throws: why the address is not kept: ``LibraryError``, ``StoreError``, `CancellationError`, or
  ///   why nothing can ever be fetched from it.
  public func addition(
    of address: String, directory: String = FileManager.default.currentDirectoryPath,
    asksWhich: Bool = false, keepsMistakes: Bool = false
  ) async throws -> Addition {
    let program = ProgramAddress(address)
    // Before anything is stored: an address that names no program is a mistake.
    if let program, options.programs[program.name] == nil {
      throw ProgramError.notAllowed(program.name)
    }
    guard
      let normalized = program?.text ?? FeedAddress.normalized(address, directory: directory)
    else {
      throw LibraryError.unusableAddress(
        UserMessage.cleaned(FeedCredentials.hidden(in: address)))
    }
    guard let feed = try await store.insertFeed(address: normalized) else {
      throw LibraryError.alreadyAdded(
        address: UserMessage.cleaned(FeedCredentials.split(normalized).address))
    }
    changed()
    guard let stored = try await store.feeds(in: .feed(feed.id)).first else {
      throw LibraryError.noSuchFeed
    }
    let fetched: FetchedFeed
    do {
      fetched = try await fetch(stored, pages: asksWhich ? .followOnly : .followBest)
    } catch {
      guard !Self.isKept(after: error, keepsMistakes: keepsMistakes) else {
        // The address of a page may have given way to that of its feed.
        let kept = try await store.feeds(in: .feed(feed.id)).first?.feed ?? feed
        recordAddition(of: kept)
        return Addition(feed: kept, failure: error)
      }
      // In a task of its own: this one may be cancelled.
      _ = try await Task { [store, date = now()] in
        try await store.removeFeed(feed.id, at: date)
      }.value
      changed()
      throw error
    }
    // A page's own address has given way to that of its feed, which may have been here before.
    let kept = try await store.feeds(in: .feed(fetched.id)).first?.feed ?? feed
    recordAddition(of: kept)
    return Addition(feed: kept, failure: nil)
  }

  func recordAddition(of feed: Feed) {
    log.withLock {
      $0.append(.addedFeed, feedTitle: feed.title, step: .feeds(added: [feed.id]))
    }
  }

  /// Whether an address whose first fetch failed like this is kept, to be fetched later.
  private static func isKept(after error: any Error, keepsMistakes: Bool) -> Bool {
    switch error {
    case is CancellationError, is LibraryError: false
    default: keepsMistakes || !isMistake(error)
    }
  }

  /// Whether an error says that there is no feed at an address, and that trying again is no use.
  public static func isMistake(_ error: any Error) -> Bool {
    switch error {
    case FetchError.fileMissing, FetchError.notAFile, FetchError.status(404, _),
      FetchError.status(410, _), FeedError.notAFeed:
      true
    case HTTPError.cannotResolve: true
    case let error as HTTPError: error.isRefusal
    case ProgramError.notAllowed, ProgramError.notStarted: true
    default: false
    }
  }

  // MARK: Running fetches

  /// The feeds that are being fetched, each with its progress.
  public var fetching: [Feed.ID: LoadingProgress] { board.progress }

  /// Yields whenever ``fetching`` changes; changes that come faster than they are consumed arrive as
  /// one.
  public func fetchingChanges() -> AsyncStream<Void> { board.changes() }

  /// Cancels the fetch of a feed, or of all feeds.
  ///
  /// Stored articles stay, and no failure is recorded; a reload of several feeds goes on with the
  /// others. A cancelled feed is not fetched again by itself before it would be due if it had been
  /// fetched.
  public func cancelFetching(_ id: Feed.ID? = nil) { board.end(id, at: now()) }

  // MARK: Inside

  func changed() {
    hub.notify(())
  }

  /// The bundled feed when no other has been added.
  ///
  /// Nil for a list of articles with a star: it has none, and removed feeds may.
  func bundledIfAlone(for query: ArticleQuery = ArticleQuery()) async throws -> BundledFeed? {
    guard !bundledBytes.isEmpty, query.isStarred != true, try await !store.hasFeeds() else {
      return nil
    }
    return try bundled()
  }

  private func bundled() throws -> BundledFeed? {
    guard !bundledBytes.isEmpty else { return nil }
    return try bundledFeed.withLock { cached in
      if let cached { return cached }
      let feed = try BundledFeed(bundledBytes)
      cached = feed
      return feed
    }
  }
}
