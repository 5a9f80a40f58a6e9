extension IndicatorGate {
  /// When loads ran, as far as a drawing needs to know: the facts an ``IndicatorGate`` judges.
  public struct Timing: Hashable, Sendable {
    /// The time in which loads ran over content, without a gap between them.
    public struct Interval: Hashable, Sendable {
      /// When the first of them started, or the content came.
      public let start: AnyClock.Instant
      /// When the last of them ended; nil while one runs.
      public internal(set) var end: AnyClock.Instant?
    }

    /// Since when a load has run with nothing to show; nil when none does.
    public private(set) var waitingSince: AnyClock.Instant?
    /// The last eight intervals of loads over content, oldest first.
    public private(set) var reloads: [Interval] = []

    static let capacity = 8

    /// Nothing ever ran.
    public init() {}

    mutating func note(isLoading: Bool, hasContent: Bool, at now: AnyClock.Instant) {
      waitingSince = isLoading && !hasContent ? waitingSince ?? now : nil
      let isOpen = reloads.last.map { $0.end == nil } ?? false
      switch (isLoading && hasContent, isOpen) {
      case (true, false):
        if reloads.count == Self.capacity { reloads.removeFirst() }
        reloads.append(Interval(start: now))
      case (false, true):
        reloads[reloads.count - 1].end = now
      case (true, true), (false, false):
        break
      }
    }
  }
}
