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
    let name = path.lowercased()
    guard let format = Self.endings.first(where: { name.hasSuffix($0.ending) })?.format else {
      return nil
    }
    self = format
  }

  /// The extensions of file names that choose a format.
  static let endings: [(ending: String, format: StillFormat)] = [
    (".svg", .svg), (".png", .png), (".cast", .cast), (".ansi", .ansi), (".txt", .text),
  ]

  /// Returns the extension of a file name, such as `.jpg`; nil if it has none.
  static func ending(of path: String) -> String? {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: "."),
      dot > name.startIndex, name.index(after: dot) < name.endIndex
    else { return nil }
    return String(name[dot...])
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
