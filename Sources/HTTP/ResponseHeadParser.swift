import Limits

/// Collects header lines into response heads.
///
/// An answer may have several heads: interim ones (1xx) and the final one; trailers after the body
/// are ignored.
struct ResponseHeadParser {
  enum Event: Equatable {
    case redirect(Redirect)
    case final(status: Int, headers: HTTPHeaders)
  }

  /// The target of a redirect.
  struct Redirect: Equatable {
    let location: String
    let isPermanent: Bool
    /// The values of its `Set-Cookie` fields.
    var cookies: [String] = []
  }

  /// The largest size of all heads of one answer together, in bytes.
  ///
  /// Browsers have a similar limit.
  static let limit = 256 << 10

  private(set) var isOverLimit = false
  private let budget: Budget
  private var status = 0
  private var headers = HTTPHeaders()
  /// The last field, which the next line may continue.
  private var field: UnfinishedField?
  private var size = 0
  private var isFinished = false

  /// Creates a parser for the heads of one answer.
  init(budget: Budget = Budget(bytes: limit) { false }) {
    self.budget = budget
  }

  /// Takes one line with its line end, and returns the head that it completes.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Event? {
    size += line.count
    isOverLimit = size > Self.limit || budget.isSpent
    guard !isFinished, !isOverLimit else { return nil }

    let bytes = HeadBytes(bytes: line, budget: budget)
    switch bytes.first {
    case UInt8(ascii: " "), UInt8(ascii: "\t"):
      // An obsolete fold, still sent by some servers.
      field?.lines.append(Array(trimmed(bytes)))
      return nil
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"), nil:
      finishField()
      return endOfHead()
    default:
      finishField()
    }
    if headers.fields.isEmpty, bytes.starts(with: "HTTP/".utf8) {
      status = statusCode(String(outside: trimmed(bytes)))
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      field = UnfinishedField(
        name: String(outside: trimmed(bytes[..<colon])),
        lines: [Array(trimmed(bytes[(colon + 1)...]))])
    }
    return nil
  }

  /// Stores the last field, which no line can continue any more.
  private mutating func finishField() {
    guard let field else { return }
    self.field = nil
    let value = field.value(budget: budget)
    headers.append(
      field.name, isSameName(field.name, "Location") ? address(value) : String(outside: value))
  }

  private mutating func endOfHead() -> Event? {
    defer { headers = HTTPHeaders() }
    switch status {
    case 100..<200:
      return nil
    case 300..<400 where status != 304:
      guard let location = headers["Location"], !location.isEmpty else { break }
      isFinished = true
      return .redirect(
        Redirect(
          location: location, isPermanent: status == 301 || status == 308,
          cookies: headers.values(of: "Set-Cookie")))
    default:
      break
    }
    isFinished = true
    return .final(status: status, headers: headers)
  }

  private func statusCode(_ line: String) -> Int {
    let words = line.split(separator: " ", maxSplits: 2)
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }
}

/// A field that later lines may continue.
private struct UnfinishedField {
  let name: String
  /// The lines, without surrounding blanks.
  var lines: [[UInt8]]

  /// The field's whole value.
  ///
  /// Joined once, at the end: joining at every line would take quadratic time.
  func value(budget: Budget) -> [UInt8] {
    let value = Array(lines.filter { !$0.isEmpty }.joined(separator: " ".utf8))
    budget.spend(value.count + lines.count)
    return value
  }
}

/// The bytes of a line; each access costs one step of the budget.
private struct HeadBytes: BidirectionalCollection {
  let bytes: UnsafeRawBufferPointer
  let budget: Budget

  var startIndex: Int { 0 }
  var endIndex: Int { bytes.count }
  func index(after index: Int) -> Int { index + 1 }
  func index(before index: Int) -> Int { index - 1 }

  subscript(index: Int) -> UInt8 {
    budget.spend(1)
    return bytes[index]
  }
}

/// Decodes an address without loss: it may be in any encoding.
private func address(_ bytes: [UInt8]) -> String {
  String(validating: Marks.limited(bytes), as: UTF8.self)
    ?? bytes.reduce(into: "") { text, byte in
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
}

private func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
  let isBlank = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
  guard let first = bytes.firstIndex(where: { !isBlank($0) }),
    let last = bytes.lastIndex(where: { !isBlank($0) })
  else { return bytes[bytes.startIndex..<bytes.startIndex] }
  return bytes[first...last]
}
