import Limits

/// Finds web addresses in plain text.
///
/// Each byte that is looked at costs a step, and the bytes of an address are not scanned again for
/// another one.
enum PlainAddresses {
  /// The most addresses that are found in one text.
  private static let limit = 10_000

  /// Returns the ranges and the addresses in order, as far as the budget allows.
  static func all(
    in text: UnsafeBufferPointer<UInt8>, budget: Budget
  ) -> [(range: Range<Int>, address: String)] {
    var found: [(range: Range<Int>, address: String)] = []
    var index = 0
    // Every address has "://", which hardly occurs elsewhere.
    while found.count < limit, let mark = place(of: "://", in: text, from: index, budget: budget) {
      index = mark + 3
      guard let start = startOfScheme(before: mark, in: text) else { continue }
      let end = endOfAddress(in: text, from: index, budget: budget)
      index = max(index, end)
      guard end > mark + 3, end - start <= WebAddress.limit,
        let address = WebAddress.web(String(decoding: text[start..<end], as: UTF8.self))
      else { continue }
      found.append((start..<end, address))
    }
    return found
  }

  private static func place(
    of mark: StaticString, in text: UnsafeBufferPointer<UInt8>, from start: Int, budget: Budget
  ) -> Int? {
    mark.withUTF8Buffer { mark in
      var index = start
      while index + mark.count <= text.count, budget.spend(1) {
        if text[index] == mark[0], text[(index + 1)...].starts(with: mark.dropFirst()) {
          return index
        }
        index += 1
      }
      return nil
    }
  }

  /// Returns the start of `http` or `https`, unless it is part of another word.
  private static func startOfScheme(
    before mark: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    for scheme in ["https", "http"] as [StaticString] {
      let start = mark - scheme.utf8CodeUnitCount
      guard start >= 0 else { continue }
      let isScheme = scheme.withUTF8Buffer { scheme in
        text[start..<mark].elementsEqual(scheme) { $0 | 0x20 == $1 }
      }
      if isScheme { return start > 0 && isWord(text[start - 1]) ? nil : start }
    }
    return nil
  }

  /// Whether a text begins with a typographic quotation mark or dash, or East Asian punctuation.
  private static func isSign(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    [[0xE2, 0x80], [0xE3, 0x80], [0xEF, 0xBC]].contains { text.starts(with: $0 as [UInt8]) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20
  }

  /// Returns the end of the address, without punctuation that belongs to the sentence around it.
  private static func endOfAddress(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, budget: Budget
  ) -> Int {
    var end = start
    var openBrackets = 0
    loop: while end < text.count, budget.spend(1) {
      switch text[end] {
      case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "`"):
        break loop
      case 0xE2, 0xE3, 0xEF: if isSign(text[end...]) { break loop }
      case UInt8(ascii: "("), UInt8(ascii: "["): openBrackets += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        // A bracket that was opened before the address ends it.
        if openBrackets == 0 { break loop }
        openBrackets -= 1
      default: break
      }
      end += 1
    }
    while end > start, ".,;:!?'*_~".utf8.contains(text[end - 1]) { end -= 1 }
    return end
  }
}
