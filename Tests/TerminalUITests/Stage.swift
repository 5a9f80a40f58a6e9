import Loading
import LoadingTesting

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
