import Articles
import Foundation
import HTTP
import Loading
import LoadingTesting
import PseudoTerminal
import Storage
import Testing

@testable import Argyle

@MainActor
@Suite struct LoadLogTests {
  private let runtime = ManualRuntime()
  private let date = Date(timeIntervalSince1970: 1_795_262_400.25)

  private func log(_ path: String) throws -> LoadLog {
    try LoadLog(path: path, now: { [date] in date })
  }

  @Test func `the log says what was loaded, how long it took and why it failed`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/log"
    let log = try log(path)
    let loads = ManualLoads<Int>()
    let feeds = Resource(
      loads.loader, name: "feeds", clock: runtime.clock.any,
      scheduler: runtime.scheduler.observed(by: LoadingObserver { log.add($0) }))
    feeds.appear()
    runtime.advance(by: .milliseconds(312))
    loads[0].context.report(fraction: 0.5)
    loads[0].succeed(1)
    runtime.run()
    feeds.load()
    runtime.advance(by: .seconds(2))
    loads[1].fail(HTTPError.cannotResolve(host: "a.example\u{1B}[2J"))
    runtime.run()
    try log.flush()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(
      lines.prefix(3) == [
        "2026-11-21T12:00:00.250Z feeds #1: started because it is shown",
        "2026-11-21T12:00:00.250Z feeds #1: finished after 0.312 s",
        "2026-11-21T12:00:00.250Z feeds #2: started because it was asked for",
      ])
    #expect(lines.count == 4)
    #expect(lines.last?.contains("feeds #2: failed after 2.000 s: ") == true)
    #expect(!text.contains("\u{1B}"))
  }

  @Test func `the log says what was fetched and stored, and what was slow`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/log"
    let log = try log(path)
    let address = "https://ann:secret@a.example/feed?key=secret"
    log.add(
      HTTPReport(
        url: address, redirects: 1, status: 200, received: 5_120,
        elapsed: .milliseconds(611)))
    log.add(
      HTTPReport(
        url: address, isPost: true, status: nil,
        error: HTTPError.redirectRefused(to: "ftp://ann:secret@b.example/?secret"),
        elapsed: .seconds(5)))
    var work = FetchReport.Work()
    (work.parsing, work.preparing) = (.milliseconds(4), .milliseconds(2))
    log.add(FetchReport(.feed(address), newArticles: 1, elapsed: .milliseconds(20), work: work))
    log.add(FetchReport(.feed(address), error: FeedError.notAFeed(found: .html)))
    log.add(FetchReport(.account("ann on a.example"), error: CancellationError()))
    log.add(FetchReport(.dropping(DroppedArticles(byAge: 12, byCount: 3))))
    log.add(HTTPReport(url: address, status: nil, error: CancellationError()))
    log.add(HTTPReport(url: address, status: 200, error: CancellationError(), received: 4_096))
    log.add(
      StoreReport(
        path: "/a/articles.sqlite", work: .wrote(writes: 2, rows: 1), elapsed: .milliseconds(9)))
    log.add(StoreReport(path: "/a/articles.sqlite", work: .read, elapsed: .milliseconds(99)))
    log.add(StoreReport(path: "/a/articles.sqlite", work: .read, elapsed: .milliseconds(100)))
    try log.flush()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.dropFirst("2026-11-21T12:00:00.250Z ".count) }
    let place = "https://…@a.example/feed?…"
    #expect(
      lines.filter { !$0.hasPrefix("POST") } == [
        "GET \(place): status 200, 1 redirect, 5120 bytes after 0.611 s",
        "feed \(place): 1 new article after 0.020 s, parsed in 0.004 s and prepared in 0.002 s",
        "feed \(place): failed after 0.000 s: This is a web page, not a feed.",
        "account ann on a.example: cancelled after 0.000 s",
        "old articles: 12 dropped for their age, 3 dropped as too many of a feed after 0.000 s",
        "GET \(place): cancelled, 0 bytes after 0.000 s",
        "GET \(place): status 200, cancelled, 4096 bytes after 0.000 s",
        "articles.sqlite: 2 writes of 1 row after 0.009 s",
        "articles.sqlite: read after 0.100 s (slow)",
      ])
    let post = try #require(lines.first { $0.hasPrefix("POST") })
    #expect(post.contains(": failed, 0 bytes after 5.000 s: "))
    #expect(post.hasSuffix("b.example/?…) (slow)"))
    #expect(!text.contains("secret"))
  }

  @Test(arguments: [
    ("nothing in it", "nothing in it"),
    ("“https://a.example/b”, http://c.example/d.", "“https://a.example/b”, http://c.example/d."),
    ("http://ann@a.example/", "http://…@a.example/"),
    ("http://ann:p@ss:w@a.example", "http://…@a.example"),
    ("(http://a.example/@b/c)", "(http://a.example/@b/c)"),
    ("a?b http://a.example?key=c d?e", "a?b http://a.example?… d?e"),
    ("http://a.example?x@y: failed", "http://…@y: failed"),
    ("http://a.example/b?x=y: failed", "http://a.example/b?…: failed"),
    ("://", "://"),
  ])
  func `an address is logged without its secrets`(words: String, logged: String) {
    #expect(LoadLog.withoutSecrets(words) == logged)
  }

  @Test func `a log is continued, and only its user can read it`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/log"
    for _ in 1...2 {
      let log = try log(path)
      let resource = Resource<Int>(
        name: "number", clock: runtime.clock.any,
        scheduler: runtime.scheduler.observed(by: LoadingObserver { log.add($0) }))
      resource.set(.loaded(1))
      try log.flush()
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 2)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `a log that cannot be written is an error that names the file`() {
    let failure = #expect(throws: CommandFailure.self) { try log("/nonexistent/log") }
    #expect(failure?.status == .cannotWrite)
    #expect(failure?.message.what.contains("/nonexistent/log") == true)
  }

  @Test func `a pipe that nobody empties is not waited for, and the end says so`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/log"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let log = try log(path)
    let resource = Resource<Int>(
      name: "number", clock: runtime.clock.any,
      scheduler: runtime.scheduler.observed(by: LoadingObserver { log.add($0) }))
    // More than a pipe's buffer.
    for number in 1...2_000 { resource.set(.loaded(number)) }
    let failure = #expect(throws: CommandFailure.self) { try log.flush() }
    #expect(
      failure?.message.what
        == "The log “\(path)” is not complete: the program that reads this pipe is too slow.")
    // What was written consists of whole lines.
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(reader, &bytes, bytes.count)
    #expect(count > 60_000 && bytes[count - 1] == UInt8(ascii: "\n"))
  }

  @Test func `a full disk is said at the end`() throws {
    let log = try log("/dev/full")
    let resource = Resource<Int>(
      name: "number", clock: runtime.clock.any,
      scheduler: runtime.scheduler.observed(by: LoadingObserver { log.add($0) }))
    resource.set(.loaded(1))
    let failure = #expect(throws: CommandFailure.self) { try log.flush() }
    #expect(failure?.status == .cannotWrite)
    #expect(
      failure?.message.what
        == "The log “/dev/full” is not complete: No space left on device.")
  }
}
