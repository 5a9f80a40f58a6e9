/// In which order the articles of a list stand.
public enum ArticleOrder: String, Sendable, Hashable, CaseIterable {
  case newest, oldest
  /// By the titles of their feeds, the newest of each first.
  case feed
  case title
}

/// How lists are shown, kept from one run of the program to the next.
public struct ListArrangement: Sendable, Hashable {
  /// Whether articles that were read are left out.
  public var isOnlyUnread: Bool
  public var order: ArticleOrder
  /// Whether articles stand below titles: their days, feeds or first letters, as the order is.
  public var isGrouped: Bool

  public init(
    isOnlyUnread: Bool = false, order: ArticleOrder = .newest, isGrouped: Bool = false
  ) {
    self.isOnlyUnread = isOnlyUnread
    self.order = order
    self.isGrouped = isGrouped
  }
}

extension ArticleQuery {
  /// The same list, shown in a certain way.
  ///
  /// - Parameter change: what this program marks as read after this change stays in a list of unread
  ///   articles, see ``keptSince``.
  public func arranged(_ arrangement: ListArrangement, keptSince change: Int? = nil) -> Self {
    var query = self
    if arrangement.isOnlyUnread { query.isRead = false }
    query.order = arrangement.order
    query.keptSince = change
    return query
  }
}
