import Limits

/// Reads JSON value by value, and keeps nothing of the values that are skipped.
///
/// ```swift
/// try reader.object { reader, name throws(FeedError) in
///   if name == "title" { title = try reader.text() } else { try reader.skip() }
/// }
/// ```
///
/// It limits how deep values are nested. It tolerates commas before a closing bracket and line
/// breaks inside strings, which occur in feeds generated from templates.
struct JSONReader {
  static let depthLimit = 64
  /// The longest name of a member, in bytes; a longer one is read as an empty name.
  private static let nameLimit = 64

  private let input: UnsafeBufferPointer<UInt8>
  private let budget: Budget
  private var index = 0
  private var depth = 0
  /// The index up to which steps have been spent.
  private var counted = 0

  /// Reads a document; the bytes must be valid UTF-8.
  static func read<Value>(
    _ bytes: [UInt8], budget: Budget,
    _ body: (inout JSONReader) throws(FeedError) -> Value
  ) throws(FeedError) -> Value {
    let result = bytes.withUnsafeBufferPointer { input -> Result<Value, FeedError> in
      var reader = JSONReader(input: input, budget: budget)
      do throws(FeedError) {
        return .success(try body(&reader))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private init(input: UnsafeBufferPointer<UInt8>, budget: Budget) {
    (self.input, self.budget) = (input, budget)
  }

  // MARK: Values

  /// Reads an object.
  ///
  /// `member` is called with each name, which is empty if it is longer than any known name, and
  /// reads or skips the value.
  ///
  /// - Returns: false for another kind of value, which is skipped.
  @discardableResult
  mutating func object(
    _ member: (inout JSONReader, String) throws(FeedError) -> Void
  ) throws(FeedError) -> Bool {
    guard try next() == UInt8(ascii: "{") else {
      try skip()
      return false
    }
    try open()
    while true {
      switch try next() {
      case UInt8(ascii: "}"):
        close()
        return true
      case UInt8(ascii: ","): index += 1
      case UInt8(ascii: "\""):
        let name = try string(limit: Self.nameLimit) ?? ""
        guard try next() == UInt8(ascii: ":") else { throw unexpected("a colon is missing") }
        index += 1
        try member(&self, name)
        try requireEnd(of: UInt8(ascii: "}"))
      default: throw unexpected("a name is missing")
      }
    }
  }

  /// Reads an array.
  ///
  /// `element` reads or skips each value.
  ///
  /// - Returns: false for another kind of value, which is skipped.
  @discardableResult
  mutating func array(
    _ element: (inout JSONReader) throws(FeedError) -> Void
  ) throws(FeedError) -> Bool {
    guard try next() == UInt8(ascii: "[") else {
      try skip()
      return false
    }
    try open()
    while true {
      switch try next() {
      case UInt8(ascii: "]"):
        close()
        return true
      case UInt8(ascii: ","): index += 1
      default:
        try element(&self)
        try requireEnd(of: UInt8(ascii: "]"))
      }
    }
  }

  /// Reads an object, and the array that is its member with a name.
  ///
  /// - Returns: whether there is such an array.
  mutating func array(
    named name: String, _ element: (inout JSONReader) throws(FeedError) -> Void
  ) throws(FeedError) -> Bool {
    var isArray = false
    try object { reader, member throws(FeedError) in
      guard member == name else { return try reader.skip() }
      isArray = try reader.array(element)
    }
    return isArray
  }

  /// Reads an object, and returns its members with these names that are texts, see ``text()``.
  ///
  /// If a name occurs twice, the last member counts.
  mutating func texts(_ names: Set<String>) throws(FeedError) -> [String: String] {
    var texts: [String: String] = [:]
    try object { reader, name throws(FeedError) in
      guard names.contains(name) else { return try reader.skip() }
      texts[name] = try reader.text()
    }
    return texts
  }

  /// Whether the next value is an object.
  mutating func isAtObject() throws(FeedError) -> Bool { try next() == UInt8(ascii: "{") }

  /// Reads a string, or a number as its digits, because many feeds have numeric ids.
  ///
  /// Nil for another kind of value.
  mutating func text() throws(FeedError) -> String? {
    switch try next() {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skip()
      return nil
    default: return try word()
    }
  }

  /// Reads `true` or `false`; nil for another value.
  mutating func bool() throws(FeedError) -> Bool? {
    let first = try next()
    guard first == UInt8(ascii: "t") || first == UInt8(ascii: "f") else {
      try skip()
      return nil
    }
    _ = try word()
    return first == UInt8(ascii: "t")
  }

  /// Skips a value.
  mutating func skip() throws(FeedError) {
    switch try next() {
    case UInt8(ascii: "{"):
      try object { reader, _ throws(FeedError) in try reader.skip() }
    case UInt8(ascii: "["):
      try array { reader throws(FeedError) in try reader.skip() }
    case UInt8(ascii: "\""): _ = try string(limit: 0)
    default: _ = try word()
    }
  }

  private mutating func open() throws(FeedError) {
    depth += 1
    guard depth <= Self.depthLimit else { throw .tooDeep(line: line) }
    index += 1
  }

  private mutating func close() {
    depth -= 1
    index += 1
  }

  /// Checks that a value is followed by a comma or the closing bracket.
  private mutating func requireEnd(of bracket: UInt8) throws(FeedError) {
    let byte = try next()
    guard byte == UInt8(ascii: ",") || byte == bracket else {
      throw unexpected("a comma is missing")
    }
  }

  /// Reads the digits of a number; nil for `null`, `true` and `false`.
  private mutating func word() throws(FeedError) -> String? {
    let start = index
    while index < input.count, Self.isWordByte(input[index]) { index += 1 }
    let word = input[start..<index]
    if ["null", "true", "false"].contains(where: { word.elementsEqual($0.utf8) }) { return nil }
    guard let first = word.first, first == 0x2D || 0x30...0x39 ~= first else {
      throw unexpected("this is not a value")
    }
    return String(decoding: word, as: UTF8.self)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == 0x2B || byte == 0x2D
      || byte == 0x2E
  }

  // MARK: Strings

  /// Reads a string; nil when it has more bytes than the limit.
  private mutating func string(limit: Int = .max) throws(FeedError) -> String? {
    index += 1
    let first = index
    var start = index
    var bytes: [UInt8] = []
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "\""):
        let end = index
        index += 1
        guard end - first <= limit else { return nil }
        if start == first {
          return String(outside: UnsafeBufferPointer(rebasing: input[first..<end]))
        }
        bytes.append(contentsOf: input[start..<end])
        return String(outside: bytes)
      case UInt8(ascii: "\\"):
        if index - first <= limit { bytes.append(contentsOf: input[start..<index]) }
        try appendEscaped(to: &bytes)
        if bytes.count > limit { bytes.removeAll(keepingCapacity: true) }
        start = index
      default: index += 1
      }
    }
    throw .truncated(line: line)
  }

  private mutating func appendEscaped(to bytes: inout [UInt8]) throws(FeedError) {
    guard index + 1 < input.count else { throw .truncated(line: line) }
    let escaped = input[index + 1]
    index += 2
    switch escaped {
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "b"), UInt8(ascii: "f"): bytes.append(0x20)
    case UInt8(ascii: "u"): bytes.append(contentsOf: String(try escapedScalar()).utf8)
    default: bytes.append(escaped)
    }
  }

  /// Decodes a `\u` escape; an unpaired surrogate becomes U+FFFD.
  private mutating func escapedScalar() throws(FeedError) -> Unicode.Scalar {
    let high = try digits()
    guard 0xD800...0xDBFF ~= high, index + 1 < input.count, input[index] == UInt8(ascii: "\\"),
      input[index + 1] == UInt8(ascii: "u")
    else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    let mark = index
    index += 2
    let low = try digits()
    guard 0xDC00...0xDFFF ~= low else {
      index = mark
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func digits() throws(FeedError) -> UInt32 {
    guard index + 4 <= input.count else { throw .truncated(line: line) }
    var value: UInt32 = 0
    for byte in input[index..<(index + 4)] {
      guard let digit = CharacterReference.hexadecimalValue(byte) else {
        throw unexpected("\\u without four digits")
      }
      value = value << 4 | digit
    }
    index += 4
    return value
  }

  // MARK: Bytes

  /// Skips white space and returns the current byte.
  private mutating func next() throws(FeedError) -> UInt8 {
    while index < input.count, isWhiteSpace(input[index]) { index += 1 }
    // No byte is read twice, so the distance is the work done.
    budget.spend(1 + index - counted)
    counted = index
    if let end = budget.end { throw FeedError(end) }
    guard index < input.count else { throw .truncated(line: line) }
    return input[index]
  }

  private func unexpected(_ reason: String) -> FeedError { .malformed(line: line, reason: reason) }

  private var line: Int { input[..<min(index, input.count)].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 } }
}
