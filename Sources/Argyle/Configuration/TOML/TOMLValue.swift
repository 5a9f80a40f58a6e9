/// A value of a TOML document, with the line on which it begins for error messages.
struct TOMLValue: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// A date, a time or both, as written; no setting accepts one.
    case date(String)
    case array([TOMLValue])
    case table(TOMLTable)

    /// Whether it is neither a list nor a table.
    var isSingle: Bool {
      switch self {
      case .array, .table: false
      case .string, .integer, .number, .boolean, .date: true
      }
    }
  }

  let line: Int
  var content: Content

  // A table is taken out of its value to be changed, and put back afterwards: with a second owner,
  // each change would copy the whole table. If an error is thrown in between, the document is
  // refused anyway.

  /// Takes the table out of the value; nil if it is not a table.
  mutating func takeTable() -> TOMLTable? {
    guard case .table(let table) = content else { return nil }
    content = .boolean(false)
    return table
  }

  /// Takes the elements out of the value; nil if it is not a list.
  mutating func takeElements() -> [TOMLValue]? {
    guard case .array(let elements) = content else { return nil }
    content = .boolean(false)
    return elements
  }
}

/// A table: its keys and values in the order of the document.
struct TOMLTable: Hashable, Sendable {
  /// How a table was created, which decides what may add to it.
  enum Origin: Hashable, Sendable {
    /// By the header of a table inside it.
    case implied
    /// By its own header.
    case header
    /// By dotted keys.
    case dotted
    /// As a value in braces: it is complete.
    case inline
  }

  struct Entry: Hashable, Sendable {
    let key: String
    /// The line of the key.
    let line: Int
    var value: TOMLValue
  }

  var origin = Origin.implied
  private(set) var entries: [Entry] = []
  private var places: [String: Int] = [:]

  init(_ origin: Origin) { self.origin = origin }

  subscript(key: String) -> Entry? { places[key].map { entries[$0] } }

  /// Adds a key that the table does not have yet.
  mutating func append(_ entry: Entry) {
    places[entry.key] = entries.count
    entries.append(entry)
  }

  /// Changes the value of an existing key.
  mutating func change<Failure: Error>(
    _ key: String, _ change: (inout TOMLValue) throws(Failure) -> Void
  ) throws(Failure) {
    guard let place = places[key] else { return }
    try change(&entries[place].value)
  }
}

/// Why a text is not a TOML document.
struct TOMLError: Error, Hashable {
  let line: Int
  /// What is wrong, as a clause for use after the line number.
  let message: String
}
