/// A selection of feeds.
public enum FeedSelection: Sendable, Hashable {
  case all
  case feed(Feed.ID)
  /// The feeds of a folder and of its subfolders.
  case folder(FeedFolder)
  case tag(String)
  /// The feeds of an account.
  case account(SyncAccount.ID)

  /// Whether the selection includes this feed.
  public func contains(_ feed: Feed) -> Bool {
    switch self {
    case .all: true
    case .feed(let id): feed.id == id
    case .folder(let folder): feed.folder?.isWithin(folder) ?? false
    case .tag(let tag): feed.tags.contains(tag)
    case .account(let id): feed.account == id
    }
  }
}
