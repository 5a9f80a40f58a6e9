import Articles
import Loading

/// An unread article that was looked for outside of the list that is shown.
struct NextUnread: Hashable, Sendable {
  /// Nil when everything is read.
  let article: Article?
  /// Whether it is to be opened, or only loaded ahead.
  let opens: Bool
  /// Which search found it: the same article may be found twice.
  let search: Int
}

/// The way from one unread article to the next: first in the list that is shown, then elsewhere.
extension ReaderModel {
  /// Opens the next unread article of the list that is shown, or else one of another feed.
  ///
  /// - Parameter includesSelected: whether the selected article itself may be the next one: seen from
  ///   the feeds, nobody has looked at it.
  func openNextUnread(includingSelected includesSelected: Bool = false) {
    withShownArticles { [self] rows in
      guard let next = nextUnread(in: rows, includingSelected: includesSelected) else {
        return findUnread(after: selected, opens: true)
      }
      selectedArticle = next.id
      open(next)
    }
  }

  /// Opens the unread article before the selected one in the list that is shown, or else its last one.
  func openPreviousUnread() {
    withShownArticles { [self] rows in
      let place = selected.flatMap { rows.index(of: $0.id, near: selectedIndex) } ?? 0
      let order = [rows[..<place], rows[place...]].lazy.flatMap { $0.reversed() }
      guard let previous = order.first(where: isUnopened) else {
        return say("Nothing else is unread here.")
      }
      selectedArticle = previous.id
      open(previous)
    }
  }

  /// Loads the text of the article that ``openNextUnread(includingSelected:)`` would open.
  func loadNextUnread() {
    guard let rows = shownArticles else { return }
    if let next = nextUnread(in: rows, includingSelected: false) {
      documents[next.id].load(.drop, cause: .appeared)
    } else {
      findUnread(after: selected, opens: false)
    }
  }

  /// Goes on to an article that was found, or loads its text for when it is opened.
  func take(_ found: NextUnread?) {
    // One of before says nothing any more, and must not end the one that a key began meanwhile.
    guard let found, found.search == unreadSearches else { return }
    guard let article = found.article else {
      if found.opens { say("Nothing is unread.") }
      return
    }
    // Marked a moment ago, and not stored yet.
    guard !current(article).isRead else { return findUnread(after: article, opens: found.opens) }
    guard found.opens else { return documents[article.id].load(.drop, cause: .appeared) }
    if !isOfList(article) {
      let before = search.isOpen ? "everything that was found" : "everything in “\(listTitle)”"
      select(.feeds(.feed(article.feedID)))
      openFoldersAround()
      say("Now in “\(listTitle)”: \(before) is read.")
    }
    selectedArticle = article.id
    open(article)
  }

  /// Calls `body` with the articles that are shown, once they are loaded.
  ///
  /// - Parameter loss: what the user is told when the program ends before the list is loaded; nil for
  ///   what changes nothing: that is dropped when the list is left.
  func withShownArticles(loss: String? = nil, _ body: @escaping @MainActor ([Article]) -> Void) {
    if let rows = shownArticles { return body(rows) }
    let (asked, loading, number) = (list, articles, beginChange())
    loading.prefetch()
    let task = Task {
      for await state in loading.states() {
        if loss == nil, list != asked || search.isOpen { return }
        let isBeginning = state.value?.isWhole == false
        if state.isLoading || isBeginning && loading.isLoading { continue }
        changesThatWait[number] = nil
        // The user has ended the load, or the rest of it could not be read.
        if state.isIdle || isBeginning { return }
        return body(state.value?.articles ?? [])
      }
    }
    if let loss { changesThatWait[number] = ChangeThatWaits(loss: loss, task: task) }
  }

  /// Whether what a key has begun waits for something that is being loaded.
  var isGoingOn: Bool {
    next.isLoading || !changesThatWait.isEmpty || shownArticles == nil && articles.isLoading
  }

  private func nextUnread(in rows: [Article], includingSelected: Bool) -> Article? {
    guard let id = selected?.id, let place = rows.index(of: id, near: selectedIndex) else {
      return nil
    }
    let start = includingSelected ? place : place + 1
    let order = [rows[start...], rows[..<start]]
    return order.lazy.joined().first(where: isUnopened)
  }

  private func isUnopened(_ article: Article) -> Bool {
    !current(article).isRead && article.id != openArticle?.id
  }

  /// Whether the list that is shown is one that the article belongs to, though it may be too new to
  /// be in it.
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

  private func findUnread(after article: Article?, opens: Bool) {
    unreadSearches += 1
    next.load(
      Loader { [marks = source.marks, unreadSearches] _ in
        NextUnread(
          article: try await marks.nextUnread(article?.id), opens: opens, search: unreadSearches)
      }, .restart)
  }
}
