/// How many columns `text` takes on one line: what ``CellBuffer/write(_:at:style:clip:)`` would use.
public func columns(of text: some StringProtocol) -> Int {
  var columns = 0
  for glyph in Glyphs(text) { columns += Int(glyph.width) }
  return columns
}
