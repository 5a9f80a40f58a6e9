import Articles
import Loading
import TerminalUI

/// The feeds and the articles: side by side, or one of them where the screen is narrow.
struct LibraryScreen: View {
  let model: ReaderModel
  let days: DayText

  /// From this width on there is room for both.
  private static let widthForBoth = 72

  var body: some View {
    GeometryReader { size in
      let showsBoth = size.width >= Self.widthForBoth
      HStack(alignment: .top, spacing: 0) {
        if showsBoth || model.showsFeeds {
          FeedPane(model: model, isAlone: !showsBoth)
            .frame(width: showsBoth ? min(32, size.width / 3) : size.width)
          if showsBoth { Divider(.vertical).padding(.horizontal) }
        }
        if showsBoth || !model.showsFeeds {
          ArticlePane(model: model, days: days, isAlone: !showsBoth)
        }
      }
    }
    .onKeyPress("r", label: "reload") { model.reload() }
  }
}

/// The feeds, one of which is selected.
struct FeedPane: View {
  let model: ReaderModel
  let isAlone: Bool

  var body: some View {
    VStack(alignment: .leading) {
      HStack {
        Text("Feeds").bold().foregroundStyle(\.accent)
        Spacer()
      }
      AsyncContentView(model.feeds) { feeds in
        List(
          [FeedRow(feeds)] + feeds.map(FeedRow.init), selection: selection, submitLabel: "show",
          onSubmit: { row in
            model.select(row.id)
            model.showsFeeds = false
          }
        ) { $0 }
      }
      .placeholder(FeedSummary.samples)
    }
    .onKeyPress(.right, "l", label: "articles", when: isAlone) { model.showsFeeds = false }
    .focusSection()
  }

  private var selection: Binding<FeedSelection?> {
    Binding(
      get: { model.selection },
      modify: { change in
        var selection: FeedSelection? = model.selection
        change(&selection)
        if let selection { model.select(selection) }
      })
  }
}

/// A line of the list of feeds.
struct FeedRow: View, Identifiable {
  let id: FeedSelection
  let title: String
  let count: Int
  let hasFailed: Bool

  init(_ summary: FeedSummary) {
    id = .feed(summary.id)
    title = summary.feed.title.isEmpty ? summary.feed.address : summary.feed.title
    count = summary.articleCount
    hasFailed = summary.failure != nil
  }

  /// The line for all feeds together.
  init(_ all: [FeedSummary]) {
    id = .all
    title = "All articles"
    count = all.reduce(0) { $0 + $1.articleCount }
    hasFailed = false
  }

  var body: some View {
    HStack {
      Text(title).lineLimit(1)
      Spacer()
      if hasFailed { Text("✗").foregroundStyle(\.failure) }
      Text("\(count)").foregroundStyle(\.secondary)
    }
  }
}

/// The articles of the selected feeds.
struct ArticlePane: View {
  let model: ReaderModel
  let days: DayText
  let isAlone: Bool

  var body: some View {
    let articles = model.articles
    VStack(alignment: .leading) {
      HStack {
        Text(title).bold().foregroundStyle(\.accent).lineLimit(1)
        Spacer()
        LoadingIndicator(articles)
      }
      AsyncContentView(articles) { articles in
        List(articles, onSubmit: { model.openArticle = $0 }) { article in
          ArticleRow(article: article, days: days)
        }
      }
      .placeholder(Article.samples)
      .empty(when: \.isEmpty) { NoArticles() }
      // The pane's title line says it: over the rows it would cover a date.
      .loadingViewStyle(afterValue: LoadingViewStyle.none)
    }
    .onKeyPress(.escape, .left, "h", label: "feeds", when: isAlone) { model.showsFeeds = true }
    .focusSection()
    .defaultFocus()
  }

  private var title: String {
    guard case .feed(let id) = model.selection else { return "All articles" }
    let feed = model.feeds.latestValue?.first { $0.id == id }?.feed
    return feed.map { $0.title.isEmpty ? $0.address : $0.title } ?? "Articles"
  }
}

/// A line of the list of articles.
struct ArticleRow: View {
  let article: Article
  let days: DayText

  var body: some View {
    HStack {
      Text(article.title.isEmpty ? "Untitled" : article.title).lineLimit(1)
      Spacer()
      if let date = article.published {
        Text(days(date)).foregroundStyle(\.secondary).lineLimit(1)
      }
    }
  }
}

private struct NoArticles: View {
  var body: some View {
    VStack(alignment: .leading) {
      Text("No articles here yet.")
      (Text("r").bold().foregroundStyle(\.accent) + Text(" to ask for them"))
        .foregroundStyle(\.secondary)
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
    .focusable()
  }
}
