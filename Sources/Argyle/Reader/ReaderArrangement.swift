import Articles
import Loading
import TerminalUI

/// How lists are shown: all articles or only the unread ones, and in which order.
///
/// The order and the groups are those of the list in which they were chosen; a list in which nothing was
/// chosen is as that of all articles is.
extension ReaderModel {
  var arrangement: ListArrangement {
    (chosenArrangements ?? storedArrangements.latestValue ?? ListArrangements())[
      list.arrangementName]
  }

  /// Leaves out what was read, in every list, or shows it again.
  ///
  /// What is read from then on stays until the list is left or reloaded: a row must not vanish from
  /// under the cursor.
  func toggleOnlyUnread() {
    var new = arrangement
    new.isOnlyUnread.toggle()
    arrange(new)
    say(arrangement.isOnlyUnread ? "Only unread articles." : "Read and unread articles.")
  }

  /// Goes on to the next order.
  func sortArticles() {
    var new = arrangement
    new.order = new.order.next
    // What comes first is what was asked for.
    selectedArticle = nil
    arrange(new)
    say("Sorted: \(arrangement.order.words).")
  }

  /// Sets titles above the articles of a day, a feed or a letter, or takes them away.
  func toggleGroups() {
    var new = arrangement
    new.isGrouped.toggle()
    arrange(new)
    say(new.isGrouped ? "Grouped by \(new.order.groupWords)." : "Not grouped.")
  }

  /// What an article stands below in the list that is shown; nil where that is not grouped.
  func groupTitle(_ days: DayText) -> ((Article) -> String)? {
    let arrangement = arrangement
    guard arrangement.isGrouped else { return nil }
    return { arrangement.order.group(of: $0, days) }
  }

  private func arrange(_ new: ListArrangement) {
    // Set before it is stored, and also where it cannot be.
    var all = chosenArrangements ?? storedArrangements.latestValue ?? ListArrangements()
    all[list.arrangementName] = new
    chosenArrangements = all
    storedArrangements.mutate { [list] in
      $0[list.arrangementName] = new
    } commit: { [arrangements = source.arrangements, list] _ in
      try await arrangements.store(new, list)
    }
    arrive()
  }
}

extension ListArrangement {
  /// What is said beside the name of a list; empty where all articles are shown, newest first.
  var words: String {
    let parts = [isOnlyUnread ? "unread" : nil, order == .newest ? nil : order.words]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension ArticleOrder {
  var words: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .feed: "by feed"
    case .title: "by title"
    case .length: "shortest first"
    }
  }

  fileprivate var groupWords: String {
    switch self {
    case .newest, .oldest: "day"
    case .feed: "feed"
    case .title: "first letter"
    case .length: "reading time"
    }
  }

  /// What an article stands below in a list of this order.
  func group(of article: Article, _ days: DayText) -> String {
    switch self {
    case .newest, .oldest: article.published.map(days.heading) ?? "Without a date"
    case .feed: article.feedTitle
    case .title:
      FoldedText.folded(article.shownTitle).first { $0.isLetter || $0.isNumber }
        .map { $0.uppercased() } ?? "…"
    case .length: article.readingMinutes.map { "\($0) min" } ?? "Without a length"
    }
  }

  fileprivate var next: ArticleOrder {
    let all = Self.allCases
    return all.firstIndex(of: self).map { all[($0 + 1) % all.count] } ?? .newest
  }
}
