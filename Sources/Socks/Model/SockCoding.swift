import Foundation

/// The name of a member in the JSON of socks.
struct SockKey: CodingKey, Hashable {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(_ field: SockField) { stringValue = field.rawValue }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  static let id = SockKey("id")
  static let pair = SockKey("pair")
  static let created = SockKey("created")
  static let changed = SockKey("changed")
  /// The value of an edit.
  fileprivate static let value = SockKey("_0")

  /// The members that a sock has.
  static let all = Set([id, pair, created, changed] + SockField.allCases.map(SockKey.init))
}

extension KeyedDecodingContainer<SockKey> {
  /// Decodes the value of a field; a missing picture is none.
  func value(of field: SockField, forKey key: SockKey) throws -> SockValue {
    switch field.property {
    case .text: return .text(try decode(String.self, forKey: key))
    case .number:
      if let number = Int(exactly: try decode(Double.self, forKey: key)) { return .number(number) }
      // The decoder reports the path of a wrong type, but not that of a wrong value.
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "unreadable")
    case .picture: return .picture(try decodeIfPresent(SockPicture.self, forKey: key))
    }
  }
}

extension KeyedEncodingContainer<SockKey> {
  fileprivate mutating func encode(_ value: SockValue, forKey key: SockKey) throws {
    switch value {
    case .text(let text): try encode(text, forKey: key)
    case .number(let number): try encode(number, forKey: key)
    case .picture(let picture): try encode(picture, forKey: key)
    }
  }

  fileprivate mutating func encode(fieldsOf sock: Sock) throws {
    try encode(sock.id, forKey: .id)
    for field in SockField.allCases { try encode(sock[field], forKey: SockKey(field)) }
  }
}

extension Sock: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SockKey.self)
    self.init(
      id: try container.decode(UUID.self, forKey: .id), name: "",
      pair: try container.decodeIfPresent(UUID.self, forKey: .pair),
      created: try container.decode(Date.self, forKey: .created),
      changed: try container.decode(Date.self, forKey: .changed))
    for field in SockField.allCases {
      self[field] = try container.value(of: field, forKey: SockKey(field))
    }
  }

  /// Encodes all names, so that scripts need not check which are present.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SockKey.self)
    try container.encode(fieldsOf: self)
    try container.encode(pair, forKey: .pair)
    try container.encode(created, forKey: .created)
    try container.encode(changed, forKey: .changed)
  }
}

/// Encoded as it was when each field was a case of an enumeration, since journals contain edits:
/// `{"name":{"_0":"Argyle"}}`.
extension SockEdit: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SockKey.self)
    guard let key = container.allKeys.first, let field = SockField(rawValue: key.stringValue) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "This is not a field of a sock."))
    }
    let edit = try container.nestedContainer(keyedBy: SockKey.self, forKey: key)
    self.init(field, try edit.value(of: field, forKey: .value))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SockKey.self)
    var edit = container.nestedContainer(keyedBy: SockKey.self, forKey: SockKey(field))
    try edit.encode(value, forKey: .value)
  }
}

extension SockDraft: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SockKey.self)
    self.init(id: try container.decode(UUID.self, forKey: .id))
    for field in SockField.allCases where container.contains(SockKey(field)) {
      sock[field] = try container.value(of: field, forKey: SockKey(field))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SockKey.self)
    try container.encode(fieldsOf: sock)
  }
}
