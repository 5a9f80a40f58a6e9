import Articles
import TerminalUI

/// The lists and the open article: side by side if there is room, else one of them.
struct ReaderScreen: View {
  let model: ReaderModel
  let days: DayText
  @Environment(\.isPlain) private var isPlain
  @Environment(\.terminal) private var terminal
  @FocusState private var focus: LibraryScreen.Pane?
  @FocusState private var searchFocus: SearchPane.Part?

  /// From this width on, the open article is shown beside the lists.
  private static let widthForAll = 120
  private static let listWidths = 66...96

  var body: some View {
    GeometryReader { size in
      let isWide = !isPlain && size.width >= Self.widthForAll
      HStack(alignment: .top, spacing: 0) {
        let article = isWide ? model.openArticle : nil
        LibraryScreen(model: model, days: days, focus: $focus, searchFocus: $searchFocus)
          .frame(width: article == nil ? size.width : listWidth(of: size.width))
        if let article {
          Divider(.vertical).padding(.horizontal)
          ReadingPane(model: model, article: article, days: days)
        }
      }
      .navigationDestination(item: destination(isShown: !isWide)) { article in
        ArticleScreen(model: model, article: article, days: days)
      }
      .sheet(isPresented: model.shows(.downloads), title: "Downloads") {
        DownloadSheet(model: model, days: days, size: size)
      }
      .onKeyPress(action: .search, footer: .ifRoom) {
        // The search replaces the list, which an article that fills the screen would cover.
        if !isWide { model.close() }
        model.openSearch()
        // At once, so that keys typed right after this one go to the field.
        searchFocus = .field
      }
    }
    .onKeyPress(action: .goToList, footer: .ifRoom) { model.sheet = .lists }
    .sheet(isPresented: model.shows(.lists), title: "Go to") {
      ListFinderSheet(model: model) { list in
        model.go(to: list)
        focus = .articles
      }
    }
    .onKeyPress(action: .showDownloads, footer: .never) { model.showDownloads() }
    .onChange(of: model.downloads.stored.latestValue, initial: true) { before, _ in
      model.downloads.start()
      model.tellFailedDownload(since: before)
    }
    .task { await model.downloads.source.purge(nil) }
    .sheet(isPresented: model.shows(.tags), title: "Tags", closeLabel: "cancel") {
      TagSheet(model: model)
    }
    // A pane with another use for one of these keys binds it further in, which takes precedence.
    .onKeyPress(action: .nextUnread, footer: .ifRoom) { model.openNextUnread() }
    .onKeyPress(action: .previousUnread, footer: .ifRoom) { model.openPreviousUnread() }
    .onKeyPress(action: .nextUnreadFeed, footer: .never) {
      if model.goToUnreadFeed(.next) { focus = .articles }
    }
    .onKeyPress(action: .previousUnreadFeed, footer: .never) {
      if model.goToUnreadFeed(.previous) { focus = .articles }
    }
    .onKeyPress(action: .markAllRead, footer: .ifRoom) { model.markRead(.all) }
    // Without a change to undo, the key still says that there is none.
    .onKeyPress(action: .undo, footer: model.canUndo ? .ifRoom : .never) { model.undo() }
    // This covers articles that were opened from the feeds with the key for the next unread one. It
    // is not part of the screen of the lists, which is not updated while an article covers it.
    .onChange(of: model.openArticle == nil) { _, isClosed in
      guard isClosed else { return }
      if model.search.isOpen {
        model.search.wantsResults = true
      } else {
        model.showsFeeds = false
        focus = .articles
      }
    }
    .onChange(of: model.bells) { terminal?.ringBell() }
    .onChange(of: model.next.latestValue) { model.take($1) }
    .onChange(of: model.marks.failedMutations.count) { before, now in
      if now > before { model.withdrawNoticeOfFailedMark() }
    }
    .onChange(of: model.marks.latestValue?.swept) { model.tell($1) }
    .onChange(of: model.marks.latestValue?.undone) { model.tell($1) }
    .onChange(of: model.marks.latestValue?.feedChange) { model.tell($1) }
    .onChange(of: model.feedEditor.addition.latestValue) { model.take($1) }
    .onChange(of: model.arrivedList) { model.show($1) }
  }

  private func listWidth(of width: Int) -> Int {
    min(max(width * 9 / 20, Self.listWidths.lowerBound), Self.listWidths.upperBound)
  }

  private func destination(isShown: Bool) -> Binding<Article?> {
    Binding(
      get: { isShown ? model.openArticle : nil }, set: { if $0 == nil { model.close() } })
  }
}

extension ReaderModel {
  /// An opened article, with a number that tells repeated openings apart.
  struct Opening: Hashable {
    let article: Article.ID
    let number: Int
  }

  /// The article that was opened last, once its text or its error is on the screen.
  var readable: Opening? {
    guard let id = openArticle?.id, let document = documents.resource(ifPresent: id) else {
      return nil
    }
    return document.lastResult == nil ? nil : Opening(article: id, number: openings)
  }
}

/// The article beside the lists.
private struct ReadingPane: View {
  let model: ReaderModel
  let article: Article
  let days: DayText
  @FocusState private var isReading: Bool

  var body: some View {
    ArticleScreen(model: model, article: article, days: days)
      // Each article has a screen of its own, so that the next one begins at its top.
      .id(article.id)
      .onKeyPress(action: .back, .left, label: "lists") { isReading = false }
      .focusSection().focused($isReading)
      // Not earlier, since a text that is still loading cannot have the focus.
      .onChange(of: model.readable, initial: true) { _, opening in
        if opening != nil { isReading = true }
      }
  }
}
