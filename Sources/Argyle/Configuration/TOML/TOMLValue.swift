/// A value of a TOML document, with the line in which it begins: who finds it wrong can say where.
struct TOMLValue: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// A date, a time or both, as it is written: no setting takes one.
    case date(String)
    case array([TOMLValue])
    case table(TOMLTable)
  }

  let line: Int
  var content: Content

  /// What it is, as a message names it.
  var kind: String {
    switch content {
    case .string: "a string"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .date: "a date"
    case .array: "a list"
    case .table: "a table"
    }
  }

  // A table that is changed must have no second owner, or each change would copy all of it: it is taken
  // out and put back. A document whose table is not put back is refused.

  /// Takes the table out of the value; nil when it is none.
  mutating func takeTable() -> TOMLTable? {
    guard case .table(let table) = content else { return nil }
    content = .boolean(false)
    return table
  }

  /// Takes the elements out of the value; nil when it is no list.
  mutating func takeElements() -> [TOMLValue]? {
    guard case .array(let elements) = content else { return nil }
    content = .boolean(false)
    return elements
  }
}

/// The keys of a table in the order of the document.
struct TOMLTable: Hashable, Sendable {
  /// How a table came to be, which decides who may add to it.
  enum Origin: Hashable, Sendable {
    /// By the header of a table inside it.
    case implied
    /// By its own header.
    case header
    /// By keys with dots.
    case dotted
    /// In braces: it is complete.
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

  /// Adds a key that is not there yet.
  mutating func append(_ entry: Entry) {
    places[entry.key] = entries.count
    entries.append(entry)
  }

  /// Changes the value of a key that is there.
  mutating func change<Failure: Error>(
    _ key: String, _ change: (inout TOMLValue) throws(Failure) -> Void
  ) throws(Failure) {
    guard let place = places[key] else { return }
    try change(&entries[place].value)
  }
}

/// Why a text is no TOML document.
struct TOMLError: Error, Hashable {
  let line: Int
  /// What is wrong there, as the rest of a sentence after the line.
  let message: String
}
