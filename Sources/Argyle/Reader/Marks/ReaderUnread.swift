import Articles
import Loading

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
      withSelected { [self] in open($0) }
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
      selectedArticle = previous.id
      withSelected { [self] in open($0) }
    }
  }

  /// Loads the text of the article that ``openNextUnread(includingSelected:)`` would open in the
  /// current list.
  func loadNextUnread() {
    guard let rows = shownArticles else { return }
    if let next = nextUnread(in: rows, includingSelected: false) {
      documents[next.id].load(.drop, cause: .appeared)
    } else {
      findUnread(after: selectedRow?.id, opens: false)
    }
  }

  /// Opens the article that was found, or loads its text in advance.
  ///
  /// - Parameter found: the article; nil if everything is read.
  private func take(_ found: Article?, opens: Bool) {
    guard let article = found else {
      if opens { say("Nothing is unread.") }
      return
    }
    // The article was marked as read a moment ago, and the mark is not stored yet.
    guard !current(article).isRead else { return findUnread(after: article.id, opens: opens) }
    guard opens else {
      // Where another article of that feed, or of another one, comes first, none is loaded.
      if isOfList(article) { documents[article.id].load(.drop, cause: .appeared) }
      return
    }
    if isOfList(article) {
      selectedArticle = article.id
      open(article)
    } else {
      goOn(from: article)
    }
  }

  /// Opens the first unread article of the list that follows the current one.
  private func goOn(from found: Article) {
    let before = search.isOpen ? "everything that was found" : "everything in “\(listTitle)”"
    let next = list(after: found)
    search.isOpen = false
    select(next)
    let (loading, opened) = (articles, openArticle)
    loading.prefetch()
    Task {
      for await _ in loading.updates() {
        guard list == next, !search.isOpen, openArticle == opened else { return }
        if let rows = shownArticles, let first = nextUnread(in: rows, includingSelected: true) {
          selectedArticle = first.id
          withSelected { [self] in open($0) }
        } else if loading.isLoading {
          // A list that was visited before may be older than what is new in it.
          continue
        } else if loading.wasCancelled {
          return
        } else {
          // The counts of the feeds are older than their articles.
          select(.feeds(.feed(found.feedID)))
          selectedArticle = found.id
          open(found)
        }
        openFoldersAround()
        return say("Now in “\(listTitle)”: \(before) is read.")
      }
    }
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
  ///   that changes nothing, which is dropped when the list is left.
  func withShownArticles(
    loss: String? = nil, _ body: @escaping @MainActor (ArticleListing) -> Void
  ) {
    if let rows = shownArticles { return body(rows) }
    withdrawNotice()
    let (asked, loading) = (list, articles)
    loading.prefetch()
    let work = { @MainActor @Sendable [self] in
      for await state in loading.states() {
        if loss == nil, list != asked || search.isOpen { return }
        let isBeginning = state.value?.isWhole == false
        if state.isLoading || isBeginning && loading.isLoading { continue }
        // The user cancelled the load, or the rest of it could not be read.
        if state.isIdle || isBeginning { return }
        return body(state.value ?? ArticleListing([]))
      }
    }
    if let loss { begin(loss: loss, work) } else { Task { await work() } }
  }

  /// Whether an action that a key started is waiting for a load.
  var isGoingOn: Bool {
    unreadSearch?.opens == true || !begun.isEmpty || shownArticles == nil && articles.isLoading
  }

  private func nextUnread(
    in rows: ArticleListing, includingSelected: Bool
  ) -> ArticleListing.Row? {
    guard let id = selectedRow?.id, let place = rows.index(of: id, near: selectedIndex) else {
      return nil
    }
    // A row that took the place of the selected one has not been looked at either.
    let isOther = selectedArticle.map { $0 != id } ?? false
    let start = includingSelected || isOther ? place : place + 1
    let order = [rows[start...], rows[..<start]]
    return order.lazy.joined().first(where: unopened)
  }

  /// Whether a row is unread and not open.
  ///
  /// The marks are read once for all rows: a list of thousands of articles may all be read.
  private var unopened: (ArticleListing.Row) -> Bool {
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

  /// Searches for the next unread article in any list, instead of what was searched for before.
  ///
  /// - Parameter opens: whether the article is opened, or only loaded in advance.
  private func findUnread(after id: Article.ID?, opens: Bool) {
    unreadSearch?.task.cancel()
    let task = Task { [marks = source.marks] in
      do {
        let found = try await marks.nextUnread(id)
        guard !Task.isCancelled else { return }
        unreadSearch = nil
        take(found, opens: opens)
      } catch {
        guard !Task.isCancelled else { return }
        unreadSearch = nil
        if opens { say(UserMessage(error).what) }
      }
    }
    unreadSearch = (opens, task)
  }
}
