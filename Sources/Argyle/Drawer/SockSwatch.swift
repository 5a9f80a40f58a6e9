import TerminalUI

/// The colour of a sock, shown where its picture does not fit.
///
/// It is drawn as an image, because a selected row would override the colour of text.
struct SockSwatch: View {
  let colour: String

  var body: some View {
    HStack(spacing: 0) {
      if let color = Self.color(named: colour) {
        Image(Self.picture(color), label: colour)
      } else {
        Text("··").foregroundStyle(\.separator)
      }
    }
  }

  // Leaves a gap above, so that socks of the same colour do not merge into one column.
  private static func picture(_ color: Color) -> CellBuffer {
    var cells = CellBuffer(size: Size(width: 2, height: 1))
    cells.write("▆▆", at: Point(x: 0, y: 0), style: Style(foreground: color))
    return cells
  }

  /// Returns the colour of the first known word in a name, such as "blue" in "faded Blue".
  static func color(named name: String) -> Color? {
    name.lowercased().split { !$0.isLetter }.lazy.compactMap { colors[String($0)] }.first
  }

  private static let colors: [String: Color] = [
    "red": rgb(0xC8, 0x3C, 0x46), "pink": rgb(0xE0, 0x8C, 0xA8), "orange": rgb(0xD9, 0x82, 0x3B),
    "yellow": rgb(0xD9, 0xB8, 0x45), "gold": rgb(0xC9, 0x9A, 0x2E), "cream": rgb(0xE6, 0xD8, 0xB4),
    "beige": rgb(0xD2, 0xBE, 0x96), "brown": rgb(0x8A, 0x5E, 0x3C), "green": rgb(0x4F, 0x93, 0x56),
    "moss": rgb(0x76, 0x7C, 0x3A), "olive": rgb(0x76, 0x7C, 0x3A), "teal": rgb(0x2E, 0x8B, 0x86),
    "turquoise": rgb(0x3F, 0xB5, 0xB0), "blue": rgb(0x42, 0x72, 0xB8),
    "navy": rgb(0x3F, 0x58, 0x98),
    "purple": rgb(0x7C, 0x57, 0xA8), "violet": rgb(0x7C, 0x57, 0xA8), "plum": rgb(0x8A, 0x4F, 0x7B),
    "grey": rgb(0x8C, 0x90, 0x98), "gray": rgb(0x8C, 0x90, 0x98), "silver": rgb(0xB4, 0xB8, 0xC0),
    "black": rgb(0x5A, 0x5C, 0x62), "white": rgb(0xEE, 0xEE, 0xEA),
  ]

  private static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(red: red, green: green, blue: blue)
  }
}
