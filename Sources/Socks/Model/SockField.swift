/// A field of a sock that can be changed on its own.
public enum SockField: String, CaseIterable, Sendable {
  case name, picture, sogginess, pattern, colour, notes
}

/// A change of one field of a sock.
///
/// Changes apply to fields and not to whole socks, so that two programs can change different fields
/// of one sock at the same time.
public enum SockEdit: Hashable, Codable, Sendable {
  case name(String)
  case picture(SockPicture?)
  case sogginess(Int)
  case pattern(String)
  case colour(String)
  case notes(String)

  /// The field that it changes.
  public var field: SockField {
    switch self {
    case .name: .name
    case .picture: .picture
    case .sogginess: .sogginess
    case .pattern: .pattern
    case .colour: .colour
    case .notes: .notes
    }
  }

  /// Checks that the value is allowed.
  ///
  /// - Throws: ``SockError/invalid(_:)``.
  public func check() throws(SockError) {
    switch self {
    case .name(let text):
      try checkLine(text)
      if text.allSatisfy(\.isWhitespace) { throw .invalid(.empty(.name)) }
    case .pattern(let text), .colour(let text): try checkLine(text)
    case .notes(let text): try checkLength(text, limit: Self.notesLimit)
    case .picture(let picture):
      guard let text = picture?.text else { return }
      try checkLine(text, limit: Self.pictureLimit)
      if SockPicture(text) != picture { throw .invalid(.noPicture) }
    case .sogginess(let sogginess):
      guard Sock.sogginessRange.contains(sogginess) else {
        throw .invalid(.sogginess(sogginess))
      }
    }
  }

  private func checkLine(_ text: String, limit: Int = lineLimit) throws(SockError) {
    try checkLength(text, limit: limit)
    if text.unicodeScalars.contains(where: \.isControl) { throw .invalid(.notOneLine(field)) }
  }

  private func checkLength(_ text: String, limit: Int) throws(SockError) {
    // In Unicode scalars, like the checks of the table.
    guard text.unicodeScalars.count <= limit else {
      throw .invalid(.tooLong(field, limit: limit))
    }
    // SQLite's text functions stop at a zero byte.
    if text.utf8.contains(0) { throw .invalid(.notOneLine(field)) }
  }

  static let lineLimit = 200
  static let notesLimit = 20_000
  static let pictureLimit = 4_000
}

extension Sock {
  /// Changes a field.
  public mutating func apply(_ edit: SockEdit) {
    switch edit {
    case .name(let name): self.name = name
    case .picture(let picture): self.picture = picture
    case .sogginess(let sogginess): self.sogginess = sogginess
    case .pattern(let pattern): self.pattern = pattern
    case .colour(let colour): self.colour = colour
    case .notes(let notes): self.notes = notes
    }
  }

  /// Every field as an edit, in the order of ``SockField``.
  public var edits: [SockEdit] {
    SockField.allCases.map { field in
      switch field {
      case .name: .name(name)
      case .picture: .picture(picture)
      case .sogginess: .sogginess(sogginess)
      case .pattern: .pattern(pattern)
      case .colour: .colour(colour)
      case .notes: .notes(notes)
      }
    }
  }
}
