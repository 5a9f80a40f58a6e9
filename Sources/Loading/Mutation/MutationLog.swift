/// The pending and the failed mutations of a value.
///
/// Their patches are in ``patches``.
struct MutationLog {
  struct Entry {
    let id: PendingMutation.ID
    let mutation: Mutation<HeldValue>
    let start: AnyClock.Instant
    var phase: PendingMutation.Phase
    /// Whether it has the turn of a scope that resources share; always true for other scopes.
    var hasTurn: Bool
    /// The superseded mutations whose patches it includes, oldest first, and itself.
    var ids: [PendingMutation.ID]
  }

  /// A failed mutation and its error.
  struct Report {
    let id: PendingMutation.ID
    let item: MutationKey?
    let error: any Error
    let at: AnyClock.Instant
    /// False once it was retried or dismissed, or a newer change of its field was stored.
    ///
    /// Shared by the copies of the report, because a ``FailedMutation`` outlives its resource.
    let isFailed = Lock(true)
  }

  struct Failed {
    let report: Report
    let mutation: Mutation<HeldValue>
    /// The patches that it includes, in the order of their mutations; its own is the last.
    var patches: [(id: PendingMutation.ID, patch: Mutation<HeldValue>.Patch)]
    /// Its row in a journal, and those of the other failed mutations of its field.
    var records: [CommitRecord]
  }

  private struct Slot: Hashable {
    let scope: MutationKey
    let field: MutationKey

    /// Returns nil for a mutation without a field.
    init?(_ mutation: Mutation<HeldValue>) {
      guard let field = mutation.field else { return nil }
      scope = mutation.scope
      self.field = field
    }
  }

  /// The value with the patches of the pending and confirmed mutations.
  private(set) var patches = PatchLog()
  /// The failed mutations in the order in which they failed; at most one of each field.
  private(set) var failed = Queue<Failed>()
  private(set) var committingCount = 0
  private(set) var keptCount = 0
  /// How many mutations of each item are pending.
  private(set) var modifying: [MutationKey: Int] = [:]

  private var entries = Queue<Entry>()
  private var scopes: [MutationKey: Queue<PendingMutation.ID>] = [:]
  /// The newest mutation of each field that may still be superseded.
  private var replaceable: [Slot: PendingMutation.ID] = [:]
  /// The failed mutation of each field.
  private var failedFields: [Slot: PendingMutation.ID] = [:]
  /// When the next commit of a field with a ``Mutation/throttle`` may begin.
  private var nextCommits: [Slot: AnyClock.Instant] = [:]
  private var lastID = PendingMutation.ID(number: 0)

  // MARK: Reading

  var isDrained: Bool { entries.isEmpty }

  var pendingCount: Int { entries.count }

  var pending: [PendingMutation] {
    entries.map { PendingMutation(id: $0.id, item: $0.mutation.item, phase: $0.phase) }
  }

  func mutation(_ id: PendingMutation.ID) -> Mutation<HeldValue>? {
    index(of: id).map { entries[$0].mutation }
  }

  /// Returns whether a pending mutation is in a journal.
  func isKept(_ id: PendingMutation.ID) -> Bool {
    if let index = index(of: id), case .kept = entries[index].phase { true } else { false }
  }

  /// Returns when a pending mutation began.
  func start(of id: PendingMutation.ID) -> AnyClock.Instant? {
    index(of: id).map { entries[$0].start }
  }

  /// Returns the value after this mutation, which its commit has to store.
  func value(through id: PendingMutation.ID) -> HeldValue? {
    index(of: id).flatMap { patches.value(through: entries[$0].ids) }
  }

  /// Returns the pending mutation that includes this one, or is this one; nil if it has ended.
  func carrier(of id: PendingMutation.ID) -> PendingMutation.ID? {
    if index(of: id) != nil { return id }
    return entries.first { $0.ids.contains(id) }?.id
  }

  private func index(of id: PendingMutation.ID) -> Int? {
    entries.index(of: id) { $0.id }
  }

  // MARK: The value

  /// Computes the value on the screen, so that reading it is cheap.
  mutating func refresh() {
    patches.refresh()
  }

  /// Replaces the confirmed value by a value that contains every stored change.
  mutating func accept(_ value: HeldValue, isSame: (@Sendable (HeldValue, HeldValue) -> Bool)?) {
    patches.accept(value, isSame: isSame)
  }

  /// Changes the confirmed value, if there is one, under the pending patches.
  mutating func update(_ change: Mutation<HeldValue>.Patch) {
    patches.update(change)
  }

  /// Removes the value.
  ///
  /// Pending mutations fail and are reported, except for those in a journal: their patches are
  /// applied to the next value.
  mutating func clear(at now: AnyClock.Instant) -> [ResourceEffect] {
    var effects: [ResourceEffect] = []
    var kept = Queue<Entry>()
    for entry in entries {
      if case .kept = entry.phase {
        kept.append(entry)
        continue
      }
      effects.append(.stopMutation(entry.id))
      if entry.mutation.sharesScope { effects.append(.leave(entry.id, entry.mutation.scope)) }
      effects += keep(entry, failedWith: LoadingError.valueReset, at: now)
    }
    var cleared = MutationLog()
    cleared.patches = patches
    cleared.patches.clear(keeping: Set(kept.flatMap(\.ids)))
    cleared.entries = kept
    cleared.keptCount = keptCount
    for item in kept.compactMap(\.mutation.item) { cleared.modifying.add(1, to: item) }
    cleared.failed = failed
    cleared.failedFields = failedFields
    cleared.lastID = lastID
    self = cleared
    return effects
  }

  // MARK: Changes

  /// Begins a mutation; returns nil if it needs a value and there is none.
  mutating func begin(
    _ mutation: Mutation<HeldValue>, at now: AnyClock.Instant
  ) -> (id: PendingMutation.ID, effects: [ResourceEffect])? {
    guard canBegin(mutation) else { return nil }
    var effects: [ResourceEffect] = []
    var carried: [PendingMutation.ID] = []
    let slot = Slot(mutation)
    if let slot, let older = replaceable[slot] {
      if mutation.mergesWithWaiting {
        (carried, effects) = takeOver(older, for: mutation, at: now)
      } else {
        effects += remove(older, at: now)
      }
    }
    lastID = PendingMutation.ID(number: lastID.number + 1)
    let id = lastID
    if let merged = carried.last { effects.append(.merged(merged, into: id)) }
    let until = holding(mutation, in: slot, at: now)
    carried.append(id)
    entries.append(
      Entry(
        id: id, mutation: mutation, start: now, phase: until.map { .held(until: $0) } ?? .waiting,
        hasTurn: !mutation.sharesScope, ids: carried))
    scopes[mutation.scope, default: Queue()].append(id)
    if let slot { replaceable[slot] = id }
    if let item = mutation.item { modifying.add(1, to: item) }
    patches.append(
      id, mutation.patch, after: mutation.earlier, isShown: mutation.timing == .optimistic)
    if let until { effects.append(.hold(id, until: until)) }
    if mutation.sharesScope { effects.append(.enter(id, mutation.scope)) }
    effects += advance(mutation.scope, at: now)
    return (id, effects)
  }

  private func canBegin(_ mutation: Mutation<HeldValue>) -> Bool {
    patches.base != nil || !mutation.needsValue
  }

  /// Removes a mutation but not its patches, which stay at their position as patches of `newer`.
  private mutating func takeOver(
    _ id: PendingMutation.ID, for newer: Mutation<HeldValue>, at now: AnyClock.Instant
  ) -> (patches: [PendingMutation.ID], effects: [ResourceEffect]) {
    guard let index = index(of: id) else { return ([], []) }
    let entry = entries.remove(at: index)
    if entry.mutation.timing != newer.timing {
      patches.show(entry.ids, newer.timing == .optimistic)
    }
    return (entry.ids, leave(id, entry.mutation, at: now))
  }

  /// Returns the time until which a new mutation is held; nil if it is not held.
  private mutating func holding(
    _ mutation: Mutation<HeldValue>, in slot: Slot?, at now: AnyClock.Instant
  ) -> AnyClock.Instant? {
    let end = mutation.undoWindow.map { now.advanced(by: $0) }
    guard mutation.throttle != nil, let slot else { return end }
    if let next = nextCommits[slot], next > now { return max(end ?? next, next) }
    // The fields of a value with many elements would otherwise add up.
    nextCommits = nextCommits.filter { $0.value > now }
    return end
  }

  /// Gives a mutation the turn of a scope that resources share.
  mutating func giveTurn(to id: PendingMutation.ID, at now: AnyClock.Instant) -> [ResourceEffect] {
    guard let index = index(of: id) else { return [] }
    entries[index].hasTurn = true
    return advance(entries[index].mutation.scope, at: now)
  }

  /// Ends the time for which a mutation is held.
  mutating func release(_ id: PendingMutation.ID, at now: AnyClock.Instant) -> [ResourceEffect] {
    guard let index = index(of: id), case .held = entries[index].phase else { return [] }
    entries[index].phase = .waiting
    return [.stopMutation(id)] + advance(entries[index].mutation.scope, at: now)
  }

  /// Ends the time for which mutations are held, for all of them.
  mutating func releaseAll(at now: AnyClock.Instant) -> [ResourceEffect] {
    entries.map(\.id).flatMap { release($0, at: now) }
  }

  /// Takes back a mutation that is not being committed yet; returns nil if it is too late.
  mutating func undo(_ id: PendingMutation.ID, at now: AnyClock.Instant) -> [ResourceEffect]? {
    guard let index = index(of: id) else { return nil }
    switch entries[index].phase {
    case .committing, .kept: return nil
    case .held, .waiting: return remove(id, at: now)
    }
  }

  /// Records that a mutation is in a journal, so that the next of its scope can be committed.
  ///
  /// Its patch stays over the value until the mutation was sent or has failed. Returns nil if it is
  /// not being committed.
  mutating func keep(_ id: PendingMutation.ID, at now: AnyClock.Instant) -> [ResourceEffect]? {
    guard let index = index(of: id), case .committing = entries[index].phase else { return nil }
    entries[index].phase = .kept
    committingCount -= 1
    keptCount += 1
    return giveUpTurn(id, entries[index].mutation, at: now)
  }

  /// Records that a mutation is stored; `answer` replaces its patch.
  ///
  /// Returns nil if it is neither being committed nor kept.
  mutating func confirm(
    _ id: PendingMutation.ID, _ answer: Mutation<HeldValue>.Patch?, at now: AnyClock.Instant
  ) -> [ResourceEffect]? {
    guard let entry = settle(id) else { return nil }
    patches.confirm(entry.ids, answer: answer)
    if let slot = Slot(entry.mutation), let older = failedFields[slot], older < id {
      dismiss(older)
    }
    return [.ended(id, isStored: true)] + leave(id, entry.mutation, at: now)
  }

  /// Rolls back a mutation that could not be stored, and adds it to the failed ones.
  ///
  /// Returns nil if it is neither being committed nor kept.
  mutating func fail(
    _ id: PendingMutation.ID, _ error: any Error, at now: AnyClock.Instant
  ) -> [ResourceEffect]? {
    guard let entry = settle(id) else { return nil }
    let report = keep(entry, failedWith: error, at: now)
    patches.remove(entry.ids)
    return report + leave(id, entry.mutation, at: now)
  }

  /// Begins a failed mutation again with the same arguments.
  ///
  /// It never replaces a newer change of its field. If that waits and changes of the field are
  /// merged, it includes the failed mutation from now on. Otherwise the newer change decides: nil
  /// is returned, and the failed mutation is removed when the newer one is stored.
  mutating func retry(
    _ id: PendingMutation.ID, at now: AnyClock.Instant
  ) -> (id: PendingMutation.ID, effects: [ResourceEffect])? {
    guard let index = failed.firstIndex(where: { $0.report.id == id }) else { return nil }
    var mutation = failed[index].mutation
    guard canBegin(mutation) else { return nil }
    mutation.carry(failed[index].patches.dropLast().map(\.patch))
    let slot = Slot(mutation)
    if let slot, hasKept(in: slot, after: id) { return nil }
    guard let slot, let newer = pendingIDs(in: slot).first else {
      dismiss(id)
      return begin(mutation, at: now)
    }
    guard newer == replaceable[slot], let entry = self.index(of: newer).map({ entries[$0] }),
      entry.mutation.mergesWithWaiting, let first = entry.ids.first
    else { return nil }
    dismiss(id)
    patches.prepend(mutation.patches, to: first)
    return (newer, [])
  }

  /// Returns whether a mutation of a field that is newer than this one is in a journal.
  private func hasKept(in slot: Slot, after id: PendingMutation.ID) -> Bool {
    entries.contains { entry in
      if case .kept = entry.phase { entry.id > id && Slot(entry.mutation) == slot } else { false }
    }
  }

  /// Returns the pending mutations of a field: at most one that is being committed and one that
  /// waits.
  private func pendingIDs(in slot: Slot) -> [PendingMutation.ID] {
    var ids: [PendingMutation.ID] = []
    if let first = scopes[slot.scope]?.first, let index = index(of: first),
      case .committing = entries[index].phase, Slot(entries[index].mutation) == slot
    {
      ids.append(first)
    }
    if let waiting = replaceable[slot] { ids.append(waiting) }
    return ids
  }

  /// Removes a failed mutation.
  mutating func dismiss(_ id: PendingMutation.ID) {
    guard let index = failed.firstIndex(where: { $0.report.id == id }) else { return }
    let mutation = removeFailed(at: index).mutation
    if let slot = Slot(mutation) { failedFields[slot] = nil }
  }

  // MARK: Steps

  /// Commits the first mutation of a scope if it waits and has the turn.
  private mutating func advance(
    _ scope: MutationKey, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    guard let id = scopes[scope]?.first, let index = index(of: id),
      case .waiting = entries[index].phase, entries[index].hasTurn
    else { return [] }
    entries[index].phase = .committing
    committingCount += 1
    let mutation = entries[index].mutation
    forgetReplaceable(id, mutation)
    if let throttle = mutation.throttle, let slot = Slot(mutation) {
      nextCommits[slot] = now.advanced(by: throttle)
    }
    return [.commit(id)]
  }

  /// Removes a mutation whose commit has ended; returns nil if it is neither being committed nor
  /// kept.
  private mutating func settle(_ id: PendingMutation.ID) -> Entry? {
    guard let index = index(of: id) else { return nil }
    switch entries[index].phase {
    case .held, .waiting: return nil
    case .committing: committingCount -= 1
    case .kept: keptCount -= 1
    }
    return entries.remove(at: index)
  }

  /// Removes a mutation that is not being committed, with its patches.
  private mutating func remove(
    _ id: PendingMutation.ID, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    guard let index = index(of: id) else { return [] }
    let entry = entries.remove(at: index)
    patches.remove(entry.ids)
    return [.ended(id, isStored: false)] + leave(id, entry.mutation, at: now)
  }

  /// Removes a mutation from the counts and from its scope.
  private mutating func leave(
    _ id: PendingMutation.ID, _ mutation: Mutation<HeldValue>, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    forgetReplaceable(id, mutation)
    if let item = mutation.item { modifying.add(-1, to: item) }
    return [.stopMutation(id)] + giveUpTurn(id, mutation, at: now)
  }

  /// Removes a mutation from its scope, and commits the next one if it is ready.
  private mutating func giveUpTurn(
    _ id: PendingMutation.ID, _ mutation: Mutation<HeldValue>, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    if let place = scopes[mutation.scope]?.firstIndex(of: id) {
      scopes[mutation.scope]?.remove(at: place)
    }
    if scopes[mutation.scope]?.isEmpty == true { scopes[mutation.scope] = nil }
    let leaving = mutation.sharesScope ? [ResourceEffect.leave(id, mutation.scope)] : []
    return leaving + advance(mutation.scope, at: now)
  }

  /// Adds a mutation to the failed ones, so that it can be retried.
  ///
  /// Only one failed mutation of each field is kept, so that a user who pressed a key ten times
  /// while a disk was full is asked only once.
  private mutating func keep(
    _ entry: Entry, failedWith error: any Error, at now: AnyClock.Instant
  ) -> [ResourceEffect] {
    let mutation = entry.mutation
    let own = patches.patches(of: entry.ids)
    var records: [CommitRecord] = []
    var all: [(id: PendingMutation.ID, patch: Mutation<HeldValue>.Patch)] = []
    if let slot = Slot(mutation) {
      if let other = failedFields[slot],
        let index = failed.firstIndex(where: { $0.report.id == other })
      {
        if other > entry.id {
          // It was replaced in a journal by the newer one, which has failed with it.
          if failed[index].mutation.mergesWithWaiting,
            let place = failed[index].patches.firstIndex(where: { $0.id > entry.id })
          {
            failed[index].patches.insert(contentsOf: own, at: place)
          }
          if mutation.record.row != nil { failed[index].records.append(mutation.record) }
          return [.report(entry.id, error)]
        }
        var older = removeFailed(at: index)
        // Moved, because copying them for each of many failures in a row would be quadratic.
        if mutation.mergesWithWaiting { swap(&all, &older.patches) }
        swap(&records, &older.records)
        // Its own is the last. Without a row there is nothing to remove.
        if records.last?.row == nil { _ = records.popLast() }
      }
      failedFields[slot] = entry.id
    }
    all += own
    records.append(mutation.record)
    let report = Report(id: entry.id, item: mutation.item, error: error, at: now)
    failed.append(Failed(report: report, mutation: mutation, patches: all, records: records))
    return [.report(entry.id, error)]
  }

  private mutating func removeFailed(at index: Int) -> Failed {
    let removed = failed.remove(at: index)
    removed.report.isFailed.withLock { $0 = false }
    return removed
  }

  private mutating func forgetReplaceable(_ id: PendingMutation.ID, _ mutation: Mutation<HeldValue>)
  {
    guard let slot = Slot(mutation), replaceable[slot] == id else { return }
    replaceable[slot] = nil
  }
}
