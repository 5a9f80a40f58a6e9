/// Which socks.
public struct SockFilter: Hashable, Sendable {
  /// Part of the name, pattern, colour or notes, in any case; empty for all.
  public var text: String
  /// Only those that have another one, or only those that have none; nil for both.
  public var isPaired: Bool?
  /// Only this pattern; nil for all.
  public var pattern: String?
  /// Only this colour; nil for all.
  public var colour: String?

  /// All socks, but for what is given.
  public init(
    text: String = "", isPaired: Bool? = nil, pattern: String? = nil, colour: String? = nil
  ) {
    self.text = text
    self.isPaired = isPaired
    self.pattern = pattern
    self.colour = colour
  }

  /// Every sock in the drawer.
  public static let all = SockFilter()
}

/// In which order; equal ones come as they came into the drawer.
public struct SockOrder: Hashable, Sendable {
  /// What socks are ordered by.
  public enum Key: String, CaseIterable, Sendable {
    /// Without regard to case.
    case name
    case sogginess, pattern, colour, created, changed
  }

  /// What they are ordered by.
  public var key: Key
  /// Whether the order is turned round, that of equal ones too.
  public var isDescending: Bool

  /// By `key`.
  public init(by key: Key, descending isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

/// Which socks, in which order.
public struct SockQuery: Hashable, Sendable {
  /// Which.
  public var filter: SockFilter
  /// In which order.
  public var order: SockOrder

  /// All socks by name, but for what is given.
  public init(filter: SockFilter = .all, order: SockOrder = SockOrder(by: .name)) {
    self.filter = filter
    self.order = order
  }
}
