/// One picture to convert, as it comes over the wire.
///
/// A message is its length in four bytes, not counted, and then that many bytes. The first of them
/// is the version of the format; all numbers have their lowest byte first. `PictureRequestMessage`
/// in Pictures is the other end.
struct Request: Equatable {
  static let version: UInt8 = 1
  /// More than the sender lets through, so that only a broken sender meets it.
  static let maximumLength = 128 << 20
  static let lengths: ClosedRange<UInt16> = 1...1000

  var id: UInt32
  /// The room for the picture, in cells.
  var columns: UInt16
  var rows: UInt16
  /// A cell, in pixels of a picture that is neither enlarged nor reduced.
  var cellWidth: UInt16
  var cellHeight: UInt16
  /// Whether a small picture fills the room.
  var enlarges: Bool
  var colors: Colors
  var symbols: Symbols
  /// The longest width or height that is decoded, in pixels.
  var maximumLength: UInt32
  /// The largest product of both.
  var maximumPixels: UInt32
  var picture: ArraySlice<UInt8>

  enum Colors: UInt8, CaseIterable {
    case monochrome, eight, sixteen, palette, direct
  }

  enum Symbols: UInt8, CaseIterable {
    case halves, quadrants, blocks, sextants
  }

  /// A message without its length; nil for one that no sender of this version makes.
  init?(_ message: ArraySlice<UInt8>) {
    var reader = ByteReader(message)
    guard reader.number() == Self.version,
      let id = reader.number(UInt32.self),
      let columns = reader.number(UInt16.self), Self.lengths ~= columns,
      let rows = reader.number(UInt16.self), Self.lengths ~= rows,
      let cellWidth = reader.number(UInt16.self), Self.lengths ~= cellWidth,
      let cellHeight = reader.number(UInt16.self), Self.lengths ~= cellHeight,
      let enlarges = reader.number(UInt8.self), enlarges < 2,
      let colors = reader.number().flatMap(Colors.init),
      let symbols = reader.number().flatMap(Symbols.init),
      let maximumLength = reader.number(UInt32.self),
      let maximumPixels = reader.number(UInt32.self)
    else { return nil }
    (self.id, self.columns, self.rows) = (id, columns, rows)
    (self.cellWidth, self.cellHeight) = (cellWidth, cellHeight)
    (self.enlarges, self.colors, self.symbols) = (enlarges == 1, colors, symbols)
    (self.maximumLength, self.maximumPixels) = (maximumLength, maximumPixels)
    picture = reader.rest
  }
}
