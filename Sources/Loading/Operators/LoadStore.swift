/// Where the values of a ``LoadCache`` outlive the process: a folder of files, or a table of a
/// database.
///
/// The cache decides what to store and what is fresh. The store only reads and writes, and knows
/// the age of a value by a clock that runs while the process does not. If reading throws, the value
/// counts as missing. If writing or removing throws, the cache tries to remove the value later.
///
/// ```swift
/// actor ArticleFolder: LoadStore {
///   func value(for id: Int) async throws -> (value: Article, age: Duration)? {
///     guard let (article, date) = try disk.read(id) else { return nil }
///     return (article, date.duration(to: disk.now))
///   }
///   func store(_ article: Article, for id: Int, age: Duration, tags: Set<String>) async throws {
///     try disk.write(article, id, date: disk.now.advanced(by: .zero - age))
///   }
///   func remove(_ id: Int) async throws { try disk.remove(id) }
///   func removeAll() async throws { try disk.removeAll() }
///   // The files do not have tags.
///   func removeAll(tagged tags: Set<String>) async throws { try disk.removeAll() }
/// }
/// ```
public protocol LoadStore<Key, Value>: Sendable {
  /// The key of a value.
  associatedtype Key: Hashable & Sendable
  /// A stored value.
  associatedtype Value: Sendable

  /// Returns the value of a key and the time since its load began; nil if there is none.
  func value(for key: Key) async throws -> (value: Value, age: Duration)?
  /// Stores the value of a key, replacing an earlier one.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  ///   - age: the time since its load began.
  ///   - tags: the descriptions of the loader's tags, see ``Loader/tagged(_:)``.
  func store(_ value: Value, for key: Key, age: Duration, tags: Set<String>) async throws
  /// Removes the value of a key.
  func remove(_ key: Key) async throws
  /// Removes all values.
  func removeAll() async throws
  /// Removes the values that were stored with one of these tags.
  ///
  /// A store that does not keep the tags has to remove all values.
  func removeAll(tagged tags: Set<String>) async throws
}

/// Writes changed values into a store.
///
/// Only the newest change of each key is written, and only one task writes at a time, so that an
/// older value never replaces a newer one.
final class StoreWriter<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  enum Change: Sendable {
    case value(Value, storedAt: AnyClock.Instant, tags: Set<MutationKey>, clock: AnyClock)
    case removed
  }

  private struct Changes {
    var removesAll = false
    /// The values with these tags are removed, before the changes of keys.
    var removedTags: Set<MutationKey> = []
    var keys: [Key: Change] = [:]

    /// Whether the stored value of a key may change; the tags of what is stored are not known.
    func contain(_ key: Key) -> Bool { removesAll || !removedTags.isEmpty || keys[key] != nil }
  }

  private struct Status {
    var waiting = Changes()
    /// The changes that are being written.
    var writing = Changes()
    /// The keys whose change could not be written, so that their stored value has to be removed.
    var outdated = RecencyList<Key>()
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

  func noteRemoved(tagged tags: Set<MutationKey>) {
    status.withLock { status in
      status.waiting.removedTags.formUnion(tags)
      for (key, change) in status.waiting.keys {
        guard case .value(_, _, let own, _) = change, !own.isDisjoint(with: tags) else { continue }
        status.waiting.keys[key] = .removed
      }
    }
  }

  /// Returns the stored value of a key, unless a change of it is yet to be written.
  func value(for key: Key) async -> (value: Value, age: Duration)? {
    let isChanged = status.withLock {
      $0.waiting.contain(key) || $0.writing.contain(key) || $0.outdated.contains(key)
    }
    return isChanged ? nil : try? await store.value(for: key)
  }

  /// Writes all changes, and then removes what could not be written or removed, up to the first
  /// failure: as long as the store fails, a call costs only one more attempt.
  func write() async {
    // If the task is cancelled before its turn, the next call writes the changes.
    try? await turn.withPermit {
      let changes = self.status.withLock { status in
        status.writing = status.waiting
        status.waiting = Changes()
        return status.writing
      }
      let failed = await self.write(changes)
      self.status.withLock { status in
        status.writing = Changes()
        if changes.removesAll, !failed.removesAll { status.outdated = RecencyList() }
        for key in changes.keys.keys { status.outdated.remove(key) }
        for key in failed.keys.keys { status.outdated.use(key) }
        if failed.removesAll { status.waiting.removesAll = true }
        status.waiting.removedTags.formUnion(failed.removedTags)
      }
      await self.removeOutdated()
    }
  }

  private func removeOutdated() async {
    while let key = status.withLock({ $0.outdated.oldest }) {
      do {
        try await store.remove(key)
        status.withLock { $0.outdated.remove(key) }
      } catch {
        // The next call begins with another one: this one may fail forever.
        return status.withLock { $0.outdated.use(key) }
      }
    }
  }

  /// Returns the removals that are left: those that failed, and one for each value that could not be
  /// written, so that no older value is left.
  private func write(_ changes: Changes) async -> Changes {
    var failed = Changes()
    if changes.removesAll {
      do {
        try await store.removeAll()
      } catch {
        failed.removesAll = true
      }
    }
    if !changes.removedTags.isEmpty {
      do {
        try await store.removeAll(tagged: descriptions(of: changes.removedTags))
      } catch {
        failed.removedTags = changes.removedTags
      }
    }
    for (key, change) in changes.keys {
      do {
        switch change {
        case .value(let value, let storedAt, let tags, let clock):
          // A removal has failed: trying it again would remove this value, too.
          guard !failed.removesAll, tags.isDisjoint(with: failed.removedTags) else {
            failed.keys[key] = .removed
            continue
          }
          let age = storedAt.duration(to: clock.now)
          try await store.store(value, for: key, age: age, tags: descriptions(of: tags))
        case .removed: try await store.remove(key)
        }
      } catch {
        failed.keys[key] = .removed
      }
    }
    return failed
  }

  private func descriptions(of tags: Set<MutationKey>) -> Set<String> {
    Set(tags.map { "\($0.base)" })
  }
}
