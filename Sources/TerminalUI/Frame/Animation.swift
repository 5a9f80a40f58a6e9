import Loading

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
    draw(frame.now, &frame.cells)
    if !region.isHidden { frame.declare(.animation(region.clip)) }
  }
}
