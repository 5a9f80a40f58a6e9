import Loading
import LoadingTesting
import Testing

@testable import TerminalUI

/// A view on a manual clock: drawn, pressed and advanced as a program would, without a terminal.
@MainActor
final class Stage {
  let runtime: ManualRuntime
  let host: ViewHost
  var size: Size
  private(set) var frame: Frame

  init(
    _ width: Int, _ height: Int, runtime: ManualRuntime = ManualRuntime(),
    @ViewBuilder _ view: @escaping () -> some View
  ) {
    self.runtime = runtime
    size = Size(width: width, height: height)
    host = ViewHost(clock: runtime.clock.any, scheduler: runtime.scheduler, root: view)
    host.environment.perform = PerformAction { [weak host] in host?.run = $0 }
    frame = host.frame(size: size, at: runtime.clock.now)
    settle()
  }

  /// What is on the screen.
  var text: String { frame.text }

  /// The same without what marks at the right edge how far something is scrolled.
  var rows: String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = line
      if line.last == "▐" { line.removeLast() }
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    .joined(separator: "\n")
  }

  /// How the first glyph of a word is drawn, where it stands first.
  func style(of word: String) -> Style {
    let glyphs = Array(Glyphs(word))
    for y in 0..<size.height {
      let row = Array(frame.cells.row(y))
      for x in 0..<max(0, row.count - glyphs.count + 1)
      where row[x..<(x + glyphs.count)].map(\.glyph) == glyphs {
        return row[x].style
      }
    }
    Issue.record("“\(word)” is not on the screen")
    return .plain
  }

  /// The labels in the footer's order.
  var footer: [String] { frame.bindings.filter { $0.footer == .first }.map(\.label) }

  /// Presents frames until nothing changes without time passing.
  func settle() {
    var rounds = 0
    repeat {
      runtime.run()
      frame = host.frame(size: size, at: runtime.clock.now)
      host.didPresent(frame)
      runtime.run()
      rounds += 1
      // As the program does, once the frame is up to date.
      if !host.needsFrame, host.run != nil, host.performNext(in: frame, at: runtime.clock.now) {
        host.invalidation.set()
      }
    } while host.needsFrame && rounds < 20
  }

  /// Gives tasks that run beside the main actor their turns, until `condition` holds.
  func settle(until condition: () -> Bool) async {
    settle()
    while !condition() {
      await Task.yield()
      settle()
    }
  }

  func press(_ keys: KeyPress...) {
    for key in keys {
      host.press(key, in: frame)
      settle()
    }
  }

  func advance(by duration: Duration) {
    runtime.advance(by: duration)
    settle()
  }
}

/// An error with words.
struct Broken: Error, Equatable {
  var what = "The server is asleep."
}
