import Articles
import Loading

/// The folders of the list of feeds: open, or closed with their number of unread articles.
extension ReaderModel {
  func isClosed(_ folder: FeedFolder) -> Bool {
    closedFolders.latestValue?.contains(folder) ?? false
  }

  func setClosed(_ isClosed: Bool, _ folder: FeedFolder) {
    guard self.isClosed(folder) != isClosed else { return }
    closedFolders.mutate { closed in
      closed.remove(folder)
      if isClosed { closed.insert(folder) }
    } commit: { [folders = source.folders] _ in
      try await folders.setClosed(isClosed, folder)
    }
  }

  /// Selects a folder, and closes it if it is open, or opens it.
  func toggle(_ folder: FeedFolder) {
    select(.feeds(.folder(folder)))
    setClosed(!isClosed(folder), folder)
  }

  /// The folder around the selected feed or folder.
  var folderAround: FeedFolder? {
    switch list {
    case .feeds(.folder(let folder)): folder.parent
    case .feeds(.feed(let id)): feeds.latestValue?.first { $0.id == id }?.feed.folder
    default: nil
    }
  }

  /// The closed folders, without those around the selected feed or folder.
  ///
  /// Another copy of the program may close a folder while a feed in it is shown. Without its row,
  /// another list would be selected.
  var foldersShownClosed: Set<FeedFolder> {
    var (closed, around) = (closedFolders.latestValue ?? [], folderAround)
    while let folder = around {
      closed.remove(folder)
      around = folder.parent
    }
    return closed
  }

  /// Opens the folders around the selected feed or folder, so that its row can be selected.
  func openFoldersAround() { open(folderAround) }

  /// Opens a folder and its parents.
  func open(_ folder: FeedFolder?) {
    guard let folder else { return }
    setClosed(false, folder)
    open(folder.parent)
  }
}
