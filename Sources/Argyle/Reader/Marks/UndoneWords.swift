import Articles

/// Returns the title of an article, shortened for use in a sentence.
func shortTitle(_ title: String, _ length: Int = 60) -> String {
  if title.isEmpty { return "Untitled" }
  return title.count > length ? title.prefix(length) + "…" : title
}

extension LibraryChange {
  /// The notice after the change was undone.
  var undoneWords: String {
    let feed = "“\(shortTitle(feedTitle ?? ""))”"
    switch (undoing, kind) {
    case (.nothing, .removedFeed): return "Not undone: \(feed) was deleted for good."
    case (.nothing, .addedFeed), (.nothing, .arrangedFeed):
      return "Not undone: \(feed) was changed or deleted since."
    case (.nothing, .removedAccount): return "Not undone: the account was added again since."
    case (_, .removedAccount(let name)): return "Undone: the account “\(name)” is back."
    case (_, .savedSearch(let name)): return "Undone: the search “\(name)” is no longer saved."
    case (_, .renamedSearch(let name)): return "Undone: the search is named “\(name)” again."
    case (_, .removedSearch(let name)): return "Undone: the search “\(name)” is back."
    case (.nothing, .importedFeeds), (.nothing, .movedFolder),
      (.nothing, .removedFolder):
      return "Not undone: the feeds were changed or deleted since."
    case (.nothing, _):
      return "Not undone: the article\(count == 1 ? " was" : "s were") changed or deleted since."
    case (.all, .removedFeed): return "Undone: \(feed) is back."
    case (.allBut(let missing), .removedFeed):
      return "Undone: \(feed) is back, without \(counted(missing, "article")) deleted since."
    case (.allBut(let missing), .importedFeeds), (.allBut(let missing), .movedFolder),
      (.allBut(let missing), .removedFolder):
      let feeds = counted(missing, "feed, which was", "feeds, which were")
      return "Undone, except for \(feeds) changed or deleted since."
    case (_, .addedFeed): return "Undone: \(feed) is removed."
    case (_, .arrangedFeed): return "Undone: \(feed) is as it was before."
    case (_, .importedFeeds): return "Undone: the feeds are as they were before the import."
    case (_, .movedFolder): return "Undone: the folder has its old name."
    case (_, .removedFolder): return "Undone: the folder is back."
    case (.all, _): return "Undone: \(undoneMarks(of: count))."
    case (.allBut(let missing), _):
      return "Undone: \(undoneMarks(of: count - missing)); "
        + "\(counted(missing, "was", "were")) changed or deleted since."
    }
  }

  private func undoneMarks(of count: Int) -> String {
    let title = count == 1 ? articleTitle.map { "“\(shortTitle($0, 30))”" } : nil
    let articles = title.map { "\($0) is" } ?? counted(count, "article is", "articles are")
    let one = title ?? "1 article"
    return switch kind {
    case .markedRead: "\(articles) unread again"
    case .markedUnread: "\(articles) read again"
    case .starred: "\(articles) no longer starred"
    case .unstarred: "\(articles) starred again"
    case .markedLater: "\(articles) no longer to be read later"
    case .unmarkedLater: "\(articles) to be read later again"
    case .tagged:
      // The tag that stands for the list Read later is not shown as a tag.
      switch (count == 1 ? tags.values.first : nil)?.filter({ !ArticleTag.isLater($0) }) {
      case nil:
        count == 1 ? "\(one) has its old tags" : "\(count) articles have their old tags"
      case []?: "\(one) has no tags"
      case let tags?: "\(articles) tagged \(tags.joined(separator: ", ")) again"
      }
    case .addedFeed, .removedFeed, .arrangedFeed, .importedFeeds, .movedFolder, .removedFolder,
      .removedAccount, .savedSearch, .renamedSearch, .removedSearch:
      ""
    }
  }

  /// The feed, folder, account or search that undoing the change restored; nil for marks and for a
  /// change that was not undone.
  func restoredList(among searches: [SavedSearch]) -> ReaderList? {
    guard undoing != .nothing else { return nil }
    switch kind {
    case .removedSearch(let name), .renamedSearch(let name):
      return searches.first { $0.name == name }.map(ReaderList.search)
    default: break
    }
    if let account { return .feeds(.account(account)) }
    return feed.map { .feeds(.feed($0)) } ?? folder.map { .feeds(.folder($0)) }
  }
}
