import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// A counter with its own state: `+` increments it while it has the focus.
struct Counter: View {
  var name = "n"
  @State private var count = 0

  var body: some View {
    Text("\(name)\(count)").focusable().onKeyPress("+", label: "count") { count += 1 }
  }
}

@MainActor
@Observable
final class Model {
  var flag = true
  var ids = [1, 2, 3]
  var text = ""
  var item: Int?
}

/// Tests that state belongs to the identity of a view: the path of branches, types and IDs.
@MainActor
@Suite struct IdentityTests {
  let model = Model()

  @Test func `state lives as long as its place and survives a redraw`() {
    let stage = Stage(10, 1) { Counter() }
    stage.press("+", "+")
    #expect(stage.text == "n2")
    stage.size = Size(width: 4, height: 2)
    stage.settle()
    #expect(stage.text == "n2\n")
  }

  @Test func `another id makes another view`() {
    let stage = Stage(10, 1) { [model] in Counter().id(model.ids.count) }
    stage.press("+")
    model.ids = [7, 8, 9]
    stage.settle()
    #expect(stage.text == "n1")
    model.ids = []
    stage.settle()
    #expect(stage.text == "n0")
  }

  @Test func `a sheet and a reader of its size keep their state while there is no room for them`() {
    model.text = "below"
    let stage = Stage(24, 6) { [model] in
      VStack(alignment: .leading) {
        Text(model.text)
        Text("\(model.text) of").sheet(isPresented: Binding(model, \.flag)) { Counter() }
      }
    }
    let reader = Stage(24, 6) { [model] in
      VStack(alignment: .leading) {
        Text(model.text)
        GeometryReader { _ in Counter() }
      }
    }
    for stage in [stage, reader] {
      stage.press("+")
      #expect(stage.text.contains("n1"))
      stage.resize(24, 1)
      #expect(!stage.text.contains("n1"))
    }
    model.text = "above"
    for stage in [stage, reader] {
      stage.settle()
      stage.resize(24, 6)
      #expect(stage.text.contains("n1"))
    }
  }

  /// A view that stores its state property twice.
  struct Twice: View {
    @State private var count = 0
    private let copy: State<Int>

    init() { copy = _count }

    var body: some View {
      Text("\(count)").focusable().onKeyPress("+", label: "count") { count += 1 }
    }
  }

  @Test func `a view at two places has two states, whatever else it stores`() {
    let view = Twice()
    let stage = Stage(10, 2) {
      VStack {
        view
        view
      }
    }
    stage.press("+", "+", .tab, "+")
    #expect(stage.text == "2\n1")
  }

  @Test func `another branch is another place, and coming back starts again`() {
    let stage = Stage(10, 1) { [model] in
      if model.flag { Counter() } else { Counter(name: "other ") }
    }
    stage.press("+")
    model.flag = false
    stage.settle()
    #expect(stage.text == "other 0")
    model.flag = true
    stage.settle()
    #expect(stage.text == "n0")
  }

  @Test func `what stands before a place does not change who it is`() {
    let stage = Stage(10, 2) { [model] in
      VStack(alignment: .leading) {
        if model.flag { Text("above") }
        Counter()
      }
    }
    stage.press("+")
    model.flag = false
    stage.settle()
    #expect(stage.text == "n1\n")
  }

  @Test func `another type behind AnyView is another place`() {
    struct Wrapper: View {
      var body: some View { Counter() }
    }
    let stage = Stage(10, 1) { [model] in
      model.flag ? AnyView(Counter()) : AnyView(Wrapper())
    }
    stage.press("+")
    model.flag = false
    stage.settle()
    #expect(stage.text == "n0")
  }

  @Test func `elements keep their state by id when they move`() {
    let stage = Stage(10, 3) { [model] in
      VStack { ForEach(model.ids, id: \.self) { Counter(name: "\($0):") } }
    }
    stage.press("+", .tab, "+", "+")
    #expect(stage.text == "1:1\n2:2\n3:0")
    model.ids = [3, 2, 1]
    stage.settle()
    #expect(stage.text == "3:0\n2:2\n1:1")
    model.ids = [2, 1]
    stage.settle()
    model.ids = [2, 3, 1]
    stage.settle()
    #expect(stage.text == "2:2\n3:0\n1:1")
  }

  @Test func `elements of one id are told apart by their order`() {
    model.ids = [7, 7]
    let stage = Stage(10, 2) { [model] in
      VStack { ForEach(model.ids, id: \.self) { Counter(name: "\($0):") } }
    }
    stage.press(.tab, "+")
    #expect(stage.text == "7:0\n7:1")
  }

  @Test func `rows of one id in a lazy container have a state each, though the last is made first`()
  {
    model.ids = [1, 2, 3, 6, 7, 6]
    let stage = Stage(9, 3) { [model] in
      ScrollView {
        LazyVStack(alignment: .leading) {
          ForEach(model.ids, id: \.self) { Counter(name: "\($0):") }
        }
      }
    }
    stage.press("G", .tab, "+")
    #expect(stage.rows == "6:1\n7:0\n6:0")
  }

  @Test func `two overlays of one view are two places`() {
    let stage = Stage(10, 2) {
      Color.default
        .overlay(alignment: .topLeading) { Counter(name: "a") }
        .overlay(alignment: .bottomLeading) { Counter(name: "b") }
    }
    stage.press("+")
    #expect(stage.text == "a1\nb0")
  }

  @Test func `one view value at two places has the state of each`() {
    let stage = Stage(10, 3) {
      let counter = Counter()
      VStack(alignment: .leading) {
        counter
        counter
        Counter(name: "other ")
      }
    }
    stage.press("+", .tab, "+", "+")
    #expect(stage.text == "n1\nn2\nother 0")
    stage.press(.backTab, "+")
    #expect(stage.text == "n2\nn2\nother 0")
  }

  /// Reads its state late, in a closure that is called during drawing.
  private struct LateReader: View {
    let title: String
    let model: Model
    @State private var first = 0
    @Environment(\.lineLimit) private var limit
    @State private var second: Int?

    var body: some View {
      GeometryReader { _ in Text("\(title)\(first)\(second.map { "\($0)" } ?? "-")\(limit ?? 9)") }
        .frame(height: 1)
        .focusable()
        .onKeyPress("+", label: "count") {
          first += 1
          second = (second ?? 0) + 2
        }
    }
  }

  @Test func `views that read their state late read that of their own place`() {
    let stage = Stage(10, 3) { [model] in
      let reader = LateReader(title: "n", model: model)
      VStack(alignment: .leading) {
        reader
        reader.lineLimit(2)
        ForEach(0..<1) { _ in reader }
      }
    }
    stage.press("+", .tab, "+", "+")
    #expect(stage.text == "n129\nn242\nn0-9")
  }

  @Test func `a view value that is kept outside has the state of its place, in each host`() {
    let counter = Counter()
    let (one, two) = (Stage(10, 1) { counter }, Stage(10, 1) { counter })
    one.press("+")
    two.press("+", "+")
    #expect(one.text == "n1")
    #expect(two.text == "n2")
    one.press("+")
    #expect(one.text == "n2")
    #expect(two.text == "n2")
  }

  @Test func `a covered screen keeps its state and its focus`() {
    let stage = Stage(20, 2) { [model] in
      VStack(alignment: .leading) {
        Counter(name: "a")
        Counter(name: "b")
      }
      .onKeyPress(.enter, label: "open") { model.item = 1 }
      .navigationDestination(item: Binding(model, \.item)) { Counter(name: "page \($0): ") }
    }
    stage.press(.tab, "+", .enter)
    #expect(stage.text == "page 1: 0\n")
    stage.press("+", .escape)
    #expect(stage.text == "a0\nb1")
    stage.press("+")
    #expect(stage.text == "a0\nb2")
    stage.press(.enter)
    #expect(stage.text == "page 1: 0\n")
  }

  @Test func `each of two covered panes gets its own focus back`() {
    let right = Model()
    let stage = Stage(20, 2) { [model] in
      HStack(alignment: .top) {
        pane("l", model)
        pane("r", right)
      }
    }
    stage.press(.tab, .enter)
    #expect(stage.text == "page l    r0\n          r0")
    stage.press(.escape, "+")
    #expect(stage.text == "l0        r0\nl1        r0")
  }

  private func pane(_ name: String, _ model: Model) -> some View {
    VStack(alignment: .leading) {
      Counter(name: name)
      Counter(name: name)
    }
    .onKeyPress(.enter, label: "open") { model.item = 1 }
    .navigationDestination(item: Binding(model, \.item)) { _ in Text("page \(name)").focusable() }
    .frame(width: 9, alignment: .leading)
  }

  @Test func `panes keep their state where there is room for one of them only`() {
    let stage = Stage(24, 1) { [model] in
      GeometryReader { size in
        let showsAll = size.width >= 24
        HStack {
          Counter(name: "a").collapsed(!showsAll && !model.flag)
          Counter(name: "b").collapsed(!showsAll && model.flag)
          Counter(name: "c").collapsed(!showsAll)
        }
      }
    }
    stage.press("+", .tab, "+", "+", .tab, "+", "+", "+")
    #expect(stage.text == "a1 b2 c3")
    stage.size = Size(width: 8, height: 1)
    stage.settle()
    #expect(stage.text == "a1")
    model.flag = false
    stage.settle()
    stage.press("+")
    #expect(stage.text == "b3")
    stage.size = Size(width: 24, height: 1)
    stage.settle()
    #expect(stage.text == "a1 b3 c3")
  }

  @Test func `the state of a lazy row ends when it leaves the screen`() {
    struct Row: View, Identifiable {
      let id: Int
      var body: some View { Counter(name: "\(id):") }
    }
    let rows = (0..<10).map(Row.init)
    let stage = Stage(10, 2) { List(rows) { $0 } }
    stage.press(.tab, "+")
    #expect(stage.rows == "0:1\n1:0")
    stage.press(.pageDown, .pageDown, .pageDown)
    #expect(stage.text.hasPrefix("2:0"))
    stage.press("g")
    #expect(stage.rows == "0:0\n1:0")
  }

  @Test func `copies drawn as placeholders have no keys, no focus and no tasks`() {
    var appearances = 0
    let stage = Stage(10, 1) {
      Counter().onAppear { appearances += 1 }.redacted(reason: .placeholder)
    }
    stage.press("+")
    #expect(stage.text == "▇▇")
    #expect(stage.frame.bindings.isEmpty)
    #expect(stage.frame.focus == nil)
    #expect(appearances == 0)
  }
}
