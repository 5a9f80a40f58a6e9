/// Decides when a loading indicator may appear and how long it stays, so that nothing flashes.
///
/// It is a pure function of ``IndicatorGate/Timing`` and the time, and only affects drawing: it
/// never delays data.
///
/// ```swift
/// let indication = gate.indicator(for: resource.timing, at: now)
/// if indication.isVisible { draw(spinner) }
/// if let again = indication.changesAt { redraw(at: again) }
/// ```
public struct IndicatorGate: Hashable, Sendable {
  /// How long a load must have run before anything is drawn for it.
  public var delay: Duration
  /// How long an indicator beside content stays at least.
  public var minimum: Duration

  /// Creates a gate.
  public init(delay: Duration = .milliseconds(200), minimum: Duration = .milliseconds(400)) {
    self.delay = delay
    self.minimum = minimum
  }

  /// Whether to draw an indicator now, and when that changes.
  public struct Indication: Hashable, Sendable {
    /// Whether the indicator is drawn now.
    public let isVisible: Bool
    /// When that changes if no load starts or ends before; nil if it does not change.
    public let changesAt: AnyClock.Instant?

    static let never = Indication(isVisible: false, changesAt: nil)
  }

  /// Returns whether to draw the placeholder of a load with nothing to show: after the delay, until
  /// there is a value.
  public func placeholder(for timing: IndicatorGate.Timing, at now: AnyClock.Instant) -> Indication
  {
    guard let since = timing.waitingSince else { return .never }
    return opening(at: since.advanced(by: delay), now: now)
  }

  /// Returns whether to draw the indicator beside content: after the delay, and then at least for
  /// the minimum, even if the load has ended.
  ///
  /// If another load starts while the indicator is drawn, it stays.
  public func indicator(for timing: IndicatorGate.Timing, at now: AnyClock.Instant) -> Indication {
    var closesAt: AnyClock.Instant?
    for interval in timing.reloads {
      if let shownUntil = closesAt, interval.start <= shownUntil {
        guard let end = interval.end else { return Indication(isVisible: true, changesAt: nil) }
        closesAt = max(shownUntil, end)
      } else {
        let opensAt = interval.start.advanced(by: delay)
        guard let end = interval.end else { return opening(at: opensAt, now: now) }
        if end >= opensAt { closesAt = max(end, opensAt.advanced(by: minimum)) }
      }
    }
    guard let closesAt, now < closesAt else { return .never }
    return Indication(isVisible: true, changesAt: closesAt)
  }

  private func opening(at opensAt: AnyClock.Instant, now: AnyClock.Instant) -> Indication {
    now < opensAt
      ? Indication(isVisible: false, changesAt: opensAt)
      : Indication(isVisible: true, changesAt: nil)
  }
}

extension IndicatorGate {
  /// When loads ran, which decides what an ``IndicatorGate`` draws.
  public struct Timing: Hashable, Sendable {
    /// An interval in which loads ran without a gap while there was content.
    public struct Interval: Hashable, Sendable {
      /// When the first load started, or when there was content during a load.
      public let start: AnyClock.Instant
      /// When the last load ended; nil while it runs.
      public internal(set) var end: AnyClock.Instant?
    }

    /// Since when a load runs without content; nil if none does.
    public private(set) var waitingSince: AnyClock.Instant?
    /// The last eight intervals in which loads ran while there was content, oldest first.
    public private(set) var reloads: [Interval] = []

    static let capacity = 8

    /// Creates a timing without any loads.
    public init() {}

    /// Creates the timing of several objects that are shown as one.
    package init(of timings: [Timing]) {
      waitingSince = timings.compactMap(\.waitingSince).min()
      reloads = timings.flatMap(\.reloads).sorted { $0.start < $1.start }
    }

    /// Notes that a load without content is a part of one that was started at this time.
    mutating func wait(since start: AnyClock.Instant) { waitingSince = start }

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
