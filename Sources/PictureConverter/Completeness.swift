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

  /// Walks through the segments, each a marker and a length, and through the data of each scan to
  /// the end marker.
  ///
  /// Neither an embedded preview nor what follows the picture is looked at: both may have markers.
  private static func hasEndOfImage(_ jpeg: ArraySlice<UInt8>) -> Bool {
    var rest = jpeg.dropFirst(2)
    while let start = rest.firstIndex(of: 0xFF) {
      rest = rest[start...].dropFirst()
      switch rest.first ?? 0 {
      case 0xD9: return true
      // 0xFF as data of a scan, markers without a length, and a fill byte before a marker.
      case 0x00, 0x01, 0xD0...0xD8, 0xFF: continue
      default: rest = rest.dropFirst(1 + rest.dropFirst().prefix(2).reduce(0) { $0 << 8 | Int($1) })
      }
    }
    return false
  }

  private static func hasAllOfContainer(_ webP: ArraySlice<UInt8>) -> Bool {
    var reader = ByteReader(webP.dropFirst(4))
    return reader.number(UInt32.self).map { webP.count >= Int($0) + 8 } ?? false
  }
}
