import CGumbo
import Limits

extension ExtractionAttempt {
  /// Returns the result as HTML, with only the elements and attributes that a reader shows; nil
  /// when nothing would be visible.
  func written(_ roots: [Int]) -> String? {
    var writer = PageWriter()
    // The open elements and their ends.
    var open: [(end: Int, tag: String?)] = []
    for root in roots {
      var index = root
      let end = tree.nodes[root].end
      while index < end, budget.spend(1) {
        while let last = open.last, last.end <= index {
          writer.close(last.tag)
          open.removeLast()
        }
        let node = tree.nodes[index]
        guard !isRemoved[index] else {
          index = node.end
          continue
        }
        budget.spend(node.text.count)
        if node.isText {
          writer.write(node.text)
        } else {
          let tag = PageWriter.name(of: node.tag)
          writer.open(tag, node)
          open.append((node.end, PageWriter.isVoid(node.tag) ? nil : tag))
        }
        index += 1
      }
      while let last = open.popLast() { writer.close(last.tag) }
    }
    return writer.isEmpty ? nil : String(outside: writer.bytes)
  }
}

/// Writes elements and texts of a page, without elements and attributes that a reader does not
/// show.
private struct PageWriter {
  private(set) var bytes: [UInt8] = []
  /// Whether nothing visible has been written.
  private(set) var isEmpty = true

  mutating func write(_ text: [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      default:
        if !isWhiteSpace(byte) { isEmpty = false }
        bytes.append(byte)
      }
    }
  }

  mutating func open(_ name: String?, _ node: PageTree.Node) {
    guard let name else { return }
    bytes += "<\(name)".utf8
    for attribute in Self.attributes {
      if let value = node.attributes[attribute] { write(attribute, value) }
    }
    // The class may name the language of code, or tell that a picture is an emoji.
    if [GUMBO_TAG_PRE, GUMBO_TAG_CODE, GUMBO_TAG_IMG].contains(node.tag), !node.className.isEmpty {
      write("class", String(outside: node.className))
    }
    bytes.append(UInt8(ascii: ">"))
    if node.tag == GUMBO_TAG_IMG || node.tag == GUMBO_TAG_IFRAME || node.tag == GUMBO_TAG_VIDEO {
      isEmpty = false
    }
    // An HTML parser drops the first line break after the tag.
    if node.tag == GUMBO_TAG_PRE { bytes.append(0x0A) }
  }

  mutating func close(_ name: String?) {
    if let name { bytes += "</\(name)>".utf8 }
  }

  private mutating func write(_ name: String, _ value: String) {
    bytes += " \(name)=\"\(value.escaped)\"".utf8
  }

  private static let attributes = [
    "href", "src", "alt", "width", "height", "start", "value", "id", "type", "checked", "colspan",
    "rowspan", "align",
  ]

  static func isVoid(_ tag: GumboTag) -> Bool {
    [GUMBO_TAG_IMG, GUMBO_TAG_BR, GUMBO_TAG_HR, GUMBO_TAG_SOURCE, GUMBO_TAG_WBR].contains(tag)
  }

  /// Returns the name under which an element is written; nil if only its contents are written.
  static func name(of tag: GumboTag) -> String? {
    switch tag {
    case GUMBO_TAG_P, GUMBO_TAG_A, GUMBO_TAG_IMG, GUMBO_TAG_BR, GUMBO_TAG_HR, GUMBO_TAG_H1,
      GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6, GUMBO_TAG_SUP,
      GUMBO_TAG_SUB, GUMBO_TAG_Q, GUMBO_TAG_RUBY, GUMBO_TAG_RT, GUMBO_TAG_RP, GUMBO_TAG_WBR,
      GUMBO_TAG_OL, GUMBO_TAG_LI, GUMBO_TAG_DL, GUMBO_TAG_DT, GUMBO_TAG_DD, GUMBO_TAG_BLOCKQUOTE,
      GUMBO_TAG_PRE, GUMBO_TAG_TABLE, GUMBO_TAG_CAPTION, GUMBO_TAG_THEAD, GUMBO_TAG_TBODY,
      GUMBO_TAG_TFOOT, GUMBO_TAG_TR, GUMBO_TAG_TD, GUMBO_TAG_TH, GUMBO_TAG_FIGURE,
      GUMBO_TAG_FIGCAPTION, GUMBO_TAG_IFRAME, GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO, GUMBO_TAG_SOURCE:
      String(cString: gumbo_normalized_tagname(tag))
    case GUMBO_TAG_EM, GUMBO_TAG_I, GUMBO_TAG_CITE, GUMBO_TAG_DFN, GUMBO_TAG_VAR: "em"
    case GUMBO_TAG_STRONG, GUMBO_TAG_B: "strong"
    case GUMBO_TAG_CODE, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_TT: "code"
    case GUMBO_TAG_DEL, GUMBO_TAG_S, GUMBO_TAG_STRIKE: "del"
    case GUMBO_TAG_UL, GUMBO_TAG_MENU, GUMBO_TAG_DIR: "ul"
    case GUMBO_TAG_INPUT, GUMBO_TAG_NOSCRIPT, GUMBO_TAG_HEAD, GUMBO_TAG_BDI,
      GUMBO_TAG_BDO:
      nil
    case _ where tag.isPhrasing: "span"
    // Any other element starts a new line.
    default: "div"
    }
  }
}
