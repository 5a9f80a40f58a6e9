import CGumbo
import Limits

extension ExtractionAttempt {
  /// Returns the result as HTML, with only the elements and attributes that a reader shows; nil
  /// when nothing would be visible.
  func written(_ roots: [Int]) -> String? {
    var writer = PageWriter()
    // The open elements and their ends.
    var open: [(end: Int, tag: StaticString?)] = []
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

  mutating func open(_ name: StaticString?, _ node: PageTree.Node) {
    guard let name else { return }
    bytes.append(UInt8(ascii: "<"))
    name.withUTF8Buffer { bytes += $0 }
    for attribute in Self.attributes {
      if let value = node.attributes[attribute] { write(attribute, value) }
    }
    // The class may name the language of code.
    if node.tag == GUMBO_TAG_PRE || node.tag == GUMBO_TAG_CODE, !node.className.isEmpty {
      write("class", String(outside: node.className))
    }
    bytes.append(UInt8(ascii: ">"))
    if node.tag == GUMBO_TAG_IMG || node.tag == GUMBO_TAG_IFRAME || node.tag == GUMBO_TAG_VIDEO {
      isEmpty = false
    }
    // An HTML parser drops the first line break after the tag.
    if node.tag == GUMBO_TAG_PRE { bytes.append(0x0A) }
  }

  mutating func close(_ name: StaticString?) {
    guard let name else { return }
    bytes += "</".utf8
    name.withUTF8Buffer { bytes += $0 }
    bytes.append(UInt8(ascii: ">"))
  }

  private mutating func write(_ name: String, _ value: String) {
    bytes += " \(name)=\"".utf8
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let attributes = [
    "href", "src", "alt", "width", "height", "start", "id", "type", "checked",
  ]

  static func isVoid(_ tag: GumboTag) -> Bool {
    [GUMBO_TAG_IMG, GUMBO_TAG_BR, GUMBO_TAG_HR, GUMBO_TAG_SOURCE, GUMBO_TAG_WBR].contains(tag)
  }

  /// Returns the name under which an element is written; nil if only its contents are written.
  static func name(of tag: GumboTag) -> StaticString? {
    switch tag {
    case GUMBO_TAG_P: "p"
    case GUMBO_TAG_A: "a"
    case GUMBO_TAG_IMG: "img"
    case GUMBO_TAG_BR: "br"
    case GUMBO_TAG_HR: "hr"
    case GUMBO_TAG_H1: "h1"
    case GUMBO_TAG_H2: "h2"
    case GUMBO_TAG_H3: "h3"
    case GUMBO_TAG_H4: "h4"
    case GUMBO_TAG_H5: "h5"
    case GUMBO_TAG_H6: "h6"
    case GUMBO_TAG_EM, GUMBO_TAG_I, GUMBO_TAG_CITE, GUMBO_TAG_DFN, GUMBO_TAG_VAR: "em"
    case GUMBO_TAG_STRONG, GUMBO_TAG_B: "strong"
    case GUMBO_TAG_CODE, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_TT: "code"
    case GUMBO_TAG_DEL, GUMBO_TAG_S, GUMBO_TAG_STRIKE: "del"
    case GUMBO_TAG_SUP: "sup"
    case GUMBO_TAG_SUB: "sub"
    case GUMBO_TAG_Q: "q"
    case GUMBO_TAG_RUBY: "ruby"
    case GUMBO_TAG_RT: "rt"
    case GUMBO_TAG_RP: "rp"
    case GUMBO_TAG_WBR: "wbr"
    case GUMBO_TAG_SPAN, GUMBO_TAG_SMALL, GUMBO_TAG_FONT, GUMBO_TAG_U, GUMBO_TAG_ABBR,
      GUMBO_TAG_TIME, GUMBO_TAG_MARK, GUMBO_TAG_INS, GUMBO_TAG_LABEL:
      "span"
    case GUMBO_TAG_UL, GUMBO_TAG_MENU, GUMBO_TAG_DIR: "ul"
    case GUMBO_TAG_OL: "ol"
    case GUMBO_TAG_LI: "li"
    case GUMBO_TAG_DL: "dl"
    case GUMBO_TAG_DT: "dt"
    case GUMBO_TAG_DD: "dd"
    case GUMBO_TAG_BLOCKQUOTE: "blockquote"
    case GUMBO_TAG_PRE: "pre"
    case GUMBO_TAG_TABLE: "table"
    case GUMBO_TAG_CAPTION: "caption"
    case GUMBO_TAG_THEAD: "thead"
    case GUMBO_TAG_TBODY: "tbody"
    case GUMBO_TAG_TFOOT: "tfoot"
    case GUMBO_TAG_TR: "tr"
    case GUMBO_TAG_TD: "td"
    case GUMBO_TAG_TH: "th"
    case GUMBO_TAG_FIGURE: "figure"
    case GUMBO_TAG_FIGCAPTION: "figcaption"
    case GUMBO_TAG_IFRAME: "iframe"
    case GUMBO_TAG_VIDEO: "video"
    case GUMBO_TAG_AUDIO: "audio"
    case GUMBO_TAG_SOURCE: "source"
    case GUMBO_TAG_INPUT, GUMBO_TAG_NOSCRIPT, GUMBO_TAG_HEAD, GUMBO_TAG_BDI,
      GUMBO_TAG_BDO:
      nil
    // Any other element starts a new line.
    default: "div"
    }
  }
}
