import Foundation
import PseudoTerminal
import Testing

/// Tests of `argyle socks set` being killed as soon as it has begun to write.
struct SockKillTests {
  /// The number of kills: `ARGYLE_CRASH_KILLS`.
  private static let kills =
    ProcessInfo.processInfo.environment["ARGYLE_CRASH_KILLS"].flatMap(Int.init) ?? 25

  @Test func `what the command told as changed is there, and nothing is half there`() throws {
    let home = try Home()
    let added = try home.run("socks", "add", "Left", "--json")
    let sock = try #require(
      try JSONSerialization.jsonObject(with: Data(added.output.utf8)) as? [String: Any])
    let id = try #require(sock["id"] as? String)
    var generator = SeededGenerator(seed: 2)
    var (value, during, kept) = (0, 0, 0)
    for kill in 0..<Self.kills {
      let next = value % 100 + 1
      let log = home.dataDirectory + "/socks.sqlite-wal"
      let before = Stamp(log)
      let child = try Child(
        "argyle", ["socks", "set", id, "--sogginess", "\(next)", "--notes", "as wet as \(next)"],
        environment: home.environment)
      // It writes to the log, and ends a moment later.
      while Stamp(log) == before, child.isRunning { sched_yield() }
      for _ in 0..<Int.random(in: 0..<64, using: &generator) { sched_yield() }
      let isTold = child.killed().contains { $0.hasPrefix("Changed") }

      let shown = try home.run("socks", "show", id, "--json")
      let now = try #require(
        try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
      let found = try #require(now["sogginess"] as? Int)
      try #require(found == next || !isTold && found == value, "kill \(kill)")
      // Either both fields changed, or neither did; at first there were no notes.
      if value != 0 || found == next {
        try #require(now["notes"] as? String == "as wet as \(found)", "kill \(kill)")
      }
      if !isTold { during += 1 }
      if !isTold, found == next { kept += 1 }
      value = found
    }
    print(
      "killed the command \(Self.kills) times, \(during) of them while a change was being kept, "
        + "\(kept) of those when it was kept and not told yet")
    #expect(during > Self.kills / 4)
  }

  /// The values of a file that change when it is written.
  private struct Stamp: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0, status.st_size > 0 else {
        (size, seconds, nanoseconds) = (0, 0, 0)
        return
      }
      size = Int(status.st_size)
      #if os(Linux)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      #else
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
      #endif
    }
  }
}
