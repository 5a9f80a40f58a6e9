import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct LoadingObserverTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  private let log = Log()

  @MainActor private final class Log {
    var lines: [String] = []
  }

  private var scheduler: LoadScheduler {
    runtime.scheduler.observed { [log] report in
      let elapsed = report.record.elapsed.map { " after \($0)" } ?? ""
      log.lines.append("\(report.name): \(report.record.event)\(elapsed)")
    }
  }

  private func resource(_ loader: Loader<Int>, name: String? = "number") -> Resource<Int> {
    Resource(loader, name: name, clock: runtime.clock.any, scheduler: scheduler)
  }

  @Test func `every load, attempt and failure is told, with its name and how long it took`() {
    let resource = resource(
      loads.loader.retrying(limit: 2, backoff: Backoff { _ in .seconds(1) }))
    resource.load()
    runtime.advance(by: .seconds(2))
    loads[0].fail(Broken())
    runtime.advance(by: .seconds(1))
    loads[1].succeed(1)
    runtime.run()
    #expect(
      log.lines == [
        "number: started(Loading.LoadCause.user) after 0.0 seconds",
        "number: attemptFailed(broken) after 2.0 seconds",
        "number: attempted(2) after 3.0 seconds",
        "number: finished after 3.0 seconds",
      ])
  }

  @Test func `changes are told, with how long they were pending`() {
    let resource = resource(.constant(1))
    resource.set(.loaded(1))
    let commits = ManualCalls<Int, Void>()
    resource.mutate(apply: { $0 += 1 }, commit: { try await commits.call($0) })
    runtime.advance(by: .seconds(3))
    commits[0].fail(Broken())
    runtime.run()
    #expect(
      log.lines == [
        "number: published", "number: mutated(mutation 1)",
        "number: commitFailed(mutation 1, broken) after 3.0 seconds",
      ])
  }

  @Test func `pauses and values of a cache are told`() {
    let gate = LoadGate("offline")
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(9), lifetime: .seconds(9))
    let loader = loads.loader.gated(by: gate).cached(in: cache, key: 1)
    gate.close()
    let first = resource(loader, name: "first")
    first.appear()
    runtime.run()
    gate.open()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    let second = resource(loader, name: "second")
    second.appear()
    runtime.run()
    #expect(second.state == .loaded(1))
    #expect(
      log.lines.map { $0.prefix { $0 != "(" }.split(separator: " after")[0] } == [
        "first: started", "first: paused", "first: resumed", "first: finished",
        "second: started", "second: foundInCache", "second: finished",
      ])
  }

  @Test func `a resource without a name has that of its value's type`() {
    #expect(resource(.constant(1), name: nil).name == "Int")
  }

  @Test func `resources of an observed scheduler share scopes with those of the scheduler`() {
    let commits = ManualCalls<Int, Void>()
    let watched = resource(.constant(1))
    watched.set(.loaded(1))
    let other = runtime.resource(initialState: .loaded(1))
    for resource in [watched, other] {
      resource.mutate(
        Mutation(scope: "account", apply: { $0 += 1 }, commit: { try await commits.call($0) }))
    }
    runtime.run()
    #expect(commits.count == 1)
    commits[0].succeed()
    runtime.run()
    #expect(commits.count == 2)
    commits[1].succeed()
    runtime.run()
  }
}
