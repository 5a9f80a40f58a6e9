/// The id of a row or of a view, of whatever type.
///
/// Ids of different types differ. `AnyHashable`, for which an `Int` and an `Int64` can be equal, asks
/// the runtime about the type each time it is made or compared, which took a tenth of the time of a
/// key.
struct ItemID: Hashable {
  private let base: any Hashable

  init(_ value: some Hashable) { base = value }

  /// Returns the id if it has this type.
  func value<ID>(as type: ID.Type) -> ID? { base as? ID }

  static func == (one: ItemID, other: ItemID) -> Bool { areEqual(one.base, other.base) }

  private static func areEqual<One: Hashable, Other: Hashable>(_ one: One, _ other: Other) -> Bool {
    // Both are of the same type here, so no cast has to find out.
    One.self == Other.self && one == unsafeBitCast(other, to: One.self)
  }

  func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}
