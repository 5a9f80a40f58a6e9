/// A text to read: blocks of runs, and the links it mentions.
///
/// Made from HTML by ``HTMLRenderer``.
///
/// Texts are valid Unicode, but may hold control characters: whoever shows them removes those.
public struct Document: Sendable, Hashable {
  public var blocks: [Block]
  /// The links by number: number 1 is the first.
  public var links: [Link]

  public init(blocks: [Block] = [], links: [Link] = []) {
    self.blocks = blocks
    self.links = links
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
}

/// How a run of text is set off.
public struct TextStyle: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let emphasis = TextStyle(rawValue: 1)
  public static let strong = TextStyle(rawValue: 2)
  public static let code = TextStyle(rawValue: 4)
  public static let strikethrough = TextStyle(rawValue: 8)
}

/// A link of a document.
public struct Link: Sendable, Hashable {
  /// From 1 on, in order of appearance; one number an address.
  public let number: Int
  /// Absolute: `http`, `https` or `mailto`.
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
  public let address: String?

  public init(alt: String, address: String?) {
    self.alt = alt
    self.address = address
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
