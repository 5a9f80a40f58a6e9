import Articles
import Foundation
import PseudoTerminal
import Testing

@testable import Argyle

/// Tests of programs that the configuration names: whatever they do, they end, and their output is
/// read.
@Suite struct UserProgramTests {
  private func output(
    _ command: String..., input: String = "", time: Duration = .seconds(600), size: Int = 1 << 20
  ) async throws -> String {
    let bytes = try await UserPrograms().output(
      of: command, input: Array(input.utf8), limits: ProgramLimits(time: time, size: size))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `it reads its input and what it writes is returned, without a shell`() async throws {
    #expect(try await output("cat", input: "$(id) a\nb") == "$(id) a\nb")
    #expect(try await output("printf", "%s", "$HOME; id") == "$HOME; id")
    let long = String(repeating: "0123456789", count: 90_000)
    #expect(try await output("cat", input: long) == long)
    #expect(try await output("true") == "")
  }

  @Test func `its input is given as it came, also where that is no text`() async throws {
    let bytes: [UInt8] = [0xE9, 0xFF, 0x00, 0x41, 0xC3]
    let output = try await UserPrograms().output(
      of: ["cat"], input: bytes, limits: ProgramLimits(time: .seconds(600), size: 1000))
    #expect(output == bytes)
  }

  @Test func `why it failed is said, with the first line of its errors`() async throws {
    await #expect(
      throws: ProgramError.failed("sh", how: "ended with status 7", errors: "no wool")
    ) { try await output("sh", "-c", "echo; echo no wool >&2; exit 7") }
    await #expect(throws: ProgramError.failed("sh", how: "was ended by signal 9", errors: "")) {
      try await output("sh", "-c", "kill -9 $$")
    }
    await #expect(
      throws: ProgramError.notStarted("/nonexistent", reason: "No such file or directory")
    ) { try await output("/nonexistent") }
  }

  @Test func `one that writes too much, or does not end, is ended with all that it has started`()
    async throws
  {
    await #expect(throws: ProgramError.tooLarge("yes", limit: 100_000)) {
      try await output("yes", size: 100_000)
    }
    await #expect(throws: ProgramError.timedOut("sleep", limit: .milliseconds(50))) {
      try await output("sleep", "1000", time: .milliseconds(50))
    }
    // A process that was left behind keeps the pipe open.
    let directory = try TemporaryDirectory()
    let text = try await output(
      "sh", "-c", "(sleep 1000) & echo $! > \(directory.path)/pid; echo done")
    #expect(text == "done\n")
    let id = try String(contentsOfFile: directory.path + "/pid", encoding: .utf8)
    let left = try #require(pid_t(id.trimmingCharacters(in: .whitespacesAndNewlines)))
    // An orphan: either gone, or about to be reaped by the system.
    while kill(left, 0) == 0, state(of: left) != "Z" { await Task.yield() }
  }

  private func state(of process: pid_t) -> String? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
  }

  @Test func `cancelling the task ends it`() async throws {
    let task = Task { try await output("sleep", "1000") }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
