/// When an indicator may appear and how long it then stays, so that nothing flashes.
///
/// A pure function of ``IndicatorGate/Timing`` and the time. It is about drawing only: it never delays data.
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

  /// A gate of 200 and 400 milliseconds unless told otherwise.
  public init(delay: Duration = .milliseconds(200), minimum: Duration = .milliseconds(400)) {
    self.delay = delay
    self.minimum = minimum
  }

  /// Whether to draw, and when to ask again.
  public struct Indication: Hashable, Sendable {
    /// Whether it is drawn now.
    public let isVisible: Bool
    /// When that changes if no load starts or ends before; nil for never.
    public let changesAt: AnyClock.Instant?

    static let never = Indication(isVisible: false, changesAt: nil)
  }

  /// The placeholder of a load with nothing to show: drawn after the delay, and gone the moment
  /// there is a value.
  public func placeholder(for timing: IndicatorGate.Timing, at now: AnyClock.Instant) -> Indication
  {
    guard let since = timing.waitingSince else { return .never }
    return opening(at: since.advanced(by: delay), now: now)
  }

  /// The indicator beside content: drawn after the delay, then for the minimum at least, also when
  /// the load has ended.
  ///
  /// A load that starts while it is drawn keeps it drawn.
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
