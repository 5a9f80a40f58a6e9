import Articles
import Foundation
import Terminal

/// Formats articles as lines of text, in columns that stay aligned whatever the articles contain.
struct ArticleLines {
  /// The maximum width of a line; nil for whole titles, if standard output is not a terminal.
  var width = OutputWidth.columns
  var days = DayText.local
  /// The format of a line, if the user chose one.
  var format = RowFormat<ArticleField>()

  private static let feedWidth = 20

  func text(_ articles: [Article]) -> String {
    guard format.isOwn else { return articles.map(formatted).joined(separator: "\n") }
    let numberWidth = articles.map { String($0.id.rawValue).count }.max() ?? 0
    let feedWidth = min(
      Self.feedWidth, articles.map { columns(of: $0.feedTitle) }.max() ?? 0)
    return articles.map { line($0, numberWidth, feedWidth) }.joined(separator: "\n")
  }

  /// Returns the lines, each with the matching excerpt below it.
  func text(_ results: [SearchResult]) -> String {
    let lines = text(results.map(\.article)).split(separator: "\n")
    return zip(lines, results).map { line, result in
      let snippet = result.snippet.text.trimmingCharacters(in: .whitespacesAndNewlines)
      return snippet.isEmpty ? String(line) : "\(line)\n    \(cut(snippet, indent: 4))"
    }.joined(separator: "\n")
  }

  private func line(_ article: Article, _ numberWidth: Int, _ feedWidth: Int) -> String {
    let number = String(article.id.rawValue)
    let start =
      String(repeating: " ", count: numberWidth - number.count) + number
      + (article.isRead ? "  " : " ●") + (article.isStarred ? "★ " : "  ")
      + padded(article.published.map(days.full) ?? "", 10) + "  "
      + padded(article.feedTitle, feedWidth) + "  "
    let title = article.title.isEmpty ? "Untitled" : article.title
    let others = article.alsoIn.isEmpty ? "" : "  (\(article.others))"
    let tags = others + article.tags.map { "  #\($0)" }.joined()
    return start + cut(title, indent: columns(of: start + tags)) + printable(tags)
  }

  /// Formats an article with the user's format: on a terminal in columns, as in the list on the
  /// screen, but with whole dates.
  ///
  /// Elsewhere, fields without a width in the format are not padded or cut, except that a missing
  /// date leaves its place empty.
  private func formatted(_ article: Article) -> String {
    let parts = width.map(format.parts) ?? format.parts
    var texts = parts.map { part in
      let usual =
        part.field == .title ? nil : width.map(part.field.width) ?? part.field.constantWidth
      let width = part.width ?? usual
      let text = text(of: part.field, article)
      let isTrailing = part.alignment.map { $0 == .trailing } ?? part.field.isTrailing
      return width.map { padded(text, $0, isTrailing: isTrailing) } ?? printable(text)
    }
    if let width, let title = parts.firstIndex(where: { $0.field == .title && $0.width == nil }) {
      texts[title] = ""
      let taken = columns(of: zip(parts, texts).map { $0.text + $1 }.joined() + format.end)
      texts[title] = padded(article.shownTitle, max(1, width - taken))
    }
    return zip(parts, texts).map { $0.text + $1 }.joined() + format.end
  }

  private func text(of field: ArticleField, _ article: Article) -> String {
    let star = article.isStarred ? "★" : " "
    let unread = article.isRead ? " " : "•"
    return switch field {
    case .title: article.shownTitle
    case .feed: article.feedTitle
    case .author: article.author ?? ""
    case .date: article.published.map(days.full) ?? ""
    case .minutes: article.readingMinutes.map { "\($0) min" } ?? ""
    case .tags: article.shownTags
    case .alsoIn: article.alsoIn.joined(separator: ", ")
    case .marks: star + unread
    case .star: star
    case .unread: unread
    }
  }

  private func cut(_ text: String, indent: Int) -> String {
    guard let width else { return printable(text) }
    return StyledText(text).truncated(width: max(10, width - indent)).text
  }

  private func padded(_ text: String, _ width: Int, isTrailing: Bool = false) -> String {
    let emoji = EmojiStandIns()
    let whole = self.width == nil ? emoji.replace(in: text) : text
    let line = StyledText(whole).truncated(width: width)
    let room = String(repeating: " ", count: width - line.width)
    let shown = emoji.restore(in: line.text)
    return isTrailing ? room + shown : shown + room
  }
}

/// The width of standard output.
enum OutputWidth {
  /// The columns of the terminal; nil if standard output is not a terminal.
  static var columns: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
