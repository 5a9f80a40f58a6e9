import Foundation
import GRDB

/// An account with the stored data that a sync needs.
struct StoredAccount: Sendable {
  let account: SyncAccount
  let secrets: SyncSession.Secrets
  /// Whether the server has refused a label of an article.
  let lacksLabels: Bool
  /// When the last sync was tried, without those that failed before the pause of an earlier failure
  /// had ended; `failureCount` attempts in a row, including it, have failed.
  let lastAttempt: Date?
  /// When everything was last exchanged.
  let lastSynced: Date?
  let failureCount: Int
  /// Why the last sync that reached the server failed; nil if it did not fail.
  let failure: UserMessage?
  /// Whether the last attempt failed because the server could not be reached.
  let isOffline: Bool

  /// Whether the last failure needs the user, because the server does not accept the password.
  var needsPassword: Bool { failure?.isRefusedPassword ?? false }

  /// When a failed sync is tried again automatically; nil if the last one did not fail.
  ///
  /// The pause is shorter when offline: a network comes back sooner than a server is repaired. Only
  /// a password is not tried again, since a server may block an account after a few wrong ones. Any
  /// other error may pass, also one of a feed that would be lasting: the sign-in page of a network
  /// has the certificate of another server, a proxy answers with 404 while its server restarts, and
  /// another program may be able to read a password that this one cannot.
  var nextAttempt: Date? {
    guard failureCount > 0, let lastAttempt else { return nil }
    guard isOffline || !needsPassword else {
      return lastAttempt.addingTimeInterval(Self.rest)
    }
    let pause =
      isOffline
      ? min(FailurePause.seconds(failures: failureCount, chance: 0.5, first: 30), 900)
      : FailurePause.seconds(failures: failureCount, chance: 0.5)
    return max(lastAttempt.addingTimeInterval(pause), failure?.retryDate ?? .distantPast)
  }

  /// How long an account without the right password waits for the user, in seconds.
  private static let rest: TimeInterval = 365 * 86_400

  func mayBeTried(at now: Date) -> Bool {
    guard let lastAttempt, let nextAttempt else { return true }
    return !RefreshPolicy.isPausing(from: lastAttempt, to: nextAttempt, now: now)
  }

  /// Returns the failure with which the server asked to wait until later than now; nil if it has not.
  func request(toWaitAt now: Date) -> UserMessage? {
    guard failureCount > 0, let lastAttempt, let failure, let end = failure.retryDate,
      RefreshPolicy.isPausing(from: lastAttempt, to: end, now: now)
    else { return nil }
    return failure
  }
}

/// A mark that has not been sent to the server yet.
///
/// The outbox does for marks what a `MutationJournal` does for other changes. It has a table of its
/// own for two reasons: a row is written in the same transaction as its mark, which a journal in
/// another store could not do; and servers take hundreds of marks in one request, while a
/// `MutationOutbox` sends each change in a request of its own.
struct OutboxRow: Sendable, Hashable {
  let revision: Int64
  let item: RemoteID
  let mark: ArticleMark
  let value: Bool
}

extension ArticleMark {
  /// The corresponding mark on a server, and whether it means the opposite; nil for a mark that is
  /// only local.
  var remote: (mark: RemoteMark, isInverse: Bool)? {
    switch self {
    case .read: (.unread, true)
    case .starred: (.starred, false)
    case .tag(let name): (.label(name), false)
    case .muted: nil
    }
  }
}

extension ArticleStore {
  // MARK: Accounts

  func accounts() async throws -> [StoredAccount] { try await read(Self.accounts) }

  /// Returns all accounts, and the feeds of a selection.
  func accounts(
    withFeedsIn selection: FeedSelection
  ) async throws -> (accounts: [StoredAccount], feeds: [StoredFeed]) {
    try await read { (try Self.accounts($0), try Self.feeds(in: selection, $0)) }
  }

  private static func accounts(_ database: Database) throws -> [StoredAccount] {
    try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM account ORDER BY id"))
      .map(StoredAccount.init)
  }

  /// Returns the accounts with marks or changes of feeds that have not been sent yet.
  func accountsWithChanges() async throws -> [SyncAccount.ID] {
    try await read { database in
      try SyncAccount.ID.fetchAll(
        database, sql: "SELECT id FROM account WHERE \(Self.waitingCount) > 0 ORDER BY id")
    }
  }

  func account(_ id: SyncAccount.ID) async throws -> StoredAccount? {
    try await read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM account WHERE id = ?", arguments: [id]
      ).map(StoredAccount.init)
    }
  }

  /// Checks that an account is there: another process may have removed it.
  ///
  /// - Throws: ``SyncError/noSuchAccount``.
  static func require(_ id: SyncAccount.ID, _ database: Database) throws {
    guard try database.exists("SELECT 1 FROM account WHERE id = ?", arguments: [id]) else {
      throw SyncError.noSuchAccount
    }
  }

  /// The condition for the feeds that ``pendingFeeds(of:)`` returns.
  private static let isPending = """
    ((remoteID IS NULL) = (removedAt IS NULL)
      OR removedAt IS NULL AND (COALESCE(customTitle, title) <> title
        OR replace(COALESCE(folder, ''), char(31), '/') <> COALESCE(remoteFolder, '')))
    """

  /// How many marks and changes of feeds of an `account` have not been sent yet.
  static let waitingCount = """
    ((SELECT COUNT(*) FROM outbox WHERE accountID = account.id)
      + (SELECT COUNT(*) FROM feed WHERE accountID = account.id AND \(isPending)))
    """

  /// Refuses a change of feeds that their server has no request for: it could never be sent.
  ///
  /// Called in the transaction of the change, after it.
  ///
  /// - Throws: ``SyncError/unsupported``, or ``SyncError/folderRequired``.
  static func requireSendable(_ feeds: [Feed.ID], _ database: Database) throws {
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT account.*, removedAt IS NULL AND folder IS NULL AND remoteFolder IS NOT NULL AS leaves
        FROM feed JOIN account ON account.id = accountID
        WHERE \(SQL(sql: isPending)) AND feed.id IN \(feeds)
        """
    ).fetchAll(database)
    for row in rows {
      let account = StoredAccount(row)
      if account.account.kind == .fever { throw SyncError.unsupported }
      if row["leaves"], account.secrets.areOfMiniflux { throw SyncError.folderRequired }
    }
  }

  /// Returns all accounts with what is known about them.
  ///
  /// - Parameters: see ``feedSummaries(reloadInterval:now:)``.
  func accountSummaries(
    reloadInterval: TimeInterval? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) async throws -> [AccountSummary] {
    try await read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT *,
            (SELECT COUNT(*) FROM feed WHERE accountID = account.id AND removedAt IS NULL) AS feeds,
            (SELECT TOTAL(unreadCount) FROM feed
              WHERE accountID = account.id AND removedAt IS NULL) AS unread,
            EXISTS (SELECT 1 FROM feed WHERE accountID = account.id AND removedAt IS NULL
              AND (remoteID IS NOT NULL OR lastFetched IS NOT NULL)) AS hasFeeds,
            \(Self.waitingCount) AS waiting
          FROM account ORDER BY id
          """
      ).map { row in
        let offlineSince = Date(seconds: row["offlineSince"])
        let stored = StoredAccount(row)
        return AccountSummary(
          account: stored.account, feedCount: row["feeds"],
          unreadCount: Int(row["unread"] as Double), waitingCount: row["waiting"],
          lastSynced: stored.lastSynced, offlineSince: offlineSince,
          failure: offlineSince == nil ? stored.failure : nil, nextAttempt: stored.nextAttempt,
          nextReload: row["hasFeeds"]
            ? nil : RefreshPolicy.nextReload(of: stored, every: reloadInterval, now: now()))
      }
    }
  }

  /// Adds an account; returns nil when there is already one with this address and user.
  func insertAccount(
    _ kind: SyncAccount.Kind, address: String, user: String, passwordCommand: [String]?,
    secrets: SyncSession.Secrets
  ) async throws -> SyncAccount? {
    let (command, session) = try (passwordCommand.map(Self.json), Self.json(secrets))
    return try await write(durability: .disk) { database in
      try Row.fetchOne(
        database,
        sql: """
          INSERT OR IGNORE INTO account (protocol, address, user, passwordCommand, session)
          VALUES (?, ?, ?, ?, ?) RETURNING *
          """, arguments: [kind.rawValue, address, user, command, session]
      ).map { StoredAccount($0).account }
    }
  }

  /// Changes the password and forgets the failures of the old one.
  func setPassword(
    of id: SyncAccount.ID, command: [String]?, secrets: SyncSession.Secrets
  ) async throws {
    let (command, session) = try (command.map(Self.json), Self.json(secrets))
    try await write(durability: .disk) { database in
      try database.run(
        """
        UPDATE account SET passwordCommand = ?, session = ?, failureWhat = NULL,
          failureIsLasting = 0, failureCount = 0 WHERE id = ?
        """, [command, session, id])
      try Self.endPauses(of: id, database)
    }
  }

  /// Lets the feeds of an account wait as long as the account, if its last sync failed.
  static func beginPauses(of account: SyncAccount.ID, _ database: Database) throws {
    let row = try Row.fetchOne(
      database, sql: "SELECT * FROM account WHERE id = ?", arguments: [account])
    guard let stored = row.map(StoredAccount.init), let last = stored.lastAttempt,
      let next = stored.nextAttempt
    else { return }
    try database.run(
      "UPDATE feed SET lastAttempt = ?, notBefore = ? WHERE accountID = ?",
      [last.timeIntervalSince1970, next.timeIntervalSince1970, account])
  }

  /// Lets the feeds of an account be fetched again, after its failure was solved or it was removed.
  static func endPauses(of account: SyncAccount.ID, _ database: Database) throws {
    try database.run("UPDATE feed SET notBefore = NULL WHERE accountID = ?", [account])
  }

  private static func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  /// Records that the server of an account has no labels.
  func noteNoLabels(of id: SyncAccount.ID) async throws {
    try await write { database in
      try database.run("UPDATE account SET hasLabels = 0 WHERE id = ?", [id])
    }
  }

  /// The result of a sync.
  enum SyncOutcome: Sendable {
    /// `isWhole` is true for a full exchange, false when only local changes were sent.
    case succeeded(isWhole: Bool)
    case offline
    case failed(UserMessage)
  }

  /// Records the result of a sync, and the login that it used.
  ///
  /// If the user has given the password again meanwhile, neither the login nor a failure of the old
  /// one says anything about the new one.
  ///
  /// - Parameter account: the account as the sync found it.
  func record(
    _ outcome: SyncOutcome, of account: StoredAccount, secrets: SyncSession.Secrets, at date: Date
  ) async throws {
    let (id, seconds) = (account.account.id, date.timeIntervalSince1970)
    let session = try Self.json(secrets)
    try await write { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM account WHERE id = ?", arguments: [id])
      guard let stored = row.map(StoredAccount.init) else { return }
      if stored.secrets == account.secrets {
        if secrets != stored.secrets {
          try database.run("UPDATE account SET session = ? WHERE id = ?", [session, id])
        }
      } else if case .failed = outcome {
        return
      }
      // A retry by hand must not lengthen the pause, nor put off the automatic one.
      let counts = stored.mayBeTried(at: date)
      switch outcome {
      case .succeeded(let isWhole):
        try database.run(
          """
          UPDATE account SET lastSynced = CASE WHEN ?3 THEN ?1 ELSE lastSynced END,
            lastAttempt = ?1, offlineSince = NULL,
            failureWhat = NULL, failureAdvice = NULL, failureDetail = NULL, failureIsLasting = 0,
            failureCount = 0, retryAfter = NULL WHERE id = ?2
          """, [seconds, id, isWhole])
      // It goes on waiting for the password, and not for the network.
      case .offline where stored.needsPassword && !stored.isOffline: return
      case .offline:
        try database.run(
          """
          UPDATE account SET lastAttempt = CASE WHEN ?3 THEN ?1 ELSE lastAttempt END,
            offlineSince = COALESCE(offlineSince, ?1), failureCount = failureCount + ?3
            WHERE id = ?2
          """, [seconds, id, counts])
      case .failed(let message):
        try database.run(
          """
          UPDATE account SET lastAttempt = CASE WHEN ?8 THEN ?1 ELSE lastAttempt END,
            offlineSince = NULL, failureWhat = ?2, failureAdvice = ?3, failureDetail = ?4,
            failureIsLasting = ?5, failureCount = failureCount + ?8, retryAfter = ?6 WHERE id = ?7
          """,
          [
            seconds, message.what, message.advice, message.detail, message.isLasting,
            message.retryDate?.timeIntervalSince1970, id, counts,
          ])
      }
      try Self.beginPauses(of: id, database)
    }
  }

  // MARK: The outbox

  /// Adds the marks of articles from a server to the outbox, in the transaction that sets them.
  static func post(_ change: MarkChange, _ database: Database) throws {
    guard change.mark.remote != nil, !change.articles.isEmpty,
      try database.exists("SELECT 1 FROM account")
    else { return }
    try database.execute(
      literal: """
        INSERT OR REPLACE INTO outbox (accountID, item, mark, value)
        SELECT accountID, article.remoteID, \(change.mark.name), \(change.value)
        FROM article JOIN feed ON feed.id = feedID
        WHERE article.remoteID IS NOT NULL AND accountID IS NOT NULL
          AND article.\(among(change.articles))
        """
    )
    // A new change is a reason to try again soon, after the pause of a first failure.
    try database.execute(
      literal: """
        UPDATE account SET failureCount = 1 WHERE failureCount > 1 AND id IN
          (SELECT feed.accountID FROM article JOIN feed ON feed.id = feedID
            WHERE article.remoteID IS NOT NULL AND article.\(among(change.articles)))
        """
    )
  }

  /// Returns all unsent marks, oldest first.
  func outbox(of id: SyncAccount.ID) async throws -> [OutboxRow] {
    try await read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT revision, item, mark, value FROM outbox WHERE accountID = ? ORDER BY revision",
        arguments: [id]
      ).compactMap { row in
        guard let mark = ArticleMark(name: row[2]) else { return nil }
        return OutboxRow(
          revision: row[0], item: RemoteID(stored: row[1]), mark: mark, value: row[3])
      }
    }
  }

  /// Removes the marks that have been sent; a mark that was changed meanwhile has a new revision
  /// and stays.
  func removeFromOutbox(_ rows: [OutboxRow]) async throws {
    try await write { database in
      let statement = try database.cachedStatement(sql: "DELETE FROM outbox WHERE revision = ?")
      for row in rows { try statement.execute(arguments: [row.revision]) }
    }
  }
}

extension StoredAccount {
  fileprivate init(_ row: Row) {
    func decoded<Value: Decodable>(_ column: String) -> Value? {
      (row[column] as String?).flatMap {
        try? JSONDecoder().decode(Value.self, from: Data($0.utf8))
      }
    }
    self.init(
      account: SyncAccount(
        id: row["id"],
        kind: SyncAccount.Kind(rawValue: row["protocol"]) ?? .googleReader,
        address: row["address"], user: row["user"], passwordCommand: decoded("passwordCommand")),
      secrets: decoded("session") ?? SyncSession.Secrets(),
      lacksLabels: (row["hasLabels"] as Bool?) == false,
      lastAttempt: Date(seconds: row["lastAttempt"]), lastSynced: Date(seconds: row["lastSynced"]),
      failureCount: row["failureCount"],
      failure: UserMessage(failureIn: row),
      isOffline: (row["offlineSince"] as Double?) != nil)
  }
}
