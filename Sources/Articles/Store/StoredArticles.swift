import Foundation
import GRDB
import HTTP

/// The stored text of an article.
struct StoredText: Sendable {
  let html: String
  let base: String?
  var attachments: [Attachment] = []
  /// The private-network host that the text came from; nil for the public network.
  var privateHost: String?
  /// The text of the article's web page, if it was fetched.
  var full: FullText?
  /// Whether the feed's own setting says that the full text is fetched; nil if the general setting
  /// applies.
  var wantsFull: Bool?
  /// Whether the article's web page was fetched and has clearly less text than this.
  var isLongerThanPage = false
}

extension StoredText {
  /// The article's enclosures, which are no pictures: audio and video first.
  var enclosures: [Attachment] {
    let enclosures = attachments.filter(\.isEnclosure)
    return enclosures.filter { $0.kind != .other } + enclosures.filter { $0.kind == .other }
  }

  /// The files that can be fetched in addition to the text.
  var extras: ArticleExtras {
    let hasFile = attachments.contains { $0.kind == .chapters }
    return ArticleExtras(
      enclosures: enclosures,
      hasTranscript: TranscriptFormat.best(of: attachments, languages: []) != nil,
      hasChapters: hasFile || !FeedChapters.chapters(in: html).isEmpty)
  }
}

extension ArticleDocument {
  /// The origin of the addresses of its pictures, which decides what may be fetched.
  public var origin: RequestOrigin {
    RequestOrigin(privateHost: privateHost)
  }
}

extension ArticleStore {
  /// Returns an article with its text; nil when it is gone.
  func article(_ id: Article.ID) async throws -> (Article, StoredText)? {
    try await read { [self] database in
      guard
        let row = try Row.fetchOne(
          database,
          sql: """
            SELECT \(Self.columns), html, base,
              (SELECT privateHost FROM feed WHERE feed.id = feedID) AS privateHost,
              (SELECT fullText FROM feed WHERE feed.id = feedID) AS wantsFull,
              \(Self.isLongerThanPage) AS isLongerThanPage
            FROM article LEFT JOIN articleText ON articleID = id WHERE id = ?
            """, arguments: [id])
      else { return nil }
      let titles = try Self.feedTitles(database)
      return try (
        named([row], titles, database)[0],
        StoredText(
          html: row["html"] ?? "", base: row["base"],
          attachments: Self.attachments(database, of: id),
          privateHost: row["privateHost"], full: Self.fullText(of: id, database),
          wantsFull: row["wantsFull"], isLongerThanPage: row["isLongerThanPage"])
      )
    }
  }

  /// Stores the contents of a fetched feed, and the facts of the fetch, in one transaction.
  ///
  /// - Parameters:
  ///   - address: where the feed was fetched; nil if that does not matter.
  ///   - rules: the rules that are applied to new articles.
  ///   - details: the details of new articles, see ``details(ofNewIn:of:rules:)``; those that are
  ///     missing are computed in the transaction.
  /// - Returns: how many articles are new and not muted; nil when the feed has been removed
  ///   meanwhile, is one of an account now, or the user has changed its address.
  func save(
    _ feed: PreparedFeed, of id: Feed.ID, from address: String? = nil,
    facts: FetchFacts = FetchFacts(), rules: RulesInForce = .none,
    details: [String: ArticleDetails] = [:], at date: Date
  ) async throws -> Int? {
    let joinsCopies = joinsCopies.load(ordering: .relaxed)
    let title = FeedArrangement(title: feed.title).title
    return try await write { database -> Int? in
      // The title of an imported list is not the user's if the feed has it. Only at first: later, a
      // feed may have the user's title for a while. The next fetch has to bring the rest of what was
      // not read to its end.
      try Self.recordSuccess(
        database, at: date, notBefore: facts.notBefore,
        setting: """
          customTitle =
            CASE WHEN lastFetched IS NULL THEN NULLIF(customTitle, \(title)) ELSE customTitle END,
          title = COALESCE(NULLIF(\(feed.title), ''), title),
          site = COALESCE(\(feed.site), CASE WHEN \(feed.isWhole) THEN NULL ELSE site END),
          etag = \(feed.isWhole ? facts.etag : nil),
          lastModified = \(feed.isWhole ? facts.lastModified : nil),
          beginsInPublic = COALESCE(beginsInPublic, \(facts.beginsInPublic)),
          privateHost = \(facts.contentOrigin.privateHost),
          """, where: Self.isFeed(id, fetchedFrom: address))
      guard database.changesCount > 0 else { return nil }
      if let address = facts.newAddress {
        _ = try Self.changeAddress(
          database, of: id, to: address, isPublic: facts.contentOrigin == .publicContent)
      }

      let stored = try Self.stored(feed.articles, of: id, database)
      var returning = try Self.articlesOfRemovedAccount(
        of: id, offered: feed.articles.lazy.map(\.content), database)
      var memory = try FeedMemory(of: id, at: date, database)
      var new: [NewArticle] = []
      var changed: [Article.ID] = []
      // Another process may have changed or removed an article after its details were computed.
      func known(_ article: PreparedArticle) -> ArticleDetails {
        details[article.content.guid] ?? ArticleDetails(article, home: feed.home, rules: rules)
      }
      for article in feed.articles {
        let (guid, link) = (article.content.guid, article.content.link)
        if let (articleID, oldDigest) = stored[guid] {
          guard oldDigest != article.digest else { continue }
          try article.update(database, id: articleID, known(article))
          changed.append(articleID)
        } else if let articleID = returning.take(article.content) {
          try database.run("UPDATE article SET guid = ? WHERE id = ?", [guid, articleID])
          try article.update(database, id: articleID, known(article))
          changed.append(articleID)
        } else if !memory.isDropped(guid: guid) {
          let isRead = memory.readElsewhere.contains(guid: guid, link: link)
          new.append(
            NewArticle(article: article, details: known(article), feed: id, isRead: isRead))
        }
      }
      let ids = try Self.insert(new, seen: date, database)
      self.noteOwn(ids)
      try memory.finish(database, isWhole: feed.isWhole)
      let mayBeCopies = try Self.noteKeys(
        ofNew: zip(ids, new).map { ($0, $1.details.keys) }, database)
      if joinsCopies, mayBeCopies || !changed.isEmpty {
        try Self.readCopies(of: changed + ids, database)
      }
      let arrived = zip(ids, new).map { (id: $0, words: $1.details.words) }
      return try new.count - Self.apply(rules, to: arrived, database)
    }
  }

  /// Returns the articles that came from the server of an account that was removed since: the feed
  /// itself has other guids.
  private static func articlesOfRemovedAccount(
    of id: Feed.ID, offered: some Sequence<ParsedArticle>, _ database: Database
  ) throws -> ReturningArticles {
    try ReturningArticles(
      of: id,
      where: """
        guid BETWEEN \(RemoteID.prefix) AND \(RemoteID.prefix) || char(0x10FFFF)
        AND remoteID IS NULL
        """, offered: offered, database)
  }

  private static func attachments(
    _ database: Database, of id: Article.ID
  ) throws -> [Attachment] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT address, type, bytes, seconds FROM attachment WHERE articleID = ? ORDER BY position
        """, arguments: [id]
    ).map { Attachment(address: $0[0], type: $0[1], byteCount: $0[2], seconds: $0[3]) }
  }
}

extension PreparedArticle {
  /// Updates an article; one whose feed no longer gives a date keeps its old date.
  fileprivate func update(
    _ database: Database, id: Article.ID, _ details: ArticleDetails
  ) throws {
    let published = content.published?.timeIntervalSince1970
    try database.run(
      """
      UPDATE article SET title = ?1, author = ?2, link = ?3,
        published = COALESCE(?4, published),
        listed = MIN(COALESCE(?4, published, firstSeen), firstSeen),
        readingMinutes = CASE
          WHEN EXISTS (SELECT 1 FROM fullText WHERE articleID = ?7 AND html IS NOT NULL)
          THEN readingMinutes ELSE ?5 END,
        digest = ?6
      WHERE id = ?7
      """,
      [content.title, content.author, content.link, published, details.readingMinutes, digest, id])
    try database.run(
      "INSERT OR REPLACE INTO articleText (articleID, html, base) VALUES (?, ?, ?)",
      [id, content.html, content.base])
    try database.run("DELETE FROM attachment WHERE articleID = ?", [id])
    try database.insert(
      into: ArticleStore.attachmentColumns, ArticleStore.attachmentRows(content.attachments, of: id)
    )
    try ArticleStore.noteKeys(details.keys, of: id, database)
  }
}
