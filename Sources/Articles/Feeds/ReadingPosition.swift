/// Where the user stopped reading an article, independent of the width of its lines.
public struct ReadingPosition: Sendable, Hashable {
  /// The index of the block in the document.
  public var block: Int
  /// How many characters of the block precede the position.
  public var offset: Int

  public init(block: Int, offset: Int = 0) {
    self.block = block
    self.offset = offset
  }
}
