import Foundation
import Loading
import LoadingTesting
import Observation
import Testing

@testable import TerminalUI

/// Tests of the event loop, with a screen in memory and a manual clock.
@MainActor
@Suite struct TerminalAppTests {
  @Observable
  final class Counter {
    var value = 0
  }

  @MainActor @Observable
  final class Rows {
    struct Row: Identifiable { let id: Int }
    var rows = (0..<6).map(Row.init)
    var selected: Int?
  }

  @Observable
  final class Words {
    var text = ""
    var isAtEnd = false
  }

  let screen = MemoryScreen(size: Size(width: 20, height: 2))
  let clock = ManualClock()
  let counter = Counter()

  private struct CounterView: View {
    let counter: Counter
    @Environment(\.terminal) private var terminal

    var body: some View {
      Text("\(counter.value)")
        .onKeyPress("+", label: "more") { counter.value += 1 }
        .onKeyPress("q", label: "quit") { terminal?.quit() }
    }
  }

  private func running(
    @ViewBuilder _ root: @escaping () -> some View, _ body: () async -> Void
  ) async -> TerminalApp.Exit {
    let app = TerminalApp(screen: screen, clock: clock.any, root: root)
    async let exit = app.run()
    await screen.wait { $0.presentedCount > 0 }
    await body()
    return await exit
  }

  @Test func `a key changes the model and the next frame shows it`() async {
    let exit = await running({ CounterView(counter: counter) }) {
      screen.send(.key("+"))
      await screen.wait { $0.buffer.text.hasPrefix("1") }
      screen.send(.key("q"))
    }
    #expect(exit == .quit)
    #expect(screen.isClosed)
  }

  @Test(arguments: [InputEvent.key("q"), .terminate(signal: SIGTERM), .closed])
  func `the app goes on until what has to be done before the end is done`(end: InputEvent) async {
    let app = TerminalApp(screen: screen, clock: clock.any) { CounterView(counter: counter) }
    let (done, finish) = AsyncStream.makeStream(of: Void.self)
    var finishCount = 0
    app.finish = {
      finishCount += 1
      for await _ in done {}
    }
    async let exit = app.run()
    await screen.wait { $0.presentedCount > 0 }
    screen.send(end)
    screen.send(.terminate(signal: SIGHUP))
    screen.send(.key("+"))
    await screen.wait { $0.buffer.text.hasPrefix("1") }
    #expect(finishCount == 1)
    #expect(!screen.isClosed)
    finish.finish()
    // The first reason to end is the one that is returned.
    let reasons: [InputEvent: TerminalApp.Exit] = [
      .key("q"): .quit, .terminate(signal: SIGTERM): .signal(SIGTERM), .closed: .closed,
    ]
    #expect(await exit == reasons[end])
    #expect(screen.isClosed)
  }

  @Test func `a model that changes by itself draws a frame`() async {
    _ = await running({ CounterView(counter: counter) }) {
      counter.value = 7
      await screen.wait { $0.buffer.text.hasPrefix("7") }
      screen.send(.key("q"))
    }
  }

  @Test func `every key of a burst counts, and what cannot be shown is not queued`() async {
    _ = await running({ CounterView(counter: counter) }) {
      let before = screen.presentedCount
      screen.isReady = false
      for _ in 0..<300 { screen.send(.key("+")) }
      while counter.value < 300 { await Task.yield() }
      #expect(screen.presentedCount == before)
      screen.isReady = true
      await screen.wait { $0.buffer.text.hasPrefix("300") }
      #expect(screen.presentedCount == before + 1)
      screen.send(.key("q"))
    }
  }

  /// A screen that delivers all pending events at once, as a terminal does.
  private final class BurstScreen: Screen {
    let size = Size(width: 20, height: 1)
    let events = AsyncStream<InputEvent> { $0.finish() }
    let isReady = true
    private(set) var receive: (@MainActor ([InputEvent]) -> Void)?

    func deliverEvents(to receive: @escaping @MainActor ([InputEvent]) -> Void) -> Bool {
      self.receive = receive
      return true
    }

    func present(_ buffer: CellBuffer, cursor: Point?, damage: Damage?) {}
    func copy(_ text: String) -> Bool { true }
    func suspend() {}
    func close() {}
  }

  @Test(arguments: [
    (text: String(repeating: "typed", count: 12), edits: 60),
    (text: String(repeating: "pasted", count: 500), edits: 1),
  ])
  func `a text that is longer than anybody types at once is one edit`(
    text: String, edits: Int
  ) async {
    let words = Words()
    var count = 0
    let field = Binding(
      get: { words.text },
      modify: { change in
        count += 1
        change(&words.text)
      })
    let screen = BurstScreen()
    let app = TerminalApp(screen: screen, clock: clock.any) {
      TextField("words", text: field).onSubmit { words.isAtEnd = true }
    }
    async let exit = app.run()
    while screen.receive == nil { await Task.yield() }
    let keys = text.map { KeyPress(.character($0)) } + [.left, "!", .enter]
    screen.receive?(keys.map(InputEvent.key) + [.closed])
    #expect(await exit == .closed)
    #expect(words.text == text.dropLast() + "!" + text.suffix(1))
    #expect(count == edits + 1)
    #expect(words.isAtEnd)
  }

  @Test func `keys that are no text are keys, however many come at once`() async {
    let screen = BurstScreen()
    let app = TerminalApp(screen: screen, clock: clock.any) { CounterView(counter: counter) }
    async let exit = app.run()
    while screen.receive == nil { await Task.yield() }
    screen.receive?([InputEvent](repeating: .key("+"), count: 300) + [.key("q")])
    #expect(await exit == .quit)
    #expect(counter.value == 300)
  }

  @Test func `each key meets the frame that the one before has made`() async {
    // Enter opens a view, and only there does the second key have a binding.
    struct Opening: View {
      @State private var isOpen = false
      @State private var answer = ""
      @Environment(\.terminal) private var terminal

      var body: some View {
        VStack(alignment: .leading) {
          if isOpen {
            Text("open " + answer).onKeyPress("x", label: "answer") { answer = "answered" }
          } else {
            Text("closed").onKeyPress(.enter, label: "open") { isOpen = true }
          }
        }
        .onKeyPress("q", label: "quit") { terminal?.quit() }
      }
    }
    _ = await running({ Opening() }) {
      screen.send(.key(.enter))
      screen.send(.key("x"))
      await screen.wait { $0.buffer.text.hasPrefix("open answered") }
      screen.send(.key("q"))
    }
  }

  @Test func `keys that remove rows one after the other remove one each`() async {
    struct Removing: View {
      let model: Rows
      @Environment(\.terminal) private var terminal

      var body: some View {
        List(model.rows, selection: Binding(model, \.selected)) { Text("row \($0.id)") }
          .onKeyPress("x", label: "remove") { model.rows.removeAll { $0.id == model.selected } }
          .onKeyPress("q", label: "quit") { terminal?.quit() }
      }
    }
    let model = Rows()
    _ = await running({ Removing(model: model) }) {
      // The screen is not ready, so no frame can be presented in between.
      screen.isReady = false
      for key in "jxxxq" { screen.send(.key(KeyPress(.character(key)))) }
      screen.isReady = true
    }
    #expect(model.rows.map(\.id) == [0, 4, 5])
    #expect(model.selected == 4)
  }

  @Test func `what is typed behind the key that opens a field is in the field`() async {
    struct Search: View {
      let model: Words
      @State private var isSearching = false
      @FocusState private var isTyping: Bool
      @Environment(\.terminal) private var terminal

      var body: some View {
        VStack(alignment: .leading) {
          if isSearching {
            TextField("", text: Binding(model, \.text)).focused($isTyping)
              .onSubmit { isSearching = false }
          }
          Text("all").focusable()
            .onKeyPress("/", label: "search") {
              isSearching = true
              isTyping = true
            }
            .onKeyPress("q", label: "quit") { terminal?.quit() }
            .onKeyPress("e", label: "end") { model.isAtEnd = true }
        }
      }
    }
    let model = Words()
    _ = await running({ Search(model: model) }) {
      // The screen is not ready, so no frame can be presented in between.
      screen.isReady = false
      for character in "/quiet" { screen.send(.key(KeyPress(.character(character)))) }
      screen.send(.key(.enter))
      screen.send(.key("e"))
      while !model.isAtEnd { await Task.yield() }
      #expect(model.text == "quiet")
      screen.isReady = true
      screen.send(.key("q"))
    }
  }

  @Test func `an idle program presents nothing and sets no alarm`() async {
    _ = await running({ CounterView(counter: counter) }) {
      let before = screen.presentedCount
      #expect(clock.sleeperCount == 0)
      clock.advance(by: .seconds(3600))
      screen.send(.key("+"))
      await screen.wait { $0.buffer.text.hasPrefix("1") }
      #expect(screen.presentedCount == before + 1)
      screen.send(.key("q"))
    }
  }

  @Test func `a spinner is drawn once a tick and missed ticks are skipped`() async {
    _ = await running({ Spinner().onKeyPress("q", label: "quit") {} }) {
      let first = screen.presentedCount
      #expect(screen.buffer.text.hasPrefix("⠋"))
      clock.advance(by: .milliseconds(100))
      await screen.wait { $0.buffer.text.hasPrefix("⠙") }
      clock.advance(by: .milliseconds(500))
      await screen.wait { $0.buffer.text.hasPrefix("⠦") }
      #expect(screen.presentedCount == first + 2)
      screen.send(.terminate(signal: 15))
    }
  }

  @Test func `a new size draws a frame of that size`() async {
    _ = await running({ CounterView(counter: counter) }) {
      for size in [Size(width: 1, height: 1), Size(width: 40, height: 3)] {
        screen.send(.resize(size))
        await screen.wait { $0.buffer.size == size }
      }
      screen.send(.key("q"))
    }
  }

  @Test func `Ctrl-Z suspends and a frame is drawn afterwards`() async {
    _ = await running({ CounterView(counter: counter) }) {
      let before = screen.presentedCount
      screen.send(.suspend)
      await screen.wait { $0.suspendedCount == 1 && $0.presentedCount > before }
      screen.send(.key("q"))
    }
  }

  @Test func `a gate is closed while another window has the focus`() async {
    let focus = LoadGate("unfocused")
    let app = TerminalApp(screen: screen, clock: clock.any, focus: focus) {
      CounterView(counter: counter)
    }
    async let exit = app.run()
    await screen.wait { $0.presentedCount > 0 }
    // Events are handled in order: once a new size is drawn, every earlier event has been handled.
    var width = 20
    func handle(_ event: InputEvent) async {
      width += 1
      screen.send(event)
      screen.send(.resize(Size(width: width, height: 2)))
      await screen.wait { $0.buffer.size.width == width }
    }
    for opening in [InputEvent.focus(true), .key("x"), .paste("text"), .suspend] {
      await handle(.focus(false))
      #expect(!focus.isOpen)
      await handle(opening)
      #expect(focus.isOpen, "\(opening)")
    }
    screen.send(.key("q"))
    #expect(await exit == .quit)
  }

  @Test func `a signal ends the run and is told`() async {
    let exit = await running({ CounterView(counter: counter) }) {
      screen.send(.terminate(signal: 15))
    }
    #expect(exit == .signal(15))
    #expect(screen.isClosed)
  }

  @Test func `a terminal that is gone ends the run`() async {
    let exit = await running({ CounterView(counter: counter) }) { screen.send(.closed) }
    #expect(exit == .closed)
  }

  @Test func `tasks of the views end with the run`() async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    _ = await running({
      Text("x").task {
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        #expect(Task.isCancelled)
        end.finish()
      }
    }) { screen.send(.terminate(signal: 2)) }
    for await _ in ends {}
  }
}
