/// When a resource is loaded again by itself, which happens only while a view shows it.
public struct Refreshing: Hashable, Sendable {
  /// How long after a load has ended the next one starts; nil for never.
  public var interval: Duration?
  /// How old the value must be to be loaded again when a view of it appears; nil for never.
  ///
  /// A failed load does not make it younger.
  public var staleAfter: Duration?

  /// Never, unless told when.
  public init(interval: Duration? = nil, staleAfter: Duration? = nil) {
    self.interval = interval
    self.staleAfter = staleAfter
  }

  /// Only when the user asks.
  public static let never = Refreshing()
}
