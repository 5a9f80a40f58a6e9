import Foundation
import HTTP
import TestServer
import Testing

@testable import Articles

/// What ``GoogleReader`` relies on, of every server: the same tests for the double in each dialect and
/// for a real Miniflux, so that the double does not drift from it.
///
/// `make test-sync` starts a Miniflux and gives its address in `ARGYLE_SYNC_SERVER`.
@Suite(.serialized) struct GoogleReaderContractTests {
  /// A server to be asked, with nothing in it.
  struct Subject: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable () throws -> Setting

    var testDescription: String { name }
  }

  struct Setting: Sendable {
    let address: String
    let user: String
    let password: String
    /// Kept as long as the server is asked.
    let double: GoogleReaderDouble?
    /// Serves feeds to it.
    let feeds: TestServer
    let hasLabels: Bool

    func client(password: String? = nil) -> GoogleReader {
      let secret = password ?? self.password
      return client(SyncSession { secret })
    }

    func client(_ session: SyncSession) -> GoogleReader {
      GoogleReader(
        connection: SyncConnection(
          address: address, user: user, client: HTTPClient(), session: session))
    }

    /// The address of a feed with some articles, which no test has used before.
    func feed(_ count: Int) -> String {
      let name = "/\(UUID().uuidString)"
      let items = (0..<count).map {
        "<item><guid>\(name)\($0)</guid><title>Title \($0) &amp;amp; more</title>"
          + "<link>https://example.org\(name)/\($0)</link><description>Text</description></item>"
      }
      feeds[name] = .whole(
        "<rss version='2.0'><channel><title>Feed</title><link>https://example.org\(name)</link>"
          + items.joined() + "</channel></rss>", headers: ["Content-Type": "application/rss+xml"])
      let address = feeds.url(name)
      double?.edit { $0.model.published[address] = (0..<count).map { "Title \($0) &amp; more" } }
      return address
    }
  }

  static let subjects: [Subject] =
    GoogleReaderDouble.Dialect.allCases.map { dialect in
      Subject(name: "double of \(dialect.rawValue)") {
        let double = try GoogleReaderDouble(dialect)
        return Setting(
          address: double.address, user: GoogleReaderDouble.user,
          password: GoogleReaderDouble.password, double: double, feeds: try TestServer(),
          hasLabels: dialect == .freshRSS)
      }
    }
    + (ProcessInfo.processInfo.environment["ARGYLE_SYNC_SERVER"].map { address in
      [
        Subject(name: "Miniflux") {
          let environment = ProcessInfo.processInfo.environment
          return Setting(
            address: address, user: environment["ARGYLE_SYNC_USER"] ?? "",
            password: environment["ARGYLE_SYNC_PASSWORD"] ?? "", double: nil,
            feeds: try TestServer(), hasLabels: false)
        }
      ]
    } ?? [])

  @Test(arguments: subjects) func `the right password is taken and a wrong one is refused`(
    subject: Subject
  ) async throws {
    let setting = try subject.make()
    try await setting.client().logIn()
    await #expect(throws: SyncError.passwordRefused) {
      try await setting.client(password: "wrong").logIn()
    }
  }

  @Test(arguments: subjects) func `an old login is made again once`(subject: Subject) async throws {
    let setting = try subject.make()
    let password = setting.password
    let session = SyncSession(.init(authorization: "old", token: "older")) { password }
    let client = setting.client(session)
    _ = try await client.feeds()
    #expect(await session.secrets.authorization != "old")
    // The token is as old as the login.
    let fresh = setting.client(
      SyncSession(.init(authorization: "old", token: "older")) { password })
    try await fresh.set(.starred, true, of: [RemoteID(number: 9_000_000)])
    let refused = setting.client(SyncSession(.init(authorization: "old")) { "wrong" })
    await #expect(throws: SyncError.passwordRefused) { try await refused.feeds() }
  }

  @Test(arguments: GoogleReaderDouble.Dialect.allCases)
  func `requests that are refused at the same time share one login`(
    dialect: GoogleReaderDouble.Dialect
  ) async throws {
    let double = try GoogleReaderDouble(dialect)
    let client = GoogleReader(
      connection: SyncConnection(
        address: double.address, user: GoogleReaderDouble.user, client: HTTPClient(),
        session: SyncSession(.init(authorization: "old", token: "older")) {
          GoogleReaderDouble.password
        }))
    try await withThrowingTaskGroup { group in
      for number: Int64 in 1...8 {
        group.addTask { try await client.set(.starred, true, of: [RemoteID(number: number)]) }
      }
      try await group.waitForAll()
    }
    let requests = double.edit(\.requests)
    #expect(requests.count { $0.hasSuffix("ClientLogin") } == 1)
    #expect(requests.count { $0.hasSuffix("/token") } == 1)
  }

  @Test(arguments: subjects) func `a feed comes, is renamed, moves and goes`(
    subject: Subject
  ) async throws {
    let setting = try subject.make()
    let client = setting.client()
    let address = setting.feed(3)
    let id = try await client.subscribe(to: address, title: "Mine & yours", folder: "News/Tech")
    func feed() async throws -> RemoteFeed? { try await client.feeds().first { $0.id == id } }
    let added = try #require(await feed())
    #expect(added.address == address)
    // FreshRSS has no signs of HTML in titles.
    #expect(added.title.replacing("＆", with: "&") == "Mine & yours")
    #expect(added.folder == "News/Tech")
    try await client.edit(id, title: "Ours", folder: FolderMove(from: "News/Tech", to: "Å + ö"))
    #expect(try await feed()?.title == "Ours")
    #expect(try await feed()?.folder == "Å + ö")
    try await client.edit(id, title: "Again", folder: nil)
    #expect(try await feed()?.title == "Again")
    #expect(try await feed()?.folder == "Å + ö")
    let leaving = FolderMove(from: "Å + ö", to: nil)
    if setting.hasLabels {
      try await client.edit(id, title: nil, folder: leaving)
      #expect(try await feed()?.folder != "Å + ö")
    } else {
      // Every feed of Miniflux has a folder.
      await #expect(throws: SyncError.self) {
        try await client.edit(id, title: "Gone", folder: leaving)
      }
      #expect(try await feed()?.title == "Again")
      #expect(try await feed()?.folder == "Å + ö")
    }
    await #expect(throws: SyncError.self) {
      try await client.subscribe(to: address, title: nil, folder: nil)
    }
    try await client.unsubscribe(from: id)
    #expect(try await feed() == nil)
  }

  @Test(arguments: subjects) func `articles are listed and sent, and marks are kept`(
    subject: Subject
  ) async throws {
    let setting = try subject.make()
    let client = setting.client()
    let before = try await client.articles(with: .unread)
    let id = try await client.subscribe(to: setting.feed(250), title: nil, folder: nil)
    let unread = try await client.articles(with: .unread).subtracting(before)
    try #require(unread.count == 250)
    let some = Array(unread.prefix(150))
    let missing = RemoteID(number: 0x7000_0000_0000)
    let articles = try await client.articles(some.dropLast() + [missing])
    #expect(Set(articles.map(\.id)) == Set(some.dropLast()))
    #expect(articles.allSatisfy { $0.feed == id })
    #expect(articles.allSatisfy { $0.content.title.hasPrefix("Title ") })
    #expect(articles.allSatisfy { $0.content.title.hasSuffix(" & more") })
    #expect(articles.allSatisfy { $0.content.link?.hasPrefix("http") == true })
    #expect(articles.allSatisfy { $0.content.html.contains("Text") })
    #expect(try await client.articles([missing]).isEmpty)

    let starred = try await client.articles(with: .starred)
    try await client.set(.unread, false, of: some)
    try await client.set(.starred, true, of: Array(some.prefix(20)) + [missing])
    #expect(
      try await client.articles(with: .unread).subtracting(before) == unread.subtracting(some))
    #expect(try await client.articles(with: .starred).subtracting(starred) == Set(some.prefix(20)))
    try await client.set(.unread, true, of: Array(some.prefix(2)))
    try await client.set(.starred, false, of: Array(some.prefix(2)))
    // Once more: an answer may have been lost, or another device have done the same.
    try await client.set(.starred, false, of: Array(some.prefix(2)))
    try await client.set(.starred, true, of: Array(some.prefix(20).dropFirst(2)))
    try await client.set(.unread, false, of: Array(some.dropFirst(2)))
    try await client.set(.unread, true, of: Array(some.prefix(2)))
    #expect(
      try await client.articles(with: .unread).subtracting(before)
        == unread.subtracting(some.dropFirst(2)))
    #expect(
      try await client.articles(with: .starred).subtracting(starred)
        == Set(some.prefix(20).dropFirst(2)))
    try await client.unsubscribe(from: id)
  }

  @Test(arguments: subjects) func `names of articles are kept where there are any`(
    subject: Subject
  ) async throws {
    let setting = try subject.make()
    let client = setting.client()
    let before = try await client.articles(with: .unread)
    let id = try await client.subscribe(to: setting.feed(3), title: nil, folder: nil)
    let some = try await client.articles(with: .unread).subtracting(before).first.map { [$0] } ?? []
    if setting.hasLabels {
      try await client.set(.label("to do"), true, of: some)
      #expect(try await client.labels() == ["to do"])
      #expect(try await client.articles(with: .label("to do")) == Set(some))
      try await client.set(.label("to do"), false, of: some)
      #expect(try await client.articles(with: .label("to do")).isEmpty)
    } else {
      await #expect(throws: SyncError.unsupported) {
        try await client.set(.label("to do"), true, of: some)
      }
      #expect(try await client.labels() == nil)
    }
    try await client.unsubscribe(from: id)
  }
}
