import TerminalUI
import TerminalUITesting
import Testing

/// Tests of the stage for adopters' tests, using only its public interface.
@MainActor
@Suite struct StageTests {
  private struct Form: View {
    @State private var name = ""
    @State private var saved = "nothing"

    var body: some View {
      VStack(alignment: .leading) {
        TextField("Name", text: $name)
        Button("Save") { saved = name }
        Text("Saved: \(saved)")
      }
    }
  }

  @Test func `text is typed and pasted, and a button clicked where its word stands`() throws {
    let stage = Stage(30, 3) { Form() }
    stage.type("Left")
    stage.paste(" sock")
    stage.click(at: try #require(stage.place(of: "Save")))
    #expect(stage.lines.last == "Saved: Left sock")
    #expect(stage.place(of: "Right") == nil)
    #expect(stage.style(of: "Right") == nil)
  }

  @Test func `another size and another theme are seen at once`() {
    struct Notice: View {
      @Environment(\.theme) private var theme
      var body: some View { Text("A line that is long").foregroundStyle(theme.accent) }
    }
    let stage = Stage(20, 1) { Notice() }
    #expect(stage.style(of: "A")?.foreground == Theme.standard.accent)
    stage.resize(8, 3)
    #expect(stage.lines == ["A line", "that is", "long"])
    stage.environment.theme = .mono
    #expect(stage.style(of: "A")?.foreground == Theme.mono.accent)
  }

  @Test(.timeLimit(.minutes(10)))
  func `waiting for a condition that never becomes true ends when the task is cancelled`() async {
    let waiting = Task { await Stage(20, 1) { Text("still") }.settle { false } }
    waiting.cancel()
    await waiting.value
  }

  @Test func `a view that changes itself for ever is given up`() {
    struct Restless: View {
      @State private var turns = 0
      var body: some View {
        Text("restless").onChange(of: turns, initial: true) { turns += 1 }
      }
    }
    let stage = Stage(20, 1) { Restless() }
    #expect(stage.text == "restless")
  }
}
