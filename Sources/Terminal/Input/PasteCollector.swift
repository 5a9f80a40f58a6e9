/// Pasted text, up to the sequence that ends it.
struct PasteCollector: Sendable {
  /// More than this many bytes of one paste are dropped: nothing here has a use for more.
  static let limit = 1 << 20
  private static let end = Array("\u{1B}[201~".utf8)
  private var bytes: [UInt8] = []
  private var matched = 0

  /// Takes a byte; says whether it was the last one of the paste.
  mutating func append(_ byte: UInt8) -> Bool {
    if byte == PasteCollector.end[matched] {
      matched += 1
      return matched == PasteCollector.end.count
    }
    // Only its first byte is an Esc, so the end cannot begin inside a part of itself.
    for byte in PasteCollector.end.prefix(matched) { keep(byte) }
    matched = 0
    if byte == PasteCollector.end[0] { matched = 1 } else { keep(byte) }
    return false
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < PasteCollector.limit { bytes.append(byte) }
  }

  /// Returns the text, with what is not UTF-8 repaired and characters of a bounded size, and forgets
  /// it.
  mutating func take() -> String {
    defer { self = PasteCollector() }
    if matched < PasteCollector.end.count { bytes += PasteCollector.end.prefix(matched) }
    return String(decoding: bytes, as: UTF8.self).limitingCharacters()
  }
}
