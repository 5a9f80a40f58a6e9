/// The order of the articles in a list.
public enum ArticleOrder: String, Sendable, Hashable, CaseIterable {
  case newest, oldest
  /// By the titles of their feeds; within a feed, newest first.
  case feed
  case title
  /// Shortest first; articles of unknown length last.
  case length
}

/// How a list is shown; kept from one run of the program to the next.
public struct ListArrangement: Sendable, Hashable {
  /// Whether only unread articles are shown.
  public var isOnlyUnread: Bool
  public var order: ArticleOrder
  /// Whether articles are grouped under headings: days, feeds or first letters, depending on the
  /// order.
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
  /// The name under which the settings of this selection's list are stored; nil for the list of all
  /// articles.
  public var arrangementName: String? {
    switch self {
    case .all: nil
    case .folder(let folder): "folder " + folder.stored
    case .account(let id): "account \(id.rawValue)"
    case .feed(let id): "feed \(id.rawValue)"
    }
  }
}

/// How each list is shown.
public struct ListArrangements: Sendable, Hashable {
  /// The settings of the list of all articles, and of lists without settings of their own.
  public private(set) var general: ListArrangement
  /// The lists with an order or grouping of their own, by names that screens give them.
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

  /// The settings of a list; nil is the list of all articles.
  public subscript(list: String?) -> ListArrangement {
    get {
      guard let list, var arrangement = own[list] else { return general }
      arrangement.isOnlyUnread = general.isOnlyUnread
      return arrangement
    }
    set {
      general.isOnlyUnread = newValue.isOnlyUnread
      if let list {
        // From then on, a list whose settings equal the general ones follows them.
        own[list] = newValue == general ? nil : newValue
      } else {
        general = newValue
      }
    }
  }
}

/// A change of how lists are shown.
///
/// It has only the settings that the user chose; the stored values of the others, which a screen
/// may not have loaded yet, stay.
public struct ArrangementChange: Sendable, Hashable {
  /// The list in which it was chosen; nil for the list of all articles.
  public let list: String?
  /// Applies to every list.
  public var isOnlyUnread: Bool?
  public var order: ArticleOrder?
  public var isGrouped: Bool?

  /// Creates a change; settings that are nil stay as they are.
  public init(
    of list: String?, isOnlyUnread: Bool? = nil, order: ArticleOrder? = nil, isGrouped: Bool? = nil
  ) {
    self.list = list
    self.isOnlyUnread = isOnlyUnread
    self.order = order
    self.isGrouped = isGrouped
  }

  /// Whether it changes the order or grouping of its list.
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
  /// Returns the same list, shown with these settings.
  ///
  /// - Parameter change: articles that this program marks as read after this change stay in a list
  ///   of unread articles, see ``keptSince``.
  public func arranged(_ arrangement: ListArrangement, keptSince change: Int? = nil) -> Self {
    var query = self
    if arrangement.isOnlyUnread { query.isRead = false }
    query.order = arrangement.order
    query.keptSince = change
    return query
  }
}
