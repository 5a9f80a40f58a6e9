import FoundationEssentials
import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct MutationOutboxTests {
  let runtime = ManualRuntime()
  let journal = MemoryJournal()
  let calls = ManualCalls<String, Void>()
  let rename: MutationOutbox.Handler<String>

  init() {
    rename = MutationOutbox.Handler("rename") { [calls] name, key in
      try await calls.call("\(name) \(key)")
    }
  }

  func outbox(gate: LoadGate? = nil, observer: LoadingObserver? = nil) -> MutationOutbox {
    let count = Lock(journal.rows.count)
    return MutationOutbox(
      journal, handlers: rename, attempts: 2, backoff: Backoff { _ in .seconds(1) }, gate: gate,
      clock: runtime.clock.any,
      scheduler: observer.map(runtime.scheduler.observed) ?? runtime.scheduler,
      makeKey: {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return "#\(number)"
      })
  }

  @Test func `a change of an earlier process is waited for before the outbox was started`()
    async throws
  {
    for waits in [true, false] {
      try await journal.append(
        .init(key: "k", handler: "rename", scope: "a", arguments: "\"Left\""), replacing: [])
      let outbox = outbox()
      let task = Task {
        if waits { try await outbox.delivered("k") } else { try await outbox.resume("k") }
      }
      let count = calls.count
      await runtime.run { calls.count > count }
      #expect(journal.rows.count == 1)
      calls[count].succeed(())
      await runtime.run { journal.rows.isEmpty }
      try await task.value
    }
  }

  @Test func `a change is in the journal before it is sent, and is removed when it was sent`()
    async throws
  {
    let outbox = outbox()
    let key = try await outbox.keep(rename, "Left", scope: "a")
    #expect(journal.rows.map(\.key) == ["#1"])
    #expect(calls.count == 0)
    runtime.run()
    #expect(calls.inputs == ["Left #1"])
    calls[0].succeed()
    runtime.run()
    #expect(journal.rows.isEmpty)
    try await outbox.delivered(key)
  }

  @Test func `a change that the journal cannot store is neither kept nor sent`() async throws {
    let outbox = outbox()
    journal.failNext(with: Broken("full"))
    await #expect(throws: Broken("full")) { try await outbox.keep(rename, "Left", scope: "a") }
    runtime.run()
    #expect(calls.count == 0)
    #expect(outbox.pending.isEmpty)
  }

  @Test func `after a failed attempt a change is sent again with the same key, up to a limit`()
    async throws
  {
    let outbox = outbox()
    let key = try await outbox.keep(rename, "Left", scope: "a")
    runtime.run()
    calls[0].fail(Broken())
    runtime.advance(by: .seconds(1))
    #expect(calls.inputs == ["Left #1", "Left #1"])
    calls[1].fail(Broken("twice"))
    runtime.run()
    #expect(outbox.pending.isEmpty)
    #expect(outbox.failed.map(\.failure) == ["twice"])
    await #expect(throws: Broken("twice")) { try await outbox.delivered(key) }
    try await outbox.retry(key)
    runtime.run()
    #expect(calls.inputs.last == "Left #1")
    calls[2].succeed()
    runtime.run()
    #expect(journal.rows.isEmpty)
  }

  @Test func `a failed change that a newer one of its field replaces has not failed any more`()
    async throws
  {
    let outbox = outbox()
    let key = try await outbox.keep(rename, "Left", scope: "a", field: "name")
    runtime.run()
    calls[0].fail(Broken())
    runtime.advance(by: .seconds(1))
    calls[1].fail(Broken("twice"))
    runtime.run()
    #expect(outbox.failure(of: key) as? Broken == Broken("twice"))
    try await outbox.keep(rename, "Right", scope: "a", field: "name")
    runtime.run()
    calls[2].succeed()
    runtime.run()
    #expect(outbox.failed.isEmpty)
    #expect(outbox.failure(of: key) == nil)
    try await outbox.delivered(key)
  }

  @Test func `every attempt to send a change is reported with its handler and duration`()
    async throws
  {
    let observer = LoadingObserver()
    let outbox = outbox(observer: observer)
    try await outbox.keep(rename, "Left", scope: "a")
    for (number, seconds) in [2, 3, 4].enumerated() {
      runtime.run()
      runtime.advance(by: .seconds(seconds))
      if number == 1 { calls[number].succeed() } else { calls[number].fail(Broken("\(number)")) }
      runtime.run()
      if number == 1 { try await outbox.keep(rename, "Right", scope: "a") }
      runtime.advance(by: .seconds(1))
    }
    runtime.run()
    calls[3].fail(Broken("3"))
    runtime.run()
    let lines = observer.timeline.map {
      "\($0.name): \($0.record.event) after \($0.record.elapsed ?? .zero)"
    }
    #expect(
      lines == [
        ##"rename: deliveryFailed("#1", 0, isFinal: false) after 2.0 seconds"##,
        ##"rename: delivered("#1") after 3.0 seconds"##,
        ##"rename: deliveryFailed("#2", 2, isFinal: false) after 5.0 seconds"##,
        ##"rename: deliveryFailed("#2", 3, isFinal: true) after 0.0 seconds"##,
      ])
  }

  @Test func `after a restart pending changes are sent, and failed ones are still known`()
    async throws
  {
    var before: MutationOutbox? = outbox()
    try await before?.keep(rename, "Left", scope: "a")
    runtime.run()
    calls[0].fail(Broken())
    runtime.advance(by: .seconds(1))
    calls[1].fail(Broken("no"))
    try await before?.keep(rename, "Right", scope: "a")
    runtime.run()
    before = nil
    calls.end()
    runtime.run()

    let outbox = outbox()
    try await outbox.start()
    runtime.run()
    #expect(calls.inputs.last == "Right #2")
    #expect(outbox.failed.map(\.key) == ["#1"])
    await #expect(throws: MutationOutbox.Entry.Failure("no")) { try await outbox.delivered("#1") }
    try await outbox.dismiss("#1")
    #expect(journal.rows.map(\.key) == ["#2"])
    calls.latest?.succeed()
    runtime.run()
    #expect(journal.rows.isEmpty)
  }

  @Test func `an attempt that ends with its outbox does not count`() async throws {
    var outbox: MutationOutbox? = outbox()
    try await outbox?.keep(rename, "Left", scope: "a")
    runtime.run()
    #expect(calls.count == 1)
    outbox = nil
    runtime.run()
    #expect(calls[0].isCancelled)
    calls[0].fail(CancellationError())
    runtime.run()
    #expect(journal.rows.map(\.failedAttempts) == [0])
  }

  @Test func `a row that could not be removed is removed with the next change`() async throws {
    let outbox = outbox()
    let key = try await outbox.keep(rename, "Left", scope: "a")
    runtime.run()
    journal.failNext(with: Broken("locked"))
    calls[0].succeed()
    runtime.run()
    try await outbox.delivered(key)
    #expect(outbox.pending.isEmpty)
    #expect(journal.rows.map(\.key) == ["#1"])
    try await outbox.keep(rename, "Right", scope: "a")
    #expect(journal.rows.map(\.key) == ["#2"])
    runtime.run()
    calls[1].succeed()
    runtime.run()
    #expect(journal.rows.isEmpty)
  }

  @Test func `a change that is kept before the start is sent after those of earlier processes`()
    async throws
  {
    try await journal.append(
      MutationOutbox.Entry(
        key: "old", handler: "rename", scope: "a", field: "name", arguments: #""Old""#),
      replacing: [])
    let outbox = outbox()
    try await outbox.keep(rename, "New", scope: "a", field: "name")
    for _ in 0..<2 {
      runtime.run()
      calls.latest?.succeed()
    }
    runtime.run()
    #expect(calls.inputs.map { $0.prefix(3) } == ["Old", "New"])
    #expect(journal.rows.isEmpty)
  }

  @Test func `a failure keeps its words after a restart`() async throws {
    var outbox = outbox()
    for error in [Explained() as any Error, Broken("not explained")] {
      try await outbox.keep(rename, "Left", scope: "a")
      runtime.run()
      calls[calls.count - 1].fail(error)
      runtime.advance(by: .seconds(1))
      calls[calls.count - 1].fail(error)
      runtime.run()
    }
    outbox = self.outbox()
    try await outbox.start()
    #expect(
      outbox.failed.map { outbox.failure(of: $0.key).map { "\($0)" } }
        == ["The server is closed.", "not explained"])
  }

  @Test func `a closed gate holds changes back until it opens`() async throws {
    let gate = LoadGate("offline")
    gate.close()
    let outbox = outbox(gate: gate)
    try await outbox.keep(rename, "Left", scope: "a")
    runtime.advance(by: .seconds(600))
    #expect(calls.count == 0)
    gate.open()
    runtime.run()
    calls[0].succeed()
    runtime.run()
    #expect(outbox.pending.isEmpty)
  }

  @Test func `a change that waits for a gate is replaced by a newer one of its field`()
    async throws
  {
    let gate = LoadGate("offline")
    gate.close()
    let outbox = outbox(gate: gate)
    let key = try await outbox.keep(rename, "Left", scope: "a", field: "name")
    try await outbox.keep(rename, "Other", scope: "a")
    runtime.run()
    gate.open()
    gate.close()
    runtime.run()
    let newer = try await outbox.keep(rename, "Right", scope: "a", field: "name")
    #expect(journal.rows.map(\.arguments) == [#""Other""#, #""Right""#])
    #expect(outbox.pending.map(\.key) == ["#2", newer])
    for count in 1...2 {
      gate.open()
      runtime.run()
      #expect(calls.count == count)
      calls.latest?.succeed()
    }
    runtime.run()
    #expect(calls.inputs == ["Other #2", "Right #3"])
    #expect(outbox.pending.isEmpty)
    try await outbox.delivered(key)
  }

  @Test func `a retried change is sent before newer ones that wait for a gate`() async throws {
    let gate = LoadGate("offline")
    let outbox = outbox(gate: gate)
    let key = try await outbox.keep(rename, "Left", scope: "a")
    runtime.run()
    calls[0].fail(Broken())
    runtime.advance(by: .seconds(1))
    calls[1].fail(Broken())
    runtime.run()
    gate.close()
    try await outbox.keep(rename, "Right", scope: "a")
    runtime.run()
    try await outbox.retry(key)
    for count in 3...4 {
      gate.open()
      runtime.run()
      #expect(calls.count == count)
      calls.latest?.succeed()
    }
    runtime.run()
    #expect(calls.inputs.suffix(2) == ["Left #1", "Right #2"])
    #expect(outbox.pending.isEmpty)
  }

  @Test func `a change of an unknown handler fails and stays in the journal`() async throws {
    let row = MutationOutbox.Entry(key: "k", handler: "other", scope: "a", arguments: "{}")
    try await journal.append(row, replacing: [])
    let outbox = outbox()
    try await outbox.start()
    runtime.run()
    #expect(
      outbox.failed.map(\.failure) == ["This version of the program cannot send the change."])
    #expect(journal.rows.count == 1)
  }
}

private struct Explained: LocalizedError {
  let errorDescription: String? = "The server is closed."
}
