public import Terminal

/// A picture, the available space and how it is drawn.
///
/// Equal requests have equal results: the request is the cache key.
public struct PictureRequest: Hashable, Sendable {
  /// Where the bytes come from.
  public var source: PictureSource
  /// The available space, in cells; the picture keeps its aspect ratio and fills the width or the
  /// height.
  ///
  /// Lengths above 1000 cells count as 1000.
  public var room: Size
  /// The description of the picture.
  public var label: String
  /// Whether a small picture is enlarged to the available space.
  public var enlarges: Bool
  /// The number of colours; a screen with fewer shows the nearest.
  public var colors: ColorDepth
  /// The characters that the picture may consist of.
  public var symbols: PictureSymbols
  /// The size of a cell in pixels, for a picture at its original size.
  ///
  /// A picture keeps its aspect ratio only if this is the aspect ratio of the terminal's cells.
  public var cellSize: PixelSize
  /// Whether a description takes the picture's place, for example for a screen reader.
  public var isText: Bool

  /// Creates a request, by default for truecolour block characters in cells twice as high as wide.
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

/// The characters that pictures consist of, from fewest to most; each set includes those before it.
public enum PictureSymbols: UInt8, CaseIterable, Sendable {
  /// Half blocks, which even the Linux console has.
  case halves
  /// Also quarter blocks.
  case quadrants
  /// All block elements except the shades: every terminal's font has them.
  case blocks
  /// Also sextants, which were added in Unicode 13.
  case sextants

  /// Whether this set contains `scalar`.
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
