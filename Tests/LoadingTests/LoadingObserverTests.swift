import LoadingTesting
import Observation
import Synchronization
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct LoadingObserverTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  private let log = Log()

  @MainActor private final class Log {
    var lines: [String] = []
  }

  private func observer(capacity: Int = 256) -> LoadingObserver {
    LoadingObserver(capacity: capacity) { [log] report in
      let elapsed = report.record.elapsed.map { " after \($0)" } ?? ""
      log.lines.append("\(report.name): \(report.record.event)\(elapsed)")
    }
  }

  private func resource(
    _ loader: Loader<Int>, name: String? = "number", observer: LoadingObserver? = nil
  ) -> Resource<Int> {
    Resource(
      loader, name: name, clock: runtime.clock.any,
      scheduler: runtime.scheduler.observed(by: observer ?? self.observer()))
  }

  @Test func `of two resources with the same name each report says which of them it is about`() {
    let observer = observer()
    let (one, other) = (
      resource(loads.loader, observer: observer), resource(loads.loader, observer: observer)
    )
    other.load()
    one.load()
    runtime.run()
    #expect(
      observer.timeline.map(\.resource) == [ObjectIdentifier(other), ObjectIdentifier(one)])
    loads.end()
    runtime.run()
  }

  @Test func `every load, attempt and failure is reported with its name and duration`() {
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
        "number: started(Loading.LoadActivity.Cause.user) after 0.0 seconds",
        "number: attemptFailed(broken) after 2.0 seconds",
        "number: attempted(2) after 3.0 seconds",
        "number: finished after 3.0 seconds",
      ])
  }

  @Test func `mutations are reported with how long they were pending`() {
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

  @Test func `each failed attempt to store a mutation is reported before the next`() {
    let resource = resource(.constant(1))
    resource.set(.loaded(1))
    let commits = ManualCalls<Int, Void>()
    let addition = Mutation<Int> {
      $0 += 1
    } commit: {
      try await commits.call($0)
    }
    resource.mutate(
      addition.committing { $0.retrying(limit: 2, backoff: Backoff { _ in .seconds(1) }) })
    runtime.advance(by: .seconds(3))
    commits[0].fail(Broken())
    runtime.advance(by: .seconds(1))
    commits[1].succeed()
    runtime.run()
    #expect(
      log.lines.dropFirst(2) == [
        "number: commitAttemptFailed(mutation 1, broken) after 3.0 seconds",
        "number: committed(mutation 1) after 4.0 seconds",
      ])
  }

  @Test func `pauses and cached values are reported`() {
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

  @Test func `a resource without a name is named after the type of its value`() {
    #expect(resource(.constant(1), name: nil).name == "Int")
  }

  @Test func `the resources that are alive are listed in the order of their creation`() {
    let observer = observer()
    let first = resource(.constant(1), name: "first", observer: observer)
    var second: Resource<Int>? = resource(loads.loader, name: "second", observer: observer)
    let third = resource(.constant(3), name: "third", observer: observer)
    runtime.advance(by: .seconds(1))
    first.appear()
    runtime.run()
    second?.load()
    runtime.run()
    third.set(.failed(Broken()))
    let shown = observer.resources
    #expect(shown.map(\.name) == ["first", "second", "third"])
    #expect(shown[0].state.value as? Int == 1)
    #expect(shown[0].loadedAt == .ms(1000))
    #expect(shown.map(\.isShown) == [true, false, false])
    #expect(shown[1].state.isLoading)
    #expect(shown[1].activity?.cause == .user)
    #expect(shown[2].failure?.failureCount == 1)
    #expect(shown.map { $0.ticket?.description } == ["#1", "#1", "#1"])
    second = nil
    loads.end()
    runtime.run()
    #expect(observer.resources.map(\.name) == ["first", "third"])
  }

  @Test func `a resource says how many of its mutations are pending and how many have failed`() {
    let observer = observer()
    let resource = resource(.constant(1), observer: observer)
    resource.set(.loaded(1))
    let commits = ManualCalls<Int, Void>()
    for _ in 1...3 {
      resource.mutate(apply: { $0 += 1 }, commit: { try await commits.call($0) })
    }
    runtime.run()
    commits[0].fail(Broken())
    runtime.run()
    #expect(observer.resources.map(\.pendingMutationCount) == [2])
    #expect(observer.resources.map(\.failedMutationCount) == [1])
    commits[1].succeed()
    runtime.run()
    commits[2].succeed()
    runtime.run()
    #expect(observer.resources.map(\.pendingMutationCount) == [0])
  }

  @Test func `an observer keeps no resource alive, and forgets released ones`() {
    let observer = observer()
    let kept = resource(.constant(0), name: "kept", observer: observer)
    for number in 1...10_000 { _ = resource(.constant(number), observer: observer) }
    #expect(observer.resources.map(\.name) == ["kept"])
    #expect(observer.seenCount < 100)
    #expect(kept.state.isIdle)
  }

  @Test func `an observer can load a resource again, and make it show another state`() {
    let observer = LoadingObserver()
    let loads = ManualLoads<Int>()
    let resource = Resource(
      loads.loader, clock: runtime.clock.any, scheduler: runtime.scheduler.observed(by: observer))
    let id = ObjectIdentifier(resource)
    #expect(observer.resources[0].canReload)
    observer.reload(id)
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    observer.force(.loading, on: id)
    #expect(resource.isLoading && resource.state == .loaded(1))
    observer.force(.failed(Broken()), on: id)
    #expect(resource.currentFailure?.error is Broken)
    observer.force(.idle, on: id)
    #expect(resource.state == .idle)
    observer.reload(id)
    runtime.run()
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    // A state is not forced where that would lose a pending change, or a value that cannot be
    // loaded again.
    let commits = ManualCalls<Int, Void>()
    resource.mutate(apply: { $0 = 3 }, commit: { try await commits.call($0) })
    observer.force(.idle, on: id)
    #expect(resource.state == .loaded(3))
    runtime.run()
    commits[0].succeed(())
    runtime.run()
    let fixed = Resource(
      initialState: .loaded(1), clock: runtime.clock.any,
      scheduler: runtime.scheduler.observed(by: observer))
    observer.force(.idle, on: ObjectIdentifier(fixed))
    #expect(fixed.state == .loaded(1))
  }

  @Test func `the timeline keeps the newest events of all resources`() {
    let observer = observer(capacity: 3)
    let resources = ["a", "b"].map { resource(.constant(1), name: $0, observer: observer) }
    for resource in resources {
      resource.load()
      runtime.advance(by: .seconds(1))
    }
    #expect(observer.timeline.map(\.name) == ["a", "b", "b"])
    #expect(observer.timeline.map { $0.record.at } == [.ms(0), .ms(1000), .ms(1000)])
  }

  @Test func `a view that reads the resources or the timeline is notified of each event`() {
    let observer = observer()
    let resource = resource(.constant(1), observer: observer)
    let changes = Mutex(0)
    for _ in 1...2 {
      withObservationTracking {
        _ = observer.resources
        _ = observer.timeline
      } onChange: {
        changes.withLock { $0 += 1 }
      }
      resource.set(.loaded(1))
    }
    #expect(changes.withLock(\.self) == 2)
    _ = self.resource(.constant(2), observer: observer)
    #expect(changes.withLock(\.self) == 2)
  }

  @Test
  func `resources of an observed scheduler share scopes with those of the original scheduler`() {
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
