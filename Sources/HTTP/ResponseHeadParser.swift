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
  private var status = 0
  private var headers = HTTPHeaders()
  private var size = 0
  private var isFinished = false

  /// Takes one line, its end included, and says what is complete with it.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Event? {
    size += line.count
    isOverLimit = size > Self.limit
    guard !isFinished, !isOverLimit else { return nil }

    let text = String(outside: trimmed(line[...]))
    if text.isEmpty { return endOfHead() }
    if headers.fields.isEmpty, text.hasPrefix("HTTP/") {
      status = statusCode(text)
    } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
      headers.extendLast(text)
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(outside: trimmed(line[..<colon]))
      let value = trimmed(line[(colon + 1)...])
      headers.append(name, isSameName(name, "Location") ? address(value) : String(outside: value))
    }
    return nil
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

/// An address without a loss: it may be in any encoding.
private func address(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
  String(validating: Marks.limited(Array(bytes)), as: UTF8.self)
    ?? bytes.reduce(into: "") { text, byte in
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
}

private func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
  let isBlank = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
  guard let first = bytes.firstIndex(where: { !isBlank($0) }),
    let last = bytes.lastIndex(where: { !isBlank($0) })
  else { return bytes[bytes.startIndex..<bytes.startIndex] }
  return bytes[first...last]
}
