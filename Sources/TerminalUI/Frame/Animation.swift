public import Loading

/// The grid of instants at which everything moves, so that simultaneous animations share one
/// wake-up.
enum TickGrid {
  static let interval = Duration.milliseconds(100)

  /// The number of the tick that an instant belongs to.
  static func index(_ instant: AnyClock.Instant) -> Int {
    Int(instant.offset / interval)
  }

  /// The first tick at or after an instant.
  static func first(from instant: AnyClock.Instant) -> AnyClock.Instant {
    let tick = AnyClock.Instant(offset: interval * index(instant))
    return tick < instant ? next(after: instant) : tick
  }

  /// The first tick after an instant.
  ///
  /// Missed ticks are skipped, not made up for.
  static func next(after instant: AnyClock.Instant) -> AnyClock.Instant {
    AnyClock.Instant(offset: interval * (index(instant) + 1))
  }
}

extension ViewContext {
  /// Returns the declaration that the element here has to be made again at `instant`, rounded up to
  /// a tick, so that several changes share one wake-up; nil if `instant` has passed.
  ///
  /// It is found while the element is made, and declared with every drawing: one that comes after
  /// the instant is still based on the time before it.
  func change(at instant: AnyClock.Instant?) -> Declaration? {
    guard let instant, instant > now else { return nil }
    return .deadline(TickGrid.first(from: instant), owner)
  }

  /// Draws an animated region as it is now; each tick draws it again.
  func animate(
    _ region: Region, draw: @MainActor (AnyClock.Instant, inout CellBuffer) -> Void
  ) {
    let now = frame.now
    region.paint { draw(now, &$0) }
    if !region.isHidden { frame.declare(.animation(region.clip)) }
  }
}

/// Content that depends on the time, and is made again at the instants it names.
///
/// ```swift
/// TimelineView(changesAfter: { now in now < end ? end : nil }) { now in
///   if now < end { Text("✓ saved") }
/// }
/// ```
///
/// A change between two ticks of the screen is drawn at the later one. While the content is out of
/// sight, it causes no wake-up; it changes when it comes into sight.
public struct TimelineView<Content: View>: PlacedView {
  let next: @MainActor (AnyClock.Instant) -> AnyClock.Instant?
  let content: (AnyClock.Instant) -> Content

  /// Creates a timeline view.
  ///
  /// - Parameters:
  ///   - next: given the time of a frame, returns when the content next changes; nil for never.
  ///   - content: returns the views to show at a time.
  public init(
    changesAfter next: @escaping @MainActor (AnyClock.Instant) -> AnyClock.Instant?,
    @ViewBuilder content: @escaping (AnyClock.Instant) -> Content
  ) {
    self.next = next
    self.content = content
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    // Declared by the element and not by a node, because there may be no node until then.
    let now = context.now
    let change = context.change(at: context.reading { next(now) })
    if let change { context.owner.element?.declareByMaking(change) }
    return context.resolve(context.reading { content(now) })
  }
}
