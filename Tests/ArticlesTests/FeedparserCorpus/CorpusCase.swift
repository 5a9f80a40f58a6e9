import Foundation

@testable import Articles

/// A file of feedparser's `wellformed` tests, compared with what our parser makes of it.
struct CorpusCase {
  enum Outcome: Equatable {
    case agrees
    case differs(String)
    /// It is about something that an article here does not have.
    case outOfScope
  }

  /// The fields that are compared, by the names that feedparser gives them.
  enum Field: String, CaseIterable {
    case title, link, id, date, author, content
  }

  /// Its path below `wellformed`.
  let name: String
  let expectation: Expectation
  private let bytes: [UInt8]

  /// Nil when it has no expectation that can be read.
  init?(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    let text = SourceText.utf8(bytes, charset: nil)
    let head = String(decoding: text, as: UTF8.self)
    guard let start = head.range(of: "Expect:"),
      let end = head.range(of: "-->", range: start.upperBound..<head.endIndex),
      let expectation = Self.expectation(String(head[start.upperBound..<end.lowerBound]))
    else { return nil }
    self.expectation = expectation
  }

  private static func expectation(_ source: String) -> Expectation? {
    Expectation(source.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  // MARK: Comparing

  /// Which fields it is about.
  var fields: Set<Field> { Self.fields(expectation) }

  func outcome() -> Outcome {
    guard !fields.isEmpty else { return .outOfScope }
    let address = "http://127.0.0.1:8097/tests/wellformed/" + name
    do throws(FeedError) {
      var feed = try FeedParser.parse(bytes, address: address)
      feed.articles = StableIDs.unique(feed.articles)
      let failure = Self.failure(of: expectation, in: feed)
      return failure.map { .differs($0) } ?? .agrees
    } catch {
      return .differs("refused: \(error)")
    }
  }

  private static func fields(_ expectation: Expectation) -> Set<Field> {
    switch expectation {
    case .equal(let path, let value): field(path, value).map { [$0.field] } ?? []
    case .other: []
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion(fields($1)) }
    }
  }

  /// Nil when everything that concerns our fields agrees.
  private static func failure(of expectation: Expectation, in feed: ParsedFeed) -> String? {
    switch expectation {
    case .other: return nil
    case .all(let parts): return parts.lazy.compactMap { failure(of: $0, in: feed) }.first
    case .any(let parts):
      let failures = parts.map { failure(of: $0, in: feed) }
      return failures.contains(nil) ? nil : failures.compactMap(\.self).joined(separator: " or ")
    case .equal(let path, let value):
      guard let (field, entry) = field(path, value) else { return nil }
      if let entry {
        guard entry < feed.articles.count else { return "no entry \(entry)" }
        return failure(of: field, value, in: feed.articles[entry])
      }
      let ours =
        switch field {
        case .title: feed.title
        case .author: feed.author
        default: feed.site
        }
      return isEqual(field, ours, value) ? nil : "\(field.rawValue) is \(ours ?? "nil")"
    }
  }

  private static func failure(
    of field: Field, _ value: Expectation.Value, in article: ParsedArticle
  ) -> String? {
    switch field {
    case .title, .link, .id, .author:
      let ours =
        switch field {
        case .title: article.title
        case .link: article.link
        case .id: article.guid
        default: article.author
        }
      return isEqual(field, ours, value) ? nil : "\(field.rawValue) is \(ours ?? "nil")"
    case .date:
      let ours = article.published
      return ours == date(value) ? nil : "date is \(String(describing: ours))"
    case .content:
      guard case .text(let text) = value else { return "expects no text" }
      let ours = HTMLRenderer.document(html: article.html, base: article.base)
      // feedparser hands out text and HTML under one name.
      let readings = [text, PlainText.html(text)].map { HTMLRenderer.document(html: $0) }
      return readings.contains(ours) ? nil : "content is \(article.html)"
    }
  }

  private static func isEqual(_ field: Field, _ ours: String?, _ value: Expectation.Value) -> Bool {
    guard case .text(let text) = value else { return false }
    let ours = ours ?? ""
    return switch field {
    case .title: ours == PlainText.line(text) || ours == PlainText.line(html: text)
    case .author: ours == text || text.hasPrefix(ours + " (") && !ours.isEmpty
    default: ours == text
    }
  }

  private static func date(_ value: Expectation.Value) -> Date? {
    switch value {
    case .text(let text): return FeedDate.parse(text)
    case .numbers(let numbers):
      guard numbers.count > 5 else { return nil }
      var parts = DateComponents()
      (parts.year, parts.month, parts.day) = (numbers[0], numbers[1], numbers[2])
      (parts.hour, parts.minute, parts.second) = (numbers[3], numbers[4], numbers[5])
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      return calendar.date(from: parts)
    case .nothing: return nil
    }
  }

  /// What a path means here, and of which entry; without one it is the feed's own.
  private static func field(_ path: [String], _ value: Expectation.Value)
    -> (field: Field, entry: Int?)?
  {
    switch path {
    case ["feed", "title"], ["feed", "title_detail", "value"]: return (.title, nil)
    case ["feed", "link"]: return (.link, nil)
    case ["feed", "author"], ["feed", "author_detail", "name"]: return (.author, nil)
    default: break
    }
    guard path.count > 2, path[0] == "entries", let entry = Int(path[1]) else { return nil }
    switch path.dropFirst(2).joined(separator: ".") {
    case "title", "title_detail.value": return (.title, entry)
    case "link": return (.link, entry)
    case "id", "guid": return (.id, entry)
    case "author", "author_detail.name": return (.author, entry)
    case "published", "published_parsed", "updated", "updated_parsed", "created",
      "created_parsed":
      return (.date, entry)
    case "content.0.value", "description", "summary", "summary_detail.value":
      return (.content, entry)
    default: return nil
    }
  }
}
