import Foundation
import Loading
import LoadingTesting
import PseudoTerminal
import TerminalUI
import Testing

@testable import Argyle

/// Tests that the Swift in the catalog compiles.
@MainActor
@Suite struct CatalogCodeTests {
  private let runtime = ManualRuntime()

  /// The code of each page, with its default options and with each value of each option.
  private var shown: [String] {
    var all: [String] = []
    for page in CatalogPage.all {
      let content = page.open(
        SceneRuntime(clock: runtime.clock.any, scheduler: runtime.scheduler))
      all.append(content.code())
      for option in content.options {
        for _ in 0..<option.count {
          option.step(1)
          all.append(content.code())
        }
      }
    }
    return Set(all).sorted()
  }

  /// The declarations of an adopter, which the pages use.
  private static let adopter = """
    import Loading
    import TerminalUI

    struct Sock: Identifiable, Sendable {
      let id: Int
      var title: String
      static let samples = [Sock(id: 0, title: "Some sock")]
    }
    struct Post: Identifiable, Sendable {
      let id: Int
      let title: String
    }
    struct Message: Identifiable, Sendable {
      let id: Int
      let text: String
    }
    struct Profile: Sendable { let name: String }
    struct Cell: Identifiable { let id: Int }
    struct API: Sendable {
      func socks() async throws -> [Sock] { [] }
      func dye(_ id: Int) async throws {}
      func remove(_ id: Int) async throws {}
      func letter() async throws -> String { "" }
      func weather() async throws -> String { "" }
      func news() async throws -> String { "" }
      func colour(_ cell: Int) async throws -> Color { .cyan }
      func profile() async throws -> Profile { Profile(name: "") }
      func posts() async throws -> [Post] { [] }
      func posts(about query: String) async throws -> [Post] { [] }
      func posts(after cursor: Int?, limit: Int) async throws -> Page<Post, Int> {
        Page([], next: nil)
      }
      var firstUnread: Int { 0 }
      var stored: (page: Page<Message, Int>, age: Duration) { (Page([], next: nil), .zero) }
      func messages(at cursor: Int?, limit: Int) async throws -> Page<Message, Int> {
        Page([], next: nil)
      }
      func counts() async throws -> AsyncStream<Int> { AsyncStream { $0.finish() } }
    }
    let api = API()

    """

  @Test func `what is shown compiles, for each value of each option`() throws {
    let shown = shown
    #expect(shown.count > 100)
    let bodies = shown.enumerated().map { number, code in
      // Each in a type of its own, in which a constant of the file becomes a static one.
      let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("import ") }
        .map { line in
          line.hasPrefix("@MainActor ")
            ? "@MainActor static " + line.dropFirst(11)
            : line.hasPrefix("let ") ? "static \(line)" : String(line)
        }
      return "enum Shown\(number) {\n\(lines.joined(separator: "\n"))\n}"
    }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("catalog-\(UUID().uuidString).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    try (Self.adopter + bodies.joined(separator: "\n\n")).write(
      to: file, atomically: true, encoding: .utf8)
    let errors = try Self.errors(in: file.path)
    #expect(errors.isEmpty, "\(errors.prefix(20).joined(separator: "\n"))")
  }

  /// Returns the compiler's errors in a file.
  private static func errors(in path: String) throws -> [String] {
    let sources =
      (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
      }.path + "/Sources"
    // The module maps of the imported C modules: their own, or generated ones.
    let made = ["CMainLoop", "CSignals", "CThreads"].map { builtProgram("\($0).build") }
    let maps = ["\(sources)/CNcurses"] + made
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-swift-version", "6", "-I", builtProgram("Modules"), path]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)/module.modulemap"] }
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? [] : output.split(separator: "\n").map(String.init)
  }

  @Test func `names of the language and texts have colours, and nothing is lost`() {
    for code in shown {
      for line in code.split(separator: "\n") {
        #expect(CodeText.parts(of: line).map(\.text).joined() == line)
      }
    }
    let parts = CodeText.parts(of: #"let a = "b \(c ?? "d") e" // f"#)
    #expect(
      parts.filter { $0.kind != .other }.map { "\($0.kind): \($0.text)" } == [
        "keyword: let", #"text: "b \(c ?? "d") e""#, "comment: // f",
      ])
  }
}
