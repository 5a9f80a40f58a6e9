/// Where the reading of an article stopped, however wide its lines are next time.
public struct ReadingPosition: Sendable, Hashable {
  /// Which block of the document, from 0.
  public var block: Int
  /// How many characters of the block come before.
  public var offset: Int

  public init(block: Int, offset: Int = 0) {
    self.block = block
    self.offset = offset
  }
}
