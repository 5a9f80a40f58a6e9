import Foundation
import Synchronization
import TestServer
import Testing

@testable import Articles

/// Feeds that programs write.
@Suite struct ProgramFeedTests {
  /// Remembers what it ran, and writes what it is told to.
  private final class Programs: OutsidePrograms {
    struct Run {
      let command: [String]
      let input: String
      let limits: ProgramLimits
    }

    private let allRuns = Mutex<[Run]>([])
    private let current = Mutex<Result<String, ProgramError>>(.success(""))

    var runs: [Run] { allRuns.withLock(\.self) }

    func answer(_ answer: Result<String, ProgramError>) { current.withLock { $0 = answer } }

    func output(
      of command: [String], input: [UInt8], limits: ProgramLimits
    ) async throws -> [UInt8] {
      allRuns.withLock {
        $0.append(
          Run(command: command, input: String(decoding: input, as: UTF8.self), limits: limits))
      }
      return Array(try current.withLock(\.self).get().utf8)
    }
  }

  private let programs = Programs()
  private let library: Library

  init() throws {
    library = Library(store: try .inMemory(), options: .patient, programs: programs)
    library.options.programs = [
      "notes": FeedProgram(command: ["my-notes", "--rss", "; id"], time: .seconds(7))
    ]
    programs.answer(.success(feedText(["One", "Two"], title: "Notes")))
  }

  private func titles() async throws -> [String] {
    try await library.storedArticles(matching: ArticleQuery()).map(\.title).sorted()
  }

  @Test func `a program that the options name writes a feed, within limits`() async throws {
    let feed = try await library.add(" EXEC:notes ")
    #expect(feed.address == "exec:notes")
    #expect(feed.title == "Notes")
    #expect(try await titles() == ["One", "Two"])
    let run = try #require(programs.runs.first)
    #expect(run.command == ["my-notes", "--rss", "; id"])
    #expect(run.input.isEmpty)
    #expect(run.limits == ProgramLimits(time: .seconds(7), size: FeedParser.sizeLimit))
    // The same again is no news.
    let report = try await library.reload()
    #expect(report.entries.map(\.outcome) == [.unchanged])
    programs.answer(.success(feedText(["Three"], title: "Notes")))
    #expect(try await library.reload().newArticles == 1)
    #expect(try await library.feed(named: "exec:notes").id == feed.id)
  }

  @Test func `a filter reads what a server has, of whose network its feed is`() async throws {
    let server = try TestServer()
    server["/feed"] = .whole("raw")
    try await library.add("filter:notes:" + server.url("/feed"))
    #expect(programs.runs.map(\.input) == ["raw"])
    #expect(try await titles() == ["One", "Two"])
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    #expect(try await library.document(of: article.id).value().privateHost == "127.0.0.1")
    server["/feed"] = .whole("", status: 500)
    let report = try await library.reload()
    #expect(report.error?.failures.first?.message.detail == "HTTP status 500")
    #expect(programs.runs.count == 1)
  }

  @Test(arguments: [
    "exec:other", "exec:", "exec:my-notes --rss", "exec:notes:x", "filter:notes", "filter:notes:",
    "filter:notes:file:///etc/passwd", "filter:notes:https://a:b@example.org/", "exec:../notes",
    "filter:other:https://example.org/",
  ])
  func `nothing else is run, and no such address is kept`(_ address: String) async throws {
    await #expect(throws: (any Error).self) { try await library.add(address) }
    #expect(programs.runs.isEmpty)
    #expect(try await library.addedFeeds().isEmpty)
  }

  @Test func `a program that the options do not name any more is not run`() async throws {
    try await library.add("exec:notes")
    library.options.programs = [:]
    let report = try await library.reload()
    #expect(report.error?.failures.first?.message.detail == "notes")
    #expect(report.error?.failures.first?.message.isLasting == true)
    #expect(programs.runs.count == 1)
  }

  @Test func `why a program failed is why the feed did, and what is no feed is refused`()
    async throws
  {
    try await library.add("exec:notes")
    programs.answer(
      .failure(.failed("my-notes", how: "ended with status 2", errors: "no \u{1B}[31mwool")))
    let message = try #require(try await library.reload().error?.failures.first?.message)
    #expect(message.what == "The program failed: no [31mwool.")
    #expect(message.detail == "my-notes ended with status 2: no [31mwool")
    programs.answer(.success("rm -rf /"))
    let other = try #require(try await library.reload().error?.failures.first?.message)
    #expect(other.what == "This is plain text, not a feed.")
    #expect(try await titles() == ["One", "Two"])
  }

  @Test func `no list of feeds, page or server adds one`() async throws {
    let opml = """
      <opml version="2.0"><body><outline text="a" xmlUrl="exec:notes"/>
      <outline text="b" xmlUrl="filter:notes:https://example.org/"/></body></opml>
      """
    let list = try OPML.read(Array(opml.utf8))
    #expect(list.subscriptions.isEmpty && list.refusals.map(\.reason) == [.program, .program])
    let newsboat = try NewsboatList.read(
      Array("exec:notes\n\"filter:notes:https://example.org/\"\n".utf8))
    #expect(newsboat.subscriptions.isEmpty)
    #expect(newsboat.refusals.map(\.reason) == [.program, .program])
    let page = FeedDocument(
      bytes: Array(
        "<html><link rel=alternate type=application/rss+xml href='exec:notes'></html>".utf8),
      address: "https://example.org/", links: ["<exec:notes>; rel=\"feed\""])
    #expect(FeedDiscovery.feeds(namedBy: page).isEmpty)
  }
}
