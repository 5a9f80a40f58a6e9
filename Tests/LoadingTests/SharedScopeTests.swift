import Loading
import LoadingTesting
import Testing

/// Mutations of one scope that belong to several resources.
@MainActor
@Suite(.leavesNothingBehind) struct SharedScopeTests {
  let runtime = ManualRuntime()

  func change(
    _ commits: ManualCalls<Int, Void>, scope: String? = "account", undoWindow: Duration? = nil
  ) -> Mutation<Int> {
    Mutation(scope: scope, undoWindow: undoWindow) {
      $0 += 1
    } commit: {
      try await commits.call($0)
    }
  }

  @Test func `changes of one scope are committed in order across resources`() {
    let (first, second) = (ManualCalls<Int, Void>(), ManualCalls<Int, Void>())
    let left = runtime.resource(initialState: .loaded(0))
    let right = runtime.resource(initialState: .loaded(0))
    left.mutate(change(first))
    right.mutate(change(second))
    left.mutate(change(first))
    runtime.run()
    #expect((first.count, second.count) == (1, 0))
    #expect(right.pendingMutations.map(\.phase) == [.waiting])
    #expect(right.state == .loaded(1))
    first[0].succeed()
    runtime.run()
    #expect((first.count, second.count) == (1, 1))
    second[0].fail(Broken())
    runtime.run()
    #expect((first.count, second.count) == (2, 1))
    first[1].succeed()
    runtime.run()
    #expect(!left.hasPendingMutations)
  }

  @Test func `a patch and a commit without a mutation can have a shared scope, too`() {
    let commits = ManualCalls<Int, Void>()
    let resources = (0..<2).map { _ in runtime.resource(initialState: .loaded(0)) }
    resources[0].mutate(scope: "account", apply: { $0 += 1 }) { try await commits.call($0) }
    resources[1].mutate(scope: "account", apply: { $0 += 2 }) { try await commits.call(2) }
    runtime.run()
    #expect(commits.inputs == [1])
    commits[0].succeed()
    runtime.run()
    #expect(commits.inputs == [1, 2])
    commits[1].succeed()
    runtime.run()
    #expect(resources.map(\.state) == [.loaded(1), .loaded(2)])
  }

  @Test
  func `a change that waits for another resource can be undone, and the next one is committed`() {
    let (first, second) = (ManualCalls<Int, Void>(), ManualCalls<Int, Void>())
    let resources = (0..<3).map { _ in runtime.resource(initialState: .loaded(0)) }
    resources[0].mutate(change(first))
    let undone = resources[1].mutate(change(second))
    resources[2].mutate(change(second))
    runtime.run()
    #expect(undone.map(resources[1].undo) == true)
    first[0].succeed()
    runtime.run()
    #expect(second.count == 1)
    #expect(resources[1].state == .loaded(0))
    second[0].succeed()
    runtime.run()
  }

  @Test func `a reset gives the turn to the next resource`() {
    let (first, second) = (ManualCalls<Int, Void>(), ManualCalls<Int, Void>())
    let left = runtime.resource(initialState: .loaded(0))
    let right = runtime.resource(initialState: .loaded(0))
    left.mutate(change(first, undoWindow: .seconds(9)))
    right.mutate(change(second))
    runtime.run()
    #expect(second.count == 0)
    left.reset()
    runtime.run()
    #expect(second.count == 1)
    second[0].succeed()
    runtime.run()
  }

  @Test func `a change that waits for another resource is committed even if its screen was left`() {
    let (first, second) = (ManualCalls<Int, Void>(), ManualCalls<Int, Void>())
    let left = runtime.resource(initialState: .loaded(0))
    var right: Resource<Int>? = runtime.resource(initialState: .loaded(0))
    left.mutate(change(first))
    right?.mutate(change(second))
    right = nil
    runtime.run()
    first[0].succeed()
    runtime.run()
    #expect(second.inputs == [1])
    second.end()
    runtime.run()
  }

  @Test func `scopes without a name belong to one resource`() {
    let commits = ManualCalls<Int, Void>()
    let left = runtime.resource(initialState: .loaded(0))
    let right = runtime.resource(initialState: .loaded(0))
    left.mutate(change(commits, scope: nil))
    right.mutate(change(commits, scope: nil))
    runtime.run()
    #expect(commits.count == 2)
    commits.end()
    runtime.run()
  }
}
