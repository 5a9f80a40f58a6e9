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
  /// Those of them that were muted before they got a star.
  var unmuted: [Int64] = []
}

extension ArticleStore {
  /// Sets or removes a mark; articles that are gone are passed over.
  func mark(_ mark: ArticleMark, _ value: Bool, of ids: [Int64]) async throws -> MarkChange {
    try await self.mark(mark, value, where: Self.among(ids))
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
      let changed = try Self.set(mark.rawValue, value, where: condition, database)
      var change = MarkChange(mark: mark, value: value, articles: changed)
      if mark == .starred, value {
        // What has a star is wanted, whatever a rule says of it.
        change.unmuted = try Self.set("isMuted", false, where: Self.among(changed), database)
      }
      return change
    }
  }

  /// Makes marks what they were before a change of them; articles that are gone are passed over.
  ///
  /// - Returns: those whose mark had still been changed.
  func takeBack(_ change: MarkChange) async throws -> [Int64] {
    try await write(durability: .disk) { database in
      let restored = try Self.set(
        change.mark.rawValue, !change.value, where: Self.among(change.articles), database)
      let muted = Set(restored).intersection(change.unmuted)
      _ = try Self.set("isMuted", true, where: Self.among(Array(muted)), database)
      return restored
    }
  }

  private static func among(_ ids: [Int64]) -> SQL {
    "id IN (\(ids.map(Article.ID.init(rawValue:)).sql))"
  }

  /// Gives a column of marks a value, where it has another.
  ///
  /// - Returns: the articles of which that was changed.
  static func set(
    _ column: String, _ value: Bool, where condition: SQL, _ database: Database
  ) throws -> [Int64] {
    let column = SQL(sql: column)
    return try SQLRequest(
      literal: """
        UPDATE article SET \(column) = \(value) WHERE \(column) <> \(value) AND \(condition)
        RETURNING id
        """
    ).fetchAll(database)
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
