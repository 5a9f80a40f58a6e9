import Articles
import Foundation
import Terminal

/// Articles as lines of text, in columns that stay aligned whatever is in them.
struct ArticleLines {
  /// How wide a line may be; nil for whole titles, when nobody looks.
  var width = OutputWidth.columns
  var days = DayText.local

  private static let feedWidth = 20

  func text(_ articles: [Article]) -> String {
    let numberWidth = articles.map { String($0.id.rawValue).count }.max() ?? 0
    let feedWidth = min(
      Self.feedWidth, articles.map { columns(of: $0.feedTitle) }.max() ?? 0)
    return articles.map { line($0, numberWidth, feedWidth) }.joined(separator: "\n")
  }

  /// With the places that were found below.
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

  private func cut(_ text: String, indent: Int) -> String {
    guard let width else { return printable(text) }
    return StyledText(text).truncated(width: max(10, width - indent)).text
  }

  private func padded(_ text: String, _ width: Int) -> String {
    let line = StyledText(text).truncated(width: width)
    return line.text + String(repeating: " ", count: width - line.width)
  }
}

/// What standard output is shown on.
enum OutputWidth {
  /// The columns of the terminal; nil when it is none.
  static var columns: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
