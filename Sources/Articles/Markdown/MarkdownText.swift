import CCmark
import Synchronization

/// A Markdown text as HTML, with the title that its first heading gives it.
struct MarkdownText {
  /// The first heading, without markup; nil when there is none.
  private(set) var heading: String?
  /// Without that heading when it is the first thing in the text and its title.
  private(set) var html = ""

  /// Tables, strikethrough, tasks, footnotes and bare addresses as GitHub has them.
  ///
  /// - Parameter isTitled: whether it has a title already.
  init(_ text: [UInt8], isTitled: Bool = false) {
    Self.turn.withLock { _ in read(text, isTitled: isTitled) }
  }

  // Which characters the extensions look for, cmark keeps for the whole process, from the beginning of
  // a document to its end: of two at the same time one would end what the other still needs.
  private static let turn = Mutex(())

  private mutating func read(_ text: [UInt8], isTitled: Bool) {
    _ = Self.isPrepared
    guard let parser = cmark_parser_new(Self.options) else { return }
    defer { cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "autolink", "tasklist"] {
      guard let found = cmark_find_syntax_extension(name) else { continue }
      cmark_parser_attach_syntax_extension(parser, found)
    }
    text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      cmark_parser_feed(parser, start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard let document = cmark_parser_finish(parser) else { return }
    defer { cmark_node_free(document) }
    if !isTitled { takeHeading(from: document) }
    let extensions = cmark_parser_get_syntax_extensions(parser)
    html = Self.text(cmark_render_html(document, Self.options, extensions))
  }

  // HTML inside is as safe as in any feed: the one renderer decides what of it is shown.
  private static let options = CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES

  private static let isPrepared: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()

  private mutating func takeHeading(from document: OpaquePointer) {
    let first = cmark_node_first_child(document)
    var node = first
    while let found = node, cmark_node_get_type(found) != CMARK_NODE_HEADING {
      node = cmark_node_next(found)
    }
    guard let node else { return }
    let line = PlainText.line(Self.text(cmark_render_plaintext(node, 0, 0)))
    guard !line.isEmpty else { return }
    heading = line
    if node == first {
      cmark_node_unlink(node)
      cmark_node_free(node)
    }
  }

  private static func text(_ rendered: UnsafeMutablePointer<CChar>?) -> String {
    guard let rendered else { return "" }
    defer { free(rendered) }
    return String(cString: rendered)
  }
}
