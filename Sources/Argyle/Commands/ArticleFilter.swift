import ArgumentParser
import Articles
import Foundation

/// Which articles a command is about.
struct ArticleFilter: ParsableArguments {
  @Option(help: "Only articles of this feed, named by its title or address.")
  var feed: String?
  @Option(help: "Only articles of this folder and the folders in it, such as Tech/Swift.")
  var folder: String?
  @Option(help: "Only articles of feeds with this tag.")
  var tag: String?
  @Flag(help: "Only unread articles.") var unread = false
  @Flag(help: "Only starred articles.") var starred = false
  @Option(
    help: ArgumentHelp(
      "Only articles since then: today, a date (2026-11-19), or a number of hours or days (12h, 7d).",
      valueName: "time"))
  var since: String?

  func check(limit: Int?) throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    if [feed, folder, tag].compactMap(\.self).count > 1 {
      throw ValidationError("Give only one of --feed, --folder and --tag.")
    }
    if let since, Self.date(since, now: Date()) == nil {
      throw ValidationError(
        "--since must be “today”, a date such as 2026-11-19, or a time span such as 12h or 7d.")
    }
  }

  /// - Throws: ``LibraryError`` when there is no such feed, folder or tag: a mistyped name must not
  ///   look like a list without articles.
  func query(in library: Library, limit: Int? = nil) async throws -> ArticleQuery {
    var feeds = FeedSelection.all
    if let feed { feeds = .feed(try await library.feed(named: feed).id) }
    if let folder {
      feeds = .folder(try await library.folder(named: folder).folder)
    }
    if let tag {
      guard try await library.addedFeeds().contains(where: { $0.feed.tags.contains(tag) }) else {
        throw LibraryError.noSuchTag(tag)
      }
      feeds = .tag(tag)
    }
    return ArticleQuery(
      feeds, isRead: unread ? false : nil, isStarred: starred ? true : nil,
      since: since.flatMap { Self.date($0, now: Date()) }, limit: limit)
  }

  /// The time that is meant; nil when it is none.
  static func date(_ text: String, now: Date, calendar: Calendar = .current) -> Date? {
    if text == "today" { return calendar.startOfDay(for: now) }
    if let number = Int(text.dropLast()), 0...100_000 ~= number {
      switch text.last {
      case "h": return now.addingTimeInterval(-3_600 * Double(number))
      case "d": return now.addingTimeInterval(-86_400 * Double(number))
      default: break
      }
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
      return nil
    }
    let date = DateComponents(calendar: calendar, year: year, month: month, day: day)
    return date.isValidDate(in: calendar) ? calendar.date(from: date) : nil
  }
}
