import PseudoTerminal

@testable import Terminal

/// Frames that change in every way that frames do: a little, a lot, by scrolling, in colour only.
struct RandomFrames {
  private(set) var size: Size
  private var buffer: CellBuffer
  private let attributes: Attributes
  private static let texts = [
    "plain words of a row", "字幕と絵🙂", "e\u{301}a\u{308}\u{323} n\u{303}", "████░░", "عربي עברית",
    "x",
    "               ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  ]

  /// Frames of some size, in styles of these attributes.
  init(attributes: Attributes, using generator: inout SeededGenerator) {
    self.attributes = attributes
    size = Self.randomSize(using: &generator)
    buffer = CellBuffer(size: size)
  }

  private static func randomSize(using generator: inout SeededGenerator) -> Size {
    let isTiny = Int.random(in: 0..<4, using: &generator) == 0
    return Size(
      width: Int.random(in: 1...(isTiny ? 3 : 60), using: &generator),
      height: Int.random(in: 1...(isTiny ? 2 : 20), using: &generator))
  }

  mutating func resize(using generator: inout SeededGenerator) {
    size = Self.randomSize(using: &generator)
    buffer = CellBuffer(size: size)
  }

  mutating func next(using generator: inout SeededGenerator) -> (CellBuffer, cursor: Point?) {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: buffer = CellBuffer(size: size)
    case 1, 2: scroll(by: Int.random(in: -3...3, using: &generator))
    case 3:
      buffer.restyle(randomRect(using: &generator)) {
        $0.attributes.formSymmetricDifference(.reverse)
      }
    default: break
    }
    for _ in 0..<Int.random(in: 0...12, using: &generator) { scribble(using: &generator) }
    let cursor = Bool.random(using: &generator) ? nil : randomPoint(using: &generator)
    return (buffer, cursor)
  }

  private mutating func scribble(using generator: inout SeededGenerator) {
    let style = randomStyle(using: &generator)
    if Int.random(in: 0..<4, using: &generator) == 0 {
      buffer.fill(randomRect(using: &generator), with: Cell(style: style))
    } else {
      let text =
        Bool.random(using: &generator)
        ? Self.texts.randomElement(using: &generator) ?? "" : generator.hostileText(length: 20)
      buffer.write(text, at: randomPoint(using: &generator), style: style)
    }
  }

  private mutating func scroll(by count: Int) {
    var scrolled = CellBuffer(size: size)
    for y in 0..<size.height where (0..<size.height).contains(y + count) {
      for x in 0..<size.width {
        let cell = buffer[x, y + count]
        scrolled.put(cell.glyph, at: Point(x: x, y: y), style: cell.style)
      }
    }
    buffer = scrolled
  }

  private func randomPoint(using generator: inout SeededGenerator) -> Point {
    Point(
      x: Int.random(in: 0..<size.width, using: &generator),
      y: Int.random(in: 0..<size.height, using: &generator))
  }

  private func randomRect(using generator: inout SeededGenerator) -> Rect {
    let origin = randomPoint(using: &generator)
    return Rect(
      x: origin.x, y: origin.y, width: Int.random(in: 1...20, using: &generator),
      height: Int.random(in: 1...5, using: &generator))
  }

  private func randomStyle(using generator: inout SeededGenerator) -> Style {
    func color() -> Color {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1: .default
      case 2: .palette(UInt8.random(in: 0...255, using: &generator))
      default:
        Color(
          red: UInt8.random(in: 0...255, using: &generator),
          green: UInt8.random(in: 0...255, using: &generator),
          blue: UInt8.random(in: 0...255, using: &generator))
      }
    }
    let some = Attributes(rawValue: UInt16.random(in: 0...31, using: &generator))
    return Style(
      foreground: color(), background: color(),
      attributes: Bool.random(using: &generator) ? [] : some.intersection(attributes))
  }
}
