import LoadingTesting
import Observation
import PseudoTerminal
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that a move is redrawn by the existing nodes, and equals a frame that is built from
/// nothing.
@MainActor
@Suite struct RedrawTests {
  @MainActor @Observable
  final class Model {
    var title = "Title"
    var rows = (0..<40).map(Row.init)
    @ObservationIgnored var madeRows: [Int] = []
    @ObservationIgnored var madeScreens = 0
  }

  struct Row: Identifiable, Equatable {
    let id: Int

    init(_ id: Int) { self.id = id }
  }

  /// Rows of every kind: with one line or several, wide, with state, with a spinner, with keys.
  struct RowView: View {
    let row: Row
    @State private var count = 0

    var body: some View {
      switch row.id % 6 {
      case 0: Text("\(row.id) 漢字かな交じり文").lineLimit(1)
      case 1:
        VStack(alignment: .leading) {
          Text("\(row.id) first line")
          Text("second line").dim()
        }
      case 2:
        HStack {
          Spinner()
          Text("\(row.id) turns")
        }
      case 3: Button("\(row.id) pressed \(count)") { count += 1 }
      case 4: Text("\(row.id)").background(.blue).onAppear {}
      default:
        HStack {
          Text("\(row.id) a title that is too long for a narrow screen").lineLimit(1)
          Spacer()
          Text("12 Nov").foregroundStyle(\.secondary).lineLimit(1)
        }
      }
    }
  }

  struct Screen: View {
    let model: Model

    var body: some View {
      model.madeScreens += 1
      return VStack(alignment: .leading) {
        Text(model.title).lineLimit(1)
        HStack {
          List(model.rows) { row in
            model.madeRows.append(row.id)
            return RowView(row: row)
          }
          ScrollView {
            VStack(alignment: .leading) {
              ForEach(model.rows) { row in RowView(row: row) }
            }
          }
          GeometryReader { size in
            LazyVGrid(model.rows, columns: max(1, size.width / 8), rowHeight: 2) {
              row, isSelected in
              Text("\(row.id)").bold(isSelected)
            }
          }
        }
        .background(.green)
        KeyFooter()
      }
    }
  }

  @Test func `a key that moves a selection makes no view but the row that comes on the screen`() {
    let model = Model()
    let stage = Stage(60, 10) { Screen(model: model) }
    (model.madeRows, model.madeScreens) = ([], 0)
    stage.press("j")
    #expect(model.madeRows == [])
    let first = stage.text
    for _ in 0..<9 { stage.press("j") }
    #expect(stage.text != first)
    #expect(Set(model.madeRows).count == model.madeRows.count)
    #expect(model.madeScreens == 0)
  }

  @Test func `a model that changes rebuilds the views`() {
    let model = Model()
    let stage = Stage(60, 10) { Screen(model: model) }
    stage.press("j")
    model.title = "Another title"
    stage.settle()
    #expect(stage.text.hasPrefix("Another title"))
  }

  @Test func `what a row on the screen reads rebuilds it although it was made for a redraw`() {
    let model = Model()
    let rows = (0..<9).map(Row.init)
    let stage = Stage(20, 3) {
      List(rows) { row in Text(row.id == 3 ? model.title : "row \(row.id)") }
    }
    for _ in 0..<3 { stage.press("j") }
    #expect(stage.rows == "row 1\nrow 2\nTitle")
    model.title = "after"
    stage.settle()
    #expect(stage.rows == "row 1\nrow 2\nafter")
  }

  /// Returns everything in a frame that a user can see and do.
  private func facts(_ stage: Stage) -> [String] {
    let frame = stage.frame
    return [
      frame.text, "\(String(describing: frame.cursor))", "\(String(describing: frame.nextChange))",
    ]
      + frame.bindings.map { "\($0.label): \($0.keys.map(\.description))" }
      + frame.focusables.map { "\($0.path.depth) \($0.rect) \($0.path == frame.focus)" }
      + frame.pointerRegions.map { "\($0.rect)" } + ["\(frame.lifecycle.count)"]
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `a frame that is drawn again equals one that is built from nothing`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (width, height) = (
      Int.random(in: 1...70, using: &generator), Int.random(in: 1...20, using: &generator)
    )
    let models = [Model(), Model()]
    let stages = models.map { model in Stage(width, height) { Screen(model: model) } }
    let keys: [KeyPress] = [
      "j", "j", "j", "k", "g", "G", .pageDown, .pageUp, .tab, .enter, "l", "h",
    ]
    for step in 0..<40 {
      let choice = Int.random(in: 0..<20, using: &generator)
      let key = keys.randomElement(using: &generator) ?? "j"
      let place = Point(
        x: .random(in: 0..<width, using: &generator), y: .random(in: 0..<height, using: &generator))
      let id = Int.random(in: 0..<60, using: &generator)
      for (index, (stage, model)) in zip(stages, models).enumerated() {
        switch choice {
        case 0: model.title = "Title \(id)"
        case 1: model.rows.removeAll { $0.id == id }
        case 2: model.rows.insert(Row(100 + step), at: min(id, model.rows.count))
        case 3: stage.host.send(MouseEvent(.press, at: place), in: stage.frame)
        case 4, 5: stage.host.send(MouseEvent(.wheelDown, at: place), in: stage.frame)
        case 6: stage.advance(by: .milliseconds(id * 10))
        default: stage.host.press(key, in: stage.frame)
        }
        // The second stage never draws with existing nodes.
        if index == 1 { stage.host.forgetFrames() }
        stage.settle()
      }
      #expect(
        stages[0].frame.cells == stages[1].frame.cells && facts(stages[0]) == facts(stages[1]),
        """
        seed \(seed), step \(step), \(width)×\(height), choice \(choice), key \(key)
        \(facts(stages[0]).difference(from: facts(stages[1])))
        """)
    }
  }

  @Test
  func `the state of a row ends when it leaves the screen, also where views are not rebuilt`() {
    let rows = [Row(3)] + (10..<30).map { Row($0 * 6) }
    let stage = Stage(30, 4) {
      VStack {
        List(rows) { RowView(row: $0) }
      }
    }
    // The list has the focus first, then the button in its first row.
    stage.press(.tab, .enter)
    #expect(stage.text.contains("3 pressed 1"))
    stage.press(.backTab)
    for _ in 0..<8 { stage.press("j") }
    #expect(!stage.text.contains("3 pressed"))
    stage.press("g")
    #expect(stage.text.contains("3 pressed 0"))
  }
}
