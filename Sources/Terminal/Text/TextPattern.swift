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
  /// The failure function of a Knuth–Morris–Pratt search: for each prefix of the pattern, the
  /// length of the longest shorter prefix with which it ends.
  private let restarts: [Int]

  /// Creates a pattern; returns nil if `words` contains only blanks.
  public init?(_ words: String) {
    var folding = GlyphFolding()
    var scalars: [UInt32] = []
    for glyph in Glyphs(words) {
      if glyph.isBlank {
        if scalars.last != Self.blank { scalars.append(Self.blank) }
      } else {
        scalars += folding.folded(glyph)
      }
    }
    if scalars.first == Self.blank { scalars.removeFirst() }
    if scalars.last == Self.blank { scalars.removeLast() }
    guard !scalars.isEmpty else { return nil }
    self.scalars = scalars
    restarts = Self.restarts(of: scalars)
  }

  /// Returns the matches in a text as ranges of non-blank glyphs, counted from 0; they do not
  /// overlap.
  ///
  /// Additions to the text (``StyledText/Run/isAddition``) are counted but not searched.
  public func matches(in text: StyledText) -> [Range<Int>] {
    var search = Search(self)
    for run in text.runs { search.read(Glyphs(run.text), isAddition: run.isAddition) }
    return search.matches
  }

  /// Returns the matches in a line as ranges of its non-blank glyphs, counted from 0.
  public func matches(in line: StyledLine) -> [Range<Int>] {
    var search = Search(self)
    for run in line.runs { search.read(run.glyphs, isAddition: false) }
    return search.matches
  }

  private static let blank: UInt32 = 0x20

  private static func restarts(of scalars: [UInt32]) -> [Int] {
    var restarts = [0]
    var length = 0
    for scalar in scalars.dropFirst() {
      while length > 0, scalars[length] != scalar { length = restarts[length - 1] }
      if scalars[length] == scalar { length += 1 }
      restarts.append(length)
    }
    return restarts
  }

  /// A search that reads glyph by glyph, in linear time.
  private struct Search {
    private let pattern: TextPattern
    private var folding = GlyphFolding()
    private(set) var matches: [Range<Int>] = []
    /// The number of non-blank glyphs read.
    private var count = 0
    /// The glyphs of the last scalars read, as many as the pattern has scalars.
    private var glyphs: [Int]
    private var scalarCount = 0
    private var wasBlank = false
    /// How many scalars of the pattern match at present.
    private var length = 0

    init(_ pattern: TextPattern) {
      self.pattern = pattern
      glyphs = Array(repeating: 0, count: pattern.scalars.count)
    }

    mutating func read(_ glyphs: some Sequence<Glyph>, isAddition: Bool) {
      for glyph in glyphs {
        if glyph.isBlank {
          if !isAddition, !wasBlank { read(TextPattern.blank, of: count) }
          wasBlank = wasBlank || !isAddition
          continue
        }
        if !isAddition {
          wasBlank = false
          for scalar in folding.folded(glyph) { read(scalar, of: count) }
        }
        count += 1
      }
    }

    private mutating func read(_ scalar: UInt32, of glyph: Int) {
      let scalars = pattern.scalars
      glyphs[scalarCount % scalars.count] = glyph
      scalarCount += 1
      while length > 0, scalars[length] != scalar { length = pattern.restarts[length - 1] }
      if scalars[length] == scalar { length += 1 }
      guard length == scalars.count else { return }
      length = 0
      // A glyph such as ß is read as several letters, of which each may be found.
      let start = glyphs[scalarCount % scalars.count]
      if start >= matches.last?.upperBound ?? 0 { matches.append(start..<(glyph + 1)) }
    }
  }
}

/// Folds letters to lower case without diacritics, and caches the results.
private struct GlyphFolding {
  private var known: [UInt32: [UInt32]] = [:]

  mutating func folded(_ glyph: Glyph) -> [UInt32] {
    let scalar = glyph.scalar
    if scalar < 0x80 { return [0x41...0x5A ~= scalar ? scalar + 0x20 : scalar] }
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
