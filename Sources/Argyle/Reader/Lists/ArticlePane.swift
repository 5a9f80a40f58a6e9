import Articles
import Foundation
import Loading
import TerminalUI

/// The list of articles.
struct ArticlePane: View {
  let model: ReaderModel
  let days: DayText
  @FocusState.Binding var focus: LibraryScreen.Pane?
  @Environment(\.isPlain) private var isPlain
  @Environment(\.terminal) private var terminal

  /// From this width on, there is room for the number of articles.
  private static let widthForCount = 50
  /// From this size on, there is room for a preview of the selected article.
  private static let sizeForPreview = Size(width: 72, height: 24)

  var body: some View {
    let articles = model.articles
    let title = model.listTitle
    let words = model.arrangement.words
    GeometryReader { size in
      VStack(alignment: .leading) {
        HStack {
          Text(title).lineLimit(1).paneTitle().layoutPriority(1)
          if !words.isEmpty { Text("· \(words)").foregroundStyle(\.secondary).lineLimit(1) }
          Spacer()
          LoadingIndicator(articles)
          // During a reload, its progress takes the place of the number.
          if !isReloading, size.width >= Self.widthForCount,
            let rows = articles.latestValue, rows.isWhole, case let count = rows.count, count > 0
          {
            // Before the title, which may be cut.
            Text(counted(count, "article")).foregroundStyle(\.secondary)
              .lineLimit(1).layoutPriority(2)
          }
        }
        ArticleList(model: model, days: days, width: size.width)
        if size.width >= Self.sizeForPreview.width, size.height >= Self.sizeForPreview.height,
          model.openArticle == nil, !isPlain
        {
          ArticlePreview(model: model, days: days)
        }
      }
    }
    // Plain mode announces what a key marked.
    .announced(isPlain ? selectedMarks : "")
    // The list begins on its first row. Once it is loaded, the article in that row stays selected
    // when rows are added above it; until then, it is only the one that came first by chance.
    .onChange(of: articles.isLoading ? nil : articles.latestValue?.first?.id, initial: true) {
      if model.selectedArticle == nil { model.selectedArticle = $1 }
    }
    .articleListKeys(model, when: hasRows, terminal)
    // While the list itself is loaded, the footer names the key that cancels that.
    .onKeyPress(
      action: .cancelFetch, footer: model.articles.isLoading ? .never : .first,
      when: model.hasFetchToCancel
    ) { model.cancelFetches() }
    .onKeyPress(action: .left, .back, label: "feeds") { model.show(.feeds, $focus) }
    .focusSection("Articles")
    .defaultFocus()
  }

  private var isReloading: Bool {
    !model.fetching.isEmpty && model.articles.isLoading
      && model.articles.activity?.cause != .refresh
  }

  private var hasRows: Bool { model.articles.latestValue?.isEmpty == false }

  private var selectedMarks: String {
    guard let article = model.selected.map(model.current) else { return "" }
    return (article.isRead ? "Read" : "Unread") + (article.isStarred ? ", starred." : ".")
  }
}

/// The rows of the list, which are made again only when they change, but not for its title, the
/// progress of fetches or the keys.
private struct ArticleList: View {
  let model: ReaderModel
  let days: DayText
  let width: Int

  var body: some View {
    let groupTitle = model.groupTitle(days)
    AsyncContentView(model.articles) { listing in
      let (rows, changes) = (model.withOtherRows(listing), model.changesOfArticles)
      let (showsFeed, format) = (showsFeed, model.settings.articleRow)
      List(
        rows, selection: Binding(model, \.selectedArticle),
        onSubmit: { model.withArticle(of: $0, isMark: false, model.open) }
      ) { row in
        if let article = rows.article(at: row.index) {
          ArticleRow(
            article: changes.current(article), days: days, width: width,
            showsFeed: showsFeed, format: format)
        } else {
          UnloadedRow(model: model, index: row.index)
        }
      }
      .sections(groupTitle.map { title in { rows.article(at: $0.index).map(title) ?? "" } })
    }
    .placeholder(ArticleListing(Article.samples))
    .empty(when: \.isEmpty) { NoArticles(model: model) }
    // The pane's title line shows reloads: an indicator over the rows would cover a date.
    .loadingViewStyle(afterValue: .hidden)
    .accessibilityLabel(model.listTitle)
  }

  private var showsFeed: Bool {
    if case .feeds(.feed) = model.list { return false }
    // Until the feeds are loaded, there may be several.
    return model.feeds.latestValue.map { $0.count > 1 } ?? true
  }
}

extension View {
  /// Binds the actions on an article, in the list and in the article itself; `withArticle` is called
  /// when a key is pressed, with whether it marks the article, and what to do with the article once
  /// it is loaded.
  func articleKeys(
    _ model: ReaderModel, when isActive: Bool = true, browserInFooter: FooterPlace = .ifRoom,
    _ withArticle:
      @escaping @MainActor (_ isMark: Bool, @escaping @MainActor (Article) -> Void) -> Void
  ) -> some View {
    // The articles of the handbook, which is shown until a feed is added, cannot be marked.
    let canMark = isActive && !model.hasNoFeeds
    return onKeyPress(action: .toggleRead, footer: .ifRoom, when: canMark) {
      withArticle(true, model.toggleRead)
    }
    .onKeyPress(action: .toggleStar, footer: .ifRoom, when: canMark) {
      withArticle(true, model.toggleStar)
    }
    .onKeyPress(action: .markRead, footer: .never, when: canMark) {
      withArticle(true) { model.setRead(true, $0) }
    }
    .onKeyPress(action: .markUnread, footer: .never, when: canMark) {
      withArticle(true) { model.setRead(false, $0) }
    }
    .onKeyPress(action: .star, footer: .never, when: canMark) {
      withArticle(true) { model.setStarred(true, $0) }
    }
    .onKeyPress(action: .unstar, footer: .never, when: canMark) {
      withArticle(true) { model.setStarred(false, $0) }
    }
    .onKeyPress(action: .readLater, footer: .never, when: canMark) {
      withArticle(true, model.toggleLater)
    }
    .onKeyPress(action: .editTags, footer: .never, when: canMark) {
      withArticle(false, model.editTags)
    }
    .onKeyPress(action: .openInBrowser, footer: browserInFooter, when: isActive) {
      withArticle(false, model.openInBrowser)
    }
  }
}

extension View {
  /// Binds the keys of a list of articles: those of the selected article, and those that mark a part
  /// of the list as read.
  func articleListKeys(
    _ model: ReaderModel, when hasRows: Bool, _ terminal: TerminalHandle?
  ) -> some View {
    let canMark = hasRows && !model.hasNoFeeds
    return articleKeys(model, when: hasRows, model.withSelected)
      .commandKeys(model, when: hasRows, terminal) { model.withSelected(isMark: false, $0) }
      .onKeyPress(action: .markAboveRead, footer: .ifRoom, when: canMark) { model.markRead(.above) }
      .onKeyPress(action: .markBelowRead, footer: .ifRoom, when: canMark) { model.markRead(.below) }
      .onKeyPress(action: .right, label: "open", footer: .ifRoom, when: hasRows) {
        model.withSelected(isMark: false, model.open)
      }
  }
}

/// A row of a long list whose article is not loaded yet.
private struct UnloadedRow: View {
  let model: ReaderModel
  let index: Int

  var body: some View {
    HStack {
      if model.otherRows.failure == nil {
        Text(Article.samples[index % Article.samples.count].title).lineLimit(1)
          .redacted(reason: .placeholder)
      } else {
        FailureText("This article could not be loaded.").foregroundStyle(\.failure).lineLimit(1)
      }
    }
    .onAppear { model.load(around: index) }
  }
}

/// A row of the list of articles.
struct ArticleRow: View {
  let article: Article
  let days: DayText
  /// The width of the row, in columns.
  let width: Int
  let showsFeed: Bool
  var format = RowFormat<ArticleField>()
  @Environment(\.isPlain) private var isPlain

  /// From this width on, there is room for the names of other feeds.
  private static let widthForOthers = 60

  var body: some View {
    if format.isOwn || isPlain {
      own
    } else {
      FormattedRow(format: format, width: width, content: content)
    }
  }

  @ViewBuilder
  private func content(_ field: ArticleField) -> some View {
    switch field {
    case .title: title
    case .feed: Text(article.feedTitle).foregroundStyle(\.secondary).lineLimit(1)
    case .author: Text(article.author ?? "").foregroundStyle(\.secondary).lineLimit(1)
    case .date:
      Text(article.shownDate.map { days($0) } ?? "").foregroundStyle(\.secondary).lineLimit(1)
    case .minutes:
      Text(article.readingMinutes.map { "\($0) min" } ?? "").foregroundStyle(\.secondary)
        .lineLimit(1)
    case .alsoIn:
      Text(article.alsoIn.joined(separator: ", ")).foregroundStyle(\.secondary).lineLimit(1)
    case .tags: Text(article.shownTags).foregroundStyle(\.accent).lineLimit(1)
    case .marks: article.star(or: " ") + article.dot(or: " ")
    case .star: article.star(or: " ")
    case .unread: article.dot(or: " ")
    }
  }

  private var title: some View {
    Text(article.shownTitle).bold(!article.isRead).lineLimit(1)
  }

  private var own: some View {
    HStack {
      if article.alsoIn.isEmpty || width < Self.widthForOthers {
        title
      } else {
        // In a stack of their own, so that the title takes room from the names of the other feeds,
        // not from the date.
        HStack {
          title.layoutPriority(1)
          Text(article.others).foregroundStyle(\.secondary).lineLimit(1).besideTitle()
        }
      }
      Spacer()
      if isPlain, case let words = article.markWords(width), !words.isEmpty {
        Text(words.joined(separator: ", ")).lineLimit(1)
      }
      article.details(days: days, width: width, showsFeed: showsFeed, isPlain: isPlain)
    }
  }
}

extension View {
  /// Shows the view in the columns that a title leaves, unless they are too few to read anything.
  func besideTitle() -> some View {
    ViewThatFits(in: .horizontal) {
      self
      // Cut.
      frame(idealWidth: 8)
      Text("")
    }
  }
}

extension Article {
  /// From these widths on, there is room for more than a title and a date.
  private static let (widthForTime, widthForFeed) = (72, 48)

  /// What is beside the title of an article in a list: its feed, reading time, marks and date, as
  /// far as they fit.
  ///
  /// A part of the row's own view, because a list makes many rows at once.
  ///
  /// - Parameter width: the width of the whole row, in columns.
  @MainActor @ViewBuilder
  func details(days: DayText, width: Int, showsFeed: Bool, isPlain: Bool) -> some View {
    let showsFeed = showsFeed && width >= Self.widthForFeed
    // In columns, what is missing leaves a blank, so that the columns to its left stay aligned.
    let hasColumns = showsFeed || width >= Self.widthForTime
    if !tags.isEmpty, width >= Self.widthForFeed {
      // Not in a frame, which would expand, and so get only the room that the title leaves.
      let limit = max(ReaderList.laterTitle.count, width / 5)
      Text(shownTags.count > limit ? "\(shownTags.prefix(limit - 1))…" : shownTags)
        .foregroundStyle(\.accent).lineLimit(1).layoutPriority(1)
    }
    if showsFeed {
      // A column of its own, narrow enough to leave the title most of the row.
      Text(feedTitle).foregroundStyle(\.secondary).lineLimit(1)
        .frame(width: min(20, width / 5), alignment: .leading)
    }
    if width >= Self.widthForTime {
      Text(readingMinutes.map { "\($0) min" } ?? "     ").foregroundStyle(\.secondary).lineLimit(1)
    }
    // In plain mode, words after the title replace the symbols.
    if !isPlain {
      if hasColumns {
        star(or: " ") + dot(or: " ")
      } else if isStarred || !isRead {
        star(or: "") + dot(or: "")
      }
    }
    if let date = shownDate.map({ days($0) }) ?? (hasColumns ? DayText.blank : nil) {
      Text(date).foregroundStyle(\.secondary).lineLimit(1)
    }
  }
}

extension Article {
  /// The date of the feed as lists show it: not one in the future, as lists are not sorted by it.
  fileprivate var shownDate: Date? { published.map { min($0, listed ?? $0) } }
}

extension Article {
  /// The other feeds that contain the article, too.
  var others: String { "also in \(alsoIn.joined(separator: ", "))" }
}

extension Article {
  @MainActor
  fileprivate func star(or nothing: String) -> Text {
    Text(isStarred ? "★" : nothing).foregroundStyle(\.warning)
  }

  @MainActor
  fileprivate func dot(or nothing: String) -> Text {
    Text(isRead ? nothing : "•").foregroundStyle(\.accent)
  }

  /// The marks in words, for plain mode; with the tags if a row has no room to show them by
  /// themselves.
  fileprivate func markWords(_ width: Int) -> [String] {
    (isRead ? [] : ["unread"]) + (isStarred ? ["starred"] : [])
      + (tags.isEmpty || width >= Self.widthForFeed ? [] : ["tagged \(shownTags)"])
  }
}

private struct NoArticles: View {
  let model: ReaderModel

  var body: some View {
    VStack(alignment: .leading) {
      Text(words)
      // In the list of unread articles, the key shows nothing more.
      if model.arrangement.isOnlyUnread, model.list != .unread {
        KeyHint(.onlyUnread, "to show read ones, too")
      } else if case .feeds(let selection) = model.list {
        KeyHint(.reload, model.hasFetched(selection) ? "to fetch again" : "to fetch them")
      }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
  }

  private var words: String {
    let isOnlyUnread = model.arrangement.isOnlyUnread
    return switch model.list {
    case .unread: "No unread articles."
    case .feeds where isOnlyUnread: "No unread articles."
    // There may be others that are read.
    case _ where isOnlyUnread: "No unread articles in “\(model.listTitle)”."
    case .feeds(.feed(let id)) where model.hasFetched(.feed(id)): "This feed has no articles."
    case .feeds(let selection) where model.hasFetched(selection): "These feeds have no articles."
    case .feeds: "No articles yet."
    case .starred: "No starred articles."
    case .today: "No articles today."
    case .later: "Nothing is to be read later."
    case .muted: "No muted articles."
    case .search(let search): "No articles found for “\(search.text)”."
    }
  }
}
