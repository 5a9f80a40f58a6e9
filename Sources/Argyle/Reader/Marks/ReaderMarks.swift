import Articles
import Foundation
import Loading
import TerminalUI

/// The marks of articles: shown at once, stored in the background, rolled back if that fails.
///
/// The marks are kept on top of the lists rather than in them: changing a list's value would
/// restart its load, which may be fetching five hundred feeds.
extension ReaderModel {
  /// The changes of articles since they were loaded.
  struct Changes {
    let markings: Markings?
    let minutesOfPages: [Article.ID: Int]

    /// Returns an article with its current marks and reading time.
    func current(_ article: Article) -> Article {
      var article = article
      article.readingMinutes = minutesOfPages[article.id] ?? article.readingMinutes
      guard let markings else { return article }
      article.isRead = markings.isRead(article)
      article.isStarred = markings.isStarred(article)
      article.tags = markings.tags(of: article)
      return article
    }
  }

  /// A list reads it once for all of its rows, each of which would otherwise observe it.
  var changesOfArticles: Changes {
    Changes(markings: marks.latestValue, minutesOfPages: minutesOfPages)
  }

  /// Returns an article with its current marks and reading time.
  func current(_ article: Article) -> Article { changesOfArticles.current(article) }

  func setRead(_ isRead: Bool, _ article: Article) {
    guard !article.isBundled, current(article).isRead != isRead else { return }
    let loss = "“\(shortTitle(article.title))” was not marked as \(isRead ? "read" : "unread")."
    let unsaved = UnsavedMark(loss) { $0.current(article).isRead != isRead }
    set(\.isRead, of: article, to: isRead, unsaved) { try await $0.setRead(isRead, [article.id]) }
  }

  /// Makes the read mark of an article the user's own, even if a rule set it.
  func confirmRead(_ article: Article) {
    guard !article.isBundled else { return }
    // Stored separately from the marks, which wait for each other, since nothing visible changes.
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
    setStarred(!current(article).isStarred, article)
  }

  func setStarred(_ isStarred: Bool, _ article: Article) {
    guard !article.isBundled, current(article).isStarred != isStarred else { return }
    let title = "“\(shortTitle(article.title))”"
    let loss =
      isStarred ? "\(title) was not starred." : "The star of \(title) was not taken away."
    let unsaved = UnsavedMark(loss) { $0.current(article).isStarred != isStarred }
    set(\.isStarred, of: article, to: isStarred, unsaved) {
      try await $0.setStarred(isStarred, article.id)
    }
  }

  /// A part of the current list.
  enum ListPart {
    case all
    /// The articles before or after the selected one, which is not included.
    case above, below
  }

  /// Marks the current list, or a part of it, as read.
  ///
  /// The unread articles are found off the main actor: the list may have a million articles, and
  /// must not delay the next keys.
  func markRead(_ part: ListPart) {
    let (list, isSearch) = (list, search.isOpen)
    let title = isSearch ? search.text : listTitle
    let loss = "The articles of “\(title)” were not marked as read."
    // Only the first results are listed, but all of them are counted beside the query.
    if part == .all, let partial = search.partlyListed {
      return markMatchingRead(of: partial, olderThan: nil, loss: loss)
    }
    // The selection may move while the list is being loaded.
    let selected = selectedRow?.id
    withShownArticles(loss: loss) { [self] shown in
      let change = beginChange()
      let unread = UnreadArticles(
        of: rows(part, selected ?? selectedRow?.id, of: shown), marks.latestValue ?? Markings())
      // A mutation of its own, so that it shows at once even while an earlier mark is being stored.
      let gathering = marks.mutate(
        item: Gathering(change: change), apply: { _ in }, commit: { _ in unread.found },
        confirm: { $0.add($1, as: change) })
      note(gathering, .nothing)
      let unsaved = UnsavedMark { model in
        guard let sweep = model.marks.latestValue?.sweep(change) else { return loss }
        guard sweep.first != nil else { return nil }
        let articles = counted(sweep.articles.count, "article was", "articles were")
        return "\(articles) not marked as read."
      } isLost: { model in
        // The articles are stored together or not at all, so the first one stands for all of them.
        model.marks.latestValue.flatMap { markings in
          markings.sweep(change)?.first.map { !markings.isRead($0) }
        } ?? true
      }
      mark({ $0.show(change) }, unsaved) { marks in
        let found = unread.found
        guard !found.ids.isEmpty else { return }
        // The source marks whole lists, but no search and no part of a list: their articles are
        // marked by their IDs.
        if case .search = list { return try await marks.setRead(true, found.ids) }
        if isSearch || part != .all { return try await marks.setRead(true, found.ids) }
        // The user has not seen articles that arrive from now on, so they stay unread.
        try await marks.markAllRead(list, found.newest)
      }
    }
  }

  private func rows(
    _ part: ListPart, _ selected: Article.ID?, of rows: ArticleListing
  ) -> Slice<ArticleListing> {
    guard part != .all else { return rows[...] }
    guard let place = selected.flatMap({ rows.index(of: $0, near: selectedIndex) }) else {
      return rows[..<rows.startIndex]
    }
    return part == .above ? rows[..<place] : rows[(place + 1)...]
  }

  /// Marks the articles of the current list that are older than a date as read.
  func markOlderRead(than date: Date) {
    markMatchingRead(
      of: list, olderThan: date,
      loss: "The older articles of “\(listTitle)” were not marked as read.")
  }

  /// Marks the articles of a list as read where they are stored, whether they are listed or not.
  private func markMatchingRead(of list: ReaderList, olderThan date: Date?, loss: String) {
    let change = beginChange()
    let id = marks.mutate(apply: { _ in }) { [marks = source.marks] _ in
      let marked = try await marks.markMatchingRead(list, date)
      return (ArticleRanges(marked.articles), marked.shownCount)
    } confirm: { markings, marked in
      markings.add(marked.0, count: marked.1, as: change)
      markings.show(change)
    }
    note(id, UnsavedMark(loss))
  }

  /// Says how many articles were marked as read, and how to undo that.
  func tell(_ swept: Markings.Swept?) {
    guard let swept else { return }
    guard swept.count > 0 else { return say("There is nothing unread to mark.") }
    say("\(counted(swept.count, "article")) marked as read.", .undo)
  }

  /// Whether there is a change to undo.
  ///
  /// Observed by way of ``marks``, in whose order all changes are stored. Reads nothing from the
  /// store.
  var canUndo: Bool { marks.hasPendingMutations || source.marks.latestChange() != 0 }

  /// Undoes the latest change.
  func undo() {
    let number = beginChange()
    let id = marks.mutate(apply: { _ in }) { [marks = source.marks] _ in
      let change = try await marks.undo()
      return (change, change.flatMap { Markings.Sweep(undoing: $0, as: number) })
    } confirm: { markings, undone in
      markings.take(back: undone.0, undone.1)
    }
    note(id, UnsavedMark("The last change was not undone."))
  }

  /// Says what was undone.
  func tell(_ undone: Markings.Undone?) {
    guard let undone else { return }
    say(undone.change?.undoneWords ?? "There is nothing to undo.")
    // Articles may have come back: with a feed, or to a list of unread or starred ones.
    if undone.change != nil { readAgain() }
    if let list = undone.change?.restoredList(among: searches) { showWhenListed(list) }
  }

  /// The marks that are stored already.
  var storedMarks: Markings {
    marks.hasPendingMutations ? Markings() : marks.latestValue ?? Markings()
  }

  /// Drops the marks that are stored already, after the running reads of lists have ended: the store
  /// may know better, since other programs and devices change it too.
  func forgetMarksAfterReading() {
    let stored = storedMarks
    guard !stored.isEmpty else { return }
    Task {
      var read: Resource<ArticleListing>
      // Another list may be shown by then, which is read again too.
      repeat {
        read = articles
        _ = await read.settled()
        // The user may have reloaded the feeds of lists that are not shown.
        _ = await listBeingReadAgain?.settled()
      } while read !== articles || listBeingReadAgain != nil
      // Rows that could not be read again are as they were before the marks; they are there if only
      // a feed could not be fetched.
      let error = read.failure?.error
      if error == nil || error is ReloadError, !read.wasCancelled { forgetMarks(stored) }
    }
  }

  /// A list that has its rows from before while it is read again.
  private var listBeingReadAgain: Resource<ArticleListing>? {
    var found: Resource<ArticleListing>?
    lists.forEach { if $1.isLoading, $1.latestValue != nil { found = $1 } }
    return found
  }

  /// Drops marks that are stored, unless they were changed since.
  ///
  /// Those of the open article stay, so that it still appears as it did when it was opened, and
  /// those of what a search has found, which may not have been read again yet.
  ///
  /// The lists that are not shown are read again when they are: in memory, they may be as they were
  /// before the marks.
  func forgetMarks(_ stored: Markings) {
    guard !stored.isEmpty, !marks.hasPendingMutations, var markings = marks.latestValue else {
      return
    }
    let found = search.isOpen ? search.found.map(\.id) : []
    markings.forget(stored, but: Set(found + [openArticle?.id].compactMap(\.self)))
    marks.set(.loaded(markings))
    lists.forEach { key, _ in if key != shownList { lists.remove(key) } }
  }

  /// Shows an article as unread whose mark here is stored: the store has it as unread, so another
  /// program or device has marked it since.
  func showUnread(_ article: Article) {
    guard var markings = marks.latestValue else { return }
    markings.set(\.isRead, of: article.id, to: Mark(value: false, change: beginChange()))
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
    // Mutations without an item share one scope and are stored in order, so that undo undoes the
    // latest change.
    let id = marks.mutate(apply: change) { [marks = source.marks] _ in try await commit(marks) }
    note(id, unsaved)
  }

  /// Returns the number of a new change, and removes the last notice.
  func beginChange() -> Int {
    withdrawNotice()
    markChanges += 1
    return markChanges
  }

  /// Records the message about a change that is lost if it is not stored before the program ends.
  func note(_ id: PendingMutation.ID?, _ unsaved: UnsavedMark) {
    guard let id else { return }
    let open = Set(marks.pendingMutations.map(\.id) + marks.failedMutations.map(\.id))
    unsavedMarks = unsavedMarks.filter { open.contains($0.key) }
    unsavedMarks[id] = unsaved
  }
}

extension ReaderModel: UnsavedChanges {
  var isSaving: Bool {
    begun.values.contains { $0.loss != nil } || saved.contains { $0.hasPendingMutations }
      || downloads.isUnfinished
  }

  /// What stores the changes of the user.
  private var saved: [any ChangedResource] {
    [marks, closedFolders, confirmations, storedArrangements]
  }

  static let lossOfFolders = "Which folders are closed was not saved."
  static let lossOfArrangements = "How lists are shown was not saved."

  func finishSaving() async -> [String] {
    // The next unread article that is being searched for would be marked as read unseen.
    unreadKey = nil
    // A feed that is not known to be one would stay in the list. The queue waits until it is gone.
    if feedEditor.sheet == .add { feedEditor.addition.cancel() }
    for work in begun.values where work.loss == nil { work.task.cancel() }
    // One that waited for a load may begin another, such as a download.
    while !Task.isCancelled, let work = begun.values.first(where: { $0.loss != nil }) {
      await work.task.finished()
    }
    for resource in saved { await resource.mutationsSettled(within: nil) }
    await downloads.finish()
    let failed = marks.failedMutations.map(\.id).filter { unsavedMarks[$0]?.isLost(self) ?? true }
    // A failed mutation that is retried gets another ID.
    let losses = (failed + marks.pendingMutations.map(\.id)).sorted().compactMap {
      unsavedMarks[$0].map { $0.loss(self) } ?? "A change was not saved."
    }
    return losses + begun.sorted { $0.key < $1.key }.compactMap(\.value.loss)
      + (closedFolders.hasLosses ? [Self.lossOfFolders] : [])
      + (storedArrangements.hasLosses ? [Self.lossOfArrangements] : [])
  }

  /// Begins work that the program waits for before it ends.
  ///
  /// - Parameter loss: the message if the program ends first; nil for work that stores nothing and
  ///   is cancelled then.
  @discardableResult
  func begin(
    loss: String?, _ work: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never> {
    markChanges += 1
    let number = markChanges
    let task = Task {
      await work()
      begun[number] = nil
    }
    begun[number] = BegunWork(loss: loss, position: position, task: task)
    return task
  }

  /// Begins work that waits for a load, and then does what a key was to do.
  ///
  /// - Parameter loss: the message if the program ends first; nil for what is dropped then, and
  ///   also once the user has gone elsewhere.
  @discardableResult
  func begin<Loaded>(
    loss: String?, once load: @escaping @MainActor () async -> Loaded,
    then body: @escaping @MainActor (Loaded) -> Void
  ) -> Task<Void, Never> {
    let pressed = position
    return begin(loss: loss) { [self] in
      let loaded = await load()
      guard loss != nil || position == pressed && !Task.isCancelled else { return }
      doLate { body(loaded) }
    }
  }

  /// Does what a key was to do that had to wait.
  ///
  /// The keys that were pressed after it are not dropped because it opens an article.
  func doLate(_ body: () -> Void) {
    let before = moves
    body()
    moves = before
  }
}

/// A resource of any value, whose mutations are waited for.
@MainActor
private protocol ChangedResource {
  var hasPendingMutations: Bool { get }
  @discardableResult
  func mutationsSettled(within limit: Duration?) async -> Bool
}

extension Resource: ChangedResource {
  /// Whether a change was not stored.
  fileprivate var hasLosses: Bool { hasPendingMutations || !failedMutations.isEmpty }
}

/// Work that a key began, such as writing a file, or a change that waits for its list.
struct BegunWork {
  /// The message if the program ends before the work does; nil if nothing is lost.
  let loss: String?
  /// Where the user was when it began.
  let position: ReaderPosition
  let task: Task<Void, Never>
}

/// The message about a mark that is not stored when the program ends.
struct UnsavedMark {
  /// A sentence; nil if nothing is lost.
  let loss: @MainActor (ReaderModel) -> String?
  /// Whether a mark that could not be stored is still missing: the user may have repeated it.
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

  /// No message, for a change whose loss is reported together with another change.
  static let nothing = UnsavedMark(loss: { _ in nil })
}

/// The mutation item of finding the unread articles of a list.
private struct Gathering: Hashable, Sendable {
  let change: Int
}
