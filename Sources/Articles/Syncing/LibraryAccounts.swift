import Foundation
import HTTP
import Loading
import Storage

/// Stores the passwords of accounts.
public protocol AccountPasswords: Sendable {
  /// Returns the password of an account.
  ///
  /// - Throws: ``SyncError/noPassword(reason:)``, ``SyncError/noPasswordPrinted(reason:)``,
  ///   ``SyncError/passwordTimedOut(program:limit:)`` or `CancellationError`.
  func password(of account: SyncAccount) async throws -> String

  /// Deletes the password of an account that was removed.
  ///
  func removePassword(of account: SyncAccount) async -> RemovedPassword
}

/// What became of the password of an account that was removed.
public struct RemovedPassword: Sendable {
  /// Stores the password again, when the removal is undone; nil if none was stored.
  public let restore: (@Sendable () async throws -> Void)?
  /// Whether the password may still be stored, because what keeps it has not deleted it.
  public let mayRemain: Bool

  public init(mayRemain: Bool = false, restore: (@Sendable () async throws -> Void)? = nil) {
    (self.mayRemain, self.restore) = (mayRemain, restore)
  }
}

/// Stores no passwords: for a library without accounts.
public struct NoPasswords: AccountPasswords {
  public init() {}

  public func password(of account: SyncAccount) async throws -> String {
    throw SyncError.noPassword(reason: "This program keeps none.")
  }

  public func removePassword(of account: SyncAccount) async -> RemovedPassword {
    RemovedPassword()
  }
}

extension Library {
  // MARK: Accounts

  /// Loads the accounts, in the order in which they were added.
  public func accounts() -> Loader<[AccountSummary]> {
    Loader { [self] _ in try await storedAccounts() }
  }

  /// Returns the accounts that ``accounts()`` loads; for commands.
  public func storedAccounts() async throws -> [AccountSummary] {
    try await store.accountSummaries(reloadInterval: options.reloadInterval, now: now)
  }

  /// Adds an account, once its server has accepted the user name and the password.
  ///
  /// Syncs nothing yet; use ``sync(_:)`` for that.
  ///
  /// - Parameters:
  ///   - kind: the API of the server; nil for the one that is found at the address.
  ///   - address: the address of the server or of its API, which is looked for at common paths.
  ///   - passwordCommand: the program that prints the password; nil if `keep` stores `password`.
  ///   - keep: stores the password of the account.
  /// - Throws: ``SyncError``, `HTTPError`, ``StoreError``, or what `keep` throws; then nothing is
  ///   added.
  public func addAccount(
    _ kind: SyncAccount.Kind? = nil, address: String, user: String, password: String,
    passwordCommand: [String]? = nil, keep: (SyncAccount) async throws -> Void = { _ in }
  ) async throws -> SyncAccount {
    let typed = address.trimmingWhiteSpace()
    let isHere = ["localhost", "127.", "[::1]"].contains { typed.hasPrefix($0) }
    let named = typed.contains("://") ? typed : (isHere ? "http://" : "https://") + typed
    guard let web = WebAddress.web(named) else {
      throw HTTPError.invalidAddress(UserMessage.cleaned(FeedCredentials.hidden(in: address)))
    }
    var failure: (any Error)?
    let server = FeedCredentials.split(web).address
    let kinds = kind.map { [$0] } ?? SyncAccount.Kind.allCases
    let candidates = kinds.flatMap { kind in kind.addresses(of: server).map { (kind, $0) } }
    for (kind, candidate) in candidates {
      let session = SyncSession { password }
      let draft = SyncAccount(
        id: SyncAccount.ID(rawValue: 0), kind: kind, address: candidate, user: user)
      do {
        try await self.server(of: draft, session).logIn()
      } catch let error where error is SyncError || error.isOfWebSite {
        // Report the error at the first path, unless another one is more specific.
        let refusal = error as? SyncError
        let isLast = refusal == .passwordRefused || refusal?.asksToWait == true
        if failure.map({ isLast || error.isRefusal && !$0.isRefusal }) ?? true { failure = error }
        if isLast { break }
        continue
      }
      let account = try await store.insertAccount(
        kind, address: candidate, user: user, passwordCommand: passwordCommand,
        secrets: session.secrets)
      guard let account else { throw SyncError.alreadyThere }
      do {
        try await keep(account)
      } catch {
        _ = try await uncancelled { [store, date = now()] in
          try await store.removeAccount(account.id, keepsFeeds: true, at: date)
        }
        throw error
      }
      changed()
      return account
    }
    throw failure ?? SyncError.notAServer(detail: web)
  }

  /// Changes the password of an account, once its server has accepted it.
  ///
  /// - Parameters:
  ///   - passwordCommand: as for
  ///     ``addAccount(_:address:user:password:passwordCommand:keep:)``.
  ///   - keep: stores the password, in place of the old one.
  /// - Throws: ``SyncError``, `HTTPError` or ``StoreError``; or what `keep` throws, and then the old
  ///   password stays.
  public func checkPassword(
    _ password: String, of id: SyncAccount.ID, passwordCommand: [String]? = nil,
    keep: (SyncAccount) async throws -> Void = { _ in }
  ) async throws {
    guard let account = try await store.account(id)?.account else { throw SyncError.noSuchAccount }
    let session = SyncSession { password }
    try await server(of: account, session).logIn()
    let secrets = await session.secrets
    try await keep(account)
    // The password is stored: its command and the secrets belong to it.
    try await uncancelled { [store] in
      try await store.setPassword(of: id, command: passwordCommand, secrets: secrets)
    }
    changed()
  }

  /// Removes an account, here and not on its server.
  ///
  /// ``undo()`` restores it with its feeds, its password and the changes that have not been sent yet.
  ///
  /// - Parameters:
  ///   - keepsFeeds: whether its feeds stay and are fetched from their own servers; otherwise they
  ///     are removed with their articles, as by ``remove(_:)-(Feed.ID)``.
  ///   - dropsChanges: whether changes that have not been sent yet are discarded.
  /// - Returns: whether its password may still be stored where passwords are kept.
  /// - Throws: ``SyncError/changesWaiting(_:)``, ``SyncError/noSuchAccount`` or ``StoreError``.
  @discardableResult
  public func removeAccount(
    _ id: SyncAccount.ID, keepsFeeds: Bool = false, dropsChanges: Bool = false
  ) async throws -> Bool {
    guard let account = try await store.account(id)?.account,
      let removed = try await store.removeAccount(
        id, keepsFeeds: keepsFeeds, dropsChanges: dropsChanges, at: now())
    else { throw SyncError.noSuchAccount }
    cancelSyncing(id)
    let password = await passwords.removePassword(of: account)
    record(
      .removedAccount(name: account.name), count: max(1, removed.articleCount),
      step: .account(id, removed, restorePassword: password.restore))
    return password.mayRemain
  }

  /// Adds a feed to an account, whose server fetches it.
  ///
  /// A feed without an account joins this one. ``undo()`` removes a new feed again.
  ///
  /// - Returns: the feed, with a failure if the sync failed or the server had a problem with this feed.
  ///   After that, or when the user cancelled the sync, the next sync sends the addition.
  /// - Throws: ``SyncError/feedRefused(_:)``, ``SyncError/unsupported``,
  ///   ``SyncError/noSuchAccount`` or ``LibraryError``; then nothing is added, and a feed that was there stays outside the account. After a
  ///   ``StoreError`` or `CancellationError`, no new feed is added; for a feed that was there, the
  ///   next sync sends the addition.
  public func addition(
    of address: String, to account: SyncAccount.ID
  ) async throws -> Addition {
    guard let normalized = FeedAddress.normalized(address, directory: "/"),
      let web = WebAddress.web(normalized)
    else {
      throw LibraryError(unusable: address)
    }
    return try await noted {
      try await addition(of: FeedCredentials.split(web).address, in: account)
    }
  }

  private func addition(
    of plain: String, in account: SyncAccount.ID
  ) async throws -> Addition {
    guard let (id, joins) = try await store.insertFeed(address: plain, of: account) else {
      let known = try await store.feeds(in: .all).first { $0.feed.address == plain }
      if known?.feed.account != account,
        try await store.account(account)?.account.kind == .fever
      {
        throw SyncError.unsupported
      }
      throw LibraryError.alreadyAdded(address: UserMessage.cleaned(plain))
    }
    changed()
    return try await addition(of: id, to: account, joins: joins)
  }

  /// Tells the server of an account that a feed was added to it.
  ///
  /// - Parameter joins: whether the feed was there before, without an account.
  func addition(
    of id: Feed.ID, to account: SyncAccount.ID, joins: Bool
  ) async throws -> Addition {
    var failure: (any Error)?
    // The first call may join a sync that started before the feed was added.
    for _ in 0..<2 {
      let report: SyncReport?
      do {
        report = try await exchange(account)
      } catch let error where error is StoreError || error is CancellationError {
        if !joins { try await takeBackAddition(of: id) }
        throw error
      } catch {
        failure = error
        break
      }
      if let refusal = report?.refusedFeeds.first(where: { $0.id == id && $0.isAddition }) {
        if let passing = refusal.passing {
          failure = passing
          break
        }
        // Also a new one, which the user may add without the account.
        try await store.leaveAccount(account, id)
        if !joins { _ = try await store.removeFeed(id, at: now()) }
        changed()
        throw SyncError.feedRefused(refusal.reason)
      }
      // The user has cancelled the sync.
      if report == nil { break }
      if try await store.pendingFeeds(of: account).allSatisfy({ $0.id != id }) { break }
    }
    guard let feed = try await store.feed(id)?.feed else {
      throw LibraryError.noSuchFeed()
    }
    if !joins { recordAddition(of: feed) }
    return Addition(
      feed: feed, failure: failure, dropped: await dropExcess(of: id),
      kind: joins ? .joinedAccount : .new)
  }

  // MARK: Syncing

  /// The accounts that are being synced, each with its progress.
  public var syncing: [SyncAccount.ID: LoadingProgress] { accountBoard.progress }

  /// Yields whenever ``syncing`` changes; changes that come faster than they are consumed are
  /// merged.
  public func syncingChanges() -> AsyncStream<Void> { accountBoard.changes() }

  /// Cancels the sync of an account; what was sent stays sent.
  public func cancelSyncing(_ id: SyncAccount.ID) { accountBoard.end(id, at: now()) }

  /// Exchanges everything with an account's server.
  ///
  /// Concurrent callers share one sync. If another process is already syncing, this throws without
  /// waiting: ``changes()`` reports what that process stores.
  ///
  /// A failure of the server is stored in ``AccountSummary/failure``, or in
  /// ``AccountSummary/offlineSince`` if it cannot be reached. Until the time before which the server
  /// allows no other request, this throws ``SyncError/askedToWait(_:)`` and sends nothing.
  ///
  /// - Throws: ``SyncError``, `HTTPError`, ``StoreError`` or `CancellationError`, also when the
  ///   user cancels the sync.
  @discardableResult
  public func sync(_ id: SyncAccount.ID) async throws -> SyncReport {
    guard let report = try await exchange(id) else { throw CancellationError() }
    return report
  }

  /// Sends waiting marks and changes to the servers, without fetching anything; an account whose
  /// last sync failed is synced.
  ///
  /// The failure of a server is not thrown: the next sync sends the changes. Accounts that wait
  /// after a failure are skipped.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  public func sendMarks() async throws {
    for id in try await store.accountsWithChanges() {
      // Read only now: while others were sent to, its server may have failed or asked to wait.
      guard let account = try await store.account(id), account.mayBeTried(at: now()) else {
        continue
      }
      do {
        _ = try await exchange(id, isWhole: false)
      } catch let error where error is StoreError || error is CancellationError {
        throw error
      } catch {}
    }
  }

  /// Exchanges everything with an account's server; nil when the user cancelled it.
  func exchange(_ id: SyncAccount.ID) async throws -> SyncReport? {
    // A running exchange that only sends marks is awaited, but is not enough.
    while let exchange = try await exchange(id, isWhole: true) {
      if exchange.isWhole { return exchange.report }
    }
    return nil
  }

  /// Starts an exchange, or joins the running one.
  private func exchange(_ id: SyncAccount.ID, isWhole: Bool) async throws -> AccountExchange? {
    try await accountBoard.run(id) { [self] in
      try await exchangeAlone(id, isWhole: isWhole)
    }
  }

  private func exchangeAlone(
    _ id: SyncAccount.ID, isWhole: Bool
  ) async throws -> AccountExchange {
    guard try await store.account(id) != nil else { throw SyncError.noSuchAccount }
    try await store.beginArrivals()
    let lock = try lock(id)
    defer { withExtendedLifetime(lock) {} }
    // Another process may have changed it until now.
    guard let account = try await store.account(id) else { throw SyncError.noSuchAccount }
    // Not even when the user asks for it: the server said no.
    if let failure = account.request(toWaitAt: now()) { throw SyncError.askedToWait(failure) }
    // That marks can be sent does not mean that the rest works again, and would hide the failure.
    let isWhole = isWhole || account.failureCount > 0
    let session = SyncSession(account.secrets) { [passwords] in
      try await passwords.password(of: account.account)
    }
    let server = server(of: account.account, session)
    do {
      let sync = AccountSync(
        account: account, server: server, store: store,
        rules: try RulesInForce(options.rules, now: now()), now: now,
        progress: { [accountBoard] in accountBoard.report($0, of: id) },
        stored: { [self] in changed() })
      // On the threads that parse feeds: thousands of articles must not delay the keyboard.
      let report = try await reporting(
        .account(account.account.name), newArticles: \.newArticleCount
      ) {
        try await withTaskExecutorPreference(threads.feeds) {
          isWhole ? try await sync.run() : try await sync.send()
        }
      }
      try await store.record(
        .succeeded(isWhole: isWhole), of: account, secrets: session.secrets, at: now())
      changed()
      return AccountExchange(report: report, isWhole: isWhole)
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      if error is StoreError { throw error }
      let isOffline = (error as? HTTPError)?.isOfNetwork == true
      try await store.record(
        isOffline ? .offline : .failed(UserMessage(error)), of: account,
        secrets: session.secrets, at: now())
      changed()
      throw error
    }
  }

  /// Keeps other processes from syncing an account at the same time; nil for a store in memory.
  private func lock(_ id: SyncAccount.ID) throws -> FolderLock? {
    guard store.path != ":memory:" else { return nil }
    let folder = URL(filePath: store.path).deletingLastPathComponent()
      .appending(components: "accounts", String(id.rawValue)).path(percentEncoded: false)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do {
      return try FolderLock(folder)
    } catch StoreError.locked {
      throw SyncError.busy
    }
  }

  private func server(
    of account: SyncAccount, _ session: SyncSession
  ) -> any SyncServer {
    let options = options
    let connection = SyncConnection(
      address: account.address, user: account.user, client: client, limits: options.limits,
      sendsPasswordsInClear: options.sendsPasswordsInClear, session: session, now: now)
    switch account.kind {
    case .googleReader: return GoogleReader(connection: connection)
    case .fever: return Fever(connection: connection)
    }
  }
}

/// The result of one exchange with an account's server.
struct AccountExchange: Sendable {
  let report: SyncReport
  /// Whether everything was exchanged, and not only marks sent.
  let isWhole: Bool
}

extension SyncAccount.Kind {
  /// Returns the addresses where a server may have its API, from the address that a user knows.
  fileprivate func addresses(of address: String) -> [String] {
    var base = address
    while base.hasSuffix("/") { base.removeLast() }
    let places =
      switch self {
      case .googleReader: ["", "/api/greader.php", "/p/api/greader.php"]
      case .fever: ["", "/fever", "/api/fever.php"]
      }
    return places.map { base + $0 }
  }
}

extension Error {
  /// Whether a login that is answered in this way may have met a web site, and no API.
  fileprivate var isOfWebSite: Bool {
    switch self as? HTTPError {
    case .bodyRedirected, .malformedAnswer: true
    default: false
    }
  }

  /// Whether a server has refused a request, and may have done so for an API that it has.
  fileprivate var isRefusal: Bool {
    if case .refused? = self as? SyncError { true } else { false }
  }
}

extension HTTPError {
  /// Whether the error means that the server cannot be reached at the moment.
  var isOfNetwork: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .timedOut(.connecting), .connectionLost, .proxy: true
    default: false
    }
  }
}
