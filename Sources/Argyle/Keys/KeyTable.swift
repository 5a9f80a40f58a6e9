import Articles
import TerminalUI

/// Every action that keys can be chosen for, and the screens where its keys work.
struct KeyTable {
  /// Parts of the program within which a key has one meaning.
  struct Screens: OptionSet, Hashable {
    let rawValue: Int

    static let feeds = Screens(rawValue: 1)
    static let articles = Screens(rawValue: 2)
    static let article = Screens(rawValue: 4)
    static let drawer = Screens(rawValue: 8)
    static let sock = Screens(rawValue: 16)
    static let gallery = Screens(rawValue: 32)
    static let catalog = Screens(rawValue: 64)
    /// An article while matches of a search in it are shown, during which these keys have no other
    /// meaning.
    static let finding = Screens(rawValue: 128)
    /// The download queue.
    static let downloads = Screens(rawValue: 256)
    static let everywhere = Screens(rawValue: 511)
  }

  /// Actions that work on the same screens.
  struct Section {
    let title: String
    let screens: Screens
    let actions: [KeyAction]
  }

  let sections: [Section]
  /// Each action once, in the order of the sections.
  let actions: [KeyAction]
  private let screens: [KeyAction: Screens]

  init(sections: [Section]) {
    self.sections = sections
    var actions: [KeyAction] = []
    var screens: [KeyAction: Screens] = [:]
    for section in sections {
      for action in section.actions {
        if screens[action] == nil { actions.append(action) }
        screens[action, default: []].formUnion(section.screens)
      }
    }
    (self.actions, self.screens) = (actions, screens)
  }

  /// The actions of this program.
  static let program = KeyTable(sections: [
    Section(
      title: "Everywhere", screens: .everywhere,
      actions: [
        .up, .down, .left, .right, .pageUp, .pageDown, .readOn, .first, .last, .back, .close,
        .cancel, .reload, .details, .retryChange, .dismiss, .showKeys, .inspect, .quit,
        .nextTab, .previousTab,
      ] + KeyAction.tabs.prefix(4)),
    Section(
      title: "Feeds and articles", screens: [.feeds, .articles, .article],
      actions: [
        .nextUnread, .previousUnread, .nextUnreadFeed, .previousUnreadFeed, .markAllRead,
        .undo, .search, .goToList, .showDownloads,
      ]),
    Section(
      title: "Lists of feeds and articles", screens: [.feeds, .articles],
      actions: [
        .onlyUnread, .sortArticles, .groupArticles, .markOlderRead, .reloadAll, .addFeed,
        .addAccount, .saveSearch, .showFailedFeed, .cancelFetch, .cancelAllFetches,
      ]),
    Section(
      title: "Lists of articles", screens: .articles, actions: [.markAboveRead, .markBelowRead]),
    Section(
      title: "Feeds", screens: .feeds,
      actions: [.editFeed, .removeFeed, .removeSearch, .openInBrowser, .copyAddress]),
    Section(
      title: "Articles, in a list and open", screens: [.articles, .article],
      actions: [
        .toggleRead, .markRead, .markUnread, .toggleStar, .star, .unstar, .readLater, .editTags,
        .openInBrowser,
      ]),
    Section(
      title: "An article", screens: .article,
      actions: [
        .leaveArticle, .fullText, .transcript, .chapters, .findInArticle, .chooseLink, .contents,
        .jumpBack, .nextHeading, .previousHeading, .loadPictures,
        .wider, .narrower, .justify, .copyAddress, .copyLink, .saveArticle, .download, .play,
      ]),
    Section(title: "Search results", screens: .articles, actions: [.leaveArticle]),
    Section(
      title: "An article, while words are found in it", screens: .finding,
      actions: [.nextMatch, .previousMatch]),
    Section(
      title: "Downloads", screens: .downloads,
      actions: [
        .toggleDownload, .removeDownload, .togglePlayed, .undo, .moveDownloadUp, .moveDownloadDown,
      ]),
    Section(
      title: "The drawer", screens: .drawer,
      actions: [.addSock, .search, .markSock, .pairSock, .sortSocks, .reverseSocks]),
    Section(
      title: "Socks, in the list and open", screens: [.drawer, .sock],
      actions: [
        .soggier, .drier, .editSock, .removeSock, .findPartner, .unpairSock, .retrySock,
        .forgetSockChange, .undo, .showChanges,
      ]),
    Section(title: "A sock", screens: .sock, actions: [.otherSock]),
    Section(
      title: "The gallery", screens: .gallery,
      actions: [.cancelCell, .retryFailed, .moreAtOnce, .fewerAtOnce]),
    Section(
      title: "The catalog", screens: .catalog,
      actions: [.nextPage, .previousPage, .search, .showCode, .copyCode]),
    Section(
      title: "Scripted loads: the gallery, the catalog and argyle demo",
      screens: .everywhere, actions: [.chooseFaults]),
  ])

  /// Returns the screens where the action's keys work.
  func screens(of action: KeyAction) -> Screens { screens[action] ?? [] }
}

extension KeyTable {
  /// A table for each section, with every action and its default keys: a part of the handbook,
  /// which thus never names a key that does not exist.
  var html: String {
    sections.map { section in
      let rows = section.actions.map { action in
        let keys = action.keys.map { "<code>\("\($0)".escaped)</code>" }
        return
          "<tr><td>\(keys.isEmpty ? "no key" : keys.joined(separator: " "))</td><td>\(action.label.escaped)</td></tr>"
      }
      return
        "<h3>\(section.title.escaped)</h3>\n<table>\n\(rows.joined(separator: "\n"))\n</table>"
    }.joined(separator: "\n")
  }
}
