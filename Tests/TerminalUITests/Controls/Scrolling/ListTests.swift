import Observation
import Synchronization
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of a list that only creates the rows on the screen.
@MainActor
@Suite struct ListTests {
  @Test func `of a selected row of several lines the first one is marked`() {
    struct Row: Identifiable { let id: Int }
    let stage = Stage(12, 4) {
      List((1...2).map(Row.init)) { Text("row \($0.id)\nbelow it") }
        .environment(\.theme, .dark)
    }
    stage.press("j")
    let marked = (0..<4).filter {
      stage.frame.cells[0, $0].style.background == Theme.dark.selection
    }
    #expect(marked == [2])
  }

  struct Item: Identifiable {
    let id: Int
  }

  @Test func `a title stands above the first row of each section, and is no row`() {
    let stage = Stage(16, 6) {
      List((1...9).map(Item.init)) { Text("row \($0.id)") }
        .sections { "tens of \($0.id / 4)" }
        .environment(\.theme, .dark)
    }
    #expect(stage.rows == "tens of 0\nrow 1\nrow 2\nrow 3\ntens of 1\nrow 4")
    func marked() -> [Int] {
      (0..<6).filter { stage.frame.cells[0, $0].style.background == Theme.dark.selection }
    }
    #expect(marked() == [1])
    stage.press("j", "j", "j")
    #expect(stage.rows.hasSuffix("tens of 1\nrow 4"))
    #expect(marked() == [5], "the title is passed over")
    stage.press("j")
    #expect(stage.rows == "row 1\nrow 2\nrow 3\ntens of 1\nrow 4\nrow 5")
    stage.press("G")
    #expect(stage.rows == "row 5\nrow 6\nrow 7\ntens of 2\nrow 8\nrow 9")
    #expect(marked() == [5])
    // At the first row, its heading becomes visible, too.
    stage.press("g")
    #expect(stage.rows.hasPrefix("tens of 0\nrow 1"))
    #expect(marked() == [1])
  }

  @MainActor @Observable
  final class Message: Identifiable {
    nonisolated let id: Int
    var day = "today"

    init(id: Int) { self.id = id }
  }

  @Test func `a title follows the element that it is read from`() {
    let messages = (1...4).map(Message.init)
    let stage = Stage(16, 6) {
      List(messages) { Text("row \($0.id)") }.sections(\.day)
    }
    #expect(stage.rows == "today\nrow 1\nrow 2\nrow 3\nrow 4\n")
    for message in messages { message.day = "yesterday" }
    stage.settle()
    #expect(stage.rows == "yesterday\nrow 1\nrow 2\nrow 3\nrow 4\n")
    messages[0].day = "today"
    messages[1].day = "today"
    stage.settle()
    #expect(stage.rows == "today\nrow 1\nrow 2\nyesterday\nrow 3\nrow 4")
    messages[3].day = "once"
    stage.settle()
    #expect(stage.rows == "today\nrow 1\nrow 2\nyesterday\nrow 3\nonce")
  }

  /// The rows that were read.
  final class Touched {
    var ids: [Int] = []
  }

  private let touched = Touched()
  private let items = (0..<100_000).map(Item.init)

  private func row(_ item: Item) -> some View {
    touched.ids.append(item.id)
    return Text("row \(item.id)")
  }

  @Test func `of 100,000 rows only those on the screen are made`() {
    let stage = Stage(30, 10) { [self] in
      VStack {
        Text("Title")
        HStack { List(items) { row($0) } }
        Text("Footer")
      }
    }
    #expect(
      stage.rows.hasPrefix("Title\nrow 0\nrow 1\n".replacing("Title", with: "            Title")))
    #expect(touched.ids.sorted() == Array(0..<8))
    stage.settle()
    #expect(touched.ids.count == 8)
  }

  @Test func `a jump to the end makes only the last rows`() {
    let stage = Stage(30, 10) { [self] in List(items) { row($0) } }
    touched.ids = []
    stage.press("G")
    #expect(stage.rows.hasSuffix("row 99999"))
    #expect(touched.ids.count < 60)
    #expect(Set(touched.ids).isSubset(of: Set(0..<20).union(99_980..<100_000)))
  }

  @Test func `a row selected by id is found and shown, and few are made for it`() {
    let model = Model()
    model.item = 50_000
    let stage = Stage(30, 10) { [self] in
      List(items, selection: Binding(model, \.item)) { row($0) }
    }
    #expect(stage.rows.contains("row 50000"))
    #expect(touched.ids.count < 100)
    stage.press("j")
    #expect(model.item == 50_001)
    model.item = 7
    stage.settle()
    #expect(stage.rows.hasPrefix("row 7\n"))
  }

  @Test func `rows that come above move nothing on the screen`() {
    let model = Model()
    model.ids = Array(10..<30)
    let stage = Stage(10, 3) { List(model.ids.map(Item.init)) { Text("row \($0.id)") } }
    stage.press("j", "j", "j", "j")
    #expect(stage.rows == "row 12\nrow 13\nrow 14")
    model.ids = Array(0..<30)
    stage.settle()
    #expect(stage.rows == "row 12\nrow 13\nrow 14")
    stage.press("k")
    #expect(stage.rows == "row 12\nrow 13\nrow 14")
  }

  @Test func `a list at its top shows the rows that come above, and the selected one as well`() {
    let model = Model()
    model.ids = Array(10..<30)
    let stage = Stage(10, 3) { List(model.ids.map(Item.init)) { Text("row \($0.id)") } }
    stage.press("j")
    model.ids = [9] + model.ids
    stage.settle()
    #expect(stage.rows == "row 9\nrow 10\nrow 11")
    model.ids = [7, 8] + model.ids
    stage.settle()
    #expect(stage.rows == "row 9\nrow 10\nrow 11", "row 11 is selected")
  }

  @Test func `a first row that is sorted in elsewhere leaves the others where they are`() {
    let model = Model()
    model.ids = [9, 1, 2, 3, 4, 5]
    let stage = Stage(10, 3) { List(model.ids.map(Item.init)) { Text("row \($0.id)") } }
    model.ids = [1, 2, 9, 3, 4, 5]
    stage.settle()
    #expect(stage.rows == "row 1\nrow 2\nrow 9")
    model.ids = [1, 2, 3, 4, 9, 5]
    stage.settle()
    #expect(stage.rows == "row 3\nrow 4\nrow 9", "it is selected, and goes on showing")
    stage.press("k", "k")
    model.ids = [1, 2, 4, 3, 9, 5]
    stage.settle()
    #expect(stage.rows == "row 2\nrow 4\nrow 3", "the one below it stayed in its line")
  }

  @Test func `a selected row is not pushed off the screen by rows that come above it`() {
    let model = Model()
    model.ids = Array(1..<9)
    let stage = Stage(10, 3) { List(model.ids.map(Item.init)) { Text("row \($0.id)") } }
    stage.press("j", "j")
    model.ids = [1, 20, 2, 3, 4, 5]
    stage.settle()
    #expect(stage.rows == "row 20\nrow 2\nrow 3")
    // A row that was scrolled out of view stays there.
    stage.host.send(MouseEvent(.wheelDown, at: Point(x: 1, y: 1)), in: stage.frame)
    stage.settle()
    #expect(stage.rows == "row 3\nrow 4\nrow 5")
    stage.host.send(MouseEvent(.wheelUp, at: Point(x: 1, y: 1)), in: stage.frame)
    stage.settle()
    model.ids = [1, 20, 21, 22, 23, 2, 3, 4, 5]
    stage.settle()
    #expect(stage.rows == "row 1\nrow 20\nrow 21")
  }

  @Test func `the selection of a row that is removed goes to its neighbour`() {
    let model = Model()
    let stage = Stage(10, 3) {
      List(model.ids.map(Item.init), selection: Binding(model, \.item)) { Text("row \($0.id)") }
    }
    stage.press("j")
    #expect(model.item == 2)
    model.ids = [1, 3]
    stage.settle()
    #expect(model.item == 3, "keys act on the row that is highlighted")
    stage.press("k")
    #expect(model.item == 1)
  }

  @Test func `rows that go with the selected one do not make the selection skip a row`() {
    let model = Model()
    model.ids = [1, 2, 3, 4, 5]
    let stage = Stage(10, 4) {
      List(model.ids.map(Item.init), selection: Binding(model, \.item)) { Text("row \($0.id)") }
    }
    stage.press("j", "j")
    // The heading above it goes with the only row below it.
    model.ids = [1, 4, 5]
    stage.settle()
    #expect(model.item == 4)
    stage.press("j")
    model.ids = [1]
    stage.settle()
    #expect(model.item == 1)
  }

  @Test func `rows of several lines scroll by lines`() {
    let stage = Stage(10, 3) { List((0..<3).map(Item.init)) { Text("row \($0.id)\n  more") } }
    stage.press("j")
    #expect(stage.rows == "  more\nrow 1\n  more")
    stage.press("j")
    #expect(stage.rows == "  more\nrow 2\n  more")
  }

  @Test func `Enter in a list without an action submits what is around it`() {
    var (submitted, opened) = (0, 0)
    let stage = Stage(10, 2) {
      List((0..<2).map(Item.init)) { item in Text("row \(item.id)") }
        .onSubmit { submitted += 1 }
    }
    stage.press(.enter)
    #expect(submitted == 1)
    let empty = Stage(10, 2) {
      List([Item]()) { Text("row \($0.id)") }.onSubmit { submitted += 1 }
    }
    empty.press(.enter)
    #expect(submitted == 2)
    let opening = Stage(10, 2) {
      List((0..<2).map(Item.init), onSubmit: { _ in opened += 1 }) { Text("row \($0.id)") }
        .onSubmit { submitted += 1 }
    }
    opening.press(.enter)
    #expect(submitted == 2 && opened == 1)
  }

  @Test func `a click below the last row selects and opens nothing`() {
    var opened: [Int] = []
    let stage = Stage(10, 6) {
      List((0..<2).map(Item.init), onSubmit: { opened.append($0.id) }) { item in
        Text("row \(item.id)")
      }
    }
    stage.press("j")
    for y in 2..<6 {
      stage.host.send(MouseEvent(.press, at: Point(x: 1, y: y)), in: stage.frame)
      stage.settle()
    }
    #expect(opened == [])
    stage.press(.enter)
    #expect(opened == [1])
  }

  @Test func `a click selects a row and a second one opens it`() {
    let model = Model()
    let stage = Stage(10, 3) {
      List((0..<3).map(Item.init), onSubmit: { model.item = $0.id }) { Text("row \($0.id)") }
    }
    for _ in 0..<2 {
      stage.host.send(MouseEvent(.press, at: Point(x: 1, y: 2)), in: stage.frame)
      stage.settle()
    }
    #expect(model.item == 2)
  }

  @Test func `a click on the selected row only brings the focus, unless it is there`() throws {
    let model = Model()
    let stage = Stage(10, 5) {
      VStack {
        Button("other") {}.defaultFocus()
        List((0..<3).map(Item.init), onSubmit: { model.item = $0.id }) { Text("row \($0.id)") }
      }
    }
    let row = try #require(stage.place(of: "row 0"))
    stage.click(at: row)
    #expect(model.item == nil)
    stage.click(at: row)
    #expect(model.item == 0)
  }

  @Test func `the wheel scrolls and leaves the selection where it is`() {
    let stage = Stage(10, 3) { List((0..<9).map(Item.init)) { Text("row \($0.id)") } }
    stage.host.send(MouseEvent(.wheelDown, at: Point(x: 1, y: 1)), in: stage.frame)
    stage.settle()
    #expect(stage.rows == "row 3\nrow 4\nrow 5")
    stage.press("j")
    #expect(stage.rows == "row 1\nrow 2\nrow 3")
  }

  /// Rows whose IDs change when they are loaded, and that can find a row by its ID.
  struct ComingRows: LocatingCollection {
    struct Row: Identifiable {
      let id: String
    }

    let haveCome: Bool
    let looks: Looks
    let startIndex = 0
    let endIndex = 100_000

    subscript(index: Int) -> Row {
      looks.count.withLock { $0 += 1 }
      return Row(id: haveCome ? "row \(index)" : "place \(index)")
    }

    func index(of id: String) -> Int? { id.split(separator: " ").last.flatMap { Int($0) } }
  }

  final class Looks: Sendable {
    let count = Mutex(0)
  }

  @Test func `rows that come in place of others are not looked for among all of them`() {
    let (model, looks) = (Model(), Looks())
    model.flag = false
    let stage = Stage(16, 5) {
      List(ComingRows(haveCome: model.flag, looks: looks)) { Text($0.id) }
    }
    stage.press("G", "k")
    #expect(stage.rows.hasSuffix("place 99999"))
    looks.count.withLock { $0 = 0 }
    model.flag = true
    stage.settle()
    #expect(stage.rows.hasPrefix("row 99995\n") && stage.rows.hasSuffix("row 99999"))
    #expect(looks.count.withLock { $0 } < 200)
    stage.press(.enter, "k", "k", "k", "k")
    #expect(stage.rows.hasPrefix("row 99994\n"))
  }

  @Test func `a selected row that showed still does on a smaller screen`() {
    let stage = Stage(10, 8) { List((0..<20).map(Item.init)) { Text("row \($0.id)") } }
    for _ in 0..<6 { stage.press("j") }
    stage.size.height = 3
    stage.settle()
    #expect(stage.rows == "row 4\nrow 5\nrow 6")
    stage.size.height = 8
    stage.settle()
    #expect(stage.rows.hasPrefix("row 4\n"))
    // A row that was scrolled out of view stays there.
    stage.host.send(MouseEvent(.wheelDown, at: Point(x: 1, y: 1)), in: stage.frame)
    stage.settle()
    #expect(stage.rows.hasPrefix("row 7\n"))
    stage.size.height = 3
    stage.settle()
    #expect(stage.rows.hasPrefix("row 7\n"))
  }

  @Test func `an empty list answers to no key`() {
    let stage = Stage(10, 3) { List([Item]()) { Text("row \($0.id)") } }
    stage.press("j", "G", .enter)
    #expect(stage.rows == "\n\n")
  }

  @Test func `elements without an id of their own are identified by a part of them`() {
    var opened: [String] = []
    let stage = Stage(20, 3) {
      List(["one", "two"], id: \.self, onSubmit: { opened.append($0) }) { Text($0) }
    }
    #expect(stage.text == "one\ntwo\n")
    stage.press("j", .enter)
    #expect(opened == ["two"])
  }
}
