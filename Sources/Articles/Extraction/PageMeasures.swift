import CGumbo
import Limits

/// Measures the contents of each element of a page: text, links, pictures.
struct PageMeasures {
  /// The measures of one element with its descendants.
  struct Measure {
    /// Characters; consecutive blanks count as one.
    var text = 0
    /// Characters in links; links to the same page count a third.
    var linked = 0.0
    var commas = 0
    var (paragraphs, pictures, items, inputs, films) = (0, 0, 0, 0, 0)
    /// Characters in headings, and in lists.
    var (headings, lists) = (0, 0)
    /// Characters in paragraphs, items, cells and the like.
    var blocks = 0
    /// Tables with data.
    var tables = 0

    var linkDensity: Double { text == 0 ? 0 : linked / Double(text) }
    func share(_ count: Int) -> Double { text == 0 ? 0 : Double(count) / Double(text) }

    mutating func add(_ other: Measure) {
      text += other.text
      linked += other.linked
      commas += other.commas
      paragraphs += other.paragraphs
      pictures += other.pictures
      items += other.items
      inputs += other.inputs
      films += other.films
      headings += other.headings
      lists += other.lists
      blocks += other.blocks
      tables += other.tables
    }
  }

  private var all: [Measure]
  private let start: Int

  /// - Parameter range: the nodes that are measured.
  init(_ range: Range<Int>) {
    start = range.lowerBound
    all = [Measure](repeating: Measure(), count: range.count)
  }

  subscript(index: Int) -> Measure {
    get { all[index - start] }
    set { all[index - start] = newValue }
  }

  /// Measures a text, or completes an element after all its children.
  mutating func take(_ index: Int, of tree: PageTree) {
    let node = tree.nodes[index]
    if node.isText {
      self[index] = Self.measure(node.text)
    } else {
      close(node, &all[index - start])
    }
  }

  /// Adds the measures of a node to those of its parent.
  mutating func addToParent(_ index: Int, of tree: PageTree) {
    guard index > start else { return }
    all[tree.nodes[index].parent - start].add(all[index - start])
  }

  private func close(_ node: PageTree.Node, _ measure: inout Measure) {
    let text = measure.text
    switch node.tag {
    case GUMBO_TAG_A:
      let isInside = node.attributes["href"]?.utf8.first == UInt8(ascii: "#")
      measure.linked = Double(text) * (isInside ? 0.3 : 1)
    case GUMBO_TAG_P:
      measure.paragraphs += 1
      measure.blocks = text
    case GUMBO_TAG_IMG: measure.pictures += 1
    case GUMBO_TAG_LI:
      measure.items += 1
      measure.blocks = text
    case GUMBO_TAG_INPUT: measure.inputs += 1
    case GUMBO_TAG_IFRAME, GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO: measure.films += 1
    case GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6:
      measure.headings = text
    case GUMBO_TAG_UL, GUMBO_TAG_OL:
      measure.lists = text
      measure.blocks = text
    case GUMBO_TAG_SPAN, GUMBO_TAG_TD, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_PRE, GUMBO_TAG_DL,
      GUMBO_TAG_DIV, GUMBO_TAG_TABLE:
      measure.blocks = text
    default: break
    }
  }

  private static func measure(_ text: [UInt8]) -> Measure {
    var measure = Measure()
    var wasSpace = true
    var index = 0
    while index < text.count {
      let byte = text[index]
      if isWhiteSpace(byte) {
        if !wasSpace { measure.text += 1 }
        wasSpace = true
      } else {
        wasSpace = false
        // Continuation bytes are not counted.
        if byte & 0xC0 != 0x80 { measure.text += 1 }
        if byte == UInt8(ascii: ",") || isComma(text, at: index) { measure.commas += 1 }
      }
      index += 1
    }
    if wasSpace, measure.text > 0 { measure.text -= 1 }
    return measure
  }

  /// Whether an Arabic or East Asian comma begins here.
  private static func isComma(_ text: [UInt8], at index: Int) -> Bool {
    [[0xD8, 0x8C], [0xE3, 0x80, 0x81], [0xEF, 0xBC, 0x8C]].contains {
      text[index] == $0[0] && text[index...].starts(with: $0 as [UInt8])
    }
  }
}

extension PageTree {
  /// Returns the text in a node, with blanks collapsed, at most `limit` bytes.
  func text(of index: Int, limit: Int, _ budget: Budget) -> String {
    var bytes: [UInt8] = []
    var next = index
    while next < nodes[index].end, bytes.count < limit, budget.spend(1 + nodes[next].text.count) {
      for byte in nodes[next].text {
        if !isWhiteSpace(byte) {
          bytes.append(byte)
        } else if let last = bytes.last, last != 0x20 {
          bytes.append(0x20)
        }
      }
      if !nodes[next].isText, let last = bytes.last, last != 0x20 { bytes.append(0x20) }
      next += 1
    }
    return String(outside: bytes.prefix(limit)).trimmingWhiteSpace()
  }
}

/// Categories of elements.
extension GumboTag {
  /// Whether a paragraph may contain it.
  var isPhrasing: Bool {
    switch self {
    case GUMBO_TAG_A, GUMBO_TAG_ABBR, GUMBO_TAG_ACRONYM, GUMBO_TAG_AUDIO, GUMBO_TAG_B,
      GUMBO_TAG_BDO, GUMBO_TAG_BDI, GUMBO_TAG_BIG, GUMBO_TAG_BR, GUMBO_TAG_CITE, GUMBO_TAG_CODE,
      GUMBO_TAG_DATA, GUMBO_TAG_DEL, GUMBO_TAG_DFN,
      GUMBO_TAG_EM, GUMBO_TAG_FONT, GUMBO_TAG_I, GUMBO_TAG_IMG, GUMBO_TAG_INS, GUMBO_TAG_INPUT,
      GUMBO_TAG_KBD, GUMBO_TAG_LABEL, GUMBO_TAG_MARK, GUMBO_TAG_MATH, GUMBO_TAG_METER,
      GUMBO_TAG_NOBR, GUMBO_TAG_NOSCRIPT, GUMBO_TAG_OUTPUT, GUMBO_TAG_PROGRESS, GUMBO_TAG_Q,
      GUMBO_TAG_RUBY,
      GUMBO_TAG_RB, GUMBO_TAG_RT, GUMBO_TAG_RP, GUMBO_TAG_S, GUMBO_TAG_SAMP, GUMBO_TAG_SMALL,
      GUMBO_TAG_SPAN, GUMBO_TAG_STRIKE, GUMBO_TAG_STRONG, GUMBO_TAG_SUB, GUMBO_TAG_SUP,
      GUMBO_TAG_TIME, GUMBO_TAG_TT, GUMBO_TAG_U, GUMBO_TAG_VAR, GUMBO_TAG_WBR,
      GUMBO_TAG_SOURCE:
      true
    default: false
    }
  }

  var isHeading: Bool { GUMBO_TAG_H1.rawValue...GUMBO_TAG_H6.rawValue ~= rawValue }

  /// Whether it only arranges other elements.
  var isContainer: Bool {
    switch self {
    case GUMBO_TAG_DIV, GUMBO_TAG_SECTION, GUMBO_TAG_HEADER: true
    default: isHeading
    }
  }
}
