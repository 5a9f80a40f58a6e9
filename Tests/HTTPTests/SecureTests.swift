import HTTP
import TestServer
import Testing

/// Whom we trust, and how a secure answer can end.
///
/// Needs the `openssl` command, which makes the certificates and serves with them.
@Suite(.enabled(if: SecureServer.isAvailable, "there is no openssl command"))
struct SecureTests {
  let server: SecureServer

  init() async throws {
    server = try await SecureServer()
  }

  func send(to host: String, trusting file: String?) async throws -> Int {
    let client = HTTPClient(options: .init(certificateAuthorityFile: file))
    return try await client.send(.patient("https://\(host):\(server.port)/")).status
  }

  @Test func `a certificate of an authority that we know is good`() async throws {
    #expect(try await send(to: "127.0.0.1", trusting: server.certificate) == 200)
  }

  @Test func `a certificate that nobody vouches for is refused`() async {
    await expectCertificateError(.selfSigned) {
      try await send(to: "127.0.0.1", trusting: nil)
    }
  }

  @Test func `a good certificate of another name is refused`() async {
    await expectCertificateError(.wrongName) {
      try await send(to: "localhost", trusting: server.certificate)
    }
  }

  @Test func `a file of certificates that is not there is an error and not a reason to trust`()
    async
  {
    let error = await #expect(throws: HTTPError.self) {
      try await send(to: "127.0.0.1", trusting: server.certificate + ".absent")
    }
    // It is no fault of the server's certificate.
    guard case .noAuthorities(let reason) = error, !reason.isEmpty else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a certificate that has expired is said to have`() async throws {
    let server = try await SecureServer(validity: .expired)
    await expectCertificateError(.expired) {
      let client = HTTPClient(options: .init(certificateAuthorityFile: server.certificate))
      return try await client.send(.patient("https://127.0.0.1:\(server.port)/")).status
    }
  }

  func expectCertificateError(
    _ expected: CertificateFault, _ body: () async throws -> Int
  ) async {
    let error = await #expect(throws: HTTPError.self) { try await body() }
    guard case .certificate(let fault, let reason) = error, !reason.isEmpty else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault == expected)
  }

  @Test func `a secure server may not send us on to one that is not`() async throws {
    let insecure = try TestServer()
    insecure["/end"] = .whole("here")
    let location = insecure.url("/end")
    let server = try await SecureServer(
      files: ["feed": Array("HTTP/1.0 302 Found\r\nLocation: \(location)\r\n\r\n".utf8)])
    let client = HTTPClient(options: .init(certificateAuthorityFile: server.certificate))
    await #expect(throws: HTTPError.insecureRedirect(to: location)) {
      try await client.send(.patient("https://127.0.0.1:\(server.port)/feed"))
    }
    #expect(insecure.connectionCount == 0)
  }

  @Test func `half of a secure body is not taken for whole when the server dies`() async throws {
    let server = try await SecureServer(
      answer: "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf of it")
    let client = HTTPClient(options: .init(certificateAuthorityFile: server.certificate))
    let stream = try await client.stream(.patient("https://127.0.0.1:\(server.port)/"))
    var body = stream.makeAsyncIterator()
    #expect(try await body.next() == Array("half of it".utf8))
    server.kill()
    // The system closes or resets the connection, as it likes.
    switch await #expect(throws: HTTPError.self, performing: { try await body.next() }) {
    case .truncated, .connectionLost: break
    case let other: Issue.record("\(String(describing: other))")
    }
  }
}
