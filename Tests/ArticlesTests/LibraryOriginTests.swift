import Loading
import TestServer
import Testing

@testable import Articles
@testable import HTTP

/// What pages and feeds name is fetched for whoever they came from, and not for the user.
@Suite struct LibraryOriginTests {
  private let inside: TestServer
  /// Stands for the public network.
  private let outside: TestServer
  private let store: ArticleStore
  private let library: Library

  init() throws {
    inside = try TestServer()
    outside = try TestServer(host: .second)
    inside["/feed"] = .whole(feedText(["mine"]))
    store = try .inMemory()
    library = Library(
      store: store,
      client: HTTPClient(
        options: .init(),
        isPrivate: { $0 != PrivateNetwork.bytes(of: LoopbackHost.second.address) }),
      options: .patient)
  }

  private func page(_ address: String) -> Answer {
    .whole("<html><link rel=alternate type=application/rss+xml href=\"\(address)\">")
  }

  /// The private host that the first article came from.
  private func privateHost() async throws -> String? {
    let article = try #require(try await store.articles(matching: ArticleQuery(.all)).first)
    return try await library.text(of: article.id).1.privateHost
  }

  @Test func `a public page cannot have a private feed found, by a link or by a header`()
    async throws
  {
    outside["/link"] = page(inside.url("/feed"))
    outside["/header"] = .whole(
      "<html>",
      headers: ["Link": "<\(inside.url("/feed"))>; rel=\"alternate\"; type=\"application/rss+xml\""]
    )
    for path in ["/link", "/header"] {
      await #expect(throws: HTTPError.privateAddress(host: "127.0.0.1")) {
        try await library.add(outside.url(path), keepsMistakes: true)
      }
    }
    #expect(inside.connectionCount == 0)
    // Kept as it was typed: the next reload is not to fetch it for the user.
    let addresses = try await library.addedFeeds().map(\.feed.address)
    #expect(Set(addresses) == [outside.url("/link"), outside.url("/header")])
    try await library.reload()
    #expect(inside.connectionCount == 0)
  }

  @Test func `a private page has its own feed found, and none of a neighbour`() async throws {
    inside["/"] = page("/feed")
    #expect(try await library.add(inside.url("/")).address == inside.url("/feed"))
    #expect(try await privateHost() == "127.0.0.1")
    try await library.reload()
    #expect(inside.requests(to: "/feed").count == 2)
  }

  @Test func `articles of the public network are public content`() async throws {
    outside["/feed"] = .whole(feedText(["public"]))
    try await library.add(outside.url("/feed"))
    #expect(try await privateHost() == nil)
  }

  @Test
  func `a public feed whose name leads into the private network one day is not fetched there`()
    async throws
  {
    outside["/feed"] = .whole(feedText(["public"]))
    let id = try await library.add(outside.url("/feed")).id
    // As if its name had another address now.
    #expect(try await store.changeAddress(of: id, to: inside.url("/feed"), isPublic: true))
    let report = try await library.reload()
    guard case .failed(let message) = report.entries.first?.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(message == UserMessage(HTTPError.privateAddress(host: "127.0.0.1")))
    #expect(inside.connectionCount == 0)
  }

  @Test func `a feed that moved to a public address is a public one from then on`() async throws {
    inside["/old"] = .redirect(to: outside.url("/feed"), status: 301)
    outside["/feed"] = .whole(feedText(["public"]))
    try await library.add(inside.url("/old"))
    #expect(try await library.addedFeeds().map(\.feed.address) == [outside.url("/feed")])
    outside["/feed"] = .redirect(to: inside.url("/feed"))
    _ = try await library.reload()
    #expect(inside.requests(to: "/feed").isEmpty)
  }

  @Test func `a private feed that redirects for now is fetched again from where it is`()
    async throws
  {
    inside["/old"] = .redirect(to: outside.url("/feed"))
    outside["/feed"] = .whole(feedText(["public"]))
    try await library.add(inside.url("/old"))
    #expect(try await library.reload().error == nil)
    #expect(try await privateHost() == nil)
  }
}
