import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the thin mark at the right edge that shows the scroll position.
@MainActor
@Suite struct ScrollBarTests {
  private struct Item: Identifiable { let id: Int }
  @MainActor @Observable
  fileprivate final class Model {
    var ids = Array(0..<5)
  }

  private func send(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int, to stage: Stage) {
    stage.host.send(MouseEvent(kind, at: Point(x: x, y: y)), in: stage.frame)
    stage.settle()
  }

  private func items(_ count: Int) -> [Item] { (0..<count).map(Item.init) }

  @Test func `a list has one only where not all of it shows`() {
    let stage = Stage(10, 4) { [self] in List(items(8)) { Text("row \($0.id)") } }
    #expect(
      stage.text == """
        row 0    ▐
        row 1    ▐
        row 2
        row 3
        """)
    stage.press("G")
    #expect(
      stage.text == """
        row 4
        row 5
        row 6    ▐
        row 7    ▐
        """)
    stage.size.height = 8
    stage.settle()
    #expect(!stage.text.contains("▐"))
  }

  @Test func `rows that fit only because nothing stands beside them have none`() {
    let stage = Stage(8, 2) { [self] in List(items(2)) { Text("Number \($0.id)").lineLimit(2) } }
    #expect(!stage.text.contains("▐"))
  }

  @Test func `rows that come below the screen make it shorter`() {
    let model = Model()
    let stage = Stage(6, 4) { List(model.ids.map(Item.init)) { Text("\($0.id)") } }
    #expect(stage.text == "0    ▐\n1    ▐\n2    ▐\n3")
    model.ids = Array(0..<40)
    stage.settle()
    #expect(stage.text == "0    ▐\n1\n2\n3")
  }

  @Test func `a click on a button or a tap gesture in a row acts, and elsewhere selects the row`() {
    var log: [String] = []
    let stage = Stage(20, 3) { [self] in
      List(items(3), onSubmit: { log.append("row \($0.id)") }) { item in
        HStack {
          Text("row \(item.id)")
          Text("tap").onTapGesture { log.append("tap \(item.id)") }
          Button("b") { log.append("button \(item.id)") }
        }
      }
    }
    send(.press, 6, 1, to: stage)
    send(.press, 11, 2, to: stage)
    #expect(log == ["tap 1", "button 2"])
    send(.press, 0, 2, to: stage)
    send(.press, 0, 2, to: stage)
    #expect(log == ["tap 1", "button 2", "row 2"])
    let grid = Stage(20, 4) { [self] in
      LazyVGrid(items(4), columns: 2, rowHeight: 2) { item, _ in
        Text("cell").onTapGesture { log.append("cell \(item.id)") }
      }
    }
    send(.press, 1, 2, to: grid)
    #expect(log.last == "cell 2")
  }

  @Test func `a press and a drag on it scroll, and leave the selection alone`() {
    let stage = Stage(6, 4) { [self] in List(items(40)) { Text("\($0.id)") } }
    send(.press, 5, 3, to: stage)
    #expect(stage.text == "36\n37\n38\n39   ▐")
    send(.drag, 5, 0, to: stage)
    #expect(stage.text == "0    ▐\n1\n2\n3")
    stage.press("j")
    #expect(stage.frame.cells[0, 1].style.background == Theme.standard.selection)
  }

  @Test func `a drag scrolls only if it began on the bar, wherever the mouse is then`() {
    let stage = Stage(6, 4) { [self] in List(items(40)) { Text("\($0.id)") } }
    send(.press, 1, 1, to: stage)
    send(.drag, 5, 3, to: stage)
    #expect(stage.text == "0    ▐\n1\n2\n3")
    send(.press, 5, 0, to: stage)
    send(.drag, 2, 3, to: stage)
    #expect(stage.text == "36\n37\n38\n39   ▐")
  }

  @Test(arguments: [false, true])
  func `the wheel scrolls a list in a text, and the text where the list is whole`(isPlain: Bool) {
    func stage(_ count: Int) -> Stage {
      Stage(9, 4) { [self] in
        ScrollView {
          VStack(alignment: .leading) {
            List(items(count)) { Text("\($0.id)") }.frame(height: 3)
            Text("a\nb\nc")
          }
        }
        .environment(\.isPlain, isPlain)
      }
    }
    let long = stage(9)
    send(.wheelDown, 1, 1, to: long)
    #expect(long.text.hasPrefix("3"), "\(long.text)")
    #expect(long.text.contains("a"))
    let short = stage(3)
    send(.wheelDown, 1, 1, to: short)
    #expect(!short.text.contains("0"), "\(short.text)")
    #expect(short.text.contains("c"))
  }

  @Test func `beside a single high row it counts lines`() {
    let text = "one\ntwo\nthree\nfour\nfive\nsix"
    let stage = Stage(8, 3) { [self] in List(items(1)) { _ in Text(text) } }
    #expect(stage.text == "one    ▐\ntwo\nthree")
    send(.press, 7, 2, to: stage)
    #expect(stage.text == "four\nfive\nsix    ▐")
    send(.drag, 7, 0, to: stage)
    #expect(stage.text == "one    ▐\ntwo\nthree")
  }

  @Test func `a grid and a lazy stack have one too, and plain text has none`() {
    let grid = Stage(9, 2) { [self] in
      LazyVGrid(items(9), columns: 2) { item, _ in Text("\(item.id)") }
    }
    #expect(grid.text == "0    1  ▐\n2    3")
    let stack = Stage(9, 2) { [self] in
      ScrollView { LazyVStack(alignment: .leading) { ForEach(items(9)) { Text("\($0.id)") } } }
    }
    #expect(stack.text == "0       ▐\n1")
    let plain = Stage(9, 3) { [self] in
      List(items(9)) { Text("\($0.id)") }.environment(\.isPlain, true)
    }
    #expect(!plain.text.contains("▐"))
  }
}
