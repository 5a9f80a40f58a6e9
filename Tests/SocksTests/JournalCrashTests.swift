import Foundation
import PseudoTerminal
import Testing

@testable import SockFixture

/// A program is killed, without a warning, while it keeps changes and sends them to a server that
/// answers, does not answer, takes a change twice or takes it late.
@Suite(.serialized) struct JournalCrashTests {
  @Test func `what was kept arrives once and in order, however often the program is killed`()
    async throws
  {
    let directory = try TemporaryDirectory()
    var generator = SeededGenerator(seed: 1)
    var kept: Set<Int> = []
    var begun = 0
    var resumed = 0
    for _ in 0..<CrashTests.kills {
      let target = begun + .random(in: 1...8, using: &generator)
      let child = try Child(
        "SockFixture", ["journal", directory.path, "\(begun + 1)", "\(Int.max - 1)"])
      // Sometimes while it sends what was left.
      let line = Bool.random(using: &generator) ? "begin \(target)" : "started"
      try child.waitForLine(line)
      let patience = 1 << Int.random(in: 0...14, using: &generator)
      for _ in 0..<Int.random(in: 0..<patience, using: &generator) { sched_yield() }
      let lines = child.killed()
      if line == "started" { resumed += 1 }
      for line in lines {
        if let number = Self.number(after: "begin ", in: line) { begun = max(begun, number) }
        if let number = Self.number(after: "saved ", in: line) { kept.insert(number) }
      }
      try check(try taken(directory), kept: nil)
    }
    let child = try Child("SockFixture", ["journal", directory.path, "1", "0"])
    try child.waitForLine("done")
    #expect(child.killed().contains("failed 0"))
    try check(try taken(directory), kept: kept)
    print(
      "killed \(CrashTests.kills) times, \(resumed) at the start; \(kept.count) changes were kept")
    #expect(kept.count > CrashTests.kills)
  }

  /// The numbers that the server has taken, in its order.
  private func taken(_ directory: TemporaryDirectory) throws -> [Int] {
    let log = try? String(contentsOfFile: directory.path + "/server.log", encoding: .utf8)
    return (log ?? "").split(separator: "\n").compactMap { line in
      line.split(separator: " ").last.flatMap { Int($0) }
    }
  }

  private func check(_ taken: [Int], kept: Set<Int>?) throws {
    try #require(Set(taken).count == taken.count, "taken twice: \(taken)")
    for scope in 0..<3 {
      let ofScope = taken.filter { $0 % 3 == scope }
      try #require(ofScope == ofScope.sorted(), "out of order")
    }
    if let kept { #expect(kept.subtracting(taken).isEmpty, "lost: \(kept.subtracting(taken))") }
  }

  private static func number(after word: String, in line: String) -> Int? {
    line.hasPrefix(word) ? Int(line.dropFirst(word.count)) : nil
  }
}
