import CGumbo
import Limits

/// The tree that an HTML5 parser creates from a text.
///
/// The nodes are valid as long as this object exists.
final class HTMLTree {
  private let arena: UnsafeMutablePointer<argyle_gumbo>
  // The tree points into this text.
  private let text: UnsafeMutableBufferPointer<CChar>

  /// How much memory the tree of a text may take, in bytes.
  ///
  /// Long articles take 5 bytes per byte, since most of them is text between tags; a text that is
  /// all tags takes 60.
  static func memoryLimit(forBytes count: Int) -> Int { (8 << 20) + 8 * count }

  /// Nil when parsing the text would take too much memory or time, or when the budget is spent.
  init?(_ html: String, budget: Budget) {
    let bytes = Array(html.utf8)
    let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: max(bytes.count, 1))
    UnsafeMutableRawBufferPointer(text).copyBytes(from: bytes)
    let memory = Self.memoryLimit(forBytes: bytes.count)
    // Several times what any honest text takes, on a machine several times slower.
    let milliseconds = UInt32(500 + bytes.count / 2_000)
    budget.spend(bytes.count)
    let arena = argyle_gumbo_parse(
      text.baseAddress, bytes.count, memory, milliseconds,
      { budget, allocations in
        guard let budget else { return true }
        return !Unmanaged<Budget>.fromOpaque(budget).takeUnretainedValue()
          .spend(Int(allocations))
      }, Unmanaged.passUnretained(budget).toOpaque())
    guard let arena else {
      text.deallocate()
      return nil
    }
    self.text = text
    self.arena = arena
  }

  deinit {
    argyle_gumbo_free(arena)
    text.deallocate()
  }

  /// How much memory the tree takes.
  var byteCount: Int { argyle_gumbo_size(arena) }

  var root: HTMLNode? { argyle_gumbo_root(arena).map(HTMLNode.init) }
}

/// A node of an ``HTMLTree``, valid as long as the tree.
struct HTMLNode {
  enum Kind {
    case element(GumboTag)
    case text(UnsafeBufferPointer<UInt8>)
    case nothing
  }

  private let pointer: UnsafeMutablePointer<GumboNode>

  init(_ pointer: UnsafeMutablePointer<GumboNode>) { self.pointer = pointer }

  var kind: Kind {
    switch pointer.pointee.type {
    // Templates are never shown.
    case GUMBO_NODE_ELEMENT: .element(pointer.pointee.v.element.tag)
    case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
      pointer.pointee.v.text.text.map { .text(Self.bytes($0)) } ?? .nothing
    default: .nothing
    }
  }

  /// The number of children; only for elements.
  var childCount: Int { Int(pointer.pointee.v.element.children.length) }

  /// Returns a child; nil past the last one.
  func child(_ index: Int) -> HTMLNode? {
    // The memory after the last child is not initialised.
    guard index < childCount, let data = pointer.pointee.v.element.children.data,
      let child = data[index]
    else { return nil }
    return HTMLNode(child.assumingMemoryBound(to: GumboNode.self))
  }

  /// The steps that reading the node costs: one, and one for each attribute.
  var steps: Int {
    if case .element = kind { 1 + Int(pointer.pointee.v.element.attributes.length) } else { 1 }
  }

  /// Returns the value of an attribute; only for elements.
  subscript(attribute: String) -> String? {
    bytes(of: attribute).map { String(outside: $0) }
  }

  /// Whether an attribute has exactly this value; only for elements.
  func has(_ attribute: String, _ value: StaticString) -> Bool {
    guard let bytes = bytes(of: attribute) else { return false }
    return value.withUTF8Buffer { bytes.elementsEqual($0) }
  }

  /// Returns the start of an attribute's value in lower case and without blanks; only for elements.
  func words(of attribute: String, limit: Int = 1_000) -> String? {
    bytes(of: attribute).map { bytes in
      let letters = bytes.prefix(limit).lazy.filter { !isWhiteSpace($0) }
      return String(outside: letters.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 })
    }
  }

  /// Whether an attribute or its style hides it; only for elements.
  var isHidden: Bool {
    if self["hidden"] != nil || has("aria-hidden", "true") { return true }
    guard let style = words(of: "style") else { return false }
    return style.contains("display:none") || style.contains("visibility:hidden")
  }

  /// Calls `use` with the name and value of every attribute; only for elements.
  func forEachAttribute(_ use: (String, UnsafeBufferPointer<UInt8>) -> Void) {
    let attributes = pointer.pointee.v.element.attributes
    for index in 0..<Int(attributes.length) {
      guard let item = attributes.data?[index] else { continue }
      let attribute = item.assumingMemoryBound(to: GumboAttribute.self).pointee
      guard let name = attribute.name, let value = attribute.value else { continue }
      use(String(outside: Self.bytes(name)), Self.bytes(value))
    }
  }

  private func bytes(of attribute: String) -> UnsafeBufferPointer<UInt8>? {
    guard pointer.pointee.v.element.attributes.length > 0 else { return nil }
    return withUnsafePointer(to: &pointer.pointee.v.element.attributes) { attributes in
      gumbo_get_attribute(attributes, attribute).flatMap { $0.pointee.value }.map(Self.bytes)
    }
  }

  /// Returns bytes that are valid as long as the tree.
  private static func bytes(_ text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
    var count = 0
    while text[count] != 0 { count += 1 }
    return UnsafeRawBufferPointer(start: text, count: count).assumingMemoryBound(to: UInt8.self)
  }
}

/// What the walk asks of an element before it enters it.
extension HTMLNode {
  /// The size that the attributes of a picture declare.
  var declaredSize: Picture.DeclaredSize? {
    guard let width = self["width"].flatMap({ Int($0) }),
      let height = self["height"].flatMap({ Int($0) })
    else { return nil }
    return Picture.DeclaredSize(width: width, height: height)
  }

  /// The address of its picture, from the attributes of an `img` or `source` element.
  var pictureAddress: String? {
    var source = PictureSource()
    forEachAttribute { source.note($0, String(outside: $1.prefix(WebAddress.limit))) }
    return source.best(isLazy: words(of: "class")?.contains("lazy") ?? false)
  }

  /// The address of an audio or video element or of an embedded page: its own, or else that of its
  /// first source.
  func mediaAddress(against base: String?, budget: Budget) -> String? {
    func address(_ node: HTMLNode) -> String? {
      node["src"].flatMap { WebAddress.web($0, against: base, budget: budget) }
    }
    if let own = address(self) { return own }
    for index in 0..<min(childCount, Self.sourceLimit) {
      if let child = child(index), case .element(GUMBO_TAG_SOURCE) = child.kind,
        let source = address(child)
      {
        return source
      }
    }
    return nil
  }

  /// More sources than any audio or video element has.
  private static let sourceLimit = 32

  /// Whether it is a picture of a character, which its description is.
  var isEmoji: Bool {
    words(of: "class").map { $0.contains("emoji") || $0.contains("smiley") } ?? false
  }

  /// Returns the formula of a `math` element: in TeX if it has that, or else its characters.
  func formula(budget: Budget) -> String {
    if let text = self["alttext"] { return text }
    var characters: [UInt8] = []
    var nodes = [self]
    while let node = nodes.popLast(), budget.spend(node.steps) {
      switch node.kind {
      case .text(let text): characters += text
      case .element:
        // An annotation repeats the formula in another form.
        if let form = node.words(of: "encoding") {
          guard form.contains("tex"), case .text(let text)? = node.child(0)?.kind else { continue }
          return String(outside: text)
        }
        for index in (0..<node.childCount).reversed() { node.child(index).map { nodes.append($0) } }
      case .nothing: break
      }
    }
    return String(outside: characters)
  }

  /// Whether it has only letters that are raised for their looks, as in “21st”.
  var isRaisedEnding: Bool {
    guard childCount == 1, case .text(let text)? = child(0)?.kind else { return false }
    return Self.raisedEndings.contains(String(outside: text.prefix(8)).lowercased())
  }

  private static let raisedEndings: Set<String> = [
    "st", "nd", "rd", "th", "er", "re", "ère", "ème", "®", "™", "℠",
  ]

  /// Returns the value of an attribute that is a whole number; only for elements.
  func number(_ attribute: String) -> Int? {
    self[attribute].flatMap { Int32($0) }.map(Int.init)
  }

  /// How many items a list has.
  var itemCount: Int {
    (0..<childCount).count { index in
      if case .element(GUMBO_TAG_LI)? = child(index)?.kind { true } else { false }
    }
  }

  /// Its text in the raised or lowered characters of Unicode, if it is a `sup` or `sub` element and
  /// all of its characters have such forms.
  func shiftedText(_ tag: GumboTag) -> String? {
    guard tag == GUMBO_TAG_SUP || tag == GUMBO_TAG_SUB, let text = onlyText, text.count <= 40 else {
      return nil
    }
    let forms = tag == GUMBO_TAG_SUP ? Self.raised : Self.lowered
    var shifted = ""
    for scalar in String(outside: text).unicodeScalars where !scalar.properties.isWhitespace {
      guard let form = forms[scalar] else { return nil }
      shifted.unicodeScalars.append(form)
    }
    return shifted
  }

  private static let plain = "0123456789+-=()\u{2212}"
  private static let raised = forms("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾⁻")
  private static let lowered = forms("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋")

  private static func forms(_ shifted: String) -> [Unicode.Scalar: Unicode.Scalar] {
    Dictionary(uniqueKeysWithValues: zip(plain.unicodeScalars, shifted.unicodeScalars))
  }

  /// Its text, if there is nothing in it but one text, which elements other than links may enclose.
  var onlyText: UnsafeBufferPointer<UInt8>? {
    var inner = self
    for _ in 0..<4 {
      guard case .element(let tag) = inner.kind, tag != GUMBO_TAG_A, inner.childCount == 1,
        let child = inner.child(0)
      else { break }
      inner = child
    }
    if case .text(let text) = inner.kind { return text }
    return nil
  }

  /// Whether one of its first children is a link.
  var containsLink: Bool {
    (0..<min(childCount, 4)).contains {
      if case .element(GUMBO_TAG_A)? = child($0)?.kind { true } else { false }
    }
  }

  /// Whether it begins with visible text other than a bracket.
  var startsWithoutBracket: Bool {
    var first = self
    for _ in 0..<4 {
      guard case .element = first.kind, first.childCount > 0, let child = first.child(0) else {
        break
      }
      first = child
    }
    guard case .text(let text) = first.kind else { return false }
    return text.first { !isWhiteSpace($0) }.map { !"[(".utf8.contains($0) } ?? false
  }
}

extension GumboTag {
  /// Whether it stands in lines of its own.
  var isBlock: Bool {
    switch self {
    case GUMBO_TAG_P, GUMBO_TAG_DIV, GUMBO_TAG_SECTION, GUMBO_TAG_ARTICLE, GUMBO_TAG_HEADER,
      GUMBO_TAG_FOOTER, GUMBO_TAG_MAIN, GUMBO_TAG_ASIDE, GUMBO_TAG_NAV, GUMBO_TAG_ADDRESS,
      GUMBO_TAG_FIGURE, GUMBO_TAG_FIGCAPTION, GUMBO_TAG_FIELDSET, GUMBO_TAG_FORM,
      GUMBO_TAG_DETAILS, GUMBO_TAG_SUMMARY, GUMBO_TAG_DL, GUMBO_TAG_DD, GUMBO_TAG_DT,
      GUMBO_TAG_CENTER, GUMBO_TAG_BODY, GUMBO_TAG_HGROUP, GUMBO_TAG_TR, GUMBO_TAG_TD,
      GUMBO_TAG_TH, GUMBO_TAG_CAPTION, GUMBO_TAG_LI, GUMBO_TAG_UL, GUMBO_TAG_OL:
      true
    default: false
    }
  }
}
