import Foundation
import Terminal

/// A program that shows the size of its terminal and what comes in, and ends in every way a program
/// can: for the tests of the ways out.
@main @MainActor
struct ScreenFixture {
  static func main() async {
    do {
      let screen = try NcursesScreen(
        options: TerminalOptions(
          terminalType: variable("TERM") ?? "",
          colorDepth: variable("NO_COLOR") == nil ? nil : .monochrome,
          logPath: variable("FIXTURE_LOG")))
      await run(screen)
    } catch {
      print("cannot open: \(error)")
      exit(3)
    }
  }

  // Not by Foundation, which makes the runtime know the types that a handler of ours would ask for.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func run(_ screen: NcursesScreen) async {
    var lines: [String] = []
    draw(lines, on: screen)
    if variable("FIXTURE_ALLOCATES") != nil { allocate() }
    for await event in screen.events {
      switch event {
      case .key("q"):
        screen.close()
        screen.close()
        exit(0)
      case .key("e"):
        screen.close()
        print("an error was thrown")
        exit(4)
      case .key("t"): trap(lines)
      case .key("a"): abort()
      case .key("x"): exit(5)
      case .key("l"): FileHandle.standardError.write(Data("a line for the log\n".utf8))
      case .key("b"): fill(screen)
      case .key("s"): kill(getpid(), SIGSTOP)
      case .key("n"):
        screen.lend()
        screen.suspend()
        screen.close()
        exit(0)
      case .terminate(let signal):
        screen.close()
        // Not a whole line, which a terminal would be sent at once.
        print("last words", terminator: "")
        raiseAgain(signal)
      case .suspend: screen.suspend()
      case .closed:
        screen.close()
        exit(6)
      default: break
      }
      lines.append("\(event)")
      draw(lines, on: screen)
    }
  }

  private static func draw(_ lines: [String], on screen: NcursesScreen) {
    guard screen.isReady else { return }
    if lines.last == "key(o)" { print(overflow(1)) }
    var buffer = CellBuffer(size: screen.size)
    buffer.write("size \(screen.size.width)x\(screen.size.height)", at: Point(x: 0, y: 0))
    for (index, line) in lines.suffix(max(0, screen.size.height - 1)).enumerated() {
      buffer.write(line, at: Point(x: 0, y: index + 1))
    }
    screen.present(buffer, cursor: nil)
  }

  /// More than a stopped terminal can hold.
  private static func fill(_ screen: NcursesScreen) {
    var character: UInt8 = 0
    while screen.isReady {
      character = (character + 1) % 26
      let glyph = Character(Unicode.Scalar(character + 0x41))
      var buffer = CellBuffer(size: screen.size)
      for y in 0..<screen.size.height {
        buffer.write(String(repeating: glyph, count: screen.size.width), at: Point(x: 0, y: y))
      }
      screen.present(buffer, cursor: nil)
    }
  }

  /// Most of the time the allocator's lock is held: what a handler of a signal would wait for in vain.
  private static func allocate() {
    while true { free(calloc(1, 3_000)) }
  }

  private static func trap(_ lines: [String]) { print(lines[lines.count + 1]) }

  private static func overflow(_ depth: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { bytes in
      bytes[0] = UInt8(truncatingIfNeeded: depth)
      return overflow(depth + 1) + Int(bytes[0])
    }
  }
}
