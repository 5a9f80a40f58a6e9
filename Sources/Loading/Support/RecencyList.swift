/// Keys in the order of their last use; every operation is O(1).
struct RecencyList<Key: Hashable & Sendable>: Sendable {
  private struct Links: Sendable {
    var older: Key?
    var newer: Key?
  }

  private var links: [Key: Links] = [:]
  private(set) var oldest: Key?
  private var newest: Key?

  /// Makes `key` the newest, and adds it if it is not in the list.
  mutating func use(_ key: Key) {
    if newest == key { return }
    remove(key)
    links[key] = Links(older: newest)
    if let newest { links[newest]?.newer = key } else { oldest = key }
    newest = key
  }

  mutating func remove(_ key: Key) {
    guard let removed = links.removeValue(forKey: key) else { return }
    if let older = removed.older {
      links[older]?.newer = removed.newer
    } else {
      oldest = removed.newer
    }
    if let newer = removed.newer {
      links[newer]?.older = removed.older
    } else {
      newest = removed.older
    }
  }

  func contains(_ key: Key) -> Bool { links[key] != nil }

  /// Returns the key that was used next after `key`.
  func newer(than key: Key) -> Key? { links[key]?.newer }
}
