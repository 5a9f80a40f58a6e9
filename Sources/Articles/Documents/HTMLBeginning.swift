extension HTMLRenderer {
  /// The size, in bytes, up to which a text is rendered whole: that takes less time than a user
  /// notices.
  private static let wholeLength = 96 << 10
  /// How many bytes the beginning has: several screens of text, however much of it is markup.
  private static let beginningLength = 32 << 10

  /// Renders the beginning of a long text, much faster than the whole.
  ///
  /// The result is also the beginning of the whole document, with the same links, unless tags
  /// overlap that far. Nil when the text is short, or is not a sequence of blocks.
  static func beginning(html: String, base: String?) -> Document? {
    guard html.utf8.count > wholeLength else { return nil }
    let limit = html.utf8.index(html.startIndex, offsetBy: beginningLength)
    guard let tag = html.utf8[..<limit].lastIndex(of: UInt8(ascii: "<")) else { return nil }
    var document = document(html: String(html[..<tag]), base: base)
    // HTML moves text inside a table but outside its cells in front of the table, so more blocks
    // may still come before an open table.
    guard document.blocks.count > 1, !document.blocks.contains(where: \.isTable) else { return nil }
    // The last block is incomplete.
    document.blocks.removeLast()
    return document
  }
}

extension Block {
  fileprivate var isTable: Bool {
    if case .table = self { true } else { false }
  }
}
