@_spi(Reflection) import Swift

/// Compares values to tell whether a view made from them would be the same.
@MainActor
enum ViewValue {
  /// Whether two values of a view store the same or, if their type is `Equatable`, are equal.
  ///
  /// The storage of dynamic properties is ignored, because the values they provide are tracked
  /// separately. A closure is the same only as a copy of itself.
  static func isSame<Content: View>(_ one: Content, _ other: Content) -> Bool {
    storesSame(one, other) { DynamicProperties.places(of: Content.self).map(\.bytes) }
      || Content._areEqual(one, other)
  }

  /// Whether two values of the environment store the same or, if their type is `Equatable`, are
  /// equal.
  static func isSame<Value>(_ one: Value, as other: Any) -> Bool {
    guard let other = other as? Value else { return false }
    if storesSame(one, other, except: { [] }) { return true }
    let isEquatable = equatables[ObjectIdentifier(Value.self)] ?? (Value.self is any Equatable.Type)
    equatables[ObjectIdentifier(Value.self)] = isEquatable
    guard isEquatable, let one = one as? any Equatable else { return false }
    return isEqual(one, other)
  }

  // Cached by type, because a negative answer is slow.
  private static var equatables: [ObjectIdentifier: Bool] = [:]

  private static func isEqual<Value: Equatable>(_ one: Value, _ other: Any) -> Bool {
    other as? Value == one
  }

  // MARK: What is stored

  /// A part of a value that is compared as a whole.
  private enum Part {
    case bytes(Range<Int>)
    // Equal texts are often stored twice, for example when they were read twice.
    case text(Int)
    case optionalText(Int)
  }

  // Cached by type.
  private static var parts: [ObjectIdentifier: [Part]] = [:]

  /// Whether two values store the same texts and, for everything else, the same bytes.
  ///
  /// - Parameter ignored: returns the ranges of bytes that are not compared, which are the same for
  ///   all values of a type.
  private static func storesSame<Value>(
    _ one: Value, _ other: Value, except ignored: () -> [Range<Int>]
  ) -> Bool {
    let parts = parts(of: Value.self, except: ignored)
    return withUnsafeBytes(of: one) { one in
      withUnsafeBytes(of: other) { other in
        for part in parts {
          switch part {
          case .bytes(let range):
            for index in range where one[index] != other[index] { return false }
          case .text(let start):
            guard value(one, at: start, String.self) == value(other, at: start, String.self)
            else { return false }
          case .optionalText(let start):
            guard value(one, at: start, String?.self) == value(other, at: start, String?.self)
            else { return false }
          }
        }
        return true
      }
    }
  }

  private static func value<Value>(
    _ bytes: UnsafeRawBufferPointer, at start: Int, _ type: Value.Type
  ) -> Value {
    bytes.load(fromByteOffset: start, as: type)
  }

  private static func parts<Value>(
    of type: Value.Type, except ignored: () -> [Range<Int>]
  ) -> [Part] {
    if let known = parts[ObjectIdentifier(type)] { return known }
    var found: [Part] = []
    append(type, true, at: 0, except: ignored(), to: &found)
    parts[ObjectIdentifier(type)] = found
    return found
  }

  /// Appends the parts of a value: the properties of a structure one by one, because the bytes
  /// between them may differ from copy to copy.
  ///
  /// An enumeration has no properties, so `mayHaveFields` may be true for one.
  private static func append(
    _ type: Any.Type, _ mayHaveFields: Bool, at start: Int, except ignored: [Range<Int>],
    to parts: inout [Part]
  ) {
    let bytes = start..<(start + size(type))
    // Not by its beginning: a view begins where its first property does.
    if ignored.contains(bytes) { return }
    if type == String.self { return parts.append(.text(start)) }
    if type == String?.self { return parts.append(.optionalText(start)) }
    var hasFields = false
    if mayHaveFields {
      _forEachField(of: type) { _, offset, type, kind in
        hasFields = true
        append(type, kind == .struct, at: start + offset, except: ignored, to: &parts)
        return true
      }
    }
    // A module may be built without the names of its properties.
    if !hasFields { append(bytes, to: &parts) }
  }

  private static func append(_ bytes: Range<Int>, to parts: inout [Part]) {
    if bytes.isEmpty { return }
    if case .bytes(let before) = parts.last, before.upperBound == bytes.lowerBound {
      parts[parts.count - 1] = .bytes(before.lowerBound..<bytes.upperBound)
    } else {
      parts.append(.bytes(bytes))
    }
  }

  private static func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
}
