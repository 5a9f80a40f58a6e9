import Foundation
import GRDB
import Storage

/// What the user can mark an article with.
enum ArticleMark: String, Sendable {
  case read = "isRead"
  case starred = "isStarred"
}

/// Marks that were really changed: those that had been so before are not among them.
struct MarkChange: Sendable, Hashable {
  let mark: ArticleMark
  let value: Bool
  let articles: [Int64]

  /// What undoes it.
  var inverse: MarkChange { MarkChange(mark: mark, value: !value, articles: articles) }
}

extension ArticleStore {
  /// Sets or removes a mark; articles that are gone are passed over.
  func mark(_ mark: ArticleMark, _ value: Bool, of ids: [Int64]) async throws -> MarkChange {
    try await self.mark(
      mark, value, where: "id IN (\(ids.map(Article.ID.init(rawValue:)).sql))")
  }

  /// Marks all articles of a list as read.
  ///
  /// - Parameter newest: those with a higher id came after the list was made: nobody has seen them.
  func markRead(_ query: ArticleQuery, newest: Int64?) async throws -> MarkChange {
    try await mark(
      .read, true, where: "isRead = 0 AND \(query.condition) AND id <= \(newest ?? .max)")
  }

  private func mark(
    _ mark: ArticleMark, _ value: Bool, where condition: SQL
  ) async throws -> MarkChange {
    try await write(durability: .disk) { database in
      let column = SQL(sql: mark.rawValue)
      let changed = try SQLRequest<Int64>(
        literal: """
          UPDATE article SET \(column) = \(value) WHERE \(column) <> \(value) AND \(condition)
          RETURNING id
          """
      ).fetchAll(database)
      return MarkChange(mark: mark, value: value, articles: changed)
    }
  }

  // MARK: Where the reading stopped

  func position(of id: Article.ID) async throws -> ReadingPosition? {
    try await read { database in
      try Row.fetchOne(
        database, sql: "SELECT block, offset FROM articlePosition WHERE articleID = ?",
        arguments: [id.rawValue]
      ).map { ReadingPosition(block: $0[0], offset: $0[1]) }
    }
  }

  /// Does nothing when the article is gone.
  func setPosition(_ position: ReadingPosition?, of id: Article.ID) async throws {
    try await write { database in
      guard let position else {
        return try database.execute(
          sql: "DELETE FROM articlePosition WHERE articleID = ?", arguments: [id.rawValue])
      }
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO articlePosition (articleID, block, offset)
          SELECT id, ?, ? FROM article WHERE id = ?
          """, arguments: [position.block, position.offset, id.rawValue])
    }
  }
}
