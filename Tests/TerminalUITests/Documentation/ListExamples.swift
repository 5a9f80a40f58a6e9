import Loading
import LoadingTesting
import Observation
import TerminalUI
import TerminalUITesting
import Testing

// The examples of the page "Lists, details and themes", word for word, and tests of what they show.

private struct Article: Identifiable, Hashable, Sendable {
  let id: Int
  let title: String
}

@MainActor @Observable
private final class Library {
  let articles: Resource<[Article]>
  let texts: ResourcePool<Article.ID, String>
  private(set) var added: [String] = []

  init(_ runtime: ManualRuntime, texts: ManualCalls<Article.ID, String>) {
    articles = Resource(
      initialState: .loaded([
        Article(id: 1, title: "Wool"), Article(id: 2, title: "Silk"), Article(id: 3, title: "Flax"),
      ]), clock: runtime.clock.any, scheduler: runtime.scheduler)
    self.texts = ResourcePool(
      limit: LoadLimit(4), clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { id in
      Loader { _ in try await texts.call(id) }
    }
  }

  func add(_ title: String) { added.append(title) }
}

private struct WideScreen: View {
  let library: Library
  @State private var selected: Article.ID?

  var body: some View {
    AsyncContentView(library.articles) { articles in
      HStack(alignment: .top) {
        List(articles, selection: $selected) { Text($0.title).lineLimit(1) }
          .pane("Articles")
        if let id = selected ?? articles.first?.id {
          AsyncContentView(library.texts[id]) { text in
            ScrollView { Text(text) }
          }
          .pane("Text")
        }
      }
    }
  }
}

private struct Rows: View {
  let library: Library

  var body: some View {
    AsyncContentView(library.articles) { articles in
      List(articles) { article in
        AsyncContentView(library.texts[article.id]) { Text($0).lineLimit(1) }
          .placeholder("Some words of a text")
          .frame(height: 1)
      }
    }
  }
}

extension KeyAction {
  static let add = KeyAction("add", keys: "a", label: "add")
}

private struct NarrowScreen: View {
  let library: Library
  @State private var opened: Article?
  @State private var isAdding = false

  var body: some View {
    AsyncContentView(library.articles) { articles in
      List(articles, onSubmit: { opened = $0 }) { Text($0.title).lineLimit(1) }
    }
    .onKeyPress(action: .add) { isAdding = true }
    .sheet(isPresented: $isAdding, title: "Add an article", closeLabel: "cancel") {
      NewItem { title in library.add(title) }
    }
    .navigationDestination(item: $opened) { article in
      AsyncContentView(library.texts[article.id]) { text in
        ScrollView { Text(text) }
      }
    }
  }
}

private struct OtherKeys: View {
  let library: Library

  var body: some View {
    NarrowScreen(library: library)
      .environment(\.keyMap, KeyMap([.add: ["n"], .reload: [KeySequence(.control("l"))]]))
  }
}

@MainActor
private func showInOtherColors(_ library: Library) async throws {
  var theme = Theme.dark
  theme.accent = Color(red: 0xE8, green: 0xA0, blue: 0x60)
  var environment = EnvironmentValues()
  environment.theme = theme
  try await TerminalApp.run(environment: environment) { NarrowScreen(library: library) }
}

@MainActor
@Suite struct ListExamples {
  private let runtime = ManualRuntime()
  private let texts = ManualCalls<Article.ID, String>()
  private let library: Library

  init() { library = Library(runtime, texts: texts) }

  @Test func `the details of the selected row are beside the list, and are loaded once`() {
    let stage = Stage(32, 5, runtime: runtime) { WideScreen(library: library) }
    texts[0].succeed("Warm\nand\nsoft\nand\ngrey")
    stage.settle()
    #expect(stage.lines[1].contains("Wool"))
    #expect(stage.lines[1].contains("Warm"))
    stage.press(.down)
    texts[1].succeed("Thin\nand\nlight\nand\nblue")
    stage.settle()
    #expect(stage.lines[1].contains("Thin"))
    stage.press(.tab, .down)
    #expect(!stage.text.contains("Thin"))
    stage.press(.backTab, .up)
    #expect(stage.lines[1].contains("Warm"))
    #expect(texts.inputs == [1, 2])
  }

  @Test func `only the visible rows load`() {
    let stage = Stage(20, 2, runtime: runtime) { Rows(library: library) }
    #expect(texts.inputs.sorted() == [1, 2])
    texts[0].succeed("Warm")
    stage.settle()
    #expect(stage.text.contains("Warm"))
    stage.press("G")
    #expect(texts.inputs.sorted() == [1, 2, 3])
    texts.end()
  }

  @Test func `Enter opens the details, and Esc leads back to the row`() {
    let stage = Stage(20, 3, runtime: runtime) { NarrowScreen(library: library) }
    stage.press(.down, .enter)
    texts[0].succeed("Thin")
    stage.settle()
    #expect(stage.lines[0] == "Thin")
    stage.press(.escape)
    #expect(stage.lines == ["Wool", "Silk", "Flax"])
    stage.press(.enter)
    #expect(stage.lines[0] == "Thin")
    #expect(texts.inputs == [2])
  }

  @Test func `a letter is typed into the form of a sheet, and Esc cancels it`() {
    let stage = Stage(40, 8, runtime: runtime) { NarrowScreen(library: library) }
    stage.press("a")
    #expect(stage.footer.contains("cancel"))
    stage.type("q")
    stage.press(.escape)
    #expect(!stage.text.contains("Add an article"))
    #expect(library.added == [])
    stage.press("a")
    stage.type("Hemp")
    stage.press(.tab, .enter)
    #expect(library.added == ["Hemp"])
    #expect(!stage.text.contains("Add an article"))
  }

  @Test func `the keys of the map replace the keys of an action`() {
    let stage = Stage(40, 8, runtime: runtime) { OtherKeys(library: library) }
    stage.press("a")
    #expect(!stage.text.contains("Add an article"))
    stage.press("n")
    #expect(stage.text.contains("Add an article"))
  }
}
