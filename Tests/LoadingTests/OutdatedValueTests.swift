import LoadingTesting
import Testing

@testable import Loading

/// What becomes of a value that is known to be out of date if the load that is to replace it does
/// not end well, or is one of several.
@MainActor
@Suite(.leavesNothingBehind, .timeLimit(.minutes(10))) struct OutdatedValueTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  let texts = ManualLoads<String>()
  let calls = ManualCalls<String, Void>()
  /// Resolves a conflict by another value.
  let merge: MutationOutbox.Handler<String>

  init() {
    merge = MutationOutbox.Handler("merge") { name, _ in
      .replace(name + ", merged")
    } send: { [calls] name, _ in
      try await calls.call(name)
    }
  }

  private func outbox(_ journal: MemoryJournal) -> MutationOutbox {
    MutationOutbox(
      journal, handlers: merge, attempts: 2, clock: runtime.clock.any, scheduler: runtime.scheduler)
  }

  private func resource(_ tag: String) -> Resource<Int> {
    runtime.resource(loads.loader.tagged(tag))
  }

  private func answer(_ value: Int) {
    loads.latest?.succeed(value)
    runtime.run()
  }

  @Test(arguments: [true, false])
  func `a value that a conflict has changed is loaded again with the next view if its reload`(
    isCancelled: Bool
  ) async {
    let journal = MemoryJournal()
    let (resource, outbox) = (
      runtime.resource(texts.loader, initialState: .loaded("Old")), outbox(journal)
    )
    resource.appear()
    resource.mutate(apply: { $0 = "Mine" }) { [merge] name in
      try await outbox.commit(merge, name, scope: "a")
    }
    await runtime.run(until: { calls.count == 1 })
    calls[0].fail(Broken())
    await runtime.run(until: { calls.count == 2 })
    calls[1].succeed()
    await runtime.run(until: { texts.count == 1 })
    if isCancelled { resource.cancel() } else { texts[0].fail(Broken()) }
    runtime.run()
    #expect(resource.latestValue == "Mine")
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(texts.count == 2)
    texts[1].succeed("Mine, merged")
    runtime.run()
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(texts.count == 2)
    #expect(resource.state == .loaded("Mine, merged"))
    texts.end()
    runtime.run()
  }
}
