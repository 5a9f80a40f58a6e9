import CGumbo
import Limits

/// One attempt to find the article of a page: the nodes that were removed, and the scores of the
/// elements.
struct ExtractionAttempt {
  /// The measures against parts of the page that do not belong to the article.
  struct Caution: OptionSet {
    let rawValue: Int
    /// Elements whose names are typical of the surroundings of articles are removed first.
    static let unlikely = Caution(rawValue: 1)
    /// Names influence the scores.
    static let names = Caution(rawValue: 2)
    /// Lists of links, forms and the like are removed from the result.
    static let cleaning = Caution(rawValue: 4)

    /// From the strictest to one that keeps everything.
    static let inOrder: [Caution] = [
      [.unlikely, .names, .cleaning], [.names, .cleaning], [.cleaning], [],
    ]
  }

  let tree: PageTree
  let caution: Caution
  let budget: Budget
  private let titles: [String]
  var isRemoved: [Bool]
  /// The measures of the whole page; set by ``article()``.
  var measures: PageMeasures
  /// The score of an element; nil for none.
  private var scores: [Double?]
  /// Whether an element is in a table or in code, where class names have no meaning.
  private var isQuoted: [Bool]

  init(_ tree: PageTree, caution: Caution = [], titles: [String] = [], budget: Budget) {
    (self.tree, self.caution, self.budget) = (tree, caution, budget)
    self.titles = titles.filter { !$0.isEmpty }
    let count = tree.nodes.count
    isRemoved = Array(repeating: false, count: count)
    measures = PageMeasures(0..<count)
    scores = Array(repeating: nil, count: count)
    isQuoted = Array(repeating: false, count: count)
    budget.spend(count)
    preparePictures()
  }

  mutating func remove(_ indices: some Sequence<Int>) {
    for index in indices { isRemoved[index] = true }
  }

  /// Returns the children that have not been removed.
  func children(of index: Int) -> [Int] { tree.children(of: index).filter { !isRemoved[$0] } }

  func elements(in index: Int) -> [Int] { children(of: index).filter { !tree.nodes[$0].isText } }

  func weight(_ index: Int) -> Int {
    caution.contains(.names) ? tree.nodes[index].weight : 0
  }

  // MARK: Preparing

  /// Replaces placeholders with the pictures in the `noscript` elements after them.
  private mutating func preparePictures() {
    // The last node before each position that is not blank, by parent.
    var last = [Int?](repeating: nil, count: tree.nodes.count)
    for (index, node) in tree.nodes.enumerated() where budget.spend(1) {
      let isBlank = node.isText && node.text.allSatisfy(isWhiteSpace)
      let before = last[node.parent]
      if index > 0, !isBlank { last[node.parent] = index }
      guard node.tag == GUMBO_TAG_NOSCRIPT else { continue }
      guard onlyPicture(in: index) else {
        isRemoved[index] = true
        continue
      }
      // The placeholder directly precedes it, possibly in an element of its own.
      if let before, onlyPicture(in: before) { isRemoved[before] = true }
    }
  }

  /// Whether a node contains one picture and nothing else visible.
  private func onlyPicture(in index: Int) -> Bool {
    var count = 0
    for inner in index..<tree.nodes[index].end where budget.spend(1) {
      let node = tree.nodes[inner]
      if node.isText {
        if node.text.contains(where: { !isWhiteSpace($0) }) { return false }
      } else if node.tag == GUMBO_TAG_IMG {
        count += 1
      }
    }
    return count == 1
  }

  /// Removes elements that do not belong to the article, because of their names or their roles, or
  /// because they repeat the title or name the author.
  private mutating func sift() {
    var hasByline = false
    var index = 0
    let body = tree.body
    while index < tree.nodes.count, budget.spend(1) {
      let node = tree.nodes[index]
      let parent = tree.nodes[node.parent]
      isQuoted[index] =
        isQuoted[node.parent] || parent.tag == GUMBO_TAG_TABLE || parent.tag == GUMBO_TAG_CODE
      if isRemoved[index] || !node.isText && index != body && isForeign(index, &hasByline) {
        isRemoved[index] = true
        index = node.end
      } else {
        index += 1
      }
    }
  }

  private func isForeign(_ index: Int, _ hasByline: inout Bool) -> Bool {
    let node = tree.nodes[index]
    if let role = node.attributes["role"], Self.foreignRoles.contains(role) { return true }
    if node.tag == GUMBO_TAG_H1 || node.tag == GUMBO_TAG_H2, isTitle(index) { return true }
    if !hasByline, isByline(node, index) {
      hasByline = true
      return true
    }
    if caution.contains(.unlikely), !isQuoted[index], node.tag != GUMBO_TAG_A,
      node.words.contains(.unlikely), !node.words.contains(.maybe)
    {
      return true
    }
    return false
  }

  private static let foreignRoles: Set<String> = [
    "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
  ]

  private static let bylineLimit = 100

  private func isByline(_ node: PageTree.Node, _ index: Int) -> Bool {
    let isNamed =
      node.attributes["rel"] == "author" || node.attributes["itemprop"]?.contains("author") == true
      || node.words.contains(.byline)
    guard isNamed else { return false }
    let text = tree.text(of: index, limit: Self.bylineLimit + 1, budget)
    return !text.isEmpty && text.utf8.count <= Self.bylineLimit
  }

  /// Whether a heading repeats the article's title, or most of it: a section may be named after a
  /// word of the title.
  private func isTitle(_ index: Int) -> Bool {
    let heading = Self.words(tree.text(of: index, limit: 400, budget))
    guard !heading.isEmpty else { return false }
    budget.spend(400)
    func length(_ words: some Sequence<String>) -> Int { words.reduce(0) { $0 + $1.utf8.count } }
    return titles.contains { title in
      let title = Set(Self.words(String(title.prefix(400))))
      let (whole, other) = (length(heading), length(heading.filter { !title.contains($0) }))
      return !title.isEmpty && other * 4 < whole && length(title) < 2 * whole
    }
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  // MARK: Points

  /// Returns the nodes of the article: the best element and similar siblings.
  mutating func article() -> [Int] {
    sift()
    measure(tree.body, tree.nodes[tree.body].end)
    let candidates = candidates()
    guard !candidates.isEmpty, !budget.isSpent else { return [tree.body] }
    var top = candidates[0]
    if tree.nodes[top].tag == GUMBO_TAG_BODY { return [top] }
    top = commonAncestor(of: candidates) ?? top
    top = climbed(from: top)
    return withSiblings(top)
  }

  /// Measures a part of the page.
  private mutating func measure(_ start: Int, _ end: Int) {
    var isGone = isRemoved
    for index in start..<end where index > start && isGone[tree.nodes[index].parent] {
      isGone[index] = true
    }
    for index in (start..<end).reversed() where !isGone[index] && budget.spend(1) {
      budget.spend(tree.nodes[index].text.count)
      measures.take(index, of: tree)
      if index > start { measures.addToParent(index, of: tree) }
    }
  }

  /// Returns the elements with the highest scores, best first.
  private mutating func candidates() -> [Int] {
    var index = tree.body
    let end = tree.nodes[index].end
    var scored: [Int] = []
    while index < end, budget.spend(1) {
      if isRemoved[index] {
        index = tree.nodes[index].end
        continue
      }
      for (paragraph, parent) in paragraphs(in: index) {
        score(paragraph, below: parent, &scored)
      }
      index += 1
    }
    let best = scored.map { (index: $0, score: finalScore($0)) }
      .sorted { $0.score > $1.score || $0.score == $1.score && $0.index < $1.index }.prefix(5)
    for (index, score) in best { scores[index] = score }
    return best.map(\.index)
  }

  private func finalScore(_ index: Int) -> Double {
    (scores[index] ?? 0) * (1 - measures[index].linkDensity)
  }

  /// Returns the paragraphs for which an element gives points: the element itself, or the runs of
  /// text in it.
  private func paragraphs(in index: Int) -> [(PageMeasures.Measure, parent: Int)] {
    let node = tree.nodes[index]
    guard !node.isText, index != tree.body else { return [] }
    switch node.tag {
    case GUMBO_TAG_SECTION, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6,
      GUMBO_TAG_P, GUMBO_TAG_TD, GUMBO_TAG_PRE:
      return [(measures[index], node.parent)]
    case GUMBO_TAG_DIV: return runs(in: index)
    default: return []
    }
  }

  /// Returns the texts of an element between its block elements, or between two line breaks.
  private func runs(in index: Int) -> [(PageMeasures.Measure, parent: Int)] {
    var runs: [PageMeasures.Measure] = []
    var run = PageMeasures.Measure()
    var breaks = 0
    var isAlone = true
    func ended(_ run: PageMeasures.Measure) -> [PageMeasures.Measure] { run.text > 0 ? [run] : [] }
    for child in children(of: index) {
      budget.spend(1)
      let node = tree.nodes[child]
      if node.tag == GUMBO_TAG_BR {
        breaks += 1
        if breaks == 2 {
          runs += ended(run)
          run = PageMeasures.Measure()
        }
      } else if node.isText || node.tag.isPhrasing {
        if measures[child].text > 0 || measures[child].pictures > 0 { breaks = 0 }
        run.add(measures[child])
      } else {
        isAlone = false
        breaks = 0
        runs += ended(run)
        run = PageMeasures.Measure()
      }
    }
    runs += ended(run)
    // An element with a single paragraph counts as that paragraph.
    let isParagraph = isAlone && runs.count == 1 && runs[0].linkDensity < 0.25
    let parent = isParagraph ? tree.nodes[index].parent : index
    return runs.map { ($0, parent) }
  }

  private mutating func score(
    _ paragraph: PageMeasures.Measure, below parent: Int, _ scored: inout [Int]
  ) {
    guard paragraph.text >= 25 else { return }
    let points = 1 + Double(paragraph.commas + 1) + min(Double(paragraph.text / 100), 3)
    var ancestor = parent
    for level in 0..<5 {
      budget.spend(1)
      guard ancestor > 0 || level == 0 else { break }
      if scores[ancestor] == nil {
        scores[ancestor] = Self.start(tree.nodes[ancestor].tag) + Double(weight(ancestor))
        scored.append(ancestor)
      }
      let divider = level == 0 ? 1 : level == 1 ? 2 : Double(level * 3)
      scores[ancestor] = (scores[ancestor] ?? 0) + points / divider
      if ancestor == tree.body { break }
      ancestor = tree.nodes[ancestor].parent
    }
  }

  private static func start(_ tag: GumboTag) -> Double {
    switch tag {
    case GUMBO_TAG_DIV: 5
    case GUMBO_TAG_PRE, GUMBO_TAG_TD, GUMBO_TAG_BLOCKQUOTE: 3
    case GUMBO_TAG_ADDRESS, GUMBO_TAG_OL, GUMBO_TAG_UL, GUMBO_TAG_DL, GUMBO_TAG_DD, GUMBO_TAG_DT,
      GUMBO_TAG_LI, GUMBO_TAG_FORM:
      -3
    case GUMBO_TAG_TH: -5
    default: tag.isHeading ? -5 : 0
    }
  }

  // MARK: Choosing

  /// Returns the common ancestor of several good elements: an article may be split into boxes.
  private func commonAncestor(of candidates: [Int]) -> Int? {
    let best = scores[candidates[0]] ?? 0
    guard best > 0 else { return nil }
    let rivals = candidates.dropFirst().filter { (scores[$0] ?? 0) / best >= 0.75 }
    guard rivals.count >= 3 else { return nil }
    return tree.ancestors(of: candidates[0]).first { ancestor in
      budget.spend(rivals.count)
      return ancestor != tree.body && ancestor > tree.body
        && rivals.count { $0 != ancestor && tree.contains(ancestor, $0) } >= 3
    }
  }

  /// Moves up while the parents are better, and out of elements with a single child.
  private func climbed(from start: Int) -> Int {
    var top = start
    var last = scores[top] ?? 0
    let threshold = last / 3
    var parent = tree.nodes[top].parent
    while parent > tree.body, budget.spend(1) {
      if let score = scores[parent] {
        if score < threshold { break }
        if score > last {
          top = parent
          break
        }
        last = score
      }
      parent = tree.nodes[parent].parent
    }
    parent = tree.nodes[top].parent
    while parent > tree.body, budget.spend(1), elements(in: parent).count == 1 {
      top = parent
      parent = tree.nodes[top].parent
    }
    return top
  }

  private func withSiblings(_ top: Int) -> [Int] {
    let parent = tree.nodes[top].parent
    guard top != tree.body, parent >= tree.body else { return [top] }
    let best = scores[top] ?? 0
    let threshold = max(10, best * 0.2)
    let name = tree.nodes[top].className
    return children(of: parent).filter { child in
      budget.spend(1)
      let node = tree.nodes[child]
      if child == top { return true }
      guard !node.isText else { return false }
      let bonus = !name.isEmpty && node.className == name ? best * 0.2 : 0
      if let score = scores[child], score + bonus >= threshold { return true }
      guard node.tag == GUMBO_TAG_P else { return false }
      let measure = measures[child]
      if measure.text > 80 { return measure.linkDensity < 0.25 }
      guard measure.text > 0, measure.linked == 0 else { return false }
      let text = tree.text(of: child, limit: 400, budget)
      return text.hasSuffix(".") || text.contains(". ")
    }
  }
}
