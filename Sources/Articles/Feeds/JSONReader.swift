/// A value of a JSON document.
///
/// What a feed has no use for, such as numbers of any precision, is not kept exactly.
enum JSONValue: Equatable {
  case null
  case bool(Bool)
  /// As it is written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// The last one counts of two members with the same name.
  case object([String: JSONValue])

  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// A string, or a number as its digits: many feeds have numbers for ids.
  var text: String? {
    switch self {
    case .string(let text): text
    case .number(let digits): digits
    default: nil
    }
  }
}

/// Reads JSON with a limit on its depth, and on nothing else than its own words.
///
/// It forgives commas before a closing bracket and line breaks inside strings, which feeds written
/// by templates have.
struct JSONReader {
  static let depthLimit = 64

  private let input: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// The bytes must be valid UTF-8.
  static func read(_ bytes: [UInt8]) throws(FeedError) -> JSONValue {
    let result = bytes.withUnsafeBufferPointer { input -> Result<JSONValue, FeedError> in
      var reader = JSONReader(input: input)
      do throws(FeedError) {
        return .success(try reader.value(depth: 0))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private init(input: UnsafeBufferPointer<UInt8>) {
    self.input = input
  }

  private mutating func value(depth: Int) throws(FeedError) -> JSONValue {
    guard depth < Self.depthLimit else { throw .tooDeep(line: line) }
    switch try next() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    default: return try word()
    }
  }

  private mutating func object(depth: Int) throws(FeedError) -> JSONValue {
    index += 1
    var members: [String: JSONValue] = [:]
    while true {
      switch try next() {
      case UInt8(ascii: "}"):
        index += 1
        return .object(members)
      case UInt8(ascii: ","): index += 1
      case UInt8(ascii: "\""):
        let name = try string()
        guard try next() == UInt8(ascii: ":") else { throw unexpected("a colon is missing") }
        index += 1
        members[name] = try value(depth: depth + 1)
        try requireEnd(of: UInt8(ascii: "}"))
      default: throw unexpected("a name is missing")
      }
    }
  }

  private mutating func array(depth: Int) throws(FeedError) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    while true {
      switch try next() {
      case UInt8(ascii: "]"):
        index += 1
        return .array(elements)
      case UInt8(ascii: ","): index += 1
      default:
        elements.append(try value(depth: depth + 1))
        try requireEnd(of: UInt8(ascii: "]"))
      }
    }
  }

  /// A value is followed by another or by the end of what it is in.
  private mutating func requireEnd(of bracket: UInt8) throws(FeedError) {
    let byte = try next()
    guard byte == UInt8(ascii: ",") || byte == bracket else {
      throw unexpected("a comma is missing")
    }
  }

  private mutating func word() throws(FeedError) -> JSONValue {
    let start = index
    while index < input.count, Self.isWordByte(input[index]) { index += 1 }
    let word = String(decoding: input[start..<index], as: UTF8.self)
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      guard let first = word.utf8.first, first == 0x2D || 0x30...0x39 ~= first else {
        throw unexpected("what stands there is no value")
      }
      return .number(word)
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == 0x2B || byte == 0x2D
      || byte == 0x2E
  }

  // MARK: Strings

  private mutating func string() throws(FeedError) -> String {
    index += 1
    var start = index
    var bytes: [UInt8] = []
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "\""):
        bytes.append(contentsOf: input[start..<index])
        index += 1
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        bytes.append(contentsOf: input[start..<index])
        try appendEscaped(to: &bytes)
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

  /// Half of a pair without the other is U+FFFD.
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

  /// The byte at hand, after white space.
  private mutating func next() throws(FeedError) -> UInt8 {
    while index < input.count, isWhiteSpace(input[index]) { index += 1 }
    guard index < input.count else { throw .truncated(line: line) }
    return input[index]
  }

  private func unexpected(_ reason: String) -> FeedError { .malformed(line: line, reason: reason) }

  private var line: Int { input[..<min(index, input.count)].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 } }
}
