final class RichTextNode: Node {
  private let text: RichText
  private let layout: RichTextLayout
  /// The elements of the views that are on the screen or near it.
  private let views: ElementRows
  // The heights of embedded views are measured once per drawing.
  private var lastLayout: (width: Int, drawing: Int)?

  init(_ context: ViewContext, text: RichText, layout: RichTextLayout) {
    self.text = text
    self.layout = layout
    views = ElementRows(context)
    super.init(context)
  }

  /// Returns the layout for a width.
  func laidOut(_ width: Int) -> RichTextLayout {
    if let lastLayout, lastLayout == (width, frame.drawingNumber) { return layout }
    lastLayout = (width, frame.drawingNumber)
    layout.lay(out: text, width: width)
    return layout
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let width = proposal.width ?? 80
    return Size(width: width, height: min(proposal.height ?? .max, laidOut(width).height))
  }

  override func draw(in region: Region) {
    let shown = (region.clip.minY - region.rect.minY)..<(region.clip.maxY - region.rect.minY)
    // Laid out again here, where reads of models are tracked. Lines are made because there may be
    // no scroll view around to do so.
    context.readingToDraw {
      layout.lay(out: text, width: region.rect.width)
      while layout.make(rows: shown) {}
    }
    eachRow(shown) { index, row in drawLine(row, of: index, in: region) }
    drawViews(shown, in: region)
    if let links = text.links { declare(links, shown, in: region) }
  }

  /// Calls `body` for the rows of a range, except for the blank rows before parts.
  private func eachRow(_ shown: Range<Int>, _ body: (_ part: Int, _ row: Int) -> Void) {
    guard var index = layout.part(atRow: max(0, shown.lowerBound)) else { return }
    while index < layout.parts.count, layout.parts[index].start < shown.upperBound {
      let part = layout.parts[index]
      let start = max(part.top, shown.lowerBound)
      for row in start..<max(start, min(part.end, shown.upperBound)) { body(index, row) }
      index += 1
    }
  }

  private func drawLine(_ row: Int, of index: Int, in region: Region) {
    let line = layout.line(row, of: index) { line in
      guard let found = text.found else { return line }
      let row = row - layout.parts[index].top
      return layout.marked(line, row: row, of: index, found, environment.theme)
    }
    let place = Point(x: region.rect.minX, y: region.rect.minY + row)
    region.write(
      environment.redactionReasons.isEmpty ? line : line.placeholder(environment), at: place)
    let ends = layout.hiddenEnds(row, of: index)
    var style = environment.style
    style.foreground = environment.theme.accent
    style.attributes.insert(.bold)
    let y = row
    if ends.left { region.write("‹", x: layout.content(index).prefix.width, y: y, style: style) }
    if ends.right { region.write("›", x: region.rect.width - 1, y: y, style: style) }
  }

  /// Draws the views on the screen, and those within one page of it, so that they load early.
  private func drawViews(_ shown: Range<Int>, in region: Region) {
    guard !layout.views.isEmpty else { return }
    let near = (shown.lowerBound - shown.count)..<(shown.upperBound + shown.count)
    let drawn = layout.views(in: near)
    for index in drawn {
      guard let view = layout.blocks[index].view else { continue }
      let part = layout.parts[index]
      let indent = layout.content(index).prefix.width
      var place = region.part(
        Rect(
          x: region.rect.minX + indent, y: region.rect.minY + part.top,
          width: max(0, region.rect.width - indent), height: part.height))
      place.isNear = true
      let element =
        views.row(at: index)
        ?? views.insert(ItemID(index), at: index) {
          context.child(.id(ItemID(index), ordinal: $0)).hosted(view.content)
        }
      element.draw(in: place)
    }
    views.keep((drawn.first ?? 0)..<((drawn.last ?? -1) + 1))
  }

  // MARK: Links

  private func declare(_ links: RichText.Links, _ shown: Range<Int>, in region: Region) {
    guard !environment.isInert else { return }
    context.declarePointerRegion(region) { [layout] event in
      let row = event.location.y
      guard event.kind == .press, let index = layout.part(atRow: row),
        layout.parts[index].top..<layout.parts[index].end ~= row,
        let tag = layout.line(row, of: index).tag(atColumn: event.location.x)
      else { return false }
      links.open(tag)
      return true
    }
    guard let typed = context.readingToDraw({ links.hints.wrappedValue }) else { return }
    var hints = LinkHints(typed: typed)
    eachRow(shown) { index, row in
      hints.add(linksOf: layout.line(row, of: index), row: row)
    }
    hints.draw(in: region, environment)
    // In front of everything, because letters mean nothing else while the user chooses a link.
    frame.declare(
      .sheet { [context, frame] in
        frame.inFront { hints.declareKeys(context, links) }
      })
  }
}

// MARK: In a scroll view

extension RichTextNode {
  /// Returns the row of a target.
  func row(of target: ScrollProxy.Target, width: Int) -> Int? {
    let layout = laidOut(width)
    switch target {
    case .name(let name): return layout.part(named: name).map { layout.parts[$0].top }
    case .heading(let index):
      guard layout.headings.indices.contains(index) else { return nil }
      return layout.parts[layout.headings[index]].top
    case .match(let match):
      return text.found.flatMap { layout.row(of: match, $0.pattern) }
    case .position(let position):
      guard layout.parts.indices.contains(position.block) else { return nil }
      return layout.row(afterCharacters: position.offset, of: position.block)
    }
  }

  /// The number of columns that a wide part scrolls at a time.
  private static let shift = 8

  /// Declares keys that scroll wide parts, in force where those of the scroll view are; `shown` are
  /// the visible rows.
  func declareKeys(_ context: ViewContext, shown: Range<Int>) {
    let wide = layout.wideParts(shown)
    guard !wide.isEmpty else { return }
    let move: @MainActor (Int) -> Void = { [self] columns in
      if layout.shift(wide, by: columns) { needsDrawing() }
    }
    context.declare(action: .right, label: "scroll right", footer: .ifRoom) { move(Self.shift) }
    // Bound at the left end, too: otherwise the key would leave the text there.
    context.declare(action: .left, label: "scroll left") { move(-Self.shift) }
  }
}
