/// The header fields of a request or an answer, in the order they were sent.
///
/// Names are compared without regard to case; a name may occur several times.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/atom+xml"]
/// headers.append("If-None-Match", tag)
/// headers["ACCEPT"]  // "application/atom+xml"
/// ```
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// One line of a header block.
  public struct Field: Sendable, Equatable {
    /// As sent; compared without regard to case.
    public let name: String

    /// Without surrounding blanks.
    public let value: String
  }

  /// Every field, in order.
  public private(set) var fields: [Field] = []

  /// No fields.
  public init() {}

  init(_ fields: [Field]) {
    self.fields = fields
  }

  /// Whether a value can be sent as it is: in one line, without control characters.
  ///
  /// A value received from a server may fail this, so check it before it is sent back.
  public static func canSend(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Creates the fields of a literal, in order.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Adds a field after the others, even if there is one with that name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The first value for a name.
  ///
  /// Setting it replaces every value for that name; nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { isSameName($0.name, name) }?.value }
    set {
      fields.removeAll { isSameName($0.name, name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Returns every value for a name, in order.
  public func values(of name: String) -> [String] {
    fields.filter { isSameName($0.name, name) }.map(\.value)
  }
}

func isSameName(_ a: String, _ b: String) -> Bool {
  a.utf8.elementsEqual(b.utf8) { lowercase($0) == lowercase($1) }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
