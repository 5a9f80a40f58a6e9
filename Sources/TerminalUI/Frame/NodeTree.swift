import Loading

/// The nodes of a frame, which can draw themselves again as long as the views are what they were.
///
/// A key that moves a selection changes no view: making all of them anew would be most of the work.
@MainActor
final class NodeTree {
  let builder: FrameBuilder
  let root: Node
  private var redrawCount = 0

  // What each redraw reads is observed beside what was read before, and some nodes keep what they
  // no longer show: now and then everything begins anew.
  private static let redrawLimit = 50

  init(_ builder: FrameBuilder, root: Node) {
    self.builder = builder
    self.root = root
  }

  /// Whether it would draw now what new nodes would.
  func canRedraw(size: Size, at time: AnyClock.Instant, focus: [Int: ViewPath]) -> Bool {
    // A sheet is made while it is drawn.
    !builder.mustBeMadeAnew && size == builder.size && focus == builder.focus
      && builder.topLayer == 0
      && redrawCount < Self.redrawLimit && time >= builder.now
      && (builder.deadline.map { time < $0 } ?? true)
  }

  func beginRedraw(at time: AnyClock.Instant) {
    redrawCount += 1
    builder.beginAgain(at: time)
  }
}
