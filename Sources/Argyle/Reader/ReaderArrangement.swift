import Articles
import Loading
import TerminalUI

/// How lists are shown: all articles or only the unread ones, and in which order.
///
/// The order and the groups are those of the list in which they were chosen; a list in which nothing was
/// chosen is as that of all articles is.
extension ReaderModel {
  var arrangement: ListArrangement { arrangements[list.arrangementName] }

  /// What was changed, over what is stored: that may come later, or not at all.
  private var arrangements: ListArrangements {
    arrangementChanges.reduce(into: storedArrangements.latestValue ?? ListArrangements()) {
      $0.apply($1)
    }
  }

  /// Leaves out what was read, in every list, or shows it again.
  ///
  /// What is read from then on stays until the list is left or reloaded: a row must not vanish from
  /// under the cursor.
  func toggleOnlyUnread() {
    arrange { $0.isOnlyUnread = !arrangement.isOnlyUnread }
    say(arrangement.isOnlyUnread ? "Only unread articles." : "Read and unread articles.")
  }

  /// Goes on to the next order.
  func sortArticles() {
    // What comes first is what was asked for.
    selectedArticle = nil
    arrange { $0.order = arrangement.order.next }
    say("Sorted: \(arrangement.order.words).")
  }

  /// Sets titles above the articles of a day, a feed or a letter, or takes them away.
  func toggleGroups() {
    arrange { $0.isGrouped = !arrangement.isGrouped }
    let now = arrangement
    say(now.isGrouped ? "Grouped by \(now.order.groupWords)." : "Not grouped.")
  }

  /// What an article stands below in the list that is shown; nil where that is not grouped.
  func groupTitle(_ days: DayText) -> ((Article) -> String)? {
    let arrangement = arrangement
    guard arrangement.isGrouped else { return nil }
    return { arrangement.order.group(of: $0, days) }
  }

  private func arrange(_ choose: (inout ArrangementChange) -> Void) {
    var change = ArrangementChange(of: list.arrangementName)
    choose(&change)
    let left = shownList
    // Set before it is stored, and also where it cannot be.
    if let last = arrangementChanges.last, last.list == change.list {
      arrangementChanges[arrangementChanges.count - 1] = last.followed(by: change)
    } else {
      arrangementChanges.append(change)
    }
    // The stored value stays as it was loaded: all changes are laid over it.
    storedArrangements.mutate {
      _ in
    } commit: { [arrangements = source.arrangements, change] () in
      try await arrangements.store(change)
    }
    release(left)
    arrive()
  }
}

extension ArrangementChange {
  /// Both, where the newer one holds.
  fileprivate func followed(by next: Self) -> Self {
    ArrangementChange(
      of: list, isOnlyUnread: next.isOnlyUnread ?? isOnlyUnread, order: next.order ?? order,
      isGrouped: next.isGrouped ?? isGrouped)
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
