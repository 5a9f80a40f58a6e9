/// A node that can draw a move of its own without the rest of the frame: what its keys do is the same
/// before and after it.
@MainActor
protocol MovingPart: AnyObject {
  /// The place that moves.
  var placeID: ObjectIdentifier { get }
  /// Draws in the cells of the frame what has changed since it was drawn last; `false` where that is
  /// not all that has changed.
  func drawMove() -> Bool
}

/// The parts of a frame that can draw their own moves.
@MainActor
struct MovingParts {
  struct Entry {
    let part: any MovingPart
    let rect: Rect

    init(_ part: any MovingPart, _ rect: Rect) {
      self.part = part
      self.rect = rect
    }
  }

  private var entries: [Entry] = []

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Takes note that something was drawn over what was there: the parts below it cannot draw by
  /// themselves.
  mutating func cover(_ rect: Rect) {
    guard !rect.isEmpty, !entries.isEmpty else { return }
    entries.removeAll { !$0.rect.intersection(rect).isEmpty }
  }

  /// The parts that moved; nothing where something else moved too, or nobody said what.
  func parts(of places: Set<ObjectIdentifier>) -> [Entry]? {
    guard !places.isEmpty else { return nil }
    let parts = entries.filter { places.contains($0.part.placeID) }
    return parts.count == places.count ? parts : nil
  }
}
