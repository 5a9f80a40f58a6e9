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

  @Test func `a change that is sent while the journal replaces it is not sent twice`()
    async throws
  {
    let slow = SlowJournal(journal)
    let outbox = MutationOutbox(
      slow, handlers: rename, clock: runtime.clock.any, scheduler: runtime.scheduler)
    try await outbox.keep(rename, "One", scope: "a")
    try await outbox.keep(rename, "Two", scope: "a", field: "name")
    runtime.run()
    // "Two" waits, so "Three" can replace it. But "Two" begins to be sent while "Three" is written.
    slow.whileAppending { [runtime, calls] in
      calls[0].succeed()
      runtime.run()
    }
    try await outbox.keep(rename, "Three", scope: "a", field: "name")
    runtime.run()
    #expect(calls.inputs.map { $0.prefix(3) } == ["One", "Two"])
    calls[1].fail(Broken())
    runtime.advance(by: .seconds(600))
    #expect(calls.inputs.map { $0.prefix(3) } == ["One", "Two", "Thr"])
    calls[2].succeed()
    runtime.run()
    #expect(outbox.pending.isEmpty)
    #expect(journal.rows.isEmpty)
  }

  @Test func `a change that rests while the journal replaces it is not sent again`() async throws {
    let slow = SlowJournal(journal)
    let outbox = MutationOutbox(
      slow, handlers: rename, backoff: Backoff { _ in .seconds(300) }, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    try await outbox.keep(rename, "One", scope: "a")
    try await outbox.keep(rename, "Two", scope: "a", field: "name")
    runtime.run()
    slow.whileAppending { [runtime, calls] in
      calls[0].succeed()
      runtime.run()
      calls[1].fail(Broken())
      runtime.run()
    }
    try await outbox.keep(rename, "Three", scope: "a", field: "name")
    runtime.run()
    #expect(calls.inputs.map { $0.prefix(3) } == ["One", "Two", "Thr"])
    calls[2].succeed()
    runtime.advance(by: .seconds(600))
    #expect(calls.count == 3)
    #expect(journal.rows.isEmpty)
  }

  @Test func `of two changes of a field that are kept at the same time, only the newer is sent`()
    async throws
  {
    let slow = SlowJournal(journal)
    let outbox = MutationOutbox(
      slow, handlers: rename, clock: runtime.clock.any, scheduler: runtime.scheduler)
    try await outbox.keep(rename, "Zero", scope: "a")
    runtime.run()
    var second: Task<String, any Error>?
    slow.whileAppending {
      second = Task { try await outbox.keep(rename, "Two", scope: "a", field: "name") }
    }
    try await outbox.keep(rename, "One", scope: "a", field: "name")
    _ = try await second?.value
    #expect(journal.rows.map(\.arguments) == [#""Zero""#, #""Two""#])
    calls[0].succeed()
    runtime.run()
    #expect(calls.inputs.map { $0.prefix(3) } == ["Zer", "Two"])
    calls.end()
    runtime.run()
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

  @Test func `a change that is retried does not overtake a newer one while the journal is slow`()
    async throws
  {
    let slow = SlowJournal(journal)
    let outbox = MutationOutbox(
      slow, handlers: rename, attempts: 1, clock: runtime.clock.any, scheduler: runtime.scheduler)
    let old = try await outbox.keep(rename, "Old", scope: "a", field: "name")
    runtime.run()
    calls[0].fail(Broken())
    runtime.run()
    #expect(outbox.failed.map(\.key) == [old])
    slow.whileUpdating { [rename] in
      _ = try? await outbox.keep(rename, "New", scope: "a", field: "name")
    }
    try await outbox.retry(old)
    runtime.run()
    calls[1].fail(Broken())
    runtime.run()
    #expect(calls.inputs.map { $0.prefix(3) } == ["Old", "New"])
    #expect(outbox.failed.map(\.arguments) == [#""Old""#, #""New""#])
    try await outbox.retry(try #require(outbox.failed.last).key)
    runtime.run()
    calls[2].succeed()
    runtime.run()
    #expect(calls.inputs.last?.prefix(3) == "New")
    #expect(journal.rows.isEmpty)
  }
}

private struct Explained: LocalizedError {
  let errorDescription: String? = "The server is closed."
}

/// A journal that calls a function while it writes a row.
private final class SlowJournal: MutationJournal {
  typealias Body = @MainActor @Sendable () async -> Void

  private let journal: MemoryJournal
  private let appending = Lock<Body?>(nil)
  private let updating = Lock<Body?>(nil)

  init(_ journal: MemoryJournal) { self.journal = journal }

  func whileAppending(_ body: @escaping Body) { appending.withLock { $0 = body } }
  func whileUpdating(_ body: @escaping Body) { updating.withLock { $0 = body } }

  func mutations() async throws -> [MutationOutbox.Entry] { try await journal.mutations() }

  func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws {
    try await journal.append(mutation, replacing: keys)
    await take(appending)?()
  }

  func update(_ key: String, to mutation: MutationOutbox.Entry) async throws {
    try await journal.update(key, to: mutation)
    await take(updating)?()
  }

  func remove(_ keys: [String]) async throws { try await journal.remove(keys) }

  private func take(_ body: Lock<Body?>) -> Body? {
    body.withLock { body in
      defer { body = nil }
      return body
    }
  }
}
