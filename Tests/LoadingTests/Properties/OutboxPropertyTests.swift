import LoadingTesting
import Testing

@testable import Loading

/// An outbox that sends changes to a server, which answers, fails, answers late or loses its
/// answer, while the program is killed and started again at random.
///
/// It is compared with a model that keeps the changes in one list.
@MainActor
@Suite(.leavesNothingBehind) struct OutboxPropertyTests {
  @Test(arguments: Shard.all)
  func `every kept change is applied once, in order, whatever happens`(
    shard: Shard
  ) async throws {
    for seed in shard.seeds(of: 400) {
      await Task.yield()
      try await OutboxHarness(seed: seed).run(steps: 40)
    }
  }
}

/// A change as it is sent: its number in the model, and how many conflicts have replaced it.
private struct Change: Codable, Hashable, Sendable {
  var number: Int
  var version = 0
}

private struct Refused: RetryAdvice, Equatable {
  var isRetryable: Bool { false }
}

private struct Conflict: Error {}

@MainActor
private final class OutboxHarness {
  struct Sent: Sendable {
    let change: Change
    let key: String
  }

  struct Row {
    var change: Change
    var scope: Int
    let field: Int?
    var attempts = 0
    var hasFailed = false
    /// The number of the first change of its commit: the order in which the user made them.
    var origin = 0
    /// Whether this process has sent it.
    var wasSent = false
    /// Whether the user has retried it in this process.
    var wasRetried = false
    /// The newer changes that were sent before it was retried.
    var followed: Set<Int> = []

    /// Whether a newer change of its field no longer replaces it.
    var isFixed: Bool { wasSent || wasRetried || attempts > 0 }
  }

  static let attemptLimit = 3

  let seed: UInt64
  var random: Seeded
  let runtime = ManualRuntime()
  let journal = MemoryJournal()
  let gate = LoadGate("offline")
  let calls = ManualCalls<Sent, Void>()
  let handler: MutationOutbox.Handler<Change>
  var outbox: MutationOutbox?
  var model: [Row] = []
  /// Whether writing into the journal fails at random in this run, and whether it has failed.
  let isJournalLocking: Bool
  var hasLockedJournal = false
  var count = 0
  var keyCount = 0
  /// The keys with which changes were kept in this process, by their numbers; a conflict gives a
  /// change another key.
  var firstKeys: [Int: String] = [:]
  /// The commits of this process, and the last row that each has kept.
  var commits: [(record: CommitRecord, row: Row)] = []
  /// The numbers of changes that were sent with more than one key.
  var repeated: Set<Int> = []

  /// The attempts of this process that wait for their answer.
  var open: [Int] = []
  /// The attempts that may still reach the server, even if the outbox has cancelled them.
  var onTheirWay: [Int] = []
  var known = 0
  var seenKeys: Set<String> = []
  /// The changes in the order in which the server has applied them.
  var applied: [Change] = []

  init(seed: UInt64) {
    self.seed = seed
    random = Seeded(seed)
    isJournalLocking = seed.isMultiple(of: 2)
    handler = MutationOutbox.Handler("change") { change, error in
      guard error is Conflict else { return error.allowsRetry ? .retry : .fail }
      return .replace(Change(number: change.number, version: change.version + 1))
    } send: { [calls] change, key in
      try await calls.call(Sent(change: change, key: key))
    }
  }

  func run(steps: Int) async throws {
    try await start()
    for step in 0..<steps {
      try await self.step()
      await settle()
      try check("seed \(seed), step \(step)")
    }
    try await finish()
    calls.end()
    outbox = nil
    runtime.run()
  }

  private func start() async throws {
    outbox = nil
    runtime.run()
    open = []
    let keys = Lock(keyCount)
    outbox = MutationOutbox(
      journal, handlers: handler, attempts: Self.attemptLimit,
      backoff: Backoff { _ in .seconds(1) },
      gate: gate, clock: runtime.clock.any, scheduler: runtime.scheduler,
      makeKey: { [seed] in
        "\(seed).\(keys.withLock { $0 += 1; return $0 })"
      })
    keyCount += 1_000
    firstKeys = [:]
    commits = []
    if hasLockedJournal { try readJournal() }
    for index in model.indices {
      count += 1
      model[index].origin = count
      model[index].wasSent = false
      model[index].wasRetried = false
    }
    while outbox?.isStarted == false { try? await outbox?.start() }
    await settle()
  }

  /// Runs all tasks that are ready, and notes the attempts that were made.
  private func settle() async {
    runtime.run()
    while known < calls.count {
      open.append(known)
      onTheirWay.append(known)
      known += 1
    }
    for index in open.compactMap(row) { model[index].wasSent = true }
  }

  private func isFirst(_ index: Int) -> Bool {
    !model[index].hasFailed
      && model[..<index].allSatisfy {
        $0.hasFailed || $0.scope != model[index].scope
          || $0.followed.contains(model[index].change.number)
      }
  }

  private func row(of call: Int) -> Int? {
    model.firstIndex { $0.change == calls.inputs[call].change && !$0.hasFailed }
  }

  /// Updates the model from the journal after a restart: if the journal could not be written,
  /// changes that were sent are sent again, and attempts are not counted.
  private func readJournal() throws {
    try checkNothingIsLost("seed \(seed), at a restart")
    model = try journal.rows.map { row in
      Row(
        change: try #require(change(of: row)), scope: try #require(Int(row.scope)),
        field: row.field.flatMap { Int($0) }, attempts: row.failedAttempts,
        hasFailed: row.failure != nil)
    }
  }

  // MARK: Steps

  private func step() async throws {
    switch random.below(17) {
    case 0..<4: try await keep()
    case 4: try await keepTwo()
    case 5, 6: answer { call in succeed(call) }
    case 7:
      // It arrives, and the answer is lost.
      answer { call in
        arrive(call)
        fail(call, Broken(), isFinal: false)
      }
    case 8, 9: answer { call in fail(call, Broken(), isFinal: false) }
    case 10:
      answer { call in
        guard !arrivedBefore(call) else { return succeed(call) }
        onTheirWay.removeAll { calls.inputs[$0].key == calls.inputs[call].key }
        fail(call, Refused(), isFinal: true)
      }
    case 11:
      answer { call in
        guard !arrivedBefore(call) else { return succeed(call) }
        onTheirWay.removeAll { calls.inputs[$0].key == calls.inputs[call].key }
        conflict(call)
      }
    case 12:
      // Late, or for the second time.
      if let call = onTheirWay.randomElement(using: &random) { arrive(call) }
    case 13: if random.chance(40) { try await start() }
    case 14: try await decide()
    case 15: if gate.isOpen { gate.close() } else { gate.open() }
    default:
      if isJournalLocking, random.chance(30) {
        hasLockedJournal = true
        journal.failNext(with: Broken("locked"))
      }
    }
    if random.chance(50) { runtime.advance(by: .seconds(1)) }
  }

  private func keep() async throws {
    if random.chance(30), let index = commits.indices.randomElement(using: &random) {
      return await keepAgain(index)
    }
    let (row, record) = (newRow(), CommitRecord())
    guard let kept = await keep(row, of: record) else { return }
    note(row, kept.key)
    commits.append((record, row))
  }

  /// Keeps the change of a commit again, like another attempt or a retry.
  ///
  /// It finds its row, or ends with a newer change of its field, or writes a row again.
  private func keepAgain(_ index: Int) async {
    var (record, row) = commits[index]
    let own = model.firstIndex { $0.change.number == row.change.number }
    if own.map({ model[$0].change.version > 0 }) == true { return }
    let newer = model.filter { isSameField($0, row) && !$0.hasFailed && $0.origin > row.origin }
    let newest = newer.max { $0.origin < $1.origin }
    if own == nil {
      count += 1
      row.change = Change(number: count)
    }
    guard let kept = await keep(row, of: record) else { return }
    if let own, !model[own].hasFailed {
      #expect(kept.isRepeated && kept.key == firstKeys[row.change.number])
    } else if let own, canRetry(own) {
      #expect(kept.isRepeated)
      retried(own)
    } else if let newest {
      #expect(
        kept.isRepeated
          && outbox?.pending.first { $0.key == kept.key }.flatMap(change)
            == newest.change
      )
    } else {
      #expect(!kept.isRepeated)
      if let own {
        repeated.insert(row.change.number)
        model.remove(at: own)
      }
      row.attempts = 0
      note(row, kept.key)
      commits[index].row = row
    }
  }

  private func isSameField(_ row: Row, _ other: Row) -> Bool {
    row.field != nil && row.field == other.field && row.scope == other.scope
  }

  /// Whether no change of its field is pending that is newer, or was kept later.
  private func canRetry(_ index: Int) -> Bool {
    !model.indices.contains { other in
      !model[other].hasFailed && isSameField(model[other], model[index])
        && (other > index || model[other].origin > model[index].origin)
    }
  }

  private func retried(_ index: Int) {
    model[index].hasFailed = false
    model[index].attempts = 0
    model[index].wasSent = false
    model[index].wasRetried = true
    model[index].followed = Set(model[(index + 1)...].filter(\.wasSent).map(\.change.number))
  }

  /// Keeps two changes at the same time, like two screens.
  private func keepTwo() async throws {
    let first = newRow()
    var second = newRow()
    second.scope = first.scope
    let rows = [first, second]
    let tasks = rows.map { row in Task { await keep(row) } }
    for (row, task) in zip(rows, tasks) {
      if let key = await task.value?.key { note(row, key) }
    }
  }

  private func newRow() -> Row {
    count += 1
    return Row(
      change: Change(number: count), scope: random.below(2),
      field: random.chance(50) ? random.below(2) : nil, origin: count)
  }

  /// Keeps a change of a commit; returns nil if the journal does not have it.
  private func keep(_ row: Row, of record: CommitRecord? = nil) async -> MutationOutbox.Kept? {
    guard let arguments = try? StoredArguments.encode(row.change) else { return nil }
    return try? await outbox?.keep(
      arguments, by: handler.name, scope: "\(row.scope)", field: row.field.map { "\($0)" },
      of: record)
  }

  private func note(_ row: Row, _ key: String) {
    firstKeys[row.change.number] = key
    if let older = model.lastIndex(where: { isSameField($0, row) && !$0.hasFailed }),
      !model[older].isFixed
    {
      model.remove(at: older)
    }
    var row = row
    // The first of its scope is sent at once.
    row.wasSent = gate.isOpen && !model.contains { $0.scope == row.scope && !$0.hasFailed }
    model.append(row)
  }

  private func answer(_ body: (Int) -> Void) {
    guard let call = open.randomElement(using: &random) else { return }
    open.removeAll { $0 == call }
    body(call)
    runtime.run()
    // If the journal has failed, the outbox tries again after a backoff.
    runtime.advance(by: .seconds(10))
  }

  private func arrivedBefore(_ call: Int) -> Bool { seenKeys.contains(calls.inputs[call].key) }

  private func arrive(_ call: Int) {
    let sent = calls.inputs[call]
    if seenKeys.insert(sent.key).inserted { applied.append(sent.change) }
    if random.chance(50) { onTheirWay.removeAll { $0 == call } }
  }

  private func succeed(_ call: Int) {
    arrive(call)
    calls[call].succeed()
    guard let index = row(of: call) else { return }
    let row = model.remove(at: index)
    let older = model.indices.filter {
      model[$0].hasFailed && isSameField(model[$0], row)
        && ($0 < index || model[$0].origin < row.origin)
    }
    for index in older.reversed() { model.remove(at: index) }
  }

  private func fail(_ call: Int, _ error: any Error, isFinal: Bool) {
    calls[call].fail(error)
    guard let index = row(of: call) else { return }
    model[index].attempts += 1
    model[index].hasFailed = isFinal || model[index].attempts >= Self.attemptLimit
  }

  private func conflict(_ call: Int) {
    calls[call].fail(Conflict())
    guard let index = row(of: call) else { return }
    model[index].attempts += 1
    if model[index].attempts >= Self.attemptLimit {
      model[index].hasFailed = true
    } else {
      model[index].change.version += 1
    }
  }

  /// Retries or dismisses a failed change, like a user.
  private func decide() async throws {
    let failed = model.indices.filter { model[$0].hasFailed }
    guard let index = failed.randomElement(using: &random),
      var key = outbox?.failed.first(where: { change(of: $0) == model[index].change })?.key
    else { return }
    if let first = firstKeys[model[index].change.number], random.chance(50) { key = first }
    if random.chance(50) {
      guard (try? await outbox?.dismiss(key)) != nil else { return }
      model.remove(at: index)
      return
    }
    let commit = commits.firstIndex { $0.row.change.number == model[index].change.number }
    if let commit, random.chance(50) { return await keepAgain(commit) }
    guard (try? await outbox?.retry(key)) != nil, canRetry(index) else { return }
    retried(index)
  }

  // MARK: Checks

  private func change(of mutation: MutationOutbox.Entry) -> Change? {
    try? handler.arguments(of: mutation)
  }

  private func check(_ place: String) throws {
    let outbox = try #require(outbox)
    let pending = model.filter { !$0.hasFailed }.map(\.change)
    let failed = model.filter(\.hasFailed).map(\.change)
    try #require(outbox.pending.map(change) == pending, "\(place): pending")
    try #require(outbox.failed.map(change) == failed, "\(place): failed")
    let failedNumbers = Set(failed.map(\.number))
    for (number, key) in firstKeys {
      try #require(
        (outbox.failure(of: key) != nil) == failedNumbers.contains(number),
        "\(place): the failure of \(number)")
    }
    if hasLockedJournal {
      try checkNothingIsLost(place)
    } else {
      try #require(journal.rows.map(change) == model.map(\.change), "\(place): the journal")
      try #require(
        journal.rows.map(\.failedAttempts) == model.map(\.attempts), "\(place): attempts")
    }
    for scope in 0..<2 {
      let sending = open.compactMap(row).filter { model[$0].scope == scope }
      try #require(sending.count <= 1, "\(place): two of one scope at once")
      try #require(sending.allSatisfy(isFirst), "\(place): out of order")
    }
    let numbers = applied.map(\.number).filter { !repeated.contains($0) }
    try #require(Set(numbers).count == numbers.count, "\(place): applied twice: \(numbers)")
  }

  private func checkNothingIsLost(_ place: String) throws {
    let kept = Set(journal.rows.map(change))
    try #require(model.allSatisfy { kept.contains($0.change) }, "\(place): lost")
  }

  /// Answers all attempts: no pending change may be lost.
  private func finish() async throws {
    gate.open()
    for _ in 0..<200 {
      runtime.advance(by: .seconds(3))
      await settle()
      if model.allSatisfy(\.hasFailed) { break }
      while let call = open.first {
        open.removeFirst()
        succeed(call)
        runtime.advance(by: .seconds(3))
        await settle()
      }
    }
    try check("seed \(seed), at the end")
    try #require(outbox?.pending.isEmpty == true, "seed \(seed): something is never sent")
  }
}
