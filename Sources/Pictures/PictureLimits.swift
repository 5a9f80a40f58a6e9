/// The limits of a picture.
public struct PictureLimits: Hashable, Sendable {
  /// The largest file or answer, in bytes.
  public var bytes: Int
  /// The greatest width or height, in pixels.
  public var length: Int
  /// The greatest number of pixels.
  public var pixels: Int
  /// The most redirects to follow.
  public var redirects: Int
  /// How long decoding and converting may take.
  public var time: Duration
  /// The size of each memory cache, in bytes: one for cells, one for files from the web.
  public var cacheBytes: Int
  /// The size of the disk cache, if there is one, in bytes.
  public var storedBytes: Int

  /// Defaults for the pictures of articles: photographs of up to 40 megapixels.
  public init(
    bytes: Int = 16 << 20, length: Int = 16_384, pixels: Int = 40_000_000, redirects: Int = 5,
    time: Duration = .seconds(5), cacheBytes: Int = 16 << 20,
    storedBytes: Int = 64 << 20
  ) {
    (self.bytes, self.length, self.pixels) = (bytes, length, pixels)
    (self.redirects, self.time, self.cacheBytes) = (redirects, time, cacheBytes)
    self.storedBytes = storedBytes
  }
}
