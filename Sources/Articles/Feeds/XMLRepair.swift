import Limits

/// Corrects common mistakes in XML before it is parsed.
///
/// In one pass, it replaces HTML's named characters, escapes a bare `&`, `<` or `]]>`, and drops
/// forbidden characters, comments, processing instructions and the DOCTYPE. So the parser never
/// sees an entity definition, which entity bombs and attacks on local files need. Line breaks stay,
/// so that line numbers stay correct.
///
/// Markup that does not end is left to the parser, which then finds the document truncated.
///
/// Elements with very many attributes are refused here: the parser compares each attribute with all
/// before it.
struct XMLRepair {
  private let input: UnsafeBufferPointer<UInt8>
  private var output: [UInt8] = []
  private var position: Int
  /// The index of the first byte that has not been copied yet.
  private var pending: Int
  private var ownEntities: Set<[UInt8]> = []
  private let budget: Budget

  /// The most attributes of an element; no feed format needs a tenth of this.
  static let attributeLimit = 128
  /// The most entities that a document may define; HTML has 253.
  static let entityLimit = 1_000

  /// Repairs a document; the bytes must be valid UTF-8.
  ///
  /// - Returns: a slice of the bytes themselves if nothing has to be rewritten, as in most feeds.
  static func repair(
    _ bytes: [UInt8], budget: Budget
  ) throws(FeedError) -> ArraySlice<UInt8> {
    var failure: FeedError?
    let output = bytes.withUnsafeBufferPointer { input -> ArraySlice<UInt8> in
      var repair = XMLRepair(input: input, budget: budget)
      do throws(FeedError) {
        try repair.run()
      } catch {
        failure = error
      }
      if repair.output.isEmpty { return bytes[repair.pending...] }
      repair.flush()
      return repair.output[...]
    }
    if let failure { throw failure }
    return output
  }

  private init(input: UnsafeBufferPointer<UInt8>, budget: Budget) {
    (self.input, self.budget) = (input, budget)
    position = input.firstIndex { $0 > 0x20 } ?? input.count
    pending = position
    // The leading white space that is dropped may contain line breaks.
    keepLineBreaks(from: 0, to: position)
  }

  private mutating func run() throws(FeedError) {
    while position < input.count {
      let start = position
      skip(to: UInt8(ascii: "<"), or: UInt8(ascii: "&"))
      budget.spend(1 + position - start)
      if let end = budget.end { throw FeedError(end) }
      guard position < input.count else { break }
      let byte = input[position]
      if Self.isPlain(byte) || (byte != 0xEF && byte > 0x3C) {
        position += 1
        // What a character data section inside of another leaves.
        if byte == UInt8(ascii: "]"), matches("]>") {
          position += 1
          replace(to: position + 1, with: "&gt;".utf8)
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "<"): try markup()
      case UInt8(ascii: "&"): try reference(at: position)
      case 0xEF: noncharacter()
      default: drop(to: position + 1)
      }
    }
  }

  /// Whether a byte below `<` is an ordinary one: not `&`, and not a control character except tabs
  /// and line ends.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte < 0x3C && 0x0FFF_FFBF_0000_2600 as UInt64 &>> UInt64(byte) & 1 == 1
  }

  /// Skips to the next byte that is `one`, `other`, `]`, a control character or the lead byte of a
  /// noncharacter.
  ///
  /// Inlined, so that a byte which is passed twice is compared once.
  @inline(__always)
  private mutating func skip(to one: UInt8, or other: UInt8) {
    position = input.firstIndex(
      of: one, other, UInt8(ascii: "]"), 0xEF, below: 0x20, from: position)
  }

  // MARK: Markup

  private mutating func markup() throws(FeedError) {
    guard position + 1 < input.count else {
      position += 1
      return
    }
    switch input[position + 1] {
    case UInt8(ascii: "!"):
      if matches("<![CDATA[") {
        try copyCharacterData()
      } else if matches("<!--") {
        drop(to: try end(of: "-->", after: position + 4))
      } else if position + 2 < input.count, 0x61...0x7A ~= input[position + 2] | 0x20 {
        drop(to: try endOfDeclaration())
      } else {
        replace(to: position + 1, with: "&lt;".utf8)
      }
    case UInt8(ascii: "?"):
      drop(to: try end(of: "?>", after: position + 2))
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...0xFF:
      position = endOfPlainTag() ?? position + 1
    default:
      replace(to: position + 1, with: "&lt;".utf8)
    }
  }

  /// Counts the attributes of a tag by their opening quotes, up to the end of this tag or the start
  /// of the next, and returns where the tag ends if it contains nothing to repair, as most do.
  ///
  /// Text that looks like a tag inside a quoted value is counted too, but each byte is read at most
  /// three times: a scan reaches it either outside of quotes, in single quotes or in double quotes,
  /// and two scans in the same state would have been in the same state at every byte before.
  private func endOfPlainTag() -> Int? {
    var index = position + 1
    var count = 0
    var quote: UInt8?
    var isPlain = true
    var end: Int?
    while true {
      // Passes over what neither ends a tag nor a value, nor has to be repaired: spaces and what is
      // below them, `"`, `&` and `'` are below 0x28.
      index = input.firstIndex(
        of: UInt8(ascii: "<"), UInt8(ascii: ">"), 0xEF, below: 0x28, from: index)
      guard index < input.count else { break }
      let byte = input[index]
      if !Self.isPlain(byte), byte <= 0x3C || byte == 0xEF { isPlain = false }
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        count += 1
      } else if byte == UInt8(ascii: ">") {
        end = isPlain ? index + 1 : nil
        break
      } else if byte == UInt8(ascii: "<") {
        break
      }
      index += 1
    }
    budget.spend(index - position)
    budget.require(count, atMost: Self.attributeLimit, .attributes)
    return end
  }

  private mutating func copyCharacterData() throws(FeedError) {
    position += 9
    while position < input.count {
      let before = position
      skip(to: UInt8(ascii: "]"), or: UInt8(ascii: "]"))
      if !budget.spend(1 + position - before), let end = budget.end { throw FeedError(end) }
      guard position < input.count else { break }
      let byte = input[position]
      if Self.isPlain(byte) || byte == UInt8(ascii: "&") {
        position += 1
      } else if byte < 0x20 {
        drop(to: position + 1)
      } else if byte == UInt8(ascii: "]"), matches("]]>") {
        position += 3
        return
      } else if byte == 0xEF {
        noncharacter()
      } else {
        position += 1
      }
    }
  }

  /// Skips a DOCTYPE with its internal subset, and records the entities that it defines.
  private mutating func endOfDeclaration() throws(FeedError) -> Int {
    var index = position + 2
    var depth = 1
    while index < input.count, budget.spend(1) {
      switch input[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = input[index]
        index += 1
        while index < input.count, input[index] != quote, budget.spend(1) { index += 1 }
      case UInt8(ascii: "<"):
        if matches("<!--", at: index) {
          index = try end(of: "-->", after: index + 4)
          continue
        }
        if matches("<!ENTITY", at: index) { noteEntity(at: index + 8) }
        depth += 1
      case UInt8(ascii: ">"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    if let end = budget.end { throw FeedError(end) }
    return input.count
  }

  private mutating func noteEntity(at start: Int) {
    let text = input[start...].prefix(Self.nameLimit + 64)
    let name = text.drop { $0 <= 0x20 }.prefix { $0 > 0x20 && $0 != 0x3E }
    budget.spend(text.count)
    guard name.count <= Self.nameLimit else { return }
    ownEntities.insert(Array(name))
    budget.require(ownEntities.count, atMost: Self.entityLimit, .entities)
  }

  /// Longer names are not looked up among the defined entities.
  private static let nameLimit = 64

  // MARK: References and characters

  private mutating func reference(at start: Int) throws(FeedError) {
    var end = start + 1
    let limit = min(input.count, start + Self.nameLimit + 2)
    while end < limit, Self.isNameByte(input[end]) || (end == start + 1 && input[end] == 0x23) {
      end += 1
    }
    budget.spend(end - start)
    guard end < limit, input[end] == UInt8(ascii: ";"), end > start + 1 else {
      replace(to: start + 1, with: "&amp;".utf8)
      return
    }
    let name = input[(start + 1)..<end]
    if name.first == UInt8(ascii: "#") {
      if let scalar = CharacterReference.scalar(numbered: name.dropFirst()) {
        replaceReference(to: end + 1, with: scalar)
      } else {
        replace(to: start + 1, with: "&amp;".utf8)
      }
    } else if Self.isPredefined(name) {
      position = end + 1
    } else if let scalar = CharacterReference.scalar(named: name) {
      replaceReference(to: end + 1, with: scalar)
    } else if ownEntities.contains(Array(name)) {
      throw .ownEntity(name: String(decoding: name, as: UTF8.self))
    } else {
      replace(to: start + 1, with: "&amp;".utf8)
    }
  }

  private mutating func replaceReference(to end: Int, with scalar: Unicode.Scalar) {
    replace(to: end, with: (scalar.reference ?? String(scalar)).utf8)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: 0x30...0x39 ~= byte || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
  }

  private static func isPredefined(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard name.count <= 4 else { return false }
    return switch name.reduce(0 as UInt32, { $0 << 8 | UInt32($1) }) {
    case 0x6C74, 0x6774, 0x61_6D70, 0x7175_6F74, 0x6170_6F73: true  // lt gt amp quot apos
    default: false
    }
  }

  /// Drops U+FFFE and U+FFFF, which XML forbids.
  private mutating func noncharacter() {
    if position + 2 < input.count, input[position + 1] == 0xBF, input[position + 2] >= 0xBE {
      drop(to: position + 3)
    } else {
      position += 1
    }
  }

  // MARK: Copying

  private mutating func flush() {
    // Only once there is something to rewrite: usually there is nothing.
    if pending < position { output.reserveCapacity(input.count + 16) }
    output.append(contentsOf: input[pending..<position])
    pending = position
  }

  private mutating func replace(to end: Int, with bytes: some Sequence<UInt8>) {
    flush()
    output.append(contentsOf: bytes)
    position = end
    pending = end
  }

  private mutating func drop(to end: Int) {
    flush()
    keepLineBreaks(from: position, to: end)
    position = end
    pending = end
  }

  private mutating func keepLineBreaks(from start: Int, to end: Int) {
    for byte in input[start..<end] where byte == 0x0A { output.append(byte) }
  }

  private func matches(_ text: StaticString, at start: Int? = nil) -> Bool {
    let start = start ?? position
    guard input.count - start >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      text.indices.allSatisfy { input[start + $0] == text[$0] }
    }
  }

  private func end(of text: StaticString, after start: Int) throws(FeedError) -> Int {
    var index = start
    while index < input.count, budget.spend(1) {
      if matches(text, at: index) { return index + text.utf8CodeUnitCount }
      index += 1
    }
    if let end = budget.end { throw FeedError(end) }
    return input.count
  }
}
