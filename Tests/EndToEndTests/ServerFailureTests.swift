import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of faults that are not in the answer: of host names, connections, certificates and
/// redirects.
struct ServerFailureTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/feed"] = .whole(Fault.feed)
  }

  /// Opens the reader with a feed that fails and one that works.
  ///
  /// The failed feed says why, and the articles of the other are there. The message may take several
  /// rows, because it comes after the feed's address.
  private func openReader(
    on address: String, saying sentence: String, isLasting: Bool = false,
    adding more: [String: String] = [:]
  ) async throws -> PseudoTerminal {
    server["/other"] = .whole(FeedText.rss("Beta", ["Banana"]))
    try await home.follow([address, server.url("/other")])
    let terminal = try home.openReader(
      columns: 118, adding: more)
    try terminal.waitUntil("it says what happened, below what works") {
      $0.isWhole && $0.selectedText.hasPrefix("Banana")
        && $0.allLines[19...22].contains { $0.contains(sentence.prefix(36)) }
        && $0.line(22).hasSuffix("r to retry") != isLasting
    }
    return terminal
  }

  @Test func `a server whose name is not known, and then is`() async throws {
    let hosts = try home.write("", to: "hosts")
    let port = server.url("").split(separator: ":").last ?? ""
    let terminal = try await openReader(
      on: "http://nowhere.invalid:\(port)/feed", saying: "The server's name is not known.",
      adding: ["ARGYLE_TEST_HOSTS": hosts])
    try home.write("nowhere.invalid 127.0.0.1\n", to: "hosts")
    try terminal.send("r", until: "its articles are there") {
      $0.text.contains("Apricot") && !$0.text.contains("✗")
    }
  }

  @Test func `a server that lets a connection hang, and then takes it`() async throws {
    let busy = try TestServer()
    busy["/feed"] = .whole(Fault.feed)
    try busy.ignoreConnections()
    let terminal = try await openReader(
      on: busy.url("/feed"), saying: "No connection to the server could be made in time.",
      adding: ["ARGYLE_TIMEOUT": "2"])
    try busy.acceptConnections()
    try terminal.waitUntil("its articles are there", pressing: "r") {
      $0.text.contains("Apricot") && !$0.text.contains("✗")
    }
  }

  @Test func `an answer that nothing has changed where there was nothing`() async throws {
    server["/feed"] = .whole("", status: 304)
    let terminal = try await openReader(
      on: server.url("/feed"), saying: "The server says that nothing has changed")
    server["/feed"] = .whole(Fault.feed)
    try terminal.send("r", until: "its articles are there") {
      $0.text.contains("Apricot") && !$0.text.contains("✗")
    }
  }

  /// Behind a proxy, this machine serves every host name.
  @Test func `a server of the public network that redirects into ours`() async throws {
    server["/secret"] = .whole(FeedText.rss("Secret", ["Mine"]))
    server["http://example.invalid/feed"] = .redirect(to: server.url("/secret"))
    let terminal = try await openReader(
      on: "http://example.invalid/feed", saying: "The server redirects into a private network.",
      isLasting: true, adding: ["http_proxy": server.url(""), "no_proxy": "127.0.0.1"])
    #expect(server.requests(to: "/secret").isEmpty)
    server["http://example.invalid/feed"] = .whole(Fault.feed)
    try terminal.send("r", until: "its articles are there") {
      $0.text.contains("Apricot") && !$0.text.contains("✗")
    }
  }

  /// The feed as an answer of `openssl s_server`.
  private static let file = [
    "feed": Array(
      ("HTTP/1.0 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n" + Fault.feed).utf8)
  ]

  @Test(.enabled(if: SecureServer.isAvailable, "there is no openssl command"))
  func `a server with a certificate of its own, and is then trusted`() async throws {
    let secure = try await SecureServer(files: Self.file)
    let stranger = try await SecureServer()
    let trusted = try home.write(stranger.certificateText, to: "trusted.pem")
    let terminal = try await openReader(
      on: "https://127.0.0.1:\(secure.port)/feed",
      saying: "The certificate is self-signed and not trusted.", isLasting: true,
      adding: ["SSL_CERT_FILE": trusted])
    try home.write(secure.certificateText, to: "trusted.pem")
    try terminal.send("r", until: "its articles are there") {
      $0.text.contains("Apricot") && !$0.text.contains("✗")
    }
    #expect(try terminal.leave(by: "jq") == .exited(0))
  }

  @Test(.enabled(if: SecureServer.isAvailable, "there is no openssl command"))
  func `a server whose certificate has expired, and then has a new one`() async throws {
    let old = try await SecureServer(files: Self.file, validity: .expired)
    let trusted = try home.write(old.certificateText, to: "trusted.pem")
    let terminal = try await openReader(
      on: "https://127.0.0.1:\(old.port)/feed", saying: "The server's certificate has expired.",
      adding: ["SSL_CERT_FILE": trusted])
    await old.end()
    let new = try await SecureServer(files: Self.file, port: old.port)
    try home.write(new.certificateText, to: "trusted.pem")
    try terminal.send("r", until: "its articles are there") {
      $0.text.contains("Apricot") && !$0.text.contains("✗")
    }
    #expect(try terminal.leave(by: "jq") == .exited(0))
  }

  @Test func `a title of ten megabytes is a row like any other`() async throws {
    server["/feed"] = .whole(
      FeedText.rss("Alpha", [String(repeating: "long ", count: 2_000_000), "Apricot"]))
    try await home.follow([server.url("/feed")])
    let terminal = try home.openReader(columns: 118)
    try terminal.waitUntil("both are there") {
      $0.isWhole && $0.selectedText.hasPrefix("long long") && $0.text.contains("Apricot")
    }
    #expect(try terminal.leave(by: "jq") == .exited(0))
  }
}
