import Articles
import Loading

/// The rows of the list that is shown, of which the articles may not be loaded yet.
///
/// Of a long list the order is loaded, and the articles around one row. The others are loaded when
/// they come near the screen.
extension ReaderModel {
  /// Articles of a long list that were loaded after it.
  struct OtherRows: Sendable {
    let list: ShownList
    let articles: [Article.ID: Article]
  }

  /// The list that is shown, or the results of the search; nil until all of its order is loaded.
  var shownArticles: ArticleListing? { shownRows.flatMap { $0.isWhole ? $0 : nil } }

  private var shownRows: ArticleListing? {
    search.isOpen
      ? ArticleListing(search.found.map(\.article)) : articles.latestValue.map(withOtherRows)
  }

  /// Returns the list that is shown with the articles that were loaded after it.
  func withOtherRows(_ listing: ArticleListing) -> ArticleListing {
    guard let others = otherRows.latestValue ?? nil, others.list == shownList else {
      return listing
    }
    return listing.with(others.articles)
  }

  /// The index at which the selected article was found last in the list, or in the results of the
  /// search.
  var selectedIndex: Int {
    get { search.isOpen ? search.selectedIndex : indexInList }
    set { if search.isOpen { search.selectedIndex = newValue } else { indexInList = newValue } }
  }

  /// The selected row; if its article has left the list, the one that took its place.
  var selectedRow: ArticleListing.Row? {
    guard let rows = shownRows, let first = rows.first else { return nil }
    guard let id = selectedArticle else { return first }
    guard let index = rows.index(of: id, near: selectedIndex) else {
      return rows[min(selectedIndex, rows.count - 1)]
    }
    selectedIndex = index
    return rows[index]
  }

  /// The article of the selected row, as the list contains it; nil if it is not loaded yet.
  var selected: Article? { selectedRow.flatMap { shownRows?.article(at: $0.index) } }

  /// Calls `body` with the article of the selected row, once it is loaded.
  ///
  /// - Parameter isMark: see ``withArticle(of:isMark:_:)``.
  func withSelected(isMark: Bool, _ body: @escaping @MainActor (Article) -> Void) {
    if let row = selectedRow { withArticle(of: row, isMark: isMark, body) }
  }

  /// Calls `body` with the article of a row, once it is loaded; the row is selected if none was.
  ///
  /// - Parameter isMark: whether it stores something. Anything else is dropped once the user has
  ///   gone elsewhere or ends the program.
  func withArticle(
    of row: ArticleListing.Row, isMark: Bool, _ body: @escaping @MainActor (Article) -> Void
  ) {
    if selectedArticle == nil { selectedArticle = row.id }
    if let article = shownRows?.article(at: row.index) { return body(article) }
    withdrawNotice()
    let loss = isMark ? "What a key was to do with an article was not done." : nil
    articleKey = begin(loss: loss) { [source, articleKey] in
      let article = try? await source.rows([row.id]).value()[row.id]
      await articleKey?.value
      return article
    } then: { [self] in
      if let article = $0 { body(article) } else { say("This article could not be loaded.") }
    }
  }

  /// Loads the articles around a row of a long list, unless they are loaded or being loaded.
  func load(around index: Int) {
    guard !search.isOpen, let rows = shownRows, rows.isWhole, rows.indices.contains(index),
      let ids = rows.rowsToLoad(around: index)
    else { return }
    if otherRows.isLoading, let loadedRow, abs(loadedRow.index - index) < ArticleListing.margin {
      return
    }
    loadedRow = rows[index]
    otherRows.load(
      source.rows(ids).map { [shownList] in OtherRows(list: shownList, articles: $0) }, .restart,
      cause: .inputChanged)
  }
}
