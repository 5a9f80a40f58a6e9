/// Reads the size of a JPEG, which follows its other segments.
enum JPEGHeader {
  static func size(_ bytes: HeaderBytes) -> PixelSize? {
    var index = 2
    var isOnItsSide = false
    // Each iteration advances by at least one byte.
    while bytes.byte(index) == 0xFF, let marker = bytes.byte(index + 1) {
      switch marker {
      case 0xFF:
        index += 1
      // Markers without a length.
      case 0x01, 0xD0...0xD8:
        index += 2
      // Start-of-frame markers; of the exceptions, two are tables and 0xC8 is reserved.
      case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
        let (height, width) = (bytes.big16(index + 5), bytes.big16(index + 7))
        return isOnItsSide
          ? PictureHeader.size(height, width) : PictureHeader.size(width, height)
      case 0xD9, 0xDA:
        return nil
      default:
        if marker == 0xE1, bytes.has("Exif\0\0".utf8, at: index + 4) {
          // Values from 5 mean that the picture is turned by 90°.
          isOnItsSide = (orientation(bytes, at: index + 10) ?? 1) >= 5
        }
        guard let length = bytes.big16(index + 2), length >= 2 else { return nil }
        index += 2 + length
      }
    }
    return nil
  }

  /// Reads the orientation from an Exif block, which is a TIFF file: tag 0x0112 of its first
  /// directory.
  private static func orientation(_ bytes: HeaderBytes, at start: Int) -> Int? {
    let isLittle = bytes.has("II".utf8, at: start)
    func short(_ offset: Int) -> Int? {
      isLittle ? bytes.little16(start + offset) : bytes.big16(start + offset)
    }
    let directory = isLittle ? bytes.little32(start + 4) : bytes.big32(start + 4)
    guard let directory, directory < PictureHeader.length, let count = short(directory) else {
      return nil
    }
    for entry in 0..<count {
      let offset = directory + 2 + entry * 12
      guard let tag = short(offset) else { return nil }
      if tag == 0x0112 { return short(offset + 8).flatMap { 1...8 ~= $0 ? $0 : nil } }
    }
    return nil
  }
}
