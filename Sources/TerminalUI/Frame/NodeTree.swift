import Loading

/// The nodes of a frame, which can draw themselves again as long as the views are what they were.
///
/// A key that moves a selection changes no view: rebuilding all of them would be most of the work.
@MainActor
final class NodeTree {
  let builder: FrameBuilder
  let root: Node
  let keptNodes: KeptNodes
  private var redrawCount = 0

  // What each redraw reads is observed beside what was read before, and some nodes keep what they
  // no longer show: now and then everything begins again.
  private static let redrawLimit = 50

  init(_ builder: FrameBuilder, root: Node, keptNodes: KeptNodes) {
    self.builder = builder
    self.root = root
    self.keptNodes = keptNodes
  }

  /// Whether it would draw now what new nodes would.
  func canRedraw(size: Size, at time: AnyClock.Instant, focus: [Int: ViewPath]) -> Bool {
    !builder.mustBeMadeAnew && isCurrent(size: size, at: time, focus: focus)
  }

  /// Whether its nodes are what new ones would be.
  ///
  /// What they have declared while they were made is in the frame, and in no other: a part of that
  /// may be drawn again where the whole may not.
  func isCurrent(size: Size, at time: AnyClock.Instant, focus: [Int: ViewPath]) -> Bool {
    // A sheet is made while it is drawn.
    size == builder.size && focus == builder.focus && builder.topLayer == 0
      && redrawCount < Self.redrawLimit && time >= builder.now
      && (builder.deadline.map { time < $0 } ?? true)
  }

  /// Takes note that something was made, or drawn, that is observed beside what was there.
  func noteRedraw() { redrawCount += 1 }

  func beginRedraw(at time: AnyClock.Instant) {
    noteRedraw()
    builder.beginAgain(at: time)
  }
}
