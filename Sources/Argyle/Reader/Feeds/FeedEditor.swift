import Articles
import Loading
import Observation

/// The sheet in which feeds are added and edited, with its fields.
@MainActor
@Observable
final class FeedEditor {
  enum Sheet: Hashable {
    case add
    case edit(Feed)
    case renameFolder(FeedFolder)
    case renameSearch(SavedSearch)
    case addAccount
    case password(SyncAccount)
    case removeAccount(AccountSummary)
  }

  /// A field of the form.
  enum Field: Hashable {
    case address, title, tags, folder, user, password
  }

  /// The open sheet; nil if there is none.
  private(set) var sheet: Sheet?
  /// The result of adding the typed address, or of giving it to a feed.
  let addition: Resource<FeedAddition>
  /// What was typed when it was submitted last.
  @ObservationIgnored private var submitted: [String] = []
  /// How often the feed is reloaded automatically, see ``FeedArrangement/reloadMinutes``.
  var reloadMinutes: Int?
  /// Whether the full text of its articles is fetched, see ``FeedArrangement/fullText``.
  var fullText: Bool?
  /// The account that the feed is added to; nil for none.
  var account: SyncAccount?
  /// Whether the sheet was submitted without the name that it asks for.
  private(set) var lacksName = false
  private var text: [Field: String] = [:] {
    didSet { lacksName = false }
  }

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
    // Passwords are not kept in memory longer than needed.
    text = [:]
    submitted = []
    addition.reset()
  }

  /// Returns whether what was typed is to be looked for: a second Enter must not add it again while
  /// it is being added.
  func submits(_ typed: [String]) -> Bool {
    guard !addition.isLoading || typed != submitted else { return false }
    submitted = typed
    return true
  }

  /// Keeps the sheet open, and says why.
  func refuseEmptyName() { lacksName = true }

  private static func text(of sheet: Sheet) -> [Field: String] {
    switch sheet {
    case .add: [:]
    case .edit(let feed):
      [
        .title: feed.title, .address: feed.address, .tags: feed.tags.joined(separator: ", "),
        .folder: feed.folder?.text ?? "",
      ]
    case .renameFolder(let folder): [.folder: folder.text]
    case .renameSearch(let search): [.title: search.name]
    case .addAccount, .password, .removeAccount: [:]
    }
  }

  var title: String? {
    switch sheet {
    case .add: "Add a feed"
    case .edit: "Edit feed"
    case .renameFolder: "Rename folder"
    case .renameSearch: "Rename search"
    case .addAccount: "Add an account"
    case .password: "Password"
    case .removeAccount: "Remove an account"
    case nil: nil
    }
  }

  /// Whether the address was that of a list, which was imported: nothing is left to be cancelled.
  var hasImported: Bool {
    if case .imported? = addition.latestValue { true } else { false }
  }

  subscript(field: Field) -> String {
    get { text[field] ?? "" }
    set {
      guard newValue != self[field] else { return }
      text[field] = newValue
      guard field == .address else { return }
      // What was refused, or is looked for, is not what is typed any more. A change of an address that
      // is being stored goes on.
      if addition.isLoading ? sheet == .add : addition.failure != nil { addition.reset() }
    }
  }

  /// Returns the settings of a feed from the fields.
  ///
  /// - Parameter folders: the existing folders.
  func arrangement(of feed: Feed, among folders: [FeedFolder]) -> FeedArrangement {
    FeedArrangement(
      // The feed's own title does not become a custom one unless the user changes it.
      title: self[.title] == feed.title ? feed.customTitle : self[.title],
      folder: FeedFolder(typed: self[.folder], among: folders),
      tags: self[.tags].unicodeScalars.split(separator: ",").map { String($0) },
      reloadMinutes: reloadMinutes, fullText: fullText)
  }

  /// Returns the existing folders that match the typed text.
  func suggestions(among folders: [FeedFolder]) -> [FeedFolder] {
    let typed = self[.folder].lowercased()
    // A text that names an existing folder matches all of them, so that the user can choose
    // another.
    guard !typed.isEmpty, !folders.contains(where: { $0.text.lowercased() == typed }) else {
      return folders
    }
    return folders.filter { $0.text.lowercased().contains(typed) }
  }
}
