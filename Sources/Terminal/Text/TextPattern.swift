import Foundation

/// Words to find in a text, ignoring case, diacritics and the amount of space between words.
///
/// ```swift
/// let pattern = TextPattern("cafe au")
/// pattern?.matches(in: StyledText("Café  au lait"))  // [0..<6]
/// ```
public struct TextPattern: Hashable, Sendable {
  /// The folded scalars, with one blank between two words.
  private let scalars: [UInt32]

  /// Creates a pattern; returns nil if `words` contains only blanks.
  public init?(_ words: String) {
    var text = FoldedText()
    text.append(Glyphs(words))
    scalars = Array(
      text.scalars.split(separator: FoldedText.blank).joined(separator: [FoldedText.blank]))
    if scalars.isEmpty { return nil }
  }

  /// Returns the matches in a text as ranges of non-blank glyphs, counted from 0; they do not
  /// overlap.
  ///
  /// Additions to the text (``StyledText/Run/isAddition``) are counted but not searched.
  public func matches(in text: StyledText) -> [Range<Int>] {
    var folded = FoldedText()
    for run in text.runs { folded.append(Glyphs(run.text), isAddition: run.isAddition) }
    return matches(in: folded)
  }

  /// Returns the matches in a line as ranges of its non-blank glyphs, counted from 0.
  public func matches(in line: StyledLine) -> [Range<Int>] {
    var folded = FoldedText()
    for run in line.runs { folded.append(run.glyphs) }
    return matches(in: folded)
  }

  private func matches(in text: FoldedText) -> [Range<Int>] {
    var matches: [Range<Int>] = []
    var start = 0
    while start + scalars.count <= text.scalars.count {
      let place = start..<(start + scalars.count)
      start += 1
      guard text.scalars[place.lowerBound] == scalars[0], text.scalars[place].elementsEqual(scalars)
      else { continue }
      let match = text.glyphs[place.lowerBound]..<(text.glyphs[place.upperBound - 1] + 1)
      // A glyph such as ß is read as several letters, of which each may be found.
      if match.lowerBound >= matches.last?.upperBound ?? 0 { matches.append(match) }
      start = place.upperBound
    }
    return matches
  }
}

/// The letters of a text as a search compares them: lower case, without diacritics, and with one
/// blank between two words.
private struct FoldedText {
  static let blank: UInt32 = 0x20
  private(set) var scalars: [UInt32] = []
  /// For each scalar, the number of its glyph among the non-blank ones.
  private(set) var glyphs: [Int] = []
  private var count = 0
  private var known: [UInt32: [UInt32]] = [:]

  mutating func append(_ text: some Sequence<Glyph>, isAddition: Bool = false) {
    for glyph in text {
      if !isAddition {
        switch glyph.scalar {
        case _ where glyph.isBlank: if scalars.last != Self.blank { append(Self.blank) }
        case 0x41...0x5A: append(glyph.scalar + 0x20)
        case ..<0x80: append(glyph.scalar)
        default: for scalar in folded(glyph.scalar) { append(scalar) }
        }
      }
      if !glyph.isBlank { count += 1 }
    }
  }

  private mutating func append(_ scalar: UInt32) {
    scalars.append(scalar)
    glyphs.append(count)
  }

  private mutating func folded(_ scalar: UInt32) -> [UInt32] {
    if let folded = known[scalar] { return folded }
    let text = Unicode.Scalar(scalar).map { String(Character($0)) } ?? ""
    let folded = text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
    ).unicodeScalars.map(\.value)
    known[scalar] = folded
    return folded
  }
}

extension StyledLine {
  /// Returns the line with another style for the glyphs in some ranges.
  ///
  /// The ranges count non-blank glyphs and include the blanks between them.
  ///
  /// - Parameters:
  ///   - ranges: where the style changes, in order.
  ///   - change: changes the style, given the index of the range.
  public func restyled(
    _ ranges: [Range<Int>], _ change: (inout Style, Int) -> Void
  ) -> StyledLine {
    var line = StyledLine()
    var (count, next) = (0, 0)
    for run in runs {
      for glyph in run.glyphs {
        while next < ranges.count, ranges[next].upperBound <= count { next += 1 }
        let isWithin =
          next < ranges.count
          && (ranges[next].contains(count) && (!glyph.isBlank || ranges[next].lowerBound < count))
        var style = run.style
        if isWithin { change(&style, next) }
        line.append(CollectionOfOne(glyph), style: style, tag: run.tag)
        if !glyph.isBlank { count += 1 }
      }
    }
    return line
  }

  /// The number of non-blank glyphs.
  public var letterCount: Int {
    runs.reduce(0) { $0 + $1.glyphs.count { !$0.isBlank } }
  }
}
