import Limits

/// The known elements of feeds, by name.
///
/// Their meaning also depends on their ``Space``.
enum ElementName: String, CaseIterable {
  case rss, rdf = "RDF", feed, channel, item, entry
  case title, link, guid, id, author, creator, name, email
  case description, summary, abstract, content, encoded, body, fullitem
  case pubDate, published, updated, date, modified, issued, created
  case enclosure, thumbnail, image, duration, managingEditor
  case transcript, chapters, chapter
  case other = ""

  /// Ignores case: many podcasts are written for a program that does not distinguish `TITLE` from
  /// `title`.
  init(text: String) {
    self = ElementName(rawValue: text) ?? Self.lowercased[text.lowercased()] ?? .other
  }

  private static let lowercased = Dictionary(
    allCases.map { ($0.rawValue.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
}

/// The namespaces whose elements are used.
enum Space {
  /// RSS of any version.
  case rss
  case atom, content, dublinCore, media, itunes
  /// Podcasting 2.0, and Podlove's chapters.
  case podcast, simpleChapters
  case xhtml, other

  private static let known: [(uri: String, space: Space)] = [
    ("http://www.w3.org/2005/Atom", .atom),
    ("http://purl.org/atom/ns#", .atom),
    ("http://purl.org/rss/1.0/modules/content/", .content),
    ("http://purl.org/dc/elements/1.1/", .dublinCore),
    ("http://purl.org/dc/elements/1.0/", .dublinCore),
    ("http://purl.org/dc/terms/", .dublinCore),
    ("http://search.yahoo.com/mrss/", .media),
    ("http://search.yahoo.com/mrss", .media),
    ("http://www.itunes.com/dtds/podcast-1.0.dtd", .itunes),
    ("http://www.itunes.com/DTDs/Podcast-1.0.dtd", .itunes),
    ("https://podcastindex.org/namespace/1.0", .podcast),
    (
      "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", .podcast
    ),
    ("http://podlove.org/simple-chapters", .simpleChapters),
    ("http://www.w3.org/1999/xhtml", .xhtml),
    ("http://purl.org/rss/1.0/", .rss),
    ("http://my.netscape.com/rdf/simple/0.9/", .rss),
    ("http://channel.netscape.com/rdf/simple/0.9/", .rss),
    ("http://backend.userland.com/rss2", .rss),
    ("http://blogs.law.harvard.edu/tech/rss", .rss),
  ]

  init(uri: String) {
    self = Self.known.first { $0.uri == uri }?.space ?? .other
  }

  /// Returns the namespace for a prefix that the feed did not declare.
  init(undeclaredPrefix prefix: String) {
    self =
      switch prefix {
      case "atom": .atom
      case "content": .content
      case "dc", "dcterms": .dublinCore
      case "media": .media
      case "podcast": .podcast
      case "psc": .simpleChapters
      case "itunes": .itunes
      case "xhtml": .xhtml
      default: .other
      }
  }
}

/// Looks up names and namespaces by the addresses of their strings.
///
/// The XML parser uses the same address for the same text within one document, so a lookup by
/// address avoids a string comparison for every element.
struct Vocabulary {
  private struct Table<Value> {
    private var values: [UnsafeRawPointer: Value] = [:]
    private var last: (key: UnsafeRawPointer, value: Value)?

    mutating func value(of text: UnsafePointer<UInt8>, _ make: (String) -> Value) -> Value {
      let key = UnsafeRawPointer(text)
      if let last, last.key == key { return last.value }
      let value: Value
      if let known = values[key] {
        value = known
      } else {
        value = make(String(outside: text))
        values[key] = value
      }
      last = (key, value)
      return value
    }
  }

  private var names = Table<ElementName>()
  private var spaces = Table<Space>()

  mutating func name(_ text: UnsafePointer<UInt8>) -> ElementName {
    names.value(of: text) { ElementName(text: $0) }
  }

  mutating func space(_ text: UnsafePointer<UInt8>, _ make: (String) -> Space) -> Space {
    spaces.value(of: text, make)
  }
}
