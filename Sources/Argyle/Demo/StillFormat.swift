import ArgumentParser
import TerminalUI

/// The format of a picture.
enum StillFormat: String, CaseIterable, ExpressibleByArgument {
  case text, ansi, svg

  /// The format that the name of a file asks for by its end.
  init?(path: String) {
    switch path.lowercased() {
    case let name where name.hasSuffix(".svg"): self = .svg
    case let name where name.hasSuffix(".ansi"): self = .ansi
    case let name where name.hasSuffix(".txt"): self = .text
    default: return nil
    }
  }

  /// All of `cells`, ending in a newline.
  func string(from cells: CellBuffer, theme: SVGTheme = .dark) -> String {
    switch self {
    case .text: cells.text + "\n"
    case .ansi: ANSIExporter().string(from: cells) + "\n"
    case .svg: SVGExporter(title: "argyle", theme: theme).string(from: cells)
    }
  }
}
