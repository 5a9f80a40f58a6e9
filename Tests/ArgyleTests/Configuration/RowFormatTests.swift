import Articles
import Foundation
import TerminalUI
import Testing

@testable import Argyle

/// Tests of configured formats of rows.
@MainActor
@Suite struct RowFormatTests {
  private static let days = DayText(
    offset: { _ in 0 }, now: { Date(timeIntervalSince1970: 1_795_000_000) })

  private static let article = Article(
    id: Article.ID(rawValue: 1), feedID: Feed.ID(rawValue: 1), feedTitle: "Allotment News",
    title: "A title that is rather long, so that it is cut", author: "Ann",
    published: Date(timeIntervalSince1970: 1_794_900_000), readingMinutes: 12, isStarred: true)

  private func row(_ format: String, _ width: Int) throws -> String {
    let view = ArticleRow(
      article: Self.article, days: Self.days, width: width, showsFeed: true,
      format: try RowFormat(format))
    return Frame(view, size: Size(width: width, height: 1)).text
  }

  @Test(arguments: [51, 60, 80])
  func `without a format, the title is cut before the list Read later`(width: Int) {
    var article = Self.article
    article.tags = [ArticleTag.later]
    let view = ArticleRow(article: article, days: Self.days, width: width, showsFeed: true)
    let row = Frame(view, size: Size(width: width, height: 1)).text
    #expect(row.contains(" Read later "), "\(row)")
    article.tags = ["a"]
    let short = ArticleRow(article: article, days: Self.days, width: width, showsFeed: true)
    #expect(Frame(short, size: Size(width: width, height: 1)).text.contains(" #a "))
  }

  @Test func `fields stand in the order and the widths of the format`() throws {
    for (format, width, text) in [
      (
        "{date} {feed:10}│{title} {minutes:>6} {marks}", 70,
        "    17 Nov Allotment…│A title that is rather long, so that…  12 min ★•"
      ), ("{star}{unread} {title:10} [{author:<5}]", 40, "★• A title t… [Ann  ]"),
      ("{{{title}}}", 30, "{A title that is rather long…}"),
    ] {
      let row = try row(format, width)
      #expect(row == text)
    }
  }

  @Test(arguments: [
    (60, "Allotment N… A title that is rather l…     17 Nov  12 min ★•"),
    (40, "Allotme… A title tha…     17 Nov  12 min"), (20, "All… A title that i…"),
    (10, "A title t…"), (1, "…"),
  ])
  func `where it is narrow the last fields are left out`(width: Int, text: String) throws {
    let row = try row("{feed} {title} {date} {minutes} {marks}", width)
    #expect(row == text)
  }

  private func problem(_ format: String, _ name: String = "article-row") -> String? {
    problems("[reader]", "\(name) = \(format.toml)").first
  }

  @Test func `a mistake is told with its place`() {
    #expect(
      problem("{title} {titel}")
        == "f:2: reader.article-row: character 10: there is no field “titel”; did you mean title?")
    #expect(
      problem("{title} {state}", "feed-row") == nil)
    #expect(
      problem("{title} {date}", "feed-row")
        == "f:2: reader.feed-row: character 10: there is no field “date”; the choices are title, "
        + "state, unread.")
    #expect(
      problem("{title} {date:0}")
        == "f:2: reader.article-row: character 10: “0” is no width; one is a number from 1 to 80, or > and "
        + "a number.")
    #expect(
      problem("{title} {date")
        == "f:2: reader.article-row: character 9: there is no } after this {.")
    #expect(
      problem("}{title}")
        == "f:2: reader.article-row: character 1: a } without a { before it; }} shows one.")
    #expect(
      problem("{title}\u{7}")
        == "f:2: reader.article-row: character 8: a character that cannot be seen.")
    #expect(
      problem("{date}")
        == "f:2: reader.article-row: {title} must stand in it: rows could not be told apart.")
    #expect(
      problem("{title}{title}")
        == "f:2: reader.article-row: {title} can stand in it only once.")
  }

  @Test func `a format is written as it was typed`() throws {
    let configuration = try Configuration(
      toml: "[reader]\narticle-row = \"{date:>6} {title}\"\nfeed-row = \"{unread} {title}\"")
    #expect(try Configuration(toml: configuration.toml) == configuration)
    #expect(configuration.reader.articleRow.parts.map(\.field) == [.date, .title])
    #expect(configuration.reader.feedRow.parts.map(\.field) == [.unread, .title])
  }
}
