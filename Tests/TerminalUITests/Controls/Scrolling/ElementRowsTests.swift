import Observation
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

  struct Title: View {
    let model: Names

    var body: some View { Text(model.title) }
  }

  @Test func `a list that had no room for a while finds out how tall its rows are again`() {
    let model = Names()
    let stage = Stage(12, 4) {
      VStack(alignment: .leading) {
        Title(model: model).layoutPriority(1)
        List((0..<9).map(Row.init)) { Text(model.names[$0.id] ?? "row \($0.id)") }
      }
    }
    #expect(stage.rows == "title\nrow 0\nrow 1\nrow 2")
    model.title = "a\nb\nc\nd"
    stage.settle()
    #expect(stage.rows == "a\nb\nc\nd")
    model.names[1] = "one\nand two"
    model.title = "title"
    stage.settle()
    #expect(stage.rows == "title\nrow 0\none\nand two")
    model.names[0] = "none\nand zero"
    stage.settle()
    #expect(stage.rows == "title\nnone\nand zero\none")
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

  @MainActor @Observable
  final class Names {
    var title = "title"
    var names: [Int: String] = [:]
    @ObservationIgnored var drawn: [Int] = []
  }

  /// The name of a row, which records when it is drawn.
  struct Name: PrimitiveView {
    let model: Names
    let row: Int

    func makeNodes(_ context: ViewContext) -> [Node] {
      [
        LeafNode(context, expands: { _ in true }) { context, region in
          model.drawn.append(row)
          let text = context.readingToDraw { model.names[row] ?? "row \(row)" }
          region.write(text, style: .plain)
        }
      ]
    }
  }

  @Test func `rows that scroll are copied, until something in them changes`() {
    let model = Names()
    let stage = Stage(10, 3) {
      List((0..<9).map(Row.init)) { row in
        HStack {
          Name(model: model, row: row.id)
          Text("|")
        }
      }
    }
    #expect(model.drawn == [0, 1, 2])
    model.drawn = []
    stage.press("j", "j", "j")
    #expect(stage.rows == "row 1   |\nrow 2   |\nrow 3   |")
    #expect(model.drawn == [3])
    model.names[2] = "new 2"
    stage.settle()
    #expect(stage.rows == "row 1   |\nnew 2   |\nrow 3   |")
    stage.press("j")
    #expect(stage.rows == "new 2   |\nrow 3   |\nrow 4   |")
    // All rows that are shown have read the names.
    #expect(model.drawn == [3, 1, 2, 3, 4])
  }
}
