import Testing

@testable import Loading

/// The reducers of a resource and of an outbox, with a server, and a process that is killed and
/// started again at random.
///
/// The value that is shown is compared with what the server has and what the user has done. Every
/// change adds a number of its own, so that a change that is shown twice, or not at all, is
/// noticed.
@Suite struct KeptChangePropertyTests {
  @Test(arguments: Shard.all)
  func `each change is shown exactly once at all times, whatever is loaded meanwhile`(
    shard: Shard
  ) async {
    for seed in shard.seeds(of: 100_000) {
      await Task.yield()
      var world = KeptChangeWorld(seed: seed)
      if let fault = world.run(steps: 24) {
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
    let process: Int
  }

  private var random: Seeded
  private let now = AnyClock.Instant.ms(0)
  private(set) var story: [String] = []

  // State that survives when the process is killed.
  private var server: [Int] = []
  private var seenKeys: Set<String> = []
  private var journal: [MutationOutbox.Entry] = []
  private var attempts: [Attempt] = []
  private var count = 0

  // State of the process.
  private var process = 0
  private var resource = Self.newResource()
  private var outbox = OutboxState()
  private var loads: [Load] = []
  /// The changes whose commit has begun and that are not in the journal yet.
  private var unwritten: [(id: PendingMutation.ID, number: Int)] = []
  private var ids: [String: PendingMutation.ID] = [:]
  private var resting: [String] = []
  /// The user's changes without a reported failure: all of them must be shown.
  private var wanted: Set<Int> = []
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
    return nil
  }

  private mutating func tell(_ event: String) {
    story.append("\(event) | screen \(shown.map { "\($0)" } ?? "nothing"), server \(server)")
  }

  // MARK: Steps

  private mutating func step() {
    switch random.below(20) {
    case 0..<3: apply(.load(nil, random.chance(50) ? .join : .restart, .user), "load")
    case 3, 4: read()
    case 5..<8: answer()
    case 8..<11: change()
    case 11, 12: write()
    case 13: if !attempts.isEmpty { _ = take(random.below(attempts.count)) }
    case 14, 15: reply(lost: random.chance(40))
    case 16: refuse()
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
      case .commit(let id): if let number = committed(id) { unwritten.append((id, number)) }
      default: continue
      }
    }
    tell(name)
  }

  /// The numbers that the patch of a mutation adds.
  private func committed(_ id: PendingMutation.ID) -> Int? {
    guard let mutation = resource.log.mutation(id) else { return nil }
    var value = HeldValue([Int]())
    mutation.patch(&value)
    return value.value(as: [Int].self).last
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
    let mutation = Mutation<[Int]>(item: random.below(2)) { value in
      value.append(number)
    } commit: { _ in
    }
    wanted.insert(number)
    apply(.mutate(mutation.held), "\(number) is added")
    if resource.begun == nil { wanted.remove(number) }
  }

  /// Writes a change into the journal.
  private mutating func write() {
    guard !unwritten.isEmpty else { return }
    let (id, number) = unwritten.removeFirst()
    let key = resource.log.mutation(id)?.record.key
    let mutation = MutationOutbox.Entry(
      key: key ?? "\(number)", handler: "add", scope: "\(number % 2)", arguments: "\(number)")
    ids[mutation.key] = id
    resource.log.mutation(id)?.record.note(mutation.key) {}
    if key == nil {
      journal.append(mutation)
      perform(outbox.append(mutation, replacing: []))
    } else if let index = journal.firstIndex(where: { $0.key == key }) {
      journal[index].failure = nil
      perform(outbox.retried(mutation.key, now: journal[index]))
    }
    apply(.kept(id, needsReload: key != nil), "\(number) is kept")
  }

  private mutating func perform(_ effects: [OutboxState.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let key):
        guard let (mutation, _) = outbox.begin(key) else { continue }
        attempts.append(Attempt(mutation: mutation, process: process))
      case .wake(let key, _): resting.append(key)
      case .settled(let key, _):
        if let id = ids[key] { apply(.committed(id, nil), "\(key) has arrived") }
      case .gaveUp(let key):
        wanted.remove(Int(key) ?? 0)
        if let id = ids[key] { apply(.commitFailed(id, Broken()), "\(key) is given up") }
      case .renamed: continue
      }
    }
  }

  /// The server applies a change, unless it has seen its key before.
  private mutating func take(_ index: Int) -> Attempt {
    let attempt = attempts[index]
    if seenKeys.insert(attempt.mutation.key).inserted {
      server.append(Int(attempt.mutation.arguments) ?? 0)
    }
    tell("the server takes \(attempt.mutation.key)")
    return attempt
  }

  private mutating func reply(lost isLost: Bool) {
    guard let index = attempts.indices.randomElement(using: &random) else { return }
    let attempt = take(index)
    attempts.remove(at: index)
    guard attempt.process == process else { return }
    let key = attempt.mutation.key
    guard isLost else {
      journal.removeAll { $0.key == key }
      return perform(outbox.arrived(key, erased: []))
    }
    if random.chance(30), let row = journal.firstIndex(where: { $0.key == key }) {
      journal[row].failure = "no"
      return perform(outbox.gaveUp(key, now: journal[row], Broken()))
    }
    perform(outbox.attemptFailed(key, now: attempt.mutation, next: now))
  }

  /// The server refuses a change that it has not applied, for good.
  private mutating func refuse() {
    guard let index = attempts.indices.randomElement(using: &random) else { return }
    let attempt = attempts[index]
    let key = attempt.mutation.key
    guard attempt.process == process, !seenKeys.contains(key),
      let row = journal.firstIndex(where: { $0.key == key })
    else { return }
    attempts.remove(at: index)
    journal[row].failure = "no"
    perform(outbox.gaveUp(key, now: journal[row], Broken()))
  }

  private mutating func wake() {
    guard !resting.isEmpty else { return }
    perform(outbox.wake(resting.removeFirst()))
  }

  /// The user retries a change that has failed.
  private mutating func retry() {
    guard let failed = resource.log.failed.first, let key = failed.mutation.record.key,
      outbox.canRetry(key)
    else { return }
    guard let number = Int(key), resource.latestValue != nil else { return }
    wanted.insert(number)
    retried.insert(number)
    apply(.retryMutation(failed.report.id), "\(key) is tried again")
  }

  /// The process is killed, and the next one shows the changes that are in the journal.
  private mutating func restart() {
    process += 1
    (resource, outbox) = (Self.newResource(), OutboxState())
    (loads, unwritten, ids, resting, retried) = ([], [], [:], [], [])
    tell("a new process")
    perform(outbox.open(journal))
    wanted = Set(outbox.pending.compactMap { Int($0.arguments) })
    for row in outbox.pending {
      let number = Int(row.arguments) ?? 0
      // The value may contain it already.
      let mutation = Mutation<[Int]>(item: number % 2) { value in
        if !value.contains(number) { value.append(number) }
      } commit: {
      }
      apply(.mutate(mutation.held), "\(number) is shown again")
      guard let id = resource.begun else { continue }
      unwritten.removeAll { $0.id == id }
      ids[row.key] = id
      resource.log.mutation(id)?.record.note(row.key) {}
      apply(.kept(id, needsReload: true), "\(number) was kept")
    }
  }

  // MARK: The end

  /// Sends all changes and loads the value: the shown value must be the server's value.
  private mutating func finish() -> String? {
    if resource.activity == nil, shown == nil { apply(.load(nil, .join, .user), "load") }
    for _ in 0..<200 {
      if !unwritten.isEmpty {
        write()
      } else if !resting.isEmpty {
        wake()
      } else if let index = attempts.firstIndex(where: { $0.process == process }) {
        let attempt = take(index)
        attempts.remove(at: index)
        journal.removeAll { $0.key == attempt.mutation.key }
        perform(outbox.arrived(attempt.mutation.key, erased: []))
      } else if !loads.isEmpty {
        let load = loads.removeFirst()
        apply(.finished(load.ticket, HeldValue(load.answer ?? server)), "it is loaded")
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
    let failed = Set(journal.compactMap { Int($0.arguments) })
    if !missing.isSubset(of: failed) { return "\(missing) is on the server only" }
    let extra = Set(shown ?? []).subtracting(server)
    return extra.isEmpty ? nil : "\(extra) is on the screen only"
  }
}
