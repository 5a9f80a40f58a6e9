/// Loaded values by key, for ``Loader/cached(in:key:)``; shared, explicit and bounded.
///
/// All loads that use it are on one clock.
public final class LoadCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// How long a value is as good as a new one.
  public let staleAfter: Duration
  /// How long a value is shown at all, while a new one is loaded.
  public let lifetime: Duration
  /// How many values are kept, or what they may cost together; the one not used for longest goes
  /// first.
  public let capacity: Int
  private let cost: @Sendable (Value) -> Int

  private struct Entry: Sendable {
    let value: Value
    let cost: Int
    let storedAt: AnyClock.Instant
  }

  private struct Storage: Sendable {
    var entries: [Key: Entry] = [:]
    var cost = 0
    var recency = RecencyList<Key>()

    mutating func remove(_ key: Key) {
      cost -= entries.removeValue(forKey: key)?.cost ?? 0
      recency.remove(key)
    }
  }

  private let storage = Lock(Storage())

  /// - Parameters:
  ///   - staleAfter: how long a value is as good as a new one.
  ///   - lifetime: how long a value is shown at all; at least `staleAfter`.
  ///   - capacity: how many values are kept, or what they may cost together; at least 1.
  ///   - cost: what a value costs, such as its bytes, at least 1. One that costs more than the
  ///     capacity is not kept.
  public init(
    staleAfter: Duration, lifetime: Duration, capacity: Int = 100,
    cost: @escaping @Sendable (Value) -> Int = { _ in 1 }
  ) {
    self.staleAfter = staleAfter
    self.lifetime = max(lifetime, staleAfter)
    self.capacity = max(1, capacity)
    self.cost = cost
  }

  /// How many values there are.
  public var count: Int { storage.withLock { $0.entries.count } }

  /// Forgets one value.
  public func remove(_ key: Key) {
    storage.withLock { $0.remove(key) }
  }

  /// Forgets every value.
  public func removeAll() {
    storage.withLock { $0 = Storage() }
  }

  enum Hit {
    case fresh(Value)
    case stale(Value)
  }

  /// What there is, unless it is older than `oldest` or its lifetime.
  func value(
    for key: Key, at now: AnyClock.Instant, notBefore oldest: AnyClock.Instant?
  ) -> Hit? {
    storage.withLock { storage -> Hit? in
      guard let entry = storage.entries[key] else { return nil }
      let age = entry.storedAt.duration(to: now)
      if age >= lifetime || oldest.map({ entry.storedAt < $0 }) ?? false {
        storage.remove(key)
        return nil
      }
      storage.recency.use(key)
      return age < staleAfter ? .fresh(entry.value) : .stale(entry.value)
    }
  }

  func store(_ value: Value, for key: Key, at now: AnyClock.Instant) {
    let cost = max(1, cost(value))
    storage.withLock { storage in
      storage.remove(key)
      guard cost <= capacity else { return }
      storage.entries[key] = Entry(value: value, cost: cost, storedAt: now)
      storage.cost += cost
      storage.recency.use(key)
      while storage.cost > capacity, let oldest = storage.recency.oldest {
        storage.remove(oldest)
      }
    }
  }
}

extension Loader {
  /// The loader, sparing a load for which `cache` has a value.
  ///
  /// A fresh value ends the load at once. A stale one is shown while a new one is loaded. What is
  /// older than the last mutation of the resource is not used. A person who asks, a retry and a
  /// refresh always load.
  ///
  /// Progress, attempts and cancellation are passed on; a fresh value comes with no progress and
  /// needs no attempt. A cancelled load stores nothing.
  public func cached<Key>(in cache: LoadCache<Key, Value>, key: Key) -> Loader {
    Loader(demandsRestart: demandsRestart) { context in
      if context.cause == .appeared || context.cause == .inputChanged {
        switch cache.value(for: key, at: context.clock.now, notBefore: context.changedAt) {
        case .fresh(let value): return value
        case .stale(let value): context.yield(value)
        case nil: break
        }
      }
      // A value that is only a part must not be taken for the whole: what counts is the end of
      // the load, or a subscription's word that it is up to date.
      let latest = Lock<Value?>(nil)
      let value = try await run(
        context.derived { signal in
          switch signal {
          case .value(let value):
            latest.withLock { $0 = value }
          case .phase(.live):
            if let value = latest.withLock({ $0 }) {
              cache.store(value, for: key, at: context.clock.now)
            }
          default: break
          }
          context.send(signal)
        })
      if let value, !Task.isCancelled { cache.store(value, for: key, at: context.clock.now) }
      return value
    }
  }
}
