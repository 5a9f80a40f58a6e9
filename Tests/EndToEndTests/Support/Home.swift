import Foundation
import PseudoTerminal
import TestServer

@testable import Articles

/// A home directory for one test: the program's data and logs are in it, and are deleted with it.
final class Home: Sendable {
  let path: String

  init() throws {
    _ = ignoresBrokenPipes
    path = NSTemporaryDirectory() + "argyle-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var dataDirectory: String { path + "/data/argyle" }

  /// The program's whole environment: no proxy, no locale, no browser of this machine; and a server
  /// may be silent for longer than usual, because a busy machine delays the test's server, too.
  var environment: [String: String] {
    [
      "HOME": path, "XDG_DATA_HOME": path + "/data", "XDG_STATE_HOME": path + "/state",
      "PATH": "/usr/bin:/bin", "TZ": "UTC", "ARGYLE_TIMEOUT": "600",
    ]
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    return path + "/" + name
  }

  func text(of name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  // MARK: Running

  /// Opens the reader on a terminal.
  func openReader(
    _ arguments: [String] = [], columns: Int = 80, rows: Int = 24,
    terminalType: String = "xterm-256color", adding more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      running: builtProgram("argyle"), arguments,
      environment: environment.merging(more) { $1 }, terminalType: terminalType, columns: columns,
      rows: rows)
  }

  /// Runs the program with a limit on the size of files, in bytes: a multiple of 512.
  func limited(
    toFilesOf size: Int, _ arguments: [String], redirecting outputName: String? = nil
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      running: "/bin/sh",
      ["-c", "ulimit -f \(size / 512); exec \"$0\" \"$@\"", builtProgram("argyle")] + arguments,
      environment: environment, redirectingOutputTo: outputName.map { path + "/" + $0 })
  }

  struct Outcome {
    let ending: PseudoTerminal.Ending
    let output: String
    let errors: String
  }

  /// Starts a command with its output redirected to a file, as in a script.
  func start(
    _ arguments: [String], adding more: [String: String] = [:]
  ) throws -> (terminal: PseudoTerminal, outputName: String) {
    let name = UUID().uuidString + ".out"
    let terminal = try PseudoTerminal(
      running: builtProgram("argyle"), arguments,
      environment: environment.merging(more) { $1 }, redirectingOutputTo: path + "/" + name)
    return (terminal, name)
  }

  /// Runs a command to its end.
  func run(_ arguments: String..., adding more: [String: String] = [:]) throws -> Outcome {
    try run(arguments, adding: more)
  }

  /// Runs a command to its end.
  func run(_ arguments: [String], adding more: [String: String] = [:]) throws -> Outcome {
    let (terminal, outputName) = try start(arguments, adding: more)
    let ending = try terminal.waitForExit()
    // A terminal turns a newline into two characters.
    let errors = String(decoding: terminal.output, as: UTF8.self)
      .replacingOccurrences(of: "\r\n", with: "\n")
    return Outcome(ending: ending, output: try text(of: outputName), errors: errors)
  }

  // MARK: Preparing stored data

  /// Follows addresses that were never fetched, as if the power had failed right after they were
  /// added.
  func follow(_ addresses: [String]) async throws {
    let store = try ArticleStore(directory: dataDirectory)
    for address in addresses { _ = try await store.insertFeed(address: address) }
  }

  /// Follows addresses that were fetched two hours ago, so that they are due at the next start.
  func followSinceHours(_ addresses: [String]) async throws {
    let library = Library(
      store: try ArticleStore(directory: dataDirectory), now: { Date(timeIntervalSinceNow: -7200) })
    for address in addresses { _ = try await library.addition(of: address) }
  }
}

// Writing to a program that has ended must not end the tests.
private let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
