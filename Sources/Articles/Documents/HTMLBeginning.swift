extension HTMLRenderer {
  /// A shorter text is read as a whole in less time than anybody notices.
  private static let wholeLength = 96 << 10
  /// Several screens of text, however much of it is markup.
  private static let beginningLength = 32 << 10

  /// What a long text begins with: the blocks of its first pages, long before all of it is read.
  ///
  /// They are the first blocks of the whole document too, with the same links, unless tags overlap
  /// that far. Nil when a text is short, or is not made of blocks that follow each other.
  static func beginning(html: String, base: String?) -> Document? {
    guard html.utf8.count > wholeLength else { return nil }
    let limit = html.utf8.index(html.startIndex, offsetBy: beginningLength)
    guard let tag = html.utf8[..<limit].lastIndex(of: UInt8(ascii: "<")) else { return nil }
    var document = document(html: String(html[..<tag]), base: base)
    // What stands before a table's rows without being in one belongs before the table: while there
    // is an open table, more may come in front of it.
    guard document.blocks.count > 1, !document.blocks.contains(where: \.isTable) else { return nil }
    // Cut in the middle.
    document.blocks.removeLast()
    return document
  }
}

extension Block {
  fileprivate var isTable: Bool {
    if case .table = self { true } else { false }
  }
}
