import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of actions and the keys that the user chose for them.
@MainActor
@Suite struct KeyMapTests {
  private static let star = KeyAction("star", keys: "s", label: "star")

  private func stage(
    _ keyMap: KeyMap, _ width: Int = 40, _ height: Int = 3,
    @ViewBuilder _ view: @escaping () -> some View
  ) -> Stage {
    let stage = Stage(width, height, view)
    stage.host.environment.keyMap = keyMap
    stage.settle()
    return stage
  }

  @Test func `an action has its own keys as long as nobody chose others`() {
    let map = KeyMap()
    #expect(map[.down] == ["j", KeySequence(.down)])
    #expect(KeyMap([Self.star: ["x"]])[.down] == ["j", KeySequence(.down)])
  }

  @Test func `chosen keys take the place of an action's own`() {
    #expect(KeyMap([Self.star: ["x", "y"]])[Self.star] == ["x", "y"])
    #expect(KeyMap([Self.star: []])[Self.star] == [])
  }

  @Test func `an arrow goes its way whatever was chosen`() {
    let arrow = KeySequence(.down)
    #expect(KeyMap([.down: ["n"]])[.down] == ["n", arrow])
    #expect(KeyMap([.down: []])[.down] == [arrow])
    #expect(KeyMap([.down: [arrow, "n"]])[.down] == [arrow, "n"])
  }

  @Test func `the chosen key does it, the footer names it, and the old one means nothing`() {
    var count = 0
    let stage = stage(KeyMap([Self.star: ["x", "y"]]), 40, 2) {
      VStack(alignment: .leading) {
        Text("a").focusable().onKeyPress(action: Self.star) { count += 1 }
        KeyFooter()
      }
    }
    #expect(stage.text == "a\nx star")
    stage.press("s")
    #expect(count == 0)
    stage.press("x", "y")
    #expect(count == 2)
  }

  @Test func `an action without keys is not in the footer`() {
    let stage = stage(KeyMap([Self.star: []]), 40, 2) {
      VStack(alignment: .leading) {
        Text("a").focusable().onKeyPress(action: Self.star) {}.onKeyPress("q", label: "quit") {}
        KeyFooter()
      }
    }
    #expect(stage.text == "a\nq quit")
  }

  @Test func `keys that are chosen while the program runs work in the next frame`() {
    var count = 0
    let stage = stage(KeyMap()) {
      Text("a").focusable().onKeyPress(action: Self.star) { count += 1 }
    }
    stage.press("s")
    stage.host.environment.keyMap = KeyMap([Self.star: ["x"]])
    stage.settle()
    stage.press("s", "x")
    #expect(count == 2)
  }

  @Test func `a list goes down by the chosen key and by the arrow`() {
    let stage = stage(KeyMap([.down: ["n"]]), 10, 4) {
      List(["a", "b", "c", "d"].map(Row.init)) { Text($0.id) }
    }
    stage.press("n", .down, "j")
    #expect(stage.frame.cells[0, 2].style.background == Theme.standard.selection)
  }

  private struct Row: Identifiable {
    let id: String
  }

  @Test func `a failure names the key that tries again`() {
    let runtime = ManualRuntime()
    let loads = ManualLoads<String>()
    let resource = runtime.resource(loads.loader, initialState: .failed(Broken()))
    let stage = Stage(40, 6, runtime: runtime) { AsyncContentView(resource) { Text($0) } }
    stage.host.environment.keyMap = KeyMap([
      .reload: [KeySequence(KeyPress(.function(5)))], .details: ["i"],
    ])
    stage.settle()
    #expect(stage.text.contains("F5 to retry"))
    stage.press("r")
    #expect(loads.count == 0)
    stage.press(KeyPress(.function(5)))
    #expect(loads.count == 1)
  }

  @Test func `a tab has the chosen key`() {
    var tab = 1
    let stage = stage(KeyMap([KeyAction.tabs[1]: ["x"], .nextTab: ["y"]])) {
      TabView(selection: Binding(get: { tab }, modify: { $0(&tab) })) {
        Tab("One", value: 1) { Text("one").focusable() }
        Tab("Two", value: 2) { Text("two").focusable() }
      }
    }
    stage.press("2")
    #expect(tab == 1)
    #expect(stage.text.contains("[1 One] x Two"))
    stage.press("x")
    #expect(tab == 2)
    // The variable is not observed, so the frame has to be forgotten.
    stage.host.forgetFrames()
    stage.settle()
    stage.press("y")
    #expect(tab == 1)
  }
}
