import TerminalUI

/// A list that stands still and a spinner that turns ten times a second until `q` is pressed.
@main
struct SpinnerProgram {
  @MainActor
  static func main() async throws {
    try await TerminalApp.run { SpinnerScreen() }
  }
}

struct SpinnerScreen: View {
  @Environment(\.quit) private var quit
  private let rows = (1...200).map(Row.init)

  var body: some View {
    VStack(alignment: .leading) {
      ProgressView("Loading")
      List(rows) { row in
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
