/// A bounded cache of loaded values by key, for ``Loader/cached(in:key:)``.
///
/// With a ``LoadStore``, values outlive the process: a value is read from the store when it is
/// first requested, and written to it when it was loaded. All loads that use a cache must have the
/// same clock.
public final class LoadCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// How long after the start of its load a value is fresh: no new load is needed.
  public let staleAfter: Duration
  /// How long after the start of its load a value is shown, while a new one is loaded.
  public let lifetime: Duration
  /// How many values are kept in memory, or how much they may cost together.
  ///
  /// The least recently used values are evicted first.
  public let capacity: Int
  private let cost: @Sendable (Value) -> Int
  private let writer: StoreWriter<Key, Value>?

  private struct Entry: Sendable {
    let value: Value
    let cost: Int
    let storedAt: AnyClock.Instant
    let ticket: UInt64
  }

  private struct Storage: Sendable {
    var entries: [Key: Entry] = [:]
    var cost = 0
    var recency = RecencyList<Key>()
    /// The ticket of the newest load or read of the store.
    var lastTicket: UInt64 = 0
    /// The tickets of the reads of the store that run, and whose key has not changed since they
    /// began.
    var readings: [Key: Set<UInt64>] = [:]
    /// The loads that run, and that began after their key was last invalidated: only they may store
    /// what they load.
    var runs: [Key: [CachedRun<Value>]] = [:]
    /// The tags of the loaders that have used a key of which there is a value, a read or a load.
    var tags: [Key: Set<MutationKey>] = [:]
    /// How many commits are running that invalidate a key.
    var commits: [Key: Int] = [:]
    /// The load of each key that other loads wait for.
    var shared: [Key: CachedRun<Value>] = [:]

    mutating func takeTicket() -> UInt64 {
      lastTicket += 1
      return lastTicket
    }

    mutating func remove(_ key: Key) {
      cost -= entries.removeValue(forKey: key)?.cost ?? 0
      recency.remove(key)
      forgetTags(of: key)
    }

    /// Forgets the tags of a key of which nothing is left.
    mutating func forgetTags(of key: Key) {
      if entries[key] == nil, readings[key] == nil, runs[key] == nil { tags[key] = nil }
    }

    mutating func note(_ more: Set<MutationKey>, of key: Key) {
      if !more.isEmpty { tags[key, default: []].formUnion(more) }
    }

    /// Removes everything of a key, and returns its loads, which have to begin again.
    mutating func forget(_ key: Key) -> [CachedRun<Value>] {
      let obsolete = runs.removeValue(forKey: key) ?? []
      readings[key] = nil
      shared[key] = nil
      remove(key)
      return obsolete
    }

    mutating func insert(_ entry: Entry, for key: Key, capacity: Int) {
      let tags = tags[key]
      remove(key)
      self.tags[key] = tags
      readings[key] = nil
      guard entry.cost <= capacity else { return forgetTags(of: key) }
      entries[key] = entry
      cost += entry.cost
      recency.use(key)
      while cost > capacity, let oldest = recency.oldest { remove(oldest) }
    }
  }

  private let storage = Lock(Storage())

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - staleAfter: how long after the start of its load a value is fresh.
  ///   - lifetime: how long after the start of its load a value is shown; at least `staleAfter`.
  ///   - capacity: how many values are kept in memory, or their total cost; at least 1.
  ///   - store: where values outlive the process; nil for nowhere.
  ///   - cost: returns the cost of a value, for example its size in bytes; less than 1 counts as 1.
  ///     A value that costs more than the capacity is not kept in memory.
  public init(
    staleAfter: Duration, lifetime: Duration, capacity: Int = 100,
    store: (any LoadStore<Key, Value>)? = nil,
    cost: @escaping @Sendable (Value) -> Int = { _ in 1 }
  ) {
    self.staleAfter = staleAfter
    self.lifetime = max(lifetime, staleAfter)
    self.capacity = max(1, capacity)
    self.cost = cost
    writer = store.map { StoreWriter($0) }
  }

  /// The number of values in memory.
  public var count: Int { storage.withLock { $0.entries.count } }

  /// Removes a value, because it has changed.
  ///
  /// A running load of the key starts again. It is removed from the store later: await ``saved()``.
  public func remove(_ key: Key) {
    forget(key)
    if let writer { Task { await writer.write() } }
  }

  /// Adds `change` to the number of running commits that invalidate a key.
  func countCommits(_ change: Int, of key: Key) {
    storage.withLock { $0.commits.add(change, to: key) }
  }

  /// Removes a value from memory; the caller has to write that to the store.
  func forget(_ key: Key) {
    let obsolete = storage.withLock { storage in
      // Under the lock, so that no value of before is written after it.
      writer?.note(.removed, of: key)
      return storage.forget(key)
    }
    invalidate(obsolete)
  }

  /// Removes all values, because they have changed.
  ///
  /// Running loads start again. They are removed from the store later: await ``saved()``.
  public func removeAll() {
    defer { if let writer { Task { await writer.write() } } }
    let obsolete = storage.withLock { storage in
      writer?.noteAllRemoved()
      var empty = Storage()
      (empty.lastTicket, empty.commits) = (storage.lastTicket, storage.commits)
      defer { storage = empty }
      return storage.runs.values.flatMap { $0 }
    }
    invalidate(obsolete)
  }

  /// Whether values outlive the process.
  var isKept: Bool { writer != nil }

  /// Writes all loaded values and removals to the store, for example before the program ends.
  public func saved() async {
    await writer?.write()
  }

  private func invalidate(_ runs: [CachedRun<Value>]) {
    for run in runs {
      run.outcome.fulfil(nil)
      run.answer.fulfil(nil)
    }
  }

  /// A value that may be shown.
  struct Hit {
    let value: Value
    let storedAt: AnyClock.Instant
    /// Whether no new load is needed.
    let isFresh: Bool
  }

  /// Returns the value of a key in memory or else in the store, unless it is older than its
  /// lifetime.
  func hit(for key: Key, tags: Set<MutationKey>, on clock: AnyClock) async -> Hit? {
    if let hit = value(for: key, tags: tags, at: clock.now) { return hit }
    guard let writer else { return nil }
    let reading = storage.withLock { storage in
      let reading = storage.takeTicket()
      storage.readings[key, default: []].insert(reading)
      storage.note(tags, of: key)
      return reading
    }
    let kept = await writer.value(for: key)
    let now = clock.now
    let storedAt = now.advanced(by: .zero - max(.zero, kept?.age ?? .zero))
    let isUnchanged = end(reading, of: key, with: kept?.value, storedAt: storedAt)
    if let hit = value(for: key, at: now) { return hit }
    // It may cost more than the whole capacity.
    return isUnchanged ? kept.flatMap { hit($0.value, storedAt: storedAt, at: now) } : nil
  }

  /// Returns nil for a value that is older than its lifetime.
  private func hit(
    _ value: Value, storedAt: AnyClock.Instant, at now: AnyClock.Instant
  ) -> Hit? {
    let age = storedAt.duration(to: now)
    return age < lifetime ? Hit(value: value, storedAt: storedAt, isFresh: age < staleAfter) : nil
  }

  /// Returns the value in memory, unless it is older than its lifetime.
  func value(for key: Key, tags: Set<MutationKey> = [], at now: AnyClock.Instant) -> Hit? {
    storage.withLock { storage -> Hit? in
      guard let entry = storage.entries[key] else { return nil }
      storage.note(tags, of: key)
      guard let hit = hit(entry.value, storedAt: entry.storedAt, at: now) else {
        storage.remove(key)
        return nil
      }
      storage.recency.use(key)
      return hit
    }
  }

  /// Inserts a value that was read from the store, unless the key has changed since the read began;
  /// returns false if it has.
  private func end(
    _ reading: UInt64, of key: Key, with kept: Value?, storedAt: AnyClock.Instant
  ) -> Bool {
    let entry = kept.map {
      Entry(value: $0, cost: max(1, cost($0)), storedAt: storedAt, ticket: 0)
    }
    return storage.withLock { storage in
      guard storage.readings[key]?.remove(reading) != nil else { return false }
      if storage.readings[key]?.isEmpty == true { storage.readings[key] = nil }
      // One that is too large for the memory must not end the other reads of the key.
      if let entry, entry.cost <= capacity, storage.entries[key] == nil {
        storage.insert(entry, for: key, capacity: capacity)
      } else {
        storage.forgetTags(of: key)
      }
      return true
    }
  }

  enum Turn {
    /// The load has to run.
    case runs(CachedRun<Value>)
    /// Another load of the key is running, and its answer will do.
    case waits(Promise<Result<Value, any Error>?>)
  }

  /// Registers a load of `key`.
  func begin(_ key: Key, tags: Set<MutationKey>, at now: AnyClock.Instant) -> Turn {
    storage.withLock { storage in
      storage.note(tags, of: key)
      if let shared = storage.shared[key] { return .waits(shared.answer) }
      let run = CachedRun<Value>(ticket: storage.takeTicket(), startedAt: now)
      storage.shared[key] = run
      storage.runs[key, default: []].append(run)
      return .runs(run)
    }
  }

  /// Inserts the value of a load, unless there is a newer one.
  ///
  /// It is not written to the store if `isCommitting` says that a commit runs that invalidates the
  /// tags of its key.
  ///
  /// - Returns: False if the key was invalidated since the load began, or the load has ended.
  @discardableResult
  func store(
    _ value: Value, for key: Key, of run: CachedRun<Value>, at moment: AnyClock.Instant,
    on clock: AnyClock, unless isCommitting: (_ tags: Set<MutationKey>) -> Bool
  ) -> Bool {
    let cost = max(1, cost(value))
    return storage.withLock { storage in
      guard storage.runs[key]?.contains(where: { $0 === run }) == true else { return false }
      if let newer = storage.entries[key], newer.ticket > run.ticket { return true }
      let entry = Entry(
        value: value, cost: cost, storedAt: moment, ticket: run.ticket)
      storage.insert(entry, for: key, capacity: capacity)
      // Under the lock, so that the newest value is written last. Values that a commit is about to
      // invalidate are not written, because the process may end before they are removed again.
      let tags = storage.tags[key] ?? []
      if storage.commits[key] == nil, !isCommitting(tags) {
        writer?.note(.value(value, storedAt: moment, tags: tags, clock: clock), of: key)
      }
      return true
    }
  }

  /// Answers the loads that wait for this one; later loads of the key do not wait for it.
  func answer(_ key: Key, _ run: CachedRun<Value>, _ answer: Result<Value, any Error>?) {
    storage.withLock { storage in
      if storage.shared[key] === run { storage.shared[key] = nil }
    }
    run.answer.fulfil(answer)
  }

  /// Removes a load that has ended or was cancelled.
  func end(_ key: Key, _ run: CachedRun<Value>) {
    answer(key, run, nil)
    storage.withLock { storage in
      storage.runs[key]?.removeAll { $0 === run }
      if storage.runs[key]?.isEmpty == true { storage.runs[key] = nil }
      storage.forgetTags(of: key)
    }
  }
}

extension LoadCache: TaggedCache {
  func forget(tagged tags: Set<MutationKey>) {
    let obsolete = storage.withLock { storage in
      // Under the lock, so that no value of before is written after it.
      writer?.noteRemoved(tagged: tags)
      let keys = storage.tags.filter { !$0.value.isDisjoint(with: tags) }.keys
      return keys.flatMap { storage.forget($0) }
    }
    invalidate(obsolete)
  }

  func forgetStored(tagged tags: Set<MutationKey>) {
    // Under the lock: a value whose load has not seen that the commit runs is written before it.
    storage.withLock { _ in writer?.noteRemoved(tagged: tags) }
  }
}

/// One load for a cache.
final class CachedRun<Value: Sendable>: Sendable {
  let ticket: UInt64
  let startedAt: AnyClock.Instant
  /// The result of the load; nil if its key was invalidated.
  let outcome = Promise<Result<Value?, any Error>?>()
  /// The result for the loads that wait for this one; nil if they have to load themselves.
  let answer = Promise<Result<Value, any Error>?>()

  init(ticket: UInt64, startedAt: AnyClock.Instant) {
    self.ticket = ticket
    self.startedAt = startedAt
  }
}
