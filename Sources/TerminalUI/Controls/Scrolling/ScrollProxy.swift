import Observation

/// A position in a text that does not depend on the width of its lines.
public struct ScrollPosition: Hashable, Sendable {
  /// The first paragraph on the screen, counted from 0.
  public var block: Int
  /// How many characters of that paragraph are scrolled away, not counting spaces.
  public var offset: Int

  /// Creates a position at the beginning of a paragraph, or `offset` characters into it, without
  /// counting spaces.
  public init(block: Int, offset: Int = 0) {
    self.block = block
    self.offset = offset
  }
}

/// Reports the scroll position of a ``ScrollView``, and scrolls it.
///
/// A proxy belongs to one view at a time, whose content is a ``RichText``. It outlives the view:
/// the next view that is given the proxy begins where the last one was left. Until a first view
/// with the proxy has been shown, its methods do nothing.
@MainActor
@Observable
public final class ScrollProxy {
  /// The scroll position that is on the screen now; not observed.
  @ObservationIgnored public private(set) var position: ScrollPosition?
  /// The last heading at or above the first visible row, counted from 0; nil if there is none.
  ///
  /// It is not observed.
  @ObservationIgnored public private(set) var heading: Int?
  /// The position before the last jump, to which ``scrollBack()`` returns; nil before the first.
  ///
  /// Scrolling to a name or a heading is a jump.
  public private(set) var origin: ScrollPosition?
  @ObservationIgnored private let onMove: (ScrollPosition) -> Void
  @ObservationIgnored private var jump: ((Target) -> Bool)?
  // Requested between two frames, after the last view is gone: handled by the next view.
  @ObservationIgnored private var pending: Target?

  enum Target {
    case position(ScrollPosition)
    /// A paragraph with this name, for example a footnote.
    case name(String)
    /// A heading, counted from 0.
    case heading(Int)
    /// A match of a search; it may appear anywhere on the screen.
    case match(TextMatch)
  }

  /// Creates a proxy.
  ///
  /// - Parameters:
  ///   - position: where the view begins.
  ///   - onMove: called after a frame whose scroll position differs from that of the last one.
  public init(
    at position: ScrollPosition? = nil, onMove: @escaping (ScrollPosition) -> Void = { _ in }
  ) {
    self.position = position
    self.onMove = onMove
  }

  /// Scrolls to a position in the text.
  public func scroll(to position: ScrollPosition) { go(to: .position(position)) }

  /// Scrolls to the paragraph with a name; does nothing if there is none.
  public func scroll(toName name: String) {
    noteOrigin()
    go(to: .name(name))
  }

  /// Scrolls to a heading, counted from 0; does nothing if it does not exist.
  public func scroll(toHeading index: Int) {
    noteOrigin()
    go(to: .heading(index))
  }

  /// Scrolls to the position before the last jump, from where a second call returns.
  public func scrollBack() {
    guard let origin else { return }
    noteOrigin()
    scroll(to: origin)
  }

  /// Makes the position that is on the screen now the one to which ``scrollBack()`` returns, for a
  /// jump of another kind.
  public func noteOrigin() { origin = position ?? ScrollPosition(block: 0) }

  /// Scrolls to a match, unless it is on the screen already.
  public func scroll(to match: TextMatch) { go(to: .match(match)) }

  private func go(to target: Target) {
    pending = jump?(target) == true ? nil : target
  }

  /// Records the position and heading of the presented frame, and performs a pending scroll.
  ///
  /// - Parameter jump: scrolls to a target; returns `false` if its view is gone.
  func settle(
    _ position: ScrollPosition?, heading: Int? = nil, jump: @escaping (Target) -> Bool
  ) {
    self.jump = jump
    if let pending { go(to: pending) }
    self.heading = heading
    // A text that was never scrolled is at its beginning: that is not a move.
    guard let position, position != self.position ?? ScrollPosition(block: 0) else { return }
    self.position = position
    onMove(position)
  }
}
