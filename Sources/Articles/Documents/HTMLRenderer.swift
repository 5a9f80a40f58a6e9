import CGumbo
import Limits

/// Creates a ``Document`` from the HTML of a feed.
///
/// ```swift
/// let document = HTMLRenderer.document(html: "<p>See <a href=/more>more</a>.", base: page)
/// ```
///
/// Scripts, styles, forms and hidden elements are left out. Only `http`, `https` and `mailto`
/// addresses become links, including addresses in the text that are not marked as links. Time and
/// memory are proportional to the size of the text: if the HTML parser would need more, the text is
/// rendered without its tags.
public enum HTMLRenderer {
  /// How deep blocks may be nested; deeper ones are moved up to this depth.
  public static let nestingLimit = 16
  /// The longest text, in bytes; a longer one is cut and ends with "…".
  public static let sizeLimit = 8 << 20

  /// - Parameter base: the base of relative addresses.
  public static func document(html: String, base: String? = nil) -> Document {
    document(html: html, base: base, sizeLimit: sizeLimit)
  }

  static func document(
    html: String, base: String?, sizeLimit: Int = sizeLimit, budget: Budget? = nil
  ) -> Document {
    let budget = budget ?? Budget(bytes: min(html.utf8.count, sizeLimit))
    var html = html
    let isCut = html.utf8.count > sizeLimit
    if isCut {
      var end = html.utf8.index(html.startIndex, offsetBy: sizeLimit)
      while html.utf8[end] & 0xC0 == 0x80 { html.utf8.formIndex(before: &end) }
      html = String(html[..<end])
    }
    var document: Document
    if let tree = HTMLTree(html, budget: budget), let root = tree.root {
      var walk = HTMLWalk(base: base, budget: budget)
      document = withExtendedLifetime(tree) { walk.run(root) }
    } else {
      document = withoutTags(html, budget: budget)
    }
    if isCut { document.blocks.append(.paragraph([.text("…")])) }
    if case .tooMuch(let excess) = budget.end {
      document.blocks.append(
        .paragraph([.text("The rest of this text is left out: it has \(excess.words).", .emphasis)])
      )
    }
    return document
  }

  /// The most lines; further line ends become spaces.
  private static let lineLimit = 50_000

  private static func withoutTags(_ html: String, budget: Budget) -> Document {
    let text = HTMLText.text(html, limit: sizeLimit, keepsLines: true, budget: budget)
    let lines = text.utf8.split(separator: 0x0A, maxSplits: lineLimit)
    let texts = lines.map { PlainText.line(String(Substring($0)), limit: sizeLimit) }
    return Document(blocks: texts.filter { !$0.isEmpty }.map { .paragraph([.text($0)]) })
  }
}

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
