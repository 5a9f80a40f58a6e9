import HTTP
import Synchronization
import TestServer
import Testing

/// What a log is told of each request.
@Suite final class ReportTests: Sendable {
  private let server: TestServer
  private let client: HTTPClient
  private let reports: Reports

  private final class Reports: Sendable {
    private let all = Mutex<[HTTPReport]>([])
    var value: [HTTPReport] { all.withLock(\.self) }
    func add(_ report: HTTPReport) { all.withLock { $0.append(report) } }
  }

  init() throws {
    server = try TestServer()
    let reports = Reports()
    self.reports = reports
    var options = HTTPClient.Options()
    options.report = { reports.add($0) }
    client = HTTPClient(options: options)
  }

  @Test func `an answer is reported before it is handed over, with status, bytes and redirects`()
    async throws
  {
    server["/from"] = .redirect(to: "/to")
    server["/to"] = .whole("not here", status: 404)
    _ = try await client.send(HTTPRequest(url: server.url("/from")))
    let report = try #require(reports.value.first)
    #expect(report.url == server.url("/from"))
    #expect(report.status == 404)
    #expect(report.error == nil)
    #expect(report.redirects == 1)
    #expect(report.received == 8)
    #expect(!report.isPost)
    #expect(reports.value.count == 1)
  }

  @Test func `bytes are those on the wire`() async throws {
    server["/"] = .gzipBomb(1 << 20)
    let answer = try await client.send(.patient(server.url("/")))
    #expect(answer.body.count >= 1 << 20)
    #expect(try #require(reports.value.first).received < 1 << 16)
  }

  @Test func `a failure is reported as it is thrown`() async throws {
    let gone = try TestServer()
    gone.stop()
    let thrown = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(url: gone.url("/"), body: .init([], type: "text/plain")))
    }
    let error = try #require(thrown)
    let report = try #require(reports.value.first)
    #expect(report.error as? HTTPError == error)
    #expect(report.status == nil)
    #expect(report.isPost)
  }

  @Test func `a stream is reported once, at its end`() async throws {
    server["/"] = .heldBody("a body in two halves")
    let stream = try await client.stream(.patient(server.url("/")))
    #expect(reports.value.isEmpty)
    server.release("/")
    for try await _ in stream {}
    #expect(reports.value.map(\.received) == [20])
  }

  /// Repeated because the reader has to leave between two calls of curl's for it to matter.
  @Test func `a reader that leaves after the head is no failure`() async throws {
    let body = String(repeating: "not here ", count: 10_000)
    server["/"] = .whole(body, status: 404)
    for _ in 1...50 {
      let stream = try await client.stream(.patient(server.url("/")))
      #expect(stream.head.status == 404)
    }
    await client.shutDown()
    #expect(reports.value.map(\.status) == Array(repeating: 404, count: 50))
    #expect(reports.value.compactMap(\.error).isEmpty)
  }

  @Test func `a body that breaks off is reported with its status and its failure`() async throws {
    server["/"] = .cut("half of it")
    await #expect(throws: HTTPError.self) {
      try await client.send(.patient(server.url("/")))
    }
    #expect(reports.value.map(\.status) == [200])
    #expect(reports.value.allSatisfy { $0.error is HTTPError })
  }

  @Test func `what is cancelled is reported as that, once`() async throws {
    server["/"] = .heldHead("late")
    let task = Task { [client, server] in
      try await client.send(.patient(server.url("/")))
    }
    try await server.request(to: "/")
    task.cancel()
    _ = await task.result
    await client.shutDown()
    #expect(reports.value.count == 1)
    #expect(reports.value[0].error is CancellationError)
  }
}
