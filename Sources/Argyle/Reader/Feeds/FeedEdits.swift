import Articles

/// The changes that the user makes to feeds; each call returns when the change is stored.
struct FeedEdits: Sendable {
  /// Adds an account on a server, and stores its password.
  var addAccount: @Sendable (AccountLogin) async throws -> SyncAccount = { _ in
    throw Self.unavailable
  }
  /// Stores a new password of an account.
  var setPassword: @Sendable (SyncAccount, String) async throws -> Void = { _, _ in
    throw Self.unavailable
  }
  /// Removes an account, and changes that were not sent to its server, until the removal is undone.
  ///
  /// Its feeds are removed, too, or kept as feeds without an account. Returns whether its password
  /// may still be stored.
  var removeAccount: @Sendable (SyncAccount.ID, _ keepsFeeds: Bool) async throws -> Bool = {
    _, _ in throw Self.unavailable
  }
  /// Adds the feed at an address or a path, or imports the list of feeds there.
  ///
  /// The account is the one whose server fetches the feed; nil for none. `keepsMistake` adds the
  /// address although it was refused as a mistake.
  var add:
    @Sendable (_ address: String, _ account: SyncAccount.ID?, _ keepsMistake: Bool) async throws ->
      FeedAddition = { _, _, _ in throw Self.unavailable }
  /// Changes the address of a feed, and returns the feed.
  var setAddress: @Sendable (_ address: String, Feed.ID) async throws -> Feed = { _, _ in
    throw Self.unavailable
  }
  /// Changes the settings of a feed, given those that the user saw.
  var arrange: @Sendable (Feed.ID, FeedArrangement, _ seen: FeedArrangement) async throws -> Void =
    {
      _, _, _ in throw Self.unavailable
    }
  /// Renames or moves a folder; returns false if it was gone.
  var move: @Sendable (FeedFolder, FeedFolder) async throws -> Bool = { _, _ in
    throw Self.unavailable
  }
  /// Removes a feed; returns false if it was gone.
  var remove: @Sendable (Feed.ID) async throws -> Bool = { _ in throw Self.unavailable }
  /// Removes a folder, whose contents move to its parent; returns false if it was gone.
  var removeFolder: @Sendable (FeedFolder) async throws -> Bool = { _ in throw Self.unavailable }

  private static let unavailable = DescribedError(
    "A demonstration keeps no feeds.", advice: "Start argyle without demo to add some.")
}

/// The fields for adding an account.
struct AccountLogin: Sendable, Hashable {
  let address: String
  let user: String
  let password: String
}

/// The outcome of adding an address.
enum FeedAddition: Sendable, Hashable {
  /// A feed, which is added even if its first fetch failed for a temporary reason; `others` are
  /// further feeds of the page that links to it, and `dropped` says how many of its articles are not
  /// kept.
  case added(
    Feed, failure: UserMessage?, others: [FeedLink] = [], dropped: Int = 0,
    kind: Library.Addition.Kind = .new)
  /// A page with several feeds, from which the user chooses one.
  case choices([FeedLink])
  /// A page whose feed has already been added, with its further feeds, of which the user may add
  /// one; never empty.
  case others([FeedLink])
  /// A list of feeds, which was imported.
  case imported(ImportReport)
  /// A feed that has another address now.
  case moved(Feed)
  /// An account that was added, or got a new password.
  case account(SyncAccount)
}

extension FeedEdits {
  init(_ library: Library, passwords: KeptPasswords) {
    addAccount = { login in
      do {
        return try await library.addAccount(
          address: login.address, user: login.user, password: login.password
        ) { _ = try await passwords.keep(login.password, of: $0) }
      } catch SyncError.alreadyThere {
        throw DescribedError(
          SyncError.alreadyThere.message.what,
          advice: "Reload its row in the list of feeds to see what is new.", isRetryable: false)
      }
    }
    setPassword = { account, password in
      try await library.checkPassword(password, of: account.id) {
        _ = try await passwords.keep(password, of: $0)
      }
    }
    removeAccount = { try await library.removeAccount($0, keepsFeeds: $1, dropsChanges: true) }
    add = { try await FeedAddition($0, to: library, $1, keepsMistake: $2) }
    setAddress = { try await library.setAddress($0, of: $1) }
    arrange = { try await library.arrange($0, as: $1, since: $2) }
    move = { try await library.move($0, to: $1) > 0 }
    remove = { id in
      do { try await library.remove(id) } catch LibraryError.noSuchFeed { return false }
      return true
    }
    removeFolder = { try await library.remove($0) > 0 }
  }
}

extension FeedAddition {
  fileprivate init(
    _ text: String, to library: Library, _ account: SyncAccount.ID?, keepsMistake: Bool
  ) async throws {
    if let account {
      let addition = try await library.addition(of: text, to: account)
      self = .added(
        addition.feed, failure: addition.failure.map { UserMessage($0) },
        dropped: addition.dropped, kind: addition.kind)
      return
    }
    do {
      let addition = try await library.addition(
        of: text, asksWhich: true, keepsMistakes: keepsMistake)
      self = .added(
        addition.feed, failure: addition.failure.map { UserMessage($0) }, others: addition.others,
        dropped: addition.dropped, kind: addition.kind)
    } catch LibraryError.severalFeeds(let feeds) {
      self = .choices(feeds)
    } catch LibraryError.alreadyAdded(_, let others) where !others.isEmpty {
      self = .others(others)
    } catch FeedError.notAFeed(.xml(root: "opml")) {
      self = .imported(try await library.importList(at: text))
    } catch is FeedError where NewsboatList.isFile(text) {
      self = .imported(try await library.importList(at: text))
    }
  }
}
