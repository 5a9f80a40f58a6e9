import CAssets
import TerminalUI

/// The files that are compiled into the program.
enum Assets {
  /// The handbook, as an Atom feed with the key table inserted at its `<!--keys-->` mark.
  static var handbook: [UInt8] {
    let bytes = UnsafeBufferPointer(start: argyle_handbook(), count: argyle_handbook_size())
    let mark = Array("<!--keys-->".utf8)
    guard let range = bytes.firstRange(of: mark) else { return Array(bytes) }
    var handbook = Array(bytes[..<range.lowerBound])
    handbook += Array(KeyTable.program.html.utf8)
    handbook += bytes[range.upperBound...]
    return handbook
  }

  /// The font in which text is drawn into exported PNG pictures.
  static let font = BitmapFont(
    Array(UnsafeBufferPointer(start: argyle_font(), count: argyle_font_size())))

  /// Returns a bundled picture, as PNG; nil if there is none with that name.
  static func picture(_ name: String) -> [UInt8]? {
    var size = 0
    guard let bytes = argyle_picture(name, &size) else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: size))
  }
}
