import Articles
import Foundation

/// A line of the list of feeds: a list across all feeds, a folder, a feed.
struct FeedRow: Identifiable {
  let id: ReaderList
  let title: String
  /// The number of folders around it.
  var depth = 0
  /// How many unread articles it has.
  let unread: Int
  /// When its last fetch failed.
  var failed: Date?
  var isGone = false
  /// Whether it is a folder whose feeds are hidden.
  var isClosed = false
  /// The account that it is.
  var account: AccountSummary?
}

extension FeedRow {
  /// The lists across all feeds and the saved searches, then folders with what is in them, then feeds
  /// without a folder.
  ///
  /// - Parameter shown: the list that stays where feeds and folders without unread articles are left
  ///   out; nil where they are not.
  static func rows(
    of feeds: [FeedSummary], _ counts: ArticleCounts?, searches: [SavedSearch],
    found: [SavedSearch: Int] = [:], accounts: [AccountSummary] = [], closed: Set<FeedFolder> = [],
    onlyUnreadBut shown: ReaderList? = nil
  ) -> [FeedRow] {
    let unread = counts.unread(of: feeds)
    return [
      FeedRow(id: .all, title: "All articles", unread: unread),
      FeedRow(id: .unread, title: "Unread", unread: unread),
      FeedRow(id: .today, title: "Today", unread: counts?.recentUnread ?? 0),
      FeedRow(id: .starred, title: "★ Starred", unread: counts?.starredUnread ?? 0),
    ]
      // What has nothing in it is nothing to look at.
      + (counts?.later ?? 0 > 0
        ? [FeedRow(id: .later, title: "Read later", unread: counts?.laterUnread ?? 0)] : [])
      + (counts?.muted ?? 0 > 0 ? [FeedRow(id: .muted, title: "Muted", unread: 0)] : [])
      + searches.map {
        FeedRow(id: .search($0), title: "/ \($0.name)", unread: found[$0] ?? 0)
      }
      + accounts.map {
        FeedRow(
          id: .feeds(.account($0.id)), title: "⇄ \($0.account.name)",
          unread: $0.unreadCount - counts.copies(in: feeds, .account($0.id)),
          account: $0)
      }
      + FolderTree(feeds.filter { $0.isRow(onlyUnreadBut: shown) }, counts).rows(closed: closed)
  }

  fileprivate init(_ summary: FeedSummary, depth: Int) {
    self.init(
      id: .feeds(.feed(summary.id)),
      title: summary.feed.shownTitle, depth: depth, unread: summary.unreadCount,
      failed: summary.failure?.date, isGone: summary.goneSince != nil)
  }
}

extension ArticleCounts? {
  /// How many unread articles some feeds have, each that several of them have once.
  fileprivate func unread(of feeds: [FeedSummary]) -> Int {
    feeds.reduce(0) { $0 + $1.unreadCount } - copies(in: feeds, .all)
  }

  /// How many unread articles of some feeds are copies of others.
  fileprivate func copies(in feeds: [FeedSummary], _ selection: FeedSelection) -> Int {
    guard let self, !self.unreadCopies.isEmpty else { return 0 }
    return self.unreadCopies(in: Set(feeds.lazy.map(\.feed).filter(selection.contains).map(\.id)))
  }
}

/// Feeds in their folders.
private struct FolderTree {
  private let feeds: [FeedFolder?: [FeedSummary]]
  private var folders: [FeedFolder?: Set<FeedFolder>] = [:]
  /// How many unread articles each folder has with those in it, each that several feeds have once.
  private var unread: [FeedFolder: Int] = [:]

  init(_ feeds: [FeedSummary], _ counts: ArticleCounts?) {
    self.feeds = Dictionary(grouping: feeds, by: \.feed.folder)
    for (folder, inside) in self.feeds {
      let count = inside.reduce(0) { $0 + $1.unreadCount }
      for folder in Self.path(to: folder) {
        folders[folder.parent, default: []].insert(folder)
        unread[folder, default: 0] += count
      }
    }
    let copies = counts?.unreadCopies ?? [:]
    guard !copies.isEmpty else { return }
    let places = Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, $0.feed.folder) })
    for (feeds, count) in copies {
      var inside: [FeedFolder: Int] = [:]
      for feed in feeds {
        for folder in Self.path(to: places[feed] ?? nil) { inside[folder, default: 0] += 1 }
      }
      for (folder, feeds) in inside { unread[folder, default: 0] -= (feeds - 1) * count }
    }
  }

  /// A folder and those around it.
  private static func path(to folder: FeedFolder?) -> some Sequence<FeedFolder> {
    sequence(state: folder) { folder in
      defer { folder = folder?.parent }
      return folder
    }
  }

  /// The folders in a folder with what is in them, then its own feeds.
  func rows(in parent: FeedFolder? = nil, closed: Set<FeedFolder>) -> [FeedRow] {
    let depth = parent?.path.count ?? 0
    let inside = (folders[parent] ?? []).sorted { $0.name < $1.name }.flatMap { folder in
      let isClosed = closed.contains(folder)
      let row = FeedRow(
        id: .feeds(.folder(folder)), title: "\(isClosed ? "▸" : "▾") \(folder.name)", depth: depth,
        unread: unread[folder] ?? 0, isClosed: isClosed)
      return [row] + (isClosed ? [] : rows(in: folder, closed: closed))
    }
    return inside + (feeds[parent] ?? []).map { FeedRow($0, depth: depth) }
  }
}

extension FeedSummary {
  /// Whether it has a row of its own, or one of its folder.
  fileprivate func isRow(onlyUnreadBut shown: ReaderList?) -> Bool {
    guard let shown, unreadCount == 0 else { return true }
    guard case .feeds(let selection) = shown, selection != .all else { return false }
    return selection.contains(feed)
  }
}

extension ReaderModel {
  /// How many unread articles there are, as the list of all of them says.
  var unreadCount: Int { counts.latestValue.unread(of: feeds.latestValue ?? []) }

  var hasFailedFeed: Bool { feeds.latestValue?.contains { $0.failure != nil } ?? false }

  /// The rows of the feeds where every folder is open and nothing is left out.
  var allRows: [FeedRow] {
    FeedRow.rows(
      of: feeds.latestValue ?? [], counts.latestValue, searches: searches,
      found: unreadFound.latestValue ?? [:], accounts: accounts.latestValue ?? [])
  }

  /// Selects the first failed feed below the selected row, or else the first one.
  func selectNextFailedFeed() {
    let rows = allRows
    let (above, below) = rows.around(list)
    // The selected one comes last: it may be the only one.
    let failed = (below + above + rows.filter { $0.id == list }).first { $0.failed != nil }
    guard let failed else { return }
    select(failed.id)
    openFoldersAround()
  }
}

extension [FeedRow] {
  /// The rows above that of a list and those below it; all are below one without a row.
  func around(_ list: ReaderList) -> (above: [FeedRow], below: [FeedRow]) {
    guard let place = firstIndex(where: { $0.id == list }) else { return ([], self) }
    return (Array(self[..<place]), Array(self[(place + 1)...]))
  }
}
