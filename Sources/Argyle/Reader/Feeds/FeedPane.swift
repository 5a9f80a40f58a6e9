import Articles
import Loading
import TerminalUI

/// The lists across all feeds, and the feeds in their folders, one of which is selected.
struct FeedPane: View {
  let model: ReaderModel
  let days: DayText
  @FocusState.Binding var focus: LibraryScreen.Pane?
  @Environment(\.terminal) private var terminal

  /// From this height on, there is room for the status of the selected feed.
  private static let heightForStatus = 12

  var body: some View {
    GeometryReader { size in
      VStack(alignment: .leading) {
        HStack {
          Text("Feeds").paneTitle()
          Spacer()
        }
        AsyncContentView(model.feeds) { feeds in
          VStack(alignment: .leading) {
            FeedList(
              feeds: feeds, model: model, days: days, width: size.width,
              shown: shownInAnyCase, closed: model.foldersShownClosed,
              isOnlyUnread: model.arrangement.isOnlyUnread, submitLabel: submitLabel,
              focus: $focus)
            if size.height >= Self.heightForStatus, let account = model.selectedAccount {
              AccountStatus(summary: account, model: model, days: days)
            } else if size.height >= Self.heightForStatus, model.hasNoFeeds {
              NoFeeds()
            } else if size.height >= Self.heightForStatus, let feed = selectedFeed(of: feeds) {
              FeedStatus(
                feed: feed, isFetched: model.fetching[feed.id] != nil, days: days,
                quiet: model.quiet)
            }
          }
        }
        .placeholder(FeedSummary.samples)
        .accessibilityLabel("Feeds")
      }
    }
    .onKeyPress(action: .cancelFetch, .cancel, when: model.hasFetchToCancel) {
      model.cancelFetches()
    }
    .onKeyPress(action: .removeSearch, when: model.selectedSearch != nil) {
      if let search = model.selectedSearch { model.remove(search) }
    }
    .onKeyPress(action: .addFeed) { model.addFeed() }
    .onKeyPress(
      action: .editFeed,
      label: model.selectedAccount != nil
        ? "password" : model.selectedFeed == nil ? "rename" : nil,
      when: model.selectedFeed != nil || model.selectedFolder != nil
        || model.selectedAccount != nil || model.selectedSearch != nil
    ) { model.editFeed() }
    .onKeyPress(
      action: .removeFeed, label: model.selectedFolder == nil ? nil : "remove the folder",
      when: model.selectedFeed != nil || model.selectedFolder != nil || model.selectedAccount != nil
    ) {
      model.removeFeed()
    }
    .onKeyPress(action: .openInBrowser, footer: .never, when: model.selectedFeed != nil) {
      model.openSite()
    }
    .onKeyPress(action: .copyAddress, footer: .never, when: model.selectedFeed != nil) {
      model.copy(model.selectedFeed?.address, by: terminal)
    }
    .onKeyPress(
      action: .right,
      label: isOnClosedFolder ? "open folder" : hasResults ? "results" : "articles", footer: .ifRoom
    ) {
      goRight()
    }
    .onKeyPress(
      action: .left, label: isOnOpenFolder ? "close folder" : "to the folder", footer: .ifRoom,
      when: isOnOpenFolder || model.folderAround != nil
    ) { goLeft() }
    .onKeyPress(action: .nextUnread, footer: .ifRoom) {
      model.show(.articles, $focus)
      model.openNextUnread(includingSelected: true)
    }
    .onAppear { model.counts.load(.drop, cause: .appeared) }
    .focusSection("Feeds")
  }

  // MARK: Folders

  private var isOnClosedFolder: Bool { model.selectedFolder.map(model.isClosed) ?? false }
  private var isOnOpenFolder: Bool { model.selectedFolder != nil && !isOnClosedFolder }

  /// Whether the results of a search are beside the feeds.
  private var hasResults: Bool { model.search.isOpen && !model.search.found.isEmpty }

  /// Opens a closed folder; on any other row, goes to the articles.
  private func goRight() {
    if let folder = model.selectedFolder, isOnClosedFolder {
      model.setClosed(false, folder)
    } else if hasResults {
      model.showsFeeds = false
      model.search.wantsResults = true
    } else {
      model.show(.articles, $focus)
    }
  }

  /// Closes an open folder; on any other row, goes to its folder.
  private func goLeft() {
    if let folder = model.selectedFolder, isOnOpenFolder {
      model.setClosed(true, folder)
    } else if let folder = model.folderAround {
      model.select(.feeds(.folder(folder)))
    }
  }

  private var submitLabel: String {
    model.selectedFolder == nil ? "articles" : isOnClosedFolder ? "open folder" : "close folder"
  }

  /// The current list, if its row could be left out.
  private var shownInAnyCase: ReaderList? {
    switch model.list {
    case .later, .muted: model.list
    case .feeds where model.arrangement.isOnlyUnread: model.list
    default: nil
    }
  }

  private func selectedFeed(of feeds: [FeedSummary]) -> FeedSummary? {
    guard case .feeds(.feed(let id)) = model.list else { return nil }
    return feeds.first { $0.id == id }
  }
}

/// The list of feeds, whose rows are made again only when their content changes, but not for the
/// progress of fetches or another selection.
private struct FeedList: View {
  let feeds: [FeedSummary]
  let model: ReaderModel
  let days: DayText
  let width: Int
  /// The list whose row stays, even if it would be left out otherwise.
  let shown: ReaderList?
  /// The folders whose feeds are hidden.
  let closed: Set<FeedFolder>
  /// Whether feeds and folders without unread articles are left out.
  let isOnlyUnread: Bool
  let submitLabel: String
  @FocusState.Binding var focus: LibraryScreen.Pane?

  var body: some View {
    List(
      FeedRow.rows(
        of: feeds, model.counts.latestValue, searches: model.searches,
        found: model.unreadFound.latestValue ?? [:],
        accounts: model.accounts.latestValue ?? [],
        closed: closed,
        shown: shown, isOnlyUnread: isOnlyUnread),
      selection: selection, submitLabel: submitLabel, onSubmit: submit
    ) { FeedRowView(row: $0, model: model, days: days, width: width) }
  }

  private func submit(_ row: FeedRow) {
    if case .feeds(.folder(let folder)) = row.id { return model.toggle(folder) }
    model.select(row.id)
    model.show(.articles, $focus)
  }

  private var selection: Binding<ReaderList?> {
    Binding(get: { model.list }, set: { $0.map(model.select) })
  }
}

/// How to add a first feed.
private struct NoFeeds: View {
  var body: some View {
    Text("You have no feeds yet.").foregroundStyle(\.secondary)
    KeyHint(.addFeed, "to add one").lineLimit(1)
    KeyHint(.addAccount, "to sync with a server").lineLimit(1)
  }
}
