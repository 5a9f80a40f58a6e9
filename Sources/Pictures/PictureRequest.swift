public import Terminal

/// Which picture, in how much room, drawn with what.
///
/// Two equal requests have the same answer: it is the key under which that is kept.
public struct PictureRequest: Hashable, Sendable {
  /// Where the bytes come from.
  public var source: PictureSource
  /// The room there is; the picture keeps its aspect and fills one direction of it.
  ///
  /// Lengths beyond 1000 cells count as that.
  public var room: Size
  /// What it shows, in words.
  public var label: String
  /// Whether a small picture is enlarged to the room.
  public var enlarges: Bool
  /// How many colours; a screen shows what has more in the nearest that it has.
  public var colors: ColorDepth
  /// What the picture may be made of.
  public var symbols: PictureSymbols
  /// A cell's size in pixels of a picture that is neither enlarged nor reduced.
  ///
  /// The aspect of a picture is that of its pixels only if this is the shape of a cell.
  public var cellSize: PixelSize
  /// Whether words take the picture's place, as for a screen that is read aloud.
  public var isText: Bool

  /// A picture in truecolour blocks for cells twice as high as wide, unless told otherwise.
  public init(
    _ source: PictureSource, room: Size, label: String = "", enlarges: Bool = false,
    colors: ColorDepth = .direct, symbols: PictureSymbols = .blocks,
    cellSize: PixelSize = PixelSize(width: 8, height: 16), isText: Bool = false
  ) {
    (self.source, self.room, self.label) = (source, room, label)
    (self.enlarges, self.colors, self.symbols) = (enlarges, colors, symbols)
    (self.cellSize, self.isText) = (cellSize, isText)
  }
}

/// What a picture is made of, poorest first; each includes those before it.
public enum PictureSymbols: UInt8, CaseIterable, Sendable {
  /// Half blocks, which even the console of a PC has.
  case halves
  /// Quarters as well.
  case quadrants
  /// All block elements but the shades: every terminal's font has them.
  case blocks
  /// Sixths as well, which came with Unicode 13.
  case sextants

  /// Whether a picture of these may have `scalar`.
  func contains(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20: true
    case 0x2580, 0x2584, 0x2588, 0x258C, 0x2590: true
    case 0x2596...0x259F: self != .halves
    case 0x2580...0x2590, 0x2594...0x2595: self == .blocks || self == .sextants
    case 0x1FB00...0x1FB3B: self == .sextants
    default: false
    }
  }
}

/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A size of `width` by `height` pixels.
  public init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
  }
}
