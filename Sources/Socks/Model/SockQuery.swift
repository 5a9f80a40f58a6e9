/// A filter for socks.
public struct SockFilter: Hashable, Sendable {
  /// A part of the name, pattern, colour or notes, ignoring case; empty for all.
  public var text: String
  /// Paired or single socks only; nil for both.
  public var isPaired: Bool?

  /// Creates a filter; by default for all socks.
  public init(text: String = "", isPaired: Bool? = nil) {
    self.text = text
    self.isPaired = isPaired
  }

  /// Every sock in the drawer.
  public static let all = SockFilter()
}

/// An order of socks; equal ones keep the order in which they were added.
public struct SockOrder: Hashable, Sendable {
  /// The value that socks are sorted by.
  public enum Key: String, CaseIterable, Sendable {
    /// Ignores case.
    case name
    case sogginess, pattern, colour, created, changed
  }

  /// The value that socks are sorted by.
  public var key: Key
  /// Whether the order is reversed, including that of equal socks.
  public var isDescending: Bool

  /// Creates an order by `key`.
  public init(by key: Key, descending isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

/// A filter and an order for socks.
public struct SockQuery: Hashable, Sendable {
  /// The filter.
  public var filter: SockFilter
  /// The order.
  public var order: SockOrder

  /// Creates a query; by default for all socks by name.
  public init(filter: SockFilter = .all, order: SockOrder = SockOrder(by: .name)) {
    self.filter = filter
    self.order = order
  }
}
