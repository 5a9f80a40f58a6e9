import Articles
import Loading
import TerminalUI

/// How lists are shown: all articles or only the unread ones, and in which order.
///
/// The order and the groups apply to the list in which the user chose them; a list without a choice
/// is shown like that of all articles.
extension ReaderModel {
  var arrangement: ListArrangement { arrangements[list.arrangementName] }

  /// The stored choices with the user's changes applied, since a change may be stored later, or
  /// never.
  private var arrangements: ListArrangements {
    arrangementChanges.reduce(into: storedArrangements.latestValue ?? ListArrangements()) {
      $0.apply($1)
    }
  }

  /// Hides read articles in every list, or shows them again.
  ///
  /// Articles that are read from then on stay until the list is left or reloaded: a row must not
  /// disappear from under the cursor.
  func toggleOnlyUnread() {
    arrange { $0.isOnlyUnread = !arrangement.isOnlyUnread }
    say(arrangement.isOnlyUnread ? "Only unread articles." : "Read and unread articles.")
  }

  /// Changes to the next order.
  func sortArticles() {
    // The user wants to see the first articles of the new order.
    selectedArticle = nil
    arrange { $0.order = arrangement.order.next }
    say("Sorted: \(arrangement.order.words).")
  }

  /// Shows or hides headings above the articles of a day, a feed or a letter.
  func toggleGroups() {
    arrange { $0.isGrouped = !arrangement.isGrouped }
    let now = arrangement
    say(now.isGrouped ? "Grouped by \(now.order.groupWords)." : "Not grouped.")
  }

  /// Returns the function that gives an article's heading in the current list; nil if it is not
  /// grouped.
  func groupTitle(_ days: DayText) -> ((Article) -> String)? {
    let arrangement = arrangement
    guard arrangement.isGrouped else { return nil }
    return { arrangement.order.group(of: $0, days) }
  }

  /// Returns the change that gives a search its current order and grouping again.
  func arrangement(of search: SavedSearch) -> ArrangementChange {
    let name = ReaderList.search(search).arrangementName
    let own = arrangements[name]
    return ArrangementChange(of: name, order: own.order, isGrouped: own.isGrouped)
  }

  /// Arranges a search that was renamed as it was under its old name.
  func arrange(_ renamed: SavedSearch, like search: SavedSearch) {
    let old = arrangements[ReaderList.search(search).arrangementName]
    arrange(.search(renamed)) { ($0.order, $0.isGrouped) = (old.order, old.isGrouped) }
  }

  /// Forgets how a removed search was arranged, so that another of its name does not inherit that.
  func forgetArrangement(of search: SavedSearch) async {
    let list = ReaderList.search(search)
    for index in arrangementChanges.indices
    where arrangementChanges[index].list == list.arrangementName {
      (arrangementChanges[index].order, arrangementChanges[index].isGrouped) = (nil, nil)
    }
    // A failure is ignored, since nothing reads the leftover row.
    try? await source.arrangements.forget(list)
  }

  private func arrange(
    _ arranged: ReaderList? = nil, _ choose: (inout ArrangementChange) -> Void
  ) {
    var change = ArrangementChange(of: (arranged ?? list).arrangementName)
    choose(&change)
    // Applied before it is stored, and even if that fails.
    if let last = arrangementChanges.last, last.list == change.list {
      arrangementChanges[arrangementChanges.count - 1] = last.followed(by: change)
    } else {
      arrangementChanges.append(change)
    }
    // The loaded value stays unchanged: all changes are applied on top of it.
    storedArrangements.mutate {
      _ in
    } commit: { [arrangements = source.arrangements, change] () in
      try await arrangements.store(change)
    }
    arrive()
  }
}

extension ArrangementChange {
  /// Merges two changes; the newer one wins.
  fileprivate func followed(by next: Self) -> Self {
    ArrangementChange(
      of: list, isOnlyUnread: next.isOnlyUnread ?? isOnlyUnread, order: next.order ?? order,
      isGrouped: next.isGrouped ?? isGrouped)
  }
}

extension ListArrangement {
  /// The words beside the name of a list; empty if all articles are shown, newest first.
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

  /// Returns the heading of an article in a list of this order.
  func group(of article: Article, _ days: DayText) -> String {
    switch self {
    case .newest, .oldest: article.listed.map(days.heading) ?? "Without a date"
    case .feed: article.feedTitle
    // Sorted before all others, and not among those that begin with the letter of that word.
    case .title where article.title.isEmpty: article.shownTitle
    case .title:
      FoldedText.folded(article.title).first { $0.isLetter || $0.isNumber }
        .map { $0.uppercased() } ?? "…"
    case .length: article.readingMinutes.map { "\($0) min" } ?? "Without a length"
    }
  }

  fileprivate var next: ArticleOrder {
    let all = Self.allCases
    return all.firstIndex(of: self).map { all[($0 + 1) % all.count] } ?? .newest
  }
}
