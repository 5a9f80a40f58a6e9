import Articles
import Loading

/// What a person did with an article since the program started; nil for what they left alone.
struct Marking: Hashable, Sendable {
  var isRead: Bool?
  var isStarred: Bool?
}

/// All that was marked since the program started.
struct Markings: Sendable {
  var ofArticles: [Article.ID: Marking] = [:]
  /// What was taken back last.
  var undone: Undone?

  struct Undone: Hashable, Sendable {
    /// How often something was to be taken back: the same twice is told twice.
    let count: Int
    /// Nil when there was nothing.
    let change: LibraryChange?
  }

  mutating func mark(_ ids: [Article.ID], _ change: (inout Marking) -> Void) {
    for id in ids { change(&ofArticles[id, default: Marking()]) }
  }

  mutating func take(back change: LibraryChange?) {
    undone = Undone(count: (undone?.count ?? 0) + 1, change: change)
    guard let change, let marking = change.undone else { return }
    mark(change.articles) {
      $0.isRead = marking.isRead ?? $0.isRead
      $0.isStarred = marking.isStarred ?? $0.isStarred
    }
  }
}

/// What a person does with articles: shown at once, stored behind it, taken back when that fails.
///
/// The marks lie over the lists and not in them: a change of a list's own value would begin its
/// load again, and that may be fetching five hundred feeds.
extension ReaderModel {
  private static let noMarks = "The handbook keeps no marks."

  /// An article with the marks that it has by now.
  func current(_ article: Article) -> Article {
    guard let marking = marks.latestValue?.ofArticles[article.id] else { return article }
    var article = article
    article.isRead = marking.isRead ?? article.isRead
    article.isStarred = marking.isStarred ?? article.isStarred
    return article
  }

  func setRead(_ isRead: Bool, _ article: Article) {
    guard !article.isBundled, current(article).isRead != isRead else { return }
    mark([article.id], { $0.isRead = isRead }) { try await $0.setRead(isRead, [article.id]) }
  }

  func toggleRead(_ article: Article) {
    guard !article.isBundled else { return say(Self.noMarks) }
    setRead(!current(article).isRead, article)
  }

  func toggleStar(_ article: Article) {
    guard !article.isBundled else { return say(Self.noMarks) }
    let isStarred = !current(article).isStarred
    mark([article.id], { $0.isStarred = isStarred }) {
      try await $0.setStarred(isStarred, article.id)
    }
  }

  /// Marks everything in the list as read.
  func markAllRead() {
    let rows = articles.latestValue ?? []
    let unread = rows.filter { !current($0).isRead }.map(\.id)
    guard !unread.isEmpty else { return }
    // What comes in from now on is nothing that the person has seen.
    let newest = rows.map(\.id).max { $0.rawValue < $1.rawValue }
    mark(unread, { $0.isRead = true }) { [list] marks in
      // What a search finds is on the screen, all of it.
      if case .search = list { return try await marks.setRead(true, unread) }
      try await marks.markAllRead(list, newest)
    }
  }

  /// Undoes the latest change.
  func undo() {
    marks.mutate(
      Mutation(
        apply: { _ in }, commit: { [marks = source.marks] _ in try await marks.undo() },
        confirm: { $0.take(back: $1) }))
  }

  /// Says what was undone.
  func tell(_ undone: Markings.Undone?) {
    guard let undone else { return }
    say(undone.change?.undoneWords ?? "There is nothing to undo.")
  }

  /// The marks that the store knows by now.
  var storedMarks: [Article.ID: Marking] {
    marks.pendingMutations.isEmpty ? marks.latestValue?.ofArticles ?? [:] : [:]
  }

  /// Forgets marks that the store knows, where they were not changed since: another program may have
  /// changed what is stored.
  ///
  /// Those of the article that is read stay: it is as it was in the list when it was opened.
  func forgetMarks(_ stored: [Article.ID: Marking]) {
    guard !stored.isEmpty, marks.pendingMutations.isEmpty, var markings = marks.latestValue else {
      return
    }
    markings.ofArticles = markings.ofArticles.filter { id, marking in
      id == openArticle?.id || stored[id] != marking
    }
    marks.set(.loaded(markings))
  }

  private func mark(
    _ ids: [Article.ID], _ change: @escaping @Sendable (inout Marking) -> Void,
    commit: @escaping @Sendable (ArticleMarks) async throws -> Void
  ) {
    // Without an item they are all of one scope, stored one after the other: what is taken back is
    // what was done last.
    marks.mutate {
      $0.mark(ids, change)
    } commit: { [marks = source.marks] _ in
      try await commit(marks)
    }
  }
}

/// The title of an article, as it fits into a sentence.
func shortTitle(_ title: String) -> String {
  if title.isEmpty { return "Untitled" }
  return title.count > 60 ? title.prefix(60) + "…" : title
}

extension LibraryChange {
  /// What is said once it was undone.
  fileprivate var undoneWords: String {
    let feed = "“\(shortTitle(feedTitle ?? ""))”"
    switch (undoing, kind) {
    case (.nothing, .removedFeed): return "Not undone: \(feed) was deleted for good."
    case (.nothing, .arrangedFeed): return "Not undone: \(feed) was changed or deleted since."
    case (.nothing, _):
      return "Not undone: the article\(count == 1 ? " was" : "s were") changed or deleted since."
    case (.all, .removedFeed): return "Undone: \(feed) is back."
    case (.allBut(let missing), .removedFeed):
      return "Undone: \(feed) is back, without \(Self.articles(missing)) deleted since."
    case (_, .arrangedFeed): return "Undone: \(feed) is as it was before."
    case (.all, _): return "Undone: \(undoneMarks(of: count))."
    case (.allBut(let missing), _):
      return "Undone: \(undoneMarks(of: count - missing)); "
        + "\(missing) \(missing == 1 ? "was" : "were") changed or deleted since."
    }
  }

  private func undoneMarks(of count: Int) -> String {
    let articles = "\(Self.articles(count)) \(count == 1 ? "is" : "are")"
    return switch kind {
    case .markedRead: "\(articles) unread again"
    case .markedUnread: "\(articles) read again"
    case .starred: "\(articles) no longer starred"
    case .unstarred: "\(articles) starred again"
    case .removedFeed, .arrangedFeed: ""
    }
  }

  private static func articles(_ count: Int) -> String {
    count == 1 ? "1 article" : "\(count) articles"
  }

  /// What the articles are after it was undone; nil when it was about a feed.
  fileprivate var undone: Marking? {
    switch kind {
    case .markedRead: Marking(isRead: false)
    case .markedUnread: Marking(isRead: true)
    case .starred: Marking(isStarred: false)
    case .unstarred: Marking(isStarred: true)
    case .removedFeed, .arrangedFeed: nil
    }
  }
}
