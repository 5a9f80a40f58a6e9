import Foundation
import GRDB
import Synchronization

/// A server's lists of marked articles.
struct RemoteLists: Sendable {
  var unread: Set<RemoteID> = []
  var starred: Set<RemoteID> = []
  var labels: [String: Set<RemoteID>] = [:]

  /// How many entries all lists have in total.
  var count: Int { labels.values.reduce(unread.count + starred.count) { $0 + $1.count } }

  /// All articles in any of the lists.
  var all: Set<RemoteID> { labels.values.reduce(unread.union(starred)) { $0.union($1) } }

  /// Whether an article has a star or a tag, and so is never dropped.
  func isWished(_ id: RemoteID) -> Bool {
    starred.contains(id) || labels.values.contains { $0.contains(id) }
  }
}

extension ArticleStore {
  // MARK: Articles

  /// Returns the articles in any of the lists that are not stored here, except for those whose feed
  /// is known not to be here, and those that were dropped here and that nobody has given a star or
  /// a tag since.
  func unknown(in lists: RemoteLists, of account: SyncAccount.ID) async throws -> [RemoteID] {
    try await read { database in
      let known = try Set(
        String.fetchCursor(
          database,
          sql: """
            SELECT article.remoteID FROM article JOIN feed ON feed.id = feedID
            WHERE accountID = ?1 AND article.remoteID IS NOT NULL
            UNION ALL
            SELECT item FROM strayArticle WHERE accountID = ?1 AND feed NOT IN (
              SELECT remoteID FROM feed
              WHERE accountID = ?1 AND remoteID IS NOT NULL AND removedAt IS NULL)
            """, arguments: [account]))
      let dropped = try Self.dropped(of: account, database)
      return lists.all.filter {
        !known.contains($0.text)
          && (!dropped.contains(FeedMemory.key($0.whole)) || lists.isWished($0))
      }.sorted { $0.text > $1.text }
    }
  }

  /// Returns the feeds of an account of which no article has a server id yet, although there are
  /// unread ones: feeds that have just joined the account.
  func unmatchedFeeds(
    of account: SyncAccount.ID
  ) async throws -> [(remote: String, articleCount: Int)] {
    try await read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT remoteID, (SELECT COUNT(*) FROM article WHERE feedID = feed.id) FROM feed
          WHERE accountID = ? AND remoteID IS NOT NULL AND removedAt IS NULL
            AND EXISTS (SELECT 1 FROM article WHERE feedID = feed.id AND isRead = 0)
            AND NOT EXISTS
              (SELECT 1 FROM article WHERE feedID = feed.id AND remoteID IS NOT NULL)
          ORDER BY id
          """, arguments: [account]
      ).map { (remote: $0[0], articleCount: $0[1]) }
    }
  }

  private static func dropped(
    of account: SyncAccount.ID, _ database: Database
  ) throws -> Set<Int64> {
    try Set(
      Int64.fetchCursor(
        database,
        sql: "SELECT guid FROM dropped JOIN feed ON feed.id = feedID WHERE accountID = ?",
        arguments: [account]))
  }

  /// Stores articles from a server in one transaction.
  ///
  /// A local article without a server id, but with the same guid or link, becomes the server's
  /// article; its read mark, star and tags are sent to the server. So is the read mark of a new
  /// article that was read in another program. An article that was dropped here, and has been given
  /// a star or a tag elsewhere since, is restored.
  ///
  /// - Parameter matched: the same for all calls of one sync.
  /// - Returns: how many articles are new and not muted, by feed.
  func save(
    _ articles: [RemoteArticle], of account: SyncAccount.ID, lists: RemoteLists,
    rules: RulesInForce, matched: MatchedFeeds = MatchedFeeds(), at date: Date
  ) async throws -> [Feed.ID: Int] {
    let homes = try await sites(of: account).compactMapValues(DuplicateKeys.key(ofLink:))
    let prepared = articles.map { article in
      let content = PreparedArticle(article.content)
      let details = ArticleDetails(content, home: homes[article.feed], rules: rules)
      return (article, content, details)
    }
    let joinsCopies = joinsCopies.load(ordering: .relaxed)
    // What a write has found counts only once it is stored: it may be undone, and run again.
    let (counts, found) = try await write { database in
      var feeds: [String: RemoteShelf] = [:]
      var counts: [Feed.ID: Int] = [:]
      var new: [NewArticle] = []
      var arriving: [Feed.ID: Set<RemoteID>] = [:]
      var readElsewhere: [Int] = []
      let droppedIDs = try Self.droppedIDs(
        articles.lazy.map(\.id).filter(lists.isWished), of: account, database)
      // `+feedID` makes SQLite use the index of server ids instead of that of feeds.
      let here = try database.cachedStatement(
        sql: "SELECT id FROM article WHERE remoteID = ? AND +feedID = ?")
      let withGuid = try database.cachedStatement(
        sql: "SELECT id, remoteID FROM article WHERE feedID = ? AND guid = ?")
      for (article, content, details) in prepared {
        if feeds[article.feed] == nil {
          feeds[article.feed] = try RemoteShelf(
            article.feed, of: account,
            offered: prepared.lazy.filter { $0.0.feed == article.feed }.map(\.1.content),
            matched: matched, database)
        }
        guard let id = feeds[article.feed]?.id else {
          // Another program may have removed the account meanwhile.
          try database.run(
            """
            INSERT OR REPLACE INTO strayArticle (accountID, item, feed)
            SELECT id, ?, ? FROM account WHERE id = ?
            """, [article.id.text, article.feed, account])
          continue
        }
        guard try Int64.fetchOne(here, arguments: [article.id.text, id]) == nil,
          arriving[id, default: []].insert(article.id).inserted
        else { continue }
        if let dropped = droppedIDs[article.id.text], try database.restoreDropped(dropped) {
          if lists.starred.contains(article.id) {
            try database.run(
              "UPDATE article SET isStarred = 1, isMuted = 0 WHERE id = ?", [dropped])
          }
          continue
        }
        // An article may come back that cannot be told from others, but for its guid.
        let known = try Row.fetchOne(withGuid, arguments: [id, content.content.guid])
        let unclaimed: Article.ID? = known.flatMap { $0["remoteID"] == nil ? $0["id"] : nil }
        if let local = feeds[article.feed]?.returning?.take(content.content) ?? unclaimed {
          try Self.adopt(local, as: article.id, of: account, lists: lists, database)
          continue
        }
        let isUnread = lists.unread.contains(article.id)
        let wasRead = feeds[article.feed]?.wasRead(content.content) ?? false
        if isUnread, wasRead { readElsewhere.append(new.count) }
        new.append(
          NewArticle(
            article: known == nil ? content : try Self.withFreeGuid(content, in: id, database),
            details: details, feed: id,
            isRead: !isUnread || wasRead,
            isStarred: lists.starred.contains(article.id), remote: article.id))
      }
      let ids = try Self.insert(new, seen: date, database)
      self.noteOwn(ids)
      try Self.post(
        MarkChange(mark: .read, value: true, articles: readElsewhere.map { ids[$0] }), database)
      let mayBeCopies = try Self.noteKeys(
        ofNew: zip(ids, new).map { ($0, $1.details.keys) }, database)
      if joinsCopies, mayBeCopies { try Self.readCopies(of: ids, database) }
      for (feed, articles) in Dictionary(grouping: zip(ids, new), by: \.1.feed) {
        let arrived = articles.map { (id: $0, words: $1.details.words) }
        counts[feed] = try arrived.count - Self.apply(rules, to: arrived, database)
      }
      return (counts, feeds.values.filter(\.isMatched).compactMap(\.id))
    }
    matched.ids.withLock { $0.formUnion(found) }
    return counts
  }

  /// Returns a server's article under a guid that no other article of its feed has.
  ///
  /// Its guid is its server id. An article that got another server id since has kept its guid; a
  /// server that was restored may give the id out again.
  private static func withFreeGuid(
    _ article: PreparedArticle, in feed: Feed.ID, _ database: Database
  ) throws -> PreparedArticle {
    var content = article.content
    while try database.exists(
      "SELECT 1 FROM article WHERE feedID = ? AND guid = ?", arguments: [feed, content.guid])
    { content.guid += "+" }
    return content.guid == article.content.guid ? article : PreparedArticle(content)
  }

  /// Returns the restorable articles among those of an account, by the server's ids.
  private static func droppedIDs(
    _ ids: some Sequence<RemoteID>, of account: SyncAccount.ID, _ database: Database
  ) throws -> [String: Article.ID] {
    let ids = ids.map(\.text)
    guard !ids.isEmpty else { return [:] }
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT droppedArticle.remoteID, droppedArticle.id
        FROM feed CROSS JOIN droppedArticle ON feedID = feed.id
        WHERE accountID = \(account) AND droppedArticle.remoteID IN \(ids)
        """
    ).fetchAll(database)
    return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
  }

  /// Returns the web sites of an account's feeds, by the server's ids of the feeds.
  private func sites(of account: SyncAccount.ID) async throws -> [String: String] {
    try await read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT remoteID, site FROM feed
          WHERE accountID = ? AND remoteID IS NOT NULL AND site IS NOT NULL
          """, arguments: [account])
      return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
    }
  }

  /// Gives a local article its server id.
  private static func adopt(
    _ id: Article.ID, as remote: RemoteID, of account: SyncAccount.ID, lists: RemoteLists,
    _ database: Database
  ) throws {
    try database.run("UPDATE article SET remoteID = ? WHERE id = ?", [remote.text, id])
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT isRead, isStarred, tags FROM article WHERE id = ?", arguments: [id])
    else { return }
    var marks: [ArticleMark] = []
    if row[0], lists.unread.contains(remote) { marks.append(.read) }
    if row[1], !lists.starred.contains(remote) { marks.append(.starred) }
    marks += NameList.names(row[2]).map(ArticleMark.tag)
    for mark in marks {
      try post(MarkChange(mark: mark, value: true, articles: [id]), database)
    }
  }

  // MARK: Marks

  /// Returns the articles that have a star here and none on the server, except those whose star has
  /// not been sent yet, and those of removed feeds.
  func withoutStar(in lists: RemoteLists, of account: SyncAccount.ID) async throws -> [RemoteID] {
    try await read { database in
      // `+` keeps SQLite from the index of all articles of servers.
      try String.fetchAll(
        database,
        sql: """
          SELECT article.remoteID FROM article CROSS JOIN feed ON feed.id = feedID
          WHERE isStarred = 1 AND accountID = ?1 AND removedAt IS NULL
            AND +article.remoteID IS NOT NULL AND article.remoteID NOT IN
              (SELECT item FROM outbox WHERE accountID = ?1 AND mark = 'isStarred')
          """, arguments: [account]
      ).map(RemoteID.init(stored:)).filter { !lists.starred.contains($0) }
    }
  }

  /// Sets the marks of an account's articles to those of the server, except for marks in the
  /// outbox: these are newer.
  ///
  /// The articles of removed feeds keep their marks.
  ///
  /// - Parameters:
  ///   - unstarred: the articles that have lost their star on the server.
  ///   - gone: the articles that the server no longer has; they stay, but are local only.
  /// - Returns: how many marks were changed.
  func apply(
    _ lists: RemoteLists, unstarred: [RemoteID], gone: [RemoteID], of account: SyncAccount.ID,
    at date: Date
  ) async throws -> Int {
    let joinsCopies = joinsCopies.load(ordering: .relaxed)
    return try await write { database in
      try database.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS temp.remoteMark
            (mark TEXT, item TEXT, PRIMARY KEY (mark, item)) WITHOUT ROWID;
          DELETE FROM temp.remoteMark;
          """)
      let insert = try database.cachedStatement(
        sql: "INSERT OR IGNORE INTO temp.remoteMark (mark, item) VALUES (?, ?)")
      func list(_ mark: String, _ ids: some Sequence<RemoteID>) throws {
        for id in ids { try insert.execute(arguments: [mark, id.text]) }
      }
      try list("isRead", lists.unread)
      try list("isStarred", lists.starred)
      try list("unstarred", unstarred)
      for id in gone {
        try database.run(
          """
          UPDATE article SET remoteID = NULL WHERE remoteID = ?
            AND feedID IN (SELECT id FROM feed WHERE accountID = ?)
          """, [id.text, account])
      }
      var count = 0
      // `+` keeps SQLite from reading all articles of the account in place of those with a mark. For
      // a small account, that means all unread articles of other feeds are read, once per sync.
      @discardableResult
      func change(_ values: SQL, where condition: SQL, mark: String) throws -> [Article.ID] {
        let changed = try SQLRequest<Article.ID>(
          literal: """
            UPDATE article SET \(values) WHERE \(condition)
              AND +feedID IN
                (SELECT id FROM feed WHERE accountID = \(account) AND removedAt IS NULL)
              AND remoteID NOT IN (SELECT item FROM outbox
                WHERE accountID = \(account) AND mark = \(mark))
            RETURNING id
            """
        ).fetchAll(database)
        count += changed.count
        return changed
      }
      func isIn(_ lists: String...) -> SQL { isIn(lists) }
      func isIn(_ lists: [String]) -> SQL {
        "remoteID IN (SELECT item FROM temp.remoteMark WHERE mark IN \(lists))"
      }
      try change("isRead = 0", where: "isRead = 1 AND \(isIn("isRead"))", mark: "isRead")
      let read = try change(
        "isRead = 1", where: "isRead = 0 AND +remoteID IS NOT NULL AND NOT \(isIn("isRead"))",
        mark: "isRead")
      if joinsCopies { _ = try Self.setCopies(.read, true, of: read, database) }
      try change(
        "isStarred = 1, isMuted = 0", where: "isStarred = 0 AND \(isIn("isStarred"))",
        mark: "isStarred")
      try change(
        "isStarred = 0", where: "isStarred = 1 AND \(isIn("unstarred"))", mark: "isStarred")
      for (name, ids) in lists.labels {
        let mark = ArticleMark.tag(name)
        try list(mark.name, ids)
        let (given, isWithout) = mark.change(to: true)
        let tagged = try change(
          given, where: "\(isWithout) AND \(isIn(mark.name))", mark: mark.name)
        if mark.isWish { _ = try Self.set(.muted, false, where: Self.among(tagged), database) }
      }
      // A tag is the same one in any case: an article that has it in another spelling than the
      // label was not given it a second time, and loses it in its own.
      for name in lists.labels.isEmpty ? [] : try Self.tagNames(database) {
        let folded = FoldedText.folded(name)
        let same = lists.labels.keys.filter { FoldedText.folded($0) == folded }
        guard !same.isEmpty else { continue }
        let mark = ArticleMark.tag(name)
        let (taken, isWith) = mark.change(to: false)
        try change(
          taken,
          where: """
            \(isWith) AND +remoteID IS NOT NULL
              AND NOT \(isIn(same.map { ArticleMark.tag($0).name }))
            """, mark: mark.name)
      }
      try database.run(
        """
        DELETE FROM strayArticle WHERE accountID = ? AND item NOT IN
          (SELECT item FROM temp.remoteMark WHERE mark <> 'unstarred')
        """, [account])
      try Self.noteSeen(lists, of: account, at: date, database)
      try database.run(
        """
        DELETE FROM readElsewhere WHERE feedID IN
          (SELECT id FROM feed WHERE accountID = ? AND remoteID IS NOT NULL)
        """, [account])
      try Self.recordSuccess(
        database, at: date, where: "accountID = \(account) AND remoteID IS NOT NULL")
      return count
    }
  }

  /// Remembers dropped articles as long as they are in the server's lists, so that they do not
  /// count as new.
  private static func noteSeen(
    _ lists: RemoteLists, of account: SyncAccount.ID, at date: Date, _ database: Database
  ) throws {
    let dropped = try Row.fetchAll(
      database,
      sql: """
        SELECT feedID, guid, seen FROM dropped JOIN feed ON feed.id = feedID WHERE accountID = ?
        """, arguments: [account])
    guard !dropped.isEmpty else { return }
    let now = date.timeIntervalSince1970
    let keys = Set(lists.all.lazy.map { FeedMemory.key($0.whole) })
    for row in dropped
    where keys.contains(row[1]) && FeedMemory.isToBeUpdated(row[2], at: now) {
      try database.run(
        "UPDATE dropped SET seen = ? WHERE feedID = ? AND guid = ?",
        [now, row[0] as Feed.ID, row[1] as Int64])
    }
    try database.run(
      """
      DELETE FROM dropped WHERE seen < ?
        AND feedID IN (SELECT id FROM feed WHERE accountID = ?)
      """, [now - FeedMemory.grace, account])
  }
}

/// The feeds of which every article is known to have a server id.
///
/// During a sync, no feed gets an article without one: what is fetched from its own server is not
/// stored any more. So a sync reads the articles of such a feed for its first batches, and not for
/// each.
final class MatchedFeeds: Sendable {
  fileprivate let ids = Mutex<Set<Feed.ID>>([])
}

/// One feed of an account, with its articles that have no server id, while articles are added.
private struct RemoteShelf {
  /// Nil when the feed does not exist here.
  let id: Feed.ID?
  /// Whether every article of the feed has a server id.
  private(set) var isMatched = false
  var returning: ReturningArticles?
  private var readElsewhere: ReadElsewhere?

  init(
    _ feed: String, of account: SyncAccount.ID, offered: some Sequence<ParsedArticle>,
    matched: MatchedFeeds, _ database: Database
  ) throws {
    id = try Feed.ID.fetchOne(
      database,
      sql: "SELECT id FROM feed WHERE accountID = ? AND remoteID = ? AND removedAt IS NULL",
      arguments: [account, feed])
    guard let id else { return }
    readElsewhere = try ReadElsewhere(of: id, database)
    isMatched = matched.ids.withLock { $0.contains(id) }
    guard !isMatched else { return }
    let local = try ReturningArticles(
      of: id, where: "remoteID IS NULL", offered: offered, database)
    isMatched = local.isEmpty
    returning = local
  }

  /// Whether an article was read in another program before it was fetched here.
  func wasRead(_ article: ParsedArticle) -> Bool {
    readElsewhere?.contains(guid: article.guid, link: article.link) ?? false
  }
}
