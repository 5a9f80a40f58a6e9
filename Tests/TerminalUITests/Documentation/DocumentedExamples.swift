import Loading
import LoadingTesting
import Observation

@testable import TerminalUI

// Every example of the documentation, word for word, so that all of them are compiled.

private struct Article: Identifiable, Sendable {
  let id: Int
  let title: String
  static let sample = Article(id: 0, title: "Some title")
}

private struct Sock: Identifiable, Hashable, Sendable {
  let id: Int
  var name: String
  var isWashed = false
  var sogginess = 0.0
}

private struct Screen: View {
  var body: some View { Text("screen") }
}

private typealias ArticlesScreen = Screen
private typealias SocksScreen = Screen
private typealias RootScreen = Screen

private struct SockScreen: View {
  let sock: Sock
  var body: some View { Text(sock.name) }
}

@MainActor @Observable
private final class Settings {
  var isLoud = false
}

@MainActor @Observable
private final class SearchModel {
  var query = ""
  func save() {}
  func delete() {}
  func search() {}
}

private struct API: Sendable {
  func save(_ sock: Sock) async throws {}
}

private struct Swatch: Identifiable {
  let id: Int
  let name: String
}

// MARK: Whole types

struct Greeting: View {
  let name: String
  var body: some View {
    HStack {
      Text("Hello,")
      Text(name).bold()
    }
  }
}

private struct Editor: View {
  @Bindable var settings: Settings
  var body: some View { Toggle("Sound", isOn: $settings.isLoud) }
}

struct Item: Identifiable, Equatable, Sendable {
  let id: Int
  var name: String
}

@Observable
@MainActor
final class Shelf {
  var items = [Item(id: 1, name: "a"), Item(id: 2, name: "b")]
  var number = 3
}

struct Names: View {
  @Bindable var shelf: Shelf
  var body: some View {
    ForEach($shelf.items) { $item in TextField("Name", text: $item.name) }
  }
}

struct NewItem: View {
  let save: @MainActor (String) -> Void
  @State private var name = ""
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    TextField("Name", text: $name)
    Button("Add") {
      save(name)
      dismiss()
    }
  }
}

private struct Title: View {
  @Environment(\.isPlain) private var isPlain
  @Environment(Settings.self) private var settings
  var body: some View { Text(isPlain ? "Title" : "─ Title ─") }
}

struct Login: View {
  enum Field { case name, password }
  @FocusState private var focus: Field?
  @State private var name = ""
  @State private var password = ""
  var body: some View {
    VStack {
      TextField("Name", text: $name).focused($focus, equals: .name)
      SecureField("Password", text: $password).focused($focus, equals: .password)
    }
    .onAppear { focus = .password }
  }
}

@MainActor struct Hello {
  static func main() async throws {
    try await TerminalApp.run { Text("Hello") }
  }
}

private func wholeProgram() async {
  await TerminalApp.main { Text("Hello") }
}

// MARK: Views

private struct Controls: View {
  enum Theme { case dark, light }
  let model: SearchModel
  @State private var theme = Theme.dark
  @State private var showsPictures = true
  @State private var sock = Sock(id: 1, name: "Left")

  var body: some View {
    Button("Save") { model.save() }
    Button("Delete", role: .destructive) { model.delete() }
    Toggle("Show pictures", isOn: $showsPictures)
    Slider("Sogginess", value: $sock.sogginess, in: 0...10, step: 1)
    Picker("Theme", selection: $theme) {
      Text("Dark").tag(Theme.dark)
      Text("Light").tag(Theme.light)
    }
  }
}

private struct Chart: View {
  let heights: [Int]
  var body: some View {
    Canvas(label: "Unread articles of a week") { cells in
      for (x, height) in heights.enumerated() {
        let bar = Rect(x: x, y: cells.size.height - height, width: 1, height: height)
        cells.fill(bar, with: Cell(style: Style(background: .cyan)))
      }
    }
  }
}

private struct Fields: View {
  @Bindable var model: SearchModel
  var body: some View {
    TextField("Search", text: $model.query)
      .onSubmit { model.search() }
    ArticlesScreen()
      .onPaste { text in model.query = text }
  }
}

private struct Secrets: View {
  @Observable @MainActor final class Model { var password = "" }
  @Bindable var model: Model
  var body: some View {
    SecureField("Password", text: $model.password)
  }
}

private struct Notes: View {
  @Observable @MainActor final class Model { var notes = "" }
  @Bindable var model: Model
  var body: some View {
    TextField("Alt-Enter for a new line", text: $model.notes).lineBreak("↵")
  }
}

private struct Collections: View {
  let articles: [Article]
  let names: [String]
  let colors: [Swatch]
  let events: [Article]
  let messages: PagedResource<Article, Int>
  let socks: [Sock]
  let open: (Article) -> Void
  @State private var selected: Int?

  var body: some View {
    List(articles, selection: $selected, onSubmit: { open($0) }) { article in
      Text(article.title).lineLimit(1)
    }
    List(names, id: \.self) { Text($0) }
    List(messages.items) { Text($0.title) }
      .anchorsFirstRow()
      .onVisibleRowsChange { messages.show($0) }
    LazyVGrid(colors, columns: 3, rowHeight: 3) { color, isSelected in
      Text(color.name).bold(isSelected)
    }
    ScrollView {
      LazyVStack(alignment: .leading) {
        Text("Everything so far").bold()
        ForEach(events) { event in Text(event.title) }
      }
    }
  }
}

private struct PostList: View {
  let list: PagedResource<Article, Int>

  var body: some View {
    VStack(alignment: .leading) {
      AsyncContentView(list) { posts in
        List(posts) { Text($0.title) }
          .onVisibleRowsChange { list.show($0) }
      }
      AsyncContentView(list.append) { _ in EmptyView() }.frame(height: 1)
    }
  }
}

private struct Screens: View {
  enum Screen { case articles, socks }
  let toasts: ToastQueue
  let failedChanges: FailedMutation.Inbox
  @State private var tab = Screen.articles

  var body: some View {
    TabView(selection: $tab) {
      Tab("Articles", value: Screen.articles) { ArticlesScreen() }
      Tab("Socks", value: Screen.socks) { SocksScreen() }
    }
    RootScreen()
      .toasts(toasts, following: failedChanges)
  }
}

private struct Texts: View {
  var body: some View {
    Text("Stale: ").bold() + Text("fetched an hour ago").foregroundStyle(\.secondary)
    ViewThatFits(in: .horizontal) {
      Text("r to retry   d for details")
      Text("r to retry")
    }
  }
}

// MARK: Loading states

private struct LoadingViews: View {
  let article: Resource<Article>
  let sock: Resource<Sock>
  let weather: Resource<String>
  let api: API

  var body: some View {
    AsyncContentView(article) { article in
      Text(article.title)
    }
    .placeholder(.sample)
    .failure { failure, retry in
      Text("No article today.")
    }
    AsyncContentView(sock, commit: { try await api.save($0.value) }) { $sock in
      Toggle("Washed", isOn: $sock.isWashed)
    }
    AsyncContentView(weather) { weather in
      Text(weather)
    }
    .placeholder("Sunny, with some clouds")
    .failure { failure, retry in
      Text("Look out of the window.")
      if let retry { Button("Ask again", action: retry) }
    }
    .loadingViewStyle(afterValue: .horizontal(.trailing, opacity: 0.5))
  }
}

private struct ArticleView: View {
  let article: Resource<Article>

  var body: some View {
    AsyncContentView(article) { article in
      Text(article.title).bold()
    }
    .placeholder(.sample)
  }
}

// MARK: Frames and programs

@MainActor
private func frames() {
  let frame = Frame(Text("Hello"), size: Size(width: 10, height: 1))
  print(frame.text)  // "Hello"
}

@MainActor
private func host() {
  let host = ViewHost(Counter())
  let size = Size(width: 20, height: 1)
  var frame = host.frame(size: size)
  host.press("+", in: frame)
  frame = host.frame(size: size)
}

@MainActor
private func program() async throws {
  let options = TerminalOptions(terminalType: "xterm-256color")
  let app = TerminalApp(screen: try NcursesScreen(options: options)) { Text("Hello") }
  await app.run()
}

@MainActor
private func finished(_ todos: Resource<[String]>) async throws {
  try await TerminalApp.run(finish: {
    todos.commitHeldMutations()
    let isDone = await todos.mutationsSettled(within: .seconds(2))
    if !isDone || !todos.failedMutations.isEmpty { print("Some changes were not saved.") }
  }) {
    AsyncContentView(todos) { todos in
      ForEach(todos, id: \.self) { Text($0) }
    }
  }
}

private func forecast(for city: String) async throws -> String { "Rain in \(city)" }

private enum WholeProgram {
  struct Root: View {
    @Environment(\.terminal) private var terminal

    var body: some View {
      VStack(alignment: .leading) {
        AsyncContentView(id: "Utrecht", load: { try await forecast(for: "Utrecht") }) { Text($0) }
          .frame(maxWidth: .infinity, maxHeight: .infinity)
        KeyFooter()
      }
      .onKeyPress("q", label: "quit") { terminal?.quit() }
    }
  }

  @MainActor struct Weather {
    static func main() async { await TerminalApp.main { Root() } }
  }
}

@MainActor
private func weather(in city: String) async throws {
  try await TerminalApp.run {
    AsyncContentView(id: city, load: { try await forecast(for: city) }) { weather in
      Text(weather)
    }
  }
}

private struct SavedNote: View {
  let end: AnyClock.Instant

  var body: some View {
    TimelineView(changesAfter: { now in now < end ? end : nil }) { now in
      if now < end { Text("✓ saved") }
    }
  }
}

private struct Row: View, Equatable {
  let title: String
  let count: Int
  var body: some View { Text("\(title) (\(count))") }
}

extension KeyAction {
  static let star = KeyAction("star", keys: "s", label: "star")
}

private struct StarButton: View {
  @State private var isStarred = false
  var body: some View {
    Text(isStarred ? "★" : "☆").focusable()
      .onKeyPress(action: .star) { isStarred.toggle() }
  }
}

@MainActor
private func otherKeys() -> EnvironmentValues {
  var environment = EnvironmentValues()
  environment.keyMap = KeyMap([.first: [KeySequence("g", "g")], .reload: ["t"], .details: []])
  return environment
}

struct TidyButton: View {
  @Environment(\.perform) private var perform
  var body: some View {
    Button("Tidy") { perform?([.first, .reload]) { print("\($0.label) cannot be done here") } }
  }
}

private struct Panes: View {
  private struct FeedList: View { var body: some View { Text("feeds") } }
  private struct ArticleList: View { var body: some View { Text("articles") } }

  var body: some View {
    HStack {
      FeedList().pane("Feeds")
      ArticleList().pane("Articles")
    }
  }
}

private struct Ending: View {
  @Environment(\.terminal) private var terminal

  var body: some View {
    Button("Quit") { terminal?.quit() }
  }
}
