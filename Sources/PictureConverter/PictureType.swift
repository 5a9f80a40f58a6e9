/// The decoded types, recognised only by a picture's first bytes: file names and response headers
/// may be wrong.
enum PictureType: CaseIterable {
  case png, jpeg, gif, webP

  init?(of picture: ArraySlice<UInt8>) {
    let head = Array(picture.prefix(12))
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WEBP".utf8) {
      self = .webP
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    case .webP: "image/webp"
    }
  }
}
