/// A request to convert one picture.
///
/// A message starts with its length in four bytes, which are not counted, followed by its bytes.
/// The first byte is the version of the format; all numbers are little-endian. `RequestMessage` in
/// the Pictures module writes it.
struct Request: Equatable {
  static let version: UInt8 = 2
  /// More than the sender allows, so that only a broken sender exceeds it.
  static let maximumLength = 128 << 20
  static let lengths: ClosedRange<UInt16> = 1...1000

  var id: UInt32
  /// The available space, in cells.
  var columns: UInt16
  var rows: UInt16
  /// Whether a small picture is enlarged to the available space.
  var enlarges: Bool
  /// The greatest width or height that is decoded, in pixels.
  var maximumLength: UInt32
  /// The greatest number of pixels that are decoded.
  var maximumPixels: UInt32
  var picture: ArraySlice<UInt8>

  /// Parses a message without its length; nil for one that no sender of this version writes.
  init?(_ message: ArraySlice<UInt8>) {
    var reader = ByteReader(message)
    guard reader.number() == Self.version,
      let id = reader.number(UInt32.self),
      let columns = reader.number(UInt16.self), Self.lengths ~= columns,
      let rows = reader.number(UInt16.self), Self.lengths ~= rows,
      let enlarges = reader.number(UInt8.self), enlarges < 2,
      let maximumLength = reader.number(UInt32.self),
      let maximumPixels = reader.number(UInt32.self)
    else { return nil }
    (self.id, self.columns, self.rows) = (id, columns, rows)
    self.enlarges = enlarges == 1
    (self.maximumLength, self.maximumPixels) = (maximumLength, maximumPixels)
    picture = reader.rest
  }
}
