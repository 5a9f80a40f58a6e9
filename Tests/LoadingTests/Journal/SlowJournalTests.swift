import LoadingTesting
import Testing

@testable import Loading

/// What happens to an outbox while its journal writes.
@MainActor
@Suite(.leavesNothingBehind) struct SlowJournalTests {
  let runtime = ManualRuntime()
  let journal = MemoryJournal()
  let calls = ManualCalls<String, Void>()
  let rename: MutationOutbox.Handler<String>

  init() {
    rename = MutationOutbox.Handler("rename") { [calls] name, key in
      try await calls.call("\(name) \(key)")
    }
  }

  private func outbox(
    _ journal: SlowJournal, attempts: Int = 12,
    backoff: Backoff = Backoff(base: .seconds(5), maximum: .seconds(300))
  ) -> MutationOutbox {
    MutationOutbox(
      journal, handlers: rename, attempts: attempts, backoff: backoff, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
  }

  @Test func `a change that is sent while the journal replaces it is not sent twice`()
    async throws
  {
    let slow = SlowJournal(journal)
    let outbox = outbox(slow)
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
    let outbox = outbox(slow, backoff: Backoff { _ in .seconds(300) })
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
    let outbox = outbox(slow)
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

  @Test(arguments: [true, false])
  func `a failed change that is dismissed and retried at once is not sent without its row`(
    retriesFirst: Bool
  ) async throws {
    let slow = SlowJournal(journal)
    let outbox = outbox(slow, attempts: 1)
    let key = try await outbox.keep(rename, "New", scope: "a")
    runtime.run()
    calls[0].fail(Broken())
    runtime.run()
    var second: Task<Void, any Error>?
    let isWaiting = Lock(false)
    let other: @MainActor @Sendable () async -> Void = {
      second = Task {
        isWaiting.withLock { $0 = true }
        if retriesFirst { try await outbox.dismiss(key) } else { try await outbox.retry(key) }
      }
      while !isWaiting.withLock({ $0 }) { await Task.yield() }
    }
    if retriesFirst {
      slow.whileUpdating(other)
      try await outbox.retry(key)
    } else {
      slow.whileRemoving(other)
      try await outbox.dismiss(key)
    }
    try await second?.value
    runtime.run()
    // The first decision counts.
    #expect(calls.count == (retriesFirst ? 2 : 1))
    #expect(journal.rows.map(\.key) == (retriesFirst ? [key] : []))
    #expect(outbox.failed.isEmpty)
    calls.latest?.succeed()
    runtime.run()
    #expect(journal.rows.isEmpty)
  }

  @Test func `a change that is tried again while it is dismissed is kept once more`()
    async throws
  {
    let (slow, record) = (SlowJournal(journal), CommitRecord())
    let outbox = outbox(slow, attempts: 1)
    let keep: @MainActor @Sendable () async throws -> MutationOutbox.Kept = {
      try await outbox.keep(#""New""#, by: "rename", scope: "a", field: nil, of: record)
    }
    let first = try await keep()
    runtime.run()
    calls[0].fail(Broken())
    runtime.run()
    var second: Task<MutationOutbox.Kept, any Error>?
    slow.whileRemoving {
      let isWaiting = Lock(false)
      second = Task {
        isWaiting.withLock { $0 = true }
        return try await keep()
      }
      while !isWaiting.withLock({ $0 }) { await Task.yield() }
    }
    try await outbox.dismiss(first.key)
    let again = try #require(try await second?.value)
    runtime.run()
    #expect(calls.count == 2)
    #expect(journal.rows.map(\.key) == [again.key])
    #expect(again.key != first.key)
    calls.latest?.succeed()
    runtime.run()
    _ = try await again.delivery.value().get()
    #expect(journal.rows.isEmpty)
  }

  @Test func `a change that is retried does not overtake a newer one while the journal is slow`()
    async throws
  {
    let slow = SlowJournal(journal)
    let outbox = outbox(slow, attempts: 1)
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

/// A journal that calls a function while it writes a row.
private final class SlowJournal: MutationJournal {
  typealias Body = @MainActor @Sendable () async -> Void

  private let journal: MemoryJournal
  private let appending = Lock<Body?>(nil)
  private let updating = Lock<Body?>(nil)
  private let removing = Lock<Body?>(nil)

  init(_ journal: MemoryJournal) { self.journal = journal }

  func whileAppending(_ body: @escaping Body) { appending.withLock { $0 = body } }
  func whileUpdating(_ body: @escaping Body) { updating.withLock { $0 = body } }
  func whileRemoving(_ body: @escaping Body) { removing.withLock { $0 = body } }

  func mutations() async throws -> [MutationOutbox.Entry] { try await journal.mutations() }

  func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws {
    try await journal.append(mutation, replacing: keys)
    await take(appending)?()
  }

  func update(_ key: String, to mutation: MutationOutbox.Entry) async throws {
    try await journal.update(key, to: mutation)
    await take(updating)?()
  }

  func remove(_ keys: [String]) async throws {
    await take(removing)?()
    try await journal.remove(keys)
  }

  private func take(_ body: Lock<Body?>) -> Body? {
    body.withLock { body in
      defer { body = nil }
      return body
    }
  }
}
