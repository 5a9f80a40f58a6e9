import Limits

/// Reads TOML 1.0.
///
/// The project has its own reader because a wrong setting has to be reported with its line; the
/// existing libraries give the line of syntax errors only.
///
/// ```swift
/// let document = try TOMLReader.read("[display]\ntheme = \"dark\"\n")
/// ```
struct TOMLReader {
  /// How many parts a key or header may have, and how deeply values may be nested.
  ///
  /// Configuration files need three; without a limit, a hostile document could exhaust the stack.
  static let maximumDepth = 32
  /// How many keys and values together a document may have: each takes many times the memory of its
  /// text.
  static let countLimit = 20_000

  private var scanner: TOMLScanner
  private var count = 0
  private var root = TOMLTable(.header)
  /// The table that keys belong to: that of the last header.
  private var place: [TOMLKeyPart] = []

  /// Reads a document.
  ///
  /// - Throws: the first mistake.
  static func read(_ text: String, budget: Budget? = nil) throws(TOMLError) -> TOMLTable {
    let budget = budget ?? Budget(bytes: text.utf8.count) { false }
    var reader = TOMLReader(scanner: TOMLScanner(text, budget: budget))
    try reader.readDocument()
    return reader.root
  }

  private init(scanner: TOMLScanner) { self.scanner = scanner }

  private mutating func countOne() throws(TOMLError) {
    count += 1
    try scanner.require(count, atMost: Self.countLimit, .values)
  }

  private mutating func readDocument() throws(TOMLError) {
    while true {
      try scanner.skipBlankLines()
      guard let character = scanner.peek else { return }
      if character == "[" {
        try readHeader()
      } else {
        let parts = try readKey()
        try scanner.expect("=", after: "a key")
        let value = try readValue(depth: 0)
        try insert(value, at: parts)
      }
      try scanner.endLine()
    }
  }

  // MARK: Keys

  private mutating func readHeader() throws(TOMLError) {
    let line = scanner.line
    scanner.advance()
    let isElement = scanner.skip("[")
    let parts = try readKey()
    try scanner.expect("]", after: "the name of a table")
    // `]]` is one token, without a space between.
    if isElement { try scanner.expect("]", after: "the name of a table", skippingBlanks: false) }
    place = []
    guard let last = parts.last else { return }
    try root.descend(parts.dropLast(), isHeader: true) { table throws(TOMLError) in
      try table.open(last.name, line: line, isElement: isElement)
    }
    place = parts
  }

  private mutating func readKey() throws(TOMLError) -> [TOMLKeyPart] {
    var parts: [TOMLKeyPart] = []
    repeat {
      scanner.skipBlanks()
      try countOne()
      let line = scanner.line
      guard parts.count < Self.maximumDepth else {
        throw scanner.error("the key has too many parts")
      }
      parts.append(TOMLKeyPart(name: try scanner.readKeyPart(), line: line))
      scanner.skipBlanks()
    } while scanner.skip(".")
    return parts
  }

  private mutating func insert(_ value: TOMLValue, at parts: [TOMLKeyPart]) throws(TOMLError) {
    let place = place
    try root.descend(place, isHeader: true) { table throws(TOMLError) in
      try Self.insert(value, at: parts, in: &table)
    }
  }

  private static func insert(
    _ value: TOMLValue, at parts: [TOMLKeyPart], in table: inout TOMLTable
  ) throws(TOMLError) {
    guard let last = parts.last else { return }
    try table.descend(parts.dropLast(), isHeader: false) { table throws(TOMLError) in
      if let known = table[last.name] {
        throw TOMLError(
          line: last.line,
          message: "“\(last.name)” is set twice; the first time is in line \(known.line)"
        )
      }
      table.append(TOMLTable.Entry(key: last.name, line: last.line, value: value))
    }
  }

  // MARK: Values

  private mutating func readValue(depth: Int) throws(TOMLError) -> TOMLValue {
    scanner.skipBlanks()
    try countOne()
    guard depth < Self.maximumDepth else { throw scanner.error("this is nested too deeply") }
    let line = scanner.line
    switch scanner.peek {
    case "[": return TOMLValue(line: line, content: .array(try readArray(depth: depth)))
    case "{": return TOMLValue(line: line, content: .table(try readInlineTable(depth: depth)))
    default: return TOMLValue(line: line, content: try scanner.readScalar())
    }
  }

  private mutating func readArray(depth: Int) throws(TOMLError) -> [TOMLValue] {
    let line = scanner.line
    scanner.advance()
    var values: [TOMLValue] = []
    while true {
      try scanner.skipBlankLines()
      if scanner.skip("]") { return values }
      guard scanner.peek != nil else {
        throw TOMLError(line: line, message: "the list that begins here has no closing ]")
      }
      do {
        values.append(try readValue(depth: depth + 1))
      } catch {
        // What follows a list that was not closed is read as a part of it.
        guard depth == 0, error.line > line else { throw error }
        throw TOMLError(
          line: error.line,
          message: "\(error.message); the list that begins in line \(line) may have no closing ]")
      }
      try scanner.skipBlankLines()
      if scanner.skip(",") { continue }
      guard scanner.skip("]") else { throw scanner.error("expected a comma or ] in this list") }
      return values
    }
  }

  private mutating func readInlineTable(depth: Int) throws(TOMLError) -> TOMLTable {
    scanner.advance()
    var table = TOMLTable(.inline)
    scanner.skipBlanks()
    if scanner.skip("}") { return table }
    while true {
      let parts = try readKey()
      try scanner.expect("=", after: "a key")
      try Self.insert(try readValue(depth: depth + 1), at: parts, in: &table)
      scanner.skipBlanks()
      if scanner.skip(",") { continue }
      guard scanner.skip("}") else { throw scanner.error("expected a comma or } in this table") }
      return table
    }
  }
}
