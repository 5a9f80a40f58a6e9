import CAssets

/// The files that are compiled into the program.
enum Assets {
  /// The bundled feed, in Atom.
  static var handbook: [UInt8] {
    Array(UnsafeBufferPointer(start: argyle_handbook(), count: argyle_handbook_size()))
  }
}
