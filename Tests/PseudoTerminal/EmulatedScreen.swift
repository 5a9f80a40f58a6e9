import Foundation

/// A terminal of the xterm family, in memory: what the user would see of the bytes it is fed.
///
/// Whatever it does not know is kept in ``unknown``, so that a test can say there was nothing.
public struct EmulatedScreen: Sendable {
  /// Columns.
  public internal(set) var columns: Int
  /// Rows.
  public internal(set) var rows: Int
  /// The column of the cursor, from 0.
  public internal(set) var x = 0
  /// The row of the cursor, from 0.
  public internal(set) var y = 0
  /// The private modes that are on: 25 is the cursor, 1049 the alternate screen, 1000 and 1006 the
  /// mouse, 2004 bracketed paste.
  public internal(set) var privateModes: Set<Int> = [7, 25]
  /// The window's title.
  public internal(set) var title = ""
  /// Sequences that were not understood.
  public internal(set) var unknown: [String] = []
  /// What the next character is drawn in.
  public internal(set) var style = EmulatedStyle()
  /// The rows that scroll.
  public internal(set) var region: Range<Int>

  var lines: [[EmulatedCell]]
  var otherLines: [[EmulatedCell]]
  var saved: (x: Int, y: Int, style: EmulatedStyle) = (0, 0, EmulatedStyle())
  var savedByModes: (x: Int, y: Int, style: EmulatedStyle) = (0, 0, EmulatedStyle())
  // A character in the last column leaves the cursor there; the next one goes to the next row.
  var isAtEnd = false
  var isInserting = false
  var isDrawingLines = [false, false]
  var characterSet = 0
  var lastCharacter: Unicode.Scalar?
  var parser = SequenceParser()
  let erasesInBackground: Bool

  /// An empty screen of that size.
  ///
  /// `erasesInBackground` is what its description calls `bce`: xterm does, tmux does not say so.
  public init(columns: Int, rows: Int, erasesInBackground: Bool = true) {
    EmulatedScreen.knowWidths
    self.columns = columns
    self.rows = rows
    self.erasesInBackground = erasesInBackground
    region = 0..<rows
    lines = EmulatedScreen.blankLines(columns, rows)
    otherLines = lines
  }

  // Once: the C library's tables belong to all threads, and another one may be reading them.
  private static let knowWidths: Void = {
    // Without a locale of UTF-8 the C library knows the width of nothing.
    if columnWidth("é") != 1 { setlocale(LC_CTYPE, "C.UTF-8") }
  }()

  /// Whether the alternate screen shows.
  public var isAlternate: Bool { privateModes.contains(1049) }
  /// Whether the cursor shows.
  public var isCursorVisible: Bool { privateModes.contains(25) }

  /// Row `y`, cell by cell.
  public func row(_ y: Int) -> [EmulatedCell] { lines[y] }

  /// Row `y` as text, trailing blanks cut.
  public func line(_ y: Int) -> String {
    var line = lines[y].map(\.text).joined()
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }

  /// Everything as text, a line a row, trailing blanks cut.
  public var text: String { (0..<rows).map(line).joined(separator: "\n") }

  /// Another size; what does not fit is cut off.
  public mutating func resize(columns: Int, rows: Int) {
    func fit(_ lines: [[EmulatedCell]]) -> [[EmulatedCell]] {
      let blank = [EmulatedCell](repeating: EmulatedCell(), count: columns)
      return (0..<rows).map { y in
        y < lines.count ? Array((lines[y] + blank).prefix(columns)) : blank
      }
    }
    (lines, otherLines) = (fit(lines), fit(otherLines))
    (self.columns, self.rows) = (columns, rows)
    region = 0..<rows
    moveTo(x: x, y: y)
  }

  static func blankLines(_ columns: Int, _ rows: Int) -> [[EmulatedCell]] {
    Array(repeating: Array(repeating: EmulatedCell(), count: columns), count: rows)
  }

  var blank: EmulatedCell {
    EmulatedCell(
      style: EmulatedStyle(background: erasesInBackground ? style.background : .default))
  }

  // MARK: - Characters

  mutating func put(_ scalar: Unicode.Scalar) {
    let scalar = isDrawingLines[characterSet] ? lineDrawing(scalar) : scalar
    let width = columnWidth(scalar)
    guard width > 0 else { return combine(scalar) }
    guard width <= columns else { return }
    if isAtEnd || x + width > columns {
      if privateModes.contains(7) {
        x = 0
        lineFeed()
      } else {
        x = columns - width
      }
    }
    isAtEnd = false
    if isInserting { insertCells(width) }
    for column in x..<(x + width) { separate(column) }
    lines[y][x] = EmulatedCell(text: String(scalar), style: style)
    if width == 2 { lines[y][x + 1] = EmulatedCell(text: "", style: style) }
    lastCharacter = scalar
    x += width
    if x >= columns {
      x = columns - 1
      isAtEnd = true
    }
  }

  private mutating func combine(_ scalar: Unicode.Scalar) {
    var column = isAtEnd ? x : x - 1
    if column > 0, lines[y][column].text.isEmpty { column -= 1 }
    guard column >= 0 else { return }
    lines[y][column].text.unicodeScalars.append(scalar)
  }

  /// Blanks the other half of a wide character that is about to lose one.
  mutating func separate(_ column: Int) {
    guard lines[y].indices.contains(column) else { return }
    if lines[y][column].text.isEmpty, column > 0 { lines[y][column - 1].text = " " }
    if column + 1 < columns, lines[y][column + 1].text.isEmpty { lines[y][column + 1].text = " " }
  }

  private func lineDrawing(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let from = Array("`afgjklmnopqrstuvwxyz{|}~".unicodeScalars)
    let to = Array("◆▒°±┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·".unicodeScalars)
    return from.firstIndex(of: scalar).map { to[$0] } ?? scalar
  }

  // MARK: - Rows

  mutating func lineFeed() {
    isAtEnd = false
    if y == region.upperBound - 1 { scrollUp(1) } else if y < rows - 1 { y += 1 }
  }

  mutating func reverseLineFeed() {
    isAtEnd = false
    if y == region.lowerBound { scrollDown(1, from: y) } else if y > 0 { y -= 1 }
  }

  mutating func scrollUp(_ count: Int, from top: Int? = nil) {
    let top = top ?? region.lowerBound
    let count = min(count, region.upperBound - top)
    lines.removeSubrange(top..<(top + count))
    lines.insert(contentsOf: newRows(count), at: region.upperBound - count)
  }

  mutating func scrollDown(_ count: Int, from top: Int) {
    let count = min(count, region.upperBound - top)
    lines.removeSubrange((region.upperBound - count)..<region.upperBound)
    lines.insert(contentsOf: newRows(count), at: top)
  }

  private func newRows(_ count: Int) -> [[EmulatedCell]] {
    Array(repeating: Array(repeating: blank, count: columns), count: count)
  }

  mutating func moveTo(x: Int, y: Int) {
    self.x = max(0, min(columns - 1, x))
    self.y = max(0, min(rows - 1, y))
    isAtEnd = false
  }

  // MARK: - Parts of a row

  mutating func insertCells(_ count: Int) {
    separate(x)
    let count = min(count, columns - x)
    lines[y].insert(contentsOf: Array(repeating: blank, count: count), at: x)
    lines[y].removeLast(count)
    // A wide character whose right half was pushed out.
    if count > 0, let last = lines[y].last, isWide(last) { lines[y][columns - 1].text = " " }
  }

  mutating func deleteCells(_ count: Int) {
    let count = min(count, columns - x)
    separate(x)
    separate(x + count - 1)
    lines[y].removeSubrange(x..<(x + count))
    lines[y] += Array(repeating: blank, count: count)
  }

  mutating func erase(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<columns)
    guard !range.isEmpty else { return }
    separate(range.lowerBound)
    separate(range.upperBound - 1)
    for column in range { lines[y][column] = blank }
  }

  mutating func eraseRows(_ range: Range<Int>) {
    for row in range { lines[row] = Array(repeating: blank, count: columns) }
  }

  private func isWide(_ cell: EmulatedCell) -> Bool {
    cell.text.unicodeScalars.first.map { columnWidth($0) == 2 } ?? false
  }
}
