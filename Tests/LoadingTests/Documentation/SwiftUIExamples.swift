import Loading
import LoadingTesting
import Observation
import Testing

// The examples of the page "From a SwiftUI app", word for word. Some platforms of this library have
// no SwiftUI, so this file declares what the examples need of it, with the same signatures.

@MainActor
private protocol View {
  associatedtype Body
  var body: Body { get }
}

private struct Drawn: View {
  var text = ""
  var appear: () -> Void = {}
  var disappear: () -> Void = {}
  var refresh: @MainActor () async -> Void = {}
  var task: @MainActor () async -> Void = {}
  var change: () -> Void = {}
  var buttons: [String: @MainActor () -> Void] = [:]
  var body: Void {}

  func with(_ change: (inout Drawn) -> Void) -> Drawn {
    var view = self
    change(&view)
    return view
  }
}

@MainActor @resultBuilder
private enum ViewBuilder {
  static func buildExpression(_ view: Drawn) -> Drawn { view }
  static func buildExpression(_ view: some View) -> Drawn { view.body as? Drawn ?? Drawn() }
  static func buildBlock(_ views: Drawn...) -> Drawn {
    Drawn(
      text: views.map(\.text).joined(),
      buttons: views.reduce(into: [:]) { $0.merge($1.buttons) { first, _ in first } })
  }
  static func buildEither(first: Drawn) -> Drawn { first }
  static func buildEither(second: Drawn) -> Drawn { second }
  static func buildOptional(_ view: Drawn?) -> Drawn { view ?? Drawn() }
}

@MainActor @propertyWrapper
private struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  private let box: Box
  init(wrappedValue: Value) { box = Box(wrappedValue) }
  var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  var projectedValue: Binding<Value> { Binding() }
}

private struct Binding<Value> {}
private enum Alignment { case bottom }

@MainActor private func EmptyView() -> Drawn { Drawn() }
@MainActor private func ZStack(@ViewBuilder content: () -> Drawn) -> Drawn { content() }
@MainActor private func HStack(@ViewBuilder content: () -> Drawn) -> Drawn { content() }
@MainActor private func ProgressView() -> Drawn { Drawn(text: "Loading") }
@MainActor private func Text(_ text: String) -> Drawn { Drawn(text: text) }
@MainActor private func Button(_ title: String, action: @escaping @MainActor () -> Void) -> Drawn {
  Drawn(text: "[\(title)]", buttons: [title: action])
}
@MainActor private func List<Data: RandomAccessCollection>(
  _ data: Data, @ViewBuilder row: (Data.Element) -> Drawn
) -> Drawn where Data.Element: Identifiable {
  Drawn(text: data.map { row($0).text }.joined())
}

extension Drawn {
  fileprivate func overlay(alignment: Alignment, @ViewBuilder content: () -> Drawn) -> Drawn {
    let front = content()
    return with { view in
      view.text += front.text
      view.buttons.merge(front.buttons) { first, _ in first }
    }
  }
  fileprivate func opacity(_ opacity: Double) -> Drawn { with { if opacity == 0 { $0.text = "" } } }
  fileprivate func id(_ id: ObjectIdentifier) -> Drawn { self }
  fileprivate func searchable(text: Binding<String>) -> Drawn { self }
  fileprivate func onAppear(perform action: @escaping () -> Void) -> Drawn {
    with { $0.appear = action }
  }
  fileprivate func onDisappear(perform action: @escaping () -> Void) -> Drawn {
    with { $0.disappear = action }
  }
  fileprivate func onChange<Value: Equatable>(
    of value: Value, _ action: @escaping () -> Void
  ) -> Drawn {
    with { $0.change = action }
  }
  fileprivate func refreshable(action: @escaping @MainActor () async -> Void) -> Drawn {
    with { $0.refresh = action }
  }
  fileprivate func task(_ action: @escaping @MainActor () async -> Void) -> Drawn {
    with { $0.task = action }
  }
  fileprivate func task<ID: Equatable>(
    id: ID, _ action: @escaping @MainActor () async -> Void
  ) -> Drawn {
    with { $0.task = action }
  }
}

private struct Article: Identifiable, Equatable, Sendable {
  let id: Int
  let title: String
}

private protocol ArticleAPI: Sendable {
  func articles() async throws -> [Article]
  func remove(_ id: Article.ID) async throws
}

private struct Server: ArticleAPI {
  let loads = ManualCalls<Void, [Article]>()
  let removals = ManualCalls<Article.ID, Void>()
  func articles() async throws -> [Article] { try await loads.call(()) }
  func remove(_ id: Article.ID) async throws { try await removals.call(id) }
}

private struct Offline: Error {}

@MainActor @Observable
private final class Library {
  let articles: Resource<[Article]>
  let failedChanges = FailedMutation.Inbox()
  private let api: any ArticleAPI

  init(
    _ api: any ArticleAPI, clock: AnyClock = .continuous, scheduler: LoadScheduler = .concurrent
  ) {
    self.api = api
    articles = Resource(
      Loader { _ in try await api.articles() }, refreshing: Refreshing(staleAfter: .seconds(300)),
      mutationFailures: failedChanges, clock: clock, scheduler: scheduler)
  }

  func remove(_ id: Article.ID) {
    articles.mutate(
      item: id, undoWindow: .seconds(5), apply: { $0.removeAll { $0.id == id } },
      commit: { [api] _ in try await api.remove(id) })
  }
}

private struct ArticleScreen: View {
  let article: Resource<Article>

  var body: some View {
    ZStack {
      switch article.state {
      case .idle: Button("Load") { article.load() }
      case .loading: EmptyView()
      case .failed(let error): Button("\(error)") { article.retry() }
      case .loaded(let article): Text(article.title)
      }
      LoadingSpinner(resource: article)
    }
    .overlay(alignment: .bottom) {
      if article.currentFailure != nil, article.state.isLoaded { Text("Not up to date") }
    }
    .onAppear { article.appear() }
    .onDisappear { article.disappear() }
    .refreshable { await article.refresh() }
    // SwiftUI tells only a new view that it appears, and not one that is given another resource.
    .id(ObjectIdentifier(article))
  }
}

private struct LoadingSpinner<Value: Sendable>: View {
  let resource: Resource<Value>
  @State private var isVisible = false

  var body: some View {
    ProgressView()
      .opacity(isVisible ? 1 : 0)
      .task(id: resource.timing) {
        while let next = update(), (try? await resource.clock.sleep(until: next)) != nil {}
      }
  }

  /// Shows or hides the spinner, and returns when that changes.
  private func update() -> AnyClock.Instant? {
    let (gate, timing, now) = (IndicatorGate(), resource.timing, resource.clock.now)
    let answers = [gate.placeholder(for: timing, at: now), gate.indicator(for: timing, at: now)]
    isVisible = answers.contains(where: \.isVisible)
    return answers.compactMap(\.changesAt).min()
  }
}

@MainActor private func ArticleList(library: Library) -> Drawn {
  Text((library.articles.latestValue ?? []).map(\.title).joined(separator: " "))
    .onAppear { library.articles.appear() }
    .onDisappear { library.articles.disappear() }
}

private struct SearchScreen: View {
  let results: Resource<[Article]>
  let search: (String) -> Loader<[Article]>
  @State var query = ""

  var body: some View {
    List(results.latestValue ?? []) { Text($0.title) }
      .searchable(text: $query)
      .onChange(of: query) { results.load(search(query).debounced(for: .milliseconds(300))) }
  }
}

private struct RootScreen: View {
  let library: Library
  @State private var failures: [FailedMutation] = []

  var body: some View {
    ArticleList(library: library)
      .overlay(alignment: .bottom) {
        if let failure = failures.first(where: { $0.isCurrent() }) {
          HStack {
            Text("Not saved: \(failure.error)")
            if let retry = failure.retry { Button("Retry", action: retry) }
            Button("Dismiss", action: failure.dismiss)
          }
        }
      }
      .task {
        for await failure in library.failedChanges.failures { failures.append(failure) }
      }
  }
}

@MainActor
@Suite(.leavesNothingBehind, .timeLimit(.minutes(10))) struct SwiftUIExamples {
  private let runtime = ManualRuntime()

  private func drawn(_ view: some View) throws -> Drawn { try #require(view.body as? Drawn) }

  @Test func `the screen of an article shows each state`() async throws {
    let loads = ManualLoads<Article>()
    let screen = ArticleScreen(article: runtime.resource(loads.loader))
    #expect(try drawn(screen).text == "[Load]")
    try drawn(screen).appear()
    #expect(try drawn(screen).text == "")
    runtime.run()
    loads[0].fail(Offline())
    runtime.run()
    #expect(try drawn(screen).text == "[Offline()]")
    screen.article.retry()
    runtime.run()
    loads[1].succeed(Article(id: 1, title: "Wool"))
    runtime.run()
    let refresh = try drawn(screen).refresh
    let task = Task { await refresh() }
    await runtime.run { loads.count == 3 }
    loads[2].fail(Offline())
    await runtime.run { !screen.article.isLoading }
    await task.value
    #expect(try drawn(screen).text == "WoolNot up to date")
    try drawn(screen).disappear()
  }

  @Test func `the spinner shows after its delay, without another change`() async throws {
    let loads = ManualLoads<Article>()
    let spinner = LoadingSpinner(resource: runtime.resource(loads.loader))
    spinner.resource.load()
    let task = Task { [view = try drawn(spinner)] in await view.task() }
    await runtime.run { runtime.clock.sleeperCount == 1 }
    runtime.advance(by: .milliseconds(199))
    #expect(try drawn(spinner).text == "")
    runtime.advance(by: .milliseconds(1))
    await task.value
    #expect(try drawn(spinner).text == "Loading")
    loads[0].succeed(Article(id: 1, title: "Wool"))
    runtime.run()
    // The timing has changed, so SwiftUI starts the task again.
    await (try drawn(spinner)).task()
    #expect(try drawn(spinner).text == "")
  }

  @Test func `a search begins when the user stops typing`() throws {
    let loads = ManualLoads<[Article]>()
    let screen = SearchScreen(results: runtime.resource(), search: { _ in loads.loader })
    for text in ["w", "wo"] {
      screen.query = text
      try drawn(screen).change()
    }
    runtime.advance(by: .milliseconds(300))
    #expect(loads.count == 1)
    loads[0].succeed([Article(id: 1, title: "Wool")])
    runtime.run()
    #expect(try drawn(screen).text == "Wool")
  }

  @Test func `a change that fails after the view has left is shown, and can be retried`()
    async throws
  {
    let server = Server()
    let library = Library(server, clock: runtime.clock.any, scheduler: runtime.scheduler)
    let root = RootScreen(library: library)
    let reading = Task { [view = try drawn(root)] in await view.task() }
    try drawn(root).appear()
    runtime.run()
    server.loads[0].succeed([Article(id: 1, title: "Wool"), Article(id: 2, title: "Silk")])
    runtime.run()
    library.remove(1)
    #expect(try drawn(root).text == "Silk")
    try drawn(root).disappear()
    library.articles.commitHeldMutations()
    runtime.run()
    server.removals[0].fail(Offline())
    runtime.run()
    await runtime.run { (try? drawn(root).buttons.count) == 2 }
    #expect(try drawn(root).text == "Wool SilkNot saved: Offline()[Retry][Dismiss]")
    try drawn(root).buttons["Retry"]?()
    #expect(try drawn(root).text == "Silk")
    runtime.advance(by: .seconds(5))
    server.removals[1].succeed()
    runtime.run()
    #expect(library.articles.latestValue?.map(\.title) == ["Silk"])
    reading.cancel()
    await reading.value
    server.loads.end()
    runtime.run()
  }
}
