import Foundation
import Testing

/// Tests the compiler's messages for typical mistakes of beginners.
///
/// The compiler checks the code below against the module of these tests. Without a compiler of the
/// same version, not even correct code passes, and the suite is skipped.
@Suite(.enabled("the compiler of these tests is not available") { Compiler.messages(of: "") == [] })
struct MistakeTests {
  /// Lines of code that look right, each with a part of the compiler's message.
  private static let mistakes: [(code: String, message: String)] = [
    (
      "@MainActor func count(_ list: Resource<[Int]>) -> Int? { list.value?.count }",
      "Read state.value, or latestValue; value() loads and waits."
    ),
    (
      "let yielding = Loader { context in context.yield(1); return try await load() }",
      "Yield to the second parameter: Loader { context, output in … }"
    ),
    (
      "@MainActor func change(_ number: Resource<Int>) { number.mutate(Mutation { $0 += 1 }) }",
      "missing argument for parameter 'commit' in call"
    ),
    (
      "func begin(_ number: Resource<Int>) { number.load() }",
      "call to main actor-isolated instance method 'load()' in a synchronous nonisolated context"
    ),
    (
      "@MainActor func show(_ number: Resource<Int>) { let shown: Int = number.state; print(shown) }",
      "cannot convert value of type 'LoadingState<Int>' to specified type 'Int'"
    ),
    (
      "@MainActor func set(_ number: Resource<Int>) { number.state = .loaded(1) }",
      "cannot assign to property: 'state' is a get-only property"
    ),
    (
      "let retried = Loader { try await load() }.retrying(3)",
      "missing argument label 'limit:' in call"
    ),
    (
      "let timed = Loader { try await load() }.timeout(5)",
      "cannot convert value of type 'Int' to expected argument type 'Duration'"
    ),
    (
      "let cached = Loader { try await load() }.cached(in: cache)",
      "missing argument for parameter 'key' in call"
    ),
    (
      // The compiler tries the forms of the initializer in turn, and blames the closure.
      "let blamed = Loader { context in context.reprot(fraction: 1); return try await load() }",
      "expects 0 arguments, but 1 was used in closure body"
    ),
    (
      "let typed = Loader { (context: LoadContext) in context.reprot(fraction: 1); return 1 }",
      "value of type 'LoadContext' has no member 'reprot'"
    ),
    (
      "let plain = Loader { let one = try await laod(); return one }",
      "cannot find 'laod' in scope"
    ),
    (
      "final class Box {}; @MainActor func box() { Resource { Box() }.load() }",
      "type 'Box' does not conform to the 'Sendable' protocol"
    ),
    (
      """
      extension Drawer { func rename() { name.mutate(apply: { $0 = self.newName }, commit: { _ in }) } }
      """,
      "main actor-isolated property 'newName' can not be referenced from a Sendable closure"
    ),
    (
      """
      extension Drawer { func add() { var n = ""; n += "!"; name.mutate { $0 = n } commit: { _ in } } }
      """,
      "reference to captured var 'n' in concurrently-executing code"
    ),
  ]

  @Test func `a typical mistake gets a message that names it, and no other`() throws {
    let code = Self.mistakes.map(\.code).joined(separator: "\n")
    let messages = try #require(Compiler.messages(of: code))
    for (index, mistake) in Self.mistakes.enumerated() {
      let ofLine = Set(messages.filter { $0.line == index + 1 }.map(\.text))
      #expect(ofLine.count == 1, "\(mistake.code): \(ofLine)")
      #expect(
        ofLine.allSatisfy { $0.hasPrefix("error: ") && $0.contains(mistake.message) }, "\(ofLine)")
    }
  }
}

/// Runs the Swift compiler and reads its errors and warnings.
private enum Compiler {
  struct Message: Equatable {
    /// The number of the line; the first is 1.
    let line: Int
    let text: String
  }

  private static let preamble = """
    import Loading
    func load() async throws -> Int { 1 }
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(1), lifetime: .seconds(2))
    @MainActor final class Drawer { let name = Resource<String>(); var newName = "" }

    """

  /// Returns the errors and warnings for `code`; nil if the compiler could not run.
  static func messages(of code: String) -> [Message]? {
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-I",
      products.appendingPathComponent("Modules").path, "-",
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    guard (try? process.run()) != nil else { return nil }
    input.fileHandleForWriting.write(Data((preamble + code + "\n").utf8))
    try? input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let messages = text.matches(of: /<stdin>:(\d+):\d+: ((?:error|warning): .*)/).map { match in
      let line = Int(match.output.1) ?? 0
      return Message(
        line: line - preamble.count { $0 == "\n" }, text: String(match.output.2))
    }
    return process.terminationStatus == 0 || !messages.isEmpty ? messages : nil
  }
}
