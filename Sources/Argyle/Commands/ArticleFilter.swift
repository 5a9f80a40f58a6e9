import ArgumentParser
import Articles
import Foundation

/// Which articles a command is about.
struct ArticleFilter: ParsableArguments {
  @Option(help: "Only those of a feed, by its title or address.")
  var feed: String?
  @Option(help: "Only those of a folder and the folders in it, as in Tech/Swift.")
  var folder: String?
  @Option(help: "Only those of feeds with this tag.")
  var tag: String?
  @Flag(help: "Only the unread ones.") var unread = false
  @Flag(help: "Only those with a star.") var starred = false
  @Option(
    help: ArgumentHelp(
      "Only newer ones: today, a date (2026-11-19), or so many hours or days (12h, 7d).",
      valueName: "time"))
  var since: String?

  func check(limit: Int?) throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
    if [feed, folder, tag].compactMap(\.self).count > 1 {
      throw ValidationError("Say --feed, --folder or --tag, only one of them.")
    }
    if let since, Self.date(since, now: Date()) == nil {
      throw ValidationError(
        "--since takes “today”, a date such as 2026-11-19, or a span such as 12h or 7d.")
    }
  }

  /// - Throws: ``LibraryError`` when the feed is not there.
  func query(in library: Library, limit: Int? = nil) async throws -> ArticleQuery {
    var feeds = FeedSelection.all
    if let feed { feeds = .feed(try await library.feed(named: feed).id) }
    if let path = folder.flatMap({ FeedFolder($0.split(separator: "/").map(String.init)) }) {
      feeds = .folder(path)
    }
    if let tag { feeds = .tag(tag) }
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
