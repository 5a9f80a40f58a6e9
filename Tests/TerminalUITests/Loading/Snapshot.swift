import Foundation
import Testing

@testable import TerminalUI

/// Compares a text with the file `name` in the folder `Snapshots`.
///
/// If there is no such file, records it and fails: review the file, then run the test again. With
/// `RECORD_SNAPSHOTS` in the environment, all snapshots are recorded again.
func expectSnapshot(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Snapshots/\(name).txt")
  let records = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil
  guard !records, let known = try? String(contentsOf: file, encoding: .utf8) else {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("\(name) was recorded: read it", sourceLocation: sourceLocation)
    return
  }
  let (lines, knownLines) = (
    text.components(separatedBy: "\n"), known.components(separatedBy: "\n")
  )
  let difference = zip(lines, knownLines).enumerated().first { $1.0 != $1.1 }
  #expect(
    text == known,
    """
    \(name), line \((difference?.offset ?? min(lines.count, knownLines.count)) + 1):
    - \(difference?.element.1 ?? "(end)")
    + \(difference?.element.0 ?? "(end)")
    """, sourceLocation: sourceLocation)
}

extension Frame {
  /// The rows that are not blank, each after its number; below a row that is partly dimmed, a line
  /// marks where.
  var compact: String {
    (0..<cells.size.height).flatMap { y -> [String] in
      let line = cells.line(y)
      guard !line.isEmpty else { return [] }
      let number = String(repeating: " ", count: y < 10 ? 1 : 0) + "\(y)│"
      let faint = cells.row(y).map {
        $0.style.attributes.contains(.dim) && $0.glyph != .space ? "~" : " "
      }
      let marks = faint.joined().replacing(/\s+$/, with: "")
      return [number + line] + (marks.isEmpty ? [] : ["  │" + marks])
    }
    .joined(separator: "\n")
  }
}
