/// Use counts: how many times each key is in use.
extension Dictionary where Value == Int {
  /// Adds `change` to the count of a key; a key that is not in use any more is removed.
  mutating func add(_ change: Int, to key: Key) {
    let count = self[key, default: 0] + change
    self[key] = count > 0 ? count : nil
  }
}
