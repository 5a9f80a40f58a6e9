import LoadingTesting
import Testing

@testable import Loading

/// A change of a value is stored for that value, even if the value of another input is loaded
/// before it is committed.
@MainActor
@Suite(.leavesNothingBehind) struct ChangeBeforeOtherInputTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<[String]>()
  let commits = ManualCalls<[String], Void>()

  private func change(
    _ resource: Resource<[String]>, scope: String? = nil, undoWindow: Duration? = nil,
    throttle: Duration? = nil, star: String = "*"
  ) {
    resource.mutate(
      scope: scope, field: "star", undoWindow: undoWindow, throttle: throttle,
      apply: { $0.append(star) }, commit: { [commits] in try await commits.call($0) })
  }

  private func resource() -> Resource<[String]> {
    runtime.resource(initialState: .loaded(["first"]))
  }

  @Test func `a change that can be undone is committed when another input is loaded`() {
    let resource = resource()
    change(resource, undoWindow: .seconds(5))
    resource.load(loads.loader)
    runtime.run()
    #expect(commits.inputs == [["first", "*"]])
    // The load overlaps the commit, so it is run again after it.
    loads.latest?.succeed(["second"])
    runtime.run()
    #expect(resource.state == .loaded(["first", "*"]))
    commits.latest?.succeed(())
    runtime.run()
    loads.latest?.succeed(["second"])
    runtime.run()
    #expect(resource.state == .loaded(["second"]))
    runtime.advance(by: .seconds(5))
    #expect(commits.count == 1)
  }

  @Test
  func `a change that can be undone is committed if it is made while another input is loaded`() {
    let resource = resource()
    resource.load(loads.loader)
    change(resource, undoWindow: .seconds(5))
    runtime.run()
    #expect(commits.inputs == [["first", "*"]])
    commits.latest?.succeed(())
    runtime.run()
    loads.latest?.succeed(["second"])
    runtime.run()
    #expect(resource.state == .loaded(["second"]))
    loads.end()
    runtime.run()
  }

  @Test func `a throttled change is committed before another input is loaded`() {
    let resource = resource()
    change(resource, throttle: .seconds(5), star: "1")
    runtime.run()
    commits.latest?.succeed(())
    runtime.run()
    change(resource, throttle: .seconds(5), star: "2")
    runtime.run()
    #expect(commits.count == 1)
    resource.load(loads.loader)
    runtime.run()
    #expect(commits.inputs.last == ["first", "1", "2"])
    commits.latest?.succeed(())
    runtime.run()
    loads.latest?.succeed(["second"])
    runtime.run()
    #expect(resource.state == .loaded(["second"]))
    loads.end()
    runtime.run()
  }

  @Test func `the value of another input waits for a change that waits for its turn`() {
    let (other, resource) = (resource(), resource())
    change(other, scope: "shared")
    change(resource, scope: "shared")
    resource.load(loads.loader)
    runtime.run()
    loads.latest?.succeed(["second"])
    runtime.run()
    #expect(resource.state == .loaded(["first", "*"]))
    commits.latest?.succeed(())
    runtime.run()
    #expect(commits.inputs == [["first", "*"], ["first", "*"]])
    commits.latest?.succeed(())
    runtime.run()
    loads.latest?.succeed(["second"])
    runtime.run()
    #expect(resource.state == .loaded(["second"]))
  }

  @Test func `a change of a value whose new input was cancelled can still be undone`() throws {
    let resource = resource()
    resource.load(loads.loader)
    resource.cancel()
    change(resource, undoWindow: .seconds(5))
    runtime.run()
    #expect(commits.count == 0)
    let id = try #require(resource.pendingMutations.first?.id)
    #expect(resource.undo(id))
    loads.end()
    runtime.run()
  }
}
