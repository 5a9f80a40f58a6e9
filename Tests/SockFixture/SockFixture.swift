import Foundation
import Socks

/// A program that changes a drawer and is killed, or competes with another, for the tests of what is
/// there afterwards.
///
/// It writes `begin N` before each change and `saved N` when it has been told that it is kept.
@main
struct SockFixture {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count > 2, arguments[1] == "journal",
      let options = ChangeSender.Options(arguments[2...])
    {
      return try await ChangeSender.run(options, say: say)
    }
    guard arguments.count == 5, let first = Int(arguments[3]), let last = Int(arguments[4]) else {
      say("usage: SockFixture changes|sogginess|notes|pairs DIRECTORY FIRST LAST")
      say("       SockFixture journal DIRECTORY FIRST LAST SERVER PROCESS STOP")
      exit(64)
    }
    let drawer = try EmbeddedSockStore(directory: arguments[2], now: { FixedDrawer.date })
    for number in first...last {
      say("begin \(number)")
      switch arguments[1] {
      case "sogginess": try await drawer.update(FixedDrawer.id(1), [.sogginess(number % 101)])
      case "notes": try await drawer.update(FixedDrawer.id(1), [.notes("\(number)")])
      case "pairs":
        try await drawer.pair(FixedDrawer.id(1), FixedDrawer.id(2 + number % 2))
      default: try await FixedDrawer.change(number, drawer)
      }
      say("saved \(number)")
    }
  }

  /// Unbuffered: what was said is said, however this ends.
  @Sendable private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

/// Changes of a drawer that are the same every time, so that what should be there can be told.
enum FixedDrawer {
  static let date = Date(timeIntervalSince1970: 1_795_262_400)

  static let socks = (1...3).map { SockDraft(id: id($0), [.name("Sock \($0)")]).sock(at: date) }

  static func id(_ number: Int) -> Sock.ID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
  }

  /// Change number `number`: each is of several fields, several rows, or both.
  static func change(_ number: Int, _ drawer: some SockAPI) async throws {
    switch number % 5 {
    case 0, 1:
      try await drawer.update(
        id(1), [.sogginess(number % 101), .notes("\(number)"), .name("Sock 1, \(number)")])
    case 2: try await drawer.pair(id(1), id(2 + number / 5 % 2))
    case 3:
      // Of several pages.
      try await drawer.add(
        SockDraft(
          id: id(9),
          [.name("Number \(number)"), .notes(String(repeating: "x", count: 20_000))]))
    default: try await drawer.remove(id(9))
    }
  }
}
