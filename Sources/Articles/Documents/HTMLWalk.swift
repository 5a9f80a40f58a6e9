import CGumbo
import Limits

/// Converts a tree of HTML to a document.
///
/// It uses a stack of its own, because the tree may be too deep for the thread's stack.
struct HTMLWalk {
  private let base: String?
  private let budget: Budget
  private var blocks = BlockBuilder()
  private var inlines = InlineBuilder()
  private var links = LinkNumbers()
  private var jumps = LinkNumbers()
  /// The names of anchors: all that links in the text refer to, those of them that have not been
  /// reached yet, and those to insert before the next text.
  private var targets: Set<String> = []
  private var targetsToCome: Set<String> = []
  private var anchors: [String] = []
  private var steps: [Step] = []
  /// The address of the picture after which no text has come yet.
  private var latestPicture: String?

  // The state at the current node.
  private var style: TextStyle = []
  private var href: String?
  private var heading: Int?
  private var code: PreformattedText?
  private var table: TableBuilder?

  /// What to do when an element ends.
  private enum Exit {
    case nothing, block, close, closeListAndItem, code, codeLine, table, row, cell, caption,
      quotation, parenthesis, reference
  }

  /// An element whose children are being visited, and the state to restore after it.
  private struct Step {
    let node: HTMLNode
    var nextChild = 0
    let exit: Exit
    let style: TextStyle
    let href: String?
    let heading: Int?
  }

  init(base: String?, budget: Budget) { (self.base, self.budget) = (base, budget) }

  /// Returns the document of everything visited before the budget was spent.
  mutating func run(_ root: HTMLNode) -> Document {
    targets = targets(below: root)
    targetsToCome = targets
    enter(root)
    while budget.spend(1), var step = steps.last {
      if step.nextChild < step.node.childCount {
        let child = step.node.child(step.nextChild)
        step.nextChild += 1
        steps[steps.count - 1] = step
        if let child { enter(child) }
      } else {
        steps.removeLast()
        leave(step)
      }
    }
    while let step = steps.popLast() { leave(step) }
    endParagraph()
    return Document(
      blocks: blocks.finish(), links: links.all,
      jumps: jumps.all.map { Link(number: -$0.number, address: $0.address) })
  }

  /// Returns the anchors that links in the text refer to.
  private func targets(below root: HTMLNode) -> Set<String> {
    var (wanted, there): (Set<String>, Set<String>) = ([], [])
    var nodes = [root]
    while let node = nodes.popLast(), budget.spend(node.steps) {
      guard case .element(let tag) = node.kind else { continue }
      if tag == GUMBO_TAG_A, let name = node["href"].flatMap(Self.anchorName) {
        wanted.insert(name)
      }
      if let name = Self.anchorName(of: node) { there.insert(name) }
      for index in 0..<node.childCount { node.child(index).map { nodes.append($0) } }
    }
    return wanted.intersection(there)
  }

  /// Returns the name of an anchor.
  private static func anchorName(of node: HTMLNode) -> String? {
    (node["id"] ?? node["name"]).flatMap { 1...nameLimit ~= $0.utf8.count ? $0 : nil }
  }

  private static func anchorName(_ reference: String) -> String? {
    guard isInside(reference), 2...(nameLimit + 1) ~= reference.utf8.count else { return nil }
    return String(reference.unicodeScalars.dropFirst())
  }

  private static let nameLimit = 200

  /// Whether an address refers to an anchor in the same text.
  private static func isInside(_ reference: String) -> Bool {
    reference.utf8.first == UInt8(ascii: "#")
  }

  // MARK: Nodes

  private mutating func enter(_ node: HTMLNode) {
    budget.spend(node.steps)
    switch node.kind {
    case .nothing: break
    case .text(let text): append(text)
    case .element(let tag):
      guard !isHidden(node, tag) else { return }
      if !targetsToCome.isEmpty, let name = Self.anchorName(of: node),
        targetsToCome.remove(name) != nil
      {
        anchors.append(name)
      }
      let before = (style: style, href: href, heading: heading)
      guard let exit = begin(node, tag) else { return }
      steps.append(
        Step(
          node: node, exit: exit, style: before.style, href: before.href, heading: before.heading))
    }
  }

  private mutating func leave(_ step: Step) {
    switch step.exit {
    case .nothing: break
    case .quotation: append("”")
    case .parenthesis: append(")")
    case .reference: append("]")
    case .block: endParagraph()
    case .close:
      endParagraph()
      blocks.close()
    case .closeListAndItem:
      endParagraph()
      blocks.close()
      blocks.close()
    case .code:
      if let block = code?.block { blocks.append(block) }
      code = nil
    case .codeLine: code?.endLine()
    case .cell: table?.endCell(inlines.take())
    case .row: table?.endRow()
    case .caption:
      let caption = inlines.take()
      if !caption.isEmpty { blocks.append(.paragraph(caption)) }
    case .table:
      if let block = table?.block { blocks.append(block) }
      table = nil
    }
    style = step.style
    href = step.href
    heading = step.heading
  }

  private func isHidden(_ node: HTMLNode, _ tag: GumboTag) -> Bool {
    switch tag {
    case GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TITLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_SELECT,
      GUMBO_TAG_TEXTAREA, GUMBO_TAG_BUTTON, GUMBO_TAG_SVG, GUMBO_TAG_NOFRAMES,
      GUMBO_TAG_RP, GUMBO_TAG_META, GUMBO_TAG_LINK:
      true
    default: node.isHidden
    }
  }

  // MARK: Elements

  /// Starts an element; nil when its children are skipped.
  private mutating func begin(_ node: HTMLNode, _ tag: GumboTag) -> Exit? {
    if code != nil {
      if tag == GUMBO_TAG_BR { code?.append("\n".utf8) }
      if tag == GUMBO_TAG_CODE { code?.noteLanguage(node["class"]) }
      // Some highlighters put each line into an element of its own.
      guard tag.isBlock, tag != GUMBO_TAG_TD, tag != GUMBO_TAG_TH else { return .nothing }
      code?.endLine()
      return .codeLine
    }
    if href == nil, var text = node.shiftedText(tag) {
      text.withUTF8 { append($0) }
      return nil
    }
    if let exit = beginInline(node, tag) { return exit }
    switch tag {
    case GUMBO_TAG_BR: lineBreak()
    case GUMBO_TAG_IMG: picture(node)
    case GUMBO_TAG_MATH:
      var formula = node.formula(budget: budget)
      formula.withUTF8 { append($0) }
    case GUMBO_TAG_INPUT: checkbox(node)
    case GUMBO_TAG_WBR, GUMBO_TAG_COL, GUMBO_TAG_AREA: break
    case GUMBO_TAG_HR:
      endParagraph()
      if table == nil { blocks.append(.rule) }
    case GUMBO_TAG_IFRAME, GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO, GUMBO_TAG_EMBED:
      embedded(node, tag)
    default: return beginBlock(node, tag)
    }
    return nil
  }

  private mutating func beginInline(_ node: HTMLNode, _ tag: GumboTag) -> Exit? {
    switch tag {
    case GUMBO_TAG_EM, GUMBO_TAG_I, GUMBO_TAG_CITE, GUMBO_TAG_DFN, GUMBO_TAG_VAR:
      style.insert(.emphasis)
    case GUMBO_TAG_STRONG, GUMBO_TAG_B: style.insert(.strong)
    case GUMBO_TAG_CODE, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_TT: style.insert(.code)
    case GUMBO_TAG_DEL, GUMBO_TAG_S, GUMBO_TAG_STRIKE: style.insert(.strikethrough)
    case GUMBO_TAG_SPAN, GUMBO_TAG_SMALL, GUMBO_TAG_ABBR, GUMBO_TAG_FONT, GUMBO_TAG_U: break
    case GUMBO_TAG_A:
      href = node["href"].flatMap { reference in
        Self.isInside(reference)
          ? Self.anchorName(reference).flatMap { targets.contains($0) ? reference : nil }
          : WebAddress.link(reference, against: base, budget: budget)
      }
      if case .element(GUMBO_TAG_SUP)? = steps.last?.node.kind { return beginReference(node) }
    case GUMBO_TAG_SUP:
      if href != nil { return beginReference(node) }
      if !node.isRaisedEnding { return beginShifted(node, sign: "^") }
    case GUMBO_TAG_SUB: return beginShifted(node, sign: "_")
    case GUMBO_TAG_Q:
      append("“")
      return .quotation
    // The pronunciation of the preceding characters, which a browser shows above them.
    case GUMBO_TAG_RT:
      append("(")
      return .parenthesis
    default: return nil
    }
    return .nothing
  }

  /// Starts a link to a note, in brackets: "word1" would read as one word.
  private mutating func beginReference(_ node: HTMLNode) -> Exit {
    guard node.startsWithoutBracket else { return .nothing }
    append("[")
    return .reference
  }

  /// Starts raised or lowered text after a sign, without which x to the n would read as xn; in
  /// parentheses unless it is one word.
  ///
  /// Apart from a word, such text is small print.
  private mutating func beginShifted(_ node: HTMLNode, sign: StaticString) -> Exit {
    guard inlines.endsInWord, node.childCount > 0, !node.containsLink else { return .nothing }
    append(sign)
    let word = node.onlyText.map { String(outside: $0.prefix(40)) }
    if word?.allSatisfy({ $0.isLetter || $0.isNumber }) == true { return .nothing }
    append("(")
    return .parenthesis
  }

  private mutating func beginBlock(_ node: HTMLNode, _ tag: GumboTag) -> Exit {
    if table != nil { return beginInTable(node, tag) }
    switch tag {
    case GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6:
      endParagraph()
      heading = Int(tag.rawValue) - Int(GUMBO_TAG_H1.rawValue) + 1
    case GUMBO_TAG_BLOCKQUOTE:
      endParagraph()
      guard blocks.depth < HTMLRenderer.nestingLimit else { return .block }
      blocks.openQuote()
      return .close
    case GUMBO_TAG_UL, GUMBO_TAG_OL, GUMBO_TAG_MENU, GUMBO_TAG_DIR, GUMBO_TAG_DL:
      endParagraph()
      // The items need a level of their own.
      guard blocks.depth + 1 < HTMLRenderer.nestingLimit else { return .block }
      blocks.openList(marks(of: node, tag))
      return .close
    case GUMBO_TAG_LI:
      endParagraph()
      if blocks.isInList {
        blocks.openItem(number: node.number("value"))
        return .close
      }
      guard blocks.depth + 1 < HTMLRenderer.nestingLimit else { return .block }
      blocks.openList(.bullets)
      blocks.openItem()
      return .closeListAndItem
    case GUMBO_TAG_PRE:
      endParagraph()
      code = PreformattedText()
      code?.noteLanguage(node["class"])
      return .code
    case GUMBO_TAG_TABLE:
      endParagraph()
      guard TableBuilder.isData(node) else { return .block }
      table = TableBuilder()
      return .table
    case GUMBO_TAG_DT:
      endParagraph()
      style.insert(.strong)
      guard blocks.isInTerms else { return .block }
      blocks.openItem()
      return .close
    case GUMBO_TAG_DD where blocks.isInTerms:
      endParagraph()
      blocks.openDefinition()
      return .close
    case _ where tag.isBlock:
      endParagraph()
    default: return .nothing
    }
    return .block
  }

  private func marks(of list: HTMLNode, _ tag: GumboTag) -> ListMarks {
    switch tag {
    case GUMBO_TAG_DL: return .terms
    case GUMBO_TAG_OL:
      let isReversed = list["reversed"] != nil
      // A list that counts down ends with 1.
      if isReversed { budget.spend(list.childCount) }
      return .numbers(
        from: list.number("start") ?? (isReversed ? list.itemCount : 1), by: isReversed ? -1 : 1,
        as: list["type"].flatMap(ListMarks.Numerals.init) ?? .decimal)
    default: return .bullets
    }
  }

  private mutating func beginInTable(_ node: HTMLNode, _ tag: GumboTag) -> Exit {
    switch tag {
    case GUMBO_TAG_TR: return .row
    case GUMBO_TAG_TD, GUMBO_TAG_TH:
      _ = inlines.take()
      table?.beginCell(
        isHeader: tag == GUMBO_TAG_TH,
        columns: TableBuilder.span(of: node, "colspan", limit: TableBuilder.columnLimit),
        rows: TableBuilder.span(of: node, "rowspan", limit: TableBuilder.rowLimit),
        alignment: TableBuilder.alignment(of: node), budget: budget)
      return .cell
    case GUMBO_TAG_CAPTION: return .caption
    default:
      if tag.isBlock, inlines.trailingBreaks == 0 { inlines.appendBreak() }
      return .nothing
    }
  }

  // MARK: Contents

  private mutating func append(_ text: StaticString) { text.withUTF8Buffer { append($0) } }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    budget.spend(text.count)
    if code != nil {
      code?.append(text)
      return
    }
    // A link without visible content gets no number.
    guard text.contains(where: { 0x21...0x7E ~= $0 }) || String(outside: text).isVisible else {
      return inlines.append(text, style: style, link: nil)
    }
    latestPicture = nil
    for name in anchors { inlines.append(anchor: name) }
    anchors = []
    guard href == nil, !style.contains(.code) else {
      return inlines.append(text, style: style, link: linkNumber())
    }
    var start = 0
    for (range, address) in PlainAddresses.all(in: text, budget: budget) {
      inlines.append(text[start..<range.lowerBound], style: style, link: nil)
      inlines.append(text[range], style: style, link: links.number(of: address))
      start = range.upperBound
    }
    inlines.append(text[start...], style: style, link: nil)
  }

  private mutating func lineBreak() {
    // Many writers end a paragraph with two line breaks.
    if inlines.trailingBreaks > 0, table == nil, heading == nil {
      endParagraph()
    } else {
      inlines.appendBreak()
    }
  }

  private mutating func picture(_ node: HTMLNode) {
    let isPixel = ["width", "height"].contains { node.has($0, "0") || node.has($0, "1") }
    guard !isPixel else { return }
    if node.isEmoji, var character = node["alt"], character.isVisible {
      return character.withUTF8 { append($0) }
    }
    func address(_ text: String?) -> String? {
      text.flatMap { WebAddress.picture($0, against: base, budget: budget) }
    }
    let source = address(node.pictureAddress) ?? address(node["src"])
    let picture = Picture(
      alt: PlainText.line(node["alt"] ?? ""), address: source, declaredSize: node.declaredSize)
    guard picture.address != nil || !picture.alt.isEmpty else { return }
    // A browser without scripts gets the same picture again.
    guard source == nil || source != latestPicture else { return }
    latestPicture = source
    inlines.append(picture, link: linkNumber())
  }

  /// Returns the number of the current link.
  private mutating func linkNumber() -> Int? {
    guard let href else { return nil }
    return Self.isInside(href) ? -jumps.number(of: href) : links.number(of: href)
  }

  /// Adds a checkbox of a task list.
  private mutating func checkbox(_ node: HTMLNode) {
    guard node.words(of: "type") == "checkbox" else { return }
    append(node["checked"] == nil ? "☐ " : "☑ ")
  }

  /// Adds audio, video or an embedded page as a link.
  private mutating func embedded(_ node: HTMLNode, _ tag: GumboTag) {
    guard let address = node.mediaAddress(against: base, budget: budget) else { return }
    endParagraph()
    switch tag {
    case GUMBO_TAG_AUDIO: append("Audio: ")
    case GUMBO_TAG_VIDEO: append("Video: ")
    default: break
    }
    inlines.append(address.utf8, style: [], link: links.number(of: address))
    endParagraph()
  }

  private mutating func endParagraph() {
    guard table == nil else { return }
    let runs = inlines.take()
    if let heading {
      if !runs.isEmpty { blocks.append(.heading(level: heading, runs)) }
    } else if let pictures = Self.pictures(runs) {
      for picture in pictures { blocks.append(.picture(picture)) }
    } else if !runs.isEmpty {
      blocks.append(.paragraph(runs))
    }
  }

  /// Returns the pictures if the runs contain nothing else.
  ///
  /// Pictures with a link stay in a paragraph with the link.
  private static func pictures(_ runs: [Inline]) -> [Picture]? {
    guard !runs.isEmpty else { return nil }
    var pictures: [Picture] = []
    for run in runs {
      switch run {
      case .picture(let picture, link: nil): pictures.append(picture)
      case .lineBreak, .anchor: break
      case .text(let text, _, _): if text.isVisible { return nil }
      case .picture: return nil
      }
    }
    return pictures
  }
}
