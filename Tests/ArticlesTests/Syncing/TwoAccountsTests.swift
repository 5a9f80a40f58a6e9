import Testing

@testable import Articles

/// Tests of readers with two accounts on two servers.
@Suite(.timeLimit(.minutes(10))) struct TwoAccountsTests {
  private let shared = "https://example.org/feed"

  /// Adds an account on another server, which has one feed, without a sync.
  private func addAccount(
    to reader: SyncedReader, feed: String
  ) async throws -> (double: GoogleReaderDouble, account: SyncAccount.ID) {
    let double = try GoogleReaderDouble(.freshRSS)
    double.edit { state in
      state.model.published[feed] = ["x", "y", "z"]
      state.model.subscribe(feed, title: "Other", folder: "Tech")
    }
    let account = try await reader.library.addAccount(
      address: double.root, user: GoogleReaderDouble.user, password: GoogleReaderDouble.password)
    return (double, account.id)
  }

  @Test func `articles to which two servers give the same id are no copies`() async throws {
    let (reader, _) = try await SyncedReader.synced()
    let (other, account) = try await addAccount(to: reader, feed: "https://example.com/other")
    try await reader.library.sync(account)
    #expect(Set(reader.double.model.items.keys) == Set(other.model.items.keys))
    #expect(try await reader.titles() == ["a", "b", "c", "x", "y", "z"])
    try await reader.library.setRead(true, of: [reader.article("a").id])
    #expect(try await reader.titles(.unread) == ["b", "c", "x", "y", "z"])
  }

  @Test(arguments: [false, true])
  func `a feed that was removed from one account can join another`(isListed: Bool) async throws {
    let (reader, account) = try await SyncedReader.synced()
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed.id
    try await reader.library.remove(feed)
    try await reader.library.sync(account)
    #expect(reader.double.model.feeds.isEmpty)
    let (double, other) = try await addAccount(
      to: reader, feed: isListed ? shared : "https://example.com/other")
    if !isListed {
      let added = try #require(try await reader.store.insertFeed(address: shared, of: other))
      #expect(added == (feed, false))
    }
    try await reader.library.sync(other)
    #expect(try await reader.store.feedsOnServer(of: other).contains(feed))
    #expect(double.model.feeds.count == (isListed ? 1 : 2))
    // It has the folder of its new server, or else the one that it had.
    let folder = double.model.feeds.values.first { $0.address == shared }?.folder
    #expect(folder == (isListed ? "Tech" : "News"))
    #expect(try await reader.store.pendingFeeds(of: other).isEmpty)
    try await reader.library.sync(account)
    #expect(reader.double.model.feeds.isEmpty)
    #expect(try await reader.store.feeds(in: .all).contains { $0.feed.id == feed })
  }

  @Test func `the answer of one server says nothing about a feed of another account`() async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let address = "https://example.org/other"
    _ = try #require(try await reader.store.insertFeed(address: address, of: account))
    let pending = try #require(try await reader.store.pendingFeeds(of: account).first)
    // Meanwhile in another process.
    _ = try await reader.store.removeAccount(account, keepsFeeds: true, at: reader.today.now)
    let (_, other) = try await addAccount(to: reader, feed: "https://example.com/other")
    _ = try #require(try await reader.store.insertFeed(address: address, of: other))
    try await reader.store.noteSent(pending, remote: "feed/9")
    #expect(try await reader.store.feed(pending.id)?.remote == nil)
    try await reader.store.takeBack(pending)
    try await reader.store.leaveAccount(account, pending.id)
    #expect(try await reader.store.pendingFeeds(of: other).map(\.id) == [pending.id])
  }

  @Test func `what a server has named stays public content when its account is removed`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed.id
    // It is fetched by its server, and once from its own.
    _ = try await reader.store.removeAccount(account, keepsFeeds: true, at: reader.today.now)
    #expect(try await reader.store.feed(feed)?.origin == .publicContent)
    try await reader.fetchOwn(["new"], of: feed)
    #expect(try await reader.store.feed(feed)?.origin == .publicContent)
    // Its page or a redirect names another address.
    _ = try await reader.store.movePage(
      feed, to: "https://example.org/moved", isPublic: false, at: reader.today.now)
    #expect(try await reader.store.feed(feed)?.origin == .publicContent)
    // What the user types is the user's.
    try await reader.library.setAddress("https://example.org/typed", of: feed)
    #expect(try await reader.store.feed(feed)?.origin == .user)
    try await reader.library.undo()
    #expect(try await reader.store.feed(feed)?.origin == .publicContent)
  }

  @Test func `an address that the user adds to an account is theirs, and none to which it leads`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed.id
    let moved = "https://example.org/moved"
    _ = try await reader.store.removeAccount(account, keepsFeeds: true, at: reader.today.now)
    _ = try await reader.store.movePage(feed, to: moved, isPublic: true, at: reader.today.now)
    let (_, other) = try await addAccount(to: reader, feed: "https://example.com/other")
    let joined = try await reader.store.insertFeed(address: shared, of: other)
    #expect(joined?.id == feed)
    #expect(try await reader.store.feed(feed)?.origin == .publicContent)
    _ = try await reader.store.removeAccount(other, keepsFeeds: true, at: reader.today.now)
    let (_, third) = try await addAccount(to: reader, feed: "https://example.net/third")
    _ = try #require(try await reader.store.insertFeed(address: moved, of: third))
    #expect(try await reader.store.feed(feed)?.origin == .user)
  }
}
