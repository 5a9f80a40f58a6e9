import Foundation
import GRDB

/// What a store knows of an account, for syncing it.
struct StoredAccount: Sendable {
  let account: SyncAccount
  let secrets: SyncSession.Secrets
  let hasLabels: Bool?
  /// When it was last tried, with so many failures in a row up to then.
  let lastAttempt: Date?
  let failureCount: Int
  /// Whether trying again cannot help, as with a wrong password.
  let failureIsLasting: Bool
  /// Whether the last failure was that the server could not be reached.
  let isOffline: Bool
  /// Until when its server allows no other request.
  let retryAfter: Date?

  /// When it is tried again by itself after a failure; nil where there was none.
  ///
  /// A network comes back sooner than a server's mistake is corrected.
  var nextAttempt: Date? {
    guard failureCount > 0, let lastAttempt else { return nil }
    guard isOffline || !failureIsLasting else {
      return lastAttempt.addingTimeInterval(Self.rest)
    }
    let pause =
      isOffline
      ? min(FailurePause.seconds(failures: failureCount, chance: 0.5, first: 30), 900)
      : FailurePause.seconds(failures: failureCount, chance: 0.5)
    return max(lastAttempt.addingTimeInterval(pause), retryAfter ?? .distantPast)
  }

  /// What cannot be helped by trying again waits for the user: so long, in seconds.
  private static let rest: TimeInterval = 365 * 86_400

  func mayBeTried(at now: Date) -> Bool { nextAttempt.map { $0 <= now } ?? true }
}

/// A mark that its server does not know yet.
struct OutboxRow: Sendable, Hashable {
  let revision: Int64
  let item: RemoteID
  let mark: ArticleMark
  let value: Bool
}

extension ArticleMark {
  /// The same mark on a server, and whether it says the opposite; nil for one that is only ours.
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

  func accounts() async throws -> [StoredAccount] {
    try await read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM account ORDER BY id").map(StoredAccount.init)
    }
  }

  func account(_ id: SyncAccount.ID) async throws -> StoredAccount? {
    try await read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM account WHERE id = ?", arguments: [id.rawValue]
      ).map(StoredAccount.init)
    }
  }

  /// The feeds of which ``pendingFeeds(of:)`` tells.
  private static let isPending = """
    ((remoteID IS NULL) = (removedAt IS NULL)
      OR removedAt IS NULL AND (COALESCE(customTitle, title) <> title
        OR replace(COALESCE(folder, ''), char(31), '/') <> COALESCE(remoteFolder, '')))
    """

  func accountSummaries() async throws -> [AccountSummary] {
    try await read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT *,
            (SELECT COUNT(*) FROM feed WHERE accountID = account.id AND removedAt IS NULL) AS feeds,
            (SELECT TOTAL(unreadCount) FROM feed
              WHERE accountID = account.id AND removedAt IS NULL) AS unread,
            (SELECT COUNT(*) FROM outbox WHERE accountID = account.id)
              + (SELECT COUNT(*) FROM feed
                WHERE accountID = account.id AND \(Self.isPending)) AS waiting
          FROM account ORDER BY id
          """
      ).map { row in
        let offlineSince = Date(seconds: row["offlineSince"])
        let failure = (row["failureWhat"] as String?).map { what in
          UserMessage(
            what: what, advice: row["failureAdvice"] ?? "", detail: row["failureDetail"],
            isLasting: row["failureIsLasting"], retryDate: Date(seconds: row["retryAfter"]))
        }
        let stored = StoredAccount(row)
        return AccountSummary(
          account: stored.account, feedCount: row["feeds"],
          unreadCount: Int(row["unread"] as Double), waitingCount: row["waiting"],
          lastSynced: Date(seconds: row["lastSynced"]), offlineSince: offlineSince,
          failure: offlineSince == nil ? failure : nil, nextAttempt: stored.nextAttempt)
      }
    }
  }

  /// Nil when there is one with this address and name already.
  func insertAccount(
    _ kind: SyncAccount.Kind, address: String, user: String, passwordCommand: [String]?,
    secrets: SyncSession.Secrets
  ) async throws -> SyncAccount? {
    let command = try passwordCommand.map {
      String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
    }
    let session = String(decoding: try JSONEncoder().encode(secrets), as: UTF8.self)
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

  /// Another password: what failed with the old one is forgotten.
  func setPassword(
    of id: SyncAccount.ID, command: [String]?, secrets: SyncSession.Secrets
  ) async throws {
    let command = try command.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    let session = String(decoding: try JSONEncoder().encode(secrets), as: UTF8.self)
    try await write(durability: .disk) { database in
      try database.execute(
        sql: """
          UPDATE account SET passwordCommand = ?, session = ?, failureWhat = NULL,
            failureDate = NULL, failureIsLasting = 0, failureCount = 0 WHERE id = ?
          """, arguments: [command, session, id.rawValue])
    }
  }

  func keep(_ secrets: SyncSession.Secrets, of id: SyncAccount.ID) async throws {
    let session = String(decoding: try JSONEncoder().encode(secrets), as: UTF8.self)
    try await write { database in
      try database.execute(
        sql: "UPDATE account SET session = ? WHERE id = ?", arguments: [session, id.rawValue])
    }
  }

  func setHasLabels(_ hasLabels: Bool, of id: SyncAccount.ID) async throws {
    try await write { database in
      try database.execute(
        sql: "UPDATE account SET hasLabels = ? WHERE id = ?", arguments: [hasLabels, id.rawValue])
    }
  }

  /// Removes an account with what it has not sent.
  ///
  /// - Parameter keepsFeeds: whether its feeds stay, and are fetched from their own servers from now
  ///   on; else they are removed like any other.
  /// - Returns: false when there is none.
  func removeAccount(
    _ id: SyncAccount.ID, keepsFeeds: Bool, at date: Date
  ) async throws -> Bool {
    try await write(durability: .disk) { database in
      let feeds = try Int64.fetchAll(
        database, sql: "SELECT id FROM feed WHERE accountID = ?", arguments: [id.rawValue])
      for feed in feeds {
        if !keepsFeeds { _ = try Self.removeFeed(Feed.ID(rawValue: feed), at: date, database) }
        try database.execute(
          sql: "UPDATE feed SET remoteID = NULL, remoteFolder = NULL WHERE id = ?",
          arguments: [feed])
        // Of the server alone: another account may have articles of the same numbers.
        try database.execute(
          sql: "UPDATE article SET remoteID = NULL WHERE feedID = ?", arguments: [feed])
      }
      try database.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [id.rawValue])
      return database.changesCount > 0
    }
  }

  /// How a sync came out.
  enum SyncOutcome: Sendable {
    /// Everything was exchanged, or what was changed here was sent.
    case succeeded(isWhole: Bool)
    case offline
    case failed(UserMessage)
  }

  func record(_ outcome: SyncOutcome, of id: SyncAccount.ID, at date: Date) async throws {
    let seconds = date.timeIntervalSince1970
    try await write { database in
      switch outcome {
      case .succeeded(let isWhole):
        try database.execute(
          sql: """
            UPDATE account SET lastSynced = CASE WHEN ?3 THEN ?1 ELSE lastSynced END,
              lastAttempt = ?1, offlineSince = NULL,
              failureWhat = NULL, failureAdvice = NULL, failureDetail = NULL, failureDate = NULL,
              failureIsLasting = 0, failureCount = 0, retryAfter = NULL WHERE id = ?2
            """, arguments: [seconds, id.rawValue, isWhole])
      case .offline:
        try database.execute(
          sql: """
            UPDATE account SET lastAttempt = ?1, offlineSince = COALESCE(offlineSince, ?1),
              failureCount = failureCount + 1 WHERE id = ?2
            """, arguments: [seconds, id.rawValue])
      case .failed(let message):
        try database.execute(
          sql: """
            UPDATE account SET lastAttempt = ?1, offlineSince = NULL, failureDate = ?1,
              failureWhat = ?2, failureAdvice = ?3, failureDetail = ?4, failureIsLasting = ?5,
              failureCount = failureCount + 1, retryAfter = ?6 WHERE id = ?7
            """,
          arguments: [
            seconds, message.what, message.advice, message.detail, message.isLasting,
            message.retryDate?.timeIntervalSince1970, id.rawValue,
          ])
      }
      // Its feeds wait with it.
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM account WHERE id = ?", arguments: [id.rawValue])
      if let next = row.map(StoredAccount.init)?.nextAttempt {
        try database.execute(
          sql: "UPDATE feed SET lastAttempt = ?, notBefore = ? WHERE accountID = ?",
          arguments: [seconds, next.timeIntervalSince1970, id.rawValue])
      }
    }
  }

  // MARK: The outbox

  /// Puts marks of articles that have a server into the outbox, in the transaction in which they were
  /// set.
  static func post(_ change: MarkChange, _ database: Database) throws {
    guard change.mark.remote != nil, !change.articles.isEmpty,
      try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM account)") == true
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
  }

  /// Everything that waits, oldest first.
  func outbox(of id: SyncAccount.ID) async throws -> [OutboxRow] {
    try await read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT revision, item, mark, value FROM outbox WHERE accountID = ? ORDER BY revision",
        arguments: [id.rawValue]
      ).compactMap { row in
        guard let mark = ArticleMark(name: row[2]) else { return nil }
        return OutboxRow(
          revision: row[0], item: RemoteID(stored: row[1]), mark: mark, value: row[3])
      }
    }
  }

  /// Takes out what the server knows now; a mark that was changed meanwhile has another revision, and
  /// stays.
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
        id: SyncAccount.ID(rawValue: row["id"]),
        kind: SyncAccount.Kind(rawValue: row["protocol"]) ?? .googleReader,
        address: row["address"], user: row["user"], passwordCommand: decoded("passwordCommand")),
      secrets: decoded("session") ?? SyncSession.Secrets(), hasLabels: row["hasLabels"],
      lastAttempt: Date(seconds: row["lastAttempt"]), failureCount: row["failureCount"],
      failureIsLasting: row["failureIsLasting"],
      isOffline: (row["offlineSince"] as Double?) != nil,
      retryAfter: Date(seconds: row["retryAfter"]))
  }
}
