/// An item, scope or field of a mutation, or the tag of a loader, of any type.
public struct MutationKey: Hashable, Sendable {
  /// The wrapped value.
  public let base: any Hashable & Sendable

  /// Wraps `base`.
  public init(_ base: any Hashable & Sendable) {
    self.base = base
  }

  /// Whether the wrapped values are equal, as compared by `AnyHashable`.
  public static func == (left: MutationKey, right: MutationKey) -> Bool {
    AnyHashable(left.base) == AnyHashable(right.base)
  }

  /// Hashes the wrapped value.
  public func hash(into hasher: inout Hasher) {
    AnyHashable(base).hash(into: &hasher)
  }
}
