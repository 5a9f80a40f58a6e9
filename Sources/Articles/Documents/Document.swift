/// A text to read: blocks of runs, and the links it mentions.
///
/// Made from HTML by ``HTMLRenderer``.
///
/// Texts are valid Unicode, but may hold control characters: whoever shows them removes those.
public struct Document: Sendable, Hashable {
  public var blocks: [Block]
  /// The links by number: number 1 is the first.
  public var links: [Link]
  /// The links that lead to an ``Inline/anchor(_:)`` of the same text, such as those of footnotes.
  ///
  /// Their numbers are negative: number -1 is the first, and its address `#` and the anchor's name.
  public var jumps: [Link]

  public init(blocks: [Block] = [], links: [Link] = [], jumps: [Link] = []) {
    self.blocks = blocks
    self.links = links
    self.jumps = jumps
  }
}

/// A paragraph, or something that stands between paragraphs.
///
/// Nested at most ``HTMLRenderer/nestingLimit`` deep.
public indirect enum Block: Sendable, Hashable {
  /// The level is 1…6.
  case heading(level: Int, [Inline])
  case paragraph([Inline])
  /// Numbered from `start`, or with bullets when that is nil.
  case list(start: Int?, items: [[Block]])
  case quote([Block])
  /// Preformatted text, its lines separated by `\n`, with none at its end.
  case code(language: String?, text: String)
  case rule
  /// A picture that stands alone.
  case picture(Picture)
  case table(Table)
}

/// A part of a paragraph.
public enum Inline: Sendable, Hashable {
  /// `link` is the number of the link it belongs to.
  case text(String, TextStyle = [], link: Int? = nil)
  case lineBreak
  case picture(Picture, link: Int? = nil)
  /// A place that the same text refers to by this name; there is nothing to see of it.
  case anchor(String)
}

/// How a run of text is set off.
public struct TextStyle: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let emphasis = TextStyle(rawValue: 1)
  public static let strong = TextStyle(rawValue: 2)
  public static let code = TextStyle(rawValue: 4)
  public static let strikethrough = TextStyle(rawValue: 8)
  /// Less important than what is around it, such as the times of a transcript.
  public static let dimmed = TextStyle(rawValue: 16)
}

/// A link of a document.
public struct Link: Sendable, Hashable {
  /// From 1 on, in order of appearance; one number an address.
  ///
  /// From -1 down for ``Document/jumps``.
  public let number: Int
  /// Absolute: `http`, `https` or `mailto`; or `#` and a name.
  public let address: String

  public init(number: Int, address: String) {
    self.number = number
    self.address = address
  }
}

/// A picture, not loaded.
public struct Picture: Sendable, Hashable {
  /// What it shows, in words; may be empty.
  public let alt: String
  /// Absolute, `http` or `https`; nil when there is none that may be loaded.
  ///
  /// It may be a `file` in a feed that is one itself, and `argyle` in the one inside the program.
  public let address: String?
  /// What the text says of its size, in pixels.
  public let declaredSize: DeclaredSize?

  public init(alt: String, address: String?, declaredSize: DeclaredSize? = nil) {
    self.alt = alt
    self.address = address
    self.declaredSize = declaredSize
  }

  /// A size that a text gives a picture, which may be wrong: 1…100,000 each.
  public struct DeclaredSize: Sendable, Hashable {
    public let width: Int
    public let height: Int

    /// Nil for what can be no size.
    public init?(width: Int, height: Int) {
      guard 1...100_000 ~= width, 1...100_000 ~= height else { return nil }
      (self.width, self.height) = (width, height)
    }
  }
}

/// Rows of cells, not all of the same length.
public struct Table: Sendable, Hashable {
  public var rows: [[[Inline]]]
  /// Whether the first row names the columns.
  public var hasHeader: Bool

  public init(rows: [[[Inline]]], hasHeader: Bool) {
    self.rows = rows
    self.hasHeader = hasHeader
  }
}
