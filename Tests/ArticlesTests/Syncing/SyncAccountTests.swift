import Foundation
import PseudoTerminal
import TestServer
import Testing

@testable import Articles

/// Tests of the account itself: removing it and restoring it, and whose turn it is to sync it.
@Suite(.timeLimit(.minutes(10))) struct SyncAccountTests {
  private static let list = "/api/greader.php/reader/api/0/subscription/list"

  /// Begins a sync, of which the server holds the list of feeds until it is released.
  private func heldSync(
    of account: SyncAccount.ID, in reader: SyncedReader,
    feeds: String = #"{"id": "feed/1", "url": "https://example.org/feed"}"#
  ) async throws -> Task<SyncReport, any Error> {
    reader.double.server[Self.list] = .heldHead(#"{"subscriptions": [\#(feeds)]}"#)
    let sync = Task { try await reader.library.sync(account) }
    try await reader.double.server.request(to: Self.list)
    return sync
  }

  @Test func `an account with changes that wait is not removed without being told to`() async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    await #expect(throws: SyncError.changesWaiting(1)) {
      try await reader.library.removeAccount(account)
    }
    try await reader.library.removeAccount(account, keepsFeeds: true, dropsChanges: true)
    #expect(try await reader.library.storedAccounts().isEmpty)
    let feeds = try await reader.store.feeds(in: .all)
    #expect(feeds.map(\.feed.account) == [nil])
    #expect(try await reader.titles() == ["a", "b", "c"])
    // The server still has everything.
    #expect(reader.double.model.feeds.count == 1)
  }

  @Test func `a feed that outlives its account has none of its articles twice`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    try await reader.library.removeAccount(account, keepsFeeds: true, dropsChanges: true)
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed.id
    let titles = ["a", "b", "c", "new"]
    #expect(try await reader.fetchOwn(titles, of: feed) == 1)
    #expect(
      try await reader.store.articles(matching: ArticleQuery()).map(\.title).sorted() == titles)
    #expect(try await reader.titles(.unread) == ["b", "c", "new"])
    #expect(try await reader.fetchOwn(titles, of: feed) == 0)
  }

  @Test func `an account is removed while it is being synced`() async throws {
    let reader = try SyncedReader()
    let account = try await reader.addAccount()
    let sync = try await heldSync(of: account, in: reader)
    try await reader.library.removeAccount(account)
    reader.double.server.release(Self.list)
    await #expect(throws: CancellationError.self) { try await sync.value }
    #expect(try await reader.store.feeds(in: .all).isEmpty)
  }

  @Test(arguments: [false, true])
  func `a removed account comes back with its feeds, its password and what it had not sent`(
    keepsFeeds: Bool
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    try await reader.library.removeAccount(account, keepsFeeds: keepsFeeds, dropsChanges: true)
    #expect(try await reader.titles() == (keepsFeeds ? ["a", "b", "c"] : []))

    let undone = try #require(try await reader.library.undo())
    #expect(undone.undoing == .all)
    #expect(undone.account == account)
    #expect(reader.passwords.restored.count.withLock { $0 } == 1)
    #expect(try await reader.library.storedAccounts().map(\.id) == [account])
    #expect(try await reader.store.feeds(in: .all).map(\.feed.account) == [account])
    #expect(try await reader.titles(.unread) == ["b", "c"])
    #expect(try await reader.waiting() == 1)
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["b", "c"])
    #expect(reader.double.model.feeds.count == 1)
    #expect(try await reader.titles() == ["a", "b", "c"], "none is there twice")
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a feed that failed without its account has not failed once the account is back`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let feed = try #require(try await reader.store.feeds(in: .all).first?.feed)
    try await reader.library.removeAccount(account, keepsFeeds: true)
    try await reader.store.recordFailure(
      UserMessage(LibraryError.goneForGood), of: feed.id, from: feed.address, at: reader.today.now,
      notBefore: reader.today.now + 300, retryAfter: nil, isGone: true)
    #expect(try await reader.store.feeds(in: .all).map { $0.failure == nil } == [false])
    try await reader.library.undo()
    let stored = try #require(try await reader.store.feeds(in: .all).first)
    #expect(stored.failure == nil && stored.goneSince == nil && stored.notBefore == nil)
    #expect(try await reader.library.reload(refresh: .whenAsked).error == nil)
  }

  @Test func `an account that was added again is not restored over it`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.removeAccount(account)
    let again = try await reader.addAccount()
    #expect(try await reader.library.undo()?.undoing == .nothing)
    #expect(try await reader.library.storedAccounts().map(\.id) == [again])
    #expect(reader.passwords.restored.count.withLock { $0 } == 0)
  }

  @Test func `a feed that the user adds after its account was removed is the user's own`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let address = try #require(try await reader.store.feeds(in: .all).first?.feed.address)
    // What a server names must not lead into a private network.
    #expect(try await reader.store.feeds(in: .all).map(\.origin) == [.publicContent])
    try await reader.library.removeAccount(account)
    #expect(try await reader.store.feeds(in: .all).isEmpty)
    _ = try #require(try await reader.store.insertFeed(address: address))
    #expect(try await reader.store.feeds(in: .all).map(\.origin) == [.user])
    #expect(try await reader.titles() == ["a", "b", "c"], "it comes back whole")
  }

  @Test func `an account whose password cannot be stored is not added`() async throws {
    let reader = try SyncedReader()
    let refusal = SyncError.noPassword(reason: "the disk is full")
    await #expect(throws: refusal) {
      _ = try await reader.library.addAccount(
        address: reader.double.root, user: GoogleReaderDouble.user,
        password: GoogleReaderDouble.password
      ) { _ in throw refusal }
    }
    #expect(try await reader.library.storedAccounts().isEmpty)
    let added = try await reader.addAccount()
    #expect(try await reader.library.storedAccounts().map(\.id) == [added])
  }

  @Test func `the old password stays when the new one cannot be stored`() async throws {
    let reader = try SyncedReader()
    let account = try await reader.library.addAccount(
      address: reader.double.root, user: GoogleReaderDouble.user,
      password: GoogleReaderDouble.password, passwordCommand: ["pass", "reader"])
    let refusal = SyncError.noPassword(reason: "the disk is full")
    await #expect(throws: refusal) {
      try await reader.library.checkPassword(GoogleReaderDouble.password, of: account.id) { _ in
        throw refusal
      }
    }
    #expect(try await reader.library.storedAccounts().map(\.account) == [account])
  }

  @Test func `an account is there once`() async throws {
    let reader = try SyncedReader()
    _ = try await reader.addAccount()
    await #expect(throws: SyncError.alreadyThere) { try await reader.addAccount() }
  }

  @Test func `two programs do not sync one account at the same time`() async throws {
    let directory = try TemporaryDirectory()
    let reader = try SyncedReader(directory: directory.path)
    let account = try await reader.addAccount()
    let first = try await heldSync(of: account, in: reader, feeds: "")
    let other = Library(
      store: try ArticleStore(directory: directory.path), options: .patient,
      passwords: SyncedReader.Passwords())
    await #expect(throws: SyncError.busy) { try await other.sync(account) }
    reader.double.server.release(Self.list)
    _ = try await first.value
  }

  @Test func `a sync that meets marks being sent is a whole one all the same`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    reader.double.edit { _ = $0.model.publish("new", in: "feed/1") }
    let path = "/api/greader.php/reader/api/0/edit-tag"
    reader.double.server[path] = .heldHead("OK")
    async let sent: Void = reader.library.sendMarks()
    try await reader.double.server.request(to: path)
    var changes = reader.library.syncingChanges().makeAsyncIterator()
    async let report = reader.library.sync(account)
    while reader.library.accountBoard.waiterCount(of: account) == 0 { await changes.next() }
    reader.double.server.release(path)
    try await sent
    #expect(try await report.newArticleCount == 1)
  }

  @Test func `marks that are sent do not make an account synced`() async throws {
    let (reader, _) = try await SyncedReader.synced()
    let synced = reader.today.now
    reader.today.pass(60)
    try await reader.library.setRead(true, of: [reader.article("a").id])
    try await reader.library.sendMarks()
    #expect(try await reader.waiting() == 0)
    #expect(try await reader.library.storedAccounts().first?.lastSynced == synced)
  }

  @Test func `two reloads share one sync`() async throws {
    let reader = try SyncedReader()
    let account = try await reader.addAccount()
    let first = try await heldSync(of: account, in: reader, feeds: "")
    var changes = reader.library.syncingChanges().makeAsyncIterator()
    async let second = reader.library.reload(.account(account))
    while reader.library.accountBoard.waiterCount(of: account) == 0 { await changes.next() }
    reader.double.server.release(Self.list)
    _ = try await (first.value, second)
    #expect(reader.double.server.requests(to: Self.list).count == 1)
  }

  // MARK: Articles that were dropped

  /// A reader whose account has three articles, all of which were dropped here.
  private func readerWithDropped() async throws -> (SyncedReader, SyncAccount.ID) {
    let reader = try SyncedReader(
      retention: Retention(age: 86_400 * 30, countPerFeed: nil, keepsUnread: false))
    let account = try await reader.addSyncedAccount()
    reader.today.pass(86_400 * 31)
    try await reader.library.tidy()
    #expect(try await reader.titles() == [])
    return (reader, account)
  }

  @Test func `an article that was dropped has no id of an account that its feed has left`()
    async throws
  {
    let (reader, account) = try await readerWithDropped()
    try await reader.library.removeAccount(account, keepsFeeds: true)
    reader.library.options.retention = .everything
    try await reader.library.tidy()
    #expect(try await reader.titles() == ["a", "b", "c"])
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed.id
    #expect(try await reader.fetchOwn(["a", "b", "c", "new"], of: feed) == 1)
    #expect(try await reader.titles() == ["a", "b", "c", "new"])
    // Back in an account, they are matched with its articles.
    let again = try await reader.addSyncedAccount()
    #expect(try await reader.store.articles(matching: ArticleQuery()).count == 4)
    try await reader.library.setRead(true, of: [reader.article("b").id])
    try await reader.library.sync(again)
    #expect(reader.unreadOfServer() == ["a", "c"])
  }

  @Test func `an article that was dropped hides none of another account`() async throws {
    let (reader, account) = try await readerWithDropped()
    try await reader.library.removeAccount(account, keepsFeeds: true)
    _ = try await reader.addSyncedAccount()
    #expect(try await reader.titles(.unread) == reader.unreadOfServer())
  }

  @Test func `an article that was dropped is its account's again when that comes back`()
    async throws
  {
    let (reader, account) = try await readerWithDropped()
    try await reader.library.removeAccount(account, keepsFeeds: true)
    try await reader.library.undo()
    #expect(try await reader.library.sync(account).newArticleCount == 0)
    #expect(try await reader.titles() == [])
    let id = try reader.remote("b").id
    reader.double.edit { _ = $0.model.set(.starred, true, of: id) }
    #expect(try await reader.library.sync(account).newArticleCount == 0)
    #expect(try await reader.titles(.starred) == ["b"])
  }

  // MARK: What happens during a sync

  @Test func `a sync says that its account is gone when another program has removed it`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let reader = try SyncedReader(directory: directory.path)
    let account = try await reader.addAccount()
    let sync = try await heldSync(of: account, in: reader)
    let other = try ArticleStore(directory: directory.path)
    _ = try await other.removeAccount(account, keepsFeeds: false, at: reader.today.now)
    reader.double.server.release(Self.list)
    await #expect(throws: SyncError.noSuchAccount) { try await sync.value }
    #expect(try await reader.store.feeds(in: .all).isEmpty)
    await #expect(throws: SyncError.noSuchAccount) {
      try await reader.library.addition(of: "https://example.org/new", to: account)
    }
  }

  @Test func `a reload reports no failure of an account that is removed meanwhile`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    let path = "/api/greader.php/reader/api/0/subscription/list"
    reader.double.server[path] = .heldHead(
      #"{"subscriptions": [{"id": "feed/1", "url": "https://example.org/feed"}]}"#)
    let before = reader.double.server.requests(to: path).count
    let reload = Task { try await reader.library.reload(.account(account)) }
    try await reader.double.server.request(to: path, count: before + 1)
    _ = try await reader.store.removeAccount(account, keepsFeeds: true, at: reader.today.now)
    reader.double.server.release(path)
    let report = try await reload.value
    #expect(report.accounts.map(\.outcome) == [.cancelled])
    #expect(report.error == nil)
  }

  @Test func `a feed whose account was removed before its addition is answered has no server id`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let address = "https://example.org/other"
    _ = try #require(try await reader.store.insertFeed(address: address, of: account))
    let pending = try #require(try await reader.store.pendingFeeds(of: account).first)
    _ = try await reader.store.removeAccount(account, keepsFeeds: true, at: reader.today.now)
    try await reader.store.noteSent(pending, remote: "feed/9")
    #expect(try await reader.store.feed(pending.id)?.remote == nil)
  }

  @Test func `a feed without an account is stored although it has the id of a server`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed
    _ = try await reader.store.removeAccount(account, keepsFeeds: true, at: reader.today.now)
    // As an earlier version of the program may have left it.
    try await reader.store.write { try $0.execute(sql: "UPDATE feed SET remoteID = 'feed/9'") }
    let new = try await reader.store.save(
      PreparedFeed(ParsedFeed(articles: [ParsedArticle(guid: "new", title: "new")])), of: feed.id,
      from: feed.address, at: reader.today.now)
    #expect(new == 1)
  }

  @Test func `a feed that leaves its account has no server id, nor do its articles`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    let feed = try #require(try await reader.store.feeds(in: .all).first).feed
    try await reader.store.leaveAccount(account, feed.id)
    #expect(try await reader.store.feed(feed.id)?.remote == nil)
    #expect(try await reader.fetchOwn(["a", "b", "c"], of: feed.id) == 0)
  }

  @Test func `a server that asks to wait while marks are sent to another one is left alone`()
    async throws
  {
    let (reader, _) = try await SyncedReader.synced()
    let other = try GoogleReaderDouble(.freshRSS)
    other.edit { state in
      // Equal ids on two servers would make the articles copies of each other.
      state.model.published["https://example.org/other"] = ["1", "2", "3", "d"]
      state.model.subscribe("https://example.org/other", title: "Other")
    }
    let second = try await reader.library.addAccount(
      address: other.root, user: GoogleReaderDouble.user, password: GoogleReaderDouble.password
    ).id
    try await reader.library.sync(second)
    try await reader.library.setRead(true, of: [reader.article("a").id, reader.article("d").id])
    let path = "/api/greader.php/reader/api/0/edit-tag"
    reader.double.server[path] = .heldHead("OK")
    async let sent: Void = reader.library.sendMarks()
    try await reader.double.server.request(to: path)
    other.edit { $0.faults = [.status(429, headers: ["Retry-After": "7200"])] }
    await #expect(throws: SyncError.self) { try await reader.library.sync(second) }
    let count = other.edit { $0.requests.count }
    reader.double.server.release(path)
    try await sent
    #expect(other.edit { $0.requests.count } == count)
  }

  @Test func `a password that is corrected during a sync with the old one stays corrected`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { $0.generation += 1 }
    let path = "/api/greader.php/accounts/ClientLogin"
    reader.double.server[path] = Answer([.hold] + Answer.whole("no", status: 401).steps)
    let sync = Task { try await reader.library.sync(account) }
    try await reader.double.server.hold(at: path)
    reader.double.server[path] = nil
    try await reader.library.checkPassword(GoogleReaderDouble.password, of: account)
    reader.double.server.release(path)
    await #expect(throws: SyncError.passwordRefused) { try await sync.value }
    let summary = try #require(await reader.library.storedAccounts().first)
    #expect(summary.failure == nil)
    #expect(summary.nextAttempt == nil)
    // The login is that of the new password.
    reader.double.edit { $0.requests = [] }
    try await reader.library.sync(account)
    #expect(reader.double.edit { $0.requests.contains("/accounts/ClientLogin") } == false)
  }

  @Test func `an account that gets a change while it is being removed is not removed without it`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let id = try await reader.article("a").id
    // Checked and removed in one transaction, nothing comes between the two.
    try await reader.library.setRead(true, of: [id])
    await #expect(throws: SyncError.changesWaiting(1)) {
      _ = try await reader.store.removeAccount(
        account, keepsFeeds: true, dropsChanges: false, at: reader.today.now)
    }
    #expect(try await reader.waiting() == 1)
    try await reader.library.sync(account)
    _ = try await reader.store.removeAccount(
      account, keepsFeeds: true, dropsChanges: false, at: reader.today.now)
    #expect(try await reader.library.storedAccounts().isEmpty)
  }
}
