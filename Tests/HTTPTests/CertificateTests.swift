import Foundation
import HTTP
import Testing

/// Whom we trust.
///
/// Needs the `openssl` command, which makes the certificate and serves with it.
@Suite(.enabled(if: SecureServer.isAvailable, "there is no openssl command"))
struct CertificateTests {
  let server: SecureServer

  init() async throws {
    server = try await SecureServer()
  }

  func send(to host: String, trusting file: String?) async throws -> Int {
    let client = HTTPClient(options: .init(certificateAuthorityFile: file))
    return try await client.send(HTTPRequest(url: "https://\(host):\(server.port)/")).status
  }

  @Test func `a certificate of an authority that we know is good`() async throws {
    #expect(try await send(to: "127.0.0.1", trusting: server.certificate) == 200)
  }

  @Test func `a certificate that nobody vouches for is refused`() async {
    await expectCertificateError { try await send(to: "127.0.0.1", trusting: nil) }
  }

  @Test func `a good certificate of another name is refused`() async {
    await expectCertificateError {
      try await send(to: "localhost", trusting: server.certificate)
    }
  }

  @Test func `a file of certificates that is not there is an error and not a reason to trust`()
    async
  {
    await expectCertificateError {
      try await send(to: "127.0.0.1", trusting: server.certificate + ".absent")
    }
  }

  func expectCertificateError(_ body: () async throws -> Int) async {
    let error = await #expect(throws: HTTPError.self) { try await body() }
    guard case .certificate(let reason) = error, !reason.isEmpty else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

/// `openssl s_server` with a certificate of its own for 127.0.0.1, until it is released.
final class SecureServer: Sendable {
  /// In PEM form; it is its own authority.
  let certificate: String
  let port: Int
  private let folder: URL
  private let process: Process

  static let isAvailable = executable != nil

  private static let executable = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/openssl" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  init() async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "certificate.pem").path
    let key = folder.appending(path: "key.pem").path

    let make = Self.process([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=Argyle's tests",
      "-addext", "subjectAltName=IP:127.0.0.1",
    ])
    _ = try await Self.run(make) { _ in nil as Void? }

    process = Self.process([
      "s_server", "-www", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key,
    ])
    port = try #require(
      await Self.run(process) { output in
        output.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }?
          .split(separator: ":").last.flatMap { Int($0) }
      })
  }

  deinit {
    // A child of one of Swift's threads inherits their signal mask: it would never see a SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = executable.map { URL(fileURLWithPath: $0) }
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Starts a process and reads what it writes, on a thread of its own, until there is an answer in
  /// it or it ends.
  private static func run<Answer: Sendable>(
    _ process: Process, until answer: @escaping @Sendable (String) -> Answer?
  ) async throws -> Answer? {
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var output = ""
        while true {
          let data = pipe.fileHandleForReading.availableData
          output += String(decoding: data, as: UTF8.self)
          guard let found = answer(output) else {
            if data.isEmpty { return continuation.resume(returning: nil) }
            continue
          }
          return continuation.resume(returning: found)
        }
      }
    }
  }
}
