/// The bytes of a web page as UTF-8.
enum PageSource {
  /// - Parameter charset: what the server says; else what the page says at its beginning.
  static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    SourceText.utf8(bytes, charset: charset ?? declaredCharset(bytes))
  }

  /// Browsers look no further.
  private static let headLength = 4_096

  /// What `<meta charset="…">`, or the longer form of it, says.
  static func declaredCharset(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(headLength), as: UTF8.self).lowercased()
    guard let mark = head.firstRange(of: "charset=") else { return nil }
    let value = head[mark.upperBound...].drop { "\"' ".contains($0) }
      .prefix { $0.isLetter || $0.isNumber || "-_".contains($0) }
    return value.isEmpty ? nil : String(value)
  }
}
