import Limits

/// A chapter of an episode; playback can start at its beginning.
public struct Chapter: Sendable, Hashable, Identifiable, Encodable {
  private enum CodingKeys: CodingKey { case start, end, title, link }

  /// The chapter's number, from 1.
  public let id: Int
  /// When it begins, in seconds.
  public let start: Int
  /// When it ends, in seconds; nil if unknown.
  public let end: Int?
  /// One line of text.
  ///
  /// Not sanitised.
  public let title: String
  /// The absolute `http` or `https` address of its link.
  public let link: String?

  public init(id: Int, start: Int, end: Int? = nil, title: String, link: String? = nil) {
    self.id = id
    self.start = start
    self.end = end
    self.title = title
    self.link = link
  }

  /// The most chapters that are read.
  static let countLimit = 2_000
  static let titleLimit = 200
}

/// Parses a JSON file of chapters, which feeds name in `podcast:chapters`.
///
/// Chapters without a time, and those marked as hidden from lists, are left out.
struct ChapterFile {
  private struct Entry {
    var start: Int?
    var end: Int?
    var title = ""
    var link: String?
    var isListed = true
  }

  /// Parses a file; the bytes must be valid UTF-8.
  ///
  /// - Parameter address: the base of relative addresses.
  static func chapters(
    _ bytes: [UInt8], address: String, budget: Budget
  ) throws(FeedError) -> [Chapter] {
    let entries = try JSONReader.read(bytes, budget: budget) {
      reader throws(FeedError) -> [Entry] in
      var entries: [Entry] = []
      try reader.object { reader, name throws(FeedError) in
        guard name == "chapters" else { return try reader.skip() }
        entries = []
        try reader.array { reader throws(FeedError) in
          let entry = try entry(&reader, address: address)
          guard entry.isListed, entry.start != nil else { return }
          entries.append(entry)
          guard budget.require(entries.count, atMost: Chapter.countLimit, .chapters) else {
            throw FeedError(.tooMuch(.count(.chapters, limit: Chapter.countLimit)))
          }
        }
      }
      return entries
    }
    if let end = budget.end { throw FeedError(end) }
    return entries.sorted { ($0.start ?? 0) < ($1.start ?? 0) }.enumerated().map { index, entry in
      Chapter(
        id: index + 1, start: entry.start ?? 0, end: entry.end,
        title: entry.title.isEmpty ? "Chapter \(index + 1)" : entry.title, link: entry.link)
    }
  }

  private static func entry(
    _ reader: inout JSONReader, address: String
  ) throws(FeedError) -> Entry {
    var entry = Entry()
    try reader.object { reader, name throws(FeedError) in
      switch name {
      case "startTime": entry.start = Attachment.second(try reader.text())
      case "endTime": entry.end = Attachment.second(try reader.text())
      case "title":
        entry.title = PlainText.line(try reader.text() ?? "", limit: Chapter.titleLimit)
      case "url": entry.link = WebAddress.web(try reader.text() ?? "", against: address)
      case "toc": entry.isListed = try reader.bool() ?? true
      default: try reader.skip()
      }
    }
    return entry
  }
}

/// Chapters that are part of a feed: they are appended to the article's text, and parsed from there
/// again.
struct FeedChapters {
  private var chapters: [(start: Int, title: String)] = []
  private static let countLimit = 200
  /// The largest size of the chapters in a text, in bytes.
  private static let lengthLimit = 512 << 10
  private static let heading = "<h2>Chapters</h2><ul>"

  /// Adds a chapter; one without a time that can be parsed is left out.
  mutating func add(_ title: String, at start: String) {
    guard chapters.count < Self.countLimit, let seconds = Attachment.time(start) else { return }
    let title = PlainText.line(String(title.unicodeScalars.prefix(Chapter.titleLimit)))
    chapters.append((seconds, title))
  }

  /// The chapters as HTML, to be appended to the text.
  var html: String {
    guard !chapters.isEmpty else { return "" }
    let items = chapters.map { chapter in
      "<li>\(Attachment.clock(chapter.start)) \(HTMLWriter.escaped(chapter.title))</li>"
    }
    return "\(Self.heading)\(items.joined())</ul>"
  }

  /// Parses the chapters that ``html`` has appended to a text.
  static func chapters(in html: String) -> [Chapter] {
    let tail = Array(html.utf8.suffix(lengthLimit))
    let heading = Array(heading.utf8)
    guard tail.suffix(5).elementsEqual("</ul>".utf8),
      let start = tail.indices.last(where: { tail[$0...].starts(with: heading) })
    else { return [] }
    let items = String(decoding: tail[(start + heading.count)...].dropLast(5), as: UTF8.self)
    let chapters = items.split(separator: "</li>").compactMap { item -> (Int, String)? in
      guard item.hasPrefix("<li>"), let space = item.firstIndex(of: " "),
        let start = Attachment.time(String(item[..<space].dropFirst("<li>".count)))
      else { return nil }
      return (start, PlainText.line(html: String(item[space...]), limit: Chapter.titleLimit))
    }
    return chapters.prefix(countLimit).sorted { $0.0 < $1.0 }.enumerated().map {
      Chapter(id: $0 + 1, start: $1.0, title: $1.1)
    }
  }
}

extension Attachment {
  /// Parses a time in seconds, such as `168` or `168.5`; nil for anything else.
  static func second(_ text: String?) -> Int? {
    guard let text, text.utf8.count <= 32, let seconds = Double(text), 0...1_000_000 ~= seconds
    else { return nil }
    return Int(seconds)
  }
}
