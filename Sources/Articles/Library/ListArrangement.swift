/// In which order the articles of a list stand.
public enum ArticleOrder: String, Sendable, Hashable, CaseIterable {
  case newest, oldest
  /// By the titles of their feeds, the newest of each first.
  case feed
  case title
  /// The shortest first, and those last whose length is not known.
  case length
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

extension FeedSelection {
  /// The name by which it is stored how the list of its articles is shown; nil for that of all articles.
  public var arrangementName: String? {
    switch self {
    case .all: nil
    case .folder(let folder): "folder " + NameList.text(folder.path)
    case .tag(let tag): "tag \(tag)"
    case .account(let id): "account \(id.rawValue)"
    case .feed(let id): "feed \(id.rawValue)"
    }
  }
}

/// How every list is shown.
public struct ListArrangements: Sendable, Hashable {
  /// That of all articles, and of the lists that have no order of their own.
  public private(set) var general: ListArrangement
  /// The lists that are sorted or grouped in a way of their own, by a name that screens give them.
  ///
  /// Whether only unread articles are shown is the same in all lists.
  private var own: [String: ListArrangement]

  public init(_ general: ListArrangement = ListArrangement()) {
    self.init(general, own: [:])
  }

  init(_ general: ListArrangement, own: [String: ListArrangement]) {
    self.general = general
    self.own = own
  }

  /// How a list is shown; one without a name is that of all articles.
  public subscript(list: String?) -> ListArrangement {
    get {
      guard let list, var arrangement = own[list] else { return general }
      arrangement.isOnlyUnread = general.isOnlyUnread
      return arrangement
    }
    set {
      general.isOnlyUnread = newValue.isOnlyUnread
      if let list {
        // One that is as all the others are follows them from then on.
        own[list] = newValue == general ? nil : newValue
      } else {
        general = newValue
      }
    }
  }
}

/// A change of how lists are shown.
///
/// It says only what was chosen: the rest stays as it is stored, which a screen may not know yet.
public struct ArrangementChange: Sendable, Hashable {
  /// The list in which it was chosen; nil for that of all articles.
  public let list: String?
  /// For every list.
  public var isOnlyUnread: Bool?
  public var order: ArticleOrder?
  public var isGrouped: Bool?

  /// What is nil stays as it is.
  public init(
    of list: String?, isOnlyUnread: Bool? = nil, order: ArticleOrder? = nil, isGrouped: Bool? = nil
  ) {
    self.list = list
    self.isOnlyUnread = isOnlyUnread
    self.order = order
    self.isGrouped = isGrouped
  }

  /// Whether it says how its list is sorted or grouped.
  var isOfList: Bool { order != nil || isGrouped != nil }
}

extension ListArrangements {
  public mutating func apply(_ change: ArrangementChange) {
    if let isOnlyUnread = change.isOnlyUnread { general.isOnlyUnread = isOnlyUnread }
    guard change.isOfList else { return }
    var new = self[change.list]
    new.order = change.order ?? new.order
    new.isGrouped = change.isGrouped ?? new.isGrouped
    self[change.list] = new
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
