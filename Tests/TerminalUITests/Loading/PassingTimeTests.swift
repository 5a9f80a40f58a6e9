import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of what changes with time, and of what a row of parts shows.
@MainActor
@Suite struct PassingTimeTests {
  @Observable
  @MainActor
  final class Drawer {
    var sogginess = 42
  }

  @Test func `a view of the time is drawn again when it says so, also while it is empty`() {
    let start = AnyClock.Instant(offset: .seconds(1))
    let end = AnyClock.Instant(offset: .seconds(3))
    let stage = Stage(10, 1) {
      TimelineView(changesAfter: { $0 < start ? start : $0 < end ? end : nil }) { now in
        if now >= start, now < end { Text("saved") }
      }
    }
    #expect(stage.text == "")
    #expect(stage.frame.nextChange == start)
    stage.advance(by: .seconds(1))
    #expect(stage.text == "saved")
    #expect(stage.frame.nextChange == end)
    stage.advance(by: .seconds(2))
    #expect(stage.text == "")
    #expect(stage.frame.nextChange == nil)
  }

  @Test func `what was to change out of sight has changed when it comes into sight`() {
    let end = AnyClock.Instant(offset: .seconds(2))
    let host = ViewHost {
      VStack(alignment: .leading) {
        Text("above")
        TimelineView(changesAfter: { $0 < end ? end : nil }) { Text($0 < end ? "early" : "late") }
      }
    }
    func frame(_ height: Int, after seconds: Int) -> String {
      let size = Size(width: 10, height: height)
      let frame = host.frame(size: size, at: .init(offset: .seconds(seconds)))
      host.didPresent(frame)
      return frame.text
    }
    #expect(frame(2, after: 0) == "above\nearly")
    #expect(frame(1, after: 0) == "above")
    #expect(frame(1, after: 3) == "above")
    #expect(frame(2, after: 3) == "above\nlate")
  }

  @Test func `an indicator beside a title comes in time, also when a selection moves meanwhile`() {
    struct Row: Identifiable { let id: Int }
    let (runtime, loads) = (ManualRuntime(), ManualLoads<Int>())
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    let stage = Stage(12, 4, runtime: runtime) {
      VStack(alignment: .leading) {
        HStack {
          Text("Title")
          LoadingIndicator(resource)
        }
        List((0..<9).map(Row.init)) { Text("row \($0.id)") }
      }
    }
    resource.load()
    stage.advance(by: .milliseconds(100))
    stage.press("j")
    #expect(stage.rows == "Title\nrow 0\nrow 1\nrow 2")
    #expect(stage.frame.nextChange == AnyClock.Instant(offset: .milliseconds(200)))
    stage.advance(by: .milliseconds(100))
    #expect(stage.rows == "Title ⠹\nrow 0\nrow 1\nrow 2")
    loads.end()
    stage.settle()
  }

  @Test func `a slider over whole numbers goes from step to step and stays whole`() {
    let drawer = Drawer()
    let stage = Stage(40, 1) {
      Slider("Soggy", value: Binding(drawer, \.sogginess), in: 0...100)
    }
    #expect(stage.text == "Soggy ━━━━━━━━●─────────── 42")
    stage.press(.right)
    #expect(drawer.sogginess == 45)
    stage.press(.left, .left)
    #expect(drawer.sogginess == 35)
    stage.press(.end, .right)
    #expect(drawer.sogginess == 100)
  }

  @Test func `a picture keeps its colours where its row is selected`() {
    struct Row: Identifiable { let id: Int }
    var cells = CellBuffer(size: Size(width: 2, height: 1))
    let red = Style(foreground: Color(red: 255, green: 0, blue: 0))
    cells.write("▀▀", at: Point(x: 0, y: 0), style: red)
    let stage = Stage(8, 2) { [cells] in
      List([Row(id: 1), Row(id: 2)]) { row in
        HStack {
          Image(cells)
          Text("Row \(row.id)")
        }
      }
    }
    #expect(stage.text == "▀▀ Row 1\n▀▀ Row 2")
    #expect(stage.frame.cells[0, 0].style == red)
    #expect(stage.frame.cells[1, 0].style == red)
    #expect(stage.frame.cells[3, 0].style.background == Theme.standard.selection)
    stage.press(.down)
    #expect(stage.frame.cells[1, 1].style == red)
    #expect(stage.frame.cells[2, 1].style.background == Theme.standard.selection)
  }

  @Test func `a message that does not fit into a line has more of them`() {
    let toasts = ToastQueue()
    let stage = Stage(44, 6) { Text("Behind it").toasts(toasts) }
    toasts.show("Not saved.")
    stage.settle()
    #expect(stage.text == "Behind it\n\n\n\n\n▌ Not saved.              Ctrl-X to dismiss")
    toasts.dismiss()
    toasts.show("The sock was not saved. There is no space left.", retry: {})
    stage.settle()
    #expect(
      stage.text == """
        Behind it


        ▌✗ The sock was not saved. There is no
        ▌space left.
        ▌       Ctrl-R to retry   Ctrl-X to dismiss
        """)
  }

  @Test func `a part of a list says nothing beside its value, and nothing aloud`() {
    let runtime = ManualRuntime()
    let resource = runtime.resource(
      .scripted([.at(.zero, .failed(Broken()))]), initialState: .loaded("value"))
    let stage = Stage(30, 4, runtime: runtime) {
      AsyncContentView(resource) { Text($0) }
        .environment(\.loadingViewOptions.isPart, true)
    }
    stage.host.environment.isPlain = true
    resource.load()
    stage.advance(by: .seconds(1))
    #expect(resource.currentFailure != nil)
    #expect(stage.text.trimmingSuffix { $0 == "\n" } == "value")
  }
}

extension String {
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, condition(last) { text.removeLast() }
    return text
  }
}
