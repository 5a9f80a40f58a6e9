/// Where a ``LoadCache`` keeps values beyond the process: a folder of files, a table of a database.
///
/// The cache decides what is kept and what is fresh. A store reads and writes what it is told, and knows
/// how old a value is by a clock that goes on while the process does not run. A call that throws costs no
/// more than a load: the value is taken as missing, and a removal is tried again later.
///
/// ```swift
/// actor ArticleFolder: LoadStore {
///   func value(for id: Int) async throws -> (value: Article, age: Duration)? {
///     guard let (article, date) = try disk.read(id) else { return nil }
///     return (article, date.duration(to: disk.now))
///   }
///   func store(_ article: Article, for id: Int, age: Duration) async throws {
///     try disk.write(article, id, date: disk.now.advanced(by: .zero - age))
///   }
///   func remove(_ id: Int) async throws { try disk.remove(id) }
///   func removeAll() async throws { try disk.removeAll() }
/// }
/// ```
public protocol LoadStore<Key, Value>: Sendable {
  /// The key of a value.
  associatedtype Key: Hashable & Sendable
  /// What is kept.
  associatedtype Value: Sendable

  /// The value of a key, and how long ago the load of it began; nil when none is kept.
  func value(for key: Key) async throws -> (value: Value, age: Duration)?
  /// Keeps the value of a key, of which the load began so long ago, in place of the one before.
  func store(_ value: Value, for key: Key, age: Duration) async throws
  /// Forgets the value of a key.
  func remove(_ key: Key) async throws
  /// Forgets every value.
  func removeAll() async throws
}

/// Writes changed values into a store.
///
/// Of one key only the newest change is left, and one task at a time writes, so that an older value
/// never replaces a newer one.
final class StoreWriter<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  enum Change: Sendable {
    case value(Value, storedAt: AnyClock.Instant, clock: AnyClock)
    case removed
  }

  private struct Changes {
    var removesAll = false
    var keys: [Key: Change] = [:]

    func contain(_ key: Key) -> Bool { removesAll || keys[key] != nil }
  }

  private struct Status {
    var waiting = Changes()
    /// Those that are being written.
    var writing = Changes()
  }

  private let store: any LoadStore<Key, Value>
  private let status = Lock(Status())
  private let turn = LoadLimit(1)

  init(_ store: any LoadStore<Key, Value>) {
    self.store = store
  }

  func note(_ change: Change, of key: Key) {
    status.withLock { $0.waiting.keys[key] = change }
  }

  func noteAllRemoved() {
    status.withLock { $0.waiting = Changes(removesAll: true) }
  }

  /// What the store has of a key, unless a change of that has still to be written.
  func value(for key: Key) async -> (value: Value, age: Duration)? {
    let isChanged = status.withLock { $0.waiting.contain(key) || $0.writing.contain(key) }
    return isChanged ? nil : try? await store.value(for: key)
  }

  /// Writes what has changed; a removal that fails is tried again with the next call.
  func write() async {
    // Where the task is cancelled before its turn, the changes wait for the next call.
    try? await turn.withPermit {
      let changes = self.status.withLock { status in
        status.writing = status.waiting
        status.waiting = Changes()
        return status.writing
      }
      let failed = await self.write(changes)
      self.status.withLock { status in
        status.writing = Changes()
        status.waiting.keys.merge(failed.keys) { newer, _ in newer }
        if failed.removesAll { status.waiting.removesAll = true }
      }
    }
  }

  /// Returns the removals that failed; a value that could not be kept is only missing.
  private func write(_ changes: Changes) async -> Changes {
    var failed = Changes()
    if changes.removesAll {
      do {
        try await store.removeAll()
      } catch {
        failed.removesAll = true
      }
    }
    for (key, change) in changes.keys {
      do {
        switch change {
        case .value(let value, let storedAt, let clock):
          // The removal of all values has failed. When it is tried again it would remove this one, too.
          guard !failed.removesAll else { continue }
          let age = storedAt.duration(to: clock.now)
          try await store.store(value, for: key, age: age)
        case .removed: try await store.remove(key)
        }
      } catch {
        failed.keys[key] = .removed
      }
    }
    return failed
  }
}
