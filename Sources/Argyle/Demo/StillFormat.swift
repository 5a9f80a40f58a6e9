import ArgumentParser
import TerminalUI

/// The format of a picture.
enum StillFormat: String, CaseIterable, ExpressibleByArgument {
  case text, ansi, svg
  /// A recording for asciinema's player.
  case cast
  /// An SVG that moves.
  case movie

  /// Whether it shows what happens, and not a moment of it.
  var moves: Bool { self == .cast || self == .movie }

  /// The format that the name of a file asks for by its end.
  init?(path: String) {
    switch path.lowercased() {
    case let name where name.hasSuffix(".svg"): self = .svg
    case let name where name.hasSuffix(".cast"): self = .cast
    case let name where name.hasSuffix(".ansi"): self = .ansi
    case let name where name.hasSuffix(".txt"): self = .text
    default: return nil
    }
  }

  /// What a scene showed until `end`, ending in a newline: its last picture, unless the format moves.
  func string(
    from frames: [(time: Duration, cells: CellBuffer)], until end: Duration,
    theme: SVGTheme = .dark
  ) -> String {
    guard let last = frames.last?.cells else { return "" }
    return switch self {
    case .text: last.text + "\n"
    case .ansi: ANSIExporter().string(from: last) + "\n"
    case .svg: SVGExporter(title: "argyle", theme: theme).string(from: last)
    case .cast: CastExporter(title: "argyle").string(from: frames)
    case .movie:
      SVGExporter(title: "argyle", theme: theme).string(fromMoving: frames, until: end)
    }
  }
}
