import LoadingTesting
import Observation
import Synchronization
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct ObservationTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  /// Counts how often a reader was notified of a change.
  final class Changes: Sendable {
    private let total = Mutex(0)
    var count: Int { total.withLock { $0 } }
    func note() { total.withLock { $0 += 1 } }
  }

  func changes(of read: @MainActor () -> Void) -> Changes {
    let changes = Changes()
    withObservationTracking(read) { changes.note() }
    return changes
  }

  @Test func `whatever is made of resources can be held by a view as an observable object`() {
    func changes(of object: some LoadableObject & Observable) -> Changes {
      let noted = self.changes { _ = object.state }
      object.load()
      return noted
    }
    let loader = Loader.constant(1)
    let list = PagedResource(clock: runtime.clock.any, scheduler: runtime.scheduler) {
      (_: Int?) in loader.map { Page([$0], next: nil) }
    }
    #expect(changes(of: list).count == 1)
    let rows = RangedResource(
      clock: runtime.clock.any, scheduler: runtime.scheduler, count: loader
    ) { _ in loader.map { [$0] } }
    #expect(changes(of: rows).count == 1)
    #expect(changes(of: PartialResource(runtime.resource(loader))).count == 1)
    runtime.run()
  }

  @Test func `a view that reads the state is notified when it changes`() {
    let resource = runtime.resource(loads.loader)
    let changes = changes { _ = resource.state }
    resource.load()
    #expect(changes.count == 1)
    runtime.run()
    loads.end()
  }

  @Test func `a view of the value is not drawn for the progress of a reload`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    let state = changes { _ = resource.state }
    let progress = changes { _ = resource.progress }
    resource.load()
    runtime.run()
    let isLoading = changes { _ = resource.isLoading }
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(state.count == 0)
    #expect(progress.count == 1)
    #expect(isLoading.count == 0)
    loads[0].succeed(2)
    runtime.run()
    #expect(state.count == 1)
    #expect(isLoading.count == 1)
  }

  @Test func `a step of the progress does not change the activity`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    resource.load()
    runtime.run()
    let activity = changes { _ = resource.activity }
    let failure = changes { _ = resource.currentFailure }
    let timing = changes { _ = resource.timing }
    let progress = changes { _ = resource.progress }
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect([activity, failure, timing].map(\.count) == [0, 0, 0])
    #expect(progress.count == 1)
    #expect(resource.progress?.percent == 50)
    loads[0].succeed(2)
    runtime.run()
    #expect([activity, failure, timing].map(\.count) == [1, 1, 1])
    #expect(resource.progress == nil)
  }

  @Test func `each property notifies of its own changes`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(1))
    let mutations = changes { _ = resource.modifyingIDs }
    let failure = changes { _ = resource.currentFailure }
    let history = changes { _ = resource.history }
    resource.load()
    #expect(mutations.count == 0)
    resource.mutate(item: 1, apply: { $0 += 1 }, commit: { _ in })
    #expect(mutations.count == 1)
    #expect(failure.count == 1)
    #expect(history.count == 1)
    runtime.run()
    loads.end()
    runtime.run()
    loads.end()
    runtime.run()
  }

  @Test func `a pool notifies of changes of its counts`() {
    let pool = ResourcePool<Int, Int>(clock: runtime.clock.any, scheduler: runtime.scheduler) {
      .constant($0)
    }
    let counts = changes { _ = pool.counts }
    _ = pool[1]
    runtime.run()
    #expect(counts.count == 1)
  }

  @Test func `a change has its own number although an observer begins another one`() {
    let resource = runtime.resource(initialState: .loaded(0))
    var nested: PendingMutation.ID?
    resource.changed = { [unowned resource] _, _ in
      resource.changed = nil
      nested = resource.mutate(apply: { $0 += 10 }, commit: { _ in })
    }
    let id = resource.mutate(apply: { $0 += 1 }, commit: { _ in })
    #expect(id?.number == 1)
    #expect(nested?.number == 2)
    runtime.run()
    #expect(resource.state == .loaded(11))
  }

  @Test func `an undo says that it has succeeded although an observer begins a change`() {
    let resource = runtime.resource(initialState: .loaded(0))
    let id = resource.mutate(undoWindow: .seconds(5), apply: { $0 += 1 }, commit: { _ in })
    resource.changed = { [unowned resource] _, _ in
      resource.changed = nil
      resource.mutate(apply: { $0 += 10 }, commit: { _ in })
    }
    #expect(id.map { resource.undo($0) } == true)
    #expect(id.map { resource.undo($0) } == false)
    runtime.run()
    #expect(resource.state == .loaded(10))
  }

  @Test func `the history is bounded and in order`() {
    let resource = Resource(
      loads.loader, historyCapacity: 3, clock: runtime.clock.any, scheduler: runtime.scheduler)
    for _ in 0..<10 {
      resource.load()
      resource.cancel()
    }
    let kinds = resource.history.map { record in
      switch record.event {
      case .started: "started"
      case .cancelled: "cancelled"
      default: "other"
      }
    }
    #expect(kinds == ["cancelled", "started", "cancelled"])
    #expect(resource.history.last?.ticket == resource.history.dropLast().last?.ticket)
    runtime.run()
    loads.end()
    runtime.run()
  }
}
