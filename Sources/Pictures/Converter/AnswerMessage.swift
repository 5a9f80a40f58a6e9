import Terminal

/// Parses an answer of the converter; since a picture may have taken the converter over, nothing in
/// it is trusted.
enum AnswerMessage {
  /// Returns the length of the longest answer to a request, without the four bytes of the length
  /// itself.
  static func maximumLength(for request: PictureRequest) -> Int {
    let room = PictureFit.room(of: request)
    return 10 + room.width * room.height * 12
  }

  /// Parses the cells in a message without its length.
  ///
  /// - Parameter type: the name of the picture's type, for errors.
  /// - Throws: the converter's error for the picture, or `.invalidAnswer`.
  static func cells(
    in message: [UInt8], id: UInt32, request: PictureRequest, type: String
  ) throws(PictureError) -> CellBuffer {
    let bytes = HeaderBytes(message)
    guard bytes.byte(0) == Int(RequestMessage.version), bytes.little32(1) == Int(id),
      let kind = bytes.byte(5)
    else { throw .invalidAnswer }
    guard kind == 0 else { throw failure(kind, bytes, type) }

    let room = PictureFit.room(of: request)
    guard let columns = bytes.little16(6), let rows = bytes.little16(8),
      1...room.width ~= columns, 1...room.height ~= rows, bytes.count == 10 + columns * rows * 12
    else { throw .invalidAnswer }
    var cells = CellBuffer(size: Size(width: columns, height: rows))
    var glyphs: [Int: Glyph] = [:]
    for index in 0..<(columns * rows) {
      let start = 10 + index * 12
      guard let scalar = bytes.little32(start),
        let glyph = glyphs[scalar] ?? glyph(scalar),
        let foreground = color(bytes.little32(start + 4)),
        let background = color(bytes.little32(start + 8))
      else { throw .invalidAnswer }
      glyphs[scalar] = glyph
      // Transparent on transparent is nothing. A glyph would be drawn in the text colour: as lines
      // around whatever is cut out.
      let isClear = foreground == .default && background == .default
      let shown = isClear ? Glyph.space : glyph
      cells.put(
        shown, at: Point(x: index % columns, y: index / columns),
        style: style(shown, foreground, background))
    }
    return cells
  }

  private static func failure(
    _ kind: Int, _ bytes: HeaderBytes, _ type: String
  ) -> PictureError {
    switch (kind, bytes.count) {
    case (1, 6): .notAPicture
    case (2, 14):
      .tooLarge(PixelSize(width: bytes.little32(6) ?? 0, height: bytes.little32(10) ?? 0))
    case (3, 6): .truncated
    case (4, 6): .broken
    case (5, 6): .outOfMemory
    case (6, 6): .noDecoder(type)
    case (7, 6): .noSandbox
    default: .invalidAnswer
    }
  }

  /// Whether a picture may contain a character: a space, or a block element that is not a shade.
  static func isBlock(_ scalar: Int) -> Bool {
    scalar == 0x20 || 0x2580...0x2590 ~= scalar || 0x2594...0x259F ~= scalar
  }

  private static func glyph(_ scalar: Int) -> Glyph? {
    guard isBlock(scalar), let scalar = Unicode.Scalar(UInt32(scalar)) else { return nil }
    return Glyphs(String(scalar)).first { _ in true }
  }

  /// Returns a colour; `.default` for transparent.
  private static func color(_ number: Int?) -> Color? {
    guard let number else { return nil }
    let value = number & 0xFF_FFFF
    return switch number >> 24 {
    case 0 where value == 0: .default
    case 1:
      Color(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    default: nil
    }
  }

  private static func style(_ glyph: Glyph, _ foreground: Color, _ background: Color) -> Style {
    // A blank shows only its background: a leftover foreground colour would make equal cells
    // differ.
    if glyph == .space { return Style(background: background) }
    // A hole in the shape of the glyph, through which the terminal's background is visible.
    if foreground == .default, background != .default {
      return Style(foreground: background, attributes: .reverse)
    }
    return Style(foreground: foreground, background: background)
  }
}
