import Foundation
import HTTP
import TestServer
import Testing

@testable import Articles

/// Tests of servers that turn requests or changes away, and of what then waits.
@Suite(.timeLimit(.minutes(10))) struct SyncRefusalTests {
  typealias Fault = GoogleReaderDouble.Fault

  private func failure(_ reader: SyncedReader) async throws -> UserMessage? {
    try await reader.library.storedAccounts().first?.failure
  }

  // MARK: Logins

  /// A wall in front of the server refuses the request and the new login, or the request twice.
  @Test(arguments: [
    [Fault.status(403), .status(403)], [.status(403), .none, .none, .status(403)],
  ])
  func `a server that turns everything away for a while has not refused the password`(
    faults: [Fault]
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    reader.double.edit { $0.faults = faults }
    await #expect(throws: SyncError.refused(status: 403, detail: "a problem")) {
      try await reader.library.sync(account)
    }
    #expect(try await failure(reader)?.isAboutPassword == false)
    reader.today.pass(299)
    let count = reader.double.edit(\.requests).count
    try await reader.library.sendMarks()
    #expect(reader.double.edit(\.requests).count == count)
    reader.today.pass(1)
    try await reader.library.sendMarks()
    #expect(try reader.remote("a").item.isRead)
    #expect(try await failure(reader) == nil)
  }

  @Test(arguments: [("Error=BadAuthentication\n", true), ("Error=CaptchaRequired\n", false)])
  func `a login that Google's servers refuse with 403 has a wrong password only if they say so`(
    answer: String, isWrong: Bool
  ) async throws {
    let server = try TestServer()
    server.answer(TestServer.anyPath) { _ in .whole(answer, status: 403) }
    let error = await #expect(throws: SyncError.self) {
      try await SyncedReader().library.addAccount(
        address: server.url(""), user: "me", password: "secret")
    }
    #expect((error == .passwordRefused) == isWrong)
  }

  @Test func `a password that one program cannot read is read by another one later`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.setRead(true, of: [reader.article("a").id])
    reader.double.edit { $0.generation += 1 }
    // As in a job of cron, which has no keyring.
    let job = Library(
      store: reader.store, options: .patient, passwords: NoPasswords(),
      now: { [today = reader.today] in today.now })
    await #expect(throws: SyncError.noPassword(reason: "This program keeps none.")) {
      try await job.sync(account)
    }
    #expect(try await failure(reader)?.isAboutPassword == true)
    reader.today.pass(300)
    try await reader.library.sendMarks()
    #expect(try reader.remote("a").item.isRead)
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a feed stays in the account whose server turns everything away`() async throws {
    let reader = try SyncedReader()
    let address = "https://example.org/own"
    let own = try #require(try await reader.store.insertFeed(address: address)).id
    try await reader.fetchOwn(["mine"], of: own)
    let account = try await reader.addSyncedAccount()
    reader.double.edit { $0.faults = Array(repeating: .status(403), count: 20) }
    let joined = try await reader.library.addition(of: address, to: account)
    #expect(joined.failure as? SyncError == .refused(status: 403, detail: "a problem"))
    #expect(joined.feed.account == account)
    reader.double.edit { $0.faults = [] }
    try await reader.library.sync(account)
    #expect(try await reader.waiting() == 0)
    #expect(reader.double.model.feeds.count == 2)
  }

  // MARK: Waiting

  @Test func `a server that asks to wait gets no request until then, not even for the user`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { $0.faults = [.status(429, headers: ["Retry-After": "7200"])] }
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    let told = try #require(try await failure(reader))
    let count = reader.double.edit(\.requests).count
    reader.today.pass(7_199)
    for _ in 1...2 {
      let report = try await reader.library.reload()
      guard case .failed(let message)? = report.accounts.first?.outcome else {
        Issue.record("The account was synced.")
        return
      }
      #expect(message.what == told.what)
      #expect(message.retryDate == reader.today.now + 1)
    }
    await #expect(throws: (any Error).self) { try await reader.library.sync(account) }
    #expect(reader.double.edit(\.requests).count == count)
    let summary = try #require(try await reader.library.storedAccounts().first)
    #expect(summary.nextAttempt == reader.today.now + 1)
    reader.today.pass(1)
    #expect(
      try await reader.library.reload().accounts.map(\.outcome) == [.synced(SyncReport())])
  }

  @Test func `a new password is tried although the server asked to wait with the old one`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    reader.double.edit { $0.faults = [.status(503, headers: ["Retry-After": "7200"])] }
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    try await reader.library.checkPassword(GoogleReaderDouble.password, of: account)
    try await reader.library.sync(account)
    #expect(try await failure(reader) == nil)
  }

  // MARK: Changes

  @Test func `a feed leaves no folder here that it cannot leave on its server`() async throws {
    let reader = try SyncedReader(.miniflux)
    let account = try await reader.addSyncedAccount()
    func feed() async throws -> Feed { try #require(await reader.store.feeds(in: .all).first).feed }
    let before = try await feed()
    await #expect(throws: SyncError.self) {
      try await reader.library.arrange(before.id, as: FeedArrangement(title: "Mine"))
    }
    #expect(try await feed() == before)
    // A change of another program, or of one that does not know the server yet.
    try await reader.store.write {
      try $0.run("UPDATE feed SET folder = NULL, customTitle = 'Mine'", [])
    }
    #expect(try await reader.waiting() == 1)
    let report = try await reader.library.sync(account)
    #expect(report.sentFeeds == 0)
    #expect(report.refusedFeeds.map(\.title) == ["Mine"])
    #expect(report.refusedFeeds.first?.reason.contains("folder") == true)
    #expect(try await feed() == before)
    #expect(try await reader.waiting() == 0)
    // To another folder it can go.
    try await reader.library.arrange(
      before.id, as: FeedArrangement(title: "Mine", folder: FeedFolder(["Tech"])))
    #expect(try await reader.library.sync(account).sentFeeds == 1)
    #expect(try await feed().folder?.path == ["Tech"])
    #expect(reader.double.model.feeds["feed/1"]?.title == "Mine")
  }

  @Test func `a tag with the name of a folder waits until the server can have it`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    try await reader.library.tag([reader.article("a").id], adding: ["News", "other"])
    for _ in 1...2 {
      let report = try await reader.library.sync(account)
      #expect(report.refusedMarks == 1)
      #expect(try await reader.waiting() == 1)
      #expect(try await reader.article("a").tags == ["News", "other"])
      #expect(try reader.remote("a").item.labels == ["other"])
    }
    reader.double.edit { $0.model.feeds["feed/1"]?.folder = "Else" }
    try await reader.library.sync(account)
    let report = try await reader.library.sync(account)
    #expect(report.sentMarks == 1)
    #expect(report.refusedMarks == 0)
    #expect(try await reader.waiting() == 0)
    #expect(try reader.remote("a").item.labels == ["News", "other"])
  }

  @Test func `a tag with the name of a folder that is taken away again does not wait`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let article = try await reader.article("a").id
    try await reader.library.tag([article], adding: ["News"])
    try await reader.library.sync(account)
    try await reader.library.tag([article], removing: ["News"])
    #expect(try await reader.library.sync(account).refusedMarks == 0)
    #expect(try await reader.waiting() == 0)
  }

  @Test func `a tag with the name of a folder stays here if the server has no labels`()
    async throws
  {
    let reader = try SyncedReader(.miniflux)
    let account = try await reader.addSyncedAccount()
    try await reader.library.tag([reader.article("a").id], adding: ["News"])
    #expect(try await reader.library.sync(account).refusedMarks == 0)
    #expect(try await reader.waiting() == 0)
    #expect(try await reader.article("a").tags == ["News"])
  }
}
