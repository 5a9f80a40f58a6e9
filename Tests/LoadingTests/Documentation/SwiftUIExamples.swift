import Loading
import LoadingTesting
import Testing

// The documentation's example for SwiftUI, word for word. Some platforms of this library have no
// SwiftUI, so this file declares what the example needs of it, with the same signatures.

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
  var body: Void {}
}

@MainActor @resultBuilder
private enum ViewBuilder {
  static func buildExpression(_ view: Drawn) -> Drawn { view }
  static func buildBlock(_ views: Drawn...) -> Drawn {
    Drawn(text: views.map(\.text).joined())
  }
  static func buildEither(first: Drawn) -> Drawn { first }
  static func buildEither(second: Drawn) -> Drawn { second }
  static func buildOptional(_ view: Drawn?) -> Drawn { view ?? Drawn() }
}

private enum Alignment { case bottom }

@MainActor private func ZStack(@ViewBuilder content: () -> Drawn) -> Drawn { content() }
@MainActor private func ProgressView() -> Drawn { Drawn(text: "Loading") }
@MainActor private func Text(_ text: String) -> Drawn { Drawn(text: text) }
@MainActor private func Button(_ title: String, action: @escaping @MainActor () -> Void) -> Drawn {
  Drawn(text: "[\(title)]")
}

extension Drawn {
  fileprivate func overlay(alignment: Alignment, @ViewBuilder content: () -> Drawn) -> Drawn {
    Drawn(text: text + content().text)
  }
  fileprivate func id(_ id: ObjectIdentifier) -> Drawn { self }
  fileprivate func onAppear(perform action: @escaping () -> Void) -> Drawn {
    var view = self
    view.appear = action
    return view
  }
  fileprivate func onDisappear(perform action: @escaping () -> Void) -> Drawn {
    var view = self
    view.disappear = action
    return view
  }
  fileprivate func refreshable(action: @escaping @MainActor () async -> Void) -> Drawn {
    var view = self
    view.refresh = action
    return view
  }
}

private struct Article: Equatable, Sendable {
  let title: String
}

private struct Offline: Error {}

private struct ArticleScreen: View {
  let article: Resource<Article>

  var body: some View {
    ZStack {
      switch article.state {
      case .idle: Button("Load") { article.load() }
      case .loading: ProgressView()
      case .failed(let error): Button("\(error)") { article.retry() }
      case .loaded(let article): Text(article.title)
      }
    }
    .overlay(alignment: .bottom) {
      if article.currentFailure != nil, article.state.isLoaded { Text("Not up to date") }
    }
    .onAppear { article.appear() }
    .onDisappear { article.disappear() }
    .refreshable { await article.refresh() }
    // Another resource in the same place appears anew: SwiftUI tells only a new view.
    .id(ObjectIdentifier(article))
  }
}

@MainActor
@Suite(.leavesNothingBehind) struct SwiftUIExamples {
  @Test func `the example for SwiftUI shows what it says`() async throws {
    let runtime = ManualRuntime()
    let loads = ManualLoads<Article>()
    let screen = ArticleScreen(article: runtime.resource(loads.loader))
    func drawn() throws -> Drawn { try #require(screen.body as? Drawn) }
    #expect(try drawn().text == "[Load]")
    try drawn().appear()
    #expect(try drawn().text == "Loading")
    runtime.run()
    loads[0].fail(Offline())
    runtime.run()
    #expect(try drawn().text == "[Offline()]")
    screen.article.retry()
    runtime.run()
    loads[1].succeed(Article(title: "Wool"))
    runtime.run()
    let refresh = try drawn().refresh
    let task = Task { await refresh() }
    await runtime.run { loads.count == 3 }
    loads[2].fail(Offline())
    await runtime.run { !screen.article.isLoading }
    await task.value
    #expect(try drawn().text == "WoolNot up to date")
    try drawn().disappear()
  }
}
