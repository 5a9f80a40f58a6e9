import LoadingTesting
import Observation
import PseudoTerminal
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that moving a selection only redraws the rows that change, and that several keys need one
/// frame.
@MainActor
@Suite struct MoveTests {
  struct Row: Identifiable {
    let id: Int
  }

  @MainActor @Observable
  final class Model {
    var word = "row"
    var showsNote = false
    @ObservationIgnored var selected: Int?
    @ObservationIgnored var madeScreens = 0
    let rows = (0..<60).map(Row.init)
  }

  /// Rows of plain cells with different heights, on a background, beside another list.
  struct Screen: View {
    let model: Model

    var body: some View {
      model.madeScreens += 1
      return VStack(alignment: .leading) {
        HStack {
          List(model.rows, selection: Binding(model, \.selected)) { row in
            VStack(alignment: .leading) {
              Text("\(model.word) \(row.id)").lineLimit(1)
              if row.id % 7 == 3 { Text("漢字 below").dim() }
            }
          }
          List(model.rows) { row in Text("other \(row.id)").lineLimit(1) }
        }
        .background(.blue)
        .overlay(alignment: .bottomLeading) { if model.showsNote { Text("note") } }
        KeyFooter()
      }
    }
  }

  @Test func `a move is drawn in the rows that it changes, and nothing else is`() {
    let model = Model()
    let stage = Stage(30, 8) { Screen(model: model) }
    let before = stage.frame
    model.madeScreens = 0
    #expect(stage.host.press("j", in: before))
    let frame = stage.host.frame(size: stage.size, at: before.time)
    #expect(!stage.host.needsFrame)
    #expect(model.madeScreens == 0)
    let rows = (0..<8).filter { frame.cells.row($0) != before.cells.row($0) }
    #expect(rows == [0, 1])
  }

  /// Rows with a lifecycle, on a screen that binds the focus.
  struct WatchedScreen: View {
    let model: Model
    @FocusState private var isSearching: Bool

    var body: some View {
      model.madeScreens += 1
      return VStack(alignment: .leading) {
        Text(isSearching ? "> search" : "search").focusable().focused($isSearching)
        List(model.rows, selection: Binding(model, \.selected)) { row in
          Text("\(model.word) \(row.id)").lineLimit(1).onAppear {}
        }
        .defaultFocus()
      }
    }
  }

  @Test func `rows that are more than cells are drawn by themselves as long as they stay`() {
    let model = Model()
    let stage = Stage(30, 8) { WatchedScreen(model: model) }
    model.madeScreens = 0
    stage.press("j")
    #expect(model.selected == 1)
    #expect(model.madeScreens == 0)
  }

  @Test func `a focus that is bound keeps no frame from being drawn again`() {
    let model = Model()
    let stage = Stage(30, 8) { WatchedScreen(model: model) }
    model.madeScreens = 0
    for _ in 0..<20 { stage.press("j") }
    #expect(stage.text.hasSuffix("row 20"))
    #expect(model.madeScreens == 0)
    stage.press(.tab)
    #expect(stage.text.hasPrefix("> search"))
    stage.press(.tab, "j")
    #expect(stage.text.hasPrefix("search") && model.selected == 21)
  }

  @Test func `a list behind something else is drawn with the frame`() {
    let model = Model()
    let stage = Stage(30, 8) { Screen(model: model) }
    model.showsNote = true
    stage.settle()
    stage.press("j")
    #expect(stage.text.contains("note"))
  }

  @Test func `a row that came on the screen by a move is rebuilt when what it reads changes`() {
    let model = Model()
    let stage = Stage(30, 4) { Screen(model: model) }
    for _ in 0..<5 { stage.press("j") }
    #expect(stage.text.contains("row 5"))
    model.word = "line"
    stage.settle()
    #expect(stage.text.contains("line 5"))
    #expect(!stage.text.contains("row"))
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `frames that show moves equal frames that are built from nothing`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (width, height) = (
      Int.random(in: 1...50, using: &generator), Int.random(in: 1...16, using: &generator)
    )
    let models = [Model(), Model()]
    let isPlain = seed.isMultiple(of: 3)
    let stages = models.map { model in
      Stage(width, height) { Screen(model: model).environment(\.isPlain, isPlain) }
    }
    let keys: [KeyPress] = ["j", "j", "j", "k", "k", "g", "G", .pageDown, .pageUp, .tab]
    for step in 0..<60 {
      let choice = Int.random(in: 0..<24, using: &generator)
      let key = keys.randomElement(using: &generator) ?? "j"
      let count = Int.random(in: 1...5, using: &generator)
      for (index, (stage, model)) in zip(stages, models).enumerated() {
        switch choice {
        case 0: model.showsNote.toggle()
        case 1: model.word = "word \(step)"
        case 2:
          stage.host.send(
            MouseEvent(.wheelDown, at: Point(x: width / 4, y: height / 2)), in: stage.frame)
        default:
          for _ in 0..<count {
            stage.host.press(key, in: stage.frame)
            // The second stage builds a frame from nothing after each key.
            if index == 1 { stage.host.forgetFrames() }
            stage.settle()
          }
        }
        if index == 1 { stage.host.forgetFrames() }
        stage.settle()
      }
      let (one, other) = (stages[0].frame, stages[1].frame)
      #expect(
        one.cells == other.cells && one.cursor == other.cursor
          && one.bindings.map(\.label) == other.bindings.map(\.label),
        """
        seed \(seed), step \(step), \(width)×\(height), choice \(choice), \(count) × \(key)
        \(one.text)
        ---
        \(other.text)
        """)
    }
  }

  @Test func `keys of one batch that move a selection are shown by one drawing`() async {
    let model = Model()
    let screen = MemoryScreen(size: Size(width: 30, height: 6))
    let app = TerminalApp(screen: screen, clock: ManualClock().any) {
      Screen(model: model).onKeyPress("x", label: "end") {}
    }
    async let exit = app.run()
    await screen.wait { $0.presentedCount > 0 }
    let (presented, made) = (screen.presentedCount, model.madeScreens)
    screen.isReady = false
    for _ in 0..<30 { screen.send(.key("j")) }
    while model.selected != 30 { await Task.yield() }
    #expect(model.madeScreens == made)
    screen.isReady = true
    await screen.wait { $0.buffer.text.contains("row 30") }
    #expect(screen.presentedCount == presented + 1)
    screen.send(.closed)
    _ = await exit
  }
}
