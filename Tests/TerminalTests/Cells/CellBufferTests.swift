import PseudoTerminal
import Testing

@testable import Terminal

private let red = Style(foreground: .red)
private let blue = Style(foreground: .blue)

private func buffer(_ rows: String..., style: Style = .plain) -> CellBuffer {
  let width = rows.map { columns(of: $0) }.max() ?? 0
  var buffer = CellBuffer(size: Size(width: width, height: rows.count))
  for (y, row) in rows.enumerated() { buffer.write(row, at: Point(x: 0, y: y), style: style) }
  return buffer
}

extension CellBuffer {
  /// Where half a wide glyph lies, if anywhere.
  fileprivate var brokenGlyphs: [Point] {
    var broken: [Point] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let cell = self[x, y]
        let isWhole =
          switch cell.glyph.width {
          case 0:
            cell.glyph == .continuation && x > 0 && self[x - 1, y].glyph.width == 2
              && self[x - 1, y].style == cell.style
          case 1: true
          default: x + 1 < size.width && self[x + 1, y].glyph == .continuation
          }
        if !isWhole { broken.append(Point(x: x, y: y)) }
      }
    }
    return broken
  }
}

@Suite struct CellBufferTests {
  @Test func `a cell takes 16 bytes`() {
    #expect(MemoryLayout<Cell>.stride == 16)
  }

  @Test func `a cell gives back every glyph and style that it was given`() {
    var generator = SeededGenerator(seed: 16)
    func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
      Number.random(in: range, using: &generator)
    }
    func color() -> Color {
      switch number(0...2) {
      case 0: .default
      case 1: .palette(number(0...255))
      default: Color(red: number(0...255), green: number(0...255), blue: number(0...255))
      }
    }
    for _ in 0..<2_000 {
      let style = Style(
        foreground: color(), background: color(), attributes: .init(rawValue: number(0...63)))
      let text = generator.hostileText(length: 4)
      for glyph in Glyphs(text) {
        var cell = Cell(glyph, style: style)
        #expect((cell.glyph, cell.style) == (glyph, style))
        cell.glyph = .continuation
        #expect((cell.glyph, cell.style) == (.continuation, style))
        (cell.glyph, cell.style) = (glyph, .plain)
        #expect(cell == Cell(glyph))
      }
    }
  }

  @Test func `only cells that are drawn on change`() {
    var buffer = buffer("one", "three", "five5")
    var damage = Damage(size: buffer.size)
    damage.insert(Rect(x: 1, y: 1, width: 2, height: 1))
    buffer.writable = damage
    buffer.fill(buffer.bounds, with: .blank)
    #expect(buffer.text == "one\nt  ee\nfive5")
    for y in 0..<3 { buffer.write("newer", at: Point(x: 0, y: y)) }
    #expect(buffer.text == "one\ntewee\nfive5")
    buffer.restyle(buffer.bounds) { $0.attributes.insert(.bold) }
    #expect(
      buffer.row(1).map { $0.style.attributes.contains(.bold) } == [
        false, true, true, false, false,
      ])
    #expect(!buffer.row(0).contains { $0.style.attributes.contains(.bold) })
  }

  @Test func `a part that is drawn on has wide glyphs as a whole`() {
    var buffer = buffer("a漢b字c")
    func damage(_ columns: Range<Int>) -> Range<Int> {
      var damage = Damage(size: buffer.size)
      damage.insert(Rect(x: columns.lowerBound, y: 0, width: columns.count, height: 1))
      damage.complete(in: buffer)
      return damage.columns(ofRow: 0)
    }
    #expect(damage(0..<1) == 0..<1)
    #expect(damage(0..<2) == 0..<3)
    #expect(damage(2..<5) == 1..<6)
    #expect(damage(3..<4) == 3..<4)
    buffer.writable = Damage(size: buffer.size)
    buffer.writable?.insert(Rect(x: 1, y: 0, width: 2, height: 1))
    buffer.write("x漢yz", at: Point(x: 0, y: 0))
    #expect(buffer.text == "a漢b字c")
    // What is drawn under something else may be cut; where nothing covers it, its other half is
    // damaged, too.
    buffer.write("字字", at: Point(x: 0, y: 0), style: Style(foreground: .red))
    #expect(buffer.row(0).map(\.glyph.width) == [1, 0, 2, 1, 2, 0, 1])
    #expect(damage(1..<3) == 0..<4)
    #expect(
      buffer.row(0).map { $0.style.foreground == .red } == [false, true, true]
        + Array(repeating: false, count: 4))
  }

  @Test func `damage has the cells of its rectangles and what is between them in a row`() {
    let size = Size(width: 10, height: 3)
    var (some, others) = (Damage(size: size), Damage(size: size))
    some.insert(Rect(x: 1, y: -1, width: 2, height: 2))
    some.insert(Rect(x: 0, y: 1, width: 0, height: 2))
    #expect(some.meets(Rect(x: -4, y: -4, width: 6, height: 9)))
    #expect(!some.meets(Rect(x: 3, y: 0, width: 7, height: 3)))
    #expect(!some.meets(Rect(x: 0, y: 1, width: 9, height: 9)))
    others.insert(Rect(x: 9, y: 0, width: 7, height: 7))
    some.formUnion(others)
    #expect((-1..<4).map(some.columns) == [0..<0, 1..<10, 9..<10, 9..<10, 0..<0])
    #expect(!some.isFull)
    some.insert(Rect(x: 0, y: 0, width: 1, height: 5))
    #expect(some.isFull)
    var none = Damage()
    none.formUnion(others)
    #expect(none == others)
    none.formUnion(Damage(size: Size(width: 2, height: 1)))
    #expect(none == Damage(size: Size(width: 2, height: 1), isFull: true))
  }

  @Test func `text is written where it should be and cut at the edges`() {
    var buffer = CellBuffer(size: Size(width: 6, height: 3))
    #expect(buffer.write("Hello", at: Point(x: 1, y: 0)) == 5)
    #expect(buffer.write("overflow", at: Point(x: 2, y: 1)) == 4)
    #expect(buffer.write("left", at: Point(x: -2, y: 2)) == 4)
    #expect(buffer.write("nowhere", at: Point(x: 0, y: 3)) == 6)
    #expect(buffer.write("nowhere", at: Point(x: 0, y: -1)) == 6)
    #expect(buffer.text == " Hello\n  over\nft")
  }

  @Test func `a clip keeps text inside`() {
    var buffer = buffer("......", "......")
    let clip = Rect(x: 1, y: 0, width: 3, height: 1)
    #expect(buffer.write("abcdef", at: Point(x: 0, y: 0), clip: clip) == 4)
    #expect(buffer.write("abcdef", at: Point(x: 0, y: 1), clip: clip) == 4)
    #expect(buffer.text == ".bcd..\n......")
  }

  @Test func `a wide glyph that does not fit is not drawn`() {
    var buffer = buffer("....")
    #expect(buffer.write("a日日", at: Point(x: 0, y: 0)) == 3)
    #expect(buffer.text == "a日.")
    #expect(buffer.put(Glyph(scalar: 0x65E5, width: 2), at: Point(x: 3, y: 0), style: red) == 0)
    #expect(buffer.text == "a日.")
  }

  @Test func `overwriting half of a wide glyph blanks the other half`() {
    var left = buffer("日本", style: red)
    left.write("x", at: Point(x: 0, y: 0))
    #expect(left.text == "x 本")
    #expect(left[1, 0] == Cell(.space, style: red))

    var right = buffer("日本")
    right.write("x", at: Point(x: 1, y: 0))
    #expect(right.text == " x本")

    var both = buffer("日本")
    both.write("語", at: Point(x: 1, y: 0))
    #expect(both.text == " 語")
  }

  @Test func `a fill that starts or ends inside a wide glyph blanks its other half`() {
    var buffer = buffer("日本語")
    buffer.fill(Rect(x: 1, y: 0, width: 4, height: 1), with: Cell(Glyph(scalar: 0x23, width: 1)))
    #expect(buffer.text == " ####")

    var single = self.single
    single.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .blank)
    #expect(single.text == "")
    single = self.single
    single.fill(Rect(x: 1, y: 0, width: 1, height: 1), with: .blank)
    #expect(single.text == "")
  }

  private var single: CellBuffer { buffer("日") }

  @Test func `filling with a wide glyph fills with blanks`() {
    let wide = Cell(Glyph(scalar: 0x65E5, width: 2), style: red)
    var buffer = CellBuffer(size: Size(width: 3, height: 1), filledWith: wide)
    #expect(buffer[1, 0] == Cell(style: red))
    buffer.fill(buffer.bounds, with: Cell(.continuation, style: blue))
    #expect(buffer[2, 0] == Cell(style: blue))
  }

  @Test func `restyling leaves half a glyph alone`() {
    var buffer = buffer("日本語")
    buffer.restyle(Rect(x: 1, y: 0, width: 4, height: 1)) { $0 = red }
    #expect(buffer.row(0).map(\.style) == [.plain, .plain, red, red, .plain, .plain])
    buffer.restyle(Rect(x: 1, y: 0, width: 1, height: 1)) { $0 = blue }
    #expect(!buffer.row(0).map(\.style).contains(blue))
  }

  @Test func `rectangles outside change nothing`() {
    var buffer = buffer("日x")
    let before = buffer
    for rect in [
      Rect(x: 3, y: 0, width: 5, height: 1), Rect(x: -4, y: 0, width: 4, height: 1),
      Rect(x: 0, y: 1, width: 3, height: 9), Rect(x: 1, y: 0, width: 0, height: 1),
    ] {
      buffer.fill(rect, with: Cell(style: red))
      buffer.restyle(rect) { $0 = red }
      buffer.write("abc", at: Point(x: 0, y: 0), clip: rect)
    }
    #expect(buffer == before)
  }

  @Test func `a buffer without cells takes anything`() {
    var buffer = CellBuffer(size: .zero)
    buffer.write("abc", at: Point(x: 0, y: 0))
    buffer.fill(Rect(x: 0, y: 0, width: 5, height: 5), with: .blank)
    #expect(buffer.text == "")
  }

  @Test func `columns of a text are the cells that writing it changes`() {
    forEachSeed { generator, seed in
      let text = generator.hostileText(length: 20)
      let width = columns(of: text)
      var buffer = CellBuffer(size: Size(width: width + 3, height: 3))
      let taken = buffer.write(text, at: Point(x: 1, y: 1), style: red)
      #expect(taken == width, "seed \(seed)")
      for y in 0..<3 {
        let changed = (0..<width + 3).filter { buffer[$0, y].style == red }
        #expect(changed == (y == 1 ? Array(1..<1 + width) : []), "seed \(seed)")
      }
    }
  }

  @Test func `a styled line is drawn as its text would be`() {
    forEachSeed(100) { generator, seed in
      let text = generator.hostileText(length: 20)
      let line = StyledText(text, style: red).truncated(width: .max)
      let clip = Rect(x: 1, y: 0, width: Int.random(in: 0...9, using: &generator), height: 1)
      let point = Point(x: Int.random(in: -3...9, using: &generator), y: 0)
      var (one, other) = (buffer(".........."), buffer(".........."))
      let columns = one.write(text, at: point, style: red, clip: clip)
      #expect(other.write(line, at: point, clip: clip) == columns, "seed \(seed)")
      #expect(one == other, "seed \(seed)")
    }
  }

  @Test func `no sequence of changes leaves half a wide glyph, or anything outside its clip`() {
    forEachSeed { generator, seed in
      let size = Size(
        width: Int.random(in: 1...12, using: &generator),
        height: Int.random(in: 1...3, using: &generator))
      var buffer = CellBuffer(size: size)
      for step in 0..<60 {
        let rect = Rect(
          x: Int.random(in: -3...12, using: &generator),
          y: Int.random(in: -1...3, using: &generator),
          width: Int.random(in: 0...8, using: &generator),
          height: Int.random(in: 0...3, using: &generator))
        let style = Style(foreground: .palette(UInt8(step)))
        let before = buffer
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: buffer.fill(rect, with: Cell(Glyph(scalar: 0x23, width: 1), style: style))
        case 1: buffer.restyle(rect) { $0 = style }
        default:
          let text = Bool.random(using: &generator) ? "日本語x日" : generator.hostileText(length: 6)
          let start = Point(
            x: Int.random(in: -3...12, using: &generator),
            y: Int.random(in: -1...3, using: &generator))
          buffer.write(text, at: start, style: style, clip: rect)
        }
        #expect(buffer.brokenGlyphs.isEmpty, "seed \(seed), step \(step)")
        for y in 0..<size.height {
          for x in 0..<size.width where !rect.contains(Point(x: x, y: y)) {
            // Outside, only the other half of a glyph that lost one may change, to a blank.
            var expected = before[x, y]
            if buffer[x, y] != expected, expected.glyph.width != 1 { expected.glyph = .space }
            #expect(buffer[x, y] == expected, "seed \(seed), step \(step)")
          }
        }
      }
    }
  }
}
