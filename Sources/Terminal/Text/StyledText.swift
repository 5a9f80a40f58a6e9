/// Text in runs of one style each, which can be wrapped or truncated to a width.
///
/// ```swift
/// var text = StyledText("Read ")
/// text.append("the handbook", style: Style(attributes: .underline), tag: 0)
/// for line in text.wrapped(width: 10) { print(line.text) }  // "Read the", "handbook"
/// ```
public struct StyledText: Hashable, Sendable {
  /// A run of text in one style.
  public struct Run: Hashable, Sendable {
    /// The text, unsanitised; it is sanitised when it becomes glyphs.
    public var text: String
    /// The style of the text.
    public var style: Style
    /// A number that the caller chooses, for example the index of a link.
    public var tag: Int?
    /// Whether the run is not part of the text itself, such as the number after a link; see
    /// ``TextPattern``.
    public var isAddition = false

    /// Creates a run of text in one style.
    public init(
      _ text: String, style: Style = .plain, tag: Int? = nil, isAddition: Bool = false
    ) {
      self.text = text
      self.style = style
      self.tag = tag
      self.isAddition = isAddition
    }
  }

  /// The runs, in order.
  public var runs: [Run]

  /// Creates text from runs.
  public init(_ runs: [Run] = []) { self.runs = runs }

  /// Creates text in one style.
  public init(_ text: String, style: Style = .plain, tag: Int? = nil) {
    runs = [Run(text, style: style, tag: tag)]
  }

  /// Appends a run.
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
    /// The glyphs, in order.
    public var glyphs: [Glyph]
    /// The style of the glyphs.
    public var style: Style
    /// The tag of the text from which the glyphs were made.
    public var tag: Int?

    /// The number of columns that the glyphs take.
    public var width: Int { glyphs.reduce(0) { $0 + Int($1.width) } }
  }

  /// The runs, in order; none of them is empty.
  public private(set) var runs: [Run] = []
  /// The number of columns that the line takes.
  public private(set) var width = 0

  /// Creates an empty line.
  public init() {}

  /// The line as plain text.
  public var text: String { runs.flatMap(\.glyphs).map(\.text).joined() }

  /// Returns the line with a mark in every column that is not blank.
  ///
  /// It is a placeholder for text that is still being loaded; words keep their positions.
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
  /// Draws a line up to the right edge of `clip`, and returns the columns it took.
  @discardableResult
  public mutating func write(_ line: StyledLine, at point: Point, clip: Rect? = nil) -> Int {
    let edge = min(clip?.maxX ?? size.width, size.width)
    return withPen(onRow: point.y, clip: clip) { pen in
      var x = point.x
      for run in line.runs {
        var cell = Cell(style: run.style)
        for glyph in run.glyphs {
          guard x + Int(glyph.width) <= edge else { return x - point.x }
          cell.glyph = glyph
          pen.put(cell, at: x)
          x += Int(glyph.width)
        }
      }
      return x - point.x
    }
  }
}
