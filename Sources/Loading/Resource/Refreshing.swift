/// When a resource is loaded again by itself; only ever while a view of it is on the screen.
public struct Refreshing: Hashable, Sendable {
  /// How long after a load has ended the next one starts; nil for never.
  public var interval: Duration?
  /// How old what is there must be to be loaded again when a view of it appears; nil for never.
  public var staleAfter: Duration?

  /// Never, unless told when.
  public init(interval: Duration? = nil, staleAfter: Duration? = nil) {
    self.interval = interval
    self.staleAfter = staleAfter
  }

  /// A person decides.
  public static let never = Refreshing()
}
