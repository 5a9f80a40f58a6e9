import Foundation
import HTTP
import Loading
import Storage

/// Where the passwords of accounts are kept.
public protocol AccountPasswords: Sendable {
  /// The password of an account.
  ///
  /// - Throws: ``SyncError/noPassword(reason:)``.
  func password(of account: SyncAccount) async throws -> String

  /// Forgets the password of an account that was removed.
  func removePassword(of account: SyncAccount) async
}

/// For a library without accounts.
public struct NoPasswords: AccountPasswords {
  public init() {}

  public func password(of account: SyncAccount) async throws -> String {
    throw SyncError.noPassword(reason: "This program keeps none.")
  }

  public func removePassword(of account: SyncAccount) async {}
}

extension Library {
  // MARK: Accounts

  /// The accounts, in the order in which they were added.
  public func accounts() -> Loader<[AccountSummary]> {
    Loader { [self] _ in try await storedAccounts() }
  }

  /// The same without a loader, for commands.
  ///
  /// - Throws: ``StoreError``.
  public func storedAccounts() async throws -> [AccountSummary] {
    try await store.accountSummaries()
  }

  /// Adds an account, once its server has taken the name and the password.
  ///
  /// Nothing is synced yet: ``sync(_:)`` does that.
  ///
  /// - Parameters:
  ///   - address: that of the server, or of its API, which is looked for in the places where servers
  ///     have it.
  ///   - passwordCommand: the program that prints the password; nil where `password` is to be kept,
  ///     which is the caller's to do.
  /// - Throws: ``SyncError``, `HTTPError` or ``StoreError``.
  public func addAccount(
    _ kind: SyncAccount.Kind = .googleReader, address: String, user: String, password: String,
    passwordCommand: [String]? = nil
  ) async throws -> SyncAccount {
    let typed = address.trimmingWhiteSpace()
    let isHere = ["localhost", "127.", "[::1]"].contains { typed.hasPrefix($0) }
    let named = typed.contains("://") ? typed : (isHere ? "http://" : "https://") + typed
    guard let web = WebAddress.web(named) else {
      throw HTTPError.invalidAddress(UserMessage.cleaned(FeedCredentials.hidden(in: address)))
    }
    var failure: (any Error)?
    for candidate in kind.addresses(of: FeedCredentials.split(web).address) {
      let session = SyncSession { password }
      let draft = SyncAccount(
        id: SyncAccount.ID(rawValue: 0), kind: kind, address: candidate, user: user)
      do {
        try await server(of: draft, session).logIn()
      } catch let error as SyncError {
        // What the first place says is what the user has to do with, unless another says more.
        if failure == nil || error == .passwordRefused { failure = error }
        if error == .passwordRefused { break }
        continue
      }
      let account = try await store.insertAccount(
        kind, address: candidate, user: user, passwordCommand: passwordCommand,
        secrets: session.secrets)
      guard let account else { throw SyncError.alreadyThere }
      changed()
      return account
    }
    throw failure ?? SyncError.notAServer(detail: web)
  }

  /// Has an account log in with another password from now on.
  ///
  /// - Parameter passwordCommand: as for ``addAccount(_:address:user:password:passwordCommand:)``.
  /// - Throws: ``SyncError``, `HTTPError` or ``StoreError``; then the old one stays.
  public func checkPassword(
    _ password: String, of id: SyncAccount.ID, passwordCommand: [String]? = nil
  ) async throws {
    guard let account = try await store.account(id)?.account else { throw SyncError.noSuchAccount }
    let session = SyncSession { password }
    try await server(of: account, session).logIn()
    try await store.setPassword(of: id, command: passwordCommand, secrets: session.secrets)
    changed()
  }

  /// Removes an account, here and not on its server.
  ///
  /// - Parameters:
  ///   - keepsFeeds: whether its feeds stay and are fetched from their own servers; else they go, with
  ///     their articles, as ``remove(_:)-(Feed.ID)`` has it.
  ///   - dropsChanges: whether what the server does not know yet is given up.
  /// - Throws: ``SyncError/changesWaiting(_:)``, ``SyncError/noSuchAccount`` or ``StoreError``.
  public func removeAccount(
    _ id: SyncAccount.ID, keepsFeeds: Bool = false, dropsChanges: Bool = false
  ) async throws {
    guard let summary = try await storedAccounts().first(where: { $0.id == id }) else {
      throw SyncError.noSuchAccount
    }
    if summary.waitingCount > 0, !dropsChanges {
      throw SyncError.changesWaiting(summary.waitingCount)
    }
    guard try await store.removeAccount(id, keepsFeeds: keepsFeeds, at: now()) else {
      throw SyncError.noSuchAccount
    }
    await passwords.removePassword(of: summary.account)
    changed()
  }

  /// Adds a feed to an account, whose server fetches it.
  ///
  /// A feed that is here without an account becomes one of the account. ``undo()`` removes it again.
  ///
  /// - Returns: with a failure where the server cannot be asked now: it is when it can.
  /// - Throws: ``SyncError/feedRefused(_:)``, ``LibraryError`` or ``StoreError``; then nothing is added.
  public func addition(
    of address: String, to account: SyncAccount.ID
  ) async throws -> Addition {
    guard let normalized = FeedAddress.normalized(address, directory: "/"),
      let web = WebAddress.web(normalized)
    else {
      throw LibraryError.unusableAddress(
        UserMessage.cleaned(FeedCredentials.hidden(in: address)))
    }
    let plain = FeedCredentials.split(web).address
    guard let id = try await store.insertFeed(address: plain, of: account) else {
      throw LibraryError.alreadyAdded(address: UserMessage.cleaned(plain))
    }
    changed()
    func stored() async throws -> StoredFeed? { try await store.feeds(in: .feed(id)).first }
    var failure: (any Error)?
    // The first may be a sync that had begun before.
    for _ in 0..<2 {
      do {
        let report = try await sync(account)
        if let refusal = report.refusedFeeds.first(where: { $0.id == id }) {
          _ = try await store.removeFeed(id, at: now())
          changed()
          throw SyncError.feedRefused(refusal.reason)
        }
        failure = nil
      } catch let error where error is HTTPError || error as? SyncError == .busy {
        failure = error
      }
      if try await store.pendingFeeds(of: account).allSatisfy({ $0.id != id }) { break }
    }
    guard let feed = try await stored()?.feed else { throw LibraryError.noSuchFeed }
    recordAddition(of: feed)
    return Addition(feed: feed, failure: failure)
  }

  // MARK: Syncing

  /// The accounts that are being synced, each with its progress.
  public var syncing: [SyncAccount.ID: LoadingProgress] { accountBoard.progress }

  /// Yields whenever ``syncing`` changes; changes that come faster than they are consumed arrive as
  /// one.
  public func syncingChanges() -> AsyncStream<Void> { accountBoard.changes() }

  /// Ends the sync of an account; what was sent stays sent.
  public func cancelSyncing(_ id: SyncAccount.ID) { accountBoard.end(id, at: now()) }

  /// Exchanges everything with an account's server.
  ///
  /// Two callers share one sync. Where another process is at it, this waits for nothing: what comes is
  /// told by ``changes()``.
  ///
  /// - Throws: ``SyncError``, `HTTPError`, ``StoreError`` or `CancellationError`, which is also what a
  ///   user who ends it makes of it. The account keeps the failure: ``AccountSummary/failure``.
  @discardableResult
  public func sync(_ id: SyncAccount.ID) async throws -> SyncReport {
    guard let report = try await exchange(id) else { throw CancellationError() }
    return report
  }

  /// Tells the servers what was marked and changed here, where something waits, and asks for nothing.
  ///
  /// A server that cannot be reached is no error here: what waits goes with the next sync.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  public func sendMarks() async throws {
    let now = now()
    for summary in try await storedAccounts() where summary.waitingCount > 0 {
      if let next = summary.nextAttempt, next > now { continue }
      do {
        _ = try await exchange(summary.id, isWhole: false)
      } catch let error where error is StoreError || error is CancellationError {
        throw error
      } catch {}
    }
  }

  /// Nil when a user ended it.
  func exchange(_ id: SyncAccount.ID) async throws -> SyncReport? {
    // Where somebody else is only sending marks, that is waited for, and not enough.
    while let exchange = try await exchange(id, isWhole: true) {
      if exchange.isWhole { return exchange.report }
    }
    return nil
  }

  /// Exchanges what there is, or shares in the exchange that is at work.
  private func exchange(_ id: SyncAccount.ID, isWhole: Bool) async throws -> AccountExchange? {
    try await accountBoard.run(id) { [self] in
      AccountExchange(report: try await exchangeAlone(id, isWhole: isWhole), isWhole: isWhole)
    }
  }

  private func exchangeAlone(_ id: SyncAccount.ID, isWhole: Bool) async throws -> SyncReport {
    guard let account = try await store.account(id) else { throw SyncError.noSuchAccount }
    let lock = try lock(id)
    defer { withExtendedLifetime(lock) {} }
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
      // Where feeds are parsed, too: thousands of articles must keep no key waiting.
      let report = try await withTaskExecutorPreference(threads.feeds) {
        isWhole ? try await sync.run() : try await sync.send()
      }
      try await keep(session, account)
      try await store.record(.succeeded(isWhole: isWhole), of: id, at: now())
      changed()
      return report
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      if error is StoreError { throw error }
      try await keep(session, account)
      let isOffline = (error as? HTTPError)?.isOfNetwork == true
      try await store.record(
        isOffline ? .offline : .failed(UserMessage(error)), of: id, at: now())
      changed()
      throw error
    }
  }

  private func keep(_ session: SyncSession, _ account: StoredAccount) async throws {
    let secrets = await session.secrets
    if secrets != account.secrets { try await store.keep(secrets, of: account.account.id) }
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

/// What came of one exchange with an account's server.
struct AccountExchange: Sendable {
  let report: SyncReport
  /// Whether everything was exchanged; else marks were sent, and nothing was asked for.
  let isWhole: Bool
}

extension SyncAccount.Kind {
  /// Where a server may have its API, from the address that a user knows.
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

extension HTTPError {
  /// Whether it says that the server cannot be reached at the moment, and nothing about the server.
  fileprivate var isOfNetwork: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .timedOut(.connecting), .connectionLost, .proxy: true
    default: false
    }
  }
}
