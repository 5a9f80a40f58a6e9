import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the box in front of everything.
@MainActor
@Suite struct SheetTests {
  struct Row: Identifiable { let id: Int }

  @MainActor @Observable
  final class Shown {
    var isShown = false
    var isCovered = false
  }

  private func stage(_ height: Int, @ViewBuilder _ content: @escaping () -> some View) -> Stage {
    Stage(20, height) {
      Text("behind").sheet(isPresented: .constant(true), title: "Box", content: content)
    }
  }

  @Test func `it is as high as its content`() {
    let stage = stage(8) { Text("one\ntwo") }
    #expect(
      stage.rows == """
        behind

             ╭─ Box ─╮
             │ one   │
             │ two   │
             ╰───────╯


        """)
  }

  @Test func `no letter closes a form, so that a stray one throws nothing away`() {
    for label in [nil, "cancel"] {
      for key in [KeyPress.escape, .control("g")] {
        let shown = Shown()
        shown.isShown = true
        let stage = Stage(20, 6) {
          Text("behind").sheet(
            isPresented: Binding(shown, \.isShown), title: "Box", closeLabel: label
          ) { Text("one").focusable() }
        }
        stage.host.environment.keyMap = KeyMap([
          .close: [KeySequence(.control("g")), KeySequence("q")]
        ])
        stage.settle()
        stage.press("q")
        #expect(shown.isShown == (label != nil))
        stage.press(key)
        #expect(!shown.isShown)
      }
    }
  }

  @Test func `a title that does not fit ends with the sign that it was cut`() {
    for isPlain in [false, true] {
      var environment = EnvironmentValues()
      environment.isPlain = isPlain
      let stage = Stage(20, 4, environment: environment) {
        Text("behind").sheet(isPresented: .constant(true), title: "Faults of the next loads") {
          Text("one")
        }
      }
      #expect(
        stage.rows.contains(isPlain ? "Faults of the next…" : "╭─ Faults of the… ─╮"),
        "\(stage.rows)")
    }
  }

  @Test(arguments: [12, 150])
  func `Tab in a sheet that is taller than the screen shows what gets the focus`(count: Int) {
    let stage = stage(8) {
      VStack(alignment: .leading) { ForEach(0..<count) { Counter(name: "\($0):") } }
    }
    for index in 1..<count {
      stage.press(.tab)
      stage.press("+")
      #expect(stage.rows.contains("\(index):1"), "\(stage.rows)")
    }
  }

  @Test func `a screen of several views has one sheet`() {
    let stage = Stage(20, 6) {
      Group {
        Text("one")
        Text("two")
      }
      .sheet(isPresented: .constant(true), title: "Box") { Counter() }
    }
    #expect(stage.rows.hasPrefix("one\ntwo"))
    stage.press("+")
    #expect(stage.text.split(separator: "n1").count == 2)
  }

  @Test(arguments: [false, true])
  func `it tells once that it has gone, however it was closed`(byKey: Bool) {
    var log: [String] = []
    let model = Shown()
    let stage = Stage(20, 6) {
      Text("behind").sheet(
        isPresented: Binding(model, \.isShown), onDismiss: { log.append("gone") }
      ) { Text("one") }
    }
    #expect(log.isEmpty)
    model.isShown = true
    stage.settle()
    #expect(log.isEmpty)
    if byKey { stage.press(.escape) } else { model.isShown = false }
    stage.settle()
    #expect(log == ["gone"] && !model.isShown)
  }

  @Test func `it tells that it has gone also when its screen is covered at the same time`() {
    var log: [String] = []
    let model = Shown()
    model.isShown = true
    let stage = Stage(20, 6) {
      Text("behind")
        .sheet(isPresented: Binding(model, \.isShown), onDismiss: { log.append("gone") }) {
          Text("one")
        }
        .navigationDestination(isPresented: Binding(model, \.isCovered)) { Text("next") }
    }
    (model.isShown, model.isCovered) = (false, true)
    stage.settle()
    #expect(log == ["gone"] && stage.text.contains("next"))
    model.isCovered = false
    stage.settle()
    #expect(log == ["gone"])
  }

  @Test func `the cursor of a field behind it is hidden`() {
    let model = Shown()
    let stage = Stage(20, 6) {
      TextField("name", text: .constant(""))
        .sheet(isPresented: Binding(model, \.isShown), title: "Box") { Text("one") }
    }
    #expect(stage.frame.cursor != nil)
    model.isShown = true
    stage.settle()
    #expect(stage.frame.cursor == nil)
  }

  @Test func `in plain mode, none of its rows is behind the footer`() {
    var environment = EnvironmentValues()
    environment.isPlain = true
    let stage = Stage(20, 8, environment: environment) {
      VStack {
        Text("behind").frame(maxHeight: .infinity)
          .sheet(isPresented: .constant(true)) { Text("1\n2\n3\n4\n5\n6\n7\n8\n9") }
        KeyFooter()
      }
    }
    stage.press("G")
    #expect(stage.rows.contains("9"), "\(stage.rows)")
  }

  @Test func `it has the ideal width of its content, unless the screen is narrower`() {
    func rows(ideal: Int) -> String {
      stage(4) { Text("one").frame(idealWidth: ideal, maxWidth: .infinity) }.rows
    }
    #expect(
      rows(ideal: 8) == """
        beh╭─ Box ──────╮
           │   one      │
           ╰────────────╯

        """)
    #expect(
      rows(ideal: 40) == """
        ╭─ Box ────────────╮
        │      one         │
        ╰──────────────────╯

        """)
  }

  @Test func `a list in it scrolls by itself, and has the only scroll bar`() {
    let stage = stage(7) {
      Text("rows:")
      List((1...9).map(Row.init)) { Text("row \($0.id)") }.frame(maxHeight: 6)
    }
    #expect(stage.text.contains("rows:"))
    #expect(stage.text.contains("row 3"))
    #expect(!stage.text.contains("row 4"))
    #expect(stage.text.filter { $0 == "▐" }.count == 1)
    stage.press("G")
    #expect(stage.text.contains("rows:"))
    #expect(stage.text.contains("row 9"))
  }

  @Test func `a list in it that has room for its rows has no scroll bar`() {
    let stage = stage(12) {
      List((1...3).map(Row.init)) { Text("row \($0.id)") }.frame(maxHeight: 3)
    }
    #expect(!stage.text.contains("▐"))
    #expect(stage.text.contains("row 3"))
  }

  private struct Closing: View {
    @Environment(\.dismiss) private var dismiss
    var body: some View { Button("Done") { dismiss() } }
  }

  private struct Covered: View {
    let isSheet: Bool
    @State private var isCovered = true

    var body: some View {
      if isSheet {
        Text("behind").sheet(isPresented: $isCovered) { Closing() }
      } else {
        Text("behind").navigationDestination(isPresented: $isCovered) { Closing() }
      }
    }
  }

  @Test(arguments: [true, false])
  func `a view in a sheet or on another screen closes it`(isSheet: Bool) {
    let stage = Stage(20, 4) { Covered(isSheet: isSheet) }
    #expect(stage.text.contains("[ Done ]"))
    stage.press(.enter)
    #expect(stage.text == "behind\n\n\n")
  }

  @Test(arguments: [true, false])
  func `a sheet can be used and closed though what shows it is switched off`(isDisabled: Bool) {
    let shown = Shown()
    shown.isShown = true
    var presses = 0
    let stage = Stage(30, 8) {
      let form = Text("behind").sheet(isPresented: Binding(shown, \.isShown)) {
        Button("OK") { presses += 1 }
      }
      if isDisabled { form.disabled(true) } else { form.mouseOnly() }
    }
    stage.press(.enter)
    #expect(presses == 1)
    stage.press(.escape)
    #expect(!shown.isShown)
  }

  @Test func `Enter in a field of a sheet does not submit the form behind it`() {
    var submitted = 0
    let stage = Stage(30, 8) {
      TextField("behind", text: .constant(""))
        .sheet(isPresented: .constant(true)) { TextField("in front", text: .constant("")) }
        .onSubmit(label: "save") { submitted += 1 }
    }
    #expect(!stage.footer.contains("save"))
    stage.press(.enter)
    #expect(submitted == 0)
  }
}
