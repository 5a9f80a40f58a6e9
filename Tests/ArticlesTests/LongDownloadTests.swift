import Foundation
import HTTP
import Loading
import PseudoTerminal
import Synchronization
import TestServer
import Testing

@testable import Articles

/// Downloads of large files: from far away, over bad lines, and onto disks that are nearly full.
@Suite struct LongDownloadTests {
  private let server: TestServer
  private let directory: TemporaryDirectory
  private let library: Library

  private var folder: String { directory.path + "/podcasts" }

  init() throws {
    server = try TestServer()
    directory = try TemporaryDirectory()
    library = Library(store: try .inMemory(), options: .patient)
    library.options.downloads = DownloadOptions(folder: directory.path + "/podcasts")
  }

  /// Adds a feed with an episode, and puts that into the queue.
  private func queue() async throws -> Download.ID {
    server["/feed"] = .whole(
      """
      <rss><channel><title>Cast</title><item><guid>1</guid><title>Episode</title>
      <enclosure url="\(server.url("/e.mp3"))" type="audio/mpeg"/></item></channel></rss>
      """)
    _ = try await library.add(server.url("/feed"))
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    return try await library.queueDownload(of: article.id)
  }

  /// Fetches a file without pauses between the attempts.
  private func fetch(_ id: Download.ID, attempts: Int = 1) async throws -> Download {
    let clock = AnyClock(now: { .init(offset: .zero) }, sleep: { _, _ in })
    return try await library.fetchDownload(id, attempts: attempts).value(clock: clock)
  }

  private func only() async throws -> Download {
    let all = try await library.storedDownloads()
    #expect(all.count == 1)
    return try #require(all.first)
  }

  @Test func `a file is fetched through a long chain of services that count it`() async throws {
    server["/e.mp3"] = .redirect(to: "/1")
    for number in 1...8 { server["/\(number)"] = .redirect(to: "/\(number + 1)") }
    server["/9"] = .whole("The episode.")
    let path = try #require(try await fetch(try await queue()).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "The episode.")
  }

  @Test func `a file of unknown size is not begun when there is no room for it`() async throws {
    server["/e.mp3"] = .chunked(["The episode."])
    library.options.downloads.room = { _ in 50_000_000 }
    let id = try await queue()
    await #expect(throws: DownloadError.diskFull(folder: folder)) { try await fetch(id) }
    #expect(try await only().received == 0)
    // The user makes room.
    library.options.downloads.room = { _ in 51_000_000 }
    #expect(try await fetch(id).path != nil)
  }

  @Test func `the disk is not filled by a file without an end`() async throws {
    server["/e.mp3"] = .endless()
    library.options.downloads.sizeLimit = 100_000_000
    library.options.downloads.room = { 80_000_000 - $0.size }
    let id = try await queue()
    await #expect(throws: DownloadError.diskFull(folder: folder)) { try await fetch(id) }
    // As it cannot be continued, it takes no room.
    #expect(try await only().received == 0)
    #expect(
      try await only().state == .failed(DownloadError.diskFull(folder: folder).message))
  }

  @Test func `a file for which others have left no room ends before the disk is full`()
    async throws
  {
    let size = 20_000_000
    server["/e.mp3"] = .whole([UInt8](repeating: 0x78, count: size), headers: ["ETag": "\"1\""])
    // Another download begins at the same time.
    library.options.downloads.room = { 50_000_000 + size - ($0.size == 0 ? 0 : 2 * $0.size) }
    let id = try await queue()
    await #expect(throws: DownloadError.diskFull(folder: folder)) { try await fetch(id) }
    let received = try await only().received
    #expect(0 < received && received < size)
  }

  @Test func `a file of unknown size ends soon after others have taken the room`() async throws {
    server["/e.mp3"] = .endless(headers: ["ETag": "\"1\""])
    library.options.downloads.room = { 51_000_000 - $0.size }
    let id = try await queue()
    await #expect(throws: DownloadError.diskFull(folder: folder)) { try await fetch(id) }
    #expect(try await only().received < 2_500_000)
  }

  @Test func `of two files of which one fits, the one that was begun first is fetched`()
    async throws
  {
    let body = String(repeating: "The tide came in at noon. ", count: 4_000)
    server["/e.mp3"] = .heldBody(body)
    server["/2.mp3"] = .whole(body)
    library.options.downloads.room = { _ in 50_000_000 + body.utf8.count + 10 }
    let first = try await queue()
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    let second = try await library.store.enqueue(
      Attachment(address: server.url("/2.mp3")), of: article, privateHost: "127.0.0.1")
    let fetching = Task { try await fetch(first) }
    try await server.hold(at: "/e.mp3")
    while DownloadFile.partSize(of: first, in: folder) == 0 { await Task.yield() }
    await #expect(throws: DownloadError.diskFull(folder: folder)) { try await fetch(second) }
    server.release("/e.mp3")
    #expect(try await fetching.value.path != nil)
    #expect(try await fetch(second).path != nil)
  }

  @Test func `a file with only a date and no size is not continued`() async throws {
    let head =
      "HTTP/1.1 200 OK\r\nLast-Modified: Sat, 21 Nov 2026 08:30:00 GMT\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n4\r\nTide\r\n"
    server["/e.mp3"] = Answer([.send(Array(head.utf8)), .close])
    let id = try await queue()
    await #expect(throws: HTTPError.self) { try await fetch(id) }
    await #expect(throws: HTTPError.self) { try await fetch(id) }
    #expect(server.requests(to: "/e.mp3").map { $0["Range"] } == [nil, nil])
  }

  @Test func `a fetch that fails does not forget where the finished file was`() async throws {
    server["/e.mp3"] = .whole("The episode.")
    let id = try await queue()
    let path = try #require(try await fetch(id).path)
    let away = directory.path + "/away"
    #expect(rename(folder, away) == 0)
    #expect(try await only().isFileGone)
    server["/e.mp3"] = .whole("", status: 404)
    await #expect(throws: StatusError.self) { try await fetch(id) }
    // The disk is mounted again.
    try FileManager.default.removeItem(atPath: folder)
    #expect(rename(away, folder) == 0)
    #expect(try await only().path == path)
    #expect(try await !only().isFileGone)
  }

  private static let large = Array(
    String(repeating: "The tide came in at noon. ", count: 200_000).utf8)

  @Test func `a file that comes in many parts needs only one attempt`() async throws {
    let (body, size) = (Self.large, Self.large.count)
    server.answer("/e.mp3") { request in
      guard let range = request["Range"] else {
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(size)\r\n\r\n"
        return Answer([.send(Array(head.utf8) + body.prefix(1_500_000)), .close])
      }
      let start = Int(range.dropFirst(6).dropLast()) ?? 0
      let end = min(start + 1_500_000, size)
      return .whole(
        body[start..<end], status: 206,
        headers: ["Content-Range": "bytes \(start)-\(end - 1)/\(size)", "ETag": "\"1\""])
    }
    let path = try #require(try await fetch(try await queue()).path)
    #expect(FileManager.default.contents(atPath: path).map(Array.init) == body)
    #expect(server.requests(to: "/e.mp3").count == 4)
  }

  @Test func `attempts are not available again when the file begins again`() async throws {
    let (body, size) = (Self.large, Self.large.count)
    let sent = Mutex(0)
    // There is nothing by which it could be continued.
    server.answer("/e.mp3") { _ in
      let count = sent.withLock { sent in
        sent += 1_100_000
        return min(sent, size - 1)
      }
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
      return Answer([.send(Array(head.utf8) + body.prefix(count)), .close])
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id, attempts: 2) }
    // Only the first part is progress.
    #expect(server.requests(to: "/e.mp3").count == 3)
  }

  @Test func `attempts are not available again after a part that was there before`() async throws {
    let (body, size) = (Self.large, Self.large.count)
    let sent = Mutex([3_000_000, 2_000_000, 3_500_000])
    // It ignores the range, and breaks off.
    server.answer("/e.mp3") { _ in
      let count = sent.withLock { $0.isEmpty ? 1_500_000 : $0.removeFirst() }
      let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(size)\r\n\r\n"
      return Answer([.send(Array(head.utf8) + body.prefix(count)), .close])
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id, attempts: 3) }
    // The first part is progress; none of the others has a megabyte more.
    #expect(server.requests(to: "/e.mp3").count == 4)
    #expect(try await only().state == .failed(UserMessage(HTTPError.truncated)))
  }
}
