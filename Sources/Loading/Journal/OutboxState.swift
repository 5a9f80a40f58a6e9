/// The rows of a journal and their phases: a pure reducer, which returns effects.
///
/// The journal is always written first. A new row is added only if that succeeded. The result of an
/// attempt is applied even if it could not be written, unless the change gets a new key.
struct OutboxState {
  private enum Phase: Equatable {
    case waiting
    /// The next attempt of its scope is its own, and begins when the gate is open.
    case due
    case sending
    /// An attempt has failed; the next one begins at this time.
    case resting(until: AnyClock.Instant)
    case failed
  }

  private struct Row {
    var mutation: MutationOutbox.Entry
    let number: Int
    /// The number of the first row of its commit: the order in which the user made the changes.
    let origin: Int
    var phase: Phase
    /// Why it has failed; nil if it has not, or has failed in an earlier process.
    var error: (any Error)?
    /// The keys that it had before a conflict gave it another one.
    var formerKeys: [String] = []
  }

  private struct Slot: Hashable {
    let scope: String
    let field: String

    init(scope: String, field: String) {
      self.scope = scope
      self.field = field
    }

    /// Returns nil for a mutation without a field.
    init?(_ mutation: MutationOutbox.Entry) {
      guard let field = mutation.field else { return nil }
      self.init(scope: mutation.scope, field: field)
    }
  }

  enum Effect: Equatable {
    /// Call `begin` and send what it returns, when the gate is open.
    case send(String)
    /// Call `wake` at this time.
    case wake(String, at: AnyClock.Instant)
    /// The mutation was sent, or was removed; `isExact` if the receiver has its arguments.
    case settled(String, isExact: Bool)
    /// The mutation has failed.
    case gaveUp(String)
    /// Tasks that wait for the first mutation have to wait for the second one: its new key, or a
    /// newer mutation that has replaced it.
    case renamed(String, to: String)
  }

  private var rows: [String: Row] = [:]
  /// The keys of the rows by their former keys, which callers may still have.
  private var newKeys: [String: String] = [:]
  /// The keys of the changes that have replaced others, by the keys of those, until they end.
  private var successors: [String: String] = [:]
  /// The keys of the changes that were removed without being sent.
  private var dropped: Set<String> = []
  private var scopes: [String: Queue<String>] = [:]
  /// The newest mutation of each field, if no attempt to send it was made yet.
  private var replaceable: [Slot: String] = [:]
  private var failedKeys: [Slot: [String]] = [:]
  private var lastNumber = 0

  // MARK: Reading

  /// Returns the mutation that has this key or had it before a conflict.
  func mutation(_ key: String) -> MutationOutbox.Entry? { row(key)?.mutation }

  private func row(_ key: String) -> Row? { rows[newKeys[key] ?? key] }

  /// Returns the key of the change that has replaced this one, if it is still in the journal.
  func successor(of key: String) -> String? { successors[key] }

  /// Returns whether a change was dismissed, or removed when a newer one of its field was sent.
  func wasDropped(_ key: String) -> Bool { dropped.contains(key) }

  /// Returns the number of the first row of a change's commit.
  func origin(of key: String) -> Int? { row(key)?.origin }

  /// Returns why a mutation has failed; nil if it has not, or was removed since.
  func failure(of key: String) -> (any Error)? {
    guard let row = row(key), let words = row.mutation.failure else { return nil }
    return row.error ?? MutationOutbox.Entry.Failure(words)
  }

  /// The mutations that have not failed, in the order in which they were appended.
  var pending: [MutationOutbox.Entry] { mutations { $0.phase != .failed } }

  /// The failed mutations, in the order in which they were appended.
  var failed: [MutationOutbox.Entry] { mutations { $0.phase == .failed } }

  private func mutations(where isWanted: (Row) -> Bool) -> [MutationOutbox.Entry] {
    rows.values.filter(isWanted).sorted { $0.number < $1.number }.map(\.mutation)
  }

  /// Returns the keys of the mutations that a new one replaces, among them the failed one that its
  /// commit has written before.
  func replaced(
    by mutation: MutationOutbox.Entry, after earlier: CommitRecord.Row? = nil
  ) -> [String] {
    let failed = earlier.flatMap { row($0.key) }.flatMap { $0.phase == .failed ? $0 : nil }
    return [Slot(mutation).flatMap { replaceable[$0] }, failed?.mutation.key].compactMap(\.self)
  }

  /// Returns whether a mutation has failed, and none of its field is pending that is newer, or was
  /// written later by a commit that was tried again.
  func canRetry(_ key: String) -> Bool {
    guard let row = rows[key], row.phase == .failed else { return false }
    return !pending(in: Slot(row.mutation)).contains {
      $0.number > row.number || $0.origin > row.origin
    }
  }

  /// Returns the newest pending mutation of a field, if it is newer than the one that a commit has
  /// written before: that decides.
  func newer(than earlier: CommitRecord.Row, _ scope: String, _ field: String?) -> String? {
    guard earlier.scope == scope, earlier.field == field, let field else { return nil }
    return pending(in: Slot(scope: scope, field: field)).filter { $0.origin > earlier.origin }
      .max { ($0.origin, $0.number) < ($1.origin, $1.number) }?.mutation.key
  }

  private func pending(in slot: Slot?) -> [Row] {
    guard let slot else { return [] }
    return (scopes[slot.scope] ?? Queue()).compactMap { rows[$0] }
      .filter { Slot($0.mutation) == slot }
  }

  // MARK: Changes

  /// Adds the rows of earlier processes, in their order.
  mutating func open(_ mutations: [MutationOutbox.Entry]) -> [Effect] {
    mutations.flatMap { append($0, replacing: []) }
  }

  /// Adds a row that was appended to the journal.
  ///
  /// - Parameter earlier: the row that its commit has written before.
  mutating func append(
    _ mutation: MutationOutbox.Entry, replacing keys: [String],
    after earlier: CommitRecord.Row? = nil
  ) -> [Effect] {
    guard rows[mutation.key] == nil else { return [] }
    var effects: [Effect] = []
    for key in keys {
      guard let older = rows[key] else { continue }
      if older.phase == .sending {
        replace(key, by: mutation.key)
      } else {
        effects += remove(key, replacedBy: mutation.key)
      }
    }
    lastNumber += 1
    let origin = earlier?.origin ?? lastNumber
    let slot = Slot(mutation)
    guard mutation.failure == nil else {
      rows[mutation.key] = Row(
        mutation: mutation, number: lastNumber, origin: origin, phase: .failed)
      if let slot { failedKeys[slot, default: []].append(mutation.key) }
      return effects
    }
    rows[mutation.key] = Row(
      mutation: mutation, number: lastNumber, origin: origin, phase: .waiting)
    scopes[mutation.scope, default: Queue()].append(mutation.key)
    if let slot, mutation.failedAttempts == 0 { replaceable[slot] = mutation.key }
    return effects + advance(mutation.scope)
  }

  /// Returns whether the next attempt of its scope is that of this mutation, and has not begun.
  func isDue(_ key: String) -> Bool { rows[key]?.phase == .due }

  /// Begins an attempt to send a mutation, which no newer one can replace from now on.
  ///
  /// - Returns: what to send, and the failed mutations of its field, which are removed when it was
  ///   sent; nil if a newer mutation has replaced it meanwhile.
  mutating func begin(_ key: String) -> (mutation: MutationOutbox.Entry, erasing: [String])? {
    guard let row = rows[key], row.phase == .due else { return nil }
    rows[key]?.phase = .sending
    guard let slot = Slot(row.mutation) else { return (row.mutation, []) }
    if replaceable[slot] == key { replaceable[slot] = nil }
    let older = (failedKeys[slot] ?? []).filter { key in
      rows[key].map { $0.number < row.number || $0.origin < row.origin } ?? false
    }
    return (row.mutation, older)
  }

  /// Removes a mutation that was sent or dropped, and the failed ones that it makes obsolete.
  mutating func arrived(_ key: String, isDropped: Bool = false, erased: [String]) -> [Effect] {
    guard let row = rows[key], row.phase == .sending else { return [] }
    erased.forEach { drop($0) }
    // A conflict may have replaced its arguments.
    return remove(key, isExact: !isDropped && row.formerKeys.isEmpty)
      + advance(row.mutation.scope)
  }

  /// Updates a mutation whose attempt has failed; the next attempt begins at `next`.
  mutating func attemptFailed(
    _ key: String, now mutation: MutationOutbox.Entry, next: AnyClock.Instant
  ) -> [Effect] {
    guard let row = rows[key], row.phase == .sending else { return [] }
    if let newer = successors[key] {
      return remove(key, replacedBy: newer) + advance(mutation.scope)
    }
    var effects: [Effect] = []
    if mutation.key != key {
      // Its handler has replaced it with a change that is made to the receiver's value.
      rename(key, to: mutation.key)
      effects.append(.renamed(key, to: mutation.key))
    }
    rows[mutation.key]?.mutation = mutation
    rows[mutation.key]?.phase = .resting(until: next)
    return effects + [.wake(mutation.key, at: next)]
  }

  /// Marks a mutation as failed with this error.
  mutating func gaveUp(
    _ key: String, now mutation: MutationOutbox.Entry, _ error: any Error
  ) -> [Effect] {
    guard let row = rows[key], row.phase == .sending else { return [] }
    if let newer = successors[key] {
      return remove(key, replacedBy: newer) + advance(mutation.scope)
    }
    rows[key]?.mutation = mutation
    rows[key]?.phase = .failed
    rows[key]?.error = error
    leave(key, mutation.scope)
    if let slot = Slot(mutation) { failedKeys[slot, default: []].append(key) }
    return [.gaveUp(key)] + advance(mutation.scope)
  }

  /// Ends the wait after a failed attempt.
  mutating func wake(_ key: String) -> [Effect] {
    guard let row = rows[key], case .resting = row.phase else { return [] }
    rows[key]?.phase = .waiting
    return advance(row.mutation.scope)
  }

  /// Makes a failed mutation pending again.
  mutating func retried(_ key: String, now mutation: MutationOutbox.Entry) -> [Effect] {
    // A newer change of its field may have come while the journal was written.
    guard let row = rows[key], canRetry(key) else { return [] }
    leaveFailed(row.mutation)
    rows[key]?.mutation = mutation
    rows[key]?.phase = .waiting
    rows[key]?.error = nil
    // In the order in which they were kept, as after a restart, but after mutations that were
    // begun.
    var queue = Queue<String>()
    var isPlaced = false
    for other in scopes[mutation.scope] ?? Queue() {
      if !isPlaced, let placed = rows[other], [.waiting, .due].contains(placed.phase),
        placed.number > row.number
      {
        // One that waits for the gate is not due any more: this one is.
        rows[other]?.phase = .waiting
        queue.append(key)
        isPlaced = true
      }
      queue.append(other)
    }
    if !isPlaced { queue.append(key) }
    scopes[mutation.scope] = queue
    return advance(mutation.scope)
  }

  /// Removes a failed mutation.
  mutating func dismissed(_ key: String) {
    if rows[key]?.phase == .failed { drop(key) }
  }

  // MARK: Steps

  /// Sends the first mutation of a scope if it waits.
  private mutating func advance(_ scope: String) -> [Effect] {
    guard let key = scopes[scope]?.first, rows[key]?.phase == .waiting else { return [] }
    rows[key]?.phase = .due
    return [.send(key)]
  }

  /// Makes a mutation the successor of another one and of those that this has replaced.
  private mutating func replace(_ key: String, by newer: String?) {
    for (older, successor) in successors where successor == key { successors[older] = newer }
    successors[key] = newer
  }

  /// Removes a failed mutation that was not sent.
  private mutating func drop(_ key: String) {
    guard let row = rows[key] else { return }
    dropped.formUnion([key] + row.formerKeys + successors.filter { $0.value == key }.keys)
    _ = remove(key)
  }

  private mutating func remove(
    _ key: String, isExact: Bool = true, replacedBy newer: String? = nil
  ) -> [Effect] {
    guard let row = rows.removeValue(forKey: key) else { return [] }
    for former in row.formerKeys {
      newKeys[former] = nil
      successors[former] = newer
    }
    replace(key, by: newer)
    if row.phase == .failed {
      leaveFailed(row.mutation)
    } else {
      leave(key, row.mutation.scope)
    }
    if let slot = Slot(row.mutation), replaceable[slot] == key { replaceable[slot] = nil }
    return [newer.map { .renamed(key, to: $0) } ?? .settled(key, isExact: isExact)]
  }

  private mutating func leave(_ key: String, _ scope: String) {
    guard let place = scopes[scope]?.firstIndex(of: key) else { return }
    scopes[scope]?.remove(at: place)
    if scopes[scope]?.isEmpty == true { scopes[scope] = nil }
  }

  private mutating func leaveFailed(_ mutation: MutationOutbox.Entry) {
    guard let slot = Slot(mutation) else { return }
    failedKeys[slot]?.removeAll { $0 == mutation.key }
    if failedKeys[slot]?.isEmpty == true { failedKeys[slot] = nil }
  }

  /// Changes the key of the first mutation of a scope.
  private mutating func rename(_ key: String, to other: String) {
    guard var row = rows.removeValue(forKey: key) else { return }
    row.formerKeys.append(key)
    for (older, successor) in successors where successor == key { successors[older] = other }
    for former in row.formerKeys { newKeys[former] = other }
    rows[other] = row
    if let queue = scopes[row.mutation.scope], queue.first == key {
      scopes[row.mutation.scope]?[queue.startIndex] = other
    }
  }
}
