import Articles
import Foundation
import Loading

/// A list of the reader.
enum ReaderList: Hashable, Sendable {
  case feeds(FeedSelection)
  /// Across all feeds: unread articles, those with a star, those of today, those to be read later,
  /// and those that rules have muted.
  case unread, starred, today, later, muted
  /// The results of a saved search.
  case search(SavedSearch)

  static let all = ReaderList.feeds(.all)

  /// The name of the list of articles to be read later.
  static let laterTitle = "Read later"

  /// The feeds that a reload of the list fetches.
  var selection: FeedSelection {
    if case .feeds(let selection) = self { selection } else { .all }
  }

  /// Returns the query of the list; for a search, of the articles that it searches.
  ///
  /// - Parameter dayStart: when today began.
  func query(dayStart: Date) -> ArticleQuery {
    switch self {
    case .feeds(let selection): ArticleQuery(selection)
    case .unread: .unread
    case .starred: .starred
    case .today: ArticleQuery(since: dayStart)
    case .later: .later
    case .muted: .muted
    case .search: ArticleQuery()
    }
  }
}

extension ReaderList {
  /// The name under which the list's arrangement is stored; nil to use that of all articles.
  var arrangementName: String? {
    switch self {
    case .feeds(let selection): selection.arrangementName
    case .unread: "unread"
    case .starred: "starred"
    case .today: "today"
    case .later: "later"
    case .muted: "muted"
    case .search(let search): "search \(search.name)"
    }
  }
}

/// A request to load a list.
struct ListRequest: Hashable, Sendable {
  let list: ReaderList
  /// How the list is shown; nil for the stored choice.
  var arrangement: ListArrangement?
  /// Articles that were marked as read after this change stay in a list of unread articles; nil to
  /// keep only those that are marked during the load.
  var keptSince: LibraryChange.ID?
  /// The row around which a long list is loaded; nil for the first.
  var place: Article.ID?
}

extension ReaderList: CustomStringConvertible {
  /// The name of the list in a log.
  var description: String {
    switch self {
    case .feeds(.all): "all articles"
    case .feeds(.folder(let folder)): "articles of folder \(folder.path.joined(separator: "/"))"
    case .feeds(.account(let id)): "articles of account \(id.rawValue)"
    case .feeds(.feed(let id)): "articles of feed \(id.rawValue)"
    case .unread: "unread articles"
    case .starred: "starred articles"
    case .today: "articles of today"
    case .later: "articles to be read later"
    case .muted: "muted articles"
    case .search(let search): "articles of search \(search.name)"
    }
  }
}

extension ReaderModel {
  /// The name of the current list.
  var listTitle: String {
    switch list {
    case .unread: return "Unread"
    case .starred: return "Starred"
    case .today: return "Today"
    case .later: return ReaderList.laterTitle
    case .muted: return "Muted"
    case .search(let search): return search.name
    case .feeds(.all): return "All articles"
    case .feeds(.folder(let folder)): return folder.path.joined(separator: " / ")
    case .feeds(.account(let id)): return account(id)?.account.name ?? "Account"
    case .feeds(.feed(let id)):
      let feed = feeds.latestValue?.first { $0.id == id }?.feed
      return feed?.shownTitle ?? "Articles"
    }
  }
}
