import CGumbo
import Limits

extension ExtractionAttempt {
  /// Removes parts that are not text: forms, lists of links, buttons for sharing.
  ///
  /// - Returns: how many characters are left.
  mutating func clean(_ roots: [Int]) -> Int {
    let isData = dataTables(in: roots)
    for root in roots {
      let end = tree.nodes[root].end
      var kept = PageMeasures(root..<end)
      budget.spend(end - root)
      var isGone = isRemoved
      for index in root..<end where index > root && isGone[tree.nodes[index].parent] {
        isGone[index] = true
      }
      // Children first, so that only what is kept of them is counted.
      for index in (root..<end).reversed() where !isGone[index] && budget.spend(1) {
        let node = tree.nodes[index]
        budget.spend(node.text.count)
        kept.take(index, of: tree)
        if node.tag == GUMBO_TAG_TABLE, isData[index] { kept[index].tables += 1 }
        guard index > root else { continue }
        if !node.isText, isToGo(index, kept[index], isOfData: isData[index]) {
          isRemoved[index] = true
        } else {
          kept.addToParent(index, of: tree)
        }
      }
      measures[root] = kept[root]
    }
    return roots.reduce(0) { $0 + measures[$1].text }
  }

  private func isToGo(
    _ index: Int, _ measure: PageMeasures.Measure, isOfData: Bool
  ) -> Bool {
    let node = tree.nodes[index]
    switch node.tag {
    // The footer of a quotation names its author.
    case GUMBO_TAG_FOOTER: return tree.nodes[node.parent].tag != GUMBO_TAG_BLOCKQUOTE
    case GUMBO_TAG_ASIDE, GUMBO_TAG_INPUT: return true
    case GUMBO_TAG_IFRAME: return !isFilm(node)
    case GUMBO_TAG_P: return measure.text == 0 && measure.pictures + measure.films == 0
    case GUMBO_TAG_H1, GUMBO_TAG_H2:
      if weight(index) < 0 { return true }
    default: break
    }
    if node.tag.isContainer, measure.text == 0, measure.pictures + measure.films == 0 {
      // Rules and line breaks alone show nothing.
      return true
    }
    if measure.text < Self.sharingLimit, node.isForSharing { return true }
    guard caution.contains(.cleaning) else { return false }
    switch node.tag {
    case GUMBO_TAG_FORM, GUMBO_TAG_FIELDSET, GUMBO_TAG_TABLE, GUMBO_TAG_UL, GUMBO_TAG_OL,
      GUMBO_TAG_DIV, GUMBO_TAG_SECTION, GUMBO_TAG_NAV:
      return !isOfData && measure.tables == 0 && isNoText(index, measure)
    default: return false
    }
  }

  private static let sharingLimit = 500

  private func isFilm(_ node: PageTree.Node) -> Bool {
    let address = node.attributes["src"] ?? ""
    return [
      "youtube.com/", "youtube-nocookie.com/", "player.vimeo.com/", "dailymotion.com/",
      "player.twitch.tv/", "archive.org/embed/", "upload.wikimedia.org/",
    ].contains { address.contains($0) }
  }

  /// Whether an element is probably a menu, a form or a list of links.
  private func isNoText(_ index: Int, _ measure: PageMeasures.Measure) -> Bool {
    let node = tree.nodes[index]
    let around = tree.ancestors(of: index, limit: 3).map { tree.nodes[$0].tag }
    if around.contains(GUMBO_TAG_CODE) || around.contains(GUMBO_TAG_PRE) { return false }
    let weight = weight(index)
    if weight < 0 { return true }
    guard measure.commas < 10 else { return false }
    let isList =
      node.tag == GUMBO_TAG_UL || node.tag == GUMBO_TAG_OL || measure.share(measure.lists) > 0.9
    let isInFigure = around.contains(GUMBO_TAG_FIGURE)
    let density = measure.linkDensity
    let isUnlike =
      measure.pictures > 1 && !isInFigure && measure.paragraphs * 2 < measure.pictures
      || !isList && measure.items - 100 > measure.paragraphs
      || measure.inputs > measure.paragraphs / 3
      || !isList && !isInFigure && measure.share(measure.headings) < 0.9 && measure.text < 25
        && (measure.pictures == 0 || measure.pictures > 2) && density > 0
      || !isList && weight < 25 && density > 0.2
      || weight >= 25 && density > 0.5
      || measure.pictures == 0 && measure.films == 0 && measure.blocks == 0
    guard isUnlike else { return false }
    // An exception for galleries, which have a picture in each item.
    return !(isList && measure.items > 0 && measure.items == measure.pictures)
  }

  // MARK: Tables

  /// Marks the nodes of tables that show data instead of only arranging the page.
  private func dataTables(in roots: [Int]) -> [Bool] {
    var isOfData = [Bool](repeating: false, count: tree.nodes.count)
    for root in roots {
      var index = root
      while index < tree.nodes[root].end, budget.spend(1) {
        let node = tree.nodes[index]
        if node.tag == GUMBO_TAG_TABLE, !isRemoved[index], isData(index) {
          for inner in index..<node.end { isOfData[inner] = true }
          budget.spend(node.end - index)
          index = node.end
        } else {
          index += 1
        }
      }
    }
    return isOfData
  }

  private func isData(_ table: Int) -> Bool {
    let node = tree.nodes[table]
    if node.attributes["role"] == "presentation" { return false }
    if node.attributes["summary"] != nil { return true }
    var (rows, columns, cells) = (0, 0, 0)
    for index in (table + 1)..<max(node.end, table + 1) where budget.spend(1) {
      switch tree.nodes[index].tag {
      case GUMBO_TAG_TABLE: return false
      case GUMBO_TAG_CAPTION, GUMBO_TAG_COL, GUMBO_TAG_COLGROUP, GUMBO_TAG_TFOOT, GUMBO_TAG_THEAD,
        GUMBO_TAG_TH:
        return true
      case GUMBO_TAG_TR:
        rows += 1
        columns = max(columns, cells)
        cells = 0
      case GUMBO_TAG_TD: cells += 1
      default: break
      }
    }
    columns = max(columns, cells)
    guard rows > 1, columns > 1 else { return false }
    return rows >= 10 || columns > 4 || rows * columns > 10
  }
}
