import Testing

@testable import Loading

/// The reducers of a resource and of an outbox, with a server, and a process that is killed and
/// started again at random.
///
/// The value that is shown is compared with what the server has and what the user has done. Every
/// change adds a number of its own, so that a change that is shown twice, or not at all, is
/// noticed. Some numbers are of a field: adding one removes the others of that field.
@Suite struct KeptChangePropertyTests {
  @Test(arguments: Shard.all)
  func `each change is shown exactly once at all times, whatever is loaded meanwhile`(
    shard: Shard
  ) async {
    for seed in shard.seeds(of: 100_000) {
      await Task.yield()
      var world = KeptChangeWorld(seed: seed)
      if let fault = world.run(steps: 32) {
        Issue.record("seed \(seed): \(fault)\n\(world.story.joined(separator: "\n"))")
        return
      }
    }
  }
}

/// The server, the journal, and a process that may be killed.
private struct KeptChangeWorld {
  /// A load that runs, and its answer, once the server has made one.
  private struct Load {
    let ticket: LoadActivity.Ticket
    var answer: [Int]?
  }

  /// An attempt to send a change.
  private struct Attempt {
    let mutation: MutationOutbox.Entry
    let erasing: [String]
    let process: Int

    var number: Int { Int(mutation.arguments) ?? 0 }
  }

  /// A change that is being written into the journal.
  private struct Writing {
    let mutation: MutationOutbox.Entry
    let id: PendingMutation.ID
    let replaced: [String]
    let earlier: CommitRecord.Row?
  }

  private var random: Seeded
  private let now = AnyClock.Instant.ms(0)
  private(set) var story: [String] = []

  // State that survives when the process is killed.
  private var server: [Int] = []
  private var seenKeys: Set<String> = []
  private var journal: [MutationOutbox.Entry] = []
  private var attempts: [Attempt] = []
  private var (count, keyCount) = (0, 0)
  /// The numbers that were rolled back, but that the server may have, if its answer was lost.
  private var rolledBack: Set<Int> = []

  // State of the process.
  private var process = 0
  private var resource = Self.newResource()
  private var outbox = OutboxState()
  private var loads: [Load] = []
  /// The changes whose commit has begun and that are not in the journal yet.
  private var unwritten: [(id: PendingMutation.ID, number: Int)] = []
  private var writing: Writing?
  /// The mutations that end with each row: its own, and those that it has replaced.
  private var ids: [String: [PendingMutation.ID]] = [:]
  private var numbers: [PendingMutation.ID: Int] = [:]
  /// The number of the newest mutation of the process.
  private var lastNumber: UInt64 = 0
  /// The rows whose attempts wait for the gate.
  private var due: [String] = []
  private var resting: [String] = []
  /// The user's changes without a reported failure: all of them must be shown.
  private var wanted: Set<Int> = []
  /// The pending numbers of fields, in the order in which they are applied: the last one of each
  /// field must be shown.
  private var pendingOfFields: [Int] = []
  /// The changes that the user has retried.
  ///
  /// The value may contain them already, so they may be shown twice until they were sent and the
  /// value was loaded again.
  private var retried: Set<Int> = []

  init(seed: UInt64) { random = Seeded(seed) }

  private static func newResource() -> ResourceState {
    ResourceState(
      loader: HeldLoader(Loader<[Int]>.constant([])), historyCapacity: 0, at: .ms(0))
  }

  private static func isOfField(_ number: Int) -> Bool { !number.isMultiple(of: 4) }
  private static func scope(_ number: Int) -> Int { number / 4 % 2 }

  /// Adds a number, in place of the others of its field.
  private static func add(_ number: Int, to value: inout [Int]) {
    if isOfField(number) { value.removeAll { isOfField($0) && scope($0) == scope(number) } }
    value.append(number)
  }

  private var shown: [Int]? { resource.latestValue?.value(as: [Int].self) }

  /// Performs random steps; returns the first fault, or nil.
  mutating func run(steps: Int) -> String? {
    for _ in 0..<steps {
      step()
      if let fault { return fault }
    }
    return finish()
  }

  private var fault: String? {
    guard let shown else { return nil }
    let known = resource.log.isDrained && resource.activity == nil ? [] : retried
    for number in Set(shown).subtracting(known) where shown.count(where: { $0 == number }) > 1 {
      return "\(number) is shown twice"
    }
    if let lost = wanted.first(where: { !shown.contains($0) }) { return "\(lost) is not shown" }
    for scope in 0..<2 {
      if let last = pendingOfFields.last(where: { Self.scope($0) == scope }), !shown.contains(last)
      {
        return "\(last) is not shown, the last one of its field"
      }
    }
    return nil
  }

  private mutating func tell(_ event: String) {
    story.append("\(event) | screen \(shown.map { "\($0)" } ?? "nothing"), server \(server)")
  }

  // MARK: Steps

  private mutating func step() {
    switch random.below(24) {
    case 0..<3: apply(.load(nil, random.chance(50) ? .join : .restart, .user), "load")
    case 3, 4: read()
    case 5..<8: answer()
    case 8..<11: change()
    case 11, 12: write()
    case 20, 21: begin()
    case 22: conflict()
    case 23: change()
    case 13: if !attempts.isEmpty { _ = take(random.below(attempts.count)) }
    case 14, 15: reply(lost: random.chance(40))
    case 16: if !attempts.isEmpty { refuse(random.below(attempts.count)) }
    case 17: wake()
    case 18: if random.chance(50) { retry() }
    default: if random.chance(30) { restart() }
    }
  }

  private mutating func apply(_ event: ResourceEvent, _ name: String) {
    let ticket = resource.runningTicket
    let effects = resource.apply(event, at: now)
    if resource.runningTicket != ticket {
      loads.removeAll { $0.ticket == ticket }
      if let started = resource.workTicket { loads.append(Load(ticket: started)) }
    }
    for effect in effects {
      switch effect {
      case .commit(let id): if let number = numbers[id] { unwritten.append((id, number)) }
      case .ended(let id, _), .report(let id, _):
        pendingOfFields.removeAll { $0 == numbers[id] }
      default: continue
      }
    }
    tell(name)
  }

  /// The server makes the answer of a load, which arrives later.
  private mutating func read() {
    guard let index = loads.indices.randomElement(using: &random) else { return }
    if loads[index].answer == nil { loads[index].answer = server }
  }

  private mutating func answer() {
    guard let index = loads.indices.randomElement(using: &random) else { return }
    let load = loads.remove(at: index)
    if random.chance(15) { return apply(.failed(load.ticket, Broken()), "a load fails") }
    let answer = load.answer ?? server
    apply(.finished(load.ticket, HeldValue(answer)), "\(answer) is loaded")
  }

  private mutating func change() {
    count += 1
    let number = count
    let isOfField = Self.isOfField(number)
    let mutation = Mutation<[Int]>(
      item: isOfField ? Self.scope(number) : random.below(2), field: isOfField ? "field" : nil
    ) { value in
      Self.add(number, to: &value)
    } commit: { _ in
    }
    begin(.mutate(mutation.held), number, "\(number) is added")
  }

  /// Begins a mutation that adds a number.
  private mutating func begin(_ event: ResourceEvent, _ number: Int, _ name: String) {
    // Known before its commit begins.
    lastNumber += 1
    let id = PendingMutation.ID(number: lastNumber)
    numbers[id] = number
    if Self.isOfField(number) { pendingOfFields.append(number) } else { wanted.insert(number) }
    apply(event, name)
    guard resource.begun == nil else { return }
    lastNumber -= 1
    wanted.remove(number)
    pendingOfFields.removeAll { $0 == number }
  }

  /// Begins to write a change into the journal, or ends that.
  private mutating func write() {
    if let writing {
      self.writing = nil
      return end(writing)
    }
    guard !unwritten.isEmpty else { return }
    let (id, number) = unwritten.removeFirst()
    let field = Self.isOfField(number) ? "field" : nil
    let mutation = MutationOutbox.Entry(
      key: newKey(), handler: "add", scope: "\(Self.scope(number))", field: field,
      arguments: "\(number)")
    let earlier = resource.log.mutation(id)?.record.row
    if let earlier {
      if let row = outbox.mutation(earlier.key), row.arguments == "\(number)" {
        let index = journal.firstIndex { $0.key == row.key }
        if let index, outbox.canRetry(row.key) {
          journal[index].failure = nil
          perform(outbox.retried(row.key, now: journal[index]))
        }
        if outbox.failure(of: row.key) == nil { return keepAgain(id, with: row.key) }
      }
      let newer = outbox.newer(than: earlier, mutation.scope, field)
      if let newer { return keepAgain(id, with: newer) }
    }
    let replaced = outbox.replaced(by: mutation, after: earlier)
    let next = Writing(mutation: mutation, id: id, replaced: replaced, earlier: earlier)
    if random.chance(30) { writing = next } else { end(next) }
  }

  /// A change ends with a row that is pending already.
  private mutating func keepAgain(_ id: PendingMutation.ID, with key: String) {
    ids[key, default: []].append(id)
    apply(.kept(id, needsReload: true), "\(numbers[id] ?? 0) is kept again with \(key)")
  }

  private mutating func newKey() -> String {
    keyCount += 1
    return "#\(keyCount)"
  }

  private mutating func end(_ writing: Writing) {
    let (mutation, id, replaced) = (writing.mutation, writing.id, writing.replaced)
    journal.removeAll { replaced.contains($0.key) }
    journal.append(mutation)
    ids[mutation.key] = [id]
    perform(outbox.append(mutation, replacing: replaced, after: writing.earlier))
    note(mutation.key, of: id)
    apply(.kept(id, needsReload: false), "\(mutation.arguments) is kept, in place of \(replaced)")
  }

  private func note(_ key: String, of id: PendingMutation.ID) {
    guard let row = outbox.mutation(key), let origin = outbox.origin(of: key) else { return }
    resource.log.mutation(id)?.record.note(
      .init(key: key, scope: row.scope, field: row.field, origin: origin, outbox: nil))
  }

  private mutating func perform(_ effects: [OutboxState.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let key): due.append(key)
      case .wake(let key, _): resting.append(key)
      case .settled(let key, let isExact):
        for id in ids.removeValue(forKey: key) ?? [] {
          if !isExact { apply(.kept(id, needsReload: true), "another number was sent") }
          apply(.committed(id, nil), "\(numbers[id] ?? 0) is settled with \(key)")
        }
      case .gaveUp(let key):
        if let row = outbox.mutation(key) { rolledBack.insert(Int(row.arguments) ?? 0) }
        let ended = ids.removeValue(forKey: key) ?? []
        for id in random.chance(50) ? ended : ended.reversed() {
          let number = numbers[id] ?? 0
          wanted.remove(number)
          rolledBack.insert(number)
          apply(.commitFailed(id, Broken()), "\(number) is given up with \(key)")
        }
      case .renamed(let key, let other):
        ids[other, default: []] += ids.removeValue(forKey: key) ?? []
      }
    }
  }

  /// Begins an attempt: the gate is open.
  private mutating func begin() {
    guard !due.isEmpty, let (mutation, erasing) = outbox.begin(due.removeFirst()) else { return }
    attempts.append(Attempt(mutation: mutation, erasing: erasing, process: process))
  }

  /// The server applies a change, unless it has seen its key before.
  private mutating func take(_ index: Int) -> Attempt {
    let attempt = attempts[index]
    if seenKeys.insert(attempt.mutation.key).inserted { Self.add(attempt.number, to: &server) }
    tell("the server takes \(attempt.mutation.key)")
    return attempt
  }

  private mutating func reply(lost isLost: Bool) {
    guard let index = attempts.indices.randomElement(using: &random) else { return }
    let attempt = take(index)
    attempts.remove(at: index)
    guard attempt.process == process else { return }
    let key = attempt.mutation.key
    guard isLost else { return arrive(attempt) }
    if random.chance(30), let row = journal.firstIndex(where: { $0.key == key }) {
      journal[row].failure = "no"
      return perform(outbox.gaveUp(key, now: journal[row], Broken()))
    }
    perform(outbox.attemptFailed(key, now: attempt.mutation, next: now))
  }

  private mutating func arrive(_ attempt: Attempt, isDropped: Bool = false) {
    let (key, erased) = (attempt.mutation.key, attempt.erasing)
    journal.removeAll { $0.key == key || erased.contains($0.key) }
    perform(outbox.arrived(key, isDropped: isDropped, erased: erased))
  }

  /// The handler drops a change that the server has not applied, or sends another number instead.
  private mutating func conflict() {
    guard let index = attempts.indices.randomElement(using: &random) else { return }
    let attempt = attempts[index]
    let (old, number) = (attempt.mutation, attempt.number)
    guard attempt.process == process, !seenKeys.contains(old.key) else { return }
    attempts.remove(at: index)
    // The user's number is no longer wanted, but stays on the screen until the value is loaded.
    for id in ids[old.key] ?? [] { wanted.remove(numbers[id] ?? 0) }
    wanted.remove(number)
    guard random.chance(50) else { return arrive(attempt, isDropped: true) }
    let new = MutationOutbox.Entry(
      key: newKey(), handler: old.handler, scope: old.scope, field: old.field,
      arguments: "\(number + 6_000)")
    if let row = journal.firstIndex(where: { $0.key == old.key }) { journal[row] = new }
    perform(outbox.attemptFailed(old.key, now: new, next: now))
  }

  /// The server refuses a change that it has not applied, for good.
  private mutating func refuse(_ index: Int) {
    let attempt = attempts[index]
    var mutation = attempt.mutation
    guard attempt.process == process, !seenKeys.contains(mutation.key) else { return }
    attempts.remove(at: index)
    mutation.failure = "no"
    if let row = journal.firstIndex(where: { $0.key == mutation.key }) { journal[row] = mutation }
    perform(outbox.gaveUp(mutation.key, now: mutation, Broken()))
  }

  private mutating func wake() {
    guard !resting.isEmpty else { return }
    perform(outbox.wake(resting.removeFirst()))
  }

  /// The user retries a change that has failed.
  private mutating func retry() {
    guard let failed = resource.log.failed.randomElement(using: &random),
      let number = numbers[failed.report.id], resource.latestValue != nil
    else { return }
    retried.insert(number)
    begin(.retryMutation(failed.report.id), number, "\(number) is tried again")
  }

  /// The process is killed, and the next one shows the changes that are in the journal.
  private mutating func restart() {
    // An attempt for a field that arrives later could follow a newer one: its row can be replaced.
    for index in attempts.indices where Self.isOfField(attempts[index].number) {
      if random.chance(50) { _ = take(index) }
    }
    attempts.removeAll { Self.isOfField($0.number) }
    process += 1
    (resource, outbox) = (Self.newResource(), OutboxState())
    (loads, unwritten, ids, resting, retried) = ([], [], [:], [], [])
    (writing, due, numbers, pendingOfFields, wanted, lastNumber) = (nil, [], [:], [], [], 0)
    tell("a new process")
    perform(outbox.open(journal))
    for row in outbox.pending {
      let number = Int(row.arguments) ?? 0
      // The value may contain it already.
      let mutation = Mutation<[Int]>(item: Self.scope(number), field: row.field) { value in
        if !value.contains(number) { Self.add(number, to: &value) }
      } commit: {
      }
      begin(.mutate(mutation.held), number, "\(number) is shown again")
      guard let id = resource.begun else { continue }
      unwritten.removeAll { $0.id == id }
      ids[row.key] = [id]
      note(row.key, of: id)
      apply(.kept(id, needsReload: true), "\(number) was kept")
    }
  }

  // MARK: The end

  /// Sends all changes, or has them refused, and loads the value: it must be the server's.
  private mutating func finish() -> String? {
    if resource.activity == nil, shown == nil { apply(.load(nil, .join, .user), "load") }
    for _ in 0..<200 {
      if writing != nil || !unwritten.isEmpty {
        write()
      } else if !due.isEmpty {
        begin()
      } else if !resting.isEmpty {
        wake()
      } else if let index = attempts.firstIndex(where: { $0.process == process }) {
        if random.chance(25) {
          refuse(index)
          continue
        }
        let attempt = take(index)
        attempts.remove(at: index)
        arrive(attempt)
      } else if !loads.isEmpty {
        let load = loads.removeFirst()
        apply(.finished(load.ticket, HeldValue(load.answer ?? server)), "it is loaded")
      } else if resource.failure != nil {
        apply(.load(nil, .join, .user), "it is loaded again")
      } else {
        break
      }
      if let fault { return fault }
    }
    if resource.activity != nil { return "a load never ends" }
    if !resource.log.isDrained || !outbox.pending.isEmpty { return "a change is never sent" }
    if journal.contains(where: { $0.failure == nil }) { return "a row stays" }
    // Nobody else changes the server's value, so an earlier answer with the changes over it equals
    // it.
    let missing = Set(server).subtracting(shown ?? [])
    if !missing.isSubset(of: rolledBack) { return "\(missing) is on the server only" }
    let extra = Set(shown ?? []).subtracting(server).filter { number in
      // A number that was rolled back, although the server has it, has taken its place there.
      !Self.isOfField(number)
        || !missing.contains { Self.isOfField($0) && Self.scope($0) == Self.scope(number) }
    }
    return extra.isEmpty ? nil : "\(extra) is on the screen only"
  }
}
