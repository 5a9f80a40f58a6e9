import Foundation
import GRDB

extension FeedSelection {
  /// The SQL condition for the selected rows of `feed`.
  var feedCondition: SQL {
    switch self {
    case .all: "removedAt IS NULL"
    case .feed(let id): "removedAt IS NULL AND id = \(id)"
    case .folder(let folder):
      {
        let text = folder.stored
        let inner = text + NameList.separator
        return """
          removedAt IS NULL
            AND (folder = \(text) OR substr(folder, 1, length(\(inner))) = \(inner))
          """
      }()
    case .account(let id): "removedAt IS NULL AND accountID = \(id)"
    }
  }

  /// The SQL condition for the rows of `article` that belong to these feeds.
  var articleCondition: SQL {
    let removed: SQL = "feedID NOT IN (SELECT id FROM feed WHERE removedAt IS NOT NULL)"
    return switch self {
    case .all: removed
    case .feed(let id): "feedID = \(id) AND \(removed)"
    case .folder, .account: "feedID IN (SELECT id FROM feed WHERE \(feedCondition))"
    }
  }
}

extension ArticleQuery {
  /// The SQL condition for the query's rows of `article`, without the limit.
  var condition: SQL { condition(keeping: []) }

  /// - Parameter kept: articles that count as unread although they are read.
  func condition(keeping kept: [Article.ID]) -> SQL {
    let all = condition(ofEach: .article, keeping: kept)
    if case .feed = feeds { return all }
    return showsCopies
      ? all : "\(all) AND \(Self.isFirstCopy(among: condition(ofEach: .twin, keeping: kept)))"
  }

  /// The condition for an article, whether or not it is a copy of another one.
  private func condition(ofEach row: ArticleRow, keeping kept: [Article.ID]) -> SQL {
    var conditions = [feeds.articleCondition]
    if feeds == .all, isStarred == true || self.where?.includesKept == true {
      conditions = ["(\(feeds.articleCondition) OR \(ArticleMark.isWished))"]
    }
    // Literals instead of arguments: only then SQLite knows that it can use the index of unread
    // articles.
    switch isRead {
    case true?: conditions.append("isRead = 1")
    case false? where kept.isEmpty: conditions.append("isRead = 0")
    case false? where row == .article && isNarrowedOnlyByRead:
      // No index finds articles by one of two conditions: all would be read if there is nothing
      // else to find them by.
      conditions.append(
        "id IN (SELECT id FROM article WHERE isRead = 0 UNION ALL \(kept.sql))")
    case false?: conditions.append("(isRead = 0 OR +id IN (\(kept.sql)))")
    case nil: break
    }
    if let isStarred { conditions.append(isStarred ? "isStarred = 1" : "isStarred = 0") }
    if let since { conditions.append("listed >= \(since.timeIntervalSince1970)") }
    if let condition = self.where { conditions.append(condition.sql(of: row)) }
    if self.where?.namesMuted != true { conditions.append("isMuted = 0") }
    return conditions.joined(separator: " AND ")
  }
}

/// The row of the table of articles that a condition is about.
enum ArticleRow {
  /// An article of a list.
  case article
  /// A copy of that article.
  case twin

  var name: SQL {
    switch self {
    case .article: "article"
    case .twin: "twin"
    }
  }

  /// Its id, to be compared with the ids of many articles.
  ///
  /// A copy is looked for among the few copies of an article, and not among those ids: `+` keeps
  /// SQLite from that.
  var id: SQL {
    switch self {
    case .article: "id"
    case .twin: "+id"
    }
  }
}

extension [Article.ID] {
  /// The ids as one argument: SQLite limits the number of arguments.
  var sql: SQL {
    "SELECT value FROM json_each(\("[\(map { String($0.rawValue) }.joined(separator: ","))]"))"
  }
}

extension ArticleOrder {
  /// The SQL sort order for rows of `article`; it is total.
  ///
  /// Titles and feeds have no index: reading all rows of a list through one takes as long as
  /// sorting them.
  var sql: SQL {
    switch self {
    case .newest: "listed DESC, id"
    // SQLite can read the index of the newest articles backwards.
    case .oldest: "listed, id DESC"
    case .feed:
      """
      (SELECT COALESCE(customTitle, NULLIF(title, ''), address) FROM feed
        WHERE feed.id = feedID) COLLATE TITLES, feedID, listed DESC, id
      """
    case .title: "title COLLATE TITLES, listed DESC, id"
    case .length: "readingMinutes IS NULL, readingMinutes, listed DESC, id"
    }
  }
}

extension ArticleCondition {
  /// The SQL condition for the rows of `article` that fulfil this condition.
  ///
  /// - Parameters:
  ///   - row: the rows, whose columns also have to be known without its name.
  ///   - index: the full-text table with their words.
  func sql(of row: ArticleRow = .article, index: SQL = "search") -> SQL {
    func matches(_ expression: SearchExpression) -> SQL {
      "\(row.id) IN (SELECT rowid FROM \(index) WHERE \(index) MATCH \(expression.text))"
    }
    func joined(_ parts: [ArticleCondition], _ separator: String) -> SQL {
      "(\(parts.map { $0.sql(of: row, index: index) }.joined(separator: separator)))"
    }
    if let expression { return matches(expression) }
    switch self {
    case .all([]): return "TRUE"
    case .all(let parts): return joined(parts, " AND ")
    case .any([]): return "FALSE"
    case .any(let parts): return joined(parts, " OR ")
    case .not(let part): return "NOT \(part.sql(of: row, index: index))"
    case .words(let phrase, let part): return matches(SearchExpression(phrase, in: part))
    case .signs(let text):
      // In a query of its own: the index has a column of that name, too.
      return """
        \(row.id) IN (
          SELECT id FROM article WHERE instr(replace(title, char(0xFE0F), ''), \(text)))
        """
    case .text(let text, let part):
      // The body last: computing it takes much longer than the others.
      let columns: [SQL] =
        switch part {
        case nil: ["title", "author", "body"]
        case .title: ["title"]
        case .author: ["author"]
        case .text: ["body"]
        }
      let folded = FoldedText.folded(SearchText.segmented(text))
      let isFound = columns.map { "instr(folded(\($0)), \(folded))" as SQL }
      return """
        EXISTS (SELECT 1 FROM searchable WHERE searchable.id = \(row.name).id
          AND (\(isFound.joined(separator: " OR "))))
        """
    case .isRead: return "isRead = 1"
    case .isStarred: return "isStarred = 1"
    case .isMuted: return "isMuted = 1"
    case .isShared:
      return """
        (sameAs IS NOT NULL AND EXISTS (SELECT 1 FROM article AS other
          WHERE other.sameAs = \(row.name).sameAs AND other.id <> \(row.name).id AND other.isMuted = 0
            AND other.feedID NOT IN (SELECT id FROM feed WHERE removedAt IS NOT NULL)))
        """
    case .feed(let text):
      let found: SQL =
        "instr(folded(COALESCE(customTitle, NULLIF(title, ''), address)), folded(\(text)))"
      return "feedID IN (SELECT id FROM feed WHERE \(found) OR instr(address, \(text)))"
    case .folder(let folder):
      let name = folder.stored
      let inner = name + NameList.separator
      return """
        feedID IN (SELECT id FROM feed WHERE folded(folder) = folded(\(name))
          OR substr(folded(folder), 1, length(folded(\(inner)))) = folded(\(inner)))
        """
    case .tag(let tag):
      return """
        (\(Self.has(tag)) OR feedID IN
          (SELECT id FROM feed WHERE removedAt IS NULL AND \(Self.has(tag))))
        """
    case .tagged(let tag): return Self.has(tag)
    case .link(let text): return "instr(folded(COALESCE(link, '')), folded(\(text)))"
    case .since(let date): return "listed >= \(date.timeIntervalSince1970)"
    case .minutes(let range):
      return "COALESCE(readingMinutes, 0) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    }
  }
}

extension ArticleCondition {
  /// The SQL condition for rows of `article` or `feed` with a tag, ignoring case and diacritics.
  private static func has(_ tag: String) -> SQL {
    let separator = NameList.separator
    // `tags <> ''` is a separate condition so that SQLite can use the index of tagged rows.
    return """
      (tags <> '' AND instr(\(separator) || folded(tags) || \(separator),
        \(separator) || folded(\(tag)) || \(separator)))
      """
  }
}

/// Folds text so that case and diacritics make no difference.
public enum FoldedText {
  /// The SQL function `folded(text)`.
  static let function = DatabaseFunction("folded", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0]).map(folded)
  }

  public static func folded(_ text: String) -> String {
    // A fast path for addresses and most titles: a rule folds the titles of all articles.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
