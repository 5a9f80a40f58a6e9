import Articles
import Foundation
import Loading
import TerminalUI

/// The actions on feeds: add, edit, remove.
extension ReaderModel {
  /// The feed that the feed actions apply to; nil if a list, a folder or the handbook is selected.
  var selectedFeed: Feed? {
    guard case .feeds(.feed(let id)) = list, id.rawValue > 0 else { return nil }
    return feeds.latestValue?.first { $0.id == id }?.feed
  }

  var selectedFolder: FeedFolder? {
    if case .feeds(.folder(let folder)) = list { folder } else { nil }
  }

  /// Whether no feed was added yet.
  var hasNoFeeds: Bool { feeds.latestValue?.allSatisfy { $0.id.rawValue < 0 } ?? false }

  func hasFeed(at address: String) -> Bool {
    feeds.latestValue?.contains { $0.feed.address == address } ?? false
  }

  /// Whether the latest fetch of every feed in a selection succeeded.
  func hasFetched(_ selection: FeedSelection) -> Bool {
    let feeds = (feeds.latestValue ?? []).filter {
      $0.id.rawValue > 0 && selection.contains($0.feed)
    }
    return !feeds.isEmpty && feeds.allSatisfy { $0.feed.lastFetched != nil && $0.failure == nil }
  }

  /// The folders of all feeds, with their parents.
  var folders: [FeedFolder] {
    let paths = (feeds.latestValue ?? []).compactMap(\.feed.folder).flatMap { folder in
      folder.path.indices.compactMap { FeedFolder(Array(folder.path[...$0])) }
    }
    return Set(paths).sorted()
  }

  /// Opens the sheet for a new feed, in the account whose row, or one of whose feeds, is selected.
  func addFeed(at address: String = "") {
    feedEditor.account = selectedAccount?.account ?? selectedFeed?.account.flatMap(account)?.account
    feedEditor.open(.add)
    feedEditor[.address] = address
  }

  /// Opens the form with a pasted address of a feed, or with several, which the form refuses.
  func paste(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let words = text.split(whereSeparator: \.isWhitespace)
    let isPath = Self.isPath(text)
    let isWord = words.count == 1
    let hasMark = text.contains(".") || text.dropLast().contains(":")
    let isAddress =
      isWord && (hasMark || ["/", "~"].contains(text.prefix(1)))
      || !words.isEmpty && words.allSatisfy { $0.contains("://") }
    guard isPath || isAddress else { return say("What was pasted is not the address of a feed.") }
    // A path may have several spaces in a row.
    addFeed(at: isPath ? text : words.joined(separator: " "))
  }

  /// Whether a text is one line that begins as a path with a folder, which may have spaces in it, does.
  private static func isPath(_ text: String) -> Bool {
    guard !text.contains(where: \.isNewline) else { return false }
    let rest = text.dropFirst()
    return text.hasPrefix("~/")
      || text.hasPrefix("/") && rest.first.map { $0.isLetter || $0.isNumber } == true
        && rest.contains("/")
  }

  /// Edits the selected feed, or renames the selected folder or search.
  func editFeed() {
    if let feed = selectedFeed {
      feedEditor.open(.edit(feed))
    } else if let folder = selectedFolder {
      feedEditor.open(.renameFolder(folder))
    } else if let search = selectedSearch {
      feedEditor.open(.renameSearch(search))
    } else if let summary = selectedAccount {
      feedEditor.open(.password(summary.account))
    }
  }

  /// Removes the selected feed, or the selected folder, whose feeds stay.
  func removeFeed() {
    if let summary = selectedAccount { return feedEditor.open(.removeAccount(summary)) }
    if let folder = selectedFolder {
      let place = folder.parent.map { "in “\($0.text)”" } ?? "in no folder"
      return change(
        "Removed the folder “\(folder.text)”; what was in it is \(place) now.", .undo,
        loss: "The folder “\(folder.text)” was not removed.", gone: Self.isGone(folder)
      ) { try await $0.removeFolder(folder) }
    }
    guard let feed = selectedFeed else { return }
    let title = "“\(shortTitle(feed.shownTitle))”"
    change(
      "Removed \(title).", .undo, loss: "\(title) was not removed.",
      gone: "\(title) is not there any more."
    ) { try await $0.remove(feed.id) }
  }

  private static func isGone(_ folder: FeedFolder) -> String {
    "The folder “\(folder.text)” is not there any more."
  }

  /// Submits the sheet.
  func submitFeed() {
    switch feedEditor.sheet {
    case .add:
      let address = feedEditor[.address]
      if address.contains(where: { !$0.isWhitespace }) { lookForFeed(address) }
    case .edit(let feed):
      let address = feedEditor[.address]
      guard address != feed.address else { return arrange(feed) }
      feedEditor.addition.load(
        Loader { [edits = source.feedEdits, weak self] _ in
          let moved = try await edits.setAddress(address, feed.id)
          // The user has cancelled the form after the address was stored.
          if Task.isCancelled { await self?.tell(of: moved, from: feed) }
          return .moved(moved)
        }, .drop)
    case .renameFolder(let folder):
      guard let new = FeedFolder(typed: feedEditor[.folder], among: folders) else {
        return feedEditor.refuseEmptyName()
      }
      feedEditor.close()
      guard new != folder else { return }
      change(
        "Renamed “\(folder.text)” to “\(new.text)”.", .undo,
        loss: "The folder “\(folder.text)” was not renamed.", gone: Self.isGone(folder),
        showing: .feeds(.folder(new))
      ) { try await $0.move(folder, new) }
    case .renameSearch(let search):
      let name = SavedSearch.name(typed: feedEditor[.title])
      guard !name.isEmpty else { return feedEditor.refuseEmptyName() }
      feedEditor.close()
      rename(search, to: name)
    case .addAccount, .password: submitAccount()
    case .removeAccount: return
    case nil: return
    }
  }

  /// Stores the settings of a feed as they are in the form, and closes it.
  private func arrange(_ feed: Feed) {
    let arrangement = feedEditor.arrangement(of: feed, among: folders)
    feedEditor.close()
    let seen = FeedArrangement(feed)
    guard arrangement != seen else { return }
    // Otherwise the feed would be hidden in a closed folder.
    if arrangement.folder != feed.folder { open(arrangement.folder) }
    let title = "“\(shortTitle(arrangement.title ?? feed.shownTitle))”"
    change(loss: "\(title) was not changed.") { [edits = source.feedEdits] in
      try await edits.arrange(feed.id, arrangement, seen)
      return StoredChange(Notice(words: "Changed \(title).", hint: .undo))
    }
  }

  /// Adds the feed at an address.
  ///
  /// - Parameter keepsMistake: whether it is added although it was refused as a mistake.
  func lookForFeed(_ address: String, keepsMistake: Bool = false) {
    guard feedEditor.submits([address]) else { return }
    feedEditor.addition.reset()
    // Shown as well, if it was chosen from those of a page.
    feedEditor[.address] = address
    let account = feedEditor.account?.id
    feedEditor.addition.load(
      Loader { [add = source.feedEdits.add] _ in
        try await add(address, account, keepsMistake)
      })
  }

  /// Shows the result of adding a feed; the sheet itself shows choices.
  func take(_ addition: FeedAddition?) {
    switch addition {
    case .added(let feed, let failure, let others, let dropped, let kind):
      feedEditor.close()
      let title = "“\(feed.shownTitle)”"
      switch kind {
      case .new:
        let state = feed.lastFetched == nil ? ", which could not be fetched yet" : ""
        say(
          failure.map { "Added \(title)\(state). \($0.what)" }
            ?? "Added \(title)." + Self.words(aboutDropped: dropped) + Self.words(about: others),
          .undo)
      case .fetchedAgain:
        say(
          failure.map { "\(title) could not be fetched. \($0.what)" }
            ?? "Fetched again: \(title)." + Self.words(about: others))
      case .joinedAccount:
        say("\(title) is in the account now." + (failure.map { " \($0.what)" } ?? ""))
      }
      showWhenListed(.feeds(.feed(feed.id)))
    case .imported(let report):
      // Otherwise, the sheet stays open to show what was left out.
      if report.refusals.isEmpty { closeFeedSheet() }
      feeds.load(.restart, cause: .refresh)
      readAgain()
    case .moved(let moved):
      guard case .edit(let feed) = feedEditor.sheet else { return }
      arrange(feed)
      tell(of: moved, from: feed)
    case .account(let account): take(account)
    case .choices, .others, nil: return
    }
  }

  /// Shows that a feed has another address now.
  private func tell(of moved: Feed, from feed: Feed) {
    guard moved.address != feed.address else { return }
    say("“\(shortTitle(moved.shownTitle))” is fetched from \(moved.address) from now on.", .undo)
    feeds.load(.restart, cause: .refresh)
    if list == .feeds(.feed(moved.id)) { load(cause: .user) }
  }

  /// Closes the sheet, and says what was imported: the keys of the notice work only then.
  func closeFeedSheet() {
    let addition = feedEditor.sheet == .add ? feedEditor.addition.latestValue : nil
    feedEditor.close()
    guard case .imported(let report) = addition else { return }
    let undo = report.updated.isEmpty ? nil : Notice.Hint.undo
    say(report.words, report.added.isEmpty ? undo : .fetchAll)
  }

  /// Returns a sentence about the articles of a new feed that are not kept, after a space; empty if
  /// all are.
  private static func words(aboutDropped count: Int) -> String {
    guard count > 0 else { return "" }
    return " Its oldest \(count == 1 ? "article is" : "\(count) articles are") not kept."
  }

  /// Returns a sentence about the further feeds of a page, after a space; empty if there are none.
  private static func words(about others: [FeedLink]) -> String {
    guard let other = others.first else { return "" }
    guard others.count == 1 else {
      return " The page has \(others.count) other feeds; add it again to choose one."
    }
    let title = other.title.isEmpty ? "" : "“\(shortTitle(other.title, 30))”: "
    return " The page also has \(title)\(other.address)"
  }

  /// Stores a change of a feed or a folder, in the order of all changes that can be undone.
  ///
  /// - Parameters:
  ///   - loss: the message if it is not stored before the program ends.
  ///   - gone: the message if the feed or the folder is gone.
  ///   - list: what is selected once it is listed, if something was changed.
  ///   - commit: returns whether something was changed.
  func change(
    _ words: String, _ hint: Notice.Hint? = nil, loss: String, gone: String,
    showing list: ReaderList? = nil, commit: @escaping @Sendable (FeedEdits) async throws -> Bool
  ) {
    change(loss: loss) { [edits = source.feedEdits] in
      let done = Notice(words: words, hint: hint)
      guard try await commit(edits) else {
        return StoredChange(Notice(words: gone), repeating: done)
      }
      return StoredChange(done, showing: list)
    }
  }

  /// Stores a change of feeds or searches, in the order of all changes that can be undone, and shows
  /// the notice that `commit` returns.
  ///
  /// - Parameter loss: the message if it is not stored before the program ends.
  func change(loss: String, commit: @escaping @Sendable () async throws -> StoredChange) {
    let id = marks.mutate(
      apply: { _ in }, commit: { _ in try await commit() },
      confirm: { markings, change in markings.tell(of: change) })
    note(id, UnsavedMark(loss))
  }

  /// What is said about a change of feeds or searches once it is stored, and shown then.
  struct StoredChange: Hashable, Sendable {
    let notice: Notice
    /// The feed or folder to select once it is listed.
    let list: ReaderList?
    /// The notice that stays if it was the last one: the key was pressed twice.
    let repeated: Notice?

    init(_ notice: Notice, showing list: ReaderList? = nil, repeating repeated: Notice? = nil) {
      (self.notice, self.list, self.repeated) = (notice, list, repeated)
    }
  }

  /// Shows a notice about a stored change of feeds.
  func tell(_ change: Markings.FeedChange?) {
    guard let change else { return }
    say(change.stored.notice)
    readAgain()
    if let list = change.stored.list { showWhenListed(list) }
  }
}

extension Markings {
  /// A stored change of feeds.
  struct FeedChange: Hashable, Sendable {
    /// The number of changes so far, so that two equal ones are both reported.
    let count: Int
    let stored: ReaderModel.StoredChange
  }

  fileprivate mutating func tell(of stored: ReaderModel.StoredChange) {
    if let repeated = stored.repeated, feedChange?.stored.notice == repeated { return }
    feedChange = FeedChange(count: (feedChange?.count ?? 0) + 1, stored: stored)
  }
}

extension ImportReport {
  /// The outcome in one sentence.
  var words: String {
    var parts = ["Added \(counted(added.count, "feed"))"]
    if !updated.isEmpty {
      let changes = [(renamed.count, "renamed"), (moved.count, "moved")]
        .filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
      parts.append(
        "updated \(counted(updated.count, "feed"))" + (changes.isEmpty ? "" : " (\(changes))"))
    }
    let same = known.count - updated.count
    if same > 0 { parts.append("\(counted(same, "feed")) unchanged") }
    if hiddenCount > 0 {
      let verb = hiddenCount == 1 ? "is" : "are"
      parts.append("\(counted(hiddenCount, "feed")) that newsboat hides \(verb) shown")
    }
    if !refusals.isEmpty {
      parts.append("\(counted(refusals.count, "entry", "entries")) left out")
    }
    return parts.joined(separator: ", ") + "."
  }
}
