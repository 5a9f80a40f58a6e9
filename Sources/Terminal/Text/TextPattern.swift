import Foundation

/// Words to be found in a text, whatever the case and the marks of their letters, and the blanks between
/// them.
///
/// ```swift
/// let pattern = TextPattern("cafe au")
/// pattern?.matches(in: StyledText("Café  au lait"))  // [0..<6]
/// ```
public struct TextPattern: Hashable, Sendable {
  /// Folded; between two words one blank.
  private let scalars: [UInt32]
  /// After so many scalars that are there, the number of those that are the beginning of it again.
  private let restarts: [Int]

  /// Nil where there is nothing but blanks in the words.
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

  /// The places in a text, in glyphs that are no blanks, from 0; no two overlap.
  ///
  /// What is an addition to the text (``StyledText/Run/isAddition``) is counted, but not looked at.
  public func matches(in text: StyledText) -> [Range<Int>] {
    var search = Search(self)
    for run in text.runs { search.read(Glyphs(run.text), isAddition: run.isAddition) }
    return search.matches
  }

  /// The places in a line, in glyphs of it that are no blanks, from 0.
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

  /// A search that reads glyph after glyph, in a time in proportion to their number.
  private struct Search {
    private let pattern: TextPattern
    private var folding = GlyphFolding()
    private(set) var matches: [Range<Int>] = []
    /// How many glyphs were read that are no blanks.
    private var count = 0
    /// The glyphs that the scalars at the end belong to, as many as the pattern has.
    private var glyphs: [Int]
    private var scalarCount = 0
    private var wasBlank = false
    /// How many scalars of the pattern are there.
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
      matches.append(glyphs[scalarCount % scalars.count]..<(glyph + 1))
      length = 0
    }
  }
}

/// Letters without their case and their marks; what was asked for once is kept.
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
  /// The same glyphs, some of them with another style: those in ranges, which count glyphs that are no
  /// blanks, and the blanks within.
  ///
  /// - Parameter change: given the style, and which of the ranges it is.
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

  /// How many glyphs it has that are no blanks.
  public var letterCount: Int {
    runs.reduce(0) { $0 + $1.glyphs.count { !$0.isBlank } }
  }
}
