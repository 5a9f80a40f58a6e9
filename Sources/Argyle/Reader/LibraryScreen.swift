import TerminalUI

/// The feeds and the articles: side by side, or one of the two on a narrow screen.
struct LibraryScreen: View {
  let model: ReaderModel
  let days: DayText
  @FocusState.Binding var focus: Pane?
  @FocusState.Binding var searchFocus: SearchPane.Part?
  @Environment(\.isPlain) private var isPlain

  enum Pane { case feeds, articles }

  /// From this width on, there is room for both.
  private static let widthForBoth = 66

  var body: some View {
    GeometryReader { size in
      // A screen reader reads a line as a whole, so plain mode shows one pane at a time.
      let showsBoth = !isPlain && size.width >= Self.widthForBoth
      HStack(alignment: .top, spacing: 0) {
        FeedPane(model: model, days: days, focus: $focus)
          .focused($focus, equals: .feeds)
          .frame(width: showsBoth ? feedsWidth(of: size.width) : size.width)
          .collapsed(!showsBoth && !model.showsFeeds)
        if showsBoth { Divider(.vertical).padding(.horizontal) }
        Group {
          if model.search.isOpen {
            SearchPane(model: model, days: days, focus: $searchFocus, paneFocus: $focus)
          } else {
            ArticlePane(model: model, days: days, focus: $focus)
              .focused($focus, equals: .articles)
          }
        }
        .collapsed(!showsBoth && model.showsFeeds)
      }
    }
    // A window that becomes narrow shows the pane that has the focus, however that came there.
    .onChange(of: focus) { if let pane = $1 { model.showsFeeds = pane == .feeds } }
    .onKeyPress(action: .reload) { model.reload(days) }
    .onKeyPress(action: .reloadAll, footer: .ifRoom) { model.reloadAll(days) }
    .onKeyPress(action: .onlyUnread, footer: .never, when: !model.search.isOpen) {
      model.toggleOnlyUnread()
    }
    .onKeyPress(action: .sortArticles, footer: .never, when: !model.search.isOpen) {
      model.sortArticles()
    }
    .onKeyPress(action: .groupArticles, footer: .never, when: !model.search.isOpen) {
      model.toggleGroups()
    }
    .onKeyPress(
      action: .markOlderRead, footer: .never, when: !model.search.isOpen && !model.hasNoFeeds
    ) { model.sheet = .olderArticles }
    .sheet(
      isPresented: model.shows(.olderArticles), title: "Mark as read", closeLabel: "cancel"
    ) { OlderArticlesSheet(model: model) }
    .onKeyPress(action: .showFailedFeed, footer: .ifRoom, when: model.hasFailedFeed) {
      model.selectNextFailedFeed()
      model.show(.feeds, $focus)
    }
    .onKeyPress(action: .cancelAllFetches, footer: .ifRoom, when: !model.fetching.isEmpty) {
      model.cancelFetches(of: .all)
    }
    .onKeyPress(action: .addFeed, footer: model.hasNoFeeds ? .first : .ifRoom) { model.addFeed() }
    .onPaste { model.paste($0) }
    .onKeyPress(action: .addAccount, footer: .never) { model.feedEditor.open(.addAccount) }
    .sheet(
      isPresented: isEditing, title: model.feedEditor.title,
      closeLabel: model.feedEditor.hasImported ? nil : "cancel"
    ) { FeedSheet(model: model) }
  }

  /// Returns the configured width, limited to half of the room; by default, a third of it, at most
  /// 32.
  private func feedsWidth(of width: Int) -> Int {
    model.settings.feedsWidth.map { min($0, width / 2) } ?? min(32, width / 3)
  }

  private var isEditing: Binding<Bool> {
    Binding(
      get: { model.feedEditor.sheet != nil }, set: { if !$0 { model.closeFeedSheet() } })
  }
}

extension ReaderModel {
  /// Moves to the other pane, which replaces the current one if both do not fit.
  func show(_ pane: LibraryScreen.Pane, _ focus: FocusState<LibraryScreen.Pane?>.Binding) {
    if pane == .articles { search.isOpen = false }
    showsFeeds = pane == .feeds
    focus.wrappedValue = pane
  }
}
