import Foundation

/// `openssl s_server` with a certificate of its own for 127.0.0.1, until it is released.
public final class SecureServer: Sendable {
  public enum Validity: Sendable {
    case valid
    /// Since yesterday.
    case expired
  }

  /// In PEM form; it is its own authority.
  public let certificate: String
  public let port: Int
  private let folder: URL
  private let process: Process
  /// Ends when the server's process has.
  private let running: AsyncStream<Never>
  /// Held: at the end of its input the server would close in good order.
  private let input = Pipe()

  public static let isAvailable = executable != nil

  private static let executable = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/openssl" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// - Parameters:
  ///   - answer: What whoever connects is sent; without one, a page for every request.
  ///   - files: Whole answers, with their heads, by the names that are asked for; in place of
  ///     `answer`.
  ///   - port: That of a server before it, which has ended; else any.
  public init(
    answer: String? = nil, files: [String: [UInt8]] = [:], validity: Validity = .valid,
    port wanted: Int = 0
  ) async throws {
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
    if validity == .expired {
      let sign = Self.process([
        "x509", "-in", certificate, "-signkey", key, "-days", "-1", "-out", certificate,
      ])
      _ = try await Self.run(sign) { _ in nil as Void? }
    }

    for (name, bytes) in files {
      try Data(bytes).write(to: folder.appending(path: name))
    }
    process = Self.process(
      ["s_server", "-accept", "127.0.0.1:\(wanted)", "-cert", certificate, "-key", key]
        + (files.isEmpty ? answer == nil ? ["-www"] : [] : ["-HTTP"]))
    process.currentDirectoryURL = folder
    let (running, ending) = AsyncStream.makeStream(of: Never.self)
    self.running = running
    process.terminationHandler = { _ in ending.finish() }
    if let answer {
      process.standardInput = input
      input.fileHandleForWriting.write(Data(answer.utf8))
    }
    let found = try await Self.run(process) { output in
      // It names its port only where it has chosen it.
      if wanted != 0 { return output.contains("ACCEPT") ? wanted : nil }
      return output.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }?
        .split(separator: ":").last.flatMap { Int($0) }
    }
    guard let found else { throw NothingHappened() }
    port = found
  }

  /// What is in the file of its certificate.
  public var certificateText: String {
    (try? String(contentsOfFile: certificate, encoding: .utf8)) ?? ""
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends the server in the middle of whatever it does.
  public func kill() {
    // A child of one of Swift's threads inherits their signal mask: it would never see a SIGTERM.
    if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  /// The same; when this returns, its port is free.
  public func end() async {
    kill()
    for await _ in running {}
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
