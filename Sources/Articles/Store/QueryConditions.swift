import GRDB

extension FeedSelection {
  /// Which rows of `feed` are meant.
  var feedCondition: SQL {
    switch self {
    case .all: "removedAt IS NULL"
    case .feed(let id): "removedAt IS NULL AND id = \(id.rawValue)"
    case .folder(let folder):
      {
        let text = NameList.text(folder.path)
        let inner = text + NameList.separator
        return """
          removedAt IS NULL
            AND (folder = \(text) OR substr(folder, 1, length(\(inner))) = \(inner))
          """
      }()
    case .tag(let tag):
      {
        let separator = NameList.separator
        return """
          removedAt IS NULL AND instr(\(separator) || tags || \(separator),
            \(separator + tag + separator)) > 0
          """
      }()
    }
  }

  /// Which rows of `article` are of these feeds.
  var articleCondition: SQL {
    let removed: SQL = "feedID NOT IN (SELECT id FROM feed WHERE removedAt IS NOT NULL)"
    return switch self {
    case .all: removed
    case .feed(let id): "feedID = \(id.rawValue) AND \(removed)"
    case .folder, .tag: "feedID IN (SELECT id FROM feed WHERE \(feedCondition))"
    }
  }
}

extension ArticleQuery {
  /// Which rows of `article` are meant, but for the limit.
  var condition: SQL {
    // What has a star is kept when its feed is removed, and stays in the list of those.
    var conditions = feeds == .all && isStarred == true ? [] : [feeds.articleCondition]
    // As literals, not arguments: only then SQLite knows that the index of the unread ones will do.
    if let isRead { conditions.append(isRead ? "isRead = 1" : "isRead = 0") }
    if let isStarred { conditions.append(isStarred ? "isStarred = 1" : "isStarred = 0") }
    if let since { conditions.append("listed >= \(since.timeIntervalSince1970)") }
    return conditions.joined(separator: " AND ")
  }
}
