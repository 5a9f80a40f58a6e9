import Articles
import Foundation

/// A row of the list of feeds: a list across all feeds, a folder or a feed.
struct FeedRow: Identifiable {
  let id: ReaderList
  /// The symbol before the name, which plain mode and the finder leave out.
  var symbol: String?
  let name: String
  /// The number of folders around the row.
  var depth = 0
  /// The number of unread articles.
  let unread: Int
  /// When the last fetch failed; nil if it did not.
  var failed: Date?
  var isGone = false
  /// Whether the title is the address of a feed that has none.
  var isAddress = false
  /// Whether it is a folder whose feeds are hidden.
  var isClosed = false
  /// The account of the row, if it is one.
  var account: AccountSummary?

  var title: String { (symbol.map { "\($0) " } ?? "") + name }
}

extension FeedRow {
  /// Returns the rows: the lists across all feeds, the saved searches and accounts, then folders
  /// with their contents, then feeds without a folder.
  ///
  /// - Parameters:
  ///   - shown: the list whose row stays, even if it would be left out otherwise.
  ///   - isOnlyUnread: whether feeds and folders without unread articles are left out.
  static func rows(
    of feeds: [FeedSummary], _ counts: ArticleCounts?, searches: [SavedSearch],
    found: [SavedSearch: Int] = [:], accounts: [AccountSummary] = [], closed: Set<FeedFolder> = [],
    shown: ReaderList? = nil, isOnlyUnread: Bool = false
  ) -> [FeedRow] {
    let unread = counts.unread(of: feeds)
    let listed = isOnlyUnread ? feeds.filter { $0.unreadCount > 0 || $0.isIn(shown) } : feeds
    return [
      FeedRow(id: .all, name: "All articles", unread: unread),
      FeedRow(id: .unread, name: "Unread", unread: unread),
      FeedRow(id: .today, name: "Today", unread: counts?.recentUnread ?? 0),
      FeedRow(
        id: .starred, symbol: "★", name: "Starred", unread: counts?.starredUnread ?? 0),
    ]
      // Lists that are usually empty are shown only if they contain something.
      + (counts?.later ?? 0 > 0 || shown == .later
        ? [FeedRow(id: .later, name: ReaderList.laterTitle, unread: counts?.laterUnread ?? 0)]
        : [])
      + (counts?.muted ?? 0 > 0 || shown == .muted
        ? [FeedRow(id: .muted, name: "Muted", unread: 0)] : [])
      + searches.map {
        FeedRow(id: .search($0), symbol: "/", name: $0.name, unread: found[$0] ?? 0)
      }
      + accounts.map { summary in
        // The name is cut at its end, so accounts of one user on several servers have the server's.
        let isOnlyOne = accounts.count { $0.account.user == summary.account.user } == 1
        return FeedRow(
          id: .feeds(.account(summary.id)), symbol: "⇄",
          name: isOnlyOne ? summary.account.name : summary.account.server,
          unread: summary.unreadCount - counts.copies(in: feeds, .account(summary.id)),
          account: summary)
      }
      + FolderTree(listed, counts).rows(closed: closed)
  }

  fileprivate init(_ summary: FeedSummary, depth: Int) {
    self.init(
      id: .feeds(.feed(summary.id)),
      name: summary.feed.shownTitle, depth: depth, unread: summary.unreadCount,
      failed: summary.failure?.date, isGone: summary.goneSince != nil,
      isAddress: summary.feed.address.hasSuffix(summary.feed.shownTitle))
  }
}

extension ArticleCounts? {
  /// Returns the number of unread articles of some feeds, counting an article that several of them
  /// contain once.
  fileprivate func unread(of feeds: [FeedSummary]) -> Int {
    feeds.reduce(0) { $0 + $1.unreadCount } - copies(in: feeds, .all)
  }

  /// Returns how many unread articles of some feeds are copies of others.
  fileprivate func copies(in feeds: [FeedSummary], _ selection: FeedSelection) -> Int {
    guard let self, !self.unreadCopies.isEmpty else { return 0 }
    return self.unreadCopies(in: Set(feeds.lazy.map(\.feed).filter(selection.contains).map(\.id)))
  }
}

/// The feeds in their folders.
private struct FolderTree {
  private let feeds: [FeedFolder?: [FeedSummary]]
  private var folders: [FeedFolder?: Set<FeedFolder>] = [:]
  /// The unread articles in each folder and the folders in it, counting an article that several
  /// feeds contain once.
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

  /// Returns a folder and its parents.
  private static func path(to folder: FeedFolder?) -> some Sequence<FeedFolder> {
    sequence(state: folder) { folder in
      defer { folder = folder?.parent }
      return folder
    }
  }

  /// Returns the rows of a folder: the folders in it with their contents, then its own feeds.
  func rows(in parent: FeedFolder? = nil, closed: Set<FeedFolder>) -> [FeedRow] {
    let depth = parent?.path.count ?? 0
    let inside = (folders[parent] ?? []).sorted().flatMap { folder in
      let isClosed = closed.contains(folder)
      let row = FeedRow(
        id: .feeds(.folder(folder)), symbol: isClosed ? "▸" : "▾", name: folder.name, depth: depth,
        unread: unread[folder] ?? 0, isClosed: isClosed)
      return [row] + (isClosed ? [] : rows(in: folder, closed: closed))
    }
    return inside + (feeds[parent] ?? []).map { FeedRow($0, depth: depth) }
  }
}

extension FeedSummary {
  /// Whether a list is that of the feed, or of a folder or account that it is in.
  fileprivate func isIn(_ list: ReaderList?) -> Bool {
    guard case .feeds(let selection) = list, selection != .all else { return false }
    return selection.contains(feed)
  }
}

extension ReaderModel {
  /// The number of unread articles in the list of all feeds.
  var unreadCount: Int { counts.latestValue.unread(of: feeds.latestValue ?? []) }

  var hasFailedFeed: Bool { feeds.latestValue?.contains { $0.failure != nil } ?? false }

  /// All rows, with every folder open and nothing left out.
  var allRows: [FeedRow] {
    FeedRow.rows(
      of: feeds.latestValue ?? [], counts.latestValue, searches: searches,
      found: unreadFound.latestValue ?? [:], accounts: accounts.latestValue ?? [], shown: list)
  }

  /// Selects the next failed feed below the selected row, or else the first one.
  func selectNextFailedFeed() {
    let rows = allRows
    let (above, below) = rows.around(list)
    // The selected row comes last, since it may be the only failed one.
    let failed = (below + above + rows.filter { $0.id == list }).first { $0.failed != nil }
    guard let failed else { return }
    select(failed.id)
    openFoldersAround()
  }
}

extension [FeedRow] {
  /// Returns the rows above and below that of a list; all are below a list without a row.
  func around(_ list: ReaderList) -> (above: [FeedRow], below: [FeedRow]) {
    guard let place = firstIndex(where: { $0.id == list }) else { return ([], self) }
    return (Array(self[..<place]), Array(self[(place + 1)...]))
  }
}
