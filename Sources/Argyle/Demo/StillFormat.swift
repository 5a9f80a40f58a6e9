import ArgumentParser
import TerminalUI

/// The format of a picture.
enum StillFormat: String, CaseIterable, ExpressibleByArgument {
  case text, ansi, svg, png
  /// A recording for asciinema's player.
  case cast
  /// An animated SVG.
  case movie

  /// Whether the format shows all of the frames instead of one.
  var moves: Bool { self == .cast || self == .movie }

  /// Chooses the format by the extension of a file name.
  init?(path: String) {
    switch path.lowercased() {
    case let name where name.hasSuffix(".svg"): self = .svg
    case let name where name.hasSuffix(".png"): self = .png
    case let name where name.hasSuffix(".cast"): self = .cast
    case let name where name.hasSuffix(".ansi"): self = .ansi
    case let name where name.hasSuffix(".txt"): self = .text
    default: return nil
    }
  }

  /// Returns the picture that a scene showed at `end`, or all of them if the format moves.
  ///
  /// Text ends in a newline.
  func bytes(
    from frames: [(time: Duration, cells: CellBuffer)], until end: Duration,
    theme: SVGTheme = .dark
  ) -> [UInt8] {
    guard let last = frames.last?.cells else { return [] }
    let exporter = SVGExporter(title: "argyle", theme: theme)
    return switch self {
    case .text: Array((last.text + "\n").utf8)
    case .ansi: Array((ANSIExporter().string(from: last) + "\n").utf8)
    case .svg: Array(exporter.string(from: last).utf8)
    case .png: PNGExporter(font: Assets.font, theme: theme).bytes(from: last)
    case .cast: Array(CastExporter(title: "argyle").string(from: frames).utf8)
    case .movie: Array(exporter.string(fromMoving: frames, until: end).utf8)
    }
  }
}
