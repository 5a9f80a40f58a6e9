/// A match of a search in a ``RichText``.
public struct TextMatch: Hashable, Sendable {
  /// The index of the paragraph, from 0.
  public let block: Int
  /// The index of the match in that paragraph, from 0.
  let number: Int
  /// The matched glyphs of the paragraph's text, counted without blanks.
  let letters: Range<Int>
}

/// The texts of a ``RichText``, searchable off the main actor.
public struct SearchableText: Sendable {
  private let texts: [[StyledText]]

  /// Creates a searchable copy of the texts of `blocks`.
  public init(_ blocks: [RichText.Block]) { texts = blocks.map { $0.texts?() ?? [] } }

  /// Returns the matches of a pattern, in the order of the text; none if the task is cancelled.
  public func matches(of pattern: TextPattern) -> [TextMatch] {
    var matches: [TextMatch] = []
    for (block, texts) in texts.enumerated() {
      // The user has changed the pattern, so a newer search has replaced this one.
      if Task.isCancelled { return [] }
      var number = 0
      for letters in texts.flatMap(pattern.matches) {
        matches.append(TextMatch(block: block, number: number, letters: letters))
        number += 1
      }
    }
    return matches
  }
}

extension RichText.Found {
  /// Returns the matches in a paragraph, and the index of the selected one if it is among them.
  func matches(in block: Int) -> (matches: ArraySlice<TextMatch>, current: Int?) {
    let first = matches.partitioningIndex { $0.block >= block }
    let slice = matches[first...].prefix { $0.block == block }
    return (slice, current.flatMap { slice.indices.contains($0) ? $0 : nil })
  }
}

extension RichTextLayout {
  /// Returns a line of a part with its matches highlighted.
  ///
  /// `line` is the whole row `row` of the part, including the prefix unless the part is wide.
  func marked(
    _ line: StyledLine, row: Int, of index: Int, _ found: RichText.Found, _ theme: Theme
  ) -> StyledLine {
    let (matches, current) = found.matches(in: index)
    guard !matches.isEmpty else { return line }
    func mark(_ ranges: [Range<Int>], current: Int?) -> StyledLine {
      guard !ranges.isEmpty else { return line }
      return line.restyled(ranges) { style, number in
        style.attributes.insert(.reverse)
        guard number == current else { return }
        style.foreground = theme.accent
        style.attributes.insert(.bold)
      }
    }
    if blocks[index].isWide {
      let before = content(index).lines[..<row].reduce(0) {
        $0 + found.pattern.matches(in: $1).count
      }
      let number = current.map { matches[$0].number - before }
      return mark(found.pattern.matches(in: line), current: number)
    }
    let letters = letters(ofRow: row, of: index)
    let shown = matches.enumerated().compactMap { number, match -> (Range<Int>, Bool)? in
      let part = match.letters.clamped(to: letters)
      guard !part.isEmpty else { return nil }
      let offset = prefixLetters(row: row, of: index) - letters.lowerBound
      return (
        (part.lowerBound + offset)..<(part.upperBound + offset),
        matches.startIndex + number == current
      )
    }
    return mark(shown.map(\.0), current: shown.firstIndex { $0.1 })
  }

  /// Returns the row in which a match begins.
  func row(of match: TextMatch, _ pattern: TextPattern) -> Int? {
    guard parts.indices.contains(match.block) else { return nil }
    let lines = content(match.block).lines
    let top = parts[match.block].top
    guard blocks[match.block].isWide else {
      let row = lines.indices.first {
        letters(ofRow: $0, of: match.block).upperBound > match.letters.lowerBound
      }
      return top + (row ?? 0)
    }
    var number = match.number
    for (row, line) in lines.enumerated() {
      number -= pattern.matches(in: line).count
      if number < 0 { return top + row }
    }
    return top
  }

  /// Returns which letters of a part's text are in one of its rows.
  private func letters(ofRow row: Int, of index: Int) -> Range<Int> {
    let ends = letterEnds(of: index)
    return (row > 0 ? ends[row - 1] : 0)..<ends[row]
  }

  fileprivate func prefixLetters(row: Int, of index: Int) -> Int {
    let content = content(index)
    return (row == 0 ? content.firstPrefix : content.prefix).letterCount
  }
}
