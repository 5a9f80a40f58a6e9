import Foundation
import HTTP
import Loading
import PseudoTerminal
import Synchronization
import TestServer
import Testing

@testable import Articles

/// Downloads of what is enclosed with articles, from a server on this machine.
@Suite struct DownloadTests {
  private let server: TestServer
  private let directory: TemporaryDirectory
  private let store: ArticleStore
  private let library: Library
  private static let body = String(repeating: "The tide came in at noon. ", count: 12_000)

  private var folder: String { directory.path + "/podcasts" }

  init() throws {
    server = try TestServer()
    directory = try TemporaryDirectory()
    store = try .inMemory()
    library = Library(store: store, options: .patient)
    library.options.downloads = DownloadOptions(folder: directory.path + "/podcasts")
    server["/e.mp3"] = .whole(Self.body)
  }

  /// Adds a feed with an episode, and puts that into the queue.
  private func queue(title: String = "Episode") async throws -> Download.ID {
    server["/feed"] = .whole(
      """
      <rss><channel><title>Cast</title><item><guid>1</guid><title>\(title)</title>
      <enclosure url="\(server.url("/e.mp3"))" type="audio/mpeg" length="312000"/>
      </item></channel></rss>
      """)
    if try await !store.hasFeeds() { _ = try await library.add(server.url("/feed")) }
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    return try await library.queueDownload(of: article.id)
  }

  private func fetch(_ id: Download.ID) async throws -> Download {
    try await library.fetchDownload(id, attempts: 1).value()
  }

  private func only() async throws -> Download {
    let all = try await library.storedDownloads()
    #expect(all.count == 1)
    return try #require(all.first)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test func `each of an article's enclosures can be downloaded`() async throws {
    server["/2.mp3"] = .whole("The second part.")
    server["/feed"] = .whole(
      """
      <rss><channel><title>Cast</title><item><guid>1</guid><title>Episode</title>
      <enclosure url="\(server.url("/notes.pdf"))" type="application/pdf"/>
      <enclosure url="\(server.url("/e.mp3"))" type="audio/mpeg"/>
      <enclosure url="\(server.url("/2.mp3"))" type="audio/mpeg"/>
      </item></channel></rss>
      """)
    _ = try await library.add(server.url("/feed"))
    let id = try #require(try await library.storedArticles(matching: ArticleQuery()).first).id
    let enclosures = try await library.enclosures(of: id)
    #expect(enclosures.map(\.address) == ["/e.mp3", "/2.mp3", "/notes.pdf"].map(server.url))
    #expect(try await library.enclosure(of: id) == enclosures.first)
    let first = try await library.queueDownload(of: id)
    let second = try await library.queueDownload(of: id, enclosure: enclosures[1])
    let paths = try [try await fetch(first), try await fetch(second)].map { try #require($0.path) }
    let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts == [Self.body, "The second part."])
    #expect(try await library.storedDownloads().map(\.articleID) == [id, id])
    await #expect(throws: DownloadError.nothingEnclosed) {
      try await library.queueDownload(
        of: id, enclosure: Attachment(address: "https://elsewhere.example/e.mp3"))
    }
  }

  @Test func `an episode is fetched into a file that the user alone can read`() async throws {
    let id = try await queue(title: "../../.bashrc &#27;[31m<b>x</b>")
    #expect(try await only().state == .waiting)
    let download = try await fetch(id)
    let path = try #require(download.path)
    #expect(path.hasPrefix(folder + "/Cast"))
    #expect(path.hasSuffix(".mp3"))
    #expect(!path.dropFirst(folder.count + 1).contains("/"))
    #expect(path.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
    #expect(try mode(path) == 0o600)
    #expect(try mode(folder) == 0o700)
    #expect(try await only().state == .done(path: path))
    #expect(try await only().received == Self.body.utf8.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
  }

  @MainActor
  @Test func `the file of a finished download is not looked at after every change`() async throws {
    let download = try await fetch(try await queue())
    let path = try #require(download.path)
    let downloads = Resource(library.downloads())
    #expect(await downloads.refresh().value?.first?.received == Self.body.utf8.count)
    try FileManager.default.removeItem(atPath: path)
    #expect(await downloads.refresh(cause: .refresh).value?.first?.path == path)
    // A load by the user looks at it, and what it finds is not forgotten.
    #expect(await downloads.refresh().value?.first?.path == nil)
    #expect(await downloads.refresh(cause: .refresh).value?.first?.path == nil)
  }

  /// Half of the episode at first, then what is asked for.
  private func answerInHalves(
    validator: String = "ETag: \"1\"", rest: @escaping @Sendable (Int) -> Answer
  ) {
    let body = Array(Self.body.utf8)
    server.answer("/e.mp3") { request in
      guard let range = request["Range"] else {
        let head =
          "HTTP/1.1 200 OK\r\n\(validator)\r\nContent-Length: \(body.count)\r\n\r\n"
        return Answer([.send(Array(head.utf8) + body.prefix(body.count / 2)), .close])
      }
      return rest(Int(range.dropFirst(6).dropLast()) ?? 0)
    }
  }

  @Test func `what broke off goes on where it stopped, also in another run`() async throws {
    let body = Array(Self.body.utf8)
    answerInHalves { start in
      .whole(
        body[start...], status: 206,
        headers: ["Content-Range": "bytes \(start)-\(body.count - 1)/\(body.count)"])
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    guard case .failed = try await only().state else {
      Issue.record("not failed")
      return
    }
    let half = try await only().received
    #expect(half > 0 && half < body.count)

    let again = Library(store: store, options: .patient)
    again.options.downloads = library.options.downloads
    #expect(try await again.storedDownloads().first?.received == half)
    let path = try #require(try await again.fetchDownload(id, attempts: 1).value().path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
    let request = try #require(server.requests(to: "/e.mp3").last)
    #expect(request["Range"] == "bytes=\(half)-")
    #expect(request["If-Range"] == "\"1\"")
  }

  @Test func `a validator that cannot be sent is not, and does not keep a file from being fetched`()
    async throws
  {
    let date = "Sat, 21 Nov 2026 08:30:00 GMT"
    answerInHalves(validator: "ETag: \"\u{1}\"\r\nLast-Modified: \(date)") { _ in .cut(Self.body) }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    #expect(server.requests(to: "/e.mp3").last?["If-Range"] == date)

    // An earlier version has stored one.
    try await store.setVersion(FileVersion(validator: "\"\u{1}\"", size: nil), of: id)
    server["/e.mp3"] = .whole(Self.body)
    let path = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
    #expect(server.requests(to: "/e.mp3").last?["Range"] == nil)
  }

  @Test func `a file is finished when all of it is there, in however many parts it comes`()
    async throws
  {
    let body = Array(Self.body.utf8)
    answerInHalves { start in
      let end = min(start + 100_000, body.count)
      return .whole(
        body[start..<end], status: 206,
        headers: ["Content-Range": "bytes \(start)-\(end - 1)/\(body.count)", "ETag": "\"1\""])
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    let path = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
  }

  @Test func `a complete file that cannot be stored is not fetched again`() async throws {
    let size = Self.body.utf8.count
    server.answer("/e.mp3") { request in
      request["Range"] == nil
        ? .whole(Self.body, headers: ["ETag": "\"1\""])
        : .whole("nothing", status: 416, headers: ["Content-Range": "bytes */\(size)"])
    }
    let id = try await queue()
    try await store.write { database in
      try database.run(
        """
        CREATE TRIGGER full BEFORE UPDATE OF state ON download WHEN NEW.state = 'done'
        BEGIN SELECT RAISE(ABORT, 'full'); END
        """)
    }
    await #expect(throws: (any Error).self) { try await fetch(id) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    #expect(DownloadFile.partSize(of: id, in: folder) == size)
    try await store.write { try $0.run("DROP TRIGGER full") }
    let path = try #require(try await fetch(id).path)
    #expect(path == folder + "/Cast - Episode.mp3")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
    #expect(server.requests(to: "/e.mp3").map { $0["Range"] } == [nil, "bytes=\(size)-"])
  }

  @Test func `a size below nothing is not believed`() async throws {
    let body = Array(Self.body.utf8)
    answerInHalves { start in
      .whole(
        String(decoding: body[start...], as: UTF8.self), status: 206,
        headers: ["Content-Range": "bytes \(start)-\(body.count - 1)/\(Int.min)", "ETag": "\"1\""])
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    let path = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
  }

  @Test func `more than the rest of a file is not taken for it`() async throws {
    let body = Array(Self.body.utf8)
    answerInHalves { start in
      .whole(
        body[start...] + Array("more".utf8), status: 206,
        headers: ["Content-Range": "bytes \(start)-\(body.count - 1)/\(body.count)"])
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    await #expect(throws: DownloadError.tooMuchOfFile) { try await fetch(id) }
    #expect(DownloadError.tooMuchOfFile.allowsRetry)
    server["/e.mp3"] = .whole(Self.body)
    let path = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
    #expect(server.requests(to: "/e.mp3").last?["Range"] == nil)
  }

  @Test func `a length that the server's own chunks contradict has no part in it`() async throws {
    let body = Array(Self.body.utf8)
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 1000\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n\(String(body.count, radix: 16))\r\n"
    server["/e.mp3"] = Answer([.send(Array(head.utf8) + body + Array("\r\n0\r\n\r\n".utf8))])
    let path = try #require(try await fetch(try await queue()).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
  }

  @Test func `one that is stopped when its file is complete is finished`() async throws {
    server["/e.mp3"] = .heldBody(Self.body)
    let id = try await queue()
    let fetching = Task { try await fetch(id) }
    while try await only().received == 0 { await Task.yield() }
    // Keeps the store busy until the fetch is cancelled.
    let isBusy = Mutex(false)
    let isFree = DispatchSemaphore(value: 0)
    let writing = Task { [store] in
      try await store.write { _ in
        isBusy.withLock { $0 = true }
        isFree.wait()
      }
    }
    while !isBusy.withLock(\.self) { await Task.yield() }
    server.release("/e.mp3")
    while DownloadFile.partSize(of: id, in: folder) > 0 { await Task.yield() }
    // Until the store knows of the file, no other process may begin again.
    #expect(library.isFetching(id))
    #expect(throws: DownloadError.busy) { try DownloadFile(of: id, in: folder) }
    fetching.cancel()
    isFree.signal()
    try await writing.value
    _ = await fetching.result
    #expect(!library.isFetching(id))
    #expect(try await only().path == folder + "/Cast - Episode.mp3")
    #expect(try await only().received == Self.body.utf8.count)
  }

  @Test func `one that has finished is neither stopped nor fetched again`() async throws {
    let id = try await queue()
    let path = try #require(try await fetch(id).path)
    for isPaused in [true, false] {
      try await library.setPaused(isPaused, id)
      #expect(try await only().path == path)
    }
    // Not even if it finishes just before it is stopped.
    #expect(try await !store.setState(.paused, of: id, keepsFinished: true))
    #expect(try await only().path == path)
    // One whose file another program has removed can be.
    #expect(unlink(path) == 0)
    try await library.setPaused(false, id)
    #expect(try await only().state == .waiting)
  }

  @Test func `the file of one that was removed some time ago is deleted when the store is tidied`()
    async throws
  {
    let id = try await queue()
    let path = try #require(try await fetch(id).path)
    try await library.removeDownload(id)
    try await library.tidy()
    #expect(FileManager.default.fileExists(atPath: path))
    let later = Library(
      store: store, options: library.options, now: { Date(timeIntervalSinceNow: 700) })
    try await later.tidy()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a removed download does not take the file of another with it`() async throws {
    let first = try await queue()
    let path = try #require(try await fetch(first).path)
    // The user deletes the file, and the episode is published again at another address.
    #expect(unlink(path) == 0)
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    server["/again.mp3"] = .whole(Self.body)
    let second = try await store.enqueue(
      Attachment(address: server.url("/again.mp3")), of: article, privateHost: "127.0.0.1")
    #expect(try await fetch(second).path == path)
    try await library.removeDownload(first)
    try await library.purgeDownloads([first])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
    try await library.removeDownload(second)
    try await library.purgeDownloads([second])
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  enum Change: CaseIterable {
    case whole, gone, anotherPart, restOfAnother, restOfLonger, restOfUnknown
  }

  @Test(arguments: Change.allCases)
  func `a file that has changed is fetched from its beginning`(change: Change) async throws {
    // The second request must not wait for the permit of the first.
    library.client.setPlaces(2, perHost: 1)
    let new = String(repeating: "new ", count: 100_000)
    let size = Self.body.utf8.count
    answerInHalves { start in
      switch change {
      case .whole: .whole(new, headers: ["ETag": "\"2\""])
      case .gone: .whole("", status: 416)
      case .anotherPart: .whole("xyz", status: 206, headers: ["Content-Range": "bytes 5-7/9"])
      case .restOfAnother:
        .whole(
          String(repeating: "x", count: size - start), status: 206,
          headers: ["Content-Range": "bytes \(start)-\(size - 1)/\(size)", "ETag": "\"2\""])
      case .restOfLonger:
        .whole(
          String(repeating: "x", count: size + 9 - start), status: 206,
          headers: ["Content-Range": "bytes \(start)-\(size + 8)/\(size + 9)", "ETag": "\"1\""])
      case .restOfUnknown:
        .whole(
          String(repeating: "x", count: size + 9 - start), status: 206,
          headers: ["Content-Range": "bytes \(start)-\(size + 8)/*", "ETag": "\"1\""])
      }
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    if change == .whole {
      let path = try #require(try await fetch(id).path)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == new)
    } else {
      // It begins again, and breaks off again.
      await #expect(throws: HTTPError.truncated) { try await fetch(id) }
      #expect(server.requests(to: "/e.mp3").map { $0["Range"] != nil } == [false, true, false])
    }
  }

  private static let page = "<html><body>Log in</body></html>"

  @Test(arguments: [200, 206])
  func `a page for a login is not stored as the file, and what was fetched before stays`(
    status: Int
  ) async throws {
    let size = Self.body.utf8.count
    answerInHalves { start in
      .whole(
        Self.page, status: status,
        headers: [
          "Content-Type": "text/html; charset=utf-8", "ETag": "\"1\"",
          "Content-Range": "bytes \(start)-\(size - 1)/\(size)",
        ])
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    let half = try await only().received
    await #expect(throws: DownloadError.page) { try await fetch(id) }
    #expect(try await only().received == half)
    #expect(
      try await only().state
        == .failed(
          UserMessage(
            what: "The server sent a web page in place of the file.",
            advice: "Look in the browser whether a login is needed first, then try again.")))
    // The user has logged in.
    let body = Array(Self.body.utf8)
    answerInHalves { start in
      .whole(
        body[start...], status: 206,
        headers: ["Content-Range": "bytes \(start)-\(size - 1)/\(size)"])
    }
    let path = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
    #expect(server.requests(to: "/e.mp3").last?["Range"] == "bytes=\(half)-")
  }

  @Test func `a page in place of the beginning of a file leaves nothing that is taken for it`()
    async throws
  {
    server["/e.mp3"] = .whole(Self.page, headers: ["Content-Type": "Text/HTML"])
    let id = try await queue()
    await #expect(throws: DownloadError.page) { try await fetch(id) }
    #expect(try await only().received == 0)
    server["/e.mp3"] = .whole(Self.body, headers: ["Content-Type": "text/plain"])
    let path = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
  }

  @Test func `a file whose server calls it a page is stored`() async throws {
    server["/e.mp3"] = .whole(Self.body, headers: ["Content-Type": "text/html; charset=UTF-8"])
    let id = try await queue()
    let path = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
  }

  @Test func `the rest of a file whose server calls it a page is fetched`() async throws {
    let body = Array(Self.body.utf8)
    answerInHalves(validator: "ETag: \"1\"\r\nContent-Type: text/html") { start in
      .whole(
        body[start...], status: 206,
        headers: [
          "Content-Type": "text/html", "ETag": "\"1\"",
          "Content-Range": "bytes \(start)-\(body.count - 1)/\(body.count)",
        ])
    }
    let id = try await queue()
    await #expect(throws: HTTPError.truncated) { try await fetch(id) }
    let path = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.body)
  }

  @Test(arguments: ["\u{FEFF}", "\r\n\t ", "\u{FEFF}\n", String(repeating: "\n", count: 70_000)])
  func `a page is recognised by its first sign`(beginning: String) async throws {
    server["/e.mp3"] = .whole(beginning + Self.page, headers: ["Content-Type": "text/html"])
    let id = try await queue()
    await #expect(throws: DownloadError.page) { try await fetch(id) }
    server["/e.mp3"] = .whole("", headers: ["Content-Type": "text/html"])
    await #expect(throws: DownloadError.page) { try await fetch(id) }
    #expect(try await only().received == 0)
  }

  @Test(arguments: [("/page", "text/html"), ("/page.html", nil)] as [(String, String?)])
  func `a page that a feed encloses is downloaded`(path: String, type: String?) async throws {
    _ = try await queue()
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    let page = Attachment(address: server.url(path), type: type)
    server[path] = .whole(Self.page, headers: ["Content-Type": "text/html"])
    let id = try await store.enqueue(page, of: article, privateHost: "127.0.0.1")
    let file = try #require(try await fetch(id).path)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.page)
  }

  @Test func `what another program is fetching has not failed`() async throws {
    let id = try await queue()
    let other = try DownloadFile(of: id, in: folder)
    await #expect(throws: DownloadError.busy) { try await fetch(id) }
    #expect(try await only().state == .waiting)
    #expect(library.isFetching(id))
    withExtendedLifetime(other) {}
  }

  @Test func `what a killed program has left of a download goes with it`() async throws {
    let id = try await queue()
    #expect(mkdir(folder, 0o700) == 0)
    let left = [".download-\(id.rawValue).lock", "download-\(id.rawValue).part"]
    for name in left { _ = try directory.write("", to: "podcasts/" + name) }
    #expect(!library.isFetching(id))
    try await library.removeDownload(id)
    try await library.purgeDownloads([id])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func `what only waits is fetched by nobody`() async throws {
    let id = try await queue()
    #expect(!library.isFetching(id))
    _ = try await fetch(id)
    #expect(!library.isFetching(id))
  }

  @Test func `it is fetched here when the other program ends before`() async throws {
    let id = try await queue()
    let other = Mutex<DownloadFile?>(try DownloadFile(of: id, in: folder))
    let clock = AnyClock(
      now: { .init(offset: .zero) },
      // The other one ends while this one waits.
      sleep: { _, _ in other.withLock { $0 = nil } })
    let download = try await library.fetchDownload(id, attempts: 1, waitsForOthers: true)
      .value(clock: clock)
    #expect(try String(contentsOfFile: #require(download.path), encoding: .utf8) == Self.body)
  }

  @Test func `where it may be fetched from is what the article says that it was queued for last`()
    async throws
  {
    let id = try await queue()
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    let enclosure = Attachment(address: server.url("/e.mp3"))
    for host in [nil, "127.0.0.1", nil] as [String?] {
      #expect(try await store.enqueue(enclosure, of: article, privateHost: host) == id)
      let origin: RequestOrigin = host.map { .privateContent(host: $0) } ?? .publicContent
      #expect(try await store.download(id)?.origin == origin)
    }
  }

  @Test func `sizes are not what the feed says, and have a limit`() async throws {
    library.options.downloads.sizeLimit = 100_000
    let id = try await queue()
    await #expect(throws: DownloadError.tooLarge(limit: 100_000)) { try await fetch(id) }
    server["/e.mp3"] = .endless()
    await #expect(throws: DownloadError.tooLarge(limit: 100_000)) { try await fetch(id) }
    #expect(try await only().received == 0)
    server["/e.mp3"] = .whole("", status: 404)
    await #expect(throws: StatusError(thing: "the file", status: 404)) { try await fetch(id) }
    #expect(try await only().state == .failed(StatusError(thing: "the file", status: 404).message))
    try await library.setPaused(true, id)
    #expect(try await only().state == .paused)
  }

  @Test func `a server that asks to wait says until when, and is not asked again by itself`()
    async throws
  {
    let id = try await queue()
    server["/e.mp3"] = .whole("", status: 503, headers: ["Retry-After": "3600"])
    let error = try await #require(throws: StatusError.self) {
      try await library.fetchDownload(id, attempts: 3).value()
    }
    let date = try #require(UserMessage(error).retryDate)
    #expect(server.requests(to: "/e.mp3").count == 1)
    guard case .failed(let message) = try await only().state else {
      Issue.record("It has not failed.")
      return
    }
    #expect(message.what == "The server does not give the file.")
    // The store keeps a date as a number of seconds.
    #expect(message.retryDate == Date(timeIntervalSince1970: date.timeIntervalSince1970))
    try await library.setPaused(false, id)
    #expect(try await only().state == .waiting)
  }

  @Test func `a public feed cannot have this machine asked`() async throws {
    _ = try await queue()
    let article = try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    let id = try await store.enqueue(
      Attachment(address: server.url("/private.mp3")), of: article, privateHost: nil)
    await #expect(throws: HTTPError.self) { try await fetch(id) }
    #expect(server.requests(to: "/private.mp3").isEmpty)
  }

  @Test func `nothing that is there is overwritten, and no link is followed`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let other = try directory.write("mine", to: "podcasts/Cast - Episode.mp3")
    let id = try await queue()
    #expect(try await fetch(id).path == folder + "/Cast - Episode-2.mp3")
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")

    try await library.removeDownload(id)
    try await library.purgeDownloads([id])
    let next = try await queue()
    #expect(symlink(other, DownloadFile.part(of: next, in: folder)) == 0)
    await #expect(throws: DownloadError.self) { try await fetch(next) }
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
  }

  @Test func `what is removed comes back, or is deleted with its file`() async throws {
    let id = try await queue()
    let path = try #require(try await fetch(id).path)
    try await library.removeDownload(id)
    #expect(try await library.storedDownloads().isEmpty)
    await #expect(throws: DownloadError.noSuchDownload) { try await library.removeDownload(id) }
    try await library.purgeDownloads()
    try await library.restoreDownload(id)
    #expect(try await only().path == path)
    try await library.notePlaying(id)
    #expect(try await only().played != nil)
    // One that another program has removed can be fetched again.
    #expect(unlink(path) == 0)
    #expect(try await only().path == nil)
    #expect(try await queue() == id)
    #expect(try await only().state == .waiting)
    #expect(try await fetch(id).path == path)
    try await library.removeDownload(id)
    try await library.purgeDownloads([id])
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a player that failed changes nothing about where the last one has stopped`()
    async throws
  {
    let id = try await queue()
    _ = try await fetch(id)
    func stop(at seconds: Int) async throws {
      let place = try await library.positionsFolder(of: id)
      let name = String(place.dropFirst(directory.path.count + 1))
      _ = try directory.write("start=\(seconds)\n", to: name + "/STATE")
    }
    try await stop(at: 1_800)
    try await library.setPlayed(true, id)
    try await stop(at: 300)
    let before = try await only()
    #expect(before.position == 300)
    var date = try await library.notePlaying(id)
    try await library.takeBackPlaying(before, notedAt: date)
    #expect(try await only() == before)
    try await library.setPlayed(false, id)
    try await stop(at: 300)
    let unplayed = try await only()
    date = try await library.notePlaying(id)
    #expect(try await only().played != nil)
    try await library.takeBackPlaying(unplayed, notedAt: date.addingTimeInterval(-1))
    #expect(try await only().played != nil, "it was played again meanwhile")
    try await library.takeBackPlaying(unplayed, notedAt: date)
    #expect(try await only() == unplayed)
  }

  @Test func `where a player has stopped is read from what it leaves, and nothing else is`()
    async throws
  {
    let id = try await queue()
    _ = try await fetch(id)
    #expect(try await only().position == nil)
    let place = try await library.positionsFolder(of: id)
    try await library.notePlaying(id)
    #expect(try mode(place) == 0o700)
    #expect(place.hasPrefix(folder + "/"))
    let name = String(place.dropFirst(directory.path.count + 1))
    for (text, position) in [
      ("start=12.9\n", 12), ("# file\nvolume=3\nstart=3725.000\n", 3_725), ("start=nan\n", nil),
      ("start=-4\n", nil), ("start=1e300\n", nil), ("restart=4\n", nil), ("", nil),
      (String(repeating: "#\n", count: 40_000) + "start=7\n", nil),
    ] {
      _ = try directory.write(text, to: name + "/STATE")
      #expect(try await only().position == position)
    }
    // No link is followed, and no pipe waited for.
    unlink(place + "/STATE")
    let other = try directory.write("start=9\n", to: "elsewhere")
    #expect(symlink(other, place + "/LINK") == 0)
    #expect(mkfifo(place + "/PIPE", 0o600) == 0)
    #expect(try await only().position == nil)

    _ = try directory.write("# file\nstart=3725.0\nvolume=3\n", to: name + "/STATE")
    #expect(try await library.positionsFolder(of: id, start: 90) == place)
    #expect(
      try String(contentsOfFile: place + "/STATE", encoding: .utf8)
        == "# file\nstart=90\nvolume=3\n")
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "start=9\n")

    _ = try directory.write("start=5\n", to: name + "/STATE")
    #expect(try await only().position == 5)
    try await library.setPlayed(true, id)
    #expect(try await only().position == nil)
    #expect(try await only().played != nil)
    try await library.setPlayed(false, id)
    #expect(try await only().played == nil)
    #expect(try await library.positionsFolder(of: id) == place)
    _ = try directory.write("start=5\n", to: name + "/STATE")
    try await library.removeDownload(id)
    try await library.restoreDownload(id)
    #expect(try await only().position == 5)
    try await library.removeDownload(id)
    try await library.purgeDownloads([id])
    #expect(!FileManager.default.fileExists(atPath: place))
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "start=9\n")

    // What cannot be marked keeps its position.
    #expect(try await library.positionsFolder(of: id) == place)
    let state = try directory.write("start=5\n", to: name + "/STATE")
    await #expect(throws: DownloadError.noSuchDownload) { try await library.setPlayed(true, id) }
    #expect(try String(contentsOfFile: state, encoding: .utf8) == "start=5\n")
  }

  @Test(arguments: ["", "/1"])
  func `a link in the place of the folder for positions is neither read, emptied nor made private`(
    name: String
  ) async throws {
    let id = try await queue()
    _ = try await fetch(id)
    #expect(id.rawValue == 1)
    try FileManager.default.createDirectory(
      atPath: directory.path + "/documents/1", withIntermediateDirectories: true)
    let mine = try directory.write("start=9\n", to: "documents/1/STATE")
    _ = try directory.write("start=8\n", to: "documents/STATE")
    chmod(directory.path + "/documents", 0o755)
    if !name.isEmpty { #expect(mkdir(folder + "/.positions", 0o755) == 0) }
    #expect(symlink(directory.path + "/documents", folder + "/.positions" + name) == 0)

    #expect(try await only().position == nil)
    await #expect(throws: DownloadError.self) { try await library.positionsFolder(of: id) }
    try await library.setPlayed(true, id)
    try await library.removeDownload(id)
    try await library.purgeDownloads([id])
    #expect(try String(contentsOfFile: mine, encoding: .utf8) == "start=9\n")
    #expect(FileManager.default.fileExists(atPath: directory.path + "/documents/STATE"))
    #expect(try mode(directory.path + "/documents") == 0o755)
  }

  @Test func `a folder for positions is made private, and emptied of whatever is in it`()
    async throws
  {
    let id = try await queue()
    _ = try await fetch(id)
    let place = PlayerPosition(of: id, in: folder).folder
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    chmod(place, 0o755)
    #expect(try await library.positionsFolder(of: id) == place)
    #expect(try mode(place) == 0o700)
    #expect(try mode(folder + "/.positions") == 0o700)
    let name = String(place.dropFirst(directory.path.count + 1))
    for number in 0..<300 { _ = try directory.write("start=5\n", to: name + "/\(number)") }
    #expect(try await only().position == 5)
    try await library.setPlayed(true, id)
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test func `no file that is there has a size of nothing`() {
    let sizes = [0, 1, 999, 1_000, 156_999, 999_999, 1_000_000, 312_450_000]
    #expect(
      sizes.map { Attachment.size($0) } == [
        "0 kB", "1 kB", "1 kB", "1 kB", "156 kB", "999 kB", "1.0 MB", "312.4 MB",
      ])
  }

  @Test func `downloads keep the order that they are given`() async throws {
    let article = try await { () async throws -> Article in
      _ = try await queue()
      return try #require(try await library.storedArticles(matching: ArticleQuery()).first)
    }()
    var ids = [try await only().id]
    for number in 1...2 {
      ids.append(
        try await store.enqueue(
          Attachment(address: "https://example.org/\(number).mp3"), of: article, privateHost: nil))
    }
    func order() async throws -> [Download.ID] { try await library.storedDownloads().map(\.id) }
    // As it is stored, not as it was listed: a key may be pressed twice before that is read.
    for _ in 1...2 { try await library.moveDownload(ids[0], by: 1) }
    #expect(try await order() == [ids[1], ids[2], ids[0]])
    try await library.moveDownload(ids[0], by: 1)
    #expect(try await order() == [ids[1], ids[2], ids[0]])
    try await library.moveDownload(ids[2], by: -1)
    #expect(try await order() == [ids[2], ids[1], ids[0]])
  }
}
