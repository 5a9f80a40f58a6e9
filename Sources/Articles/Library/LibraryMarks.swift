import Foundation
import Loading

extension Library {
  // MARK: Marking

  /// Marks articles as read or unread.
  ///
  /// Articles that are gone, and those of the bundled feed, are skipped. Returns once the marks are
  /// on the disk.
  ///
  /// - Returns: the articles that had been marked otherwise.
  @discardableResult
  public func setRead(_ isRead: Bool, of ids: [Article.ID]) async throws -> [Article.ID] {
    let changes = try await store.mark([(.read, isRead)], of: ids)
    record(changes, as: isRead ? .markedRead : .markedUnread)
    return changes.articles
  }

  /// Turns a rule's read mark into the user's own, which also marks the copies in other feeds as
  /// read.
  public func confirmRead(_ id: Article.ID) async throws {
    // Writes nothing in the common case that an article is opened again.
    if try await store.isReadByRule(id) { try await setRead(true, of: [id]) }
  }

  /// Stars articles, or removes their star.
  ///
  /// Starred articles are never dropped, and never muted.
  ///
  /// - Returns: the articles whose star or mute changed.
  @discardableResult
  public func setStarred(_ isStarred: Bool, of ids: [Article.ID]) async throws -> [Article.ID] {
    let changes = try await store.mark([(.starred, isStarred)], of: ids)
    record(changes, as: isStarred ? .starred : .unstarred)
    return changes.articles
  }

  /// Marks a whole list as read.
  ///
  /// - Parameter newest: the highest id in the list on the screen: the user has not seen articles
  ///   stored since.
  /// - Returns: the articles that had been unread, and how many of them are no copies of others.
  @discardableResult
  public func markRead(
    _ query: ArticleQuery = ArticleQuery(), newest: Article.ID? = nil
  ) async throws -> (articles: [Article.ID], shownCount: Int) {
    try await index(for: query.where)
    let changes = try await store.markRead(query, newest: newest)
    record(changes, as: .markedRead)
    return (changes.articles, changes.shownCount)
  }

  /// Stores where the user stopped reading an article; nil deletes the position.
  ///
  /// An article has one position, which belongs to the text that it is opened with: that of its page
  /// once it is stored, before that the feed's. ``changes()`` does not report it, and ``undo()`` does
  /// not undo it.
  ///
  /// - Parameter source: the text that the user is reading; nothing is stored for another one than
  ///   the position belongs to. Nil for that one.
  public func setPosition(
    _ position: ReadingPosition?, of id: Article.ID, in source: TextSource? = nil
  ) async throws {
    try await store.setPosition(position, of: id, in: source)
  }

  // MARK: Arranging

  /// Changes the user's settings of a feed.
  ///
  /// - Parameter seen: the settings that the user saw and changed: what is the same in both stays as
  ///   it is stored now. Nil to store all settings.
  /// - Throws: ``LibraryError/noSuchFeed(_:)``, ``SyncError/unsupported``,
  ///   ``SyncError/folderRequired`` or ``StoreError``.
  public func arrange(
    _ id: Feed.ID, as arrangement: FeedArrangement, since seen: FeedArrangement? = nil
  ) async throws {
    guard let change = try await store.arrange(id, as: arrangement, since: seen) else {
      throw LibraryError.noSuchFeed()
    }
    guard change.was != change.became else { return }
    let feed = try await store.feed(id)
    record(.arrangedFeed, feedTitle: feed?.feed.shownTitle, step: .feeds(arranged: [change]))
  }

  /// Renames a folder, or moves it with its contents.
  ///
  /// If there is already a folder with the new name, the two are merged.
  ///
  /// - Returns: how many feeds were moved.
  /// - Throws: ``SyncError/unsupported``, ``SyncError/folderRequired`` or ``StoreError``; then
  ///   nothing is moved.
  @discardableResult
  public func move(_ folder: FeedFolder, to new: FeedFolder) async throws -> Int {
    try await move(folder, to: new, as: .movedFolder)
  }

  /// Removes a folder; its contents move to its parent folder.
  ///
  /// - Returns: how many feeds were moved.
  /// - Throws: ``SyncError/unsupported``, ``SyncError/folderRequired`` or ``StoreError``; then
  ///   nothing is moved.
  @discardableResult
  public func remove(_ folder: FeedFolder) async throws -> Int {
    try await move(folder, to: folder.parent, as: .removedFolder)
  }

  private func move(
    _ folder: FeedFolder, to new: FeedFolder?, as kind: LibraryChange.Kind
  ) async throws -> Int {
    let changes = try await store.move(folder, to: new)
    guard !changes.isEmpty else { return 0 }
    record(kind, count: changes.count, folder: folder, step: .feeds(arranged: changes))
    return changes.count
  }

  /// Removes a feed.
  ///
  /// Its starred articles stay in the list of starred articles, and those to be read later in
  /// theirs. Its articles without a star or a tag, and the feed if it has no others, are deleted
  /// for good after some weeks, see ``Retention``. Until then, ``undo()`` and adding the feed again
  /// restore it with its articles and marks.
  ///
  /// - Throws: ``LibraryError/noSuchFeed(_:)``, ``SyncError/unsupported`` or ``StoreError``.
  public func remove(_ id: Feed.ID) async throws {
    let feed = try await store.feed(id)
    guard let feed, let count = try await store.removeFeed(id, at: now()) else {
      throw LibraryError.noSuchFeed()
    }
    record(.removedFeed, feedTitle: feed.feed.shownTitle, step: .removal(id, articles: count))
  }

  /// Adds a change of a saved search to the changes that ``undo()`` undoes.
  ///
  /// Searches are stored by the program.
  ///
  /// - Parameter undo: stores what was there before. If it throws, ``undo()`` throws the error and
  ///   can be tried again.
  public func record(
    _ kind: LibraryChange.Kind, undo: @escaping @Sendable () async throws -> Void
  ) {
    log.withLock { $0.append(kind, step: .elsewhere(undo)) }
  }

  // MARK: Undoing

  /// The change that ``undo()`` would undo; nil when there is none.
  public var latestChange: LibraryChange? { log.withLock { $0.entries.last?.change } }

  /// Undoes the latest change of marks, feeds, accounts or searches that this library made or
  /// recorded.
  ///
  /// Restores exactly the marks and feeds that it changed, except those that were deleted, or
  /// changed again by another program.
  ///
  /// - Returns: the change, whose ``LibraryChange/undoing`` says how much was undone; nil when
  ///   there was nothing to undo.
  /// - Throws: ``StoreError``, or the error of the closure of ``record(_:undo:)``; then
  ///   the undo can be tried again.
  @discardableResult
  public func undo() async throws -> LibraryChange? {
    guard let entry = log.withLock({ $0.removeLast() }) else { return nil }
    let undone: LibraryChange
    do {
      undone = try await undo(entry.step, of: entry.change)
    } catch {
      log.withLock { $0.restore(entry) }
      throw error
    }
    changed()
    return undone
  }

  private func undo(_ step: ChangeLog.Step, of change: LibraryChange) async throws -> LibraryChange
  {
    switch step {
    case .marks(let marked):
      let restored = try await store.takeBack(marked)
      var undone = change.undone(restored.shownCount, of: marked.shownCount)
      undone.articles = restored.articles
      if restored.shownCount == 1, let id = restored.articles.first {
        // The marks are restored whether or not the title can be read.
        undone.articleTitle = try? await store.articles([id]).first?.title
      }
      if change.isOfTags { undone.tags = try await store.tags(of: restored.articles) }
      return undone
    case .removal(let id, let count):
      guard let restored = try await store.restoreFeed(id) else {
        return change.undone(0, of: 1)
      }
      // A feed without articles counts as restored too.
      return change.undone(max(1, restored), of: max(1, count))
    case .feeds(let added, let arranged):
      let count = try await store.takeBack(added: added, arranged: arranged, at: now())
      return change.undone(count, of: added.count + arranged.count)
    case .address(let id, let was):
      do {
        _ = try await setAddress(
          was.location, of: id, keepsCredentials: false, beginsInPublic: was.beginsInPublic)
        return change
      } catch is LibraryError {
        // It was removed, or another feed has the address now.
        return change.undone(0, of: 1)
      }
    case .account(_, let removed, let restorePassword):
      guard try await store.restore(removed) else { return change.undone(0, of: 1) }
      // If that fails, the next sync says that there is no password.
      try? await restorePassword?()
      return change
    case .elsewhere(let undo):
      try await undo()
      return change
    }
  }

  func record(_ changes: [MarkChange], as kind: LibraryChange.Kind) {
    guard !changes.isEmpty else { return }
    record(kind, count: changes.shownCount, step: .marks(changes))
  }

  /// Adds a change that was stored to those that ``undo()`` undoes, and reports it.
  func record(
    _ kind: LibraryChange.Kind, count: Int = 1, feedTitle: String? = nil, folder: FeedFolder? = nil,
    step: ChangeLog.Step
  ) {
    log.withLock {
      $0.append(kind, count: count, feedTitle: feedTitle, folder: folder, step: step)
    }
    changed()
  }
}
