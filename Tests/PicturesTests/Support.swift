import Foundation
import HTTP
import Loading
import LoadingTesting
import PseudoTerminal
import Terminal
import Testing

@testable import Pictures

/// The converter as it is built beside the tests.
let builtConverter = builtProgram("argyle-pictures")

extension Converter {
  /// Converts with the real converter, or with the program at `path`, which stays however long the
  /// machine takes for the rest of a test.
  static func built(_ path: String = builtConverter) -> Converter {
    Converter(path: path, patience: 3600)
  }

  /// The cells of a picture.
  func cells(
    of picture: [UInt8], for request: PictureRequest, limits: PictureLimits = PictureLimits(),
    clock: AnyClock = ManualClock().any
  ) async throws -> CellBuffer {
    let answer = try await convert(picture, for: request, limits: limits, clock: clock)
    return try AnswerMessage.cells(
      in: answer.bytes, id: answer.id, request: request, type: "PNG")
  }
}

extension PictureRequest {
  /// For pictures that come from the test itself.
  static func sample(_ width: Int = 4, _ height: Int = 2) -> PictureRequest {
    PictureRequest(
      .memory("sample") { [] }, room: Size(width: width, height: height), enlarges: true)
  }
}

/// Cells in two letters each: the glyph, or `.` for a blank, and then its colours as `fg/bg`.
func described(_ cells: CellBuffer) -> [[String]] {
  (0..<cells.size.height).map { y in
    cells.row(y).map { cell in
      let colors = "\(name(cell.style.foreground))/\(name(cell.style.background))"
      let mark = cell.style.attributes.contains(.reverse) ? "~" : ""
      return "\(cell.glyph == .space ? "." : cell.glyph.text)\(mark) \(colors)"
    }
  }
}

private func name(_ color: Color) -> String {
  switch color.kind {
  case .default: "-"
  case .palette(let index): "#\(index)"
  case .rgb(let red, let green, let blue):
    [red, green, blue].map { String(format: "%02x", $0) }.joined()
  }
}

/// Waits for what another process or thread brings about; the test's time limit is the end of it.
func wait(until condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
