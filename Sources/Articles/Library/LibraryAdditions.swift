import Foundation
import HTTP
import Loading

/// Adding feeds, and changing their addresses.
extension Library {
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
  /// ``undo()`` removes it again, and so does cancelling the task before it has been fetched, also by
  /// another process. A feed that is there already is only fetched again, if its last fetch
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
      return try await noted {
        try await insertion(of: normalized, pages: pages, keepsMistakes: keepsMistakes)
      }
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
    guard let feed = try await store.feed(id)?.feed else {
      throw LibraryError.noSuchFeed()
    }
    // Recorded at once: whoever cancels this after the change can undo it.
    if let old = try await setAddress(
      FeedLocation(address: new, credentials: credentials), of: id, keepsCredentials: true)
    {
      record(.arrangedFeed, feedTitle: feed.shownTitle, step: .address(id, was: old))
    }
    return try await store.feed(id)?.feed ?? feed
  }

  /// - Returns: the previous location; nil, without a change, if it is the new one.
  func setAddress(
    _ location: FeedLocation, of id: Feed.ID, keepsCredentials: Bool, beginsInPublic: Int? = nil
  ) async throws -> FormerLocation? {
    // Checked here too: a running fetch is not cancelled for nothing.
    guard
      try await store.changesAddress(of: id, to: location, keepsCredentials: keepsCredentials)
    else { return nil }
    // Otherwise it could store later what it has learned about the old address, or why it failed.
    await board.endAndWait(id)
    return try await store.setAddress(
      location, of: id, keepsCredentials: keepsCredentials, beginsInPublic: beginsInPublic)
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
    let fetched: FetchedFeed
    do {
      guard let stored = try await store.feed(feed.id) else { throw LibraryError.noSuchFeed() }
      fetched = try await fetch(stored, pages: pages)
    } catch {
      guard !Self.isKept(after: error, keepsMistakes: keepsMistakes) else {
        // The address of a page may have been replaced with that of its feed.
        let kept = try await store.feed(feed.id)?.feed ?? feed
        recordAddition(of: kept)
        return Addition(feed: kept, failure: error)
      }
      let isTakenBack = try await uncancelled { [store, date = now()] in
        try await store.takeBackAddition(of: feed, at: date)
      }
      if !isTakenBack { recordAddition(of: feed) }
      changed()
      if case FetchError.status(410, _) = error { throw LibraryError.goneForGood }
      throw error
    }
    if let restored = try await restoration(fetched, insteadOf: feed.id) { return restored }
    // A page's own address has been replaced with that of its feed, which may have existed before.
    // Whoever cancels this now can undo it.
    let kept = try await uncancelled { [store] in try await store.feed(fetched.id)?.feed } ?? feed
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
    let feed = try await store.feed(fetched.id)?.feed ?? known.feed
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
      guard let account = try await store.feed(id)?.feed.account else {
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
    record(.addedFeed, feedTitle: feed.shownTitle, step: .feeds(added: [feed.id]))
  }

  /// Whether an address stays, to be fetched later, after its first fetch failed with this error.
  private static func isKept(after error: any Error, keepsMistakes: Bool) -> Bool {
    switch error {
    // The key that cancels the addition may have ended the program of an exec feed first.
    case _ where Task.isCancelled: false
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

  /// Returns what is said beside the error about a text that was taken for the name of a server, but
  /// may be that of a file; nil for any other text or error.
  public static func words(aboutFile text: String, after error: any Error) -> String? {
    guard case HTTPError.cannotResolve = error, WebAddress.Parts(text).scheme == nil else {
      return nil
    }
    return "There is no file of that name, either."
  }

  /// Whether an address that was not added after this error is added with `keepsMistakes`.
  public static func canKeep(after error: any Error) -> Bool {
    if case ProgramError.notAllowed = error { return false }
    return isMistake(error)
  }
}
