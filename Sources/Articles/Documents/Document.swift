/// A text for reading: blocks of inline runs, and the links in it.
///
/// ``HTMLRenderer`` creates it from HTML, and transcripts are documents too.
///
/// The texts are valid Unicode, but may contain control characters, which have to be removed before
/// they are shown.
public struct Document: Sendable, Hashable {
  public var blocks: [Block]
  /// The links in order of their numbers; the first has number 1.
  public var links: [Link]
  /// The links to an ``Inline/anchor(_:)`` in the same text, such as those of footnotes.
  ///
  /// Their numbers are negative: the first has number -1. Their addresses are `#` and the anchor's
  /// name.
  public var jumps: [Link]

  public init(blocks: [Block] = [], links: [Link] = [], jumps: [Link] = []) {
    self.blocks = blocks
    self.links = links
    self.jumps = jumps
  }
}

/// A paragraph, or something between paragraphs.
///
/// ``HTMLRenderer`` nests blocks at most ``HTMLRenderer/nestingLimit`` deep.
public indirect enum Block: Sendable, Hashable {
  /// `level` is 1…6.
  case heading(level: Int, [Inline])
  case paragraph([Inline])
  case list(ListMarks, items: [[Block]])
  case quote([Block])
  /// Preformatted text; `\n` separates its lines, without one at the end.
  case code(language: String?, text: String)
  case rule
  /// A picture in a paragraph of its own.
  case picture(Picture)
  case table(Table)
}

/// A part of a paragraph.
public enum Inline: Sendable, Hashable {
  /// `link` is the number of the link that the text belongs to.
  case text(String, TextStyle = [], link: Int? = nil)
  case lineBreak
  case picture(Picture, link: Int? = nil)
  /// An invisible target with this name, to which the same text links.
  case anchor(String)
}

/// The style of a run of text.
public struct TextStyle: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let emphasis = TextStyle(rawValue: 1)
  public static let strong = TextStyle(rawValue: 2)
  public static let code = TextStyle(rawValue: 4)
  public static let strikethrough = TextStyle(rawValue: 8)
  /// Less important than the surrounding text, such as the times of a transcript.
  public static let dimmed = TextStyle(rawValue: 16)
}

/// A link of a document.
public struct Link: Sendable, Hashable {
  /// The number, from 1 in order of appearance; each address has one number.
  ///
  /// Counts down from -1 for ``Document/jumps``.
  public let number: Int
  /// Absolute (`http`, `https` or `mailto`), or `#` and a name.
  public let address: String

  public init(number: Int, address: String) {
    self.number = number
    self.address = address
  }
}

/// A picture that has not been loaded.
public struct Picture: Sendable, Hashable {
  /// The description of the picture; may be empty.
  public let alt: String
  /// An absolute `http` or `https` address; nil when there is none that may be loaded.
  ///
  /// It may be a `file` URL if the feed is a file, and an `argyle` URL in the bundled feed.
  public let address: String?
  /// The size that the text declares, in pixels.
  public let declaredSize: DeclaredSize?

  public init(alt: String, address: String?, declaredSize: DeclaredSize? = nil) {
    self.alt = alt
    self.address = address
    self.declaredSize = declaredSize
  }

  /// The size that a text declares for a picture, 1…100,000 each; it may be wrong.
  public struct DeclaredSize: Sendable, Hashable {
    public let width: Int
    public let height: Int

    /// Nil for an invalid size.
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
  /// The alignments of the first columns; the others are aligned to the left.
  public var alignments: [Alignment]

  /// Where the text of a column's cells stands.
  public enum Alignment: String, Sendable, Hashable {
    case left, center, right
  }

  public init(rows: [[[Inline]]], hasHeader: Bool, alignments: [Alignment] = []) {
    self.rows = rows
    self.hasHeader = hasHeader
    self.alignments = alignments
  }

  /// Returns the alignment of a column, from 0.
  public func alignment(of column: Int) -> Alignment {
    alignments.indices.contains(column) ? alignments[column] : .left
  }
}

/// Numbers links in order of appearance; equal addresses get the same number.
struct LinkNumbers {
  private(set) var all: [Link] = []
  private var numbers: [String: Int] = [:]

  mutating func number(of address: String) -> Int {
    if let number = numbers[address] { return number }
    let number = all.count + 1
    numbers[address] = number
    all.append(Link(number: number, address: address))
    return number
  }
}

/// Provides the addresses of a document's links to the writers of HTML and Markdown.
///
/// A link around many paragraphs is repeated in each of them. If all addresses take many times
/// their size in the document, further links are written without addresses.
final class LinkAddresses {
  private let links: [Link]
  private var room: Int

  init(_ links: [Link]) {
    self.links = links
    room = (256 << 10) + 16 * links.reduce(0) { $0 + $1.address.utf8.count }
  }

  /// Returns the address of a link; nil when it has none, such as a jump.
  func address(of number: Int) -> String? {
    guard links.indices.contains(number - 1), links[number - 1].number == number else { return nil }
    let address = links[number - 1].address
    guard address.utf8.count <= room else { return nil }
    room -= address.utf8.count
    return address
  }
}
