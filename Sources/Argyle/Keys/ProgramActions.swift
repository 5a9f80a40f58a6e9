import TerminalUI

// The actions of this program. A view binds an action by its name; `KeyTable` lists it with the
// screens where it works. An action that is missing there cannot be given other keys.

extension KeyAction {
  // Everywhere.
  static let showKeys = KeyAction(
    "show-keys", keys: "?", KeyPress(.function(1)), label: "keys")
  static let inspect = KeyAction(
    "inspect", keys: KeyPress(.function(12)), label: "what is loading")
  static let quit = KeyAction("quit", keys: "q", KeyPress(.function(10)), "Q", label: "quit")
  static let undo = KeyAction("undo", keys: "u", label: "undo")

  // Articles.
  static let nextUnread = KeyAction("next-unread", keys: "n", label: "next unread")
  static let previousUnread = KeyAction("previous-unread", keys: "p", label: "previous unread")
  static let nextUnreadFeed = KeyAction(
    "next-unread-feed", keys: ")", label: "next unread feed")
  static let previousUnreadFeed = KeyAction(
    "previous-unread-feed", keys: "(", label: "previous unread feed")
  static let toggleRead = KeyAction("toggle-read", keys: "m", "N", label: "mark read or unread")
  static let toggleStar = KeyAction("toggle-star", keys: "s", label: "star on or off")
  // For macros and keys of the user's own: what these do does not depend on the article.
  static let markRead = KeyAction("mark-read", label: "mark read")
  static let markUnread = KeyAction("mark-unread", label: "mark unread")
  static let star = KeyAction("star", label: "star")
  static let unstar = KeyAction("unstar", label: "remove the star")
  static let readLater = KeyAction("read-later", keys: "b", label: "read later")
  static let editTags = KeyAction("edit-tags", keys: "T", label: "tags")
  static let markAllRead = KeyAction("mark-all-read", keys: "A", label: "mark all read")
  static let markAboveRead = KeyAction(
    "mark-above-read", keys: "K", label: "mark above read")
  static let markBelowRead = KeyAction(
    "mark-below-read", keys: "J", label: "mark below read")
  static let markOlderRead = KeyAction(
    "mark-older-read", keys: "M", label: "mark older read")
  static let openInBrowser = KeyAction("open-in-browser", keys: "o", label: "open in browser")
  static let reloadAll = KeyAction("reload-all", keys: "R", label: "reload all feeds")
  static let goToList = KeyAction("go-to-list", keys: "L", label: "go to a list")
  static let onlyUnread = KeyAction("only-unread", keys: "U", label: "only unread")
  static let sortArticles = KeyAction(
    "sort-articles", keys: "O", label: "sort articles")
  static let groupArticles = KeyAction(
    "group-articles", keys: "v", label: "group articles")
  static let showFailedFeed = KeyAction("show-failed-feed", keys: "!", label: "next failed feed")

  // Quits elsewhere; here and in search results it goes back, as in newsboat. If the user gives this
  // action no key, q quits here too.
  static let leaveArticle = KeyAction("leave-article", keys: "q", label: "back to the list")
  // Only within an article: elsewhere / searches all articles.
  static let findInArticle = KeyAction("find-in-article", keys: "/", label: "find in article")
  // Only while matches are shown; until then these keys go to unread articles and mark articles.
  static let nextMatch = KeyAction("next-match", keys: "n", label: "next match")
  static let previousMatch = KeyAction("previous-match", keys: "N", label: "previous match")
  static let fullText = KeyAction("full-text", keys: "w", label: "full text")
  static let transcript = KeyAction("transcript", keys: "W", label: "transcript")
  static let chapters = KeyAction("chapters", keys: "c", label: "chapters")
  static let jumpBack = KeyAction(
    "jump-back", keys: .control("o"), .backspace, label: "to where you were")
  static let contents = KeyAction("contents", keys: "t", label: "table of contents")
  static let chooseLink = KeyAction("choose-link", keys: "f", label: "follow a link")
  static let copyAddress = KeyAction("copy-address", keys: "y", label: "copy address")
  static let copyLink = KeyAction("copy-link", keys: "Y", label: "copy a link's address")
  static let saveArticle = KeyAction("save-article", keys: "S", label: "save as Markdown")
  static let download = KeyAction("download", keys: "D", label: "download")
  static let play = KeyAction("play", keys: "P", label: "play")
  static let showDownloads = KeyAction("show-downloads", keys: "I", label: "downloads")
  static let toggleDownload = KeyAction("toggle-download", keys: "s", label: "stop or go on")
  static let removeDownload = KeyAction("remove-download", keys: "x", .delete, label: "remove")
  static let togglePlayed = KeyAction("toggle-played", keys: "m", label: "played or not")
  static let moveDownloadUp = KeyAction("move-download-up", keys: "K", label: "move up")
  static let moveDownloadDown = KeyAction("move-download-down", keys: "J", label: "move down")
  static let wider = KeyAction("wider", keys: ">", label: "wider lines")
  static let narrower = KeyAction("narrower", keys: "<", label: "narrower lines")
  // Only while there are pictures to load; otherwise the key goes to the previous unread article.
  static let loadPictures = KeyAction("load-pictures", keys: "p", label: "load pictures")
  static let justify = KeyAction("justify", keys: "J", label: "justify lines on or off")

  // Feeds.
  static let addFeed = KeyAction("add-feed", keys: "a", label: "add a feed")
  static let addAccount = KeyAction("add-account", keys: "@", label: "add an account")
  static let editFeed = KeyAction("edit-feed", keys: "e", "E", label: "edit")
  static let removeFeed = KeyAction("remove-feed", keys: "x", .delete, label: "remove")

  // A function key, since letters are text while the user types the search.
  static let saveSearch = KeyAction(
    "save-search", keys: KeyPress(.function(2)), label: "save this search")
  static let removeSearch = KeyAction(
    "remove-search", keys: "x", .delete, label: "remove this search")

  static let cancelFetch = KeyAction("cancel-fetch", keys: "c", label: "cancel")
  static let cancelAllFetches = KeyAction(
    "cancel-all-fetches", keys: "C", label: "cancel all fetches")

  // Socks.
  static let soggier = KeyAction("soggier", keys: "+", label: "soggier")
  static let drier = KeyAction("drier", keys: "-", label: "drier")
  static let addSock = KeyAction("add-sock", keys: "a", label: "add")
  static let editSock = KeyAction("edit-sock", keys: "e", label: "edit")
  static let removeSock = KeyAction("remove-sock", keys: "x", .delete, label: "remove")
  static let pairSock = KeyAction("pair-sock", keys: "p", label: "pair")
  static let unpairSock = KeyAction("unpair-sock", keys: "P", label: "separate the pair")
  static let findPartner = KeyAction("find-partner", keys: "f", label: "find a partner")
  static let otherSock = KeyAction("other-sock", keys: "g", label: "partner")
  static let sortSocks = KeyAction("sort-socks", keys: "s", label: "sort")
  static let reverseSocks = KeyAction("reverse-socks", keys: "S", label: "reverse order")
  static let markSock = KeyAction("mark-sock", keys: "t", label: "mark")
  static let showChanges = KeyAction("show-changes", keys: "c", label: "changes")
  static let retrySock = KeyAction("retry-sock", keys: "R", label: "retry change")
  static let forgetSockChange = KeyAction("forget-sock-change", keys: "X", label: "discard change")

  // The gallery.
  static let cancelCell = KeyAction("cancel-cell", keys: "c", label: "cancel")
  static let retryFailed = KeyAction("retry-failed", keys: "R", label: "retry all failed")
  static let moreAtOnce = KeyAction("more-at-once", keys: "+", label: "more at once")
  static let fewerAtOnce = KeyAction("fewer-at-once", keys: "-", label: "fewer at once")

  // The catalog.
  static let nextPage = KeyAction("next-page", keys: "n", label: "next page")
  static let previousPage = KeyAction("previous-page", keys: "p", label: "previous page")
  static let showCode = KeyAction("show-code", keys: "w", label: "Swift or events")
  static let copyCode = KeyAction("copy-code", keys: "y", label: "copy the Swift")
  static let chooseFaults = KeyAction(
    "choose-faults", keys: KeyPress(.function(9)), label: "faults")
}
