import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of a stack that only creates the rows on the screen.
@MainActor
@Suite struct LazyVStackTests {
  struct Row: Identifiable { let id: Int }

  @MainActor @Observable
  final class Rows {
    @ObservationIgnored var made: Set<Int> = []
    var all = (0..<100_000).map(Row.init)

    func row(_ row: Row) -> some View {
      made.insert(row.id)
      return Counter(name: row.id.isMultiple(of: 2) ? "\(row.id):" : "\(row.id)\n  ")
    }
  }

  let rows = Rows()

  private func stage(_ height: Int = 5, spacing: Int = 0) -> Stage {
    Stage(12, height) { [rows] in
      ScrollView {
        LazyVStack(alignment: .leading, spacing: spacing) {
          Text("Header")
          ForEach(rows.all) { rows.row($0) }
          Text("Footer")
        }
      }
    }
  }

  @Test func `a part that gets its first rows above moves nothing`() {
    let model = Rows()
    model.all = []
    let stage = Stage(12, 3) {
      ScrollView {
        LazyVStack(alignment: .leading) {
          if model.all.count > 1 { Text("Header") }
          ForEach(model.all) { Text("new \($0.id)") }
          ForEach((0..<30).map(Row.init)) { Text("row \($0.id)") }
        }
      }
    }
    stage.press("j", "j", "j", "j")
    #expect(stage.rows == "row 4\nrow 5\nrow 6")
    model.all = [Row(id: 1), Row(id: 2)]
    stage.settle()
    #expect(stage.rows == "row 4\nrow 5\nrow 6")
  }

  @Test func `rows with an id for all of them are made one by one, too`() {
    let stage = Stage(12, 3) { [rows] in
      ScrollView { LazyVStack { ForEach(rows.all) { rows.row($0) }.id("all") } }
    }
    #expect(stage.rows.contains("0:0"))
    #expect(rows.made.count < 20)
  }

  @Test func `of 100,000 rows only those on the screen are made`() {
    let stage = stage()
    #expect(stage.rows == "Header\n0:0\n1\n  0\n2:0")
    #expect(rows.made == [0, 1, 2])
    rows.made = []
    stage.press("j", "j", "j")
    #expect(stage.rows == "  0\n2:0\n3\n  0\n4:0")
    #expect(rows.made.max() == 4)
  }

  @Test func `it scrolls by rows and pages to both ends, with no room left empty`() {
    let stage = stage()
    stage.press("G")
    #expect(stage.rows == "99998:0\n99999\n  0\nFooter" || stage.rows.hasSuffix("  0\nFooter"))
    #expect(stage.rows.split(separator: "\n").count == 5)
    #expect(rows.made.count < 20)
    stage.press("k")
    #expect(stage.rows.hasSuffix("99999\n  0"))
    stage.press("g")
    #expect(stage.rows.hasPrefix("Header"))
    stage.press(.control("f"))
    #expect(stage.rows.hasPrefix("2:0\n"))
    stage.press(.control("b"))
    #expect(stage.rows.hasPrefix("Header"))
    stage.host.send(MouseEvent(.wheelDown, at: Point(x: 1, y: 1)), in: stage.frame)
    stage.settle()
    #expect(stage.rows.hasPrefix("  0\n2:0"))
  }

  @Test func `a far jump makes few of the rows between, and lands about there`() {
    let stage = stage()
    stage.press("9", "9", "9", "9", "9", "j")
    #expect(rows.made.count < 2_500)
    // Every second row has two lines.
    let shown = stage.rows.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(shown.contains { 60_000...70_000 ~= $0 }, "\(stage.rows)")
    rows.made = []
    for _ in 0..<2 { stage.press("9", "9", "9", "9", "9", "k") }
    #expect(rows.made.count < 2_500)
    #expect(stage.rows.hasPrefix("Header"), "\(stage.rows)")
  }

  @Test func `rows that come above move nothing on the screen`() {
    let stage = stage()
    stage.press("j", "j")
    let text = stage.rows
    #expect(text.hasPrefix("1\n"))
    rows.all.insert(contentsOf: [Row(id: -2), Row(id: -4)], at: 0)
    stage.settle()
    #expect(stage.rows == text)
  }

  @Test func `lines that come above move nothing, also if every second line is the same`() {
    rows.all = (0..<30).map { Row(id: $0 % 2 == 0 ? -1 : $0 / 2) }
    let stage = Stage(12, 3) { [rows] in
      ScrollView {
        LazyVStack(alignment: .leading) { ForEach(rows.all) { Text("line \($0.id)") } }
      }
    }
    for _ in 0..<9 { stage.press("j") }
    #expect(stage.rows == "line 4\nline -1\nline 5")
    rows.all.insert(Row(id: -2), at: 0)
    stage.settle()
    #expect(stage.rows == "line 4\nline -1\nline 5")
  }

  @Test func `a stack at its top shows the rows that come above`() {
    let stage = stage()
    rows.all.insert(Row(id: -2), at: 0)
    stage.settle()
    #expect(stage.rows.hasPrefix("Header\n-2:0"), "\(stage.rows)")
  }

  @Test func `rows keep room between them`() {
    #expect(stage(4, spacing: 1).rows == "Header\n\n0:0\n")
  }

  @Test func `the state of a row ends when it leaves the screen`() {
    let stage = stage()
    stage.press(.tab, "+")
    #expect(stage.rows.contains("0:1"))
    stage.press(.backTab, .pageDown, .pageDown, "g")
    #expect(stage.rows.contains("0:0"))
  }

  @Test func `a last row without a height appears at the end of a full window`() {
    let model = Model()
    let stage = Stage(12, 3) {
      ScrollView {
        LazyVStack {
          ForEach(0..<5) { Text("row \($0)") }
          Text("").frame(height: 0).onAppear { model.item = 1 }
        }
      }
    }
    stage.press(.down)
    #expect(stage.rows.contains("row 3") && model.item == nil)
    stage.press(.down)
    #expect(stage.rows.contains("row 4") && model.item == 1)
  }

  @Test func `beside other views only the rows on the screen are made, too`() {
    let stage = Stage(12, 6) { [rows] in
      VStack {
        Text("title")
        ScrollView { LazyVStack { ForEach(rows.all) { rows.row($0) } } }
        Text("footer")
      }
    }
    #expect(stage.rows.contains("0:0"))
    #expect(rows.made.count < 10)
  }

  @Test func `without a scroll view around it, it is a stack`() {
    let view = LazyVStack(spacing: 1) {
      ForEach(0..<2) { Text("row \($0)") }
      Divider()
    }
    #expect(Frame(view, size: Size(width: 5, height: 5)).text == "row 0\n\nrow 1\n\n─────")
  }

  @Test func `rows of several views take another spacing and alignment`() throws {
    let model = Model()
    (model.flag, model.item) = (false, 0)
    let stage = Stage(12, 6) {
      ScrollView {
        LazyVStack(alignment: model.flag ? .leading : .trailing, spacing: model.item ?? 0) {
          ForEach(0..<2) {
            Text("row \($0)")
            Text("x")
          }
        }
      }
    }
    func distance() throws -> Point {
      let (row, under) = (stage.place(of: "row 0"), stage.place(of: "x"))
      return Point(x: try #require(under).x - (try #require(row)).x, y: try #require(under).y)
    }
    #expect(try distance() == Point(x: 4, y: 1))
    model.item = 1
    stage.settle()
    #expect(try distance() == Point(x: 4, y: 2))
    model.flag = true
    stage.settle()
    #expect(try distance() == Point(x: 0, y: 2))
  }
}
