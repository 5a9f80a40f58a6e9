/// Converts the bytes of a web page to UTF-8.
enum PageSource {
  /// - Parameter charset: the encoding that the server declares; nil to use the page's declaration.
  static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    SourceText.utf8(bytes, charset: charset ?? declaredCharset(bytes))
  }

  /// How far browsers look for the declaration, in bytes.
  private static let headLength = 4_096

  /// Returns the encoding of `<meta charset="…">`, or of its longer form.
  static func declaredCharset(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(headLength), as: UTF8.self).lowercased()
    guard let mark = head.firstRange(of: "charset=") else { return nil }
    let value = head[mark.upperBound...].drop { "\"' ".contains($0) }
      .prefix { $0.isLetter || $0.isNumber || "-_".contains($0) }
    return value.isEmpty ? nil : String(value)
  }
}
