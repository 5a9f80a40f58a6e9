import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct HiddenSubscriptionTests {
  let runtime = ManualRuntime()
  let subscriptions = ManualLoads<Int>()
  let resource: Resource<Int>

  init() {
    resource = runtime.resource(subscriptions.loader)
  }

  /// Makes the subscription with number `index` deliver a value, after which it is live.
  private func deliver(_ value: Int, from index: Int = 0) {
    subscriptions[index].output.yield(value)
    subscriptions[index].context.send(.phase(.live))
    runtime.run()
  }

  private func end() {
    resource.reset()
    subscriptions.end()
    runtime.run()
  }

  @Test
  func `a subscription pauses when its last viewer leaves, and starts again with the next one`() {
    resource.appear()
    resource.appear()
    runtime.run()
    deliver(1)
    resource.disappear()
    #expect(resource.activity?.phase == .live)
    resource.disappear()
    runtime.run()
    #expect(resource.activity?.pauseReason == "hidden")
    #expect(!resource.isLoading)
    #expect(resource.state == .loaded(1))
    #expect(subscriptions[0].isCancelled)
    deliver(2)
    #expect(resource.state == .loaded(1))

    resource.appear()
    runtime.run()
    #expect(subscriptions.count == 2)
    #expect(resource.state == .loaded(1))
    deliver(3, from: 1)
    #expect(resource.activity?.phase == .live)
    #expect(resource.state == .loaded(3))
    end()
  }

  @Test func `a subscription that delivers after its viewers have left keeps its value and pauses`()
  {
    resource.appear()
    runtime.run()
    resource.disappear()
    deliver(1)
    #expect(resource.state == .loaded(1))
    #expect(resource.activity?.pauseReason == "hidden")
    #expect(subscriptions[0].isCancelled)
    end()
  }

  @Test func `a subscription that no view ever showed does not pause`() {
    resource.load()
    runtime.run()
    deliver(1)
    #expect(resource.activity?.phase == .live)
    end()
  }

  @Test func `the user can load a hidden subscription, and it pauses again`() async {
    resource.appear()
    runtime.run()
    deliver(1)
    resource.disappear()
    resource.load()
    runtime.run()
    deliver(2, from: 1)
    #expect(resource.state == .loaded(2))
    #expect(resource.activity?.pauseReason == "hidden")
    #expect(await resource.settled() == .loaded(2))
    end()
  }

  @Test func `a hidden subscription loads a stored change once, and pauses again`() {
    let commits = ManualCalls<Int, Void>()
    resource.appear()
    runtime.run()
    deliver(1)
    resource.mutate(apply: { $0 += 10 }, commit: { try await commits.call($0) })
    resource.disappear()
    runtime.run()
    #expect(resource.activity?.pauseReason == "hidden")
    commits[0].succeed(())
    runtime.run()
    #expect(subscriptions.count == 2)
    deliver(11, from: 1)
    #expect(resource.state == .loaded(11))
    #expect(resource.activity?.pauseReason == "hidden")
    #expect(subscriptions.count == 2)
    end()
  }

  @Test
  func `a hidden subscription is not timed as a load, and starts again after it was cancelled`() {
    resource.appear()
    runtime.run()
    deliver(1)
    resource.disappear()
    #expect(resource.timing.reloads.allSatisfy { $0.end != nil })
    resource.cancel()
    #expect(resource.activity == nil)
    resource.appear()
    runtime.run()
    #expect(subscriptions.count == 2)
    end()
  }

  @Test func `a subscription that a set state has ended starts again with the next viewer`() {
    resource.appear()
    runtime.run()
    deliver(1)
    resource.set(.loaded(5))
    resource.set(.loaded(6))
    resource.appear()
    runtime.run()
    #expect(resource.state == .loaded(6), "while it is shown, the program decides")
    #expect(subscriptions.count == 1)
    resource.disappear()
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(subscriptions.count == 2)
    deliver(7, from: 1)
    #expect(resource.state == .loaded(7))
    end()
  }

  @Test func `a subscription that was hidden starts again after a state was set`() {
    resource.appear()
    runtime.run()
    deliver(1)
    resource.disappear()
    resource.set(.loaded(5))
    resource.appear()
    runtime.run()
    #expect(subscriptions.count == 2)
    end()
  }

  @Test func `a value of a live subscription is one change`() {
    resource.appear()
    runtime.run()
    deliver(1)
    var changeCount = 0
    resource.changed = { _, _ in changeCount += 1 }
    deliver(2)
    #expect(resource.state == .loaded(2))
    #expect(changeCount == 1)
    end()
  }

  @Test(arguments: ["is cancelled", "is given up and then cancelled", "is replaced by a set value"])
  func `a subscription whose next load hangs and`(how: String) {
    resource.appear()
    runtime.run()
    deliver(1)
    resource.load(.restart)
    runtime.run()
    if how.hasPrefix("is given up") {
      subscriptions[1].context.send(.phase(.waiting))
      resource.disappear()
      runtime.run()
      resource.appear()
      runtime.run()
    }
    if how.hasSuffix("cancelled") { resource.cancel() } else { resource.set(.loaded(5)) }
    resource.disappear()
    let count = subscriptions.count
    resource.appear()
    runtime.run()
    #expect(subscriptions.count == count + 1, "it starts again with the next view")
    end()
  }

  @Test
  func `a subscription that was invalidated before it delivered connects again for the next view`()
  {
    resource.appear()
    runtime.run()
    resource.invalidate()
    resource.disappear()
    deliver(1)
    #expect(subscriptions.count == 1)
    #expect(resource.activity?.pauseReason == "hidden")
    resource.appear()
    runtime.run()
    #expect(resource.activity?.cause == .invalidated)
    deliver(2, from: 1)
    #expect(resource.activity?.phase == .live)
    #expect(subscriptions.count == 2)
    end()
  }
}
