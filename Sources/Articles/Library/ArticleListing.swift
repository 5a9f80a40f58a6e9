/// A list of articles: the order of all of them, and the articles of the parts that are loaded.
///
/// The order takes 8 bytes for each article, so a list of a hundred thousand costs little. A screen
/// loads the articles around the visible rows.
///
/// ```swift
/// let listing = Resource(library.listing(matching: .unread, refresh: .never))
/// ```
public struct ArticleListing: Sendable, Equatable {
  /// An article of the list, which may not be loaded yet.
  public struct Row: Sendable, Identifiable {
    public let id: Article.ID
    /// Whether the article was marked as read when the list was made.
    public let isRead: Bool
    /// The index in the list, from 0.
    public let index: Int
  }

  struct Entry: Sendable, Equatable {
    private let bits: Int64

    init(_ id: Article.ID, isRead: Bool) { bits = id.rawValue << 1 | (isRead ? 1 : 0) }

    var id: Article.ID { Article.ID(rawValue: bits >> 1) }
    var isRead: Bool { bits & 1 == 1 }
  }

  private let order: [Entry]
  /// The index in the list of the first of ``articles``.
  private let first: Int
  /// The articles that were loaded together with the order.
  public let articles: [Article]
  /// Articles that were loaded later.
  private var others: [Article.ID: Article] = [:]
  /// Whether the list has all of its rows; if not, the rest is being loaded.
  public let isWhole: Bool

  /// The longest list of which all articles are loaded together with the order.
  public static let longLength = 2_000
  /// How many articles of a long list are loaded before and after a row.
  private static let reach = 300
  /// More articles are loaded when a visible row is this close to one that is not loaded, in rows.
  public static let margin = reach / 2

  /// Creates a list with all its articles.
  public init(_ articles: [Article], isWhole: Bool = true) {
    order = articles.map { Entry($0.id, isRead: $0.isRead) }
    first = 0
    self.articles = articles
    self.isWhole = isWhole
  }

  /// Creates a list with some of its articles.
  ///
  /// - Parameter first: the index in the list of the first of these articles.
  init(_ order: [Entry], _ articles: [Article], at first: Int) {
    self.order = order
    self.first = first
    self.articles = articles
    isWhole = true
  }

  private static func part(around place: Int, of count: Int) -> Range<Int> {
    Swift.max(0, place - reach)..<Swift.min(count, place + reach)
  }

  /// Returns the indices of the articles to load together with the order.
  ///
  /// - Parameters:
  ///   - id: the row around which articles are loaded; nil for the first.
  ///   - beginning: the length of a list that is loaded whole, and of the beginning of a longer
  ///     one.
  static func part(
    of order: [Entry], around id: Article.ID?, beginning: Int
  ) -> Range<Int> {
    let place = id.flatMap { id in order.firstIndex { $0.id == id } } ?? 0
    let part = part(around: place, of: order.count)
    return part.upperBound <= beginning ? 0..<Swift.min(beginning, order.count) : part
  }

  /// Returns the article of a row; nil if it is not loaded yet.
  public func article(at index: Int) -> Article? {
    let place = index - first
    if articles.indices.contains(place) { return articles[place] }
    return others.isEmpty ? nil : others[order[index].id]
  }

  /// Whether every article was loaded together with the order.
  public var isLoaded: Bool { articles.count == order.count }

  private func isLoaded(at index: Int) -> Bool {
    articles.indices.contains(index - first) || others[order[index].id] != nil
  }

  /// Returns the rows around a row whose articles are to be loaded before the user scrolls to them;
  /// nil if enough of them are loaded.
  public func rowsToLoad(around index: Int) -> [Article.ID]? {
    let (before, after) = (index - Self.margin, index + Self.margin)
    let places = [Swift.max(0, before), index, Swift.min(count - 1, after)]
    guard places.contains(where: { !isLoaded(at: $0) }) else { return nil }
    return order[Self.part(around: index, of: count)].map(\.id)
  }

  /// Returns the list with further articles, which replace those of an earlier call.
  public func with(_ others: [Article.ID: Article]) -> ArticleListing {
    var listing = self
    listing.others = others
    return listing
  }
}

extension ArticleListing: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { order.count }

  public subscript(index: Int) -> Row {
    let entry = order[index]
    return Row(id: entry.id, isRead: entry.isRead, index: index)
  }
}
