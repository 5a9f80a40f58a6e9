/// Text in runs, each with a style of its own: what is wrapped or cut to a width.
///
/// ```swift
/// var text = StyledText("Read ")
/// text.append("the handbook", style: Style(attributes: .underline), tag: 0)
/// for line in text.wrapped(width: 10) { print(line.text) }  // "Read the", "handbook"
/// ```
public struct StyledText: Hashable, Sendable {
  /// A piece of text in one style.
  public struct Run: Hashable, Sendable {
    /// As it came: it is sanitised on its way to glyphs.
    public var text: String
    /// How it is drawn.
    public var style: Style
    /// A number of the caller's, for instance that of a link.
    public var tag: Int?
    /// Whether it is no part of the text, like the number behind a link: see ``TextPattern``.
    public var isAddition = false

    /// A piece of text in one style.
    public init(
      _ text: String, style: Style = .plain, tag: Int? = nil, isAddition: Bool = false
    ) {
      self.text = text
      self.style = style
      self.tag = tag
      self.isAddition = isAddition
    }
  }

  /// The pieces, in order.
  public var runs: [Run]

  /// Text of these pieces.
  public init(_ runs: [Run] = []) { self.runs = runs }

  /// Text in one style.
  public init(_ text: String, style: Style = .plain, tag: Int? = nil) {
    runs = [Run(text, style: style, tag: tag)]
  }

  /// Adds a piece at the end.
  public mutating func append(
    _ text: String, style: Style = .plain, tag: Int? = nil, isAddition: Bool = false
  ) {
    runs.append(Run(text, style: style, tag: tag, isAddition: isAddition))
  }
}

/// One line of styled glyphs, ready to be drawn.
public struct StyledLine: Hashable, Sendable {
  /// Glyphs in one style.
  public struct Run: Hashable, Sendable {
    /// In order.
    public var glyphs: [Glyph]
    /// How they are drawn.
    public var style: Style
    /// The tag of the text that they come from.
    public var tag: Int?

    /// How many columns they take.
    public var width: Int { glyphs.reduce(0) { $0 + Int($1.width) } }
  }

  /// The pieces, in order; none of them is empty.
  public private(set) var runs: [Run] = []
  /// How many columns it takes.
  public private(set) var width = 0

  /// A line with nothing on it.
  public init() {}

  /// The line as plain text.
  public var text: String { runs.flatMap(\.glyphs).map(\.text).joined() }

  /// The same line with a mark for every column that is not blank.
  ///
  /// It stands in for text that is still to come; words keep their places.
  public func redacted(with mark: Glyph) -> StyledLine {
    var line = StyledLine()
    for run in runs {
      let glyphs = run.glyphs.flatMap { glyph in
        glyph.isBlank ? [glyph] : Array(repeating: mark, count: Int(glyph.width))
      }
      line.append(glyphs, style: run.style, tag: run.tag)
    }
    return line
  }

  mutating func append(_ glyphs: some Collection<Glyph>, style: Style, tag: Int?) {
    guard !glyphs.isEmpty else { return }
    for glyph in glyphs { width += Int(glyph.width) }
    if let last = runs.last, last.style == style, last.tag == tag {
      runs[runs.count - 1].glyphs += glyphs
    } else {
      runs.append(Run(glyphs: Array(glyphs), style: style, tag: tag))
    }
  }
}

extension CellBuffer {
  /// Draws a line up to the right edge of `clip`, and says how many columns that took.
  @discardableResult
  public mutating func write(_ line: StyledLine, at point: Point, clip: Rect? = nil) -> Int {
    let edge = min(clip?.maxX ?? size.width, size.width)
    let clip = clip?.intersection(bounds) ?? bounds
    var x = point.x
    for run in line.runs {
      for glyph in run.glyphs {
        guard x + Int(glyph.width) <= edge else { return x - point.x }
        put(glyph, at: Point(x: x, y: point.y), style: run.style, inside: clip)
        x += Int(glyph.width)
      }
    }
    return x - point.x
  }
}
