import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of lists whose rows are added and removed out of sight, page by page.
@MainActor
@Suite struct ListAnchorTests {
  private struct Item: Identifiable {
    let id: Int
  }

  @Test func `a list that anchors its first row stays where it is when rows come above it`() {
    let model = Model()
    model.ids = Array(10..<30)
    let stage = Stage(10, 3) {
      List(model.ids.map(Item.init)) { Text("row \($0.id)") }.anchorsFirstRow()
    }
    #expect(stage.rows == "row 10\nrow 11\nrow 12")
    model.ids = Array(0..<30)
    stage.settle()
    #expect(stage.rows == "row 10\nrow 11\nrow 12")
    stage.press("k")
    #expect(stage.rows == "row 9\nrow 10\nrow 11")
    model.ids = Array(5..<20)
    stage.settle()
    #expect(stage.rows == "row 9\nrow 10\nrow 11")
  }

  @Test func `a list stays where it is when a selected row that was scrolled away is removed`() {
    let model = Model()
    model.ids = Array(0..<30)
    let stage = Stage(10, 3) {
      List(model.ids.map(Item.init), selection: Binding(model, \.item)) { Text("row \($0.id)") }
    }
    for _ in 0..<5 {
      stage.host.send(MouseEvent(.wheelDown, at: Point(x: 1, y: 1)), in: stage.frame)
      stage.settle()
    }
    #expect(stage.rows == "row 15\nrow 16\nrow 17")
    model.ids = Array(10..<40)
    stage.settle()
    #expect(stage.rows == "row 15\nrow 16\nrow 17")
    // The first row is selected now; a key goes to the one below it.
    stage.press("j")
    #expect(stage.rows == "row 11\nrow 12\nrow 13")
  }

  @Test func `a list tells which of its rows are visible`() {
    let model = Model()
    model.ids = Array(10..<30)
    var told: [Range<Int>] = []
    let stage = Stage(10, 3) {
      if model.item == nil {
        List(model.ids.map(Item.init)) { Text("row \($0.id)") }
          .anchorsFirstRow().onVisibleRowsChange { told.append($0) }
      }
    }
    #expect(told == [0..<3])
    stage.press("j")
    stage.settle()
    #expect(told == [0..<3], "the same rows are visible")
    stage.press("j", "j")
    #expect(told == [0..<3, 1..<4])
    model.ids = Array(8..<30)
    stage.settle()
    #expect(told == [0..<3, 1..<4, 3..<6])
    model.ids = Array(8..<40)
    stage.settle()
    #expect(told == [0..<3, 1..<4, 3..<6, 3..<6], "there are more rows")
    model.ids = Array(108..<140)
    stage.settle()
    #expect(told.count == 5 && told.last == 3..<6, "other rows at the same places")
    model.item = 0
    stage.settle()
    #expect(told.last == 0..<0)
    model.item = nil
    stage.settle()
    #expect(told.last == 0..<3)
  }
}
