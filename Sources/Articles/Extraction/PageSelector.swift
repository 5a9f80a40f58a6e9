import CGumbo
import Limits

/// Selects elements of a page by names, classes, ids and ancestors, as in a style sheet.
///
/// Examples are `article .body`, `div#content.wide` and `.ad`.
public struct PageSelector: Sendable, Hashable {
  /// The selector as typed.
  public let text: String
  /// From the outermost element to the selected one.
  private let parts: [Part]

  fileprivate struct Part: Sendable, Hashable {
    var tag = ""
    var classes: [[UInt8]] = []
    var id: [UInt8] = []
  }

  /// The most parts of a selector.
  private static let partLimit = 16
  private static let lengthLimit = 400

  /// Parses a selector; nil when the text is not one.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.lengthLimit else { return nil }
    var parts: [Part] = []
    for word in text.split(separator: " ") {
      guard let part = Self.part(word) else { return nil }
      parts.append(part)
    }
    guard !parts.isEmpty, parts.count <= Self.partLimit else { return nil }
    (self.text, self.parts) = (text, parts)
  }

  private static func part(_ word: Substring) -> Part? {
    var part = Part()
    var rest = word
    while let first = rest.first {
      let isTag = first != "." && first != "#"
      guard !isTag || rest.startIndex == word.startIndex else { return nil }
      if !isTag { rest = rest.dropFirst() }
      let name = rest.prefix { $0.isLetter || $0.isNumber || "-_*".contains($0) }
      guard !name.isEmpty else { return nil }
      rest = rest.dropFirst(name.count)
      let bytes = Array(name.lowercased().utf8)
      switch first {
      case ".": part.classes.append(bytes)
      case "#": part.id = bytes
      default: part.tag = name == "*" ? "" : name.lowercased()
      }
    }
    return part
  }

  /// Returns the selected elements, in the order of the page.
  static func matches(
    _ selectors: [PageSelector], in tree: PageTree, _ budget: Budget
  ) -> [Int] {
    guard !selectors.isEmpty else { return [] }
    let tags = selectors.map { selector in
      selector.parts.map { part in part.tag.isEmpty ? nil : gumbo_tag_enum(part.tag) }
    }
    return tree.nodes.indices.filter { index in
      guard budget.spend(1), !tree.nodes[index].isText else { return false }
      return zip(selectors, tags).contains { $0.matches(index, in: tree, $1, budget) }
    }
  }

  private func matches(
    _ index: Int, in tree: PageTree, _ tags: [GumboTag?], _ budget: Budget
  ) -> Bool {
    var part = parts.count - 1
    guard parts[part].matches(tree.nodes[index], tags[part]) else { return false }
    part -= 1
    // The nearest matching ancestor is as good as any.
    var node = index
    while part >= 0, node > 0, budget.spend(1) {
      node = tree.nodes[node].parent
      if parts[part].matches(tree.nodes[node], tags[part]) { part -= 1 }
    }
    return part < 0
  }
}

extension PageSelector.Part {
  fileprivate func matches(_ node: PageTree.Node, _ tag: GumboTag?) -> Bool {
    if let tag, tag != node.tag { return false }
    if !id.isEmpty, id != node.id { return false }
    guard !classes.isEmpty else { return true }
    let names = node.className.split(whereSeparator: isWhiteSpace)
    return classes.allSatisfy { wanted in names.contains { $0.elementsEqual(wanted) } }
  }
}
