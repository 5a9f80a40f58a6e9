import Foundation
import PseudoTerminal
import Testing

@testable import Articles

/// Random articles of random feeds, and random conditions on them.
struct RandomShelf {
  /// An article with everything that a condition can ask for.
  struct Item {
    let article: Article
    let feed: Feed
    let text: String

    var title: String { article.title }

    /// What it means to fulfil a condition, said once more without SQL.
    func fulfils(_ condition: ArticleCondition) -> Bool {
      switch condition {
      case .all(let parts): parts.allSatisfy(fulfils)
      case .any(let parts): parts.contains(where: fulfils)
      case .not(let part): !fulfils(part)
      case .words(let phrase, .title): Self.has(phrase, article.title)
      case .words(let phrase, .author): Self.has(phrase, article.author ?? "")
      case .words(let phrase, .text): Self.has(phrase, text)
      case .words(let phrase, nil):
        [article.title, article.author ?? "", text].contains { Self.has(phrase, $0) }
      case .signs(let text): article.title.contains(text)
      case .text(let sign, _):
        [article.title, article.author ?? "", text].contains { $0.contains(sign) }
      case .isRead: article.isRead
      case .isStarred: article.isStarred
      case .isMuted, .isShared: false
      case .feed(let name):
        [feed.shownTitle, feed.address].contains { $0.lowercased().contains(name.lowercased()) }
      case .folder(let folder): feed.folder?.isWithin(folder) ?? false
      case .tag(let tag): feed.tags.contains(tag) || article.tags.contains(tag)
      case .tagged(let tag): article.tags.contains(tag)
      case .link(let text): article.link?.contains(text) ?? false
      case .since(let date): article.published.map { $0 >= date } ?? false
      case .minutes(let range): range.contains(article.readingMinutes ?? 0)
      }
    }

    private static func has(_ phrase: SearchPhrase, _ text: String) -> Bool {
      let (words, wanted) = (
        text.lowercased().split(separator: " "), phrase.text.split(separator: " ")
      )
      return words.indices.contains { start in
        let run = words[start...].prefix(wanted.count)
        guard run.count == wanted.count, let last = run.last, let end = wanted.last else {
          return false
        }
        return run.dropLast().elementsEqual(wanted.dropLast())
          && (phrase.isPrefix ? last.hasPrefix(end) : last == end)
      }
    }
  }

  private static let words = ["sock", "socks", "wool", "woolly", "rain", "rainbow", "and", "not"]
  private static let folders = [["Tech"], ["Tech", "Swift"], ["News"]]
  private static let tags = ["dev", "daily", "slow"]

  static func fill(
    _ shelf: Shelf, _ generator: inout some RandomNumberGenerator
  ) async throws -> [Item] {
    var texts: [String: String] = [:]
    for name in ["Alpha Sock", "Beta", "Gamma"] {
      let id = try await shelf.put([], in: name.replacing(" ", with: "-"))
      var parsed = ParsedFeed()
      parsed.title = name
      parsed.articles = (0..<14).map { number in
        var article = ParsedArticle()
        article.guid = "\(number)"
        article.title = "\(name.prefix(1))\(number) \(text(3, &generator))"
        article.author = Bool.random(using: &generator) ? text(1, &generator) : nil
        let page = Int.random(in: 0..<20, using: &generator)
        article.link = "https://example.org/\(page)/\(name.prefix(1))"
        let body = text(Int.random(in: 1..<900, using: &generator), &generator)
        article.html = "<p>\(body)</p>"
        article.published = shelf.today.now
          .addingTimeInterval(-Double.random(in: 0..<20 * 86_400, using: &generator).rounded())
        texts[article.title] = body
        return article
      }
      _ = try await shelf.store.save(PreparedFeed(parsed), of: id, at: shelf.today.now)
      let folder = Bool.random(using: &generator) ? folders.randomElement(using: &generator) : nil
      let tags = tags.filter { _ in Bool.random(using: &generator) }
      try await shelf.library.arrange(
        id, as: FeedArrangement(folder: folder.flatMap { FeedFolder($0) }, tags: tags))
    }
    let ids = try await shelf.store.articles(matching: ArticleQuery()).map(\.id)
    try await shelf.library.setRead(true, of: ids.filter { _ in .random(using: &generator) })
    try await shelf.library.setStarred(true, of: ids.filter { _ in .random(using: &generator) })
    for tag in tags {
      try await shelf.library.tag(
        ids.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }, adding: [tag])
    }
    let feeds = try await shelf.library.addedFeeds().map(\.feed)
    return try await shelf.store.articles(matching: ArticleQuery()).map { article in
      Item(
        article: article, feed: try #require(feeds.first { $0.id == article.feedID }),
        text: try #require(texts[article.title]))
    }
  }

  static func condition(
    depth: Int, now: Date, _ generator: inout some RandomNumberGenerator
  ) -> ArticleCondition {
    func part() -> ArticleCondition { condition(depth: depth - 1, now: now, &generator) }
    switch Int.random(in: 0..<(depth > 0 ? 16 : 12), using: &generator) {
    case 0...3: return words(&generator)
    case 4: return .isRead
    case 5: return .isStarred
    case 6:
      return .feed(["alpha", "b", "sock", "gamma", "none"].randomElement(using: &generator) ?? "")
    case 7:
      return FeedFolder(folders.randomElement(using: &generator) ?? []).map { .folder($0) }
        ?? part()
    case 8:
      let tag = tags.randomElement(using: &generator) ?? ""
      return Bool.random(using: &generator) ? .tag(tag) : .tagged(tag)
    case 9: return .link("/1")
    case 10:
      let seconds = Double.random(in: 0..<20 * 86_400, using: &generator).rounded()
      return .since(now.addingTimeInterval(-seconds))
    case 11: return .minutes(Int.random(in: 0..<3, using: &generator)...3)
    case 12: return .not(part())
    case 13: return .any([part(), part()])
    default: return .all([part(), part(), part()])
    }
  }

  private static func words(_ generator: inout some RandomNumberGenerator) -> ArticleCondition {
    let parts: [ArticleCondition.Part?] = [nil, .title, .author, .text]
    let part = parts.randomElement(using: &generator) ?? nil
    let text = text(Int.random(in: 1...2, using: &generator), &generator)
    let isPrefix = Bool.random(using: &generator)
    let cut = isPrefix ? String(text.dropLast(Int.random(in: 0...2, using: &generator))) : text
    return SearchPhrase(cut.unicodeScalars, isPrefix: isPrefix).map { .words($0, in: part) }
      ?? .isRead
  }

  private static func text(
    _ count: Int, _ generator: inout some RandomNumberGenerator
  ) -> String {
    (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
  }
}
