extension PictureType {
  /// Whether a picture has its end.
  ///
  /// Decoders fill what is missing with grey, or with nothing, and call that a success.
  func isComplete(_ picture: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .png: Self.hasLastChunk(picture)
    case .jpeg: Self.hasEndOfImage(picture)
    case .gif: FirstFrame.end(in: picture) != nil
    case .webP: Self.hasAllOfContainer(picture)
    }
  }

  /// Walks the chunks: length, name, so many bytes, checksum.
  private static func hasLastChunk(_ png: ArraySlice<UInt8>) -> Bool {
    var rest = png.dropFirst(8)
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      if rest.dropFirst(4).prefix(4).elementsEqual("IEND".utf8) { return true }
      rest = rest.dropFirst(length + 12)
    }
    return false
  }

  /// An end after the last beginning of a scan: a preview inside of the picture has an end too.
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
