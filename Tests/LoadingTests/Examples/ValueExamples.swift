import Loading
import LoadingTesting
import Testing

/// More well-known patterns: progress, composition, and values that are changed.
@MainActor
@Suite(.leavesNothingBehind) struct ValueExamples {
  struct Sock: Hashable, Sendable, Identifiable {
    let id: Int
    var sogginess = 0
  }

  let runtime = ManualRuntime()

  // MARK: Progress

  @Test func `progress with a message`() async {
    var feeds: Resource<Int>? = runtime.resource(
      Loader { context in
        for done in 1...2 {
          try await context.clock.sleep(until: context.clock.now.advanced(by: .seconds(1)))
          context.report(LoadingProgress(message: "\(done) of 2", completed: done, of: 2))
        }
        return 2
      })
    let states = feeds?.states()
    feeds?.load()
    runtime.advance(by: .seconds(1))
    #expect(feeds?.progress?.percent == 50)
    runtime.advance(by: .seconds(1))
    feeds = nil
    await expectStates(
      states,
      [
        .idle, .loading, .loading(LoadingProgress(message: "1 of 2", fraction: 0.5)),
        .loading(LoadingProgress(message: "2 of 2", fraction: 1)), .loaded(2),
      ])
  }

  // MARK: Composed loaders

  @Test func `composed loaders`() {
    let cache = LoadCache<String, Int>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let limit = LoadLimit(2)
    let api = ManualLoads<Int>()
    let loader = api.loader
      .limited(by: limit)
      .timeout(.seconds(5))
      .retrying(limit: 3, backoff: Backoff(random: { 1 }))
      .cached(in: cache, key: "answer")
      .map { "The answer is \($0)." }
    let answer = runtime.resource(loader)
    answer.appear()
    runtime.advance(by: .seconds(5))
    #expect(answer.currentFailure?.error is LoadingError)
    runtime.advance(by: .milliseconds(500))
    #expect(answer.activity?.attempt == 2)
    api[1].succeed(42)
    runtime.run()
    #expect(answer.state == .loaded("The answer is 42."))
    api.end()

    let again = runtime.resource(loader)
    again.appear()
    runtime.run()
    #expect(again.state == .loaded("The answer is 42."))
    #expect(api.count == 2)
  }

  @Test func `a user and posts, loaded together or each by itself`() {
    let together = runtime.resource(
      Loader.zip(Loader.constant("Ada"), Loader.constant([1, 2])).map { "\($0): \($1.count)" })
    together.load()
    runtime.run()
    #expect(together.state == .loaded("Ada: 2"))

    let user = runtime.resource(Loader.constant("Ada"))
    let posts = runtime.resource(Loader<[Int]>.failure(Broken()))
    let page = PartialResource(user, posts)
    page.load()
    runtime.run()
    #expect(page.values.0 == "Ada")
    #expect(page.failures.count == 1)
  }

  // MARK: A loaded item changed in place

  @Test func `a loaded item changed in place`() throws {
    let api = ManualCalls<Sock, Void>()
    let sock = runtime.resource(initialState: .loaded(Sock(id: 1)))
    let editor = sock.access { try await api.call($0.value) }
    let sogginess = try #require(editor).sogginess

    sogginess.modify { $0 = 3 }
    #expect(sock.latestValue?.sogginess == 3)
    runtime.run()
    api[0].fail(Broken())
    runtime.run()
    #expect(sogginess.value == 0)
    #expect(sock.failedMutations.count == 1)
  }

  // MARK: Each row changed by itself

  @Test func `rows that are changed each by itself`() {
    let api = ManualCalls<Sock.ID, Void>()
    let drawer = runtime.resource(
      initialState: .loaded([Sock(id: 1), Sock(id: 2), Sock(id: 3)]))
    for id in [1, 3] {
      drawer.mutate(
        item: id, timing: .confirmed,
        apply: { $0.removeAll { $0.id == id } }, commit: { _ in try await api.call(id) })
    }
    #expect([1, 2, 3].map { drawer.isModifying($0) } == [true, false, true])
    runtime.run()
    api[0].succeed()
    api[1].fail(Broken())
    runtime.run()
    #expect(drawer.latestValue?.map(\.id) == [2, 3])
    #expect(drawer.modifyingIDs.isEmpty)
    #expect(drawer.failedMutations.map(\.item) == [MutationKey(3)])
  }

  // MARK: The whole history with its accessors

  @Test func `the whole history with its accessors`() {
    let loads = ManualLoads<Int>()
    let number = runtime.resource(loads.loader, errorPolicy: .replace)
    number.load()
    #expect(number.state.isLoading)
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    number.load()
    #expect(number.isLoading && number.state == .loaded(1))
    runtime.run()
    loads[1].fail(Broken())
    runtime.run()
    #expect(number.latestValue == 1)
    #expect(number.state.value == nil)
    #expect(number.failure?.error as? Broken == Broken())
    #expect(throws: Broken()) { try number.lastResult?.get() }
    #expect(number.failure?.failureCount == 1)
    #expect(number.state == .failed(Broken()))
    number.retry()
    runtime.run()
    loads[2].succeed(2)
    runtime.run()
    #expect(number.state == .loaded(2))
    #expect(number.failure == nil)
    #expect(number.history.count == 6)
  }
}
