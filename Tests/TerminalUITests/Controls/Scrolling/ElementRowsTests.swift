import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the rows that lists, grids and lazy stacks make when they are drawn.
@MainActor
@Suite struct ElementRowsTests {
  struct Row: Identifiable { let id: Int }

  enum Kind: CaseIterable {
    case list, grid, stack

    @MainActor @ViewBuilder var view: some View {
      let rows = (0..<3).map(Row.init)
      switch self {
      case .list: List(rows) { Counter(name: "\($0.id):") }
      case .grid: LazyVGrid(rows, columns: 1) { row, _ in Counter(name: "\(row.id):") }
      case .stack: ScrollView { LazyVStack { ForEach(rows) { Counter(name: "\($0.id):") } } }
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `their state ends when the window has no room for them`(_ kind: Kind) {
    let stage = Stage(12, 5) {
      VStack {
        Text("title").layoutPriority(1)
        kind.view.border()
      }
    }
    stage.press(.tab, "+")
    #expect(stage.text.contains("0:1"))
    stage.resize(12, 1)
    #expect(stage.text == "   title")
    stage.resize(12, 5)
    #expect(stage.text.contains("0:0"))
  }

  @Test func `their state goes on while another tab covers them`() {
    let model = Model()
    let stage = Stage(20, 6) {
      TabView(selection: Binding(model, \.flag)) {
        Tab("one", value: true) { List((0..<3).map(Row.init)) { Counter(name: "\($0.id):") } }
        Tab("two", value: false) { Text("another") }
      }
    }
    stage.press(.tab, "+")
    model.flag = false
    stage.settle()
    #expect(stage.text.contains("another"))
    model.flag = true
    stage.settle()
    #expect(stage.text.contains("0:1"))
  }
}
