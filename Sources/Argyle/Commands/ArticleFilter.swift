import ArgumentParser
import Articles
import Foundation

/// The options for which articles a command applies to.
struct ArticleFilter: ParsableArguments {
  @Option(help: "Only articles of this feed, named by its title or address.")
  var feed: String?
  @Option(help: "Only articles of this folder and the folders in it, such as Tech/Swift.")
  var folder: String?
  @Option(help: "Only articles with this tag, and those of feeds with it.")
  var tag: String?
  @Flag(help: "Only unread articles.") var unread = false
  @Flag(help: "Only starred articles.") var starred = false
  @Option(
    help: ArgumentHelp(
      "Only articles since then: today, yesterday, a date (2026-11-19), or a time span (12h, 7d, 2w, "
        + "1y).",
      valueName: "time"))
  var since: String?
  @Flag(help: "List an article that several feeds have once for each of them.")
  var duplicates = false
  @Option(
    help: ArgumentHelp(
      "Only articles that match a query, such as 'unread and (title:swift or tag:dev)'.",
      valueName: "query"))
  var matching: String?

  func check(limit: Int?) throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    if [feed, folder, tag].compactMap(\.self).count > 1 {
      throw ValidationError("Give only one of --feed, --folder and --tag.")
    }
    if let matching, try QueryOption.condition(matching) == nil {
      throw ValidationError("--matching must have a word or a condition.")
    }
    if let since, TypedTime.date(since) == nil {
      throw ValidationError(
        "--since must be “today”, “yesterday”, a date such as 2026-11-19, or a time span such as 12h "
          + "or 7d.")
    }
  }

  /// Makes the query of the options.
  ///
  /// - Throws: ``LibraryError`` if there is no such feed, folder or tag: a mistyped name must not
  ///   look like a list without articles.
  func query(in library: Library, limit: Int? = nil) async throws -> ArticleQuery {
    var feeds = FeedSelection.all
    if let feed { feeds = .feed(try await library.feed(named: feed).id) }
    if let folder {
      feeds = .folder(try await library.folder(named: folder).folder)
    }
    var conditions: [ArticleCondition] = []
    if let tag {
      let known =
        try await library.addedFeeds().flatMap(\.feed.tags)
        + library.storedArticleTags().map(\.name)
      guard known.contains(where: { FoldedText.folded($0) == FoldedText.folded(tag) }) else {
        throw LibraryError.noSuchTag(tag)
      }
      conditions.append(.tag(tag))
    }
    if let matching, let condition = try QueryOption.condition(matching) {
      conditions.append(condition)
    }
    var query = ArticleQuery(
      feeds, isRead: unread ? false : nil, isStarred: starred ? true : nil,
      since: since.flatMap { TypedTime.date($0) },
      where: conditions.count > 1 ? .all(conditions) : conditions.first, limit: limit)
    query.showsCopies = duplicates
    return query
  }
}
