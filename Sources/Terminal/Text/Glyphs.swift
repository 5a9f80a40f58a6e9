/// Text as the glyphs that a terminal can show without harm, in order.
///
/// This is the one way from a string to cells.
public struct Glyphs<Text: StringProtocol>: Sequence, IteratorProtocol {
  private var scalars: Text.UnicodeScalarView.Iterator

  /// The glyphs of `text`.
  public init(_ text: Text) { scalars = text.unicodeScalars.makeIterator() }

  public mutating func next() -> Glyph? {
    while let scalar = scalars.next() {
      if scalar.value >= 0x20, scalar.value < 0x7F { return Glyph(scalar: scalar.value, width: 1) }
    }
    return nil
  }
}
