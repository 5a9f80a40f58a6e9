import TerminalUI

/// As many spinners as it is told, each in a cell of its own, four side by side, until `q` is
/// pressed; j, k, h and l move a selection.
@main
struct SpinnersProgram {
  @MainActor
  static func main() async throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
    try await TerminalApp.run { SpinnersScreen(cells: (0..<count).map { .init(id: $0) }) }
  }
}

struct SpinnersScreen: View {
  struct Cell: Identifiable {
    let id: Int
  }

  let cells: [Cell]
  @Environment(\.terminal) private var terminal

  var body: some View {
    VStack(alignment: .leading) {
      LazyVGrid(cells, columns: 4) { cell, isSelected in
        HStack {
          ProgressView()
          Text(isSelected ? "[cell \(cell.id)]" : " cell \(cell.id) ").lineLimit(1)
        }
      }
      .frame(height: 25)
      Text("what stands still while the spinners above it turn")
    }
    .onKeyPress("q", label: "quit") { terminal?.quit() }
  }
}
