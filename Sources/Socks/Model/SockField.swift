/// A field of a sock that can be changed on its own.
///
/// Whatever handles all fields (checks, edits, the store, JSON, the form) goes through this table.
/// A new field is a property of ``Sock``, a case here, a column in a new step of the drawer's
/// schema, and an option of the commands.
public enum SockField: String, CaseIterable, Sendable {
  case name, sogginess, pattern, colour, picture, notes

  /// The property of a sock, and the values that it may have.
  enum Property: Sendable {
    /// Text of so many Unicode scalars; only notes have several lines.
    case text(WritableKeyPath<Sock, String> & Sendable, limit: Int = 200, isLine: Bool = true)
    case number(WritableKeyPath<Sock, Int> & Sendable, in: ClosedRange<Int>)
    case picture(WritableKeyPath<Sock, SockPicture?> & Sendable, limit: Int)
  }

  var property: Property {
    switch self {
    case .name: .text(\.name)
    case .sogginess: .number(\.sogginess, in: Sock.sogginessRange)
    case .pattern: .text(\.pattern)
    case .colour: .text(\.colour)
    case .picture: .picture(\.picture, limit: 4_000)
    case .notes: .text(\.notes, limit: 20_000, isLine: false)
    }
  }

  /// The name of the field, for labels.
  public var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// The fields that describe a sock in a word or two.
  public static let traits = allCases.filter { field in
    if case .text(_, _, isLine: true) = field.property { field != .name } else { false }
  }

  /// The texts that a search looks at.
  static let texts = allCases.compactMap { field in
    if case .text(let path, _, _) = field.property { path } else { nil }
  }
}

/// The value of a field.
public enum SockValue: Hashable, Sendable {
  case text(String)
  case number(Int)
  /// Nil for no picture.
  case picture(SockPicture?)

  /// The value as text; empty for no picture.
  public var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .picture(let picture): picture?.text ?? ""
    }
  }
}

extension Sock {
  /// The value of a field; setting a value of another type does nothing.
  public subscript(field: SockField) -> SockValue {
    get {
      switch field.property {
      case .text(let path, _, _): .text(self[keyPath: path])
      case .number(let path, _): .number(self[keyPath: path])
      case .picture(let path, _): .picture(self[keyPath: path])
      }
    }
    set {
      switch (field.property, newValue) {
      case (.text(let path, _, _), .text(let text)): self[keyPath: path] = text
      case (.number(let path, _), .number(let number)): self[keyPath: path] = number
      case (.picture(let path, _), .picture(let picture)): self[keyPath: path] = picture
      default: break
      }
    }
  }

  /// Changes a field.
  public mutating func apply(_ edit: SockEdit) { self[edit.field] = edit.value }

  /// Every field as an edit, in the order of ``SockField``.
  public var edits: [SockEdit] { SockField.allCases.map { SockEdit($0, self[$0]) } }
}

/// A change of one field of a sock.
///
/// Changes apply to fields and not to whole socks, so that two programs can change different fields
/// of one sock at the same time.
public struct SockEdit: Hashable, Sendable {
  /// The field that it changes.
  public let field: SockField
  /// The new value, of the field's type.
  public let value: SockValue

  init(_ field: SockField, _ value: SockValue) { (self.field, self.value) = (field, value) }

  /// Creates a change of a field of text.
  ///
  /// - Precondition: The field is neither the sogginess nor the picture.
  public init(_ field: SockField, text: String) {
    guard case .text = field.property else { preconditionFailure("The \(field) is not a text.") }
    self.init(field, .text(text))
  }

  /// A change of the name.
  public static func name(_ text: String) -> SockEdit { SockEdit(.name, text: text) }
  /// A change of the sogginess, which is in ``Sock/sogginessRange``.
  public static func sogginess(_ number: Int) -> SockEdit { SockEdit(.sogginess, .number(number)) }
  /// A change of the pattern.
  public static func pattern(_ text: String) -> SockEdit { SockEdit(.pattern, text: text) }
  /// A change of the colour.
  public static func colour(_ text: String) -> SockEdit { SockEdit(.colour, text: text) }
  /// A change of the picture; nil removes it.
  public static func picture(_ picture: SockPicture?) -> SockEdit {
    SockEdit(.picture, .picture(picture))
  }
  /// A change of the notes, which may have several lines.
  public static func notes(_ text: String) -> SockEdit { SockEdit(.notes, text: text) }

  /// Checks that the value is allowed.
  ///
  /// - Throws: ``SockError/invalid(_:)``.
  public func check() throws(SockError) {
    switch (field.property, value) {
    case (.text(_, let limit, let isLine), .text(let text)):
      try check(text, limit: limit, isLine: isLine)
      if field == .name, text.allSatisfy(\.isWhitespace) { throw .invalid(.empty(.name)) }
    case (.number(_, let range), .number(let number)):
      guard range.contains(number) else { throw .invalid(.sogginess(number)) }
    case (.picture(_, let limit), .picture(let picture)):
      guard let text = picture?.text else { return }
      try check(text, limit: limit, isLine: true)
      if SockPicture(text) != picture { throw .invalid(.noPicture) }
    default: preconditionFailure("The value of a field has the wrong type.")
    }
  }

  private func check(_ text: String, limit: Int, isLine: Bool) throws(SockError) {
    // In Unicode scalars, like the checks of the table.
    guard text.unicodeScalars.count <= limit else {
      throw .invalid(.tooLong(field, limit: limit))
    }
    // SQLite's text functions stop at a zero byte.
    if isLine ? text.unicodeScalars.contains(where: \.isControl) : text.utf8.contains(0) {
      throw .invalid(.notOneLine(field))
    }
  }
}
