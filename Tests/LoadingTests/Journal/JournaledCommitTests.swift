import Loading
import LoadingTesting
import Testing

/// Changes of a resource that are committed through a journal.
@MainActor
@Suite(.leavesNothingBehind, .timeLimit(.minutes(10))) struct JournaledCommitTests {
  let runtime = ManualRuntime()
  let journal = MemoryJournal()
  let calls = ManualCalls<String, Void>()
  let loads = ManualLoads<String>()
  let rename: MutationOutbox.Handler<String>
  /// Resolves conflicts, and never sends a change again after another error.
  let merge: MutationOutbox.Handler<String>

  init() {
    rename = MutationOutbox.Handler("rename") { [calls] name, key in
      try await calls.call(name + " " + key.prefix(2))
    }
    merge = MutationOutbox.Handler("merge") { name, error in
      if error is Conflict {
        name == "Outdated" ? .drop : .replace(name + ", merged")
      } else {
        .fail
      }
    } send: { [calls] name, key in
      try await calls.call(name + " " + key.prefix(2))
    }
  }

  func outbox(attempts: Int = 1) -> MutationOutbox {
    let count = Lock(journal.rows.count)
    return MutationOutbox(
      journal, handlers: rename, merge, attempts: attempts, clock: runtime.clock.any,
      scheduler: runtime.scheduler,
      makeKey: {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return "#\(number)"
      })
  }

  func change(
    _ resource: Resource<String>, to name: String, by outbox: MutationOutbox, scope: String = "a"
  ) {
    resource.mutate(field: "name", apply: { $0 = name }) { [rename] name in
      try await outbox.commit(rename, name, scope: scope, field: "name")
    }
  }

  func resource() -> Resource<String> {
    runtime.resource(loads.loader, initialState: .loaded("Old"))
  }

  /// Runs tasks until the newest change is kept and `count` attempts were made.
  func runUntilKept(_ resource: Resource<String>, _ count: Int = 1) async {
    await runtime.run(until: {
      resource.pendingMutations.last?.phase == .kept && calls.count == count
    })
  }

  @Test func `a load that may contain a kept change waits for the change, as for a commit`() async {
    let (resource, outbox) = (resource(), outbox())
    resource.mutate(field: "name", apply: { $0 += "+" }) { [rename] name in
      try await outbox.commit(rename, name, scope: "a", field: "name")
    }
    await runUntilKept(resource)
    #expect(resource.pendingMutations.map(\.phase) == [.kept])
    resource.load()
    runtime.run()
    loads[0].succeed("Old+")
    runtime.run()
    // The patch is not applied to a value that contains the change.
    #expect(resource.state == .loaded("Old+"))
    #expect(resource.activity?.phase == .waiting)
    calls[0].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty && loads.count == 2 })
    #expect(resource.state == .loaded("Old+"))
    loads[1].succeed("Newest+")
    runtime.run()
    #expect(resource.state == .loaded("Newest+"))
    #expect(journal.rows.isEmpty)
  }

  @Test func `the value of another input waits until a kept change was sent`() async {
    let (resource, outbox) = (resource(), outbox())
    change(resource, to: "New", by: outbox)
    await runUntilKept(resource)
    let others = ManualLoads<String>()
    resource.load(others.loader)
    runtime.run()
    others[0].succeed("Other")
    runtime.run()
    #expect(resource.state == .loaded("New"))
    #expect(resource.showsEarlierInput)
    calls[0].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty && others.count == 2 })
    others[1].succeed("Other")
    runtime.run()
    #expect(resource.state == .loaded("Other"))
  }

  @Test
  func `a first value is shown with kept changes over it, and loaded again when they were sent`()
    async throws
  {
    try await journal.append(
      MutationOutbox.Entry(
        key: "#1", handler: "rename", scope: "a", field: "name", arguments: "\"New\""),
      replacing: [])
    let (resource, outbox) = (runtime.resource(loads.loader), outbox())
    try await outbox.start()
    resource.mutate(field: "name", apply: { $0 = "New" }) { try await outbox.resume("#1") }
    await runUntilKept(resource)
    resource.load()
    runtime.run()
    loads[0].succeed("Old")
    runtime.run()
    #expect(resource.state == .loaded("New"))
    #expect(!resource.isLoading)
    calls[0].succeed()
    await runtime.run(until: { loads.count == 2 })
    loads[1].succeed("New, and newest")
    runtime.run()
    #expect(resource.state == .loaded("New, and newest"))
    #expect(resource.pendingMutations.isEmpty)
  }

  @Test func `a load that runs while a kept change is sent runs again`() async {
    let (resource, outbox) = (resource(), outbox())
    change(resource, to: "New", by: outbox)
    await runUntilKept(resource)
    resource.load()
    runtime.run()
    calls[0].succeed()
    await runtime.run(until: { loads.count == 2 })
    loads[0].succeed("Old")
    runtime.run()
    #expect(resource.state == .loaded("New"))
    loads[1].succeed("New, too")
    runtime.run()
    #expect(resource.state == .loaded("New, too"))
  }

  @Test func `the next change is kept while an earlier one is sent, and only the newest follows`()
    async
  {
    let (resource, outbox) = (resource(), outbox())
    for name in ["A", "B", "C"] {
      change(resource, to: name, by: outbox)
      await runtime.run(until: { resource.pendingMutations.last?.phase == .kept })
    }
    // "B" was replaced before it was sent, and ends with "C".
    await runtime.run(until: { calls.count == 1 })
    #expect(journal.rows.map(\.arguments) == ["\"A\"", "\"C\""])
    calls[0].succeed()
    await runtime.run(until: { calls.count == 2 && resource.pendingMutations.count == 2 })
    #expect(calls.inputs == ["A #1", "C #3"])
    calls[1].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty })
    #expect(resource.state == .loaded("C"))
  }

  @Test func `a change that was replaced before it was sent fails with the newer one`()
    async throws
  {
    let (resource, outbox) = (resource(), outbox())
    for name in ["A", "B", "C"] {
      change(resource, to: name, by: outbox)
      await runtime.run(until: { resource.pendingMutations.last?.phase == .kept })
    }
    let replaced = resource.pendingMutations[1].id
    let outcome = Task { try await resource.outcome(of: replaced) }
    await runtime.run(until: { calls.count == 1 })
    calls[0].fail(Broken("A"))
    await runtime.run(until: { calls.count == 2 })
    #expect(resource.state == .loaded("C"))
    calls[1].fail(Broken("C"))
    await runtime.run(until: { !resource.hasPendingMutations })
    await #expect(throws: Broken("C")) { try await outcome.value }
    // The server never had "B".
    #expect(resource.state == .loaded("Old"))
    #expect(resource.failedMutations.map { $0.error as? Broken } == [Broken("C")])
    resource.failedMutations.first?.retry?()
    await runtime.run(until: { calls.count == 3 })
    #expect(calls.inputs.last == "C #3")
    #expect(resource.state == .loaded("C"))
    calls[2].succeed()
    await runtime.run(until: { !resource.hasPendingMutations })
    loads.end()
    runtime.run()
  }

  @Test func `a failed change stays when an older one of its field is sent later`() async {
    let (resource, outbox) = (resource(), outbox())
    change(resource, to: "Older", by: outbox, scope: "a")
    await runUntilKept(resource)
    change(resource, to: "Newer", by: outbox, scope: "b")
    await runUntilKept(resource, 2)
    calls[1].fail(Broken())
    await runtime.run(until: { !resource.failedMutations.isEmpty })
    calls[0].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty })
    #expect(resource.state == .loaded("Older"))
    #expect(resource.failedMutations.count == 1)
    resource.failedMutations.first?.retry?()
    await runtime.run(until: { calls.count == 3 })
    #expect(resource.state == .loaded("Newer"))
    calls[2].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty })
    #expect(resource.failedMutations.isEmpty)
    loads.end()
    runtime.run()
  }

  @Test func `a failed change is not retried while a newer one of its field is sent`() async {
    let (resource, outbox) = (resource(), outbox())
    change(resource, to: "Older", by: outbox, scope: "a")
    await runUntilKept(resource)
    calls[0].fail(Broken())
    await runtime.run(until: { !resource.failedMutations.isEmpty })
    change(resource, to: "Newer", by: outbox, scope: "b")
    await runUntilKept(resource, 2)
    #expect(resource.failedMutations.map { resource.retryMutation($0.id) } == [nil])
    #expect(resource.state == .loaded("Newer"))
    calls[1].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty })
    #expect(resource.state == .loaded("Newer"))
    #expect(resource.failedMutations.isEmpty)
    #expect(calls.count == 2)
  }

  @Test func `a change that cannot be sent is rolled back, and a retry uses the same key`() async {
    let (resource, outbox) = (resource(), outbox())
    change(resource, to: "New", by: outbox)
    await runtime.run(until: { calls.count == 1 })
    calls[0].fail(Broken())
    await runtime.run(until: { !resource.failedMutations.isEmpty })
    #expect(resource.state == .loaded("Old"))
    #expect(outbox.failed.count == 1)
    resource.retryMutation(resource.failedMutations[0].id)
    await runtime.run(until: { calls.count == 2 })
    #expect(calls.inputs == ["New #1", "New #1"])
    calls[1].fail(Broken())
    await runtime.run(until: { !resource.failedMutations.isEmpty })
    resource.dismissMutation(resource.failedMutations[0].id)
    // The server may have applied the change although its answer was lost, so the value is loaded
    // again.
    await runtime.run(until: { outbox.failed.isEmpty && loads.count == 1 })
    loads[0].succeed("Newest")
    runtime.run()
    #expect(resource.state == .loaded("Newest"))
    #expect(journal.rows.isEmpty)
  }

  @Test func `one change that two resources begin is kept twice`() async throws {
    let (one, other, outbox) = (resource(), resource(), outbox())
    let rename = Mutation<String>(field: "name", apply: { $0 = "New" }) { [rename] name in
      try await outbox.commit(rename, name, scope: "a")
    }
    one.mutate(rename)
    await runtime.run(until: { calls.count == 1 })
    calls[0].fail(Broken())
    await runtime.run(until: { !one.failedMutations.isEmpty })
    other.mutate(rename)
    await runtime.run(until: { calls.count == 2 })
    #expect(calls.inputs == ["New #1", "New #2"])
    #expect(outbox.failed.map(\.key) == ["#1"])
    calls[1].succeed()
    await runtime.run(until: { !other.hasPendingMutations })
    loads.end()
    runtime.run()
  }

  @Test func `a retry with another value replaces the failed change`() async throws {
    let (resource, outbox) = (resource(), outbox())
    resource.mutate(field: "name", apply: { $0 += "+" }) { [rename] name in
      try await outbox.commit(rename, name, scope: "a", field: "name")
    }
    await runtime.run(until: { calls.count == 1 })
    calls[0].fail(Broken())
    await runtime.run(until: { !resource.failedMutations.isEmpty })
    resource.set(.loaded("New"))
    resource.retryMutation(resource.failedMutations[0].id)
    await runtime.run(until: { calls.count == 2 })
    #expect(calls.inputs == ["Old+ #1", "New+ #2"])
    #expect(outbox.failed.isEmpty)
    #expect(outbox.failure(of: "#1") == nil)
    calls[1].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty })
    try await outbox.delivered("#1")
    #expect(resource.state == .loaded("New+"))
    #expect(journal.rows.isEmpty)
    loads.end()
    runtime.run()
  }

  /// Makes a change that is replaced after a conflict, and then fails.
  func failAfterConflict(
    _ resource: Resource<String>, _ outbox: MutationOutbox,
    commit: @escaping @Sendable (String) async throws -> Void
  ) async {
    resource.mutate(field: "name", apply: { $0 = "New" }, commit: commit)
    await runUntilKept(resource)
    calls[0].fail(Conflict())
    await runtime.run(until: { calls.count == 2 })
    calls[1].fail(Broken())
    await runtime.run(until: { !resource.failedMutations.isEmpty })
    #expect(calls.inputs == ["New #1", "New, merged #2"])
    #expect(outbox.failed.map(\.key) == ["#2"])
    #expect(resource.state == .loaded("Old"))
  }

  @Test(arguments: [true, false])
  func `a value is loaded again if a conflict has replaced or dropped a change`(isReplaced: Bool)
    async
  {
    let (resource, outbox) = (resource(), outbox(attempts: 3))
    let (change, journal) = (isReplaced ? "New" : "Outdated", journal)
    resource.mutate(field: "name", apply: { $0 = change }) { [merge] name in
      try await outbox.commit(merge, name, scope: "a", field: "name")
    }
    await runUntilKept(resource)
    calls[0].fail(Conflict())
    if isReplaced {
      await runtime.run(until: { calls.count == 2 })
      calls[1].succeed()
    }
    await runtime.run(until: { loads.count == 1 && !resource.hasPendingMutations })
    loads[0].succeed("Theirs")
    runtime.run()
    #expect(resource.state == .loaded("Theirs"))
    #expect(journal.rows.isEmpty)
  }

  @Test func `a failed change is dismissed although a conflict has given it another key`() async {
    let (resource, outbox) = (resource(), outbox(attempts: 3))
    await failAfterConflict(resource, outbox) { [merge] name in
      try await outbox.commit(merge, name, scope: "a", field: "name")
    }
    await #expect(throws: Broken()) { try await outbox.delivered("#1") }
    resource.dismissMutation(resource.failedMutations[0].id)
    await runtime.run(until: { outbox.failed.isEmpty })
    #expect(journal.rows.isEmpty)
    loads.end()
    runtime.run()
  }

  @Test func `a retry replaces a failed change that a conflict has given another key`() async {
    let (resource, outbox) = (resource(), outbox(attempts: 3))
    await failAfterConflict(resource, outbox) { [merge] name in
      try await outbox.commit(merge, name, scope: "a", field: "name")
    }
    resource.retryMutation(resource.failedMutations[0].id)
    await runtime.run(until: { calls.count == 3 })
    #expect(calls.inputs.last == "New #3")
    #expect(outbox.failed.isEmpty)
    #expect(journal.rows.map(\.key) == ["#3"])
    calls[2].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty })
    #expect(journal.rows.isEmpty)
    loads.end()
    runtime.run()
  }

  @Test func `a change of an earlier process is retried with the key that a conflict gave it`()
    async throws
  {
    try await journal.append(
      MutationOutbox.Entry(
        key: "#1", handler: "merge", scope: "a", field: "name", arguments: "\"New\""),
      replacing: [])
    let (resource, outbox) = (resource(), outbox(attempts: 3))
    try await outbox.start()
    await failAfterConflict(resource, outbox) { _ in try await outbox.resume("#1") }
    for count in 3...4 {
      resource.retryMutation(resource.failedMutations[0].id)
      await runtime.run(until: { calls.count == count })
      #expect(calls.inputs.last == "New, merged #2")
      calls[count - 1].fail(Broken())
      await runtime.run(until: { !resource.failedMutations.isEmpty })
    }
    resource.dismissMutation(resource.failedMutations[0].id)
    await runtime.run(until: { outbox.failed.isEmpty })
    #expect(journal.rows.isEmpty)
    loads.end()
    runtime.run()
  }

  @Test func `after a restart a change is shown again until it was sent`() async throws {
    try await journal.append(
      MutationOutbox.Entry(
        key: "#1", handler: "rename", scope: "a", field: "name", arguments: "\"New\""),
      replacing: [])
    let (resource, outbox) = (resource(), outbox())
    try await outbox.start()
    for row in outbox.pending {
      let name = try #require(try rename.arguments(of: row))
      resource.mutate(field: row.field, apply: { $0 = name }) { try await outbox.resume(row.key) }
    }
    await runtime.run(until: { calls.count == 1 })
    #expect(resource.state == .loaded("New"))
    calls[0].fail(Broken())
    await runtime.run(until: { !resource.failedMutations.isEmpty })
    #expect(resource.state == .loaded("Old"))
    // The server may have applied the change of the earlier process after the value was loaded.
    #expect(loads.count == 1)
    resource.retryMutation(resource.failedMutations[0].id)
    await runtime.run(until: { calls.count == 2 })
    #expect(calls.inputs[1] == "New #1")
    calls[1].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty })
    #expect(journal.rows.isEmpty)
    // The answer of the load that ran meanwhile may or may not contain the change, so another load
    // replaces it.
    #expect(loads.count == 2)
    loads[0].succeed("Overtaken")
    loads[1].succeed("Newest")
    runtime.run()
    #expect(resource.state == .loaded("Newest"))
  }

  @Test func `a reset does not roll back kept changes`() async {
    let (resource, outbox) = (resource(), outbox())
    change(resource, to: "New", by: outbox)
    await runUntilKept(resource)
    resource.reset()
    #expect(resource.failedMutations.isEmpty)
    resource.set(.loaded("Other"))
    #expect(resource.state == .loaded("New"))
    calls[0].succeed()
    await runtime.run(until: { resource.pendingMutations.isEmpty && loads.count == 1 })
    loads[0].succeed("New, too")
    runtime.run()
    #expect(resource.state == .loaded("New, too"))
    #expect(journal.rows.isEmpty)
  }
}

private struct Conflict: Error {}
