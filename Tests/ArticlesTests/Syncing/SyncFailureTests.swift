import Foundation
import HTTP
import TestServer
import Testing

@testable import Articles

/// What a server does wrong, and what then is not lost.
@Suite struct SyncFailureTests {
  typealias Dialect = GoogleReaderDouble.Dialect

  @Test(arguments: Dialect.allCases) func `a lost answer is asked for again and nothing is lost`(
    dialect: Dialect
  ) async throws {
    // Each request of a sync in turn has no answer, though the server acts.
    for place in 0..<9 {
      let reader = try SyncedReader(dialect)
      let account = try await reader.addSyncedAccount()
      try await reader.library.setRead(true, of: [reader.article("a").id])
      try await reader.library.setStarred(true, of: [reader.article("b").id])
      let (id, _) = try reader.remote("c")
      reader.double.edit { state in
        state.model.set(.starred, true, of: id)
        state.model.publish("new", in: "feed/1")
      }
      reader.double.edit { $0.passing = place }
      _ = try? await reader.library.sync(account)
      reader.double.edit { $0.passing = nil }
      try await reader.library.sync(account)
      #expect(try await reader.titles(.unread) == ["b", "c", "new"], "request \(place)")
      #expect(try await reader.titles(.starred) == ["b", "c"], "request \(place)")
      #expect(try reader.remote("a").item.isRead)
      #expect(try reader.remote("b").item.isStarred)
      #expect(try await reader.waiting() == 0)
    }
  }

  @Test(arguments: ["[]", "<html>Login</html>", "{}", "", #"{"itemRefs": [{"id": "?!"}]}"#])
  func `an answer that is none changes nothing`(text: String) async throws {
    for place in 0..<3 {
      let reader = try SyncedReader(.miniflux)
      let account = try await reader.addSyncedAccount()
      reader.double.edit { state in
        state.faults =
          Array(repeating: GoogleReaderDouble.Fault.none, count: place) + [.answers(text)]
      }
      await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
      #expect(try await reader.titles(.unread) == ["a", "b", "c"])
      #expect(try await reader.store.feeds(in: .all).count == 1)
      let summary = try #require(await reader.library.storedAccounts().first)
      #expect(summary.failure?.what == "The server's answer cannot be read.")
    }
  }

  @Test func `pages without an end are refused`() async throws {
    let reader = try SyncedReader(.miniflux)
    let account = try await reader.addAccount()
    reader.double.edit { state in
      let pages = (0...GoogleReader.pageLimit).map { page in
        GoogleReaderDouble.Fault.answers(
          #"{"itemRefs": [{"id": "\#(page)"}], "continuation": "\#(page)"}"#)
      }
      state.faults = [.none] + pages
    }
    await #expect(
      throws: SyncError.badAnswer(detail: "The list of articles has more than 1000 pages.")
    ) { try await reader.library.sync(account) }
  }

  @Test func `articles that are too large for one answer come in several`() async throws {
    let first = try SyncedReader()
    try await first.library.sync(first.addAccount())
    let requests = first.double.edit(\.requests)
    let reader = try SyncedReader()
    let account = try await reader.addAccount()
    let place = try #require(requests.firstIndex { $0.hasSuffix("contents") })
    let login = reader.double.edit(\.requests).count
    reader.double.edit { state in
      let tooLarge = String(repeating: " ", count: ServerAnswer.articlesSizeLimit + 1)
      state.faults =
        Array(repeating: GoogleReaderDouble.Fault.none, count: place - login)
        + [.answers(tooLarge)]
    }
    #expect(try await reader.library.sync(account).newArticleCount == 3)
  }

  @Test func `a list whose pages shift is read until nothing is new in it`() async throws {
    let reader = try SyncedReader(.miniflux, (0..<10).map { "\($0)" })
    let account = try await reader.addSyncedAccount()
    // While the first reading goes on, another client reads what stood on the first page.
    reader.double.edit { state in
      state.pageLimit = 4
      state.marksAtPage = 2
    }
    try await reader.library.sync(account)
    // What was read while the list was, may be there until the next sync; what was not, is there.
    #expect(try await reader.unreadOfServer().isSubset(of: reader.titles(.unread)))
    try await reader.library.sync(account)
    #expect(try await reader.titles(.unread) == reader.unreadOfServer())
  }

  @Test func `no article is missed between two pages that have an order of their own`() async throws
  {
    let reader = try SyncedReader(.miniflux, (0..<200).map { "\($0)" })
    let account = try await reader.addSyncedAccount()
    reader.double.edit { state in
      state.pageLimit = 30
      state.hasTies = true
    }
    try await reader.library.sync(account)
    #expect(try await reader.titles(.unread).count == 200)
  }

  @Test func `a list that shrinks all the time takes nothing for read that is not`() async throws {
    let reader = try SyncedReader(.miniflux, (0..<30).map { "\($0)" })
    let account = try await reader.addSyncedAccount()
    reader.double.edit { state in
      state.pageLimit = 6
      state.marksAtPage = .max
    }
    try await reader.library.sync(account)
    #expect(try await reader.unreadOfServer().isSubset(of: reader.titles(.unread)))
  }

  @Test func `a list that has something new each time is not believed`() async throws {
    let reader = try SyncedReader(.miniflux, (0..<30).map { "\($0)" })
    let account = try await reader.addSyncedAccount()
    reader.double.edit { state in
      state.pageLimit = 6
      state.publishesAtPage = true
    }
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    #expect(try await reader.titles(.unread).count == 30)
  }

  @Test func `a server that wants fewer ids gets fewer`() async throws {
    let reader = try SyncedReader(.freshRSS, (0..<40).map { "\($0)" })
    reader.double.edit { $0.idLimit = 7 }
    let account = try await reader.addAccount()
    let first = try await reader.library.sync(account)
    #expect(first.newArticleCount == 40)
    try await reader.library.markRead()
    let report = try await reader.library.sync(account)
    #expect(report.sentMarks == 40)
    #expect(reader.double.model.ids(with: .unread).isEmpty)
  }

  @Test func `the words of a refusal are told, but not a page for visitors`() async throws {
    let reader = try SyncedReader()
    let account = try await reader.addAccount()
    for (type, detail) in [
      ("text/plain", "HTTP status 503: a problem"), ("text/html; charset=utf-8", "HTTP status 503"),
    ] {
      reader.double.edit { $0.faults = [.status(503, headers: ["Content-Type": type])] }
      await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
      let failed = try #require(await reader.library.storedAccounts().first)
      #expect(failed.failure?.detail == detail)
    }
  }

  @Test func `a server without the API is told from one with a problem`() async throws {
    let server = try TestServer()
    server.answer(TestServer.anyPath) { _ in .whole("<h1>Unsupported method</h1>", status: 501) }
    let reader = try SyncedReader()
    let error = await #expect(throws: SyncError.self) {
      try await reader.library.addAccount(
        .googleReader, address: server.url(""), user: "me", password: "secret")
    }
    #expect(error?.message.what == "There is no server for syncing at this address.")
  }

  @Test func `a server that asks to wait is left alone until then`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { $0.faults = [.status(429, headers: ["Retry-After": "7200"])] }
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    let failed = try #require(await reader.library.storedAccounts().first)
    #expect(failed.failure?.what == "The server says that it gets too many requests.")
    #expect(failed.nextAttempt == reader.today.now.addingTimeInterval(7_200))
    let count = reader.double.edit { $0.requests.count }
    reader.today.pass(3_600)
    try await reader.library.reload(refresh: .scheduled(every: 60))
    try await reader.library.sendMarks()
    #expect(reader.double.edit { $0.requests.count } == count)
    reader.today.pass(3_700)
    let report = try await reader.library.reload(refresh: .scheduled(every: 60))
    #expect(report.accounts.map(\.outcome) == [.synced(SyncReport())])
  }

  @Test func `a password that is refused is asked for once, and not again by itself`() async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    // The server has ended all logins, and has another password.
    reader.double.edit { state in
      state.generation += 1
      state.refusesPassword = true
    }
    await #expect(throws: SyncError.passwordRefused) { try await reader.library.sync(account) }
    let logins = { reader.double.edit { $0.requests.count { $0 == "/accounts/ClientLogin" } } }
    let count = logins()
    reader.today.pass(86_400)
    try await reader.library.reload(refresh: .scheduled(every: 60))
    try await reader.library.sendMarks()
    #expect(logins() == count)
    // A try by hand without a network changes nothing about that.
    reader.double.server.refuseConnections()
    await #expect(throws: HTTPError.self) { try await reader.library.sync(account) }
    try reader.double.server.acceptConnections()
    reader.today.pass(86_400)
    try await reader.library.sendMarks()
    #expect(logins() == count)
    let summary = try #require(await reader.library.storedAccounts().first)
    #expect(summary.failure?.isLasting == true)
    #expect(summary.offlineSince == nil)
    reader.double.edit { $0.refusesPassword = false }
    try await reader.library.checkPassword(GoogleReaderDouble.password, of: account)
    #expect(try await reader.library.storedAccounts().first?.failure == nil)
    try await reader.library.sync(account)
  }

  @Test func `a server that cannot be reached is offline, and marks wait`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.server.refuseConnections()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    await #expect(throws: HTTPError.self) { try await reader.library.sync(account) }
    let offline = try #require(await reader.library.storedAccounts().first)
    #expect(offline.offlineSince == reader.today.now)
    #expect(offline.failure == nil)
    #expect(offline.waitingCount == 1)
    // A reload of everything tells of it, and no feed has failed.
    let report = try await reader.library.reload()
    #expect(report.error == nil)
    #expect(report.accounts.map(\.waitingCount) == [1])
    #expect(try await reader.library.storedAccounts().first?.offlineSince == reader.today.now)
    try reader.double.server.acceptConnections()
    try await reader.library.sync(account)
    #expect(try reader.remote("a").item.isRead)
    #expect(try await reader.library.storedAccounts().first?.offlineSince == nil)
  }

  /// Fails to sync, and returns how long the account then waits, in seconds.
  private func pause(
    _ reader: SyncedReader, _ account: SyncAccount.ID
  ) async throws -> TimeInterval {
    await #expect(throws: HTTPError.self) { try await reader.library.sync(account) }
    return try await pause(reader)
  }

  private func pause(_ reader: SyncedReader) async throws -> TimeInterval {
    let summary = try #require(await reader.library.storedAccounts().first)
    return try #require(summary.nextAttempt).timeIntervalSince(reader.today.now)
  }

  @Test func `a retry by hand does not put off the automatic one`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.server.refuseConnections()
    #expect(try await pause(reader, account) == 30)
    reader.today.pass(20)
    #expect(try await pause(reader, account) == 10)
    #expect(try await pause(reader, account) == 10)
    reader.today.pass(10)
    #expect(try await pause(reader, account) == 60)
  }

  @Test func `a new mark ends a long pause of a server that cannot be reached`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.server.refuseConnections()
    var last: TimeInterval = 0
    for _ in 1...4 {
      reader.today.pass(last)
      last = try await pause(reader, account)
    }
    #expect(last == 240)
    reader.today.pass(100)
    try await reader.library.setRead(true, of: [reader.article("a").id])
    #expect(try await pause(reader) == -70)
    try reader.double.server.acceptConnections()
    try await reader.library.sendMarks()
    #expect(try reader.remote("a").item.isRead)
  }

  @Test func `stars survive a server that was restored from a backup`() async throws {
    let reader = try SyncedReader(.miniflux)
    let account = try await reader.addSyncedAccount()
    try await reader.library.setStarred(true, of: [reader.article("a").id, reader.article("b").id])
    try await reader.library.sync(account)
    let ids = try (reader.remote("a").id, reader.remote("b").id)
    reader.double.edit { state in
      state.model.lose(ids.0)
      state.model.set(.starred, false, of: ids.1)
    }
    try await reader.library.sync(account)
    #expect(try await reader.titles(.starred) == ["a"])
    // It is asked for once, not with every sync.
    reader.double.edit { $0.requests = [] }
    try await reader.library.sync(account)
    #expect(!reader.double.edit { $0.requests.contains { $0.hasSuffix("contents") } })
  }

  @Test(arguments: [1, 5])
  func `stars that a server does not tell of are asked for in smaller parts, or stay`(
    refusals: Int
  ) async throws {
    let reader = try SyncedReader()
    let account = try await reader.addAccount()
    let ids = try ["a", "b", "c"].map { try reader.remote($0).id }
    let setStars = { (value: Bool) in
      reader.double.edit { state in
        for id in ids { state.model.set(.starred, value, of: id) }
      }
    }
    setStars(true)
    try await reader.library.sync(account)
    setStars(false)
    reader.double.edit { $0.refusedContents = refusals }
    try await reader.library.sync(account)
    #expect(try await reader.titles(.starred) == (refusals == 1 ? [] : ["a", "b", "c"]))
    try await reader.library.sync(account)
    #expect(try await reader.titles(.starred).isEmpty)
  }

  @Test func `what was dropped here does not come back while the server has it`() async throws {
    let reader = try SyncedReader(
      retention: Retention(age: 86_400 * 30, countPerFeed: nil, keepsUnread: false))
    let account = try await reader.addSyncedAccount()
    for _ in 0..<8 {
      reader.today.pass(86_400 * 5)
      try await reader.library.sync(account)
      try await reader.library.reload(refresh: .never)
      try await reader.library.tidy()
    }
    #expect(try await reader.titles() == [])
    #expect(try await reader.library.sync(account).newArticleCount == 0)
    // One that gets a star or a tag elsewhere is wanted again.
    let wanted = try (reader.remote("a").id, reader.remote("b").id)
    reader.double.edit { state in
      state.model.set(.starred, true, of: wanted.0)
      state.model.set(.label("later"), true, of: wanted.1)
    }
    try await reader.library.sync(account)
    #expect(try await reader.titles() == ["a", "b"])
    #expect(try await reader.titles(.starred) == ["a"])
  }

  @Test func `an article that was dropped and is wished elsewhere is the same one again`()
    async throws
  {
    let reader = try SyncedReader(
      retention: Retention(age: 86_400 * 30, countPerFeed: nil, keepsUnread: false))
    // Under its own guid, which the server does not have.
    try await reader.addOwnFeed(["a", "b", "c"])
    let account = try await reader.addSyncedAccount()
    let ids = try await (reader.article("a").id, reader.article("b").id)
    try await reader.library.setPosition(ReadingPosition(block: 7, offset: 3), of: ids.0)
    reader.today.pass(86_400 * 31)
    try await reader.library.tidy()
    #expect(try await reader.titles() == [])
    let wanted = try (reader.remote("a").id, reader.remote("b").id)
    reader.double.edit { state in
      state.model.set(.starred, true, of: wanted.0)
      state.model.set(.label("later"), true, of: wanted.1)
    }
    #expect(try await reader.library.sync(account).newArticleCount == 0)
    #expect(try await (reader.article("a").id, reader.article("b").id) == ids)
    #expect(try await reader.titles(.starred) == ["a"])
    #expect(try await reader.store.tags(of: [ids.1]) == [ids.1: ["later"]])
    #expect(try await reader.store.position(of: ids.0)?.block == 7)
    // Nothing is left that larger settings would bring back a second time.
    reader.library.options.retention = .everything
    try await reader.library.tidy()
    #expect(
      try await reader.store.articles(matching: ArticleQuery()).map(\.title).sorted()
        == ["a", "b", "c"])
  }

  @Test(arguments: [
    UserMessage(HTTPError.certificate(.wrongName, reason: "")),
    UserMessage(SyncError.notAServer(detail: "")),
  ])
  func `a failure that is not about the password is told and passes by itself`(
    message: UserMessage
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    // As while its container restarts.
    reader.double.edit { $0.faults = [.status(404)] }
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    #expect(try await pause(reader) == 300)
    try await reader.store.write { database in
      try database.run(
        "UPDATE account SET failureWhat = ?, failureIsLasting = ?",
        [message.what, message.isLasting])
    }
    #expect(message.isLasting)
    try await reader.library.setRead(true, of: [reader.article("a").id])
    #expect(try await pause(reader) == 300)
    #expect(try await reader.library.storedAccounts().first?.failure?.what == message.what)
    reader.today.pass(300)
    try await reader.library.sendMarks()
    #expect(try reader.remote("a").item.isRead)
    #expect(try await reader.library.storedAccounts().first?.failure == nil)
  }

  @Test func `marks that are sent do not hide that the account cannot be synced`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.server["/api/greader.php/reader/api/0/subscription/list"] = .whole("[]")
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    try await reader.library.setRead(true, of: [reader.article("a").id])
    reader.today.pass(300)
    try await reader.library.sendMarks()
    #expect(try reader.remote("a").item.isRead)
    #expect(try await reader.waiting() == 0)
    let summary = try #require(await reader.library.storedAccounts().first)
    #expect(summary.failure?.what == "The server's answer cannot be read.")
    #expect(try await pause(reader) == 600)
  }

  @Test func `it is remembered once a day that the server still has what was dropped`()
    async throws
  {
    let reader = try SyncedReader(
      retention: Retention(age: 86_400 * 30, countPerFeed: nil, keepsUnread: false))
    reader.double.edit { _ = $0.model.subscribe("https://example.org/other", title: "Other") }
    let account = try await reader.addSyncedAccount()
    reader.today.pass(86_400 * 31)
    try await reader.library.tidy()
    #expect(try await reader.titles() == [])
    func updates() async throws -> Int {
      try await reader.statements(with: "UPDATE dropped ") {
        try await reader.library.sync(account)
      }.found.count
    }
    #expect(try await updates() == 0)
    reader.today.pass(86_400)
    #expect(try await updates() == 3)
    #expect(try await updates() == 0)
  }
}
