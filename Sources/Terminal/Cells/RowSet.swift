/// Some of the rows of a screen: those that a frame draws again, and those that a screen has to compare.
public struct RowSet: Hashable, Sendable {
  private var rows: [Bool]

  /// None of `count` rows, or all of them.
  public init(count: Int = 0, isFull: Bool = false) {
    rows = Array(repeating: isFull, count: count)
  }

  /// Whether it has every row.
  public var isFull: Bool { !rows.contains(false) }

  /// Whether it has row `y`.
  public func contains(_ y: Int) -> Bool { rows.indices.contains(y) && rows[y] }

  /// Adds the rows of a rectangle, as far as there are such rows.
  public mutating func insert(_ rect: Rect) {
    guard !rect.isEmpty else { return }
    for y in range(rect) { rows[y] = true }
  }

  /// Adds the rows of `other`, which may be of a taller screen.
  public mutating func formUnion(_ other: RowSet) {
    rows += Array(repeating: false, count: max(0, other.rows.count - rows.count))
    for (y, isIn) in other.rows.enumerated() where isIn { rows[y] = true }
  }

  /// Whether it has a row of a rectangle.
  public func meets(_ rect: Rect) -> Bool { !rect.isEmpty && rows[range(rect)].contains(true) }

  private func range(_ rect: Rect) -> Range<Int> {
    (rect.minY..<max(rect.minY, rect.maxY)).clamped(to: rows.indices)
  }
}
