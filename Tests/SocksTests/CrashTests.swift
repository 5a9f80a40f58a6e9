import Foundation
import GRDB
import PseudoTerminal
import Testing

@testable import SockFixture
@testable import Socks

/// A program is killed, without a warning, while it changes the drawer.
@Suite(.serialized) struct CrashTests {
  /// How often: `ARGYLE_CRASH_KILLS`, if it is set.
  static func kills(default count: Int) -> Int {
    ProcessInfo.processInfo.environment["ARGYLE_CRASH_KILLS"].flatMap(Int.init) ?? count
  }

  @Test func `what was told as kept is there, and nothing is half there`() async throws {
    let directory = try TemporaryDirectory()
    var generator = SeededGenerator(seed: 1)
    let expected = ScriptedSockAPI(FixedDrawer.socks, now: { FixedDrawer.date })
    _ = try EmbeddedSockStore(
      directory: directory.path, bundled: FixedDrawer.socks, now: { FixedDrawer.date })
    let kills = Self.kills(default: 25)
    var (done, during, kept) = (0, 0, 0)
    for kill in 0..<kills {
      let target = done + .random(in: 1...6, using: &generator)
      let child = try Child(
        "SockFixture", ["changes", directory.path, "\(done + 1)", "\(Int.max - 1)"])
      try child.waitForLine("begin \(target)")
      // Before, in or after the commit: the time that one takes is not known.
      let patience = 1 << Int.random(in: 0...14, using: &generator)
      for _ in 0..<Int.random(in: 0..<patience, using: &generator) { sched_yield() }
      let lines = child.killed()
      let begun = try number(of: "begin", in: lines)
      let saved = try number(of: "saved", in: lines, default: done)
      try #require(begun == saved || begun == saved + 1)
      if begun > saved { during += 1 }

      while done < saved {
        done += 1
        try await FixedDrawer.change(done, expected)
      }
      let found = try await socksAndHealth(in: directory.path)
      if begun > saved, found != expected.socks {
        // It was killed before it could tell.
        done = begun
        kept += 1
        try await FixedDrawer.change(done, expected)
      }
      try #require(found == expected.socks, "kill \(kill), after change \(saved)")
    }
    print(
      "killed \(kills) times, \(during) of them while a change was being kept, "
        + "\(kept) of those when it was kept and not told yet")
    // Else nothing was shown.
    #expect(during > kills / 4)
  }

  private func number(of word: String, in lines: [String], default none: Int? = nil) throws -> Int {
    guard let line = lines.last(where: { $0.hasPrefix(word + " ") }) else {
      return try #require(none, "\(lines)")
    }
    return try #require(Int(line.dropFirst(word.count + 1)))
  }

  /// What is in a drawer, of which every page is looked at.
  private func socksAndHealth(in directory: String) async throws -> [Sock] {
    let store = try EmbeddedSockStore(directory: directory)
    let (integrity, strangers) = try await store.read { database in
      (
        try String.fetchAll(database, sql: "PRAGMA integrity_check"),
        try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
      )
    }
    #expect(integrity == ["ok"])
    #expect(strangers == 0)
    try await store.checkTexts()
    let socks = try await store.everySock()
    #expect(brokenPairs(socks).isEmpty)
    return socks
  }
}
