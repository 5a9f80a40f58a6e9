import Articles
import Loading

/// An unread article that was searched for outside of the current list, or in advance.
struct NextUnread: Hashable, Sendable {
  /// The article; nil if everything is read, or if the search failed.
  var article: Article?
  /// The article of the current list whose text is loaded in advance; the others are not searched
  /// then.
  var listed: Article.ID?
  /// Why the search failed.
  var failure: String?
  /// Whether it is opened, or only loaded in advance.
  let opens: Bool
  /// The number of the search, since two searches may find the same article.
  let search: Int
}

/// Where the user is in the reader: an action that waits is dropped once that has changed.
struct ReaderPosition: Equatable {
  let list: ReaderList
  let isSearchOpen: Bool
  /// A sheet may ask something about what it covers.
  let hasSheet: Bool
  /// How often the user opened or closed an article.
  let moves: Int
}

/// The way from one unread article to the next: first in the current list, then elsewhere.
extension ReaderModel {
  /// Opens the next unread article of the current list, or else one of another feed.
  ///
  /// - Parameter includesSelected: whether the selected article itself may be the next one: when
  ///   the focus is in the feeds, the user has not looked at it yet.
  func openNextUnread(includingSelected includesSelected: Bool = false) {
    withShownArticles { [self] rows in
      guard let next = nextUnread(in: rows, includingSelected: includesSelected) else {
        return findUnread(after: selectedRow?.id, opens: true)
      }
      selectedArticle = next.id
      withSelected(isMark: false) { [self] in open($0) }
    }
  }

  /// Opens the previous unread article of the current list, or else its last one.
  func openPreviousUnread() {
    withShownArticles { [self] rows in
      let place = selectedRow.flatMap { rows.index(of: $0.id, near: selectedIndex) } ?? 0
      let order = [rows[..<place], rows[place...]].lazy.flatMap { $0.reversed() }
      let isUnopened = unopened
      guard let previous = order.first(where: isUnopened) else {
        return say("Nothing else is unread here.")
      }
      let isBefore = rows[..<place].contains { $0.id == previous.id }
      selectedArticle = previous.id
      withSelected(isMark: false) { [self] in
        open($0)
        if !isBefore { say("From the end of the list.") }
      }
    }
  }

  /// Loads the text of the article that ``openNextUnread(includingSelected:)`` would open in the
  /// current list.
  func loadNextUnread() {
    // An article that opens late must not end the search that a key after it has begun.
    guard !isSearchingForKey, let rows = shownArticles else { return }
    findUnread(
      after: selectedRow?.id, ahead: search(in: rows, includingSelected: false), opens: false)
  }

  /// Opens the article that was found, or loads its text in advance.
  func take(_ found: NextUnread?) {
    // The result of an earlier search is out of date, and must not end a newer one that a key
    // started.
    guard let found, found.search == unreadSearches else { return }
    // The user has gone elsewhere since the key.
    if found.opens, unreadKey != position { return }
    if let listed = found.listed {
      currentDocument(of: listed).load(.drop, cause: .appeared)
      return
    }
    guard let article = found.article else {
      if found.opens { say(found.failure ?? "Nothing is unread.") }
      return
    }
    guard found.opens else {
      // Where another article of that feed, or of another one, comes first, none is loaded.
      if isOfList(article), !current(article).isRead {
        currentDocument(of: article.id).load(.drop, cause: .appeared)
      }
      return
    }
    if current(article).isRead {
      // The article was marked as read after the search began.
      if marks.hasPendingMutations { return findUnread(after: article.id, opens: true) }
      showUnread(article)
    }
    if isOfList(article) {
      selectedArticle = article.id
      doLate { open(article) }
    } else {
      goOn(from: article)
    }
  }

  /// Opens the first unread article of the list that follows the current one.
  private func goOn(from found: Article) {
    let before = whyLeft
    let next = list(after: found)
    search.isOpen = false
    select(next)
    // At once, since the list of feeds selects another row if this one is in a closed folder.
    openFoldersAround()
    unreadKey = position
    let loading = articles
    loading.prefetch()
    begin(loss: nil) { [self] in
      for await _ in loading.updates() {
        guard unreadKey == position else { return }
        if let rows = shownArticles, let first = nextUnread(in: rows, includingSelected: true) {
          selectedArticle = first.id
          doLate { withSelected(isMark: false) { [self] in open($0) } }
        } else if loading.isLoading {
          // A list that was visited before may be older than what is new in it.
          continue
        } else if loading.wasCancelled {
          return
        } else {
          // The counts of the feeds are older than their articles.
          select(.feeds(.feed(found.feedID)))
          openFoldersAround()
          selectedArticle = found.id
          doLate { open(found) }
        }
        return say("Now in “\(listTitle)”: \(before).")
      }
    }
  }

  /// Why reading goes on in another list than the one that is shown.
  private var whyLeft: String {
    if search.isOpen { return "everything that was found is read" }
    if case .feeds(.feed(let id)) = list, let feeds = feeds.latestValue,
      !feeds.contains(where: { $0.id == id })
    {
      let title = openArticle.map { $0.feedTitle } ?? ""
      return title.isEmpty ? "the feed was removed" : "“\(shortTitle(title))” was removed"
    }
    return "everything in “\(listTitle)” is read"
  }

  /// Returns the list in which reading goes on: below a feed that was read, the next one in the list
  /// of feeds, and elsewhere the feed of the unread article that was found.
  private func list(after found: Article) -> ReaderList {
    guard !search.isOpen, case .feeds = list, let next = unreadFeed(.next) else {
      return .feeds(.feed(found.feedID))
    }
    return next
  }

  /// Calls `body` with the list that is shown, once all of its order is loaded.
  ///
  /// - Parameter loss: the message if the program ends before the list is loaded; nil for an action
  ///   that changes nothing, which is dropped once the user has gone elsewhere.
  func withShownArticles(
    loss: String? = nil, _ body: @escaping @MainActor (ArticleListing) -> Void
  ) {
    if let rows = shownArticles { return body(rows) }
    withdrawNotice()
    let loading = articles
    loading.prefetch()
    begin(loss: loss) { () -> ArticleListing? in
      for await state in loading.states() {
        let isBeginning = state.value?.isWhole == false
        if state.isLoading || isBeginning && loading.isLoading { continue }
        // The user cancelled the load, or the rest of it could not be read.
        return state.isIdle || isBeginning ? nil : state.value ?? ArticleListing([])
      }
      return nil
    } then: { rows in
      if let rows { body(rows) }
    }
  }

  /// Where the user is now.
  var position: ReaderPosition {
    ReaderPosition(list: list, isSearchOpen: search.isOpen, hasSheet: hasSheet, moves: moves)
  }

  /// Whether any sheet is open.
  private var hasSheet: Bool { sheet != nil || feedEditor.sheet != nil }

  /// Whether a key is looking for the article that it opens, and the user is still there.
  private var isSearchingForKey: Bool { next.isLoading && unreadKey == position }

  /// Whether an action that a key started is waiting for a load.
  var isGoingOn: Bool {
    isSearchingForKey
      || begun.values.contains { $0.loss != nil || $0.position == position }
      || shownArticles == nil && articles.isLoading
  }

  private func nextUnread(
    in rows: ArticleListing, includingSelected: Bool
  ) -> ArticleListing.Row? {
    search(in: rows, includingSelected: includingSelected)?.first
  }

  /// Returns the search of the current list for the next unread article.
  private func search(in rows: ArticleListing, includingSelected: Bool) -> UnreadSearch? {
    guard let id = selectedRow?.id, let place = rows.index(of: id, near: selectedIndex) else {
      return nil
    }
    // A row that took the place of the selected one has not been looked at either.
    let isOther = selectedArticle.map { $0 != id } ?? false
    return UnreadSearch(
      rows: rows, start: includingSelected || isOther ? place : place + 1,
      isUnopened: unopened)
  }

  /// Whether a row is unread and not open.
  ///
  /// The marks are read once for all rows: a list of thousands of articles may all be read.
  private var unopened: @Sendable (ArticleListing.Row) -> Bool {
    let (marks, open) = (marks.latestValue, openArticle?.id)
    return { marks?.isRead($0) != true && $0.id != open }
  }

  /// Whether the article belongs to the current list, even if it is too new to be in it.
  private func isOfList(_ article: Article) -> Bool {
    guard !search.isOpen else { return false }
    switch list {
    case .unread: return true
    case .starred, .today, .later, .muted, .search: return false
    case .feeds(let selection):
      let feed = feeds.latestValue?.first { $0.id == article.feedID }?.feed
      return selection == .all || feed.map(selection.contains) ?? false
    }
  }

  /// How long the key for the next unread article waits for marks without saying so.
  private nonisolated static let patience = Duration.milliseconds(500)

  /// - Parameter ahead: the search of the current list that comes first; it is made where loads run,
  ///   since all of a long list may be read.
  private func findUnread(after id: Article.ID?, ahead: UnreadSearch? = nil, opens: Bool) {
    unreadSearches += 1
    unreadKey = opens ? position : nil
    // Until the marks are stored, the articles that were just marked as read would be found.
    let waits = opens && marks.hasPendingMutations
    next.load(
      Loader { [marks, stored = source.marks, unreadSearches, weak self] _ in
        if waits, await !marks.mutationsSettled(within: Self.patience) {
          // A search that another one replaced ends at once, and has nothing to say.
          try Task.checkCancellation()
          await self?.say("The next unread article is searched for once your marks are stored.")
          await marks.mutationsSettled()
        }
        var found = NextUnread(article: nil, opens: opens, search: unreadSearches)
        found.listed = ahead?.first?.id
        try Task.checkCancellation()
        guard found.listed == nil else { return found }
        do { found.article = try await stored.nextUnread(id) } catch {
          // A value like any other, since only values are observed.
          found.failure = UserMessage(error).what
        }
        return found
      }, .restart)
  }
}

/// A search of a list for an unread article, from a row to the end and then from the beginning.
struct UnreadSearch: Sendable {
  let rows: ArticleListing
  let start: Int
  let isUnopened: @Sendable (ArticleListing.Row) -> Bool

  /// How many rows are looked at before the search notices that it was cancelled.
  static let slice = 4_096

  /// The row that was found; nil also if the task was cancelled.
  var first: ArticleListing.Row? {
    for (count, row) in [rows[start...], rows[..<start]].joined().enumerated() {
      if count > 0, count.isMultiple(of: Self.slice), Task.isCancelled { return nil }
      if isUnopened(row) { return row }
    }
    return nil
  }
}
