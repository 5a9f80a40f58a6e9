import Articles
import Loading
import TerminalUI

/// The articles of the list.
struct ArticlePane: View {
  let model: ReaderModel
  let days: DayText
  let isAlone: Bool
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    let articles = model.articles
    GeometryReader { size in
      VStack(alignment: .leading) {
        HStack {
          Text(title).bold().foregroundStyle(\.accent).lineLimit(1)
          Spacer()
          LoadingIndicator(articles)
        }
        AsyncContentView(articles) { articles in
          List(articles, selection: Binding(model, \.selectedArticle), onSubmit: model.open) {
            ArticleRow(
              article: model.current($0), days: days, width: size.width, showsFeed: showsFeed)
          }
        }
        .placeholder(Article.samples)
        .empty(when: \.isEmpty) { NoArticles(list: model.list) }
        // The pane's title line says it: over the rows it would cover a date.
        .loadingViewStyle(afterValue: LoadingViewStyle.none)
        .accessibilityLabel(title)
      }
    }
    // What a key has marked is said in plain mode.
    .announced(isPlain ? selectedMarks : "")
    // The first row is selected from the start, and stays so when rows come in above it.
    .onChange(of: articles.latestValue?.first?.id, initial: true) {
      if model.selectedArticle == nil { model.selectedArticle = $1 }
    }
    .articleKeys(model) { model.selected }
    .onKeyPress(action: .markAllRead, inFooter: false) { model.markAllRead() }
    .onKeyPress(action: .back, .left, label: "feeds", when: isAlone) { model.showsFeeds = true }
    .focusSection("Articles")
    .defaultFocus()
  }

  private var selectedMarks: String {
    guard let article = model.selected.map(model.current) else { return "" }
    return (article.isRead ? "Read" : "Unread") + (article.isStarred ? ", starred." : ".")
  }

  private var title: String {
    switch model.list {
    case .unread: return "Unread"
    case .starred: return "Starred"
    case .today: return "Today"
    case .search(let search): return search.name
    case .feeds(.all): return "All articles"
    case .feeds(.folder(let folder)): return folder.path.joined(separator: " / ")
    case .feeds(.tag(let tag)): return tag
    case .feeds(.feed(let id)):
      let feed = model.feeds.latestValue?.first { $0.id == id }?.feed
      return feed?.shownTitle ?? "Articles"
    }
  }

  private var showsFeed: Bool {
    if case .feeds(.feed) = model.list { false } else { true }
  }
}

extension View {
  /// What can be done with an article, in the list and while it is read; `article` is asked when a
  /// key is pressed.
  func articleKeys(
    _ model: ReaderModel, _ article: @escaping @MainActor () -> Article?
  ) -> some View {
    onKeyPress(action: .nextUnread, inFooter: false) { model.openNextUnread() }
      .onKeyPress(action: .toggleRead, inFooter: false) {
        article().map(model.toggleRead)
      }
      .onKeyPress(action: .toggleStar, inFooter: false) {
        article().map(model.toggleStar)
      }
      .onKeyPress(action: .undo, inFooter: false) { model.undo() }
  }
}

/// A line of the list of articles.
struct ArticleRow: View {
  let article: Article
  let days: DayText
  /// The room that there is, in columns.
  let width: Int
  let showsFeed: Bool
  @Environment(\.isPlain) private var isPlain

  /// From these widths on there is room for more than a title and a date.
  private static let (widthForTime, widthForFeed) = (56, 84)

  var body: some View {
    HStack {
      Text(article.title.isEmpty ? "Untitled" : article.title).bold(!article.isRead).lineLimit(1)
      Spacer()
      if isPlain, !article.markWords.isEmpty {
        Text(article.markWords.joined(separator: ", ")).lineLimit(1)
      }
      if showsFeed, width >= Self.widthForFeed {
        Text(article.feedTitle).foregroundStyle(\.secondary).lineLimit(1).frame(maxWidth: 24)
      }
      if let minutes = article.readingMinutes, width >= Self.widthForTime {
        Text("\(minutes) min").foregroundStyle(\.secondary).lineLimit(1)
        // A mark that it has not leaves its room: what stands to the left is a column.
        if !isPlain { star(or: " ") + dot(or: " ") }
      } else if !isPlain, article.isStarred || !article.isRead {
        star(or: "") + dot(or: "")
      }
      if let date = article.published {
        Text(days(date)).foregroundStyle(\.secondary).lineLimit(1)
      }
    }
  }

  private func star(or nothing: String) -> Text {
    Text(article.isStarred ? "★" : nothing).foregroundStyle(\.warning)
  }

  private func dot(or nothing: String) -> Text {
    Text(article.isRead ? nothing : "•").foregroundStyle(\.accent)
  }
}

extension Article {
  /// Its marks in words, where symbols would be read out.
  fileprivate var markWords: [String] {
    (isRead ? [] : ["unread"]) + (isStarred ? ["starred"] : [])
  }
}

private struct NoArticles: View {
  let list: ReaderList

  var body: some View {
    VStack(alignment: .leading) {
      Text(words)
      if case .feeds = list {
        KeyHint(.reload, "to ask for them")
      }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
    .focusable()
  }

  private var words: String {
    switch list {
    case .feeds: "No articles here yet."
    case .unread: "Everything is read."
    case .starred: "No article has a star."
    case .today: "Nothing came today."
    case .search(let search): "Nothing is found for “\(search.text)”."
    }
  }
}
