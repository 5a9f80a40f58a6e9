import Articles
import Foundation

/// A line of the list of feeds: a list across all feeds, a folder, a feed.
struct FeedRow: Identifiable {
  let id: ReaderList
  let title: String
  /// How many folders it lies in.
  var depth = 0
  /// What there is to read in it, or to find where nothing is ever read.
  let count: Int
  /// Whether the count is of articles that were not read yet.
  var isUnread = false
  /// When its last fetch failed.
  var failed: Date?
  var isGone = false
}

extension FeedRow {
  /// The lists across all feeds and the saved searches, then folders with what is in them, then feeds without a folder.
  static func rows(
    of feeds: [FeedSummary], _ counts: ArticleCounts?, searches: [SavedSearch]
  ) -> [FeedRow] {
    let all = feeds.reduce(0) { $0 + $1.articleCount }
    let unread = feeds.reduce(0) { $0 + $1.unreadCount }
    return [
      FeedRow(id: .all, title: "All articles", count: all),
      FeedRow(id: .unread, title: "Unread", count: unread, isUnread: true),
      FeedRow(id: .today, title: "Today", count: counts?.recent ?? 0),
      FeedRow(id: .starred, title: "★ Starred", count: counts?.starred ?? 0),
    ] + searches.map { FeedRow(id: .search($0), title: "/ \($0.name)", count: 0) }
      + rows(in: nil, of: feeds)
  }

  private static func rows(in parent: FeedFolder?, of feeds: [FeedSummary]) -> [FeedRow] {
    let depth = parent?.path.count ?? 0
    let below = feeds.compactMap { summary -> FeedFolder? in
      guard let path = summary.feed.folder?.path, path.count > depth,
        path.starts(with: parent?.path ?? [])
      else { return nil }
      return FeedFolder(Array(path.prefix(depth + 1)))
    }
    let folders = Set(below).sorted { $0.name < $1.name }
    return folders.flatMap { folder in
      let inside = feeds.filter { $0.feed.folder?.isWithin(folder) ?? false }
      let row = FeedRow(
        id: .feeds(.folder(folder)), title: "▾ \(folder.name)", depth: depth,
        count: inside.reduce(0) { $0 + $1.unreadCount }, isUnread: true)
      return [row] + rows(in: folder, of: feeds)
    }
      + feeds.filter { $0.feed.folder == parent }.map { FeedRow($0, depth: depth) }
  }

  private init(_ summary: FeedSummary, depth: Int) {
    self.init(
      id: .feeds(.feed(summary.id)),
      title: summary.feed.shownTitle, depth: depth, count: summary.unreadCount, isUnread: true,
      failed: summary.failure?.date, isGone: summary.goneSince != nil)
  }
}

extension Feed {
  /// Its title, or its address without the scheme.
  ///
  /// It has its address for a title as long as it was never fetched; the scheme says nothing, and
  /// takes the room of what does.
  var shownTitle: String {
    guard title.isEmpty || title == address else { return title }
    let scheme = ["https://", "http://", "file://"].first(where: address.hasPrefix)
    return String(address.dropFirst(scheme?.count ?? 0))
  }
}
