/// The header fields of a request or an answer: names without regard to case, in the order they
/// were sent, a name as often as it came.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/atom+xml"]
/// headers.append("If-None-Match", tag)
/// headers["ACCEPT"]  // "application/atom+xml"
/// ```
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// One line of a header block.
  public struct Field: Sendable, Equatable {
    /// As it was sent; compared without regard to case.
    public let name: String

    /// Without the blanks around it.
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
  /// What a server sent need not be: what is to go back to it has to be checked.
  public static func canSend(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// The fields of a literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Adds a field after the others, also when there is one of that name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The first value of a name.
  ///
  /// Setting it replaces every value of that name; nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { isSameName($0.name, name) }?.value }
    set {
      fields.removeAll { isSameName($0.name, name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Every value of a name, in order.
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
