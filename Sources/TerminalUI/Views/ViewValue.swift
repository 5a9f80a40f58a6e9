/// Compares values to tell whether a view made from them would be the same.
@MainActor
enum ViewValue {
  /// Whether two values of a view are equal, if their type is `Equatable`, or else store the same
  /// bytes.
  ///
  /// The storage of dynamic properties is ignored, because the values they provide are tracked
  /// separately. A closure is the same only as a copy of itself.
  static func isSame<Content: View>(_ one: Content, _ other: Content) -> Bool {
    if isEquatable(Content.self), let one = one as? any Equatable { return isEqual(one, other) }
    return withUnsafeBytes(of: one) { bytes in
      withUnsafeBytes(of: other) { others in
        var start = 0
        for place in DynamicProperties.places(in: one) {
          guard isSame(bytes, others, from: start, to: place.bytes.lowerBound) else { return false }
          start = place.bytes.upperBound
        }
        return isSame(bytes, others, from: start, to: bytes.count)
      }
    }
  }

  /// Whether two values of the environment are equal or store the same bytes.
  static func isSame<Value>(_ one: Value, as other: Any) -> Bool {
    guard let other = other as? Value else { return false }
    if isEquatable(Value.self), let one = one as? any Equatable { return isEqual(one, other) }
    return withUnsafeBytes(of: one) { bytes in
      withUnsafeBytes(of: other) { isSame(bytes, $0, from: 0, to: bytes.count) }
    }
  }

  // Cached by type, because a negative answer is slow.
  private static var equatables: [ObjectIdentifier: Bool] = [:]

  private static func isEquatable<Value>(_ type: Value.Type) -> Bool {
    if let known = equatables[ObjectIdentifier(type)] { return known }
    let isEquatable = type is any Equatable.Type
    equatables[ObjectIdentifier(type)] = isEquatable
    return isEquatable
  }

  private static func isEqual<Value: Equatable>(_ one: Value, _ other: Any) -> Bool {
    other as? Value == one
  }

  private static func isSame(
    _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, from start: Int, to end: Int
  ) -> Bool {
    for index in start..<max(start, end) where one[index] != other[index] { return false }
    return true
  }
}
