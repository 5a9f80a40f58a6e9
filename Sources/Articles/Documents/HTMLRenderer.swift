import CGumbo
import Limits

/// Makes a ``Document`` of HTML, as it comes in a feed.
///
/// ```swift
/// let document = HTMLRenderer.document(html: "<p>See <a href=/more>more</a>.", base: page)
/// ```
///
/// Scripts, styles, forms and what is marked as hidden are left out. Only `http`, `https` and
/// `mailto` addresses become links, also those that stand in the text without being one. The answer
/// takes time and memory in proportion to the text,
/// however it is built: text that an HTML parser could only read with more is read without its
/// tags.
public enum HTMLRenderer {
  /// How deep blocks may lie in each other; what lies deeper is lifted to this depth.
  public static let nestingLimit = 16
  /// A longer text is cut here, in bytes, and ends with "…".
  public static let sizeLimit = 8 << 20

  /// - Parameter base: what relative addresses are relative to.
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

  /// Further ends of lines are blanks.
  private static let lineLimit = 50_000

  private static func withoutTags(_ html: String, budget: Budget) -> Document {
    let text = HTMLText.text(html, limit: sizeLimit, keepsLines: true, budget: budget)
    let lines = text.utf8.split(separator: 0x0A, maxSplits: lineLimit)
    let texts = lines.map { PlainText.line(String(Substring($0)), limit: sizeLimit) }
    return Document(blocks: texts.filter { !$0.isEmpty }.map { .paragraph([.text($0)]) })
  }
}
