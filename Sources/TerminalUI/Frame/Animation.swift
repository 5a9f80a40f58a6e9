import Loading

/// A part of the frame that moves by itself: it can be drawn again without the views.
@MainActor
struct Animation {
  let rect: Rect
  /// Draws it as it is at an instant; it changes only cells of ``rect``.
  let draw: @MainActor (AnyClock.Instant, inout CellBuffer) -> Void
  /// What it drew, to tell whether something in front covers it.
  fileprivate var drawn: [Cell] = []
}

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
    if !environment.isInert, region.isOnScreen { instants.forEach(frame.redraw(at:)) }
    super.draw(in: region)
  }
}

extension ViewContext {
  /// Draws a part that moves, now and at each tick.
  func animate(
    _ region: Region, draw: @escaping @MainActor (AnyClock.Instant, inout CellBuffer) -> Void
  ) {
    draw(frame.now, &frame.cells)
    guard !region.isHidden else { return }
    var animation = Animation(rect: region.clip, draw: draw)
    animation.drawn = frame.cells.cells(in: region.clip)
    frame.animations.append(animation)
  }
}

extension FrameBuilder {
  /// Whether something was drawn over a part that moves: then a tick draws the whole frame.
  var hasCoveredAnimation: Bool {
    animations.contains { !cells.holds($0.drawn, in: $0.rect) }
  }
}
