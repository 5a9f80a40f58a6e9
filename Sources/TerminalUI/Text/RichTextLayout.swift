/// The rows of a text, cached between frames; they depend on the text, the width and the heights of
/// embedded views.
///
/// Of a long text, only the lines near the screen are made. The height of the rest is estimated, so
/// that a megabyte opens, and is laid out for another width, as fast as one page. What is visible
/// is the same as if all lines were made.
@MainActor
final class RichTextLayout {
  /// The position of a block.
  struct Part {
    /// Its first row, including the blank rows before it.
    var start = 0
    let space: Int
    /// The number of its rows after the blank ones; an estimate until its lines are made.
    var height: Int
    fileprivate(set) var isMade = false

    var top: Int { start + space }
    var end: Int { start + space + height }
  }

  /// The lines of a block, ready to be drawn.
  struct Content {
    /// The lines, including prefixes unless the block is wide; empty for a view.
    var lines: [StyledLine] = []
    let firstPrefix: StyledLine
    let prefix: StyledLine
    /// Whether these lines, or those of other pieces of the same block, are wider than the room.
    var isWide = false
    /// The number of columns beside the prefix.
    let room: Int
  }

  private(set) var blocks: [RichText.Block] = []
  private(set) var parts: [Part] = []
  /// The indices of the parts that are views.
  private(set) var views: [Int] = []
  /// The indices of the parts that are headings.
  private(set) var headings: [Int] = []
  private var names: [String: Int] = [:]
  private var contents: [Int: Content] = [:]
  // For each part, the first piece of its block.
  private var firstPieces: [Int] = []
  /// The columns of wide parts that are scrolled away to the left, by first piece.
  private var shifts: [Int: Int] = [:]
  private var overflows: [Int: Int] = [:]
  private var letterCounts: [Int: [Int]] = [:]
  private var identity: (id: ItemID, width: Int)?
  private var width: Int { identity?.width ?? 0 }
  // The views whose heights are known since the last layout.
  private var askedViews: Set<Int> = []
  private var isLong = false
  private let longestWhole: Int

  /// Creates a layout.
  ///
  /// - Parameter longestWhole: the most rows for which all lines are made at once.
  init(longestWhole: Int = 200) { self.longestWhole = longestWhole }

  /// The total number of rows.
  var height: Int { parts.last?.end ?? 0 }

  /// Wraps the text if the text or the width has changed, and measures its views again.
  func lay(out text: RichText, width: Int) {
    askedViews = []
    let isNew = identity.map { $0.id != text.id || $0.width != width } ?? true
    if isNew { take(text, width: width) }
    if !isLong { make(parts.indices) }
  }

  private func take(_ text: RichText, width: Int) {
    if identity?.id != text.id { take(text.blocks()) }
    identity = (text.id, width)
    (contents, shifts, overflows) = ([:], [:], [:])
    letterCounts = [:]
    parts = blocks.enumerated().map { index, block in
      // A part without rows could not be found by row.
      Part(
        space: index == 0 ? 0 : block.spaceBefore, height: max(1, block.expectedRows?(width) ?? 1))
    }
    number(from: 0)
    isLong = height > longestWhole
    // Without an estimate, the lines have to be made to be counted.
    if isLong { make(blocks.indices.filter { blocks[$0].expectedRows == nil }) }
  }

  private func take(_ blocks: [RichText.Block]) {
    self.blocks = blocks
    (names, firstPieces) = ([:], [])
    for (index, block) in blocks.enumerated() {
      firstPieces.append(block.isContinuation ? firstPieces.last ?? index : index)
      for name in block.names { names[name] = names[name] ?? index }
    }
    views = blocks.indices.filter { blocks[$0].view != nil }
    headings = blocks.indices.filter { blocks[$0].isHeading }
  }

  private func number(from first: Int) {
    var row = first == 0 ? 0 : parts[first - 1].end
    for index in first..<parts.count {
      parts[index].start = row
      row = parts[index].end
    }
  }

  // MARK: Lines

  /// Makes the lines of the parts in a range of rows; returns `false` if that changed no height.
  @discardableResult
  func make(rows: Range<Int>) -> Bool {
    guard isLong, let first = part(atRow: max(0, rows.lowerBound)) else { return false }
    var end = first
    while end < parts.count, parts[end].start < rows.upperBound { end += 1 }
    return make(first..<end)
  }

  /// Makes the lines on the screen and within one page of it, for a screen that begins at `row`.
  ///
  /// - Parameter isEnd: whether to show the end of the text, whatever its row is.
  /// - Returns: the row that the screen begins at; it differs from `row` if the height of a part
  ///   above was not as estimated.
  func prepare(row: Int, height: Int, isEnd: Bool) -> Int {
    var row = row
    while true {
      let limit = max(0, self.height - height)
      let shown = isEnd ? limit : max(0, min(row, limit))
      guard let anchor = part(atRow: max(0, isEnd ? limit : row)) else { return shown }
      let rowsInto = row - parts[anchor].start
      guard make(rows: (shown - height)..<(max(shown, isEnd ? 0 : row) + 2 * height)) else {
        return shown
      }
      row = parts[anchor].start + min(rowsInto, parts[anchor].space + parts[anchor].height - 1)
    }
  }

  @discardableResult
  private func make(_ indices: some Sequence<Int>) -> Bool {
    var firstMoved: Int?
    for index in indices {
      let before = parts[index].height
      if !parts[index].isMade {
        let content = content(of: index)
        contents[index] = content
        parts[index].isMade = true
        if blocks[index].view == nil { parts[index].height = content.lines.count }
      }
      if let view = blocks[index].view, askedViews.insert(index).inserted {
        let room = max(1, width - (contents[index]?.prefix.width ?? 0))
        parts[index].height = max(1, view.rows(room))
      }
      if parts[index].height != before { firstMoved = min(firstMoved ?? index, index) }
    }
    if let firstMoved { number(from: firstMoved) }
    return firstMoved != nil
  }

  private func content(of index: Int) -> Content {
    let block = blocks[index]
    let firstPrefix = block.firstPrefix.truncated(width: width)
    let prefix = block.prefix.truncated(width: width)
    let room = max(1, width - firstPrefix.width)
    var content = Content(firstPrefix: firstPrefix, prefix: prefix, room: room)
    guard block.view == nil else { return content }
    content.lines = block.lines(room)
    if block.isWide {
      let overflow = max(0, (content.lines.map(\.width).max() ?? 0) - room)
      // All pieces scroll together, even those that would fit.
      let hasPieces = index + 1 < blocks.count && blocks[index + 1].isContinuation
      content.isWide = overflow > 0 || block.isContinuation || hasPieces
      let first = firstPieces[index]
      overflows[first] = max(overflows[first] ?? 0, overflow)
    }
    if !content.isWide {
      content.lines = content.lines.enumerated().map { row, line in
        (row == 0 ? firstPrefix : prefix) + line
      }
    }
    return content
  }

  /// Returns the content of a part, made on first use.
  func content(_ index: Int) -> Content {
    if !parts[index].isMade { make(CollectionOfOne(index)) }
    return contents[index] ?? content(of: index)
  }

  // MARK: Wide parts

  /// Returns a row of a part, cut to the available width.
  ///
  /// - Parameter marked: changes the whole row before it is cut.
  func line(
    _ row: Int, of index: Int, marked: (StyledLine) -> StyledLine = { $0 }
  ) -> StyledLine {
    let content = content(index)
    guard blocks[index].view == nil else { return content.prefix }
    let top = parts[index].top
    let line = marked(content.lines[row - top])
    guard content.isWide else { return line }
    return (row == top ? content.firstPrefix : content.prefix)
      + line.dropping(columns: shifts[firstPieces[index]] ?? 0, keeping: content.room)
  }

  /// Whether a row continues beyond the left and the right edge.
  func hiddenEnds(_ row: Int, of index: Int) -> (left: Bool, right: Bool) {
    let content = content(index)
    guard content.isWide else { return (false, false) }
    let shift = shifts[firstPieces[index]] ?? 0
    let width = content.lines[row - parts[index].top].width
    return (shift > 0 && width > 0, width - shift > content.room)
  }

  /// Returns the parts in a range of rows that are wider than the room, or belong to such a block.
  func wideParts(_ rows: Range<Int>) -> [Int] {
    guard let first = part(atRow: max(0, rows.lowerBound)) else { return [] }
    return parts[first...].indices.prefix { parts[$0].start < rows.upperBound }
      .filter {
        blocks[$0].isWide && parts[$0].end > rows.lowerBound
          && overflows[firstPieces[$0]] ?? 0 > 0
      }
  }

  /// Scrolls wide parts sideways; returns `false` if all of them are already at that end.
  func shift(_ indices: [Int], by columns: Int) -> Bool {
    var isMoved = false
    for piece in Set(indices.map { firstPieces[$0] }) {
      let before = shifts[piece] ?? 0
      let after = max(0, min(overflows[piece] ?? 0, before + columns))
      shifts[piece] = after
      if after != before { isMoved = true }
    }
    return isMoved
  }

  // MARK: Positions

  /// Returns the row `rowsInto` rows into a part, or its last row if it has fewer; nil if there is
  /// no such part.
  func row(_ rowsInto: Int, of index: Int) -> Int? {
    guard parts.indices.contains(index) else { return nil }
    make(CollectionOfOne(index))
    let part = parts[index]
    return max(part.start, min(part.start + rowsInto, part.end - 1))
  }

  /// Returns the position of a row.
  func position(ofRow row: Int) -> ScrollPosition? {
    part(atRow: row).map {
      ScrollPosition(block: $0, offset: characters(beforeRow: row, of: $0))
    }
  }

  /// Returns the number of characters of a part before a row, as ``letterEnds(of:)`` counts them.
  func characters(beforeRow row: Int, of index: Int) -> Int {
    let row = row - parts[index].top
    guard row > 0 else { return 0 }
    let ends = letterEnds(of: index)
    return ends.isEmpty ? 0 : ends[min(row, ends.count) - 1]
  }

  /// Returns the row of a part with the character at an offset.
  func row(afterCharacters count: Int, of index: Int) -> Int {
    make(CollectionOfOne(index))
    guard count > 0 else { return parts[index].start }
    let ends = letterEnds(of: index)
    guard let row = ends.firstIndex(where: { $0 > count }) else {
      return max(parts[index].start, parts[index].end - 1)
    }
    return parts[index].top + row
  }

  /// The number of letters in a part up to the end of each of its rows, without its prefixes, and
  /// without blanks: how many there are of both depends on where lines are wrapped.
  ///
  /// Cached, because a block may be as long as a book, and each page would count it again.
  func letterEnds(of index: Int) -> [Int] {
    if let ends = letterCounts[index] { return ends }
    let content = content(index)
    var count = 0
    let ends = content.lines.enumerated().map { row, line in
      let prefix =
        content.isWide ? 0 : (row == 0 ? content.firstPrefix : content.prefix).letterCount
      count += max(0, line.letterCount - prefix)
      return count
    }
    letterCounts[index] = ends
    return ends
  }

  /// Returns the part with a name.
  func part(named name: String) -> Int? { names[name] }

  /// Returns the parts that are views and overlap these rows.
  func views(in rows: Range<Int>) -> ArraySlice<Int> {
    let first = views.partitioningIndex { parts[$0].end > rows.lowerBound }
    return views[first...].prefix { parts[$0].top < rows.upperBound }
  }

  /// Returns the part that contains a row.
  func part(atRow row: Int) -> Int? {
    let after = parts.partitioningIndex { $0.start > row }
    return after > 0 ? after - 1 : nil
  }

  /// Returns the index and the row of the heading after a row, or before it.
  func heading(from row: Int, isForwards: Bool) -> (index: Int, row: Int)? {
    let after = headings.partitioningIndex { parts[$0].top > row }
    if isForwards {
      return after < headings.count ? (after, parts[headings[after]].top) : nil
    }
    var before = after - 1
    while before >= 0, parts[headings[before]].top >= row { before -= 1 }
    return before >= 0 ? (before, parts[headings[before]].top) : nil
  }
}
