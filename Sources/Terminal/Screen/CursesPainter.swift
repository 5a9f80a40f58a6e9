import CNcurses

/// Turns one buffer into the next with as few bytes as possible, which ncurses computes.
///
/// ncurses writes to a file in memory and never to the terminal, so that a stopped or slow terminal
/// cannot block it.
@MainActor
final class CursesPainter {
  /// The columns and rows that are painted.
  private(set) var size: Size
  /// The control strings that switch the terminal to full screen and back.
  let strings: TerminalStrings
  /// How many colours the painter uses.
  let depth: ColorDepth
  /// Whether a wide character can be drawn at the end of the last row.
  ///
  /// If automatic margins cannot be switched off, ncurses draws the last cell of the screen in the
  /// cell before it and then pushes it to the right, which cuts a wide character in half.
  let drawsWideCorner: Bool
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  private let file: FrameFile
  private let input: UnsafeMutablePointer<FILE>
  private var styles: CursesStyles
  private var painted: CellBuffer
  private var isWhole = true
  /// Whether a frame needed more colour pairs than there are.
  private var isOverfull = false
  /// Where the cursor is shown; nil while it is hidden.
  private var cursor: Point?
  private var cells: [cchar_t] = []

  /// Creates a painter for a type of terminal; by default with the colours of its description.
  init(terminalType: String, colorDepth: ColorDepth? = nil, size: Size) throws(TerminalError) {
    try useUTF8Locale()
    let file = try FrameFile()
    guard let input = fopen("/dev/null", "re") else { throw .outOfResources(code: c_error()) }
    // The size is set below. LINES and COLUMNS may contain anything, and ncurses would allocate
    // memory for it.
    use_env(false)
    use_tioctl(true)
    guard let screen = curses_new_terminal(terminalType, file.stream, input) else {
      fclose(input)
      throw .unknownTerminalType(terminalType)
    }
    self.screen = screen
    guard curses_capability("cup") != nil, let window = curses_standard_window() else {
      delscreen(screen)
      fclose(input)
      throw .cannotPlaceCursor(terminalType: terminalType)
    }
    self.file = file
    self.input = input
    self.window = window
    // Otherwise ncurses looks for typed-ahead keys and stops in the middle of a frame.
    typeahead(-1)
    idlok(window, true)
    scrollok(window, false)
    start_color()
    use_default_colors()
    let available = ColorDepth(
      count: Int(curses_color_count()), isRGB: curses_numbers_are_rgb() != 0)
    depth = colorDepth.map(available.reduced) ?? available
    styles = CursesStyles(depth: depth)
    strings = TerminalStrings()
    drawsWideCorner = curses_capability("rmam") != nil && curses_capability("smam") != nil
    self.size = size
    painted = CellBuffer(size: size)
    tellSize()
    curs_set(0)
    // Until its first return from another program, ncurses writes after each move of the cursor
    // what it has; from then on, once a frame.
    endwin()
    doupdate()
    file.takeBytes { _ in }
  }

  /// Sets the size of ncurses to at least two columns: when it draws the last cell of a screen
  /// without scrolling, it reads the cell before it.
  ///
  /// On a screen of one column, the second column stays blank and is never written.
  private func tellSize() {
    resize_term(Int32(max(1, size.height)), Int32(max(2, size.width)))
  }

  isolated deinit {
    set_term(screen)
    delscreen(screen)
    fclose(input)
  }

  /// Changes the size; the contents of the terminal are then unknown.
  func resize(to size: Size) {
    set_term(screen)
    self.size = size
    tellSize()
    painted = CellBuffer(size: size)
    isWhole = true
  }

  /// Draws the whole next frame, because the contents of the terminal are unknown.
  func forget() { isWhole = true }

  /// Calls `send` with the bytes that turn the last painted buffer into `buffer`.
  ///
  /// `send` must not keep the bytes. Cells outside the size are not drawn; cells outside `damage`
  /// must be the same as before.
  func paint(
    _ buffer: CellBuffer, cursor: Point?, damage: Damage? = nil,
    _ send: (UnsafeRawBufferPointer) -> Void
  ) {
    set_term(screen)
    // A buffer of the size before a resize is drawn as far as it fits.
    if buffer.size != painted.size { isWhole = true }
    var hasChanged = paintRows(of: buffer, damage)
    // The pairs of what is no longer shown are needed. A frame that needs more than there are keeps
    // default colours for the rest, and is not drawn again for each small change.
    if styles.isExhausted, !isOverfull || styles.haveRoom(for: buffer) {
      styles.reset()
      isWhole = true
      hasChanged = paintRows(of: buffer, nil)
      isOverfull = styles.isExhausted
    }
    if isWhole { painted = buffer }
    isWhole = false
    guard place(cursor) || hasChanged else { return }
    wnoutrefresh(window)
    doupdate()
    file.takeBytes(send)
  }

  /// Draws the rows that have changed, or all of them; returns whether there are any.
  private func paintRows(of buffer: CellBuffer, _ damage: Damage?) -> Bool {
    if isWhole {
      // Another program may have left the cursor in any state.
      place(nil)
      werase(window)
      clearok(curses_current_window(), true)
    }
    var hasChanged = isWhole
    for y in 0..<min(size.height, buffer.size.height)
    where isWhole || damage?.columns(ofRow: y).isEmpty != true {
      if paintRow(y, of: buffer) { hasChanged = true }
    }
    return hasChanged
  }

  /// Shows the cursor there, or hides it; returns whether that is a change.
  @discardableResult
  private func place(_ cursor: Point?) -> Bool {
    let bounds = Rect(origin: Point(x: 0, y: 0), size: size)
    let shown = cursor.flatMap { bounds.contains($0) ? $0 : nil }
    let before = self.cursor
    self.cursor = shown
    if (shown == nil) != (before == nil) { curs_set(shown == nil ? 0 : 1) }
    // A hidden cursor may stay where the last change left it, which saves a move in every frame.
    leaveok(window, shown == nil)
    // Drawing moves it.
    if let shown { wmove(window, Int32(shown.y), Int32(shown.x)) }
    return shown != before
  }

  private func paintRow(_ y: Int, of buffer: CellBuffer) -> Bool {
    let runs = isWhole ? [0..<buffer.size.width] : buffer.changes(from: painted, row: y)
    guard !runs.isEmpty else { return false }
    buffer.withRow(y) { row in
      let row = UnsafeBufferPointer(rebasing: row.prefix(size.width))
      for run in runs {
        let run = columns(around: run.clamped(to: row.indices), in: row)
        if !run.isEmpty { write(row, from: run.lowerBound, through: run.upperBound - 1, y: y) }
      }
    }
    // Copied row by row: sharing the buffer would make the next write to it copy all of it.
    if !isWhole { painted.copy(0..<buffer.size.width, ofRow: y, from: buffer) }
    return true
  }

  private func write(_ row: UnsafeBufferPointer<Cell>, from first: Int, through last: Int, y: Int) {
    cells.removeAll(keepingCapacity: true)
    var x = first
    var gap: Gap?
    while x <= last {
      let glyph = row[x].isStruck ? row[x].glyph.struck : row[x].glyph
      if !row[x].isGap { gap = nil } else if gap == nil { gap = Gap(around: x, in: row) }
      var cell = styles.blank(of: gap?.style(of: row[x]) ?? row[x].style)
      if glyph.scalar >= 0x20, glyph.scalar < 0x7F, !glyph.hasMarks, glyph.width == 1 {
        cell.chars.0 = wchar_t(glyph.scalar)
        cells.append(cell)
        x += 1
      } else {
        let hasRoom = x + 1 < row.count && row[x + 1].glyph.width == 0
        let isCorner = y == size.height - 1 && x + 3 >= size.width
        x += appendWide(
          glyph, cell: cell, hasRoom: hasRoom, isDrawable: !isCorner || drawsWideCorner)
      }
    }
    mvwadd_wchnstr(window, Int32(y), Int32(first), cells, Int32(cells.count))
  }

  /// Extends a run of columns by the gaps around it, whose style depends on the words beside them.
  ///
  /// When a row scrolls, its cells must be equal to the earlier ones, or ncurses sends them again.
  private func columns(
    around run: Range<Int>, in row: UnsafeBufferPointer<Cell>
  ) -> Range<Int> {
    guard !run.isEmpty else { return run }
    let wide = (run.lowerBound - Gap.widest)..<(run.upperBound + Gap.widest)
    let columns = wide.clamped(to: row.indices)
    // The second half of a wide glyph is drawn together with the first.
    let isHalf = columns.lowerBound > 0 && row[columns.lowerBound].glyph.width == 0
    return (isHalf ? columns.lowerBound - 1 : columns.lowerBound)..<columns.upperBound
  }

  /// Appends the cell of any glyph, and returns the columns it takes.
  ///
  /// A glyph that the C library measures differently is replaced, because it would shift the rest
  /// of the row.
  private func appendWide(
    _ glyph: Glyph, cell: cchar_t, hasRoom: Bool, isDrawable: Bool
  ) -> Int {
    var cell = cell
    let width = glyph.width == 2 && hasRoom ? 2 : 1
    guard glyph.width == width, glyph.scalar >= 0x20 else {
      cells.append(cell)
      return 1
    }
    guard wcwidth(wchar_t(glyph.scalar)) == Int32(width), isDrawable || width == 1 else {
      let blank = cell
      cell.chars.0 = 0x25AF
      cells.append(cell)
      if width == 2 { cells.append(blank) }
      return width
    }
    cell.chars.0 = wchar_t(glyph.scalar)
    if glyph.hasMarks {
      let marks = glyph.marks.map { wchar_t($0) }.filter { wcwidth($0) == 0 } + [0, 0, 0, 0]
      (cell.chars.1, cell.chars.2, cell.chars.3, cell.chars.4) =
        (marks[0], marks[1], marks[2], marks[3])
    }
    cells.append(cell)
    return width
  }
}

extension Cell {
  fileprivate var isStruck: Bool { style.attributes.contains(.strikethrough) }
}

extension Glyph {
  /// The glyph with a stroke through it.
  fileprivate var struck: Glyph { width > 0 ? addingFirst(mark: 0x0336) : self }
}

/// Makes the C library treat text as UTF-8 whatever the environment says, and with it ncurses and
/// the host names of curl.
///
/// The environment often names a locale that is not installed, but a terminal that does not use
/// UTF-8 is rare. This function changes the locale of the process, so a program calls it before it
/// starts threads.
package func useUTF8Locale() throws(TerminalError) {
  for name in ["", "C.UTF-8", "en_US.UTF-8"] {
    if c_locale_is_utf8() != 0 { return }
    setlocale(LC_CTYPE, name)
  }
  if c_locale_is_utf8() == 0 { throw .noUTF8Locale }
}
