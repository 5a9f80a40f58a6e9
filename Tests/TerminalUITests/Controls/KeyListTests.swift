import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the sheet with all keys: by pane, in columns, with a search.
@MainActor
@Suite struct KeyListTests {
  private struct Item: Identifiable { let id: Int }

  private struct Screen: View {
    @State private var showsKeys = false

    var body: some View {
      HStack(alignment: .top) {
        Text("feeds").focusable().onKeyPress("x", label: "remove feed") {}.focusSection("Feeds")
        List((0..<3).map(Item.init)) { Text("row \($0.id)") }
          .onKeyPress("s", label: "star") {}
          .onKeyPress("m", label: "mark read", footer: .ifRoom) {}
          .focusSection("Articles").defaultFocus()
      }
      .onKeyPress("r", label: "reload") {}
      .onKeyPress("?", label: "keys") { showsKeys = true }
      .onKeyPress("q", label: "quit") {}
      .sheet(isPresented: $showsKeys, title: "Keys") { KeyList() }
    }
  }

  private struct SheetScreen: View {
    @State private var showsSheet = false
    @State private var showsKeys = false

    var body: some View {
      VStack {
        Text("content").focusable().onKeyPress("s", label: "open") { showsSheet = true }
          .sheet(isPresented: $showsSheet, title: "Sheet") {
            Text("inside").focusable().onKeyPress("x", label: "remove") {}
          }
      }
      .onKeyPress("r", label: "reload") {}
      .onKeyPressInSheetsToo(action: KeyAction("show-keys", keys: "?", label: "keys")) {
        showsKeys = true
      }
      .sheet(isPresented: $showsKeys, title: "Keys") { KeyList() }
    }
  }

  @Test func `a key that works in sheets too lists the keys of the sheet in front`() {
    let stage = Stage(40, 12) { SheetScreen() }
    #expect(stage.footer == ["open", "reload", "keys"])
    stage.press("s")
    #expect(stage.footer == ["remove", "close"])
    stage.press("?")
    #expect(stage.text.contains("╭─ Keys"))
    #expect(stage.text.contains("│ Here"))
    #expect(stage.text.contains("remove"))
    #expect(!stage.text.contains("reload"))
  }

  @Test func `keys are listed by pane, the focused one first`() {
    let stage = Stage(40, 30) { Screen() }
    stage.press("?")
    #expect(
      stage.frame.compact == """
         0│feeds row 0
          │~~~~~ ~~~ ~
         1│      row 1
          │      ~~~ ~
         2│      row 2
          │      ~~~ ~
         4│ ╭─ Keys ─────────────────────────────╮
         5│ │ Articles                           │
         6│ │ s                    star          │
         7│ │ m                    mark read     │
         8│ │                                    │
         9│ │ Feeds                              │
        10│ │ x                    remove feed   │
        11│ │                                    │
        12│ │ Moving                             │
        13│ │ j, ↓                 down          │
        14│ │ k, ↑                 up            │
        15│ │ PgDn, Ctrl-D, Space  page down     │
        16│ │ PgUp, Ctrl-U         page up       │
        17│ │ g, Home              first         │
        18│ │ G, End               last          │
        19│ │ Tab, Shift-Tab       next pane     │
        20│ │                                    │
        21│ │ Everywhere                         │
        22│ │ r                    reload        │
        23│ │ ?                    keys          │
        24│ │ q                    quit          │
        25│ ╰────────────────────────────────────╯
        """)
  }

  @Test func `a wide screen that is low shows them in columns`() {
    let stage = Stage(100, 12) { Screen() }
    stage.press("?")
    #expect(
      stage.frame.compact == """
         0│feeds row 0
          │~~~~~ ~~~ ~
         1│      ro╭─ Keys ──────────────────────────────────────────────────────────────────────────╮
          │      ~~
         2│      ro│ Articles          Moving                            Tab, Shift-Tab  next pane   │
          │      ~~
         3│        │ s  star           j, ↓                 down                                     │
         4│        │ m  mark read      k, ↑                 up           Everywhere                  │
         5│        │                   PgDn, Ctrl-D, Space  page down    r               reload      │
         6│        │ Feeds             PgUp, Ctrl-U         page up      ?               keys        │
         7│        │ x  remove feed    g, Home              first        q               quit        │
         8│        │                   G, End               last                                     │
         9│        ╰─────────────────────────────────────────────────────────────────────────────────╯
        """)
  }

  @Test func `where there is little room a key stands alone beside what it does`() {
    let stage = Stage(20, 30) { Screen() }
    stage.press("?")
    for line in ["│ s     star", "│ PgDn  page do", "│ Tab   next pa", "│ x     remove"] {
      #expect(stage.text.contains(line))
    }
  }

  @Test func `a search leaves the keys that do what was typed, and Esc ends it`() {
    let stage = Stage(40, 30) { Screen() }
    stage.press("?", "/", "r", "e")
    let lines = stage.text.split(separator: "\n").map { $0.filter { !"│ ".contains($0) } }
    #expect(lines.contains("xremovefeed"))
    #expect(lines.contains("rreload"))
    #expect(!lines.contains("sstar"))
    stage.press("z", "z")
    #expect(stage.text.contains("No key does that."))
    stage.press(.escape)
    #expect(stage.text.contains("star"))
    stage.press(.escape)
    #expect(!stage.text.contains("Keys"))
  }

  @Test func `a search finds the keys of other screens, too, and says where they are`() {
    let open = KeyAction("open", keys: "o", label: "open in browser")
    let stage = Stage(60, 30) {
      Text("feeds").focusable().onKeyPress(action: .reload) {}
        .onKeyPress(
          (1...12).map { KeyBinding(keys: [KeyPress(.function($0))], label: "key number \($0)") {} }
        )
        .sheet(isPresented: .constant(true), title: "Keys") {
          KeyList(elsewhere: [
            ("Everywhere", [.reload, KeyAction("star", label: "open a star")]),
            ("Lists", [open]), ("Articles", [open]),
          ])
        }
    }
    #expect(!stage.text.contains("browser"))
    stage.press("/", "o")
    let lines = stage.text.split(separator: "\n").map { $0.filter { !"│ ".contains($0) } }
    #expect(lines.contains("rreload"))
    let place = lines.firstIndex(of: "oopeninbrowser") ?? 0
    #expect(lines[max(0, place - 1)] == "Lists")
    #expect(lines.count { $0 == "oopeninbrowser" } == 1)
    #expect(!stage.text.contains("star"))
  }

  @Test(arguments: [(40, 30), (100, 12), (40, 15), (20, 30)])
  func `the box keeps its place and size while the user searches`(width: Int, height: Int) {
    let stage = Stage(width, height) { Screen() }
    func border() -> [String] {
      stage.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
        let line = $1.filter { "╭─╮╰╯".contains($0) }
        return line.isEmpty ? nil : "\($0) \(line)"
      }
    }
    stage.press("?")
    let before = border()
    #expect(before.count == 2)
    for key in ["/", "r", "e", "z", "z"] as [KeyPress] {
      stage.press(key)
      #expect(border() == before, "after \(key):\n\(stage.text)")
    }
    stage.press(.escape)
    #expect(border() == before)
  }

  @Test func `the search field is seen wherever the keys are scrolled to`() {
    let stage = Stage(40, 10) { Screen() }
    stage.press("?", "G", "/", "r", "e", "m")
    #expect(stage.text.contains("rem"))
    #expect(stage.text.contains("remove feed"))
    #expect(!stage.text.contains("star"))
  }
}
