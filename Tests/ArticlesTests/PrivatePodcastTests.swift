import Foundation
import HTTP
import PseudoTerminal
import TestServer
import Testing

@testable import Articles

/// Downloads from podcasts whose feeds need a password.
@Suite struct PrivatePodcastTests {
  private let server: TestServer
  private let directory: TemporaryDirectory
  private let library: Library
  private static let credentials = "Basic " + Data("ann:secret".utf8).base64EncodedString()

  init() throws {
    server = try TestServer()
    directory = try TemporaryDirectory()
    library = Library(store: try .inMemory(), options: .patient)
    library.options.downloads = DownloadOptions(folder: directory.path + "/podcasts")
    server["/e.mp3"] = .whole("The episode.")
  }

  /// Adds a feed with a password and an episode, and puts that into the queue.
  private func queue(_ address: String) async throws -> Download.ID {
    server["/feed"] = .whole(
      """
      <rss><channel><title>Cast</title><item><guid>1</guid><title>Episode</title>
      <enclosure url="\(address)" type="audio/mpeg"/></item></channel></rss>
      """)
    let feed = server.url("/feed").replacing("http://", with: "http://ann:secret@")
    _ = try await library.add(feed)
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    return try await library.queueDownload(of: article.id)
  }

  private func fetch(_ id: Download.ID) async throws -> Download {
    try await library.fetchDownload(id, attempts: 1).value()
  }

  @Test func `the server of the feed gets its password for the file, too`() async throws {
    let id = try await queue(server.url("/e.mp3"))
    #expect(try await fetch(id).path != nil)
    #expect(server.requests(to: "/e.mp3").map { $0["Authorization"] } == [Self.credentials])
  }

  @Test func `no other server gets the password of the feed`() async throws {
    let other = try TestServer()
    other["/e.mp3"] = .whole("The episode.")
    let id = try await queue(other.url("/e.mp3"))
    #expect(try await fetch(id).path != nil)
    #expect(other.requests(to: "/e.mp3").map { $0["Authorization"] } == [nil])
  }

  @Test func `the password of the feed does not follow a redirect to another server`()
    async throws
  {
    let other = try TestServer()
    other["/e.mp3"] = .whole("", status: 401)
    server["/e.mp3"] = .redirect(to: other.url("/e.mp3"))
    let id = try await queue(server.url("/e.mp3"))
    await #expect(throws: StatusError(thing: "the file", status: 401)) { try await fetch(id) }
    #expect(server.requests(to: "/e.mp3").map { $0["Authorization"] } == [Self.credentials])
    #expect(other.requests(to: "/e.mp3").map { $0["Authorization"] } == [nil])
  }

  @Test func `a password that is refused for a file is said to be the reason`() async throws {
    server["/e.mp3"] = .whole("", status: 401)
    let id = try await queue(server.url("/e.mp3"))
    await #expect(throws: DownloadError.passwordRefused) { try await fetch(id) }
    #expect(!DownloadError.passwordRefused.allowsRetry)
  }

  @Test func `the password of a feed that was removed is not sent any more`() async throws {
    let id = try await queue(server.url("/e.mp3"))
    let feed = try #require(try await library.addedFeeds().first)
    try await library.remove(feed.id)
    #expect(try await fetch(id).path != nil)
    #expect(server.requests(to: "/e.mp3").map { $0["Authorization"] } == [nil])
  }
}
