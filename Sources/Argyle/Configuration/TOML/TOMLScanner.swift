import Limits

/// The characters of a TOML document, and the tokens that can be read without context: blanks,
/// comments, parts of keys, strings and numbers.
struct TOMLScanner {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// The line of the next character, from 1.
  private(set) var line = 1
  private let budget: Budget
  /// The index up to which the budget has been spent.
  private var counted = 0

  /// The maximum length of a key; the longest known one has 20 letters.
  ///
  /// Swift compares keys by canonical equivalence, which is slow for long ones.
  private static let keyLimit = 200

  init(_ text: String, budget: Budget) {
    // Line ends are made uniform, whichever kind the editor writes.
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
      scalars.append(scalar)
    }
    self.scalars = scalars
    self.budget = budget
    if scalars.first == "\u{FEFF}" { index = 1 }
  }

  /// The next character.
  var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// Whether these are the next characters.
  func isAt(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

  func error(_ message: String) -> TOMLError { TOMLError(line: line, message: message) }

  @discardableResult
  mutating func advance() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    index += 1
    if scalar == "\n" { line += 1 }
    return scalar
  }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    advance()
    return true
  }

  mutating func skipBlanks() {
    while peek == " " || peek == "\t" { index += 1 }
  }

  /// Throws if a document has more of something than it may have.
  func require(_ count: Int, atMost limit: Int, _ what: Excess.Kind) throws(TOMLError) {
    budget.require(count, atMost: limit, what)
    try check()
  }

  private func check() throws(TOMLError) {
    if case .tooMuch(let excess) = budget.end { throw error("the file has \(excess.words)") }
  }

  /// Skips blanks, ends of lines and comments.
  mutating func skipBlankLines() throws(TOMLError) {
    // Nothing is read twice, so the distance from the last count is the work done since.
    budget.spend(1 + index - counted)
    counted = index
    try check()
    while true {
      skipBlanks()
      try skipComment()
      guard skip("\n") else { return }
    }
  }

  /// Skips blanks and a comment after a value, up to the next line.
  mutating func endLine() throws(TOMLError) {
    skipBlanks()
    try skipComment()
    guard peek == nil || skip("\n") else {
      throw error("there is more than one setting on this line")
    }
  }

  mutating func expect(
    _ scalar: Unicode.Scalar, after what: String, skippingBlanks: Bool = true
  ) throws(TOMLError) {
    if skippingBlanks { skipBlanks() }
    guard skip(scalar) else { throw error("expected \(scalar) after \(what)") }
  }

  private mutating func skipComment() throws(TOMLError) {
    guard peek == "#" else { return }
    while let scalar = peek, scalar != "\n" {
      try refuseControl(scalar)
      index += 1
    }
  }

  func refuseControl(_ scalar: Unicode.Scalar) throws(TOMLError) {
    guard scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" else {
      throw error("there is a control character")
    }
  }

  // MARK: Parts of keys

  mutating func readKeyPart() throws(TOMLError) -> String {
    switch peek {
    case "\"", "'":
      guard !isAt("\"\"\""), !isAt("'''") else { throw error("a key must be on one line") }
      let start = index
      let key = try readString()
      try refuseLongKey(from: start)
      return key
    default:
      let start = index
      while let scalar = peek, Self.isBare(scalar) { index += 1 }
      guard index > start else { throw error("expected a key") }
      try refuseLongKey(from: start)
      return text(from: start)
    }
  }

  private func refuseLongKey(from start: Int) throws(TOMLError) {
    guard index - start <= Self.keyLimit else {
      throw error("the key has \(Excess.count(.keyLength, limit: Self.keyLimit).words)")
    }
  }

  private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  private func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<index])
    return String(text)
  }

  // MARK: Values

  /// Reads a value that is neither a list nor a table.
  mutating func readScalar() throws(TOMLError) -> TOMLValue.Content {
    if peek == "\"" || peek == "'" { return .string(try readString()) }
    let start = index
    while let scalar = peek, Self.isBare(scalar) || "+.:".unicodeScalars.contains(scalar) {
      index += 1
    }
    let word = text(from: start)
    guard !word.isEmpty else { throw error("expected a value") }
    guard let content = TOMLValue.Content(word: word) else {
      if TOMLValue.Content.isOutOfRange(word) {
        throw error("“\(word)” is too \(word.first == "-" ? "small" : "large") a number")
      }
      throw error("“\(word)” is not a value; a string must be in quotes")
    }
    return content
  }
}
