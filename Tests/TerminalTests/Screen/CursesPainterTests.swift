import Foundation
import PseudoTerminal
import Testing

@testable import Terminal

/// What frames look like on a terminal after ncurses has made bytes of them.
@MainActor
@Suite struct CursesPainterTests {
  @Test(arguments: [
    ("xterm-256color", true), ("tmux-256color", false), ("xterm-direct", true), ("xterm", true),
    // Without some of the attributes, which ncurses then leaves out.
    ("screen-256color", false), ("linux", true),
  ])
  func `any frames in any order leave the terminal showing the last`(
    type: String, erasesInBackground: Bool
  ) throws {
    let hasAllAttributes = type != "screen-256color" && type != "linux"
    for seed in 0..<10 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var frames = RandomFrames(
        attributes: hasAllAttributes
          ? [.bold, .dim, .italic, .underline, .reverse] : [.bold, .reverse],
        using: &generator)
      let painter = try CursesPainter(terminalType: type, size: frames.size)
      var screen = EmulatedScreen(
        columns: frames.size.width, rows: frames.size.height, erasesInBackground: erasesInBackground
      )
      screen.feed(painter.strings.enter(mouse: true))
      // What the painter was told last, and what may differ from it.
      var (last, changed): (CellBuffer?, Damage?) = (nil, nil)
      for step in 0..<25 {
        if Int.random(in: 0..<12, using: &generator) == 0 {
          frames.resize(using: &generator)
          painter.resize(to: frames.size)
          screen.resize(columns: frames.size.width, rows: frames.size.height)
          last = nil
        }
        let (buffer, cursor) = frames.next(using: &generator)
        changed = last.map { buffer.damage(since: $0) }
        // More rows may be named than those that differ.
        if let more = (0..<buffer.size.height).randomElement(using: &generator) {
          changed?.insert(Rect(x: 0, y: more, width: 1, height: 1))
        }
        let bytes = painter.paint(buffer, cursor: cursor, damage: changed)
        last = buffer
        screen.feed(bytes)
        let difference = firstDifference(of: screen, from: buffer, by: painter)
        try #require(
          difference == nil,
          "\(type) seed \(seed) step \(step)\n\(screen.unknown) \(String(decoding: bytes, as: UTF8.self).debugDescription)"
        )
        #expect(screen.isCursorVisible == (cursor != nil))
        if let cursor { #expect((screen.x, screen.y) == (cursor.x, cursor.y)) }
        #expect(screen.unknown.isEmpty)
      }
    }
  }

  @Test func `rows that are not damaged are not compared`() throws {
    let size = Size(width: 40, height: 4)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: size)
    var buffer = CellBuffer(size: size)
    _ = painter.paint(buffer, cursor: nil)
    buffer.write("a", at: Point(x: 5, y: 1))
    buffer.write("b", at: Point(x: 30, y: 2))
    var damage = Damage(size: buffer.size)
    damage.insert(Rect(x: 0, y: 1, width: 40, height: 1))
    let bytes = String(decoding: painter.paint(buffer, cursor: nil, damage: damage), as: UTF8.self)
    #expect(bytes.contains("a") && !bytes.contains("b"))
    let rest = String(decoding: painter.paint(buffer, cursor: nil), as: UTF8.self)
    #expect(rest.contains("b") && !rest.contains("a"))
  }

  @Test func `a frame leaves Ctrl-Z to the program`() throws {
    let painter = try CursesPainter(
      terminalType: "xterm-256color", size: Size(width: 10, height: 2))
    _ = painter.paint(CellBuffer(size: painter.size), cursor: nil)
    // The action that it has without a handler is nil.
    #expect(signal(SIGTSTP, SIG_DFL) == nil)
  }

  @Test func `the same frame again costs nothing`() throws {
    var generator = SeededGenerator(seed: 1)
    var frames = RandomFrames(attributes: .bold, using: &generator)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: frames.size)
    let (buffer, _) = frames.next(using: &generator)
    #expect(!painter.paint(buffer, cursor: nil).isEmpty)
    #expect(painter.paint(buffer, cursor: nil).isEmpty)
    painter.forget()
    #expect(!painter.paint(buffer, cursor: nil).isEmpty)
  }

  @Test func `a terminal that somebody else has had is drawn whole, cursor included`() throws {
    let painter = try CursesPainter(
      terminalType: "xterm-256color", size: Size(width: 10, height: 2))
    var buffer = CellBuffer(size: Size(width: 10, height: 2))
    buffer.write("ours", at: Point(x: 1, y: 1), style: Style(foreground: .red))
    _ = painter.paint(buffer, cursor: Point(x: 2, y: 0))
    painter.forget()
    var screen = EmulatedScreen(columns: 10, rows: 2)
    screen.feed(Array("\u{1B}[1;2r\u{1B}[7;31mtheirs".utf8))
    screen.feed(painter.strings.enter(mouse: false))
    screen.feed(painter.paint(buffer, cursor: Point(x: 2, y: 0)))
    #expect(firstDifference(of: screen, from: buffer, by: painter) == nil)
    #expect(screen.isCursorVisible)
    #expect((screen.x, screen.y) == (2, 0))
  }

  @Test func `one changed character costs a move and the character`() throws {
    let size = Size(width: 80, height: 24)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: size)
    var buffer = CellBuffer(size: size)
    buffer.write("a spinner: |", at: Point(x: 0, y: 10))
    _ = painter.paint(buffer, cursor: nil)
    buffer.write("/", at: Point(x: 11, y: 10))
    #expect(painter.paint(buffer, cursor: nil) == [0x08] + Array("/".utf8))
    buffer.write("x", at: Point(x: 40, y: 3))
    #expect(painter.paint(buffer, cursor: nil) == Array("\u{1B}[4;41Hx".utf8))
  }

  @Test func `blanks tell the terminal of no style of their own`() throws {
    let size = Size(width: 40, height: 1)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: size)
    var buffer = CellBuffer(size: size)
    var x = 0
    for (text, color) in [
      ("source", Color.gray), (" ", .default), (" ", .yellow), (" ", .cyan), (" ", .default),
      ("19 Nov", .gray),
    ] {
      x += buffer.write(text, at: Point(x: x, y: 0), style: Style(foreground: color))
    }
    let bytes = String(decoding: painter.paint(buffer, cursor: nil), as: UTF8.self)
    #expect(!bytes.contains("[33m") && !bytes.contains("[36m"), "\(bytes.debugDescription)")
    #expect(bytes.contains("19 Nov"))
  }

  @Test func `frames of any length are painted, one after the other`() throws {
    let size = Size(width: 200, height: 50)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: size)
    var screen = EmulatedScreen(columns: 200, rows: 50)
    var buffer = CellBuffer(size: size)
    for step in 0..<12 {
      for y in 0..<50 {
        for x in 0..<200 where (x + y + step).isMultiple(of: 2) {
          let style = Style(foreground: .palette(UInt8((x * y + step) % 256)))
          buffer.write("\((x + step) % 10)", at: Point(x: x, y: y), style: style)
        }
      }
      screen.feed(painter.paint(buffer, cursor: nil))
      #expect(firstDifference(of: screen, from: buffer, by: painter) == nil)
    }
  }

  @Test func `many frames of different lengths are each sent once`() throws {
    let size = Size(width: 40, height: 10)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: size)
    var screen = EmulatedScreen(columns: 40, rows: 10)
    var generator = SeededGenerator(seed: 5)
    var (count, difference): (Int, String?) = (0, nil)
    while count < 100_000, difference == nil {
      var buffer = CellBuffer(size: size)
      for y in 0..<Int.random(in: 1...10, using: &generator) {
        buffer.write(generator.hostileText(length: 20), at: Point(x: 0, y: y))
      }
      let bytes = painter.paint(buffer, cursor: nil)
      count += bytes.count
      screen.feed(bytes)
      difference = firstDifference(of: screen, from: buffer, by: painter)
    }
    #expect(difference == nil)
  }

  @Test func `a list that scrolls by one row is not written again`() throws {
    let size = Size(width: 80, height: 24)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: size)
    func list(from first: Int) -> CellBuffer {
      var buffer = CellBuffer(size: size)
      for y in 0..<24 {
        buffer.write(
          "row \(first + y): the title of article number \(first + y)", at: Point(x: 0, y: y))
      }
      return buffer
    }
    _ = painter.paint(list(from: 100), cursor: nil)
    #expect(painter.paint(list(from: 101), cursor: nil).count < 80)
  }

  @Test func `rows whose titles got another style are not written again when they scroll`() throws {
    let size = Size(width: 80, height: 24)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: size)
    func list(from first: Int, _ style: Style) -> CellBuffer {
      var buffer = CellBuffer(size: size)
      for y in 0..<24 {
        let end = buffer.write("title \(first + y)", at: Point(x: 0, y: y), style: style)
        let date = Style(foreground: .gray)
        buffer.write("\(first + y) Nov", at: Point(x: end + 2, y: y), style: date)
      }
      return buffer
    }
    _ = painter.paint(list(from: 100, Style(attributes: .bold)), cursor: nil)
    _ = painter.paint(list(from: 100, .plain), cursor: nil)
    let count = painter.paint(list(from: 101, .plain), cursor: nil).count
    #expect(count < 80, "\(count)")
  }

  @Test func `a glyph that the C library measures otherwise is replaced and shifts nothing`() throws
  {
    let size = Size(width: 12, height: 1)
    let painter = try CursesPainter(terminalType: "xterm-256color", size: size)
    var screen = EmulatedScreen(columns: 12, rows: 1)
    var buffer = CellBuffer(size: size)
    // Narrow to the C library; unassigned to it; a mark on its own; a control.
    let strange: [(UInt32, UInt8)] = [(0x61, 2), (0x1FAE9, 2), (0x301, 1), (0x1B, 1), (0x9B, 1)]
    var x = 0
    for (scalar, width) in strange {
      x += buffer.put(Glyph(scalar: scalar, width: width), at: Point(x: x, y: 0), style: .plain)
    }
    buffer.write("end", at: Point(x: x, y: 0))
    screen.feed(painter.paint(buffer, cursor: nil))
    #expect(screen.line(0) == "▯ ▯ ▯ ▯end")
    #expect(screen.unknown.isEmpty)
  }

  @Test func `what is struck through carries a stroke, which ncurses has no attribute for`() throws
  {
    let painter = try CursesPainter(
      terminalType: "xterm-256color", size: Size(width: 8, height: 1))
    var screen = EmulatedScreen(columns: 8, rows: 1)
    var buffer = CellBuffer(size: Size(width: 8, height: 1))
    let style = Style(attributes: .strikethrough)
    buffer.write("a 字e\u{301}", at: Point(x: 0, y: 0), style: style)
    buffer.write("b", at: Point(x: 5, y: 0))
    screen.feed(painter.paint(buffer, cursor: nil))
    #expect(
      screen.line(0) == "a\u{336} \u{336}字\u{336}e\u{336}\u{301}b")
    buffer.write("a", at: Point(x: 0, y: 0))
    screen.feed(painter.paint(buffer, cursor: nil))
    #expect(screen.line(0).hasPrefix("a \u{336}"))
  }

  @Test func `a buffer of another size is drawn as far as it goes`() throws {
    let painter = try CursesPainter(
      terminalType: "xterm-256color", size: Size(width: 6, height: 2))
    var screen = EmulatedScreen(columns: 6, rows: 2)
    screen.feed(painter.strings.enter(mouse: true))
    var large = CellBuffer(size: Size(width: 10, height: 4))
    large.write("abcde字f", at: Point(x: 0, y: 0))
    screen.feed(painter.paint(large, cursor: Point(x: 9, y: 3)))
    #expect(screen.text == "abcde\n")
    #expect(!screen.isCursorVisible)
    var small = CellBuffer(size: Size(width: 3, height: 1))
    small.write("xyz", at: Point(x: 0, y: 0))
    screen.feed(painter.paint(small, cursor: nil))
    #expect(screen.text == "xyz\n")
    screen.feed(painter.paint(CellBuffer(size: .zero), cursor: nil))
    #expect(screen.text == "\n")
  }

  /// Returns cells with every pair of nine colours, more than a terminal with 64 pairs has.
  private static func everyPair(_ size: Size) -> CellBuffer {
    var buffer = CellBuffer(size: size)
    for y in 0..<9 {
      for x in 0..<9 {
        let style = Style(
          foreground: x == 8 ? .default : .palette(UInt8(x)),
          background: y == 8 ? .default : .palette(UInt8(y)))
        buffer.write("x", at: Point(x: x, y: y), style: style)
      }
    }
    return buffer
  }

  @Test func `more pairs of colours than the terminal has are drawn again, never wrongly`() throws {
    let size = Size(width: 10, height: 9)
    let painter = try CursesPainter(terminalType: "linux", size: size)
    var screen = EmulatedScreen(columns: 10, rows: 9)
    screen.feed(painter.paint(Self.everyPair(size), cursor: nil))
    // Pairs of the first frame that are gone must not colour the second.
    var second = CellBuffer(size: size)
    second.write("red", at: Point(x: 0, y: 0), style: Style(foreground: .red, background: .gray))
    screen.feed(painter.paint(second, cursor: nil))
    #expect(firstDifference(of: screen, from: second, by: painter) == nil)
  }

  @Test func `pairs that run out in a frame are taken from those that are no longer shown`() throws
  {
    let size = Size(width: 10, height: 4)
    let painter = try CursesPainter(terminalType: "linux", size: size)
    var screen = EmulatedScreen(columns: 10, rows: 4)
    // Each frame has other pairs, 32 of them: the second has room, the third has not.
    for frame in 0..<3 {
      var buffer = CellBuffer(size: size)
      for number in 0..<32 {
        let pair = (number + frame * 24) % 64
        let style = Style(
          foreground: .palette(UInt8(pair % 8)), background: .palette(UInt8(pair / 8)))
        buffer.write("x", at: Point(x: number % 8, y: number / 8), style: style)
      }
      buffer.write("y", at: Point(x: 9, y: 0), style: Style(foreground: .palette(UInt8(frame))))
      screen.feed(painter.paint(buffer, cursor: nil))
      #expect(firstDifference(of: screen, from: buffer, by: painter) == nil)
    }
  }

  @Test func `a frame of more pairs than there are is not drawn again for each small change`()
    throws
  {
    let size = Size(width: 12, height: 9)
    let painter = try CursesPainter(terminalType: "linux", size: size)
    var buffer = Self.everyPair(size)
    var screen = EmulatedScreen(columns: 12, rows: 9)
    screen.feed(painter.paint(buffer, cursor: nil))
    buffer.write("n", at: Point(x: 11, y: 0))
    let change = painter.paint(buffer, cursor: nil)
    #expect(change.count < 30)
    screen.feed(change)
    // Once the rest has room, it gets its colours.
    for y in 0..<3 { buffer.write(String(repeating: " ", count: 12), at: Point(x: 0, y: y)) }
    screen.feed(painter.paint(buffer, cursor: nil))
    #expect(firstDifference(of: screen, from: buffer, by: painter) == nil)
  }

  @Test func `colours can be switched off`() throws {
    let size = Size(width: 10, height: 1)
    let painter = try CursesPainter(
      terminalType: "xterm-256color", colorDepth: .monochrome, size: size)
    var buffer = CellBuffer(size: size)
    buffer.write(
      "red", at: Point(x: 0, y: 0),
      style: Style(foreground: .red, background: .blue, attributes: .bold))
    var screen = EmulatedScreen(columns: 10, rows: 1)
    screen.feed(painter.paint(buffer, cursor: nil))
    #expect(screen.row(0)[0].style == EmulatedStyle(attributes: [.bold]))
  }

  @Test func `an unknown or too simple terminal is refused by name`() {
    let size = Size(width: 80, height: 24)
    #expect(throws: TerminalError.unknownTerminalType("no-such-terminal")) {
      try CursesPainter(terminalType: "no-such-terminal", size: size)
    }
    #expect(throws: TerminalError.cannotPlaceCursor(terminalType: "dumb")) {
      try CursesPainter(terminalType: "dumb", size: size)
    }
  }
}
