/// Finds the first frame of an animation.
///
/// The GIF decoder decodes every frame that it gets, and a file of kilobytes can have thousands.
enum FirstFrame {
  /// Returns a GIF up to the end of its first frame; all of it if that end is not found.
  static func cut(from gif: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let end = end(in: gif) else { return gif }
    return gif.prefix(end) + [0x3B]
  }

  /// Returns the number of bytes up to the end of the first frame; nil if there is none.
  static func end(in gif: ArraySlice<UInt8>) -> Int? {
    func byte(_ index: Int) -> Int? {
      index < gif.count ? Int(gif[gif.startIndex + index]) : nil
    }
    /// The size of a colour table in bytes, from the flags that describe it.
    func tableSize(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }
    /// The index after the blocks that begin at `index`: each has its length and that many bytes.
    func afterBlocks(at index: Int) -> Int? {
      var index = index
      while let length = byte(index), length > 0 { index += 1 + length }
      return byte(index) == nil ? nil : index + 1
    }

    guard let flags = byte(10) else { return nil }
    var index = 13 + tableSize(flags)
    while true {
      switch byte(index) {
      case 0x21:
        guard let next = afterBlocks(at: index + 2) else { return nil }
        index = next
      case 0x2C:
        guard let flags = byte(index + 9) else { return nil }
        return afterBlocks(at: index + 10 + tableSize(flags) + 1)
      default:
        return nil
      }
    }
  }
}
