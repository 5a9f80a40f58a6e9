import CGumbo
import Limits

/// The elements and texts of a web page in document order, for repeated traversal.
///
/// The descendants of a node follow it up to ``Node/end``. So a forward loop visits parents first,
/// and a backward loop visits children first, without recursion, however deep the page is.
struct PageTree {
  struct Node {
    /// Unknown for a text.
    let tag: GumboTag
    /// The index of the parent; the root's is its own.
    let parent: Int
    /// The index of the first node after its descendants.
    var end: Int
    /// The text; empty for an element.
    var text: [UInt8] = []
    var isText = false
    /// In lower case.
    var className: [UInt8] = []
    var id: [UInt8] = []
    var classWords: PageWords = []
    var idWords: PageWords = []
    /// Whether it is a button or a link for sharing the article.
    var isForSharing = false
    /// The attributes that matter for reading, see ``PageTree/kept``.
    var attributes: [String: String] = [:]
  }

  private(set) var nodes: [Node] = []
  /// The base of the page's relative addresses; nil for its own address.
  private(set) var base: String?
  /// The page's title.
  private(set) var title = ""
  /// The index of the `body`, or else of the root.
  ///
  /// Stored: an extraction compares nearly every node with it, and much may precede it.
  private(set) var body = 0

  /// The attributes that may matter for reading.
  private static let kept: Set<String> = [
    "href", "src", "alt", "width", "height", "start", "value", "role", "rel", "itemprop", "type",
    "id",
    "name", "summary", "checked", "colspan", "rowspan", "align",
  ]
  /// The longest attribute; a longer one is cut.
  ///
  /// Only addresses are that long.
  private static let attributeLimit = WebAddress.limit
  private static let classLimit = 400

  /// Parses a page; nil when that exceeds its budget.
  init?(_ html: String, budget: Budget) {
    guard let tree = HTMLTree(html, budget: budget), let root = tree.root else { return nil }
    withExtendedLifetime(tree) { read(root, budget: budget) }
    guard !nodes.isEmpty, !budget.isSpent else { return nil }
  }

  private mutating func read(_ root: HTMLNode, budget: Budget) {
    // The nodes to visit with the indices of their parents; an entry without a node closes its
    // parent.
    var stack: [(node: HTMLNode?, parent: Int)] = [(root, 0)]
    while let (next, parent) = stack.popLast(), budget.spend(1) {
      guard let node = next else {
        nodes[parent].end = nodes.count
        continue
      }
      budget.spend(node.steps)
      switch node.kind {
      case .nothing: break
      case .text(let text): append(Array(text), to: parent, budget)
      case .element(GUMBO_TAG_MATH) where !node.isHidden:
        append(Array(node.formula(budget: budget).utf8), to: parent, budget)
      case .element(let tag):
        guard let element = element(node, tag, parent: parent, budget) else { continue }
        let index = nodes.count
        nodes.append(element)
        stack.append((nil, index))
        for child in (0..<node.childCount).reversed() {
          if let child = node.child(child) { stack.append((child, index)) }
        }
      }
    }
    body = nodes.firstIndex { $0.tag == GUMBO_TAG_BODY } ?? 0
    // The budget may have been spent halfway.
    for index in nodes.indices.reversed() where nodes[index].end <= index {
      nodes[index].end = nodes.count
    }
  }

  private mutating func append(_ text: [UInt8], to parent: Int, _ budget: Budget) {
    guard !text.isEmpty, !nodes.isEmpty else { return }
    budget.spend(text.count)
    nodes.append(
      Node(
        tag: GUMBO_TAG_UNKNOWN, parent: parent, end: nodes.count + 1, text: text, isText: true))
  }

  /// Creates an element; nil for one that is never read.
  private mutating func element(
    _ node: HTMLNode, _ tag: GumboTag, parent: Int, _ budget: Budget
  ) -> Node? {
    switch tag {
    case GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_LINK, GUMBO_TAG_META,
      GUMBO_TAG_SVG, GUMBO_TAG_CANVAS, GUMBO_TAG_BUTTON, GUMBO_TAG_SELECT, GUMBO_TAG_TEXTAREA,
      GUMBO_TAG_OBJECT, GUMBO_TAG_EMBED, GUMBO_TAG_NOFRAMES, GUMBO_TAG_DATALIST:
      return nil
    case GUMBO_TAG_BASE:
      if base == nil { base = node["href"] }
      return nil
    case GUMBO_TAG_TITLE:
      if title.isEmpty, case .text(let text)? = node.child(0)?.kind {
        title = String(outside: text)
      }
      return nil
    default: break
    }
    var element = Node(tag: tag, parent: parent, end: 0)
    node.forEachAttribute { name, value in
      let text = { String(outside: value.prefix(Self.attributeLimit)) }
      switch name {
      case "class": element.className = Self.small(value)
      case _ where Self.kept.contains(name): element.attributes[name] = text()
      default: break
      }
    }
    element.id = element.attributes["id"].map { Self.small(Array($0.utf8)) } ?? []
    budget.spend(2 * (element.className.count + element.id.count))
    element.classWords = PageWords.found(in: element.className)
    element.idWords = PageWords.found(in: element.id)
    element.isForSharing = [element.className, element.id].contains(where: Self.namesSharing)
    if tag == GUMBO_TAG_IMG || tag == GUMBO_TAG_SOURCE {
      element.attributes["src"] = node.pictureAddress
    }
    if node.isHidden, !element.hasWord("fallback-image") { return nil }
    return element
  }

  private static func namesSharing(_ names: [UInt8]) -> Bool {
    names.split { !(0x61...0x7A ~= $0) && !(0x30...0x39 ~= $0) }.contains {
      $0.elementsEqual("share".utf8) || $0.elementsEqual("sharedaddy".utf8)
    }
  }

  private static func small(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.prefix(classLimit).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }

  // MARK: Looking around

  /// Returns the children of an element, in order.
  func children(of index: Int) -> some Sequence<Int> {
    let end = nodes[index].end
    return sequence(state: index + 1) { [nodes] next -> Int? in
      guard next < end else { return nil }
      defer { next = nodes[next].end }
      return next
    }
  }

  /// Whether a node is inside another one, or the same.
  func contains(_ outer: Int, _ inner: Int) -> Bool {
    outer <= inner && inner < nodes[outer].end
  }

  /// Returns the ancestors of a node, from its parent; at most `limit`.
  func ancestors(of index: Int, limit: Int = .max) -> [Int] {
    var (ancestors, node): ([Int], Int) = ([], index)
    while node > 0, ancestors.count < limit {
      node = nodes[node].parent
      ancestors.append(node)
    }
    return ancestors
  }
}

extension PageTree.Node {
  /// Whether its class contains a word.
  func hasWord(_ word: StaticString) -> Bool {
    guard className.count >= word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      (0...(className.count - word.count)).contains {
        className[$0...].starts(with: word)
      }
    }
  }
}

/// The address of a picture, chosen from all attributes of its element: many pages show a
/// placeholder until a script replaces it.
struct PictureSource {
  private var source: String?
  private var set: String?
  private var later: String?

  private static let endings = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"]

  mutating func note(_ name: String, _ value: String) {
    switch name {
    case "src": source = value
    case "srcset": set = value
    case "alt", "title", "class", "style", "id", "sizes": break
    default:
      guard later == nil else { return }
      let isAddress = Self.isPictureAddress(value)
      if name.hasPrefix("data-"), name.hasSuffix("src") || name == "data-original" || isAddress {
        later = value
      } else if name.hasSuffix("srcset") {
        later = Self.widest(in: value)
      } else if isAddress {
        later = value
      }
    }
  }

  func best(isLazy: Bool) -> String? {
    let isPlaceholder = source.map(Self.isPlaceholder) ?? true
    if let later, isPlaceholder || isLazy { return later }
    if isPlaceholder, let set, let widest = Self.widest(in: set) { return widest }
    return isPlaceholder ? nil : source
  }

  private static func isPlaceholder(_ address: String) -> Bool {
    let address = address.prefix(200).lowercased()
    return address.isEmpty || address.hasPrefix("data:") || address.hasPrefix("about:")
      || ["placeholder", "blank.gif", "spacer.gif", "transparent.gif", "1x1"].contains {
        address.contains($0)
      }
  }

  private static func isPictureAddress(_ value: String) -> Bool {
    guard value.utf8.count < 2_000, !value.utf8.contains(where: isWhiteSpace) else { return false }
    let path = value.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return endings.contains { path.hasSuffix($0) && path.count > $0.count }
  }

  /// Returns the largest useful picture of a list such as `a.jpg 480w, b.jpg 1200w`.
  private static func widest(in set: String) -> String? {
    var best: (address: String, size: Double)?
    // An address may contain commas, but none before a blank.
    for candidate in set.replacing(", ", with: "\n").split(whereSeparator: \.isNewline).prefix(20) {
      let parts = candidate.split(whereSeparator: \.isWhitespace)
      guard let address = parts.first else { continue }
      let size = parts.dropFirst().first.flatMap { Double($0.dropLast()) } ?? 1
      let isBetter = best.map { size > $0.size && size <= widthLimit } ?? true
      if isBetter { best = (String(address), size) }
    }
    return best?.address
  }

  private static let widthLimit = 2_000.0
}
