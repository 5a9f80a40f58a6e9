/// How much a picture may cost.
public struct PictureLimits: Hashable, Sendable {
  /// The size of a file or an answer, in bytes.
  public var bytes: Int
  /// The longer side, in pixels.
  public var length: Int
  /// The product of both sides.
  public var pixels: Int
  /// How many redirects are followed.
  public var redirects: Int
  /// How long decoding and converting may take.
  public var time: Duration
  /// What is kept in memory: pictures as cells, and as much again as they came from the web.
  public var cacheBytes: Int
  /// What is kept on the disk, where there is a folder for that.
  public var storedBytes: Int

  /// What suits the pictures of articles: photographs of up to 40 megapixels.
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
