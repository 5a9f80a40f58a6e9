extension ValueAccess {
  /// A change through a ``ValueAccess`` or a binding, as its commit gets it.
  ///
  /// ```swift
  /// let sock = resource.access { change in
  ///   if change.isWithin(\.sogginess) {
  ///     try await api.setSogginess(change.value.sogginess)
  ///   } else {
  ///     try await api.save(change.value)
  ///   }
  /// }
  /// ```
  public struct Change: Sendable {
    /// The value as the change leaves it.
    public let value: Value
    /// The path from the value to the part that was changed: key paths of members and ids of elements,
    /// the outermost first; empty for the value as a whole.
    public let path: [MutationKey]

    /// A change of the part of `value` that `path` leads to.
    public init(value: Value, path: [MutationKey] = []) {
      self.value = value
      self.path = path
    }

    /// Whether it changed this member, or a part of it, and nothing else of the value.
    public func isWithin<Member>(_ member: KeyPath<Value, Member> & Sendable) -> Bool {
      var reached: AnyKeyPath?
      for step in path {
        guard let next = step.base as? AnyKeyPath else { return false }
        reached = reached.map { $0.appending(path: next) } ?? next
        if reached == member { return true }
      }
      return false
    }
  }
}
