import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the controls: their appearance, the keyboard, the mouse and plain mode.
@MainActor
@Suite struct ControlTests {
  @MainActor
  @Observable
  final class Settings {
    var isOn = false
    var choice = "dark"
    var level = 0.5
    var name = ""
    var presses = 0
  }

  let settings = Settings()

  private func plain(_ stage: Stage) -> Stage {
    stage.host.environment.isPlain = true
    stage.settle()
    return stage
  }

  private func click(_ x: Int, _ y: Int, in stage: Stage) {
    stage.host.send(MouseEvent(.press, at: Point(x: x, y: y)), in: stage.frame)
    stage.settle()
  }

  @Test func `a button is pressed with Enter, Space and a click`() {
    let stage = Stage(20, 1) { Button("Save") { [settings] in settings.presses += 1 } }
    #expect(stage.text == "[ Save ]")
    #expect(stage.footer == ["Save"])
    stage.press(.enter, .space)
    click(2, 0, in: stage)
    click(12, 0, in: stage)
    #expect(settings.presses == 3)
  }

  @Test func `a control that has more room than a row shows all of its label`() {
    #expect(Stage(20, 3) { Button("Save") {} }.text == "[ Save ]\n\n")
    #expect(Stage(20, 3) { Toggle("Sound", isOn: .constant(true)) }.text == "[x] Sound\n\n")
  }

  @Test func `the focused control is marked, and has the cursor in plain mode`() {
    let stage = Stage(20, 3) {
      VStack(alignment: .leading) {
        Button("One") {}
        Button("Two") {}
      }
    }
    stage.press(.tab)
    #expect(stage.frame.cells[0, 0].style == .plain)
    #expect(stage.frame.cells[0, 1].style.background == Theme.standard.selection)
    #expect(stage.frame.cursor == nil)
    #expect(plain(stage).frame.cursor == Point(x: 0, y: 1))
    stage.host.environment.theme = .mono
    stage.settle()
    #expect(stage.frame.cells[0, 1].style.attributes.contains(.reverse))
  }

  @Test func `a disabled control is faint and answers to nothing`() {
    let stage = Stage(20, 1) {
      Button("Save") { [settings] in settings.presses += 1 }.disabled(true)
    }
    stage.press(.enter)
    click(2, 0, in: stage)
    #expect(settings.presses == 0)
    #expect(stage.frame.cells[2, 0].style.attributes.contains(.dim))
  }

  @Test func `a toggle says whether it is on, in a box or as a word`() {
    let stage = Stage(20, 1) { [settings] in Toggle("Sound", isOn: Binding(settings, \.isOn)) }
    #expect(stage.text == "[ ] Sound")
    stage.press(.space)
    #expect(stage.text == "[x] Sound")
    #expect(stage.footer == ["off"])
    click(1, 0, in: stage)
    #expect(!settings.isOn)
    #expect(plain(stage).text == "Sound: off")
  }

  @Test func `a picker goes around its choices and does not move for the shorter ones`() {
    let stage = Stage(30, 1) { [settings] in
      HStack {
        Picker("Theme", selection: Binding(settings, \.choice)) {
          Text("Dark").tag("dark")
          Text("High contrast").tag("high")
        }
        Text("|")
      }
    }
    #expect(stage.text == "Theme ‹ Dark          › |")
    stage.press(.right)
    #expect(stage.text == "Theme ‹ High contrast › |")
    stage.press(.right)
    #expect(settings.choice == "dark")
    stage.press(.left)
    #expect(settings.choice == "high")
    click(6, 0, in: stage)
    #expect(settings.choice == "dark")
    click(20, 0, in: stage)
    #expect(settings.choice == "high")
    #expect(plain(stage).text == "Theme: High contrast |")
  }

  @Test func `in a form Enter submits it, and another key changes the choice`() {
    let stage = Stage(30, 3) { [settings] in
      VStack(alignment: .leading) {
        Toggle("Sound", isOn: Binding(settings, \.isOn))
        Picker("Theme", selection: Binding(settings, \.choice)) {
          Text("Dark").tag("dark")
          Text("Light").tag("light")
        }
        Slider("Level", value: Binding(settings, \.level), in: 0...10)
      }
      .onSubmit(label: "save") { settings.presses += 1 }
    }
    for presses in 1...3 {
      #expect(stage.footer.contains("save"))
      stage.press(.enter)
      #expect(settings.presses == presses)
      stage.press(.space, .tab)
    }
    #expect(settings.isOn)
    #expect(settings.choice == "light")
  }

  @Test func `a slider moves in steps and stays within its bounds`() {
    let stage = Stage(40, 1) { [settings] in
      Slider("Level", value: Binding(settings, \.level), in: 0...10, step: 2.5)
    }
    #expect(stage.text == "Level ━●────────────────── 0.5")
    stage.press(.right)
    #expect(stage.text == "Level ━━━━━●────────────── 2.5")
    stage.press(.end, .right)
    #expect(stage.text == "Level ━━━━━━━━━━━━━━━━━━━● 10")
    stage.press(.home, .left)
    #expect(settings.level == 0)
    click(6 + 19, 0, in: stage)
    #expect(settings.level == 10)
    #expect(plain(stage).text == "Level: 10")
  }

  @Test(arguments: [(2, 2.5, 0), (3, 5, 2.5), (2.5, 5, 0), (9.9, 10, 7.5)])
  func `a step of a slider goes to the next whole one, from wherever it starts`(
    start: Double, right: Double, left: Double
  ) {
    let stage = Stage(40, 1) { [settings] in
      Slider("Level", value: Binding(settings, \.level), in: 0...10, step: 2.5)
    }
    for (key, level) in [(KeyPress.right, right), (.left, left)] {
      settings.level = start
      stage.press(key)
      #expect(settings.level == level)
    }
  }

  @Test func `a slider over whole numbers moves by at least one`() {
    settings.presses = 3
    let stage = Stage(40, 1) { [settings] in
      Slider("Level", value: Binding(settings, \.presses), in: 0...5)
    }
    stage.press(.left)
    #expect(settings.presses == 2)
    stage.press(.right, .right)
    #expect(settings.presses == 4)
  }

  @Test func `a slider over the largest numbers stays within its bounds`() {
    settings.presses = 0
    let stage = Stage(60, 1) { [settings] in
      Slider("Level", value: Binding(settings, \.presses), in: Int.min...Int.max)
    }
    stage.press(.end)
    #expect(settings.presses == .max)
    stage.press(.home)
    #expect(settings.presses == .min)
  }

  @Test func `a slider follows the mouse while its button is down, also beyond its ends`() {
    let stage = Stage(40, 2) { [settings] in
      VStack(alignment: .leading) {
        Slider("Level", value: Binding(settings, \.level), in: 0...19, step: 1)
        Button("Save") { settings.presses += 1 }
      }
    }
    func send(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) {
      stage.host.send(MouseEvent(kind, at: Point(x: x, y: y)), in: stage.frame)
      stage.settle()
    }
    send(.press, 6 + 3, 0)
    #expect(settings.level == 3)
    send(.drag, 6 + 12, 0)
    #expect(settings.level == 12)
    send(.drag, 35, 1)
    #expect(settings.level == 19)
    send(.drag, 0, 1)
    #expect(settings.level == 0)
    send(.release, 0, 1)
    // A drag that began elsewhere does not move the slider.
    send(.press, 30, 1)
    send(.drag, 6 + 5, 0)
    #expect(settings.level == 0 && settings.presses == 0)
  }

  @Test func `a slider without room to move, or without a number, does nothing`() {
    settings.level = .nan
    let stage = Stage(40, 2) { [settings] in
      VStack(alignment: .leading) {
        Slider("A", value: Binding(settings, \.level), in: 0...10)
        Slider("B", value: .constant(3), in: 3...3)
      }
    }
    #expect(stage.text == "A ●─────────────────── –\nB ●─────────────────── 3")
    stage.press(.right, .tab, .right)
    #expect(settings.level == 0.5)
  }

  @Test func `tenths added one by one do not drift`() {
    settings.level = 0
    let stage = Stage(40, 1) { [settings] in
      Slider("Level", value: Binding(settings, \.level), step: 0.1)
    }
    for _ in 0..<3 { stage.press(.right) }
    #expect(stage.text.hasSuffix("30 %"))
    for _ in 0..<3 { stage.press(.left) }
    #expect(settings.level == 0)
  }

  @Test func `an image is its cells, blocks while redacted, and its name in plain mode`() {
    var cells = CellBuffer(size: Size(width: 3, height: 2))
    cells.write("a字", at: Point(x: 0, y: 0))
    let stage = Stage(10, 4) { [settings] in
      Image(cells, label: "A sock").redacted(reason: settings.isOn ? .placeholder : [])
    }
    #expect(stage.text == "a字\n\n\n")
    settings.isOn = true
    stage.settle()
    #expect(stage.text == "▇▇▇\n▇▇▇\n\n")
    settings.isOn = false
    #expect(plain(stage).text == "A sock\n\n\n")
  }

  @Test func `a tab view shows one tab, and the others keep their state and focus`() {
    let stage = Stage(30, 3) { [settings] in
      TabView(selection: Binding(settings, \.choice)) {
        Tab("Dark", value: "dark") {
          VStack(alignment: .leading) {
            Counter(name: "a")
            Counter(name: "b")
          }
        }
        Tab("Light", value: "light") { Counter(name: "c") }
      }
    }
    #expect(stage.text == "[1 Dark] 2 Light\na0\nb0")
    stage.press(.tab, "+", "2")
    #expect(stage.text == " 1 Dark [2 Light]\nc0\n")
    stage.press("+", "[")
    #expect(stage.text == "[1 Dark] 2 Light\na0\nb1")
    stage.press("+")
    #expect(stage.text == "[1 Dark] 2 Light\na0\nb2")
    click(8, 0, in: stage)
    #expect(stage.text == " 1 Dark [2 Light]\nc1\n")
    stage.press("]")
    #expect(settings.choice == "dark")
  }

  @Test func `a button that removes something has the colour of failures`() {
    let stage = Stage(20, 2) {
      VStack(alignment: .leading) {
        Button("Keep", role: .cancel) {}
        Button("Delete", role: .destructive) {}
      }
    }
    #expect(stage.frame.cells[0, 1].style.foreground == Theme.standard.failure)
    #expect(stage.style(of: "Delete")?.foreground == Theme.standard.failure)
    stage.press(.tab)
    #expect(stage.style(of: "Keep")?.foreground == Color.default)
  }

  @Test func `a press in the footer and a release end the drag of the slider before`() {
    settings.level = 3
    let stage = Stage(40, 2) { [settings] in
      VStack(alignment: .leading) {
        Slider("Level", value: Binding(settings, \.level), in: 0...19, step: 1)
          .onKeyPress("n", label: "next", footer: .first) { settings.presses += 1 }
        KeyFooter()
      }
    }
    func send(_ kind: MouseEvent.Kind, _ place: Point?) {
      place.map { stage.send(MouseEvent(kind, at: $0)) }
    }
    send(.press, Point(x: 6 + 3, y: 0))
    send(.press, stage.place(of: "next"))
    #expect(settings.presses == 1)
    send(.drag, Point(x: 6 + 12, y: 0))
    #expect(settings.level == 3)
    send(.press, Point(x: 6 + 3, y: 0))
    send(.release, Point(x: 6 + 3, y: 0))
    send(.drag, Point(x: 6 + 12, y: 0))
    #expect(settings.level == 3)
  }

  @Test func `in little room the line of a slider is shorter, and the mouse sets what it shows`() {
    let stage = Stage(14, 1) { [settings] in
      Slider("Level", value: Binding(settings, \.level), in: 0...10)
    }
    #expect(stage.text == "Level ●─── 0.5")
    click(6 + 3, 0, in: stage)
    #expect(settings.level == 10)
    #expect(stage.text == "Level ━━━━● 10")
    click(6 + 2, 0, in: stage)
    #expect(settings.level == 5)
    #expect(stage.text == "Level ━━━●── 5")
    for kind in [MouseEvent.Kind.press, .drag] {
      stage.send(MouseEvent(kind, at: Point(x: kind == .press ? 7 : 0, y: 0)))
    }
    #expect(settings.level == 0)
    stage.resize(7, 1)
    #expect(stage.text == "Level 0")
    stage.press(.end)
    #expect(settings.level == 10)
    #expect(stage.text == "Lev… 10")
  }

  @Test func `an option of a picker keeps its value whatever is around its tag`() {
    let stage = Stage(30, 1) { [settings] in
      Picker("Theme", selection: Binding(settings, \.choice)) {
        Text("Dark").tag("dark").padding(.leading)
        Text("Light").tag("light").bold().frame(width: 7)
      }
    }
    #expect(stage.text == "Theme ‹  Dark   ›")
    stage.press(.right)
    #expect(settings.choice == "light")
    #expect(stage.text == "Theme ‹  Light  ›")
  }

  /// An option whose value changes without its picker.
  private struct Changing: View {
    let settings: Settings
    var body: some View { Text("Mine").tag(settings.name).padding(.leading) }
  }

  @Test func `an option that takes another value is chosen by it`() {
    settings.name = "mine"
    let stage = Stage(30, 1) { [settings] in
      Picker("Theme", selection: Binding(settings, \.choice)) {
        Text("Dark").tag("dark")
        Changing(settings: settings)
      }
    }
    settings.name = "other"
    stage.settle()
    stage.press(.right)
    #expect(settings.choice == "other")
    #expect(stage.text == "Theme ‹  Mine ›")
  }

  @Test func `a tab is one whatever is around it`() {
    let stage = Stage(30, 3) { [settings] in
      TabView(selection: Binding(settings, \.choice)) {
        Tab("Dark", value: "dark") { Text("a") }
        Tab("Light", value: "light") { Text("b") }.padding(.leading, 2)
      }
    }
    #expect(stage.text == "[1 Dark] 2 Light\na\n")
    stage.press("2")
    #expect(stage.text == " 1 Dark [2 Light]\n  b\n")
  }
}
