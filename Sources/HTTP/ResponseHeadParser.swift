import Limits

/// Collects header lines into heads.
///
/// An answer may have several: interim ones (1xx) and the one that counts; after the body there may
/// be trailers, which nobody asked for.
struct ResponseHeadParser {
  enum Event: Equatable {
    case redirect(Redirect)
    case final(status: Int, headers: HTTPHeaders)
  }

  /// Where an answer points in place of one.
  struct Redirect: Equatable {
    let location: String
    let isPermanent: Bool
  }

  /// All heads of one answer together.
  ///
  /// Browsers stop at about as much.
  static let limit = 256 << 10

  private(set) var isOverLimit = false
  private let budget: Budget
  private var status = 0
  private var headers = HTTPHeaders()
  /// The last field, onto which the next line may be folded.
  private var field: UnfinishedField?
  private var size = 0
  private var isFinished = false

  /// A parser for the heads of one answer.
  init(budget: Budget = Budget(bytes: limit) { false }) {
    self.budget = budget
  }

  /// Takes one line, its end included, and says what is complete with it.
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

  /// Keeps the last field, which nothing can be folded onto any more.
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
    case 300..<400:
      guard let location = headers["Location"], !location.isEmpty else { break }
      isFinished = true
      return .redirect(
        Redirect(location: location, isPermanent: status == 301 || status == 308))
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

/// A field of which more lines may come.
private struct UnfinishedField {
  let name: String
  /// Without the blanks around them.
  var lines: [[UInt8]]

  /// Everything behind the name.
  ///
  /// Joined once, at the end: at every line it would take quadratic time.
  func value(budget: Budget) -> [UInt8] {
    let value = Array(lines.filter { !$0.isEmpty }.joined(separator: " ".utf8))
    budget.spend(value.count + lines.count)
    return value
  }
}

/// The bytes of a line; looking at one is a step.
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

/// An address without a loss: it may be in any encoding.
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
