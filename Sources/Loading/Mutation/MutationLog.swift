/// A confirmed value and the changes over it, in order.
///
/// The value on the screen is always the confirmed one with the log replayed over it; nothing is
/// ever restored from a copy. So a change that is taken back takes nothing newer with it, and a
/// new value from outside never hides a change that is under way.
struct MutationLog {
  enum Phase {
    case held(until: AnyClock.Instant)
    case waiting
    case committing
    /// Stored, with the patch that stands for it from now on; it stays in the log until all
    /// before it are settled, so that its place in the order is kept.
    case confirmed(Mutation<HeldValue>.Patch)
  }

  struct Entry {
    let id: MutationID
    let mutation: Mutation<HeldValue>
    var phase: Phase
  }

  struct Failed {
    let report: FailedMutation
    let mutation: Mutation<HeldValue>
  }

  private struct Slot: Hashable {
    let scope: MutationKey
    let field: MutationKey
  }

  private(set) var base: HeldValue?
  private(set) var failed: [Failed] = []
  private(set) var committingCount = 0
  private(set) var pendingCount = 0
  /// How many are stored and still in the log.
  private var confirmedCount = 0
  /// When a commit last succeeded.
  private(set) var lastCommitAt: AnyClock.Instant?
  /// How many mutations of each item are pending.
  private(set) var modifying: [MutationKey: Int] = [:]

  private var entries = Queue<Entry>()
  private var scopes: [MutationKey: Queue<MutationID>] = [:]
  /// The newest mutation of each field that may still be replaced.
  private var replaceable: [Slot: MutationID] = [:]
  /// When the next commit of a field may begin whose commits keep a distance.
  private var nextCommits: [Slot: AnyClock.Instant] = [:]
  /// Counts the changes of ``value``, so that a change can be seen without comparing values.
  private(set) var version = 0
  /// Counts the confirmed values that came, or went, as a whole.
  private(set) var arrivals = 0
  /// The value with the log replayed; nil when that has to be done again.
  private var replayed: HeldValue?
  private var lastID = MutationID(number: 0)

  // MARK: Reading

  var isDrained: Bool { pendingCount == 0 }

  var hasValue: Bool { base != nil }

  /// The value on the screen.
  ///
  /// Costs a replay when something changed since ``refresh()``.
  var value: HeldValue? { replayed ?? replay(through: nil) }

  /// Keeps the value on the screen for the next readings.
  mutating func refresh() {
    if replayed == nil { replayed = replay(through: nil) }
  }

  var pending: [PendingMutation] {
    entries.compactMap { entry in
      let phase: PendingMutation.Phase
      switch entry.phase {
      case .held(let until): phase = .held(until: until)
      case .waiting: phase = .waiting
      case .committing: phase = .committing
      case .confirmed: return nil
      }
      return PendingMutation(id: entry.id, item: entry.mutation.item, phase: phase)
    }
  }

  func mutation(_ id: MutationID) -> Mutation<HeldValue>? {
    index(of: id).map { entries[$0].mutation }
  }

  /// The value as this mutation leaves it: what its commit has to store.
  func value(through id: MutationID) -> HeldValue? {
    if entries.last?.id == id, entries.last?.mutation.timing == .optimistic, let replayed {
      return replayed
    }
    return replay(through: id)
  }

  private func replay(through last: MutationID?) -> HeldValue? {
    guard var value = base else { return nil }
    for entry in entries {
      if case .confirmed(let patch) = entry.phase {
        patch(&value)
      } else if entry.mutation.timing == .optimistic || entry.id == last {
        entry.mutation.patch(&value)
      }
      if entry.id == last { break }
    }
    return value
  }

  private func index(of id: MutationID) -> Int? {
    var (low, high) = (entries.startIndex, entries.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < entries.endIndex && entries[low].id == id ? low : nil
  }

  // MARK: The confirmed value

  /// Takes a value that contains everything that was stored.
  mutating func accept(_ value: HeldValue) {
    base = value
    version += 1
    arrivals += 1
    if confirmedCount > 0 {
      confirmedCount = 0
      entries.removeAll { entry in
        if case .confirmed = entry.phase { true } else { false }
      }
    }
    replayed = pendingCount == 0 ? value : nil
  }

  /// Changes the confirmed value, if there is one, under whatever is pending over it.
  mutating func update(_ change: Mutation<HeldValue>.Patch) {
    guard var value = base else { return }
    base = nil
    change(&value)
    base = value
    invalidate()
  }

  /// Forgets the value.
  ///
  /// What was not stored has failed, and says so.
  mutating func clear(at now: AnyClock.Instant) -> [ResourceEffect] {
    var effects: [ResourceEffect] = []
    for entry in entries {
      if case .confirmed = entry.phase { continue }
      effects.append(.stopMutation(entry.id))
      effects += keep(entry, failedWith: MutationError.valueReset, at: now)
    }
    let (failed, lastID, lastCommitAt) = (failed, lastID, lastCommitAt)
    let (version, arrivals) = (version, arrivals)
    self = MutationLog()
    self.failed = failed
    self.version = version + 1
    self.arrivals = arrivals + 1
    self.lastID = lastID
    self.lastCommitAt = lastCommitAt
    return effects
  }

  // MARK: Changes

  /// Begins a mutation; nil when there is no value to change.
  mutating func begin(
    _ mutation: Mutation<HeldValue>, at now: AnyClock.Instant
  ) -> (id: MutationID, effects: [ResourceEffect])? {
    guard base != nil else { return nil }
    var mutation = mutation
    var effects: [ResourceEffect] = []
    let slot = mutation.field.map { Slot(scope: mutation.scope, field: $0) }
    if let slot, let older = replaceable[slot], let entry = index(of: older).map({ entries[$0] }) {
      effects += remove(older, at: now)
      if mutation.mergesWithWaiting { mutation = mutation.merged(after: entry.mutation) }
    }
    lastID = MutationID(number: lastID.number + 1)
    let id = lastID
    let until = holding(mutation, in: slot, at: now)
    entries.append(
      Entry(id: id, mutation: mutation, phase: until.map { .held(until: $0) } ?? .waiting))
    scopes[mutation.scope, default: Queue()].append(id)
    if let slot { replaceable[slot] = id }
    pendingCount += 1
    count(mutation.item, by: 1)
    if mutation.timing == .optimistic {
      version += 1
      if var value = replayed {
        replayed = nil  // Released first, so that the patch changes it in place.
        mutation.patch(&value)
        replayed = value
      }
    }
    if let until { effects.append(.hold(id, until: until)) }
    effects += advance(mutation.scope, at: now)
    return (id, effects)
  }

  /// Until when a mutation that begins is held back; nil for not at all.
  private mutating func holding(
    _ mutation: Mutation<HeldValue>, in slot: Slot?, at now: AnyClock.Instant
  ) -> AnyClock.Instant? {
    let end = mutation.undoWindow.map { now.advanced(by: $0) }
    guard mutation.spacing != nil, let slot else { return end }
    if let next = nextCommits[slot], next > now { return max(end ?? next, next) }
    // A value with many elements has many fields, most of which are long at rest.
    nextCommits = nextCommits.filter { $0.value > now }
    return end
  }

  /// Ends the time in which a mutation is held back.
  mutating func release(_ id: MutationID, at now: AnyClock.Instant) -> [ResourceEffect] {
    guard let index = index(of: id), case .held = entries[index].phase else { return [] }
    entries[index].phase = .waiting
    return [.stopMutation(id)] + advance(entries[index].mutation.scope, at: now)
  }

  /// Ends the time in which mutations may be undone, for all of them.
  mutating func releaseAll(at now: AnyClock.Instant) -> [ResourceEffect] {
    pending.flatMap { release($0.id, at: now) }
  }

  /// Takes back a mutation that is not being committed yet; nil when it is too late.
  mutating func undo(_ id: MutationID, at now: AnyClock.Instant) -> [ResourceEffect]? {
    guard let index = index(of: id) else { return nil }
    switch entries[index].phase {
    case .held, .waiting: return remove(id, at: now)
    case .committing, .confirmed: return nil
    }
  }

  /// A mutation is stored; `answer` replaces its patch.
  ///
  /// Nil when it is not being committed.
  mutating func confirm(
    _ id: MutationID, _ answer: Mutation<HeldValue>.Patch?, at now: AnyClock.Instant
  ) -> [ResourceEffect]? {
    guard let index = index(of: id), case .committing = entries[index].phase else { return nil }
    let mutation = entries[index].mutation
    entries[index].phase = .confirmed(answer ?? mutation.patch)
    confirmedCount += 1
    if answer != nil || mutation.timing == .confirmed { invalidate() }
    lastCommitAt = now
    if let field = mutation.field {
      failed.removeAll {
        $0.report.id < id && $0.mutation.scope == mutation.scope && $0.mutation.field == field
      }
    }
    fold()
    return settle(id, mutation, at: now)
  }

  /// A mutation could not be stored: it is taken out of the log, and kept to be retried.
  mutating func fail(
    _ id: MutationID, _ error: any Error, at now: AnyClock.Instant
  ) -> [ResourceEffect]? {
    guard let index = index(of: id), case .committing = entries[index].phase else { return nil }
    let entry = entries.remove(at: index)
    if entry.mutation.timing == .optimistic { invalidate() }
    fold()
    return keep(entry, failedWith: error, at: now) + settle(id, entry.mutation, at: now)
  }

  /// Begins a failed mutation again, with what it was given.
  mutating func retry(
    _ id: MutationID, at now: AnyClock.Instant
  ) -> (id: MutationID, effects: [ResourceEffect])? {
    guard base != nil, let index = failed.firstIndex(where: { $0.report.id == id }) else {
      return nil
    }
    return begin(failed.remove(at: index).mutation, at: now)
  }

  /// Forgets a failed mutation.
  mutating func dismiss(_ id: MutationID) {
    failed.removeAll { $0.report.id == id }
  }

  // MARK: Steps

  private mutating func invalidate() {
    replayed = nil
    version += 1
  }

  /// Lets the first of a scope commit, if it is ready to.
  private mutating func advance(
    _ scope: MutationKey, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    guard let id = scopes[scope]?.first, let index = index(of: id),
      case .waiting = entries[index].phase
    else { return [] }
    entries[index].phase = .committing
    committingCount += 1
    let mutation = entries[index].mutation
    forgetReplaceable(id, mutation)
    if let spacing = mutation.spacing, let field = mutation.field {
      nextCommits[Slot(scope: scope, field: field)] = now.advanced(by: spacing)
    }
    return [.commit(id)]
  }

  /// A commit has ended: the next of its scope may begin.
  private mutating func settle(
    _ id: MutationID, _ mutation: Mutation<HeldValue>, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    committingCount -= 1
    leave(id, mutation)
    return [.stopMutation(id)] + advance(mutation.scope, at: now)
  }

  /// Removes a mutation that was not being committed.
  private mutating func remove(
    _ id: MutationID, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    guard let index = index(of: id) else { return [] }
    let entry = entries.remove(at: index)
    if entry.mutation.timing == .optimistic { invalidate() }
    forgetReplaceable(id, entry.mutation)
    fold()
    leave(id, entry.mutation)
    return [.stopMutation(id)] + advance(entry.mutation.scope, at: now)
  }

  /// Takes a mutation that is settled out of the counts.
  private mutating func leave(_ id: MutationID, _ mutation: Mutation<HeldValue>) {
    pendingCount -= 1
    count(mutation.item, by: -1)
    if let place = scopes[mutation.scope]?.firstIndex(of: id) {
      scopes[mutation.scope]?.remove(at: place)
    }
    if scopes[mutation.scope]?.isEmpty == true { scopes[mutation.scope] = nil }
  }

  /// Moves what is stored and has nothing unsettled before it into the confirmed value.
  private mutating func fold() {
    while let first = entries.first, case .confirmed(let patch) = first.phase {
      _ = entries.removeFirst()
      confirmedCount -= 1
      guard var value = base else { continue }
      base = nil  // Released first, so that the patch changes it in place.
      patch(&value)
      base = value
    }
    if entries.isEmpty { replayed = base }
  }

  /// Keeps what failed, to be retried.
  ///
  /// Of several that failed with one field there is one left to be retried, as of several that
  /// wait: who presses a key ten times while a disk is full has not ten decisions to make.
  private mutating func keep(
    _ entry: Entry, failedWith error: any Error, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    var mutation = entry.mutation
    let older = failed.firstIndex { older in
      mutation.field != nil && older.mutation.field == mutation.field
        && older.mutation.scope == mutation.scope
    }
    if let older {
      let failed = failed.remove(at: older)
      if mutation.mergesWithWaiting { mutation = mutation.merged(after: failed.mutation) }
    }
    let report = FailedMutation(id: entry.id, item: mutation.item, error: error, at: now)
    failed.append(Failed(report: report, mutation: mutation))
    return [.report(entry.id)]
  }

  private mutating func forgetReplaceable(_ id: MutationID, _ mutation: Mutation<HeldValue>) {
    guard let field = mutation.field else { return }
    let slot = Slot(scope: mutation.scope, field: field)
    if replaceable[slot] == id { replaceable[slot] = nil }
  }

  private mutating func count(_ item: MutationKey?, by change: Int) {
    guard let item else { return }
    let count = modifying[item, default: 0] + change
    modifying[item] = count > 0 ? count : nil
  }
}
