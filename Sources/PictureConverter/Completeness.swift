extension PictureType {
  /// Whether a picture is complete.
  ///
  /// Decoders fill missing parts with grey, or with nothing, and report success.
  func isComplete(_ picture: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .png: Self.hasLastChunk(picture)
    case .jpeg: Self.hasEndOfImage(picture)
    case .gif: FirstFrame.end(in: picture) != nil
    case .webP: Self.hasAllOfContainer(picture)
    }
  }

  /// Walks through the chunks: length, name, data, checksum.
  private static func hasLastChunk(_ png: ArraySlice<UInt8>) -> Bool {
    var rest = png.dropFirst(8)
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      if rest.dropFirst(4).prefix(4).elementsEqual("IEND".utf8) { return true }
      rest = rest.dropFirst(length + 12)
    }
    return false
  }

  /// Searches for an end marker after the last start of a scan: an embedded preview has an end
  /// marker too.
  private static func hasEndOfImage(_ jpeg: ArraySlice<UInt8>) -> Bool {
    var index = jpeg.endIndex - 2
    while index >= jpeg.startIndex {
      if jpeg[index] == 0xFF {
        if jpeg[index + 1] == 0xD9 { return true }
        if jpeg[index + 1] == 0xDA { return false }
      }
      index -= 1
    }
    return false
  }

  private static func hasAllOfContainer(_ webP: ArraySlice<UInt8>) -> Bool {
    var reader = ByteReader(webP.dropFirst(4))
    return reader.number(UInt32.self).map { webP.count >= Int($0) + 8 } ?? false
  }
}
