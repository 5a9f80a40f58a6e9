import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that a view that is equal to the previous one is not evaluated again.
///
/// That all screens look as if they were built from nothing is what `IncrementalFrameTests` tests.
@MainActor
@Suite struct UnchangedViewTests {
  @MainActor @Observable
  final class Model {
    var title = "Title"
    var suffix = ""
    var names: [Int: String] = [:]
    var isEnabled = true
    @ObservationIgnored var made: [Int] = []
    @ObservationIgnored var log: [String] = []
  }

  struct Item: Identifiable {
    let id: Int
  }

  /// Reads a model of which each row shows one value.
  struct Row: View, @MainActor Equatable {
    let model: Model
    let id: Int
    var suffix = ""

    static func == (one: Row, other: Row) -> Bool {
      one.model === other.model && one.id == other.id && one.suffix == other.suffix
    }

    var body: some View {
      model.made.append(id)
      return Text((model.names[id] ?? "row \(id)") + suffix).lineLimit(1)
    }
  }

  struct Rows: View {
    let model: Model

    var body: some View {
      VStack(alignment: .leading) {
        Text(model.title)
        ForEach(0..<3) { Row(model: model, id: $0, suffix: model.suffix) }
      }
      .disabled(!model.isEnabled)
    }
  }

  private func stage(_ model: Model) -> Stage {
    let stage = Stage(20, 4) { Rows(model: model) }
    model.made = []
    return stage
  }

  @Test func `what is around it changes and it is not rebuilt`() {
    let model = Model()
    let stage = stage(model)
    for title in ["one", "two"] {
      model.title = title
      stage.settle()
      #expect(stage.text == "\(title)\nrow 0\nrow 1\nrow 2")
    }
    #expect(model.made == [])
  }

  @Test func `neither is it in a part with a place of its own in the environment`() {
    let model = Model()
    let stage = Stage(20, 4) {
      VStack(alignment: .leading) {
        Text(model.title)
        List((0..<3).map(Item.init)) { Row(model: model, id: $0.id) }
          .defaultFocus().focusSection("Rows")
      }
    }
    model.made = []
    model.title = "one"
    stage.settle()
    #expect(stage.text == "one\nrow 0\nrow 1\nrow 2")
    #expect(model.made == [])
  }

  /// Stores texts, and properties with unused bytes between them.
  struct Plain: View {
    struct Item {
      let isRead: Bool
      let minutes: Int?
      let title: String
      let author: String?
    }

    let model: Model
    let isWide: Bool
    let item: Item

    var body: some View {
      model.log.append("made")
      return Text("\(item.title) \(item.author ?? "") \(item.minutes ?? 0)").lineLimit(1)
    }
  }

  @Test func `nor is one that stores the same texts and numbers again`() {
    let model = Model()
    var minutes: Int? = 3
    var author: String? = "An author with a name"
    // Each time with texts of its own, which only say the same.
    func text(_ text: String) -> String { String(text.reversed().reversed()) }
    let stage = Stage(60, 2) {
      VStack(alignment: .leading) {
        Text(model.title)
        Plain(
          model: model, isWide: model.title.isEmpty,
          item: .init(
            isRead: false, minutes: minutes, title: text("A title that is long"),
            author: author.map(text)))
      }
    }
    #expect(model.log == ["made"])
    model.title = "Again"
    stage.settle()
    #expect(stage.text == "Again\nA title that is long An author with a name 3")
    #expect(model.log == ["made"])
    minutes = nil
    model.title = "Without minutes"
    stage.settle()
    author = nil
    model.title = "Without author"
    stage.settle()
    #expect(stage.text == "Without author\nA title that is long  0")
    #expect(model.log == ["made", "made", "made"])
  }

  @Test func `one that stores another value is rebuilt, whatever its type`() {
    struct Values: View {
      var number = 1
      var isOn = false
      var share = 0.5
      var range = 0..<3
      var symbol: Character = "a"
      var names = ["name"]
      var pair = (1, "one")
      var choice: Bool?
      let log: (String) -> Void

      var body: some View {
        log("made")
        return Text(
          "\(number) \(isOn) \(share) \(range) \(symbol) \(names) \(pair) \(String(describing: choice))"
        )
      }
    }
    let model = Model()
    var values = Values { model.log.append($0) }
    let stage = Stage(100, 2) {
      Text(model.title)
      values
    }
    let changes: [(inout Values) -> Void] = [
      { $0.number = 2 }, { $0.isOn = true }, { $0.share = 0.25 }, { $0.range = 0..<4 },
      { $0.symbol = "b" }, { $0.names = ["other"] }, { $0.pair.0 = 2 }, { $0.choice = true },
      { $0.choice = false },
    ]
    for (number, change) in changes.enumerated() {
      change(&values)
      model.title = "\(number)"
      stage.settle()
      #expect(model.log.count == number + 2)
    }
  }

  @Test func `another view is rebuilt`() {
    let model = Model()
    let stage = stage(model)
    model.suffix = "!"
    stage.settle()
    #expect(stage.text == "Title\nrow 0!\nrow 1!\nrow 2!")
    #expect(model.made == [0, 1, 2])
  }

  @Test func `what it has read rebuilds it, also when others were drawn since`() {
    let model = Model()
    let stage = stage(model)
    model.title = "another frame"
    stage.settle()
    #expect(!stage.host.needsFrame)
    // All rows read the dictionary.
    model.names[1] = "one"
    #expect(stage.host.needsFrame)
    stage.settle()
    #expect(stage.text == "another frame\nrow 0\none\nrow 2")
    model.title = "and another"
    stage.settle()
    model.names[1] = "1"
    stage.settle()
    #expect(stage.text == "and another\nrow 0\n1\nrow 2")
    #expect(model.made.sorted() == [0, 0, 1, 1, 2, 2])
  }

  @Test func `another environment rebuilds it`() {
    let model = Model()
    let stage = stage(model)
    model.isEnabled = false
    stage.settle()
    #expect(model.made == [0, 1, 2])
    model.made = []
    stage.host.environment.theme = .dark
    stage.settle()
    #expect(model.made == [0, 1, 2])
  }

  @Test func `another size or a focus elsewhere does not rebuild it`() {
    let model = Model()
    let stage = Stage(20, 4) {
      VStack {
        Text("one").focusable()
        Text("two").focusable()
        Row(model: model, id: 0)
      }
    }
    model.made = []
    stage.press(.tab)
    stage.size = Size(width: 21, height: 4)
    stage.settle()
    #expect(model.made.isEmpty)
  }

  /// Always claims to be equal, whatever its content.
  struct Same<Content: View>: View, @MainActor Equatable {
    @ViewBuilder let content: () -> Content
    static func == (one: Same, other: Same) -> Bool { true }
    var body: some View { content() }
  }

  struct Counter: View {
    @State private var count = 0
    var body: some View { Button("count \(count)") { count += 1 } }
  }

  @Test func `state in it goes on`() {
    let model = Model()
    let stage = Stage(20, 2) {
      VStack(alignment: .leading) {
        Text(model.title)
        Same { Counter() }
      }
    }
    stage.press(.enter)
    model.title = "one"
    stage.settle()
    stage.press(.enter)
    #expect(stage.text == "one\n[ count 2 ]")
  }

  @Test func `what depends on the time goes on`() {
    let model = Model()
    let stage = Stage(20, 2) {
      VStack(alignment: .leading) {
        Text(model.title)
        Same {
          TimelineView(changesAfter: { now in
            now.offset < .seconds(1) ? .init(offset: .seconds(1)) : nil
          }) { Text($0.offset < .seconds(1) ? "before" : "after") }
        }
      }
    }
    model.title = "one"
    stage.settle()
    #expect(stage.text == "one\nbefore")
    stage.advance(by: .seconds(1))
    #expect(stage.text == "one\nafter")
  }

  @Test func `a load in it goes on`() {
    let model = Model()
    let runtime = ManualRuntime()
    let resource = runtime.resource(
      Loader<String> { context in
        try await context.clock.sleep(for: .seconds(1))
        return "loaded"
      })
    let stage = Stage(20, 2, runtime: runtime) {
      VStack(alignment: .leading) {
        Text(model.title)
        Same { AsyncContentView(resource) { Text($0) } }
      }
    }
    model.title = "one"
    stage.advance(by: .milliseconds(500))
    #expect(stage.text.contains("Loading"))
    stage.advance(by: .seconds(1))
    model.title = "two"
    stage.settle()
    #expect(stage.text == "two\nloaded")
    resource.set(.loaded("another one"))
    stage.settle()
    #expect(stage.text == "two\nanother one")
  }

  @Test func `what is made for a size reads what is there`() {
    let model = Model()
    let stage = Stage(20, 2) {
      VStack(alignment: .leading) {
        Text(model.title)
        Same { GeometryReader { _ in Text(model.names[0] ?? "nothing") } }
      }
    }
    model.title = "one"
    stage.settle()
    model.names[0] = "something"
    stage.settle()
    #expect(stage.text == "one\nsomething")
  }

  @Test func `what changes together with the view around a reader of sizes is made once`() {
    let model = Model()
    let stage = Stage(20, 3) {
      let title = model.title
      GeometryReader { _ in
        VStack(alignment: .leading) {
          Text(title)
          Same { Row(model: model, id: 0) }
          if title != "one row" { Row(model: model, id: 1) }
        }
      }
    }
    model.made = []
    (model.title, model.names) = ("two rows", [0: "zero", 1: "one"])
    stage.settle()
    #expect(stage.text == "two rows\nzero\none")
    #expect(model.made.sorted() == [0, 1])
    model.made = []
    (model.title, model.names) = ("one row", [0: "null", 1: "gone"])
    stage.settle()
    #expect(stage.text == "one row\nnull\n")
    #expect(model.made == [0])
  }

  @Test func `its keys are in force, and it appears and disappears once`() {
    let model = Model()
    let stage = Stage(20, 2) {
      VStack(alignment: .leading) {
        Text(model.title)
        if model.isEnabled {
          Same {
            Text("here").focusable()
              .onKeyPress("x", label: "x") { model.log.append("x") }
              .onAppear { model.log.append("appeared") }
              .onDisappear { model.log.append("gone") }
          }
        }
      }
    }
    model.title = "one"
    stage.settle()
    model.title = "two"
    stage.settle()
    stage.press("x")
    model.isEnabled = false
    stage.settle()
    #expect(model.log == ["appeared", "x", "gone"])
    #expect(stage.footer == [])
  }

  @Test func `one that left the screen makes no frame due`() {
    let model = Model()
    let items = (0..<20).map(Item.init)
    let stage = Stage(20, 3) {
      VStack(alignment: .leading) {
        Text(model.title)
        List(items) { item in
          if item.id < 2 {
            Row(model: model, id: item.id)
          } else {
            Text("plain \(item.id)")
          }
        }
      }
    }
    stage.press(.end)
    model.title = "one"
    stage.settle()
    model.title = "two"
    stage.settle()
    model.names[0] = "nobody looks"
    #expect(!stage.host.needsFrame)
  }
}
