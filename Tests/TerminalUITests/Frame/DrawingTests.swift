import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that drawing a frame has no side effects: they are applied when the frame is presented.
@MainActor
@Suite struct DrawingTests {
  struct Row: Identifiable { let id: Int }

  let rows = (0..<20).map(Row.init)

  @Test func `a frame that is not presented leaves the scroll position as it was`() {
    let stage = Stage(10, 4) { [rows] in
      ScrollView { VStack(alignment: .leading) { ForEach(rows) { Text("row \($0.id)") } } }
    }
    for _ in 0..<6 { stage.press(.pageDown) }
    let text = stage.text
    #expect(text.hasPrefix("row 16"))
    // Everything fits there, and nothing is scrolled out of view.
    #expect(stage.host.frame(size: Size(width: 10, height: 30)).text.hasPrefix("row 0"))
    #expect(stage.host.frame(size: stage.size).text == text)
    stage.size = Size(width: 10, height: 30)
    stage.settle()
    stage.size = Size(width: 10, height: 4)
    stage.settle()
    #expect(stage.text.hasPrefix("row 0"))
  }

  @Test func `a frame that is not presented selects, focuses and starts nothing`() {
    var appearances = 0
    let model = Model()
    let stage = Stage(10, 4) {
      VStack(alignment: .leading) {
        Counter(name: "a")
        if model.flag { Counter(name: "b") } else { Text("c").onAppear { appearances += 1 } }
      }
    }
    stage.press(.tab, "+")
    model.flag = false
    let frame = stage.host.frame(size: stage.size)
    #expect(frame.text == "a0\nc\n\n")
    #expect(frame.focus != stage.frame.focus)
    model.flag = true
    stage.settle()
    // Focus and state are unchanged, since the view's path was never removed.
    stage.press("+")
    #expect(stage.text == "a0\nb2\n\n")
    #expect(appearances == 0)
  }

  @Test func `a view's body is evaluated where it shows, once`() {
    var bodies: [Int] = []
    struct Telling: View {
      let id: Int
      let tell: (Int) -> Void
      var body: some View {
        tell(id)
        return Text("row \(id)")
      }
    }
    let host = ViewHost(
      VStack {
        Telling(id: -1) { bodies.append($0) }
        List((0..<100).map(Row.init)) { row in Telling(id: row.id) { bodies.append($0) } }
      })
    let size = Size(width: 10, height: 4)
    host.didPresent(host.frame(size: size))
    #expect(bodies.sorted() == [-1, 0, 1, 2])
    bodies = []
    _ = host.frame(size: size)
    #expect(bodies.isEmpty)
  }

  @Test func `what is hidden takes its room and does nothing`() {
    let stage = Stage(12, 2) {
      HStack {
        Counter().hidden()
        Text("after")
      }
    }
    #expect(stage.text == "   after\n")
    #expect(stage.frame.focus == nil)
    #expect(stage.frame.bindings.isEmpty)
  }
}
