import Foundation
import HTTP
import Synchronization
import TestServer
import Testing

@testable import Articles

@Suite struct FeverTests {
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ]) func `digests are those of the standard`(text: String, digest: String) {
    #expect(MD5.hexadecimal(Array(text.utf8)) == digest)
  }

  /// A server that takes `saved` and `unsaved` for the other way round, as Miniflux does.
  private final class Double: Sendable {
    let server: TestServer
    private let model = Shared(ServerModel())
    /// The members that it answers a request for groups with.
    let groups = Mutex(
      #"""
      , "groups": [{"id": 1, "title": "News"}],
      "feeds_groups": [{"group_id": 1, "feed_ids": "1"}]
      """#)

    final class Shared: Sendable {
      private let value: Mutex<ServerModel>
      init(_ value: ServerModel) { self.value = Mutex(value) }
      func edit<Value: Sendable>(_ body: (inout ServerModel) -> Value) -> Value {
        value.withLock { body(&$0) }
      }
    }

    init() throws {
      server = try TestServer()
      model.edit { model in
        let id = model.subscribe("https://example.org/feed", title: "Feed", folder: "News")
        for title in ["a", "b", "c"] { model.publish(title, in: id) }
      }
      server.answer("/fever/") { [model, weak self] request in
        let form = String(decoding: request.body, as: UTF8.self)
        // md5 of "ann:right"
        guard form.contains("api_key=" + MD5.hexadecimal(Array("ann:right".utf8))) else {
          return .whole(#"{"api_version": 3, "auth": 0}"#)
        }
        let groups = self?.groups.withLock(\.self) ?? ""
        return .whole(model.edit { Self.answer(request.target, form, groups, &$0) })
      }
    }

    var items: [String: ServerModel.Item] {
      Dictionary(uniqueKeysWithValues: model.edit { $0.items.values.map { ($0.title, $0) } })
    }

    func loseFeeds() { model.edit { $0.unsubscribe("feed/1") } }

    private static func answer(
      _ target: String, _ form: String, _ groups: String, _ model: inout ServerModel
    ) -> String {
      let fields = form.split(separator: "&").map(String.init)
      if fields.contains("mark=item"),
        let id = fields.first(where: { $0.hasPrefix("id=") }).flatMap({ Int64($0.dropFirst(3)) })
      {
        let item = RemoteID(number: id)
        if fields.contains("as=read") { model.set(.unread, false, of: item) }
        if fields.contains("as=unread") { model.set(.unread, true, of: item) }
        if form.contains("saved") { model.set(.starred, !model.has(.starred, of: item), of: item) }
      }
      func list(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: ",") }
      var answer = #""api_version": 3, "auth": 1"#
      if target.contains("&groups") { answer += groups }
      if target.contains("&feeds") {
        let feed = #"{"id": 1, "title": "Feed", "url": "https://example.org/feed"}"#
        answer += #", "feeds": [\#(model.feeds.isEmpty ? "" : feed)]"#
      }
      if target.contains("&unread_item_ids") {
        answer += #", "unread_item_ids": "\#(list(model.ids(with: .unread)))""#
      }
      if target.contains("&saved_item_ids") {
        answer += #", "saved_item_ids": "\#(list(model.ids(with: .starred)))""#
      }
      if let range = target.firstRange(of: "with_ids=") {
        let ids = target[range.upperBound...].split(separator: ",").compactMap { Int64($0) }
        let items = ids.compactMap { id in
          model.items[id].map { item in
            #"""
            {"id": \#(id), "feed_id": 1, "title": "\#(item.title)", "html": "<p>Text</p>",
              "url": "\#(item.link)", "is_saved": \#(item.isStarred ? 1 : 0)}
            """#
          }
        }
        answer += #", "items": [\#(items.joined(separator: ","))]"#
      }
      return "{\(answer)}"
    }
  }

  @Test func `an account of Fever syncs marks both ways`() async throws {
    let double = try Double()
    let store = try ArticleStore.inMemory()
    let library = Library(store: store)
    await #expect(throws: SyncError.passwordRefused) {
      try await library.addAccount(
        .fever, address: double.server.url(""), user: "ann", password: "wrong")
    }
    let account = try await library.addAccount(
      address: double.server.url(""), user: "ann", password: "right")
    #expect(account.kind == .fever)
    #expect(account.address == double.server.url("/fever"))
    #expect(try await library.sync(account.id).newArticleCount == 3)
    let feed = try #require(await store.feeds(in: .all).first?.feed)
    #expect(feed.title == "Feed")
    #expect(feed.folder?.path == ["News"])

    func article(_ title: String) async throws -> Article.ID {
      try #require(
        try await store.articles(matching: ArticleQuery()).first { $0.title == title }
      ).id
    }
    try await library.setRead(true, of: [article("a")])
    try await library.setStarred(true, of: [article("b")])
    #expect(try await library.sync(account.id).sentMarks == 2)
    #expect(double.items["a"]?.isRead == true)
    #expect(double.items["b"]?.isStarred == true)
    // Once more, as after a lost answer.
    try await library.setStarred(false, of: [article("b")])
    try await library.setStarred(true, of: [article("b")])
    try await library.sync(account.id)
    #expect(double.items["b"]?.isStarred == true)
  }

  /// A library with an account that was synced.
  private func synced(
    _ double: Double
  ) async throws -> (Library, ArticleStore, account: SyncAccount.ID, feed: Feed) {
    let store = try ArticleStore.inMemory()
    let library = Library(store: store)
    let account = try await library.addAccount(
      .fever, address: double.server.url(""), user: "ann", password: "right"
    ).id
    try await library.sync(account)
    return (library, store, account, try #require(await store.feeds(in: .all).first?.feed))
  }

  @Test func `a change of feeds that waits for an account of Fever is undone by the next sync`()
    async throws
  {
    let double = try Double()
    let (library, store, account, feed) = try await synced(double)
    func waiting() async throws -> Int? {
      try await library.storedAccounts().first?.waitingCount
    }
    let list = """
      <opml version="2.0"><body><outline text="Mine">
        <outline text="Renamed" xmlUrl="https://example.org/feed" category="tag"/>
      </outline></body></opml>
      """
    _ = try await library.add(try OPML.read(Array(list.utf8)))
    #expect(try await waiting() == 1)
    var report = try await library.sync(account)
    #expect(report.refusedFeeds.map(\.title) == ["Renamed"])
    #expect(
      report.refusedFeeds.map(\.reason) == [
        "The server cannot change feeds, so it has the server's title and folder again."
      ])
    let arranged = try #require(await store.feeds(in: .all).first?.feed)
    #expect(arranged.title == "Feed")
    #expect(arranged.customTitle == nil)
    #expect(arranged.folder?.path == ["News"])
    #expect(arranged.tags == ["tag"])

    _ = try await store.write { database in
      try ArticleStore.removeFeed(feed.id, at: Date(timeIntervalSince1970: 0), database)
    }
    #expect(try await waiting() == 1)
    report = try await library.sync(account)
    #expect(
      report.refusedFeeds.map(\.reason) == ["The server cannot remove feeds, so it is back."])
    #expect(try await store.feeds(in: .account(account)).map(\.feed.id) == [feed.id])
    #expect(try await store.articles(matching: ArticleQuery()).count == 3)

    #expect(try await waiting() == 0)
    #expect(try await library.sync(account) == SyncReport())
  }

  @Test func `an answer without groups changes no folder, and one with none leaves feeds in none`()
    async throws
  {
    let double = try Double()
    let (library, store, account, _) = try await synced(double)
    for groups in ["", #", "groups": false"#] {
      double.groups.withLock { $0 = groups }
      await #expect(throws: SyncError.badAnswer(detail: "no groups")) {
        try await library.sync(account)
      }
      #expect(try await store.feeds(in: .all).map(\.feed.folder?.path) == [["News"]])
    }
    double.groups.withLock { $0 = #", "groups": [], "feeds_groups": []"# }
    try await library.sync(account)
    #expect(try await store.feeds(in: .all).map(\.feed.folder) == [nil])
  }

  @Test func `a feed that Fever cannot add is not added, and one that comes back is on its own`()
    async throws
  {
    let double = try Double()
    let (library, store, account, feed) = try await synced(double)
    await #expect(throws: SyncError.unsupported) {
      try await library.addition(of: "https://example.org/new", to: account)
    }
    #expect(try await store.feeds(in: .all).map(\.feed.id) == [feed.id])
    // Nor one that another account has.
    let other = try #require(
      try await store.insertAccount(
        .googleReader, address: "https://example.net", user: "me", passwordCommand: nil,
        secrets: SyncSession.Secrets()))
    let theirs = "https://example.org/theirs"
    #expect(try await store.insertFeed(address: theirs, of: other.id) != nil)
    await #expect(throws: SyncError.unsupported) {
      try await library.addition(of: theirs, to: account)
    }
    try await library.removeAccount(other.id, dropsChanges: true)
    double.loseFeeds()
    #expect(try await library.sync(account).removedFeeds == ["Feed"])
    _ = try await store.restoreFeed(feed.id)
    #expect(try await library.sync(account).refusedFeeds.map(\.title) == ["Feed"])
    #expect(try await store.feeds(in: .all).map(\.feed.id) == [feed.id])
    #expect(try await store.feeds(in: .account(account)).isEmpty)
    #expect(try await store.articles(matching: .unread).count == 3)
    #expect(try await library.sync(account) == SyncReport())
  }

  @Test func `a change of a feed that Fever cannot make is refused at once`() async throws {
    let double = try Double()
    let (library, store, account, feed) = try await synced(double)
    let before = try await store.feeds(in: .all).map(\.feed)
    let renamed = FeedArrangement(title: "Mine", folder: feed.folder)
    await #expect(throws: SyncError.unsupported) { try await library.arrange(feed.id, as: renamed) }
    let moved = FeedArrangement(folder: FeedFolder(["Mine"]))
    await #expect(throws: SyncError.unsupported) { try await library.arrange(feed.id, as: moved) }
    let folder = try #require(feed.folder)
    await #expect(throws: SyncError.unsupported) {
      try await library.move(folder, to: #require(FeedFolder(["Mine"])))
    }
    await #expect(throws: SyncError.unsupported) { try await library.remove(folder) }
    await #expect(throws: SyncError.unsupported) { try await library.remove(feed.id) }
    #expect(try await store.feeds(in: .all).map(\.feed) == before)
    #expect(library.latestChange == nil)
    // What is only of this program can be changed.
    let own = FeedArrangement(folder: folder, tags: ["tag"], reloadMinutes: 60)
    try await library.arrange(feed.id, as: own)
    #expect(try await store.feeds(in: .all).map(\.feed.tags) == [["tag"]])
    #expect(try await library.sync(account).refusedFeeds.isEmpty)
    #expect(double.items.count == 3)
  }
}
