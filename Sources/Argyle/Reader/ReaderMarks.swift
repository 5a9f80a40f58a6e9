import Articles
import Foundation
import Loading
import TerminalUI

/// The marks of articles: shown at once, stored in the background, undone if that fails.
///
/// The marks lie over the lists and not in them: a change of a list's own value would begin its
/// load again, and that may be fetching five hundred feeds.
extension ReaderModel {
  /// An article with the marks and the reading time that it has by now.
  func current(_ article: Article) -> Article {
    var article = article
    article.readingMinutes = minutesOfPages[article.id] ?? article.readingMinutes
    guard let markings = marks.latestValue else { return article }
    article.isRead = markings.isRead(article)
    article.isStarred = markings.isStarred(article)
    article.tags = markings.tags(of: article)
    return article
  }

  func setRead(_ isRead: Bool, _ article: Article) {
    guard !article.isBundled, current(article).isRead != isRead else { return }
    let loss = "“\(shortTitle(article.title))” was not marked as \(isRead ? "read" : "unread")."
    let unsaved = UnsavedMark(loss) { $0.current(article).isRead != isRead }
    set(\.isRead, of: article, to: isRead, unsaved) { try await $0.setRead(isRead, [article.id]) }
  }

  /// Makes it the user's own mark that an article is read.
  func confirmRead(_ article: Article) {
    guard !article.isBundled else { return }
    // Not among the marks: nothing that is shown changes, and those wait for each other.
    confirmations.mutate {
      _ in
    } commit: { [marks = source.marks] () in
      try await marks.confirmRead(article.id)
    }
  }

  func toggleRead(_ article: Article) {
    setRead(!current(article).isRead, article)
  }

  func toggleStar(_ article: Article) {
    guard !article.isBundled else { return }
    let isStarred = !current(article).isStarred
    let title = "“\(shortTitle(article.title))”"
    let loss =
      isStarred ? "\(title) was not starred." : "The star of \(title) was not taken away."
    let unsaved = UnsavedMark(loss) { $0.current(article).isStarred != isStarred }
    set(\.isStarred, of: article, to: isStarred, unsaved) {
      try await $0.setStarred(isStarred, article.id)
    }
  }

  /// A part of the list that is shown.
  enum ListPart {
    case all
    /// Without the selected article.
    case above, below
  }

  /// Marks everything in the list that is shown, or in a part of it, as read.
  ///
  /// The list is looked through off the main actor: it may have a million articles, and the keys that
  /// come next must not wait for that.
  func markRead(_ part: ListPart) {
    let (list, title, isSearch) = (list, listTitle, search.isOpen)
    let loss = "The articles of “\(title)” were not marked as read."
    withShownArticles(loss: loss) { [self] shown in
      let change = beginChange()
      let unread = UnreadArticles(of: rows(part, of: shown), marks.latestValue ?? Markings())
      // As an item of its own: it is shown at once, also while an earlier mark is being stored.
      let gathering = marks.mutate(
        Mutation(
          item: Gathering(change: change), apply: { _ in }, commit: { _ in unread.found },
          confirm: { $0.add($1, as: change) }))
      note(gathering, .nothing)
      let unsaved = UnsavedMark { model in
        guard let sweep = model.marks.latestValue?.sweep(change) else { return loss }
        guard sweep.first != nil else { return nil }
        let articles = LibraryChange.articles(sweep.articles.count)
        return "\(articles) \(sweep.articles.count == 1 ? "was" : "were") not marked as read."
      } isLost: { model in
        // All of them are stored, or none.
        model.marks.latestValue?.sweep(change)?.first.map { !model.current($0).isRead } ?? true
      }
      mark({ $0.show(change) }, unsaved) { marks in
        let found = unread.found
        guard !found.ids.isEmpty else { return }
        // What a search finds is on the screen, all of it.
        if case .search = list { return try await marks.setRead(true, found.ids) }
        if isSearch || part != .all { return try await marks.setRead(true, found.ids) }
        // Articles that come in from now on have not been seen.
        try await marks.markAllRead(list, found.newest)
      }
    }
  }

  private func rows(_ part: ListPart, of rows: [Article]) -> ArraySlice<Article> {
    guard part != .all else { return rows[...] }
    guard let place = selected.flatMap({ rows.index(of: $0.id, near: selectedIndex) }) else {
      return []
    }
    return part == .above ? rows[..<place] : rows[(place + 1)...]
  }

  /// Marks what is older than a date in the list that is shown as read.
  func markOlderRead(than date: Date) {
    let (list, title, change) = (list, listTitle, beginChange())
    let id = marks.mutate(
      Mutation(apply: { _ in }) { [marks = source.marks] _ in
        ArticleRanges(try await marks.markOlderRead(list, date))
      } confirm: { markings, unread in
        markings.add(unread, as: change)
        markings.show(change)
      })
    note(id, UnsavedMark("The older articles of “\(title)” were not marked as read."))
  }

  /// Says how many articles were marked as read, and how that is undone.
  func tell(_ swept: Markings.Swept?) {
    guard let swept else { return }
    guard swept.count > 0 else { return say("Nothing is unread here.") }
    say("\(LibraryChange.articles(swept.count)) marked as read.", .undo)
  }

  /// Undoes the latest change.
  func undo() {
    let number = beginChange()
    let id = marks.mutate(
      Mutation(apply: { _ in }) { [marks = source.marks] _ in
        let change = try await marks.undo()
        return (change, change.flatMap { Markings.Sweep(undoing: $0, as: number) })
      } confirm: { markings, undone in
        markings.take(back: undone.0, undone.1)
      })
    note(id, UnsavedMark("The last change was not undone."))
  }

  /// Says what was undone.
  func tell(_ undone: Markings.Undone?) {
    guard let undone else { return }
    say(undone.change?.undoneWords ?? "There is nothing to undo.")
    // What came or went with a feed.
    if let change = undone.change, !change.isMark { readAgain() }
    if let list = undone.change?.restoredList { showWhenListed(list) }
  }

  /// The marks that the store knows by now.
  var storedMarks: Markings {
    marks.hasPendingMutations ? Markings() : marks.latestValue ?? Markings()
  }

  /// Forgets marks that the store knows, where they were not changed since: another program may have
  /// changed what is stored.
  ///
  /// Those of the article that is read stay: it is as it was in the list when it was opened.
  func forgetMarks(_ stored: Markings) {
    guard !stored.isEmpty, !marks.hasPendingMutations, var markings = marks.latestValue else {
      return
    }
    markings.forget(stored, but: openArticle?.id)
    marks.set(.loaded(markings))
  }

  private func set(
    _ mark: WritableKeyPath<Marking, Mark?> & Sendable, of article: Article, to value: Bool,
    _ unsaved: UnsavedMark, commit: @escaping @Sendable (ArticleMarks) async throws -> Void
  ) {
    let new = Mark(value: value, change: beginChange())
    self.mark({ $0.set(mark, of: article.id, to: new) }, unsaved, commit: commit)
  }

  func mark(
    _ change: @escaping @Sendable (inout Markings) -> Void, _ unsaved: UnsavedMark,
    commit: @escaping @Sendable (ArticleMarks) async throws -> Void
  ) {
    // Without an item they are all of one scope, stored one after the other: what is undone is
    // what was done last.
    let id = marks.mutate(apply: change) { [marks = source.marks] _ in try await commit(marks) }
    note(id, unsaved)
  }

  /// The number of a new change.
  func beginChange() -> Int {
    markChanges += 1
    return markChanges
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
  var isSaving: Bool {
    !changesThatWait.isEmpty || marks.hasPendingMutations || closedFolders.hasPendingMutations
      || storedArrangements.hasPendingMutations || confirmations.hasPendingMutations
  }

  func finishSaving() async -> [String] {
    for task in changesThatWait.values.map(\.task) {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
    await marks.mutationsSettled()
    await closedFolders.mutationsSettled()
    await confirmations.mutationsSettled()
    await storedArrangements.mutationsSettled()
    let failed = marks.failedMutations.map(\.id).filter { unsavedMarks[$0]?.isLost(self) ?? true }
    // One that failed and was tried again has another number.
    let losses = (failed + marks.pendingMutations.map(\.id)).sorted().compactMap {
      unsavedMarks[$0].map { $0.loss(self) } ?? "A change was not saved."
    }
    let isFolderLost = closedFolders.hasPendingMutations || !closedFolders.failedMutations.isEmpty
    let isArrangementLost =
      storedArrangements.hasPendingMutations || !storedArrangements.failedMutations.isEmpty
    let unbegun = changesThatWait.sorted { $0.key < $1.key }.map(\.value.loss)
    return losses + unbegun + (isFolderLost ? ["Which folders are closed was not saved."] : [])
      + (isArrangementLost ? ["How lists are shown was not saved."] : [])
  }
}

/// A change of a list that waits for the list to be loaded.
struct ChangeThatWaits {
  /// What the user is told when the program ends before that.
  let loss: String
  let task: Task<Void, Never>
}

/// The words for a mark that was not stored when the program ends.
struct UnsavedMark {
  /// A sentence; nil where nothing is lost.
  let loss: @MainActor (ReaderModel) -> String?
  /// Whether a mark that could not be stored is still missing: the user may have tried again.
  let isLost: @MainActor (ReaderModel) -> Bool

  init(
    loss: @escaping @MainActor (ReaderModel) -> String?,
    isLost: @escaping @MainActor (ReaderModel) -> Bool = { _ in true }
  ) {
    self.loss = loss
    self.isLost = isLost
  }

  init(_ loss: String, isLost: @escaping @MainActor (ReaderModel) -> Bool = { _ in true }) {
    self.init(loss: { _ in loss }, isLost: isLost)
  }

  /// For a change of which another one says what is lost.
  static let nothing = UnsavedMark(loss: { _ in nil })
}

/// The item of looking for the unread articles of a list.
private struct Gathering: Hashable, Sendable {
  let change: Int
}
