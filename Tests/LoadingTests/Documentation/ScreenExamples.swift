import Loading
import LoadingTesting
import Observation
import Testing

// The screens of the documentation, word for word, and tests of what they show.

private struct Article: Equatable, Sendable {
  var title: String
}

private struct Offline: Error, Equatable {}

// MARK: One thing that loads

@MainActor @Observable
private final class ArticleScreen {
  private let article: Resource<Article>

  init(_ article: Resource<Article>) {
    self.article = article
  }

  var text: String {
    switch article.state {
    case .idle: "Press r to load."
    case .loading(let progress): progress?.percent.map { "Loading, \($0) %" } ?? "Loading"
    case .failed(let error): "It failed: \(error). Press r to try again."
    case .loaded(let article): article.title + (isOutOfDate ? " (could not be reloaded)" : "")
    }
  }

  private var isOutOfDate: Bool { article.currentFailure != nil }

  func appear() { article.appear() }
  func disappear() { article.disappear() }
  func pressR() { article.failure?.error.allowsRetry == true ? article.retry() : article.load() }
  func pressEscape() { article.cancel() }
}

// MARK: A view of anything that loads

@MainActor
private struct LoadingView<Object: LoadableObject> {
  let object: Object
  let content: (Object.Value) -> String

  var text: String {
    switch object.state {
    case .idle: "…"
    case .loading: "Loading"
    case .failed(let error): "\(error)"
    case .loaded(let value): content(value)
    }
  }

  func appear() { if object.state.isIdle { object.load() } }
}

/// A view model without a resource.
@MainActor @Observable
private final class Dice: LoadableObject {
  private(set) var state = LoadingState<Int>.idle
  func load() { state = .loaded(4) }
}

// MARK: A store with one state at a time

@MainActor @Observable
private final class ProfileStore {
  private let profile: Resource<Article>

  init(_ loader: Loader<Article>, clock: AnyClock, scheduler: LoadScheduler) {
    profile = Resource(
      loader.timeout(.seconds(5)).retrying(limit: 2, backoff: .none), clock: clock,
      scheduler: scheduler)
  }

  /// Loading during a reload, and failed even if there is a value.
  var state: LoadingState<Article> { profile.strictState }

  var states: some AsyncSequence<LoadingState<Article>, Never> {
    profile.updates().map(\.strictState)
  }

  func load() { profile.load() }
  func search(_ loader: Loader<Article>) { profile.load(loader.debounced(for: .milliseconds(300))) }
}

// MARK: What came before

@MainActor @Observable
private final class WeatherController {
  private let weather: Resource<Int>

  init(_ weather: Resource<Int>) {
    self.weather = weather
  }

  /// The last known value, with notes about it.
  var text: String {
    guard let degrees = weather.latestValue else { return weather.isLoading ? "Loading" : "—" }
    var notes: [String] = []
    if let since = weather.loadedAt {
      notes.append("\(since.duration(to: weather.clock.now).components.seconds) s old")
    }
    if let failure = weather.failure { notes.append("failed \(failure.failureCount) times") }
    if let reason = weather.activity?.pauseReason { notes.append(reason) }
    return "\(degrees) degrees (\(notes.joined(separator: ", ")))"
  }

  var lastError: (any Error)? { weather.failure?.error }
  var wasLastWell: Bool? { weather.lastResult.map { (try? $0.get()) != nil } }
  var log: [String] { weather.history.map { "\($0.event)" } }

  func reload() async { await weather.refresh() }
}

// MARK: A list whose rows change

private struct Chore: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
  var isDone = false
}

@MainActor @Observable
private final class TaskList {
  private let tasks: Resource<[Chore]>
  private let save: @Sendable (Chore) async throws -> Void

  init(_ tasks: Resource<[Chore]>, save: @escaping @Sendable (Chore) async throws -> Void) {
    self.tasks = tasks
    self.save = save
  }

  var rows: [String] {
    (tasks.latestValue ?? []).map { task in
      "[\(task.isDone ? "x" : " ")] \(task.title)\(note(on: task))"
    }
  }

  private func note(on task: Chore) -> String {
    if tasks.isModifying(task.id) { return " (saving)" }
    return tasks.failedMutation(of: task.id) == nil ? "" : " (not saved)"
  }

  /// The change shows at once, is rolled back if it cannot be saved, and can be retried.
  func toggle(_ id: Chore.ID) {
    tasks.access(id: id, commit: { [save] in try await save($0.value) })?.isDone.modify {
      $0.toggle()
    }
  }

  func tryAgain() { tasks.retryFailedMutations() }
}

// MARK: What they show

@MainActor
@Suite(.leavesNothingBehind) struct ScreenExamples {
  private let runtime = ManualRuntime()

  @Test func `a screen of one thing that loads`() {
    let loads = ManualLoads<Article>()
    let screen = ArticleScreen(runtime.resource(loads.loader))
    #expect(screen.text == "Press r to load.")
    screen.appear()
    runtime.run()
    loads[0].context.report(fraction: 0.4)
    runtime.run()
    #expect(screen.text == "Loading, 40 %")
    loads[0].fail(Offline())
    runtime.run()
    #expect(screen.text == "It failed: Offline(). Press r to try again.")
    screen.pressR()
    runtime.run()
    loads[1].succeed(Article(title: "Wool"))
    runtime.run()
    #expect(screen.text == "Wool")
    screen.pressR()
    runtime.run()
    loads[2].fail(Offline())
    runtime.run()
    #expect(screen.text == "Wool (could not be reloaded)")
    screen.pressR()
    runtime.run()
    screen.pressEscape()
    #expect(screen.text == "Wool (could not be reloaded)")
    screen.disappear()
    loads.end()
    runtime.run()
  }

  @Test func `a view of anything that loads`() {
    let scores = AsyncStream.makeStream(of: Int.self)
    let score = LoadingView(
      object: runtime.resource(Loader(sequence: { scores.stream })), content: { "\($0) points" })
    let dice = LoadingView(object: Dice(), content: { "a \($0)" })
    score.appear()
    dice.appear()
    #expect([score.text, dice.text] == ["Loading", "a 4"])
    scores.continuation.yield(3)
    runtime.run()
    #expect(score.text == "3 points")
    scores.continuation.finish()
    runtime.run()
  }

  @Test func `a store with one state at a time`() async {
    let loads = ManualLoads<Article>()
    var store: ProfileStore? = ProfileStore(
      loads.loader, clock: runtime.clock.any, scheduler: runtime.scheduler)
    let states = store?.states
    store?.load()
    runtime.run()
    loads[0].succeed(Article(title: "Ann"))
    runtime.run()
    #expect(store?.state == .loaded(Article(title: "Ann")))
    store?.load()
    runtime.run()
    #expect(store?.state == .loading)
    loads[1].fail(Offline())
    runtime.run()
    loads[2].fail(Offline())
    runtime.run()
    #expect(store?.state == .failed(Offline()))
    var seen: [LoadingState<Article>] = []
    if let states {
      for await state in states {
        if state != seen.last { seen.append(state) }
        if state.isFailed { break }
      }
    }
    #expect(
      seen == [.idle, .loading, .loaded(Article(title: "Ann")), .loading, .failed(Offline())])
    store?.search(loads.loader)
    store?.search(loads.loader)
    runtime.advance(by: .milliseconds(300))
    #expect(loads.count == 4)
    store = nil
    runtime.run()
    loads.end()
    runtime.run()
  }

  @Test func `a controller that knows what came before`() async {
    let loads = ManualLoads<Int>()
    let weather = runtime.resource(loads.loader)
    let controller = WeatherController(weather)
    weather.load()
    runtime.run()
    #expect(controller.text == "Loading")
    loads[0].succeed(20)
    runtime.run()
    runtime.advance(by: .seconds(90))
    weather.load()
    runtime.run()
    loads[1].fail(Offline())
    runtime.run()
    #expect(controller.text == "20 degrees (90 s old, failed 1 times)")
    #expect(controller.lastError is Offline)
    #expect(controller.wasLastWell == false)
    #expect(controller.log.count == 4)
  }

  @Test func `a list whose rows change`() {
    let saves = ManualCalls<Chore, Void>()
    let list = TaskList(
      runtime.resource(
        initialState: .loaded([Chore(id: 1, title: "Wash"), Chore(id: 2, title: "Dry")])),
      save: { try await saves.call($0) })
    list.toggle(1)
    runtime.run()
    #expect(list.rows == ["[x] Wash (saving)", "[ ] Dry"])
    saves[0].fail(Offline())
    runtime.run()
    #expect(list.rows == ["[ ] Wash (not saved)", "[ ] Dry"])
    list.tryAgain()
    runtime.run()
    saves[1].succeed(())
    runtime.run()
    #expect(list.rows == ["[x] Wash", "[ ] Dry"])
  }
}
