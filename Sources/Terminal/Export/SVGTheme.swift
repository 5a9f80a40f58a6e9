/// The colours that a terminal's settings would determine, for exported pictures.
public struct SVGTheme: Hashable, Sendable {
  /// Palette entries 0–15, each as `#rrggbb`.
  public let palette: [String]
  /// The colour of text in ``Color/default``.
  public let foreground: String
  /// The colour of the window, and of backgrounds in ``Color/default``.
  public let background: String
  /// The colour of the window's title.
  public let title: String
  /// The colour of the window's edge and of the line below its title.
  public let edge: String
  /// The colours of the three dots at the top left of the window.
  public let dots: [String]

  /// Soft colours on a dark background.
  public static let dark = SVGTheme(
    palette: [
      "#23262e", "#ec7f86", "#93c88a", "#e6bf75", "#79aef0", "#c795e6", "#68c5c8", "#c9cdd6",
      "#7a8190", "#f59aa0", "#aedba6", "#f1d193", "#9cc6f8", "#d9b1f1", "#8bdadc", "#f3f5f8",
    ],
    foreground: "#d8dbe2", background: "#171a20", title: "#8f96a5", edge: "#323743",
    dots: ["#ed6a5f", "#f4bf50", "#61c454"])

  /// Deep colours on a light background.
  public static let light = SVGTheme(
    palette: [
      "#1c2026", "#b3263a", "#24752f", "#8a6100", "#1f5fa8", "#8a3a9c", "#0b6e75", "#c9cdd6",
      "#68707d", "#c9364a", "#2f8a3b", "#a37400", "#2f72c4", "#a24bb5", "#14858d", "#f3f5f8",
    ],
    foreground: "#20252d", background: "#fbfbf9", title: "#68707d", edge: "#d3d7de",
    dots: ["#ed6a5f", "#f4bf50", "#61c454"])

  /// Black, white and pure colours.
  public static let highContrast = SVGTheme(
    palette: [
      "#000000", "#ff6060", "#60ff60", "#ffff60", "#8090ff", "#ff80ff", "#60ffff", "#ffffff",
      "#a0a0a0", "#ff8080", "#80ff80", "#ffff00", "#a0b0ff", "#ffa0ff", "#80ffff", "#ffffff",
    ],
    foreground: "#ffffff", background: "#000000", title: "#ffffff", edge: "#ffffff",
    dots: ["#ed6a5f", "#f4bf50", "#61c454"])

  /// Returns a colour as `#rrggbb`; `default` is the value for the terminal's own colour.
  func hex(_ color: Color, default: String) -> String {
    switch color.kind {
    case .default: return `default`
    case .palette(let index):
      return XtermPalette.rgb(of: index).map(Self.hex) ?? palette[Int(index)]
    case .rgb(let red, let green, let blue): return Self.hex(RGB(red, green, blue))
    }
  }

  private static func hex(_ rgb: RGB) -> String {
    let parts = [rgb.red, rgb.green, rgb.blue]
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
