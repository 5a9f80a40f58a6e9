/// The rows of a text, kept from frame to frame: a function of the text, the width, and how high its
/// embedded views are.
///
/// Of a long text only what is near the screen has lines. How high the rest is it guesses, so that a
/// megabyte opens, and is given another width, in the time of a page; what is seen is the same as if
/// all of it had lines.
@MainActor
final class RichTextLayout {
  /// Where a block stands.
  struct Part {
    /// Its first row, the blank ones before it included.
    var start = 0
    let space: Int
    /// How many rows it has after those; as long as it has no lines, a guess.
    var height: Int
    fileprivate(set) var isMade = false

    var top: Int { start + space }
    var end: Int { start + space + height }
  }

  /// What is drawn of a block.
  struct Content {
    /// Empty for a view; with their prefixes, but for those of a wide block.
    var lines: [StyledLine] = []
    let firstPrefix: StyledLine
    let prefix: StyledLine
    /// Whether its lines, or those of other pieces of the same block, are wider than the room.
    var isWide = false
    /// How many columns there are beside its prefix.
    let room: Int
  }

  private(set) var blocks: [RichText.Block] = []
  private(set) var parts: [Part] = []
  /// The parts that are views.
  private(set) var views: [Int] = []
  /// The parts that are headings.
  private(set) var headings: [Int] = []
  private var names: [String: Int] = [:]
  private var contents: [Int: Content] = [:]
  // Of each part the first piece of what it is a piece of.
  private var firstPieces: [Int] = []
  /// How many columns of wide parts are out of sight at their left, by their first piece.
  private var shifts: [Int: Int] = [:]
  private var overflows: [Int: Int] = [:]
  private var counts: [Int: [Int]] = [:]
  private var letterCounts: [Int: [Int]] = [:]
  private var identity: (id: AnyHashable, width: Int)?
  private var width: Int { identity?.width ?? 0 }
  // Which views have said how high they are, since all of them were asked.
  private var askedViews: Set<Int> = []
  private var isLong = false
  private let longestWhole: Int

  /// - Parameter longestWhole: a text of more rows than that has lines where it is looked at only.
  init(longestWhole: Int = 200) { self.longestWhole = longestWhole }

  /// How many rows there are.
  var height: Int { parts.last?.end ?? 0 }

  /// Wraps the text where it or the width is another, and asks its views how high they are.
  func lay(out text: RichText, width: Int) {
    askedViews = []
    let isNew = identity.map { $0.id != text.id || $0.width != width } ?? true
    if isNew { take(text, width: width) }
    if !isLong { make(parts.indices) }
  }

  private func take(_ text: RichText, width: Int) {
    if identity?.id != text.id { take(text.blocks()) }
    identity = (text.id, width)
    (contents, counts, shifts, overflows) = ([:], [:], [:], [:])
    letterCounts = [:]
    parts = blocks.enumerated().map { index, block in
      // Of no rows at all it would have no place.
      Part(
        space: index == 0 ? 0 : block.spaceBefore, height: max(1, block.expectedRows?(width) ?? 1))
    }
    number(from: 0)
    isLong = height > longestWhole
    // Of those nothing can be guessed.
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

  /// Gives lines to the parts that rows belong to; `false` where that moved nothing.
  @discardableResult
  func make(rows: Range<Int>) -> Bool {
    guard isLong, let first = part(atRow: max(0, rows.lowerBound)) else { return false }
    var end = first
    while end < parts.count, parts[end].start < rows.upperBound { end += 1 }
    return make(first..<end)
  }

  /// The first row to be shown, where row `row` was to be that: what is on the screen then, and
  /// within a screenful of it, has lines.
  ///
  /// It is another one where something above turns out to be higher than was guessed.
  ///
  /// - Parameter isEnd: whether it is the end of the text that was to be shown, whatever its row.
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
      // Pieces move together, also those of them that would fit.
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

  /// What there is of a part to be drawn.
  func content(_ index: Int) -> Content {
    if !parts[index].isMade { make(CollectionOfOne(index)) }
    return contents[index] ?? content(of: index)
  }

  // MARK: Wide parts

  /// A row of a part, as much of it as there is room for.
  ///
  /// - Parameter marked: changes all of the row, before what there is no room for is cut off.
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

  /// Whether a row goes on beyond the left and the right edge.
  func hiddenEnds(_ row: Int, of index: Int) -> (left: Bool, right: Bool) {
    let content = content(index)
    guard content.isWide else { return (false, false) }
    let shift = shifts[firstPieces[index]] ?? 0
    let width = content.lines[row - parts[index].top].width
    return (shift > 0 && width > 0, width - shift > content.room)
  }

  /// The parts among some rows that are wider than the room, or belong to what is.
  func wideParts(_ rows: Range<Int>) -> [Int] {
    guard let first = part(atRow: max(0, rows.lowerBound)) else { return [] }
    return parts[first...].indices.prefix { parts[$0].start < rows.upperBound }
      .filter {
        blocks[$0].isWide && parts[$0].end > rows.lowerBound
          && overflows[firstPieces[$0]] ?? 0 > 0
      }
  }

  /// Moves wide parts; false when all of them are at their end already.
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

  // MARK: Places

  /// A row of a part, or its last one where it has fewer.
  func row(_ rowsInto: Int, of index: Int) -> Int {
    make(CollectionOfOne(index))
    let part = parts[index]
    return max(part.start, min(part.start + rowsInto, part.end - 1))
  }

  /// How many characters of a part come before a row of it.
  func characters(beforeRow row: Int, of index: Int) -> Int {
    let row = row - parts[index].top
    guard row > 0 else { return 0 }
    let ends = characterEnds(of: index)
    return ends.isEmpty ? 0 : ends[min(row, ends.count) - 1]
  }

  /// The row of a part that has the character after so many.
  func row(afterCharacters count: Int, of index: Int) -> Int {
    make(CollectionOfOne(index))
    guard count > 0 else { return parts[index].start }
    let ends = characterEnds(of: index)
    guard let row = ends.firstIndex(where: { $0 > count }) else {
      return max(parts[index].start, parts[index].end - 1)
    }
    return parts[index].top + row
  }

  /// How many characters of a part there are up to the end of each of its rows.
  ///
  /// Kept: on each page of a block that is a book by itself they would be counted again.
  private func characterEnds(of index: Int) -> [Int] {
    if let ends = counts[index] { return ends }
    var count = 0
    let ends = content(index).lines.map { line in
      count += line.characterCount
      return count
    }
    counts[index] = ends
    return ends
  }

  /// How many letters of the text of a part there are up to the end of each of its rows, without those
  /// of its prefixes.
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

  /// The part of a name.
  func part(named name: String) -> Int? { names[name] }

  /// The parts that are views and have some of these rows.
  func views(in rows: Range<Int>) -> ArraySlice<Int> {
    let first = views.firstIndex(after: rows.lowerBound) { parts[$0].end }
    return views[first...].prefix { parts[$0].top < rows.upperBound }
  }

  /// The part that a row belongs to.
  func part(atRow row: Int) -> Int? {
    let after = parts.firstIndex(after: row) { $0.start }
    return after > 0 ? after - 1 : nil
  }

  /// The heading after a row, or before it, and its row.
  func heading(from row: Int, isForwards: Bool) -> (index: Int, row: Int)? {
    let after = headings.firstIndex(after: row) { parts[$0].top }
    if isForwards {
      return after < headings.count ? (after, parts[headings[after]].top) : nil
    }
    var before = after - 1
    while before >= 0, parts[headings[before]].top >= row { before -= 1 }
    return before >= 0 ? (before, parts[headings[before]].top) : nil
  }
}

extension StyledLine {
  // Without blanks: of those there are more or fewer in lines of another width.
  fileprivate var characterCount: Int {
    runs.reduce(0) { $0 + $1.glyphs.count { $0 != .space } }
  }
}

extension Array {
  /// The first element, in ascending order by `key`, that is beyond a value.
  fileprivate func firstIndex(after value: Int, by key: (Element) -> Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
