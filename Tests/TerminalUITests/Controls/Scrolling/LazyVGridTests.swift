import Loading
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

@MainActor
@Suite struct LazyVGridTests {
  struct Item: Identifiable {
    let id: Int
  }

  @MainActor
  @Observable
  final class Model {
    var items: [Item]
    var selected: Int?

    init(_ count: Int) { items = (0..<count).map(Item.init) }
  }

  struct Wall: View {
    let model: Model

    var body: some View {
      LazyVGrid(model.items, columns: 3, selection: Binding(model, \.selected)) {
        item, isSelected in
        Text(isSelected ? "[\(item.id)]" : "\(item.id)")
      }
    }
  }

  private func stage(_ model: Model, _ width: Int = 11, _ height: Int = 3) -> Stage {
    Stage(width, height) { Wall(model: model) }
  }

  @Test func `cells stand in columns, row after row`() {
    #expect(
      stage(Model(7)).text == """
        [0] 1   2
        3   4   5
        6
        """)
  }

  @Test func `the state of a cell ends when the cell is out of sight, next to the window too`() {
    struct Counter: View {
      let id: Int
      @State private var count = 0

      var body: some View {
        Text("\(id): \(count)").focusable().onKeyPress("+", label: "count") { count += 1 }
      }
    }
    let items = (0..<3).map(Item.init)
    let stage = Stage(9, 2) {
      LazyVGrid(items, columns: 1) { item, _ in Counter(id: item.id) }
    }
    stage.press("j", "j", .tab, .tab)
    stage.press("+")
    #expect(stage.text == "1: 0\n2: 1    ▐")
    stage.press(.tab)
    stage.press("k", "k")
    stage.press("j", "j")
    #expect(stage.text == "1: 0\n2: 0    ▐")
  }

  @Test func `a click below the last row selects nothing`() {
    let model = Model(4)
    let stage = stage(model, 11, 6)
    for y in 2..<6 {
      stage.host.send(MouseEvent(.press, at: Point(x: 1, y: y)), in: stage.frame)
      stage.settle()
    }
    #expect(model.selected == nil)
    stage.host.send(MouseEvent(.press, at: Point(x: 1, y: 1)), in: stage.frame)
    #expect(model.selected == 3)
  }

  @Test func `the selection of a cell that is removed goes to its neighbour`() {
    let model = Model(5)
    let stage = stage(model)
    stage.press(.right)
    #expect(model.selected == 1)
    model.items.remove(at: 1)
    stage.settle()
    #expect(model.selected == 2)
    #expect(stage.text.contains("[2]"))
  }

  @Test func `arrows move to the neighbours and stop at the edges`() {
    let stage = stage(Model(7))
    stage.press(.up, .left)
    #expect(stage.text.hasPrefix("[0] 1"))
    stage.press(.right, .right, .right)
    #expect(stage.text.contains("\n[3] 4"))
    stage.press("k", "l", .down)
    #expect(stage.text.contains("[4]"))
  }

  @Test func `down from above a short last row goes to the last cell`() {
    let stage = stage(Model(7))
    stage.press(.right, .right, .down, .down)
    #expect(stage.text.hasSuffix("[6]"))
    stage.press(.down)
    #expect(stage.text.hasSuffix("[6]"))
  }

  @Test func `only cells on the screen are made`() {
    var made: Set<Int> = []
    let items = (0..<100_000).map(Item.init)
    let stage = Stage(20, 3) {
      LazyVGrid(items, columns: 3) { item, _ in
        made.insert(item.id)
        return Text("\(item.id)")
      }
    }
    #expect(made == Set(0..<9))
    made = []
    stage.press("G")
    #expect(made.isSubset(of: Set(0..<9).union(99_990..<100_000)))
    #expect(
      stage.rows == """
        99993  99994  99995
        99996  99997  99998
        99999
        """)
  }

  @Test func `what is selected is brought into view, and no empty rows below the last`() {
    let model = Model(30)
    let stage = stage(model, 12)
    model.selected = 20
    stage.settle()
    #expect(stage.text.contains("[2"))
    model.items = Array(model.items.prefix(4))
    stage.settle()
    #expect(stage.text == "0    1   2\n[3]\n")
  }

  @Test func `cells that come above move neither the selection nor the rows on the screen`() {
    let model = Model(30)
    let stage = stage(model)
    stage.press(.down, .down, .down, .down)
    #expect(model.selected == 12)
    let before = stage.text
    model.items = [100, 101, 102].map(Item.init) + model.items
    stage.settle()
    #expect(stage.text == before)
    #expect(model.selected == 12)
  }

  @Test func `a grid at its top shows the cells that come above`() {
    let model = Model(30)
    let stage = stage(model)
    model.items = [100, 101, 102].map(Item.init) + model.items
    stage.settle()
    #expect(stage.text.contains("101"), "\(stage.text)")
  }

  @Test func `the mouse selects a cell, and the wheel scrolls without selecting`() {
    let model = Model(30)
    let stage = stage(model)
    stage.host.send(MouseEvent(.press, at: Point(x: 5, y: 1)), in: stage.frame)
    stage.settle()
    #expect(model.selected == 4)
    stage.host.send(MouseEvent(.wheelDown, at: Point(x: 5, y: 1)), in: stage.frame)
    stage.settle()
    #expect(model.selected == 4)
    #expect(stage.text.hasPrefix("3   [4] 5"))
    stage.host.send(MouseEvent(.press, at: Point(x: 3, y: 1)), in: stage.frame)
    stage.settle()
    #expect(model.selected == 4, "a click between two cells is no click on one")
  }

  @Test(arguments: [(1, 1), (2, 5), (7, 2), (40, 1)])
  func `it draws in any room`(width: Int, height: Int) {
    let stage = stage(Model(10), width, height)
    stage.press("G", .up, .pageUp, .pageDown)
    #expect(stage.frame.cells.size == Size(width: width, height: height))
  }
}
