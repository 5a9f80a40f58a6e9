import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of cells that a program draws itself.
@MainActor
@Suite struct CanvasTests {
  let model = Model()

  @Test func `a canvas draws cells of one's own in all the room there is`() {
    model.flag = false
    let stage = Stage(12, 3) { [model] in
      HStack(spacing: 0) {
        Text("bars").frame(width: 5, alignment: .leading)
        Canvas(label: "Three bars") { cells in
          cells.write("\(cells.size.width)×\(cells.size.height)", at: Point(x: 0, y: 0))
          cells.write(model.flag ? "字字字字" : "▁▃▅▇▇▇▇▇", at: Point(x: 0, y: 2))
        }
      }
      .background(.blue)
    }
    #expect(stage.text == "     7×3\nbars\n     ▁▃▅▇▇▇▇")
    #expect(stage.frame.cells[11, 1].style.background == .blue)
    model.flag = true
    stage.settle()
    #expect(stage.text == "     7×3\nbars\n     字字字")
    stage.host.environment.isPlain = true
    stage.settle()
    #expect(stage.text == "bars Three\n     bars\n")
  }

  @Test func `a canvas that is still to come is blocks`() {
    let view = Canvas { $0.write("abc", at: Point(x: 0, y: 0)) }.redacted(reason: .placeholder)
    #expect(Frame(view, size: Size(width: 4, height: 1)).text == "▇▇▇▇")
  }
}
