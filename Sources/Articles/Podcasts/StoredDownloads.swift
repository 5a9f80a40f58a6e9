import Foundation
import GRDB
import HTTP

/// A download with the stored data that its fetch needs.
struct StoredDownload: Sendable {
  var download: Download
  let origin: RequestOrigin
  /// The version of the partial file on the disk; nil when the rest cannot be requested.
  let version: FileVersion?
  /// The credentials of the article's feed, if they may be sent to the address of the file.
  let credentials: FeedCredentials?
}

extension ArticleStore {
  /// Adds an article's enclosure to the end of the queue, or restores the download that it already
  /// has.
  func enqueue(
    _ enclosure: Attachment, of article: Article, title: String? = nil, privateHost: String?
  ) async throws -> Download.ID {
    try await write(durability: .disk) { database in
      let id = try Download.ID.fetchOne(
        database,
        sql: """
          INSERT INTO download
            (place, articleID, feedTitle, title, address, type, bytes, seconds, privateHost, state)
          VALUES ((SELECT COALESCE(MAX(place), 0) + 1 FROM download), ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')
          ON CONFLICT (address) DO UPDATE SET removedAt = NULL,
            state = CASE state WHEN 'done' THEN state ELSE 'waiting' END,
            articleID = COALESCE(excluded.articleID, articleID), feedTitle = excluded.feedTitle,
            title = excluded.title, type = excluded.type, bytes = excluded.bytes,
            seconds = excluded.seconds, privateHost = excluded.privateHost
          RETURNING id
          """,
        arguments: [
          article.id, article.feedTitle, title ?? article.title, enclosure.address, enclosure.type,
          enclosure.byteCount, enclosure.seconds, privateHost,
        ])
      guard let id else { throw DownloadError.noSuchDownload }
      return id
    }
  }

  /// Returns the downloads in the order of the queue, without removed ones.
  func downloads() async throws -> [StoredDownload] {
    try await read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM download WHERE removedAt IS NULL ORDER BY place, id"
      ).map(StoredDownload.init)
    }
  }

  /// Returns a download; nil when there is none, or it was removed.
  func download(_ id: Download.ID) async throws -> StoredDownload? {
    try await read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT download.*, feed.address AS feedAddress, feed.credentials FROM download
          LEFT JOIN article ON article.id = download.articleID
          LEFT JOIN feed ON feed.id = article.feedID AND feed.removedAt IS NULL
          WHERE download.id = ? AND download.removedAt IS NULL
          """, arguments: [id]
      ).map(StoredDownload.init)
    }
  }

  /// - Parameter keepsFinished: whether a download that has finished stays as it is.
  /// - Returns: false when nothing was changed.
  @discardableResult
  func setState(
    _ state: Download.State, of id: Download.ID, keepsFinished: Bool = false
  ) async throws -> Bool {
    var (name, path): (String, String?) = ("waiting", nil)
    var failure: UserMessage?
    switch state {
    case .waiting: break
    case .paused: name = "paused"
    case .failed(let message): (name, failure) = ("failed", message)
    case .done(let file): (name, path) = ("done", file)
    }
    let arguments: StatementArguments = [
      name, path, failure?.what, failure?.advice, failure?.detail, failure?.isLasting,
      failure?.retryDate?.timeIntervalSince1970, id, keepsFinished,
    ]
    return try await write(durability: .disk) { database in
      return try database.changes(
        """
        UPDATE download SET state = ?, file = ?, failureWhat = ?, failureAdvice = ?,
          failureDetail = ?, failureIsLasting = COALESCE(?, 0), retryAfter = ?
        WHERE id = ? AND removedAt IS NULL AND NOT (? AND state = 'done')
        """, arguments)
    }
  }

  /// Stores the version of the partial file on the disk.
  func setVersion(_ version: FileVersion?, of id: Download.ID) async throws {
    try await write {
      try $0.run("UPDATE download SET validator = ? WHERE id = ?", [version?.text, id])
    }
  }

  /// - Parameter known: changes only a download that was played at this date; nil for any.
  /// - Returns: false when there is no such download.
  @discardableResult
  func setPlayed(
    _ date: Date?, of id: Download.ID, insteadOf known: Date? = nil
  ) async throws -> Bool {
    try await write { database in
      try database.changes(
        """
        UPDATE download SET playedAt = ?1
        WHERE id = ?2 AND removedAt IS NULL AND (?3 IS NULL OR playedAt = ?3)
        """, [date?.timeIntervalSince1970, id, known?.timeIntervalSince1970])
    }
  }

  /// Removes a download from the queue at a date; a nil date restores it.
  ///
  /// - Returns: false when nothing was changed.
  func setRemoved(_ date: Date?, _ id: Download.ID) async throws -> Bool {
    try await write(durability: .disk) { database in
      return try database.changes(
        """
        UPDATE download SET removedAt = ?1 WHERE id = ?2 AND (removedAt IS NULL) <> (?1 IS NULL)
        """, [date?.timeIntervalSince1970, id])
    }
  }

  /// Swaps a download with the one that many places after it.
  ///
  /// - Returns: false when there is none.
  func move(_ id: Download.ID, by step: Int) async throws -> Bool {
    try await write { database in
      let queue = try Row.fetchAll(
        database, sql: "SELECT id, place FROM download WHERE removedAt IS NULL ORDER BY place, id")
      guard let index = queue.firstIndex(where: { $0["id"] as Download.ID == id }),
        queue.indices.contains(index + step)
      else { return false }
      let (moved, other) = (queue[index], queue[index + step])
      for (row, place) in [(moved, other["place"] as Int64), (other, moved["place"])] {
        try database.run(
          "UPDATE download SET place = ? WHERE id = ?", [place, row["id"] as Int64])
      }
      return true
    }
  }

  /// Deletes downloads that were removed at or before a date.
  ///
  /// - Parameter ids: the downloads to delete; nil for all.
  /// - Returns: the ids of the deleted downloads, and the paths of their files; nil for a file that
  ///   another download has.
  func purgeDownloads(
    _ ids: [Download.ID]?, removedBefore date: Date
  ) async throws -> [(Download.ID, path: String?)] {
    let old = try await read {
      try Download.ID.fetchAll(
        $0, sql: "SELECT id FROM download WHERE removedAt <= ?",
        arguments: [date.timeIntervalSince1970])
    }
    let chosen = old.filter { ids?.contains($0) ?? true }
    guard !chosen.isEmpty else { return [] }
    return try await write { database in
      try chosen.flatMap {
        try Row.fetchAll(
          database,
          // The name of a file that the user has deleted may have gone to another download.
          sql: """
            DELETE FROM download WHERE id = ? AND removedAt IS NOT NULL
            RETURNING id, CASE WHEN NOT EXISTS (
              SELECT 1 FROM download AS other WHERE other.file = download.file
                AND other.id <> download.id) THEN file END
            """,
          arguments: [$0])
      }.map { ($0[0], $0[1]) }
    }
  }
}

extension StoredDownload {
  fileprivate init(_ row: Row) {
    let state: Download.State =
      switch row["state"] as String {
      case "done": .done(path: row["file"] ?? "")
      case "paused": .paused
      case "failed": .failed(UserMessage(failureIn: row) ?? UserMessage(what: "", advice: ""))
      default: .waiting
      }
    let address: String = row["address"]
    let mayGo = (row["feedAddress"] as String?).map {
      FeedCredentials.mayGo(from: $0, to: address)
    }
    self.init(
      download: Download(
        id: row["id"],
        articleID: row["articleID"],
        feedTitle: row["feedTitle"], title: row["title"],
        enclosure: Attachment(
          address: address, type: row["type"], byteCount: row["bytes"], seconds: row["seconds"]),
        state: state, played: Date(seconds: row["playedAt"])),
      origin: RequestOrigin(privateHost: row["privateHost"]),
      version: FileVersion(row["validator"]),
      credentials: mayGo == true
        ? (row["credentials"] as String?).map(FeedCredentials.init(text:)) : nil)
  }
}
