import Synchronization

/// Caches values by key up to a total size; evicts the least recently used values first.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let size: Int
    var lastUse: Int
  }

  private struct Storage {
    var entries: [Key: Entry] = [:]
    var size = 0
    var uses = 0

    mutating func remove(_ key: Key) {
      size -= entries.removeValue(forKey: key)?.size ?? 0
    }
  }

  private let storage = Mutex(Storage())
  private let capacity: Int
  private let size: @Sendable (Value) -> Int

  /// - Parameters:
  ///   - capacity: the greatest total size of all values, in the unit of `size`.
  ///   - size: returns the size of a value.
  init(capacity: Int, size: @escaping @Sendable (Value) -> Int) {
    (self.capacity, self.size) = (capacity, size)
  }

  /// The cached value; setting it to nil removes the entry.
  subscript(key: Key) -> Value? {
    get {
      storage.withLock { storage in
        storage.uses += 1
        storage.entries[key]?.lastUse = storage.uses
        return storage.entries[key]?.value
      }
    }
    set {
      storage.withLock { storage in
        storage.remove(key)
        guard let newValue, size(newValue) <= capacity else { return }
        storage.uses += 1
        storage.entries[key] = Entry(
          value: newValue, size: size(newValue), lastUse: storage.uses)
        storage.size += size(newValue)
        // A linear search is enough: among thousands of values it takes a fraction of the time in
        // which a picture is decoded.
        while storage.size > capacity,
          let oldest = storage.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
          storage.remove(oldest.key)
        }
      }
    }
  }

  /// The total size of all values.
  var totalSize: Int { storage.withLock { $0.size } }
}
