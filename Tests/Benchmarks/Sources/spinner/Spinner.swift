import Foundation
import Terminal
import TerminalUI

/// A list that stands still and a spinner that turns ten times a second until `q` is pressed.
@main
struct SpinnerProgram {
  @MainActor
  static func main() async {
    do {
      let type = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
      let screen = try NcursesScreen(options: TerminalOptions(terminalType: type))
      _ = await TerminalApp(screen: screen) { SpinnerScreen() }.run()
    } catch {
      FileHandle.standardError.write(Data("spinner: \(error)\n".utf8))
      exit(1)
    }
  }
}

struct SpinnerScreen: View {
  @Environment(\.quit) private var quit

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      ProgressView("Loading")
      List((1...200).map(Row.init)) { row in
        Text("Row \(row.id) of a list that stands still while the spinner above it turns")
          .lineLimit(1)
      }
    }
    .onKeyPress("q", label: "quit") { quit?() }
  }

  struct Row: Identifiable {
    let id: Int
  }
}
