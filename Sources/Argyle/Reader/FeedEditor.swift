import Articles
import Loading
import Observation

/// The sheet in which feeds are added and changed, and what is typed there.
@MainActor
@Observable
final class FeedEditor {
  enum Sheet: Hashable {
    case add
    case edit(Feed)
    case renameFolder(FeedFolder)
    case addAccount
    case password(SyncAccount)
    case removeAccount(AccountSummary)
  }

  /// A field of the form.
  enum Field: Hashable {
    case address, title, tags, folder, user, password
  }

  /// Nil while there is none.
  private(set) var sheet: Sheet?
  /// The outcome of adding the typed address.
  let addition: Resource<FeedAddition>
  /// How often the feed is reloaded by itself, see ``FeedArrangement/reloadMinutes``.
  var reloadMinutes: Int?
  /// Whether the full text of its articles is fetched, see ``FeedArrangement/fullText``.
  var fullText: Bool?
  /// The account that a feed is added to; nil for none.
  var account: SyncAccount?
  private var text: [Field: String] = [:]

  init(clock: AnyClock, scheduler: LoadScheduler) {
    addition = Resource(startsOnAppear: false, name: "new feed", clock: clock, scheduler: scheduler)
  }

  func open(_ sheet: Sheet) {
    addition.reset()
    text = Self.text(of: sheet)
    if case .edit(let feed) = sheet {
      (reloadMinutes, fullText) = (feed.reloadMinutes, feed.fullText)
    }
    self.sheet = sheet
  }

  func close() {
    sheet = nil
    // A password stays nowhere longer than it is needed.
    text = [:]
    addition.reset()
  }

  private static func text(of sheet: Sheet) -> [Field: String] {
    switch sheet {
    case .add: [:]
    case .edit(let feed):
      [
        .title: feed.title, .tags: feed.tags.joined(separator: ", "),
        .folder: feed.folder?.text ?? "",
      ]
    case .renameFolder(let folder): [.folder: folder.text]
    case .addAccount, .password, .removeAccount: [:]
    }
  }

  var title: String? {
    switch sheet {
    case .add: "Add a feed"
    case .edit: "Edit feed"
    case .renameFolder: "Rename folder"
    case .addAccount: "Add an account"
    case .password: "Password"
    case .removeAccount: "Remove an account"
    case nil: nil
    }
  }

  subscript(field: Field) -> String {
    get { text[field] ?? "" }
    set { text[field] = newValue }
  }

  /// The typed fields of a feed.
  ///
  /// - Parameter folders: those that exist.
  func arrangement(of feed: Feed, among folders: [FeedFolder]) -> FeedArrangement {
    FeedArrangement(
      // Its own title is none that was given to it, as long as nobody changes it.
      title: self[.title] == feed.title ? feed.customTitle : self[.title],
      folder: FeedFolder(typed: self[.folder], among: folders),
      tags: self[.tags].unicodeScalars.split(separator: ",").map { String($0) },
      reloadMinutes: reloadMinutes, fullText: fullText)
  }

  /// The folders that match what is typed.
  func suggestions(among folders: [FeedFolder]) -> [FeedFolder] {
    let typed = self[.folder].lowercased()
    // What is a folder already is to be exchanged for another one.
    guard !typed.isEmpty, !folders.contains(where: { $0.text.lowercased() == typed }) else {
      return folders
    }
    return folders.filter { $0.text.lowercased().contains(typed) }
  }
}
