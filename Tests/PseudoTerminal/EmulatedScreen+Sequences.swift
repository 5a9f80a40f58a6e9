extension EmulatedScreen {
  /// Takes what a program wrote.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch parser.feed(byte) {
      case nil: break
      case .character(let scalar): put(scalar)
      case .control(let byte): control(byte)
      case .escape(let sequence): escape(sequence)
      case .sequence(let sequence): control(sequence)
      // Zero names the window's icon, too; other numbers are notifications and questions.
      case .command(let command) where command.hasPrefix("0;") || command.hasPrefix("2;"):
        title = String(command.dropFirst(2))
      case .command: break
      case .garbage(let description): unknown.append(description)
      }
    }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x07: break
    case 0x08: moveTo(x: x - 1, y: y)
    case 0x09: moveTo(x: (x / 8 + 1) * 8, y: y)
    case 0x0A...0x0C: lineFeed()
    case 0x0D: moveTo(x: 0, y: y)
    case 0x0E: characterSet = 1
    case 0x0F: characterSet = 0
    default: unknown.append("control \(byte)")
    }
  }

  private mutating func escape(_ sequence: String) {
    switch sequence {
    case "7": saved = (x, y, style)
    case "8": restore(saved)
    case "M": reverseLineFeed()
    case "D": lineFeed()
    case "E":
      x = 0
      lineFeed()
    case "(B": isDrawingLines[0] = false
    case "(0": isDrawingLines[0] = true
    case ")B": isDrawingLines[1] = false
    case ")0": isDrawingLines[1] = true
    case "c":
      self = EmulatedScreen(
        columns: columns, rows: rows, erasesInBackground: erasesInBackground)
    case "=", ">", "\\": break
    default: unknown.append("ESC \(sequence)")
    }
  }

  private mutating func restore(_ state: (x: Int, y: Int, style: EmulatedStyle)) {
    style = state.style
    moveTo(x: state.x, y: state.y)
  }

  private mutating func control(_ sequence: SequenceParser.ControlSequence) {
    guard sequence.marker.isEmpty else { return privateControl(sequence) }
    let parameters = sequence.parameters
    func count(_ index: Int = 0) -> Int {
      max(1, index < parameters.count ? parameters[index] : 0)
    }
    switch sequence.final {
    case "A": moveTo(x: x, y: y - count())
    case "B", "e": moveTo(x: x, y: y + count())
    case "C", "a": moveTo(x: x + count(), y: y)
    case "D": moveTo(x: x - count(), y: y)
    case "G", "`": moveTo(x: count() - 1, y: y)
    case "d": moveTo(x: x, y: count() - 1)
    case "H", "f": moveTo(x: count(1) - 1, y: count() - 1)
    case "I": moveTo(x: (x / 8 + count()) * 8, y: y)
    case "Z": moveTo(x: ((x + 7) / 8 - count()) * 8, y: y)
    case "@": insertCells(count())
    case "P": deleteCells(count())
    case "X": erase(x..<min(columns, x + count()))
    case "L" where region.contains(y): scrollDown(count(), from: y)
    case "M" where region.contains(y): scrollUp(count(), from: y)
    case "S": scrollUp(count())
    case "T": scrollDown(count(), from: region.lowerBound)
    case "b":
      for _ in 0..<count() { lastCharacter.map { put($0) } }
    case "J": eraseDisplay(parameters.first ?? 0)
    case "K": eraseLine(parameters.first ?? 0)
    case "m": if !style.select(sequence.groups) { unknown.append("style \(sequence.groups)") }
    case "r":
      let bottom = parameters.count > 1 && parameters[1] > 0 ? min(rows, parameters[1]) : rows
      region = (count() - 1)..<max(count(), bottom)
      moveTo(x: 0, y: 0)
    case "h" where parameters == [4]: isInserting = true
    case "l" where parameters == [4]: isInserting = false
    // tmux tells the cursor's shape by 34; a window's title is kept by 22 and brought back by 23.
    case "h" where parameters == [34], "l" where parameters == [34], "t": break
    default: unknown.append("CSI \(sequence)")
    }
  }

  private mutating func privateControl(_ sequence: SequenceParser.ControlSequence) {
    // The shape of the cursor, on the Linux console.
    if sequence.marker == "?", sequence.final == "c" { return }
    guard sequence.marker == "?", sequence.final == "h" || sequence.final == "l" else {
      return unknown.append("CSI \(sequence)")
    }
    for mode in sequence.parameters { set(mode, on: sequence.final == "h") }
  }

  private mutating func set(_ mode: Int, on: Bool) {
    guard [1, 7, 12, 25, 1000, 1002, 1004, 1006, 1049, 2004].contains(mode) else {
      return unknown.append("mode \(mode)")
    }
    guard privateModes.contains(mode) != on else { return }
    if on { privateModes.insert(mode) } else { privateModes.remove(mode) }
    guard mode == 1049 else { return }
    swap(&lines, &otherLines)
    if on {
      savedByModes = (x, y, style)
      eraseRows(0..<rows)
    } else {
      restore(savedByModes)
    }
  }

  private mutating func eraseDisplay(_ part: Int) {
    switch part {
    case 0:
      erase(x..<columns)
      eraseRows((y + 1)..<rows)
    case 1:
      erase(0..<(x + 1))
      eraseRows(0..<y)
    default: eraseRows(0..<rows)
    }
  }

  private mutating func eraseLine(_ part: Int) {
    switch part {
    case 0: erase(x..<columns)
    case 1: erase(0..<(x + 1))
    default: erase(0..<columns)
    }
  }
}
