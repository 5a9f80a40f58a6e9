import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the sources of asynchronous content.
@MainActor
@Suite struct SourceTests {
  let runtime = ManualRuntime()
  let model = Model()

  @Test func `a function is called once for a place and once more for another id`() {
    let calls = ManualCalls<Int, String>()
    let stage = Stage(20, 1, runtime: runtime) { [model] in
      AsyncContentView(id: model.ids, load: { [id = model.ids[0]] in try await calls.call(id) }) {
        Text(model.text + $0)
      }
    }
    calls[0].succeed("one")
    stage.settle()
    model.text = "again "
    stage.settle()
    #expect(stage.text == "again one")
    model.ids = [9]
    stage.settle()
    #expect(stage.text == "")
    calls[1].succeed("nine")
    stage.settle()
    #expect(stage.text == "again nine")
    #expect(calls.inputs == [1, 9])
  }

  @Test func `of a sequence the newest value shows`() {
    let (values, continuation) = AsyncStream<String>.makeStream()
    let stage = Stage(20, 1, runtime: runtime) {
      AsyncContentView(sequence: { values }) { Text($0) }
    }
    continuation.yield("one")
    stage.settle()
    #expect(stage.text == "one")
    continuation.yield("two")
    stage.settle()
    #expect(stage.text == "two")
    #expect(stage.frame.nextChange == nil)
  }

  @MainActor
  @Observable
  final class Profile: LoadableObject {
    var state = LoadingState<String>.idle
    private(set) var loads = 0

    func load() {
      loads += 1
      state = .loading
    }
  }

  @Test func `a view model of one's own shows by its state`() {
    let profile = Profile()
    let stage = Stage(40, 3) { AsyncContentView(profile) { Text($0) } }
    #expect(profile.loads == 1)
    #expect(stage.text.contains("Loading"))
    profile.state = .failed(Broken())
    stage.settle()
    #expect(stage.text.contains("r to retry"))
    stage.press("r")
    #expect(profile.loads == 2)
    profile.state = .loaded("Ada")
    stage.settle()
    #expect(stage.text == "Ada\n\n")
  }

  /// A view model whose state is that of one resource at a time, unless it has one of its own.
  @MainActor
  @Observable
  final class Detail: LoadableObject {
    var current: Resource<String>
    var own: LoadingState<String>?
    private(set) var loads = 0

    init(_ current: Resource<String>) { self.current = current }

    var state: LoadingState<String> { own ?? current.state }
    var sources: [any LoadableObject] { [current] }

    func load() { loads += 1 }
  }

  @Test func `another source appears, and the one before it disappears`() {
    let (one, other) = (ManualLoads<String>(), ManualLoads<String>())
    let detail = Detail(runtime.resource(one.loader))
    let stage = Stage(20, 1, runtime: runtime) { AsyncContentView(detail) { Text($0) } }
    one[0].succeed("one")
    stage.settle()
    let before = detail.current
    detail.current = runtime.resource(other.loader)
    stage.settle()
    #expect(!before.isShown && detail.current.isShown)
    other[0].succeed("other")
    stage.settle()
    #expect(stage.text == "other")
  }

  @Test func `what its sources do not explain is shown of a view model's own state`() {
    let detail = Detail(runtime.resource(initialState: .loaded("one")))
    detail.own = .failed(Broken())
    let stage = Stage(40, 3, runtime: runtime) { AsyncContentView(detail) { Text($0) } }
    describe(stage)
    #expect(stage.text.contains("asleep"))
    stage.press("r")
    #expect(detail.loads == 1)
    detail.own = .loading
    stage.settle()
    #expect(stage.text.contains("Loading"))
    detail.own = nil
    stage.settle()
    #expect(stage.text == "one\n\n")
  }

  @Test func `of several sources with failed changes, all are counted and answered together`() {
    struct Final: Error, RetryAdvice { let isRetryable = false }
    let (one, other) = (
      runtime.resource(initialState: .loaded("one")), runtime.resource(initialState: .loaded("two"))
    )
    let saves = ManualCalls<String, Void>()
    let both = PartialResource(one, other)
    let stage = Stage(60, 3, runtime: runtime) {
      AsyncContentView(both) { parts in
        Text("\(parts.0 ?? "") \(parts.1 ?? "")").frame(maxWidth: .infinity, maxHeight: 2)
      }
      .environment(\.describeError) { ErrorDescription(what: $0 is Final ? "Never." : "Busy.") }
    }
    for resource in [one, other] {
      resource.mutate(apply: { $0 += "!" }, commit: { try await saves.call($0) })
    }
    stage.settle()
    saves[0].fail(Final())
    saves[1].fail(Broken())
    stage.settle()
    #expect(stage.text.contains("✗ Busy. And 1 more."))
    stage.press(.control("r"))
    #expect(saves.inputs == ["one!", "two!", "two!"])
    saves[2].succeed()
    stage.settle()
    #expect(stage.text.contains("✗ Never. "))
    stage.press(.control("x"))
    #expect(!stage.text.contains("✗"))
    #expect(stage.text.contains("one two!"))
  }

  @Test func `a source that stays is not told that it disappeared when another one changes`() {
    let (list, details) = (ManualLoads<String>(), ManualLoads<String>())
    let kept = runtime.resource(list.loader)
    let model = Pair(kept, runtime.resource(details.loader))
    let stage = Stage(20, 1, runtime: runtime) { AsyncContentView(model) { Text($0) } }
    kept.cancel()
    stage.settle()
    model.detail = runtime.resource(details.loader)
    stage.settle()
    #expect(model.detail.isShown)
    #expect(list.count == 1)
    details.end()
    list.end()
    stage.settle()
  }

  /// A list that stays, and one of its elements at a time.
  @MainActor
  @Observable
  final class Pair: LoadableObject {
    let list: Resource<String>
    var detail: Resource<String>

    init(_ list: Resource<String>, _ detail: Resource<String>) {
      (self.list, self.detail) = (list, detail)
    }

    var state: LoadingState<String> { list.state }
    var sources: [any LoadableObject] { [list, detail] }

    func load() {}
  }

  private func describe(_ stage: Stage) {
    stage.host.environment.describeError = { error in
      ErrorDescription(what: (error as? Broken)?.what ?? "\(error)")
    }
  }

  @Test(arguments: [1, 2])
  func `a row of several sources shows that its element is being changed`(id: Int) {
    let saves = ManualCalls<[Int], Void>()
    let both = PartialResource(
      runtime.resource(initialState: .loaded([1])), runtime.resource(initialState: .loaded([2])))
    let stage = Stage(20, 2, runtime: runtime) {
      AsyncContentView(both) { parts in
        VStack(alignment: .leading) {
          ForEach((parts.0 ?? []) + (parts.1 ?? []), id: \.self) { Text("row \($0)").modifying($0) }
        }
      }
    }
    let resource = id == 1 ? both.parts.0 : both.parts.1
    resource.mutate(item: id, apply: { _ in }, commit: { try await saves.call($0) })
    stage.settle()
    #expect(stage.lines.map { $0.hasSuffix("⠋") } == [id == 1, id == 2])
    saves[0].succeed()
    stage.settle()
    #expect(stage.text == "row 1\nrow 2")
  }

  @Test func `the row below a paged list shows how the next page is loaded, and why it is not`() {
    let pages = ManualLoads<Page<Int, Int>>()
    let list = PagedResource(clock: runtime.clock.any, scheduler: runtime.scheduler) {
      (_: Int?) in pages.loader
    }
    let stage = Stage(40, 4, runtime: runtime) {
      VStack(alignment: .leading) {
        AsyncContentView(list) { items in
          List(items, id: \.self) { Text("item \($0)") }.onVisibleRowsChange { list.show($0) }
        }
        AsyncContentView(list.append) { _ in EmptyView() }.frame(height: 1)
      }
    }
    describe(stage)
    pages[0].succeed(Page([1], next: 2))
    stage.settle()
    #expect(stage.text == "item 1\n\n\n")
    stage.advance(by: .milliseconds(200))
    #expect(stage.lines.last?.contains("Loading") == true)
    pages[1].fail(Broken())
    stage.settle()
    #expect(stage.lines.last?.contains("r to retry") == true)
    stage.press("r")
    pages[2].succeed(Page([2], next: nil))
    stage.settle()
    #expect(stage.text == "item 1\nitem 2\n\n")
  }

  @Test func `a paged list shows a failed reload below its items, and r loads them again`() {
    let pages = ManualLoads<Page<Int, Int>>()
    let list = PagedResource(clock: runtime.clock.any, scheduler: runtime.scheduler) {
      (_: Int?) in pages.loader
    }
    let stage = Stage(40, 4, runtime: runtime) {
      AsyncContentView(list) { items in
        List(items, id: \.self) { Text("item \($0)") }
      }
    }
    describe(stage)
    stage.advance(by: .seconds(1))
    stage.press(.escape)
    #expect(stage.text.contains("r to load"))
    stage.press("r")
    pages[1].succeed(Page([1], next: nil))
    stage.settle()
    list.load()
    stage.settle()
    pages[2].fail(Broken())
    stage.settle()
    #expect(stage.text == "item 1\n\n\n✗ The server is asleep.       r to retry")
    stage.press("r")
    pages[3].succeed(Page([1, 2], next: nil))
    stage.settle()
    #expect(stage.text == "item 1\nitem 2\n\n")
  }

  @Test func `of two resources that are shown as one, r loads the failed one again`() {
    let (users, posts) = (ManualLoads<String>(), ManualLoads<[Int]>())
    let profile = PartialResource(runtime.resource(users.loader), runtime.resource(posts.loader))
    let stage = Stage(40, 3, runtime: runtime) {
      AsyncContentView(profile) { parts in
        Text("\(parts.0 ?? "Nobody"): \(parts.1?.count ?? 0)\nposts").frame(maxWidth: .infinity)
      }
    }
    describe(stage)
    #expect(stage.text == "\n\n")
    users[0].fail(Broken())
    stage.advance(by: .seconds(1))
    #expect(stage.text.contains("Loading"))
    posts[0].fail(Broken())
    stage.settle()
    #expect(stage.text.contains("✗ The server is asleep."))
    stage.press("r")
    users[1].succeed("Ada")
    posts[1].fail(Broken(what: "No posts today."))
    stage.settle()
    #expect(
      stage.text
        == "                 Ada: 0\n                 posts\n✗ No posts today.             r to retry"
    )
    stage.press("r")
    posts[2].succeed([1])
    stage.advance(by: .seconds(1))
    #expect(stage.text == "                 Ada: 1\n                 posts\n")
    #expect(users.count == 2)
  }

  /// A subscription that is live, and a load that waits behind a closed gate, shown as one.
  private func prices(
    and news: Loader<String>, connections: Lock<[AsyncStream<Int>.Continuation]>
  ) -> (Stage, Resource<Int>, Resource<String>) {
    let prices = runtime.resource(
      Loader(sequence: {
        let (stream, line) = AsyncStream.makeStream(of: Int.self)
        connections.withLock { $0.append(line) }
        return stream
      }))
    let page = PartialResource(prices, runtime.resource(news))
    let stage = Stage(40, 3, runtime: runtime) {
      AsyncContentView(page) { parts in Text("\(parts.0 ?? 0), \(parts.1 ?? "no news")") }
    }
    connections.withLock { _ = $0[0].yield(1) }
    stage.advance(by: .seconds(1))
    return (stage, prices, page.parts.1)
  }

  @Test func `Esc during one of several loads does not end the subscription beside it`() {
    let connections = Lock<[AsyncStream<Int>.Continuation]>([])
    let news = ManualLoads<String>()
    let (stage, prices, other) = prices(and: news.loader, connections: connections)
    stage.press(.escape)
    #expect(other.wasCancelled)
    #expect(prices.activity?.phase == .live)
    connections.withLock { _ = $0[0].yield(2) }
    stage.settle()
    #expect(stage.text.contains("2, no news"))
    connections.withLock { $0[0].finish() }
    news.end()
    stage.settle()
  }

  @Test func `r during the pause of one of several loads does not connect the others again`() {
    let connections = Lock<[AsyncStream<Int>.Continuation]>([])
    let (news, gate) = (ManualLoads<String>(), LoadGate("offline"))
    gate.close()
    let (stage, prices, other) = prices(and: news.loader.gated(by: gate), connections: connections)
    #expect(other.activity?.pauseReason == "offline")
    stage.press("r")
    #expect(prices.activity?.phase == .live)
    #expect(connections.withLock(\.count) == 1)
    connections.withLock { $0[0].finish() }
    gate.open()
    news.end()
    stage.settle()
    news.end()
    stage.settle()
  }

  /// A view model of a search, beside all that can be found; its state is that of the search.
  @MainActor
  @Observable
  final class SearchPage: LoadableObject {
    let search: Resource<String>
    let all: Resource<String>

    init(_ search: Resource<String>, _ all: Resource<String>) {
      (self.search, self.all) = (search, all)
    }

    var state: LoadingState<String> { search.state }
    var sources: [any LoadableObject] { [search, all] }

    func load() { all.load() }
  }

  @Test func `the prompt of several sources shows although the idle one has no loader yet`() {
    let texts = ManualLoads<String>()
    let page = SearchPage(runtime.resource(), runtime.resource(texts.loader))
    let stage = Stage(20, 1, runtime: runtime) { AsyncContentView(page) { Text($0) } }
    texts[0].succeed("everything")
    stage.settle()
    #expect(page.all.state == .loaded("everything"))
    #expect(stage.text.contains("r to load"))
    stage.press("r")
    #expect(texts.count == 2)
    texts.end()
    stage.settle()
  }
}
