/// When a resource is loaded again by itself, which happens only while a view shows it.
public struct Refreshing: Hashable, Sendable {
  /// How long after a load has ended the next one starts; nil for never.
  ///
  /// Every failure in a row doubles it, up to eight times, so that a server in trouble is left in peace;
  /// a success brings it back.
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

  /// How long to wait for the next load after so many failures in a row.
  func wait(_ interval: Duration, afterFailures count: Int) -> Duration {
    interval * (1 << min(count, 3))
  }

  /// Only when the user asks.
  public static let never = Refreshing()
}
