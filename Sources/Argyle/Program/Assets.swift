import CAssets

/// The files that are compiled into the program.
enum Assets {
  /// The bundled feed, in Atom.
  static var handbook: [UInt8] {
    Array(UnsafeBufferPointer(start: argyle_handbook(), count: argyle_handbook_size()))
  }

  /// A bundled picture, in PNG; nil when there is none of that name.
  static func picture(_ name: String) -> [UInt8]? {
    var size = 0
    guard let bytes = argyle_picture(name, &size) else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: size))
  }
}
