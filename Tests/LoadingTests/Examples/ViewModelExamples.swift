import Loading
import LoadingTesting
import Observation
import Testing

/// Well-known patterns of loading states, written with this library.
@MainActor
@Suite(.leavesNothingBehind) struct ViewModelExamples {
  struct Article: Hashable, Sendable, Identifiable {
    let id: Int
    var title: String
  }

  let runtime = ManualRuntime()
  let api = ManualLoads<[Article]>()

  // MARK: A view model with idle, loading, failed and loaded

  @MainActor @Observable
  final class ArticlesModel {
    let articles: Resource<[Article]>

    init(articles: Resource<[Article]>) {
      self.articles = articles
    }

    var title: String {
      switch articles.state {
      case .idle: "Nothing yet"
      case .loading(let progress): progress?.message ?? "Loading"
      case .failed(let error): "Failed: \(error)"
      case .loaded(let articles): "\(articles.count) articles"
      }
    }
  }

  @Test func `a view model with idle, loading, failed and loaded`() {
    let model = ArticlesModel(articles: runtime.resource(api.loader))
    #expect(model.title == "Nothing yet")
    model.articles.load()
    #expect(model.title == "Loading")
    runtime.run()
    api[0].fail(Broken("offline"))
    runtime.run()
    #expect(model.title == "Failed: offline")
    model.articles.retry()
    runtime.run()
    api[1].succeed([Article(id: 1, title: "Socks")])
    runtime.run()
    #expect(model.title == "1 articles")
  }

  // MARK: The generic loadable object

  /// A view of any loadable object, with or without a resource.
  func shown(_ object: some LoadableObject) -> String {
    if case .idle = object.state { object.load() }
    return object.state.isLoading ? "…" : "\(object.state.value.map { "\($0)" } ?? "-")"
  }

  /// A view model without a resource.
  @MainActor final class Dice: LoadableObject {
    private(set) var state = LoadingState<Int>.idle
    func load() { state = .loaded(4) }
  }

  @Test func `one view shows both a resource and a custom view model`() {
    let resource = runtime.resource(Loader.constant(7))
    #expect(shown(resource) == "…")
    runtime.run()
    #expect(shown(resource) == "7")
    #expect(shown(Dice()) == "4")
  }

  // MARK: A stream as a source

  @Test func `a stream as a source`() {
    let (scores, continuation) = AsyncStream.makeStream(of: Int.self)
    let score = runtime.resource(Loader(sequence: { scores }))
    score.appear()
    runtime.run()
    for points in [1, 2, 3] { continuation.yield(points) }
    runtime.run()
    #expect(score.state == .loaded(3))
    #expect(!score.isLoading)
    score.disappear()
    continuation.finish()
    runtime.run()
  }

  // MARK: From a list to details that load when they are opened

  @Test func `a list to lazily loaded details`() {
    let details = ManualLoads<String>()
    let list = runtime.resource(api.loader)
    let pool = ResourcePool<Article.ID, String>(
      clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { _ in details.loader }

    list.appear()
    runtime.run()
    api[0].succeed([Article(id: 1, title: "a"), Article(id: 2, title: "b")])
    runtime.run()
    #expect(details.count == 0)

    pool[2].appear()
    runtime.run()
    details[0].succeed("about b")
    runtime.run()
    pool[2].disappear()

    pool[2].appear()
    runtime.run()
    #expect(pool[2].state == .loaded("about b"))
    #expect(details.count == 1)
  }

  // MARK: A store and its four tests

  @Test func `a store's initial state`() {
    #expect(runtime.resource(api.loader).state == .idle)
  }

  @Test func `a store's success`() {
    let store = runtime.resource(Loader.scripted([.at(.seconds(1), .loaded([1]))]))
    store.load()
    runtime.advance(by: .seconds(1))
    #expect(store.state == .loaded([1]))
  }

  @Test func `a store's failure`() {
    let store = runtime.resource(Loader<[Int]>.failure(Broken()))
    store.load()
    runtime.run()
    #expect(store.state == .failed(Broken()))
  }

  @Test func `a store's failure, then success`() async {
    var store: Resource<[Int]>? = runtime.resource(
      Loader.scripted(inTurn: [
        [.at(.seconds(1), .failed(Broken()))], [.at(.seconds(1), .loaded([1]))],
      ]))
    let states = store?.states()
    store?.load()
    runtime.advance(by: .seconds(1))
    store?.retry()
    runtime.advance(by: .seconds(1))
    store = nil
    await expectStates(states, [.idle, .loading, .failed(Broken()), .loading, .loaded([1])])
  }
}
