import Loading
import LoadingTesting
import Testing

// The documentation's examples of tests, word for word, which also run here.

private struct Sock: Equatable, Sendable {
  let id: Int
  var isClean = false
}

private struct Offline: Error {}

private let loader = Loader<Int>.constant(1)

// Stands for the program's drawing.
private func draw(_ contents: Any?...) {}

@MainActor
@Test func `a slow article shows its progress`() {
  let runtime = ManualRuntime()
  let article = runtime.resource(
    Loader.scripted([
      .at(.milliseconds(300), .loading(LoadingProgress(fraction: 0.5))),
      .at(.milliseconds(900), .loaded("Hello")),
    ]))
  article.load()
  runtime.advance(by: .milliseconds(300))
  #expect(article.progress?.percent == 50)
  runtime.advance(by: .milliseconds(600))
  #expect(article.state == .loaded("Hello"))
}

@MainActor
@Test func `the examples of loads that are answered by hand do what they say`() {
  let runtime = ManualRuntime()
  do {
    let loads = ManualLoads<String>()
    let article = runtime.resource(loads.loader)
    article.load()
    runtime.run()
    article.load(.restart)
    runtime.run()
    loads[1].succeed("new")
    loads[0].succeed("old")
    runtime.run()
    #expect(article.state == .loaded("new"))
  }
  do {
    let loads = ManualLoads<String>()
    let resource = runtime.resource(loads.loader)
    resource.load()
    runtime.run()
    loads[0].succeed("Hello")
    runtime.run()
    #expect(resource.state == .loaded("Hello"))
  }
  do {
    let resource = runtime.resource(initialState: .loaded(Sock(id: 1)))
    let saves = ManualCalls<Sock, Void>()
    resource.mutate(apply: { $0.isClean = true }, commit: { try await saves.call($0) })
    runtime.run()
    saves[0].fail(Offline())
    runtime.run()
    #expect(resource.failedMutations.count == 1)
  }
}

@MainActor
@Test func `the example of a runtime does what it says`() {
  let loader = Loader.scripted([
    .at(.milliseconds(300), .loading(LoadingProgress(fraction: 0.5))),
    .at(.milliseconds(900), .loaded("Hello")),
  ])
  let runtime = ManualRuntime()
  let resource = Resource(loader, clock: runtime.clock.any, scheduler: runtime.scheduler)
  resource.load()
  runtime.advance(by: .seconds(1))
  #expect(resource.state == .loaded("Hello"))
}

@MainActor
private func clocks(_ executor: ManualExecutor) {
  let clock = ManualClock()
  let resource = Resource(loader, clock: clock.any, scheduler: executor.scheduler)
  clock.advance(by: .seconds(1))
  draw(resource)
}

@MainActor
@Test func `the example of states does what it says`() async {
  let runtime = ManualRuntime()
  var resource: Resource<Int>? = runtime.resource(.constant(1))
  guard let states = resource?.states() else { return }
  resource?.load()
  runtime.run()
  resource = nil  // ends the states
  #expect(await difference(of: states, from: [.idle, .loading, .loaded(1)]) == nil)
}
