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
  private let currentOptions: Mutex<Options>
  private let hubElsewhere = ChangeHub<Void>()
  private let elsewhere = Mutex<ForeignChanges?>(nil)
  private let bundledBytes: @Sendable () -> [UInt8]
  let bundledSearch = BundledSearch()
  private let bundledFeed = Mutex<BundledFeed?>(nil)
  /// The downloads as they were loaded last.
  let seenDownloads = Mutex<[Download.ID: Download]>([:])

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
  ///   is set to full text, otherwise the feed's text.
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
      return try await fetchedDocument(of: id)
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

  // MARK: Changing

  /// A feed that was added.
  public struct Addition: Sendable {
    /// The feed, as far as it is known.
    public let feed: Feed
    /// Why its first fetch failed; nil when it did not.
    public let failure: (any Error)?
    /// The further feeds of the page that was given, which were not added.
    public var others: [FeedLink] = []
    /// How many of its articles were dropped, because it has more than are kept, see ``Retention``.
    public var dropped = 0
    /// What it has done.
    public var kind = Kind.new

    /// What an addition has done, which depends on what was there before.
    public enum Kind: Sendable, Hashable {
      /// It is new, or was removed before.
      case new
      /// It was there already, and was only fetched again.
      case fetchedAgain
      /// It was there already, and is one of an account now.
      case joinedAccount
    }
  }

  /// Adds a feed, fetches it and reports both results.
  ///
  /// ``undo()`` removes it again. A feed that is there already is only fetched again, if its last fetch
  /// failed, or if the address has another user name and password: so these can be corrected, and the
  /// address of a page is replaced with that of its feed.
  ///
  /// - Parameters:
  ///   - address: an `http`, `https` or `file` URL, or the path of a file. Or `exec:name` or
  ///     `filter:name:URL` for a program of ``Options/programs``.
  ///   - directory: the base of a relative path.
  ///   - asksWhich: whether a page that links to several feeds is an error. Otherwise the best of
  ///     them is added.
  ///   - keepsMistakes: whether the address is added even if it can apparently never be fetched:
  ///     there is no such file or server, no feed there, or no Markdown file in the folder.
  /// - Throws: why the address was not added: ``LibraryError``, ``StoreError``,
  ///   `CancellationError`, or why it can never be fetched.
  public func addition(
    of address: String, directory: String = FileManager.default.currentDirectoryPath,
    asksWhich: Bool = false, keepsMistakes: Bool = false
  ) async throws -> Addition {
    let normalized = try await normalized(
      address, directory: directory, keepsMistakes: keepsMistakes)
    let pages = asksWhich ? WebPages.followOnly : .followBest
    func add() async throws -> Addition {
      if let known = try await store.feedToFetchAgain(address: normalized, at: now()) {
        return try await fetchAgain(known, pages: pages)
      }
      return try await insertion(of: normalized, pages: pages, keepsMistakes: keepsMistakes)
    }
    do {
      return try await add()
    } catch SyncError.feedRefused {
      // A removed feed was back in its account, whose server refuses it; now it has left the account.
      return try await add()
    }
  }

  /// Changes the address of a feed, for example to where its author publishes it now.
  ///
  /// The feed keeps its articles and settings. What the old server has said about it is forgotten, and
  /// a running fetch is cancelled; the next fetch is due at once, also automatically. A user name and
  /// a password stay only if they may be sent to the new address. ``undo()`` changes everything back,
  /// and so does this method with the old address, except for a user name and a password.
  ///
  /// - Parameters:
  ///   - address: as in ``addition(of:directory:asksWhich:keepsMistakes:)``.
  ///   - directory: the base of a relative path.
  /// - Returns: the feed at its new address.
  /// - Throws: ``LibraryError``, for example when another feed has the address, or the feed is one of
  ///   an account; ``ProgramError``, ``FetchError/fileMissing(path:)``, ``FetchError/noMarkdown(path:)``
  ///   or ``StoreError``. Then nothing is changed.
  @discardableResult
  public func setAddress(
    _ address: String, of id: Feed.ID,
    directory: String = FileManager.default.currentDirectoryPath
  ) async throws -> Feed {
    let normalized = try await normalized(address, directory: directory, keepsMistakes: false)
    try await refuseMissingFile(at: normalized)
    let (new, credentials) = FeedCredentials.split(normalized)
    let old = try await setAddress(
      FeedLocation(address: new, credentials: credentials), of: id, keepsCredentials: true)
    guard let feed = try await store.feeds(in: .feed(id)).first?.feed else {
      throw LibraryError.noSuchFeed()
    }
    if let old {
      record(.arrangedFeed, feedTitle: feed.shownTitle, step: .address(id, was: old))
    }
    return feed
  }

  /// - Returns: the previous location; nil, without a change, if it is the new one.
  func setAddress(
    _ location: FeedLocation, of id: Feed.ID, keepsCredentials: Bool
  ) async throws -> FeedLocation? {
    // Checked here too: a running fetch is not cancelled for nothing.
    guard
      try await store.changesAddress(of: id, to: location, keepsCredentials: keepsCredentials)
    else { return nil }
    // Otherwise it could store later what it has learned about the old address, or why it failed.
    await board.endAndWait(id)
    return try await store.setAddress(location, of: id, keepsCredentials: keepsCredentials)
  }

  /// Returns the form in which a typed address is stored.
  private func normalized(
    _ address: String, directory: String, keepsMistakes: Bool
  ) async throws -> String {
    let program = ProgramAddress(address)
    // Checked before anything is stored: an address with an unknown program is a mistake.
    if let program, options.programs[program.name] == nil {
      throw ProgramError.notAllowed(program.name)
    }
    guard
      let normalized = program?.text ?? FeedAddress.normalized(address, directory: directory)
    else {
      throw LibraryError(unusable: address)
    }
    if !keepsMistakes { try await refuseEmptyFolder(at: normalized) }
    return normalized
  }

  private func insertion(
    of address: String, pages: WebPages, keepsMistakes: Bool
  ) async throws -> Addition {
    guard let feed = try await store.insertFeed(address: address) else {
      throw LibraryError.alreadyAdded(
        address: UserMessage.cleaned(FeedCredentials.split(address).address))
    }
    changed()
    // One that was removed is back in its account, whose server has its articles.
    if let account = feed.account {
      return try await addition(of: feed.id, to: account, joins: false)
    }
    guard let stored = try await store.feeds(in: .feed(feed.id)).first else {
      throw LibraryError.noSuchFeed()
    }
    let fetched: FetchedFeed
    do {
      fetched = try await fetch(stored, pages: pages)
    } catch {
      guard !Self.isKept(after: error, keepsMistakes: keepsMistakes) else {
        // The address of a page may have been replaced with that of its feed.
        let kept = try await store.feeds(in: .feed(feed.id)).first?.feed ?? feed
        recordAddition(of: kept)
        return Addition(feed: kept, failure: error)
      }
      try await takeBackAddition(of: feed.id)
      if case FetchError.status(410, _) = error { throw LibraryError.goneForGood }
      throw error
    }
    if let restored = try await restoration(fetched, insteadOf: feed.id) { return restored }
    // A page's own address has been replaced with that of its feed, which may have existed before.
    let kept = try await store.feeds(in: .feed(fetched.id)).first?.feed ?? feed
    recordAddition(of: kept)
    return Addition(
      feed: kept, failure: fetched.failure, others: fetched.others,
      dropped: await dropExcess(of: kept.id))
  }

  /// Fetches a feed whose address was added again.
  ///
  /// The credentials that came with the address are stored only if the fetch succeeds.
  private func fetchAgain(_ known: StoredFeed, pages: WebPages) async throws -> Addition {
    let fetched: FetchedFeed
    do {
      fetched = try await fetch(known, pages: pages, sharesFailures: false)
    } catch let error where Self.isKept(after: error, keepsMistakes: true) {
      return Addition(feed: known.feed, failure: error, kind: .fetchedAgain)
    }
    do {
      if let restored = try await restoration(fetched, insteadOf: known.feed.id) {
        return restored
      }
    } catch {
      // The page's feed was there before.
      _ = try await uncancelled { [store] in try await store.restoreFeed(known.feed.id) }
      changed()
      throw error
    }
    if fetched.failure == nil || fetched.failure is FeedError {
      try await store.setCredentials(known.credentials, from: known.feed.address, of: fetched.id)
    }
    let feed = try await store.feeds(in: .feed(fetched.id)).first?.feed ?? known.feed
    return Addition(
      feed: feed, failure: fetched.failure, others: fetched.others, kind: .fetchedAgain)
  }

  /// Restores the feed that a page links to in its account, in place of the page's feed; nil if the
  /// page links to no such feed.
  ///
  /// If that fails, neither is there.
  private func restoration(
    _ fetched: FetchedFeed, insteadOf page: Feed.ID
  ) async throws -> Addition? {
    guard let (address, origin) = fetched.inAccount else { return nil }
    let id: Feed.ID
    do {
      id = try await move(page, to: address, origin: origin)
    } catch {
      try await takeBackAddition(of: page)
      throw error
    }
    do {
      guard let account = try await store.feeds(in: .feed(id)).first?.feed.account else {
        throw LibraryError.noSuchFeed()
      }
      var addition = try await addition(of: id, to: account, joins: false)
      addition.others = fetched.others
      return addition
    } catch {
      try await takeBackAddition(of: id)
      throw error
    }
  }

  /// Refuses the address of a folder without Markdown files: most likely a mistyped path.
  ///
  /// Only a new feed is refused; a folder that was added may become empty.
  private func refuseEmptyFolder(at address: String) async throws {
    guard let path = FileAddress.path(address) else { return }
    // Reading blocks, as it does for every local feed.
    try await FeedTurn(limit: turns, executor: threads.feeds).take {
      if LocalSource(path: path).isEmptyFolder { throw FetchError.noMarkdown(path: path) }
    }
  }

  /// Refuses the path of a file that does not exist: what was typed is probably a mistake.
  private func refuseMissingFile(at address: String) async throws {
    guard let path = FileAddress.path(address) else { return }
    try await FeedTurn(limit: turns, executor: threads.feeds).take {
      if access(path, F_OK) != 0 { throw FetchError.fileMissing(path: path) }
    }
  }

  /// Drops the articles of a new feed that the next reload would drop.
  ///
  /// - Returns: how many; 0 if that failed, since the addition itself has succeeded.
  func dropExcess(of id: Feed.ID) async -> Int {
    do {
      let before = try await store.articleCount(of: id)
      if try await dropOld().count > 0 { changed() }
      return before - (try await store.articleCount(of: id))
    } catch {
      return 0
    }
  }

  /// Removes a feed whose addition has failed.
  func takeBackAddition(of id: Feed.ID) async throws {
    _ = try await uncancelled { [store, date = now()] in
      try await store.removeFeed(id, at: date)
    }
    changed()
  }

  func recordAddition(of feed: Feed) {
    log.withLock {
      $0.append(.addedFeed, feedTitle: feed.shownTitle, step: .feeds(added: [feed.id]))
    }
  }

  /// Whether an address stays, to be fetched later, after its first fetch failed with this error.
  private static func isKept(after error: any Error, keepsMistakes: Bool) -> Bool {
    switch error {
    case is CancellationError, is LibraryError: false
    default: keepsMistakes || !isMistake(error)
    }
  }

  /// Whether an error means that there is no feed at an address, so that trying again is useless.
  public static func isMistake(_ error: any Error) -> Bool {
    switch error {
    case FetchError.fileMissing, FetchError.notAFile, FetchError.status(404, _),
      FetchError.noMarkdown, FetchError.status(410, _), LibraryError.goneForGood,
      FeedError.notAFeed:
      true
    case HTTPError.cannotResolve: true
    case let error as HTTPError: error.isRefusal
    case ProgramError.notAllowed, ProgramError.notStarted: true
    default: false
    }
  }

  /// Whether an address that was not added after this error is added with `keepsMistakes`.
  public static func canKeep(after error: any Error) -> Bool {
    if case ProgramError.notAllowed = error { return false }
    return isMistake(error)
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
    try await Task(operation: write).value
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
