import Articles
import Loading
import TerminalUI

/// The marks that the user gave an article since the program started; nil for those left as they were.
struct Marking: Hashable, Sendable {
  var isRead: Bool?
  var isStarred: Bool?
}

/// All that was marked since the program started.
struct Markings: Sendable {
  var ofArticles: [Article.ID: Marking] = [:]
  /// The last mark that was undone.
  var undone: Undone?
  /// The last change of feeds.
  var feedChange: FeedChange?

  struct Undone: Hashable, Sendable {
    /// Counts the undos, so that two equal ones are both reported.
    let count: Int
    /// Nil when there was nothing.
    let change: LibraryChange?
  }

  func isRead(_ article: Article) -> Bool { ofArticles[article.id]?.isRead ?? article.isRead }

  mutating func mark(_ ids: [Article.ID], _ change: (inout Marking) -> Void) {
    ofArticles.reserveCapacity(ofArticles.count + ids.count)
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

/// The marks of articles: shown at once, stored in the background, undone if that fails.
///
/// The marks lie over the lists and not in them: a change of a list's own value would begin its
/// load again, and that may be fetching five hundred feeds.
extension ReaderModel {
  private static let noMarks = "Articles of the handbook cannot be marked."

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
    let loss = "“\(shortTitle(article.title))” was not marked as \(isRead ? "read" : "unread")."
    let unsaved = UnsavedMark(loss) { $0.current(article).isRead != isRead }
    mark([article.id], { $0.isRead = isRead }, unsaved) {
      try await $0.setRead(isRead, [article.id])
    }
  }

  func toggleRead(_ article: Article) {
    guard !article.isBundled else { return say(Self.noMarks) }
    setRead(!current(article).isRead, article)
  }

  func toggleStar(_ article: Article) {
    guard !article.isBundled else { return say(Self.noMarks) }
    let isStarred = !current(article).isStarred
    let title = "“\(shortTitle(article.title))”"
    let loss =
      isStarred ? "\(title) was not starred." : "The star of \(title) was not taken away."
    let unsaved = UnsavedMark(loss) { $0.current(article).isStarred != isStarred }
    mark([article.id], { $0.isStarred = isStarred }, unsaved) {
      try await $0.setStarred(isStarred, article.id)
    }
  }

  /// Marks everything in the list that is shown as read, and says how that is undone.
  ///
  /// - Parameter undoKey: the key of ``undo()``, if there is one.
  func markAllRead(undoKey: KeyPress? = nil) {
    withShownArticles { [self] rows in
      // One look at the marks, and no copies: a list may have a million rows, and the keys that come
      // next wait for this.
      let markings = marks.latestValue ?? Markings()
      let unread = rows.lazy.filter { !$0.isBundled && !markings.isRead($0) }
      guard let first = unread.first else { return say("Nothing is unread here.") }
      let ids = unread.map(\.id) as [Article.ID]
      let count = LibraryChange.articles(ids.count)
      let verb = ids.count == 1 ? "was" : "were"
      markAllRead(
        ids, of: rows,
        // All of them are stored, or none.
        UnsavedMark("\(count) \(verb) not marked as read.") { !$0.current(first).isRead })
      let hint = undoKey.map { " \($0) to undo." } ?? ""
      say("\(count) marked as read.\(hint)")
    }
  }

  private func markAllRead(_ unread: [Article.ID], of rows: [Article], _ unsaved: UnsavedMark) {
    // Articles that come in from now on have not been seen.
    let newest = rows.lazy.map(\.id.rawValue).max().map(Article.ID.init(rawValue:))
    mark(unread, { $0.isRead = true }, unsaved) { [list, isSearch = search.isOpen] marks in
      // What a search finds is on the screen, all of it.
      if case .search = list { return try await marks.setRead(true, unread) }
      if isSearch { return try await marks.setRead(true, unread) }
      try await marks.markAllRead(list, newest)
    }
  }

  /// Undoes the latest change.
  func undo() {
    let id = marks.mutate(
      Mutation(
        apply: { _ in }, commit: { [marks = source.marks] _ in try await marks.undo() },
        confirm: { $0.take(back: $1) }))
    note(id, UnsavedMark("The last change was not undone."))
  }

  /// Says what was undone.
  func tell(_ undone: Markings.Undone?) {
    guard let undone else { return }
    say(undone.change?.undoneWords ?? "There is nothing to undo.")
    // What came or went with a feed.
    if let change = undone.change, change.undone == nil { readAgain() }
    if let feed = undone.change?.removedFeed { showWhenListed(.feeds(.feed(feed))) }
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
    _ unsaved: UnsavedMark,
    commit: @escaping @Sendable (ArticleMarks) async throws -> Void
  ) {
    // Without an item they are all of one scope, stored one after the other: what is undone is
    // what was done last.
    let id = marks.mutate {
      $0.mark(ids, change)
    } commit: { [marks = source.marks] _ in
      try await commit(marks)
    }
    note(id, unsaved)
  }

  /// Keeps what is said of a change that is not stored when the program ends.
  func note(_ id: MutationID?, _ unsaved: UnsavedMark) {
    guard let id else { return }
    let open = Set(marks.pendingMutations.map(\.id) + marks.failedMutations.map(\.id))
    unsavedMarks = unsavedMarks.filter { open.contains($0.key) }
    unsavedMarks[id] = unsaved
  }
}

extension ReaderModel: UnsavedChanges {
  var isSaving: Bool { marks.hasPendingMutations || closedFolders.hasPendingMutations }

  func finishSaving() async -> [String] {
    await marks.mutationsSettled()
    await closedFolders.mutationsSettled()
    let failed = marks.failedMutations.map(\.id).filter { unsavedMarks[$0]?.isLost(self) ?? true }
    // One that failed and was tried again has another number.
    let losses = (failed + marks.pendingMutations.map(\.id)).sorted().map {
      unsavedMarks[$0]?.loss ?? "A change was not saved."
    }
    let isFolderLost = closedFolders.hasPendingMutations || !closedFolders.failedMutations.isEmpty
    return losses + (isFolderLost ? ["Which folders are closed was not saved."] : [])
  }
}

/// The words for a mark that was not stored when the program ends.
struct UnsavedMark {
  /// A sentence.
  let loss: String
  /// Whether a mark that could not be stored is still missing: the user may have tried again.
  let isLost: @MainActor (ReaderModel) -> Bool

  init(_ loss: String, isLost: @escaping @MainActor (ReaderModel) -> Bool = { _ in true }) {
    self.loss = loss
    self.isLost = isLost
  }
}

/// The title of an article, as it fits into a sentence.
func shortTitle(_ title: String) -> String {
  if title.isEmpty { return "Untitled" }
  return title.count > 60 ? title.prefix(60) + "…" : title
}

extension LibraryChange {
  /// The notice after it was undone.
  fileprivate var undoneWords: String {
    let feed = "“\(shortTitle(feedTitle ?? ""))”"
    switch (undoing, kind) {
    case (.nothing, .removedFeed): return "Not undone: \(feed) was deleted for good."
    case (.nothing, .addedFeed), (.nothing, .arrangedFeed):
      return "Not undone: \(feed) was changed or deleted since."
    case (.nothing, .importedFeeds), (.nothing, .movedFolder),
      (.nothing, .removedFolder):
      return "Not undone: the feeds were changed or deleted since."
    case (.nothing, _):
      return "Not undone: the article\(count == 1 ? " was" : "s were") changed or deleted since."
    case (.all, .removedFeed): return "Undone: \(feed) is back."
    case (.allBut(let missing), .removedFeed):
      return "Undone: \(feed) is back, without \(Self.articles(missing)) deleted since."
    case (_, .addedFeed): return "Undone: \(feed) is removed."
    case (_, .arrangedFeed): return "Undone: \(feed) is as it was before."
    case (_, .importedFeeds): return "Undone: the feeds are as they were before the import."
    case (_, .movedFolder): return "Undone: the folder has its old name."
    case (_, .removedFolder): return "Undone: the folder is back."
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
    case .addedFeed, .removedFeed, .arrangedFeed, .importedFeeds, .movedFolder, .removedFolder: ""
    }
  }

  fileprivate static func articles(_ count: Int) -> String {
    count == 1 ? "1 article" : "\(count) articles"
  }

  /// What the articles are after it was undone; nil when it was about a feed.
  fileprivate var undone: Marking? {
    switch kind {
    case .markedRead: Marking(isRead: false)
    case .markedUnread: Marking(isRead: true)
    case .starred: Marking(isStarred: false)
    case .unstarred: Marking(isStarred: true)
    case .addedFeed, .removedFeed, .arrangedFeed, .importedFeeds, .movedFolder, .removedFolder: nil
    }
  }
}
