public import Loading

/// The grid on which everything moves: what moves at the same time needs one wake-up.
enum TickGrid {
  static let interval = Duration.milliseconds(100)

  /// The number of the tick at an instant.
  static func index(_ instant: AnyClock.Instant) -> Int {
    Int(instant.offset / interval)
  }

  /// The first tick that is not before an instant.
  static func first(from instant: AnyClock.Instant) -> AnyClock.Instant {
    let tick = AnyClock.Instant(offset: interval * index(instant))
    return tick < instant ? next(after: instant) : tick
  }

  /// The first tick after an instant.
  ///
  /// Missed ticks are skipped, not made up.
  static func next(after instant: AnyClock.Instant) -> AnyClock.Instant {
    AnyClock.Instant(offset: interval * (index(instant) + 1))
  }
}

extension View {
  /// Is drawn again at these times, if it is on the screen.
  func redraws(at instants: AnyClock.Instant?...) -> some View {
    Modified(self) { context, node in DeadlineNode(context, node, instants: instants) }
  }
}

private final class DeadlineNode: WrapperNode {
  private let instants: [AnyClock.Instant?]

  init(_ context: ViewContext, _ content: Node, instants: [AnyClock.Instant?]) {
    self.instants = instants
    super.init(context, content)
  }

  override func draw(in region: Region) {
    if region.isOnScreen {
      for instant in instants { context.changes(at: instant).map(frame.declare) }
    }
    super.draw(in: region)
  }
}

extension ViewContext {
  /// The element here is made again at `instant`; on the grid of the ticks, so that many things that
  /// change by themselves make no more wake-ups than one.
  func changes(at instant: AnyClock.Instant?) -> Declaration? {
    guard let instant, instant > now else { return nil }
    return .deadline(TickGrid.first(from: instant), owner)
  }

  /// Draws a part that moves as it is now; each tick draws it again.
  func animate(
    _ region: Region, draw: @MainActor (AnyClock.Instant, inout CellBuffer) -> Void
  ) {
    let now = frame.now
    region.paint { draw(now, &$0) }
    if !region.isHidden { frame.declare(.animation(region.clip)) }
  }
}

/// Views that depend on the time, and are made again when they say so.
///
/// ```swift
/// TimelineView(changesAfter: { now in now < end ? end : nil }) { now in
///   if now < end { Text("✓ saved") }
/// }
/// ```
///
/// A change that falls between two ticks of the screen is drawn with the later one. Views that are out
/// of sight change when they come into sight: nothing wakes for them, and what is beside them waits too.
public struct TimelineView<Content: View>: PlacedView {
  let next: @MainActor (AnyClock.Instant) -> AnyClock.Instant?
  let content: (AnyClock.Instant) -> Content

  /// - Parameters:
  ///   - next: given the time of a frame, when the views change by themselves; nil for never.
  ///   - content: the views at a time.
  public init(
    changesAfter next: @escaping @MainActor (AnyClock.Instant) -> AnyClock.Instant?,
    @ViewBuilder content: @escaping (AnyClock.Instant) -> Content
  ) {
    self.next = next
    self.content = content
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    // Not by a node: there may be nothing to draw until then.
    let now = context.now
    let change = context.changes(at: context.reading { next(now) })
    if let change { context.owner.element?.declareByMaking(change) }
    return context.resolve(context.reading { content(now) })
  }
}
