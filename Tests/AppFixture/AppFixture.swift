import Foundation
import Observation
import TerminalUI

/// A program on the event loop, in the way that its first argument names: for the tests of that loop
/// on a terminal.
@main @MainActor
struct AppFixture {
  static func main() async throws {
    let name = CommandLine.arguments.dropFirst().first
    if name == "late" { return try await runLate() }
    let exit = try await TerminalApp.run {
      switch name {
      case "restless": RestlessView()
      case "calm": CalmView()
      default: BusyView()
      }
    }
    print("ended: \(exit)")
  }

  /// Opens the screen before the main loop runs, and the app afterwards.
  private static func runLate() async throws {
    MainLoop.install()
    let screen = try NcursesScreen(
      options: TerminalOptions(terminalType: String(cString: getenv("TERM"))))
    await Task.yield()
    let exit = await TerminalApp(screen: screen) { RestlessView(isRestless: false) }.run()
    print("ended: \(exit)")
  }
}

@MainActor @Observable
private final class Counter {
  var value = 0
  var keyCount = 0
}

/// Counts keys, and beside them changes a value each time it has changed.
private struct RestlessView: View {
  var isRestless = true
  @State private var counter = Counter()
  @Environment(\.terminal) private var terminal

  var body: some View {
    Text("keys: \(counter.keyCount), \(counter.value > 0 ? "restless" : "at rest")")
      .onKeyPress("+", label: "count") { counter.keyCount += 1 }
      .onKeyPress("q", label: "quit") { terminal?.quit() }
      .onAppear { if isRestless { counter.value = 1 } }
      .onChange(of: counter.value) { counter.value += 1 }
  }
}

/// Waits for keys, after work off the main actor.
private struct CalmView: View {
  @State private var count = 0
  @Environment(\.terminal) private var terminal

  var body: some View {
    Text("sums: \(count)")
      .onKeyPress("q", label: "quit") { terminal?.quit() }
      .task {
        count += await Task.detached { (1...10).reduce(0, +) }.value
        async let other = Task { @concurrent in (1...100).reduce(0, +) }.value
        count += await other
      }
  }
}

/// Blocks the main thread for ever at a key.
private struct BusyView: View {
  @State private var isBusy = false

  var body: some View {
    Text(isBusy ? "busy" : "at rest")
      .onKeyPress("b", label: "be busy") { isBusy = true }
      .onChange(of: isBusy) { while true { usleep(1000) } }
  }
}
