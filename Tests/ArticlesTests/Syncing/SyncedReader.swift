import Foundation
import Synchronization
import Testing

@testable import Articles

/// A library with an account on a double of a server.
struct SyncedReader {
  let double: GoogleReaderDouble
  let library: Library
  let store: ArticleStore
  let today = Today()
  let passwords = Passwords()

  /// - Parameters:
  ///   - titles: the articles of the one feed that the account has.
  ///   - directory: where the store is; nil for memory.
  init(
    _ dialect: GoogleReaderDouble.Dialect = .freshRSS, _ titles: [String] = ["a", "b", "c"],
    directory: String? = nil, rules: [ArticleRule] = [], retention: Retention = .standard
  ) throws {
    double = try GoogleReaderDouble(dialect)
    double.edit { state in
      state.model.published["https://example.org/feed"] = titles
      state.model.subscribe("https://example.org/feed", title: "Feed", folder: "News")
    }
    store = try directory.map { try ArticleStore(directory: $0) } ?? .inMemory()
    library = Library(
      store: store, options: .patient, passwords: passwords, now: { [today] in today.now })
    library.options.retention = retention
    library.options.rules = rules
  }

  struct Passwords: AccountPasswords {
    func password(of account: SyncAccount) async throws -> String { GoogleReaderDouble.password }
    /// How many passwords of removed accounts were stored again.
    let restored = Counter()

    func removePassword(of account: SyncAccount) async -> RemovedPassword {
      RemovedPassword { restored.count.withLock { $0 += 1 } }
    }
  }

  /// A number that only grows.
  final class Counter: Sendable {
    let count = Mutex(0)
  }

  func addAccount() async throws -> SyncAccount.ID {
    try await library.addAccount(
      address: double.root, user: GoogleReaderDouble.user, password: GoogleReaderDouble.password
    ).id
  }

  /// Makes a reader with its account, which was synced for the first time.
  static func synced() async throws -> (SyncedReader, SyncAccount.ID) {
    let reader = try SyncedReader()
    return (reader, try await reader.addSyncedAccount())
  }

  /// Stores an answer that has an unread article twice, two times; returns how many were new.
  func countsOfSavingTwice(
    _ article: RemoteArticle, of account: SyncAccount.ID
  ) async throws -> [Int?] {
    var counts: [Int?] = []
    for _ in 1...2 {
      counts.append(
        try await store.save(
          [article, article], of: account, lists: RemoteLists(unread: [article.id]), rules: .none,
          at: today.now
        ).values.first)
    }
    return counts
  }

  /// Adds the account, and syncs it for the first time.
  func addSyncedAccount() async throws -> SyncAccount.ID {
    let account = try await addAccount()
    try await library.sync(account)
    return account
  }

  /// Adds the feed that the account has, too, with unread articles that were fetched here.
  func addOwnFeed(_ titles: [String]) async throws {
    try await fetchOwn(
      titles, of: try #require(await store.insertFeed(address: "https://example.org/feed")).id)
  }

  /// Stores articles of a feed as its own server has them.
  ///
  /// - Returns: how many are new.
  @discardableResult
  func fetchOwn(_ titles: [String], of feed: Feed.ID) async throws -> Int? {
    let articles = titles.map { title in
      ParsedArticle(
        guid: "guid of \(title)", title: title,
        link: double.model.items.values.first { $0.title == title }?.link)
    }
    return try await store.save(
      PreparedFeed(ParsedFeed(articles: articles)), of: feed, at: today.now)
  }

  /// The statements that `body` runs on the writing connection and that contain a text, among all
  /// of them.
  func statements(
    with text: String, _ body: () async throws -> Void
  ) async throws -> (found: [Int], all: [String]) {
    final class Log: Sendable {
      let statements = Mutex<[String]>([])
    }
    let log = Log()
    try await store.write { database in
      database.trace { event in log.statements.withLock { $0.append("\(event)") } }
    }
    try await body()
    try await store.write { $0.trace(options: []) }
    let all = log.statements.withLock(\.self)
    return (all.indices.filter { all[$0].contains(text) }, all)
  }

  func article(_ title: String) async throws -> Article {
    try #require(
      try await store.articles(matching: ArticleQuery()).first { $0.title == title })
  }

  func titles(_ query: ArticleQuery = ArticleQuery()) async throws -> Set<String> {
    Set(try await store.articles(matching: query).map(\.title))
  }

  /// The titles of what the server has as unread.
  func unreadOfServer() -> Set<String> {
    let model = double.model
    return Set(model.ids(with: .unread).compactMap { model.items[$0]?.title })
  }

  func waiting() async throws -> Int {
    try await library.storedAccounts().reduce(0) { $0 + $1.waitingCount }
  }

  /// When the article of this title was published, as the server says.
  func published(_ title: String) throws -> Date {
    let number = try #require(remote(title).id.number)
    return Date(timeIntervalSince1970: Double(GoogleReaderDouble.seconds(of: number)))
  }

  /// The article of this title on the server.
  func remote(_ title: String) throws -> (id: RemoteID, item: ServerModel.Item) {
    let found = try #require(double.model.items.first { $0.value.title == title })
    return (RemoteID(number: found.key), found.value)
  }
}
