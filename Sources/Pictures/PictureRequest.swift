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

  /// Creates a request.
  public init(
    _ source: PictureSource, room: Size, label: String = "", enlarges: Bool = false
  ) {
    (self.source, self.room, self.label, self.enlarges) = (source, room, label, enlarges)
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
