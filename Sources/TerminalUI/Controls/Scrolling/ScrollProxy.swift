/// A place in a text that is the same however wide its lines are.
public struct ScrollPosition: Hashable, Sendable {
  /// Which paragraph is the first on the screen, from 0.
  public var block: Int
  /// How many characters of it come before the screen.
  public var offset: Int

  /// The beginning of a paragraph, or further on in it.
  public init(block: Int, offset: Int = 0) {
    self.block = block
    self.offset = offset
  }
}

/// Says where a ``ScrollView`` stands, and takes it elsewhere.
///
/// It belongs to one view at a time, whose content is a ``RichText``, and outlives it: the next view
/// that is given it begins where the last one was left.
@MainActor
public final class ScrollProxy {
  /// What is on the screen now.
  public private(set) var position: ScrollPosition?
  /// Which heading what is on the screen begins below, counted from 0; nil above the first.
  public private(set) var heading: Int?
  private let onMove: (ScrollPosition) -> Void
  private var jump: ((Target) -> Bool)?
  // Asked for between two frames, when the view of the last one is gone: for that of the next.
  private var pending: Target?

  enum Target {
    case position(ScrollPosition)
    /// What has a name in the text: a note, say.
    case name(String)
    /// One of the headings, from 0.
    case heading(Int)
    /// Words that were found, which may be anywhere on the screen.
    case match(TextMatch)
  }

  /// - Parameters:
  ///   - position: where the view is to begin.
  ///   - onMove: called after a frame that begins elsewhere than the one before.
  public init(
    at position: ScrollPosition? = nil, onMove: @escaping (ScrollPosition) -> Void = { _ in }
  ) {
    self.position = position
    self.onMove = onMove
  }

  /// Goes to a place of the text.
  public func scroll(to position: ScrollPosition) { go(to: .position(position)) }

  /// Goes to the paragraph of a name; nowhere when there is none.
  public func scroll(toName name: String) { go(to: .name(name)) }

  /// Goes to a heading, counted from 0; nowhere when there are not that many.
  public func scroll(toHeading index: Int) { go(to: .heading(index)) }

  /// Goes to where words were found, unless that is on the screen.
  public func scroll(to match: TextMatch) { go(to: .match(match)) }

  private func go(to target: Target) {
    pending = jump?(target) == false ? target : nil
  }

  /// - Parameter jump: goes to a target; `false` when its view is gone.
  func settle(
    _ position: ScrollPosition?, heading: Int? = nil, jump: @escaping (Target) -> Bool
  ) {
    self.jump = jump
    if let pending { go(to: pending) }
    self.heading = heading
    // The beginning is where a text stands that nobody has moved.
    guard let position, position != self.position ?? ScrollPosition(block: 0) else { return }
    self.position = position
    onMove(position)
  }
}
