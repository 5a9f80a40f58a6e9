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

  /// Takes the latest mark back.
  func undo() {
    marks.mutate(
      Mutation(
        apply: { _ in }, commit: { [marks = source.marks] _ in try await marks.undo() },
        confirm: { $0.take(back: $1) }))
  }

  /// Says what was taken back.
  func tell(_ undone: Markings.Undone?) {
    guard let undone else { return }
    say(undone.change.map { "Taken back: \($0.words)." } ?? "There is nothing to take back.")
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

extension LibraryChange {
  /// What was done, as it follows "Taken back:".
  fileprivate var words: String {
    let articles = "\(count) article\(count == 1 ? "" : "s")"
    return switch kind {
    case .markedRead: "\(articles) marked as read"
    case .markedUnread: "\(articles) marked as unread"
    case .starred: "a star on \(articles)"
    case .unstarred: "the star of \(articles) taken away"
    case .removedFeed: "“\(feedTitle ?? "")” removed"
    case .arrangedFeed: "“\(feedTitle ?? "")” changed"
    }
  }

  /// What the articles are after it was taken back; nil when it was about a feed.
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
