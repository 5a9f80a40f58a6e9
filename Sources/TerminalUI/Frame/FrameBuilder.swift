import Loading

/// Draws a frame over the cells of the previous one.
///
/// Only damaged cells are drawn: those of an element that is out of date, has moved or was removed.
/// An element without damaged cells is not visited; its declarations are taken from the previous
/// frame.
@MainActor
final class FrameBuilder {
  private(set) var size = Size.zero
  private(set) var now = AnyClock.Instant(offset: .zero)
  /// The focus of each layer that this drawing assumes.
  var focus: [Int: ViewPath] = [:]
  /// The layers whose focus was found for the user in this frame, rather than kept.
  var foundFocuses: Set<Int> = []
  /// The hints that this drawing assumes to be true, and the elements that draw them.
  var trueHints: [ViewPath: ElementMark] = [:]
  /// The pending key sequence.
  private(set) var typed = TypedKeys()
  // Not weak, for the reason that elements give; `leave` clears both.
  private(set) unowned var host: ViewHost?
  private(set) unowned var tree: ElementTree?

  private(set) var cells = CellBuffer(size: .zero)
  /// All declarations so far.
  private(set) var declarations = Declarations()
  private var inForce: (count: Int, keys: KeysInForce)?
  /// The number of sheets behind what is being drawn; 0 for the screen itself.
  private(set) var layer = 0
  /// Where the views are drawn: everything but the row for announcements.
  private(set) var bounds = Rect(origin: Point(x: 0, y: 0), size: .zero)
  private(set) var topLayer = 0

  private var last: Frame?
  /// The cells of the frame before `last`, and where those of `last` may differ.
  ///
  /// That frame has usually been released, so its memory is drawn on again, and only the damage of
  /// two frames has to be written.
  private var spare: (cells: CellBuffer, stale: Damage)?
  private var damage = Damage()
  /// Whether every cell is damaged, as in the first frame and while a sheet is in front.
  private var drawsEverything = false
  /// Where this frame may differ from the previous one, over all of its drawings.
  private(set) var wholeDamage = Damage()
  private var scope = Scope.outside
  private var newestDrawing = 0
  /// The number of drawings so far.
  private(set) var drawingNumber = 0
  // Whether views are drawn off screen, only to find their declarations.
  private(set) var isTrial = false
  /// Whether elements are being drawn, rather than asked for their damage or handling a key.
  private(set) var isDrawing = false

  /// The element that is being drawn.
  private struct Scope {
    /// The elements drawn directly inside it; an element that is revisited keeps those it has.
    var elements: [Element] = []
    var recordsElements = true
    let id: Int
    let start: Int
    /// The number and the declaration index of its previous drawing.
    let lastID: Int
    let lastStart: Int
    /// Whether an element directly inside it was added, removed or moved since its previous
    /// drawing.
    ///
    /// Cells that this element draws around it may then have moved too, and their old position is
    /// not recorded.
    var hasMoved = false
    /// A rectangle around the cells that it draws itself, without those of elements inside it.
    var painted = Rect.zero
    /// Whether it is drawn as a whole, see ``drawWhole()``.
    var isDrawnWhole = false

    /// Where what is drawn is part of no element.
    static var outside: Scope {
      Scope(recordsElements: false, id: -1, start: 0, lastID: -1, lastStart: 0)
    }
  }

  init(host: ViewHost, tree: ElementTree) {
    self.host = host
    self.tree = tree
  }

  /// Forgets the host and its tree, which end.
  func leave() { (host, tree) = (nil, nil) }

  // MARK: Declaring

  func declare(_ declaration: Declaration) { declarations.append(declaration) }

  func declareCursor(_ point: Point) { declare(.cursor(point, layer: layer)) }

  /// The keys in force in a layer, according to the declarations so far.
  func keysInForce(layer: Int) -> KeysInForce {
    // Cached, because the key list, the hints, the footer and the frame all read it.
    if let inForce, inForce.keys.layer == layer, inForce.count == declarations.count {
      return inForce.keys
    }
    let keys = KeysInForce(declarations, layer: layer, focus: focus[layer], after: last?.keys)
    inForce = (declarations.count, keys)
    return keys
  }

  /// The rectangles of the pictures in a part of the frame.
  func pictures(in clip: Rect) -> [Rect] {
    declarations.pictures.map { $0.intersection(clip) }.filter { !$0.isEmpty }
  }

  /// Draws a sheet in front of everything drawn so far: only its keys and regions are in force.
  func inFront(_ draw: () -> Void) {
    topLayer += 1
    layer = topLayer
    draw()
    layer = 0
  }

  // MARK: Drawing

  /// Calls `draw`, which must not draw outside `clip`, with the cells of the frame.
  @discardableResult
  func paint<Answer>(in clip: Rect, _ draw: (inout CellBuffer) -> Answer) -> Answer {
    scope.painted.formUnion(clip)
    return draw(&cells)
  }

  /// Begins a frame over the cells of the previous one; without one, everything is drawn.
  func begin(
    size: Size, at time: AnyClock.Instant, typed: TypedKeys, after last: Frame?
  ) {
    (self.size, now, self.typed) = (size, time, typed)
    wholeDamage = Damage(size: size)
    foundFocuses = []
    self.last = last?.cells.size == size ? last : nil
    if self.last == nil { spare = nil }
  }

  /// Draws repeatedly until no more damage is found; with an announcer, its line in the last row.
  func draw(_ root: Element, announcer: Announcer?) {
    bounds = Rect(x: 0, y: 0, width: size.width, height: size.height - (announcer == nil ? 0 : 1))
    damage = Damage(size: size, isFull: last == nil)
    if let last, !damage.isFull {
      noteDamage(since: last)
      damage.complete(in: last.cells)
    }
    repeat {
      let known = damage
      drawOnce(root, announcer: announcer)
      // A sheet does not report the cells that it covers, so everything has to be drawn.
      if topLayer > 0, !known.isFull { damage = Damage(size: size, isFull: true) }
      // Also of a wide glyph in the new frame: what covered its other half may be gone.
      damage.complete(in: cells)
      if known == damage { break }
    } while true
    // Elements that are out of sight report their changes again when they come into sight.
    _ = tree?.takeDrawing()
    wholeDamage.formUnion(damage)
  }

  private func noteDamage(since last: Frame) {
    if last.layer > 0 { damage = Damage(size: size, isFull: true) }
    damage.formUnion(last.typed.panels)
    if TickGrid.index(last.time) != TickGrid.index(now) {
      for rect in last.declarations.animations { damage.insert(rect) }
    }
    for element in tree?.takeDrawing() ?? [] {
      if let region = element.drawing.region { insertDamage(of: element, in: region) }
    }
  }

  private func insertDamage(of element: Element, in region: Region) {
    let wasDrawing = isDrawing
    isDrawing = false
    defer { isDrawing = wasDrawing }
    for rect in element.damage(in: region) { damage.insert(rect) }
  }

  private func drawOnce(_ root: Element, announcer: Announcer?) {
    drawingNumber += 1
    isDrawing = true
    defer { isDrawing = false }
    drawsEverything = damage.isFull
    cells = takeCells()
    cells.writable = damage
    cells.fill(cells.bounds, with: .blank)
    declarations = Declarations(capacity: (last?.declarations.count ?? 0) + 16)
    inForce = nil
    (layer, topLayer) = (0, 0)
    let taken = root.size(ProposedSize(bounds.size))
    // A scope around the root, whose number never changes.
    scope = Scope(id: 0, start: 0, lastID: 0, lastStart: 0)
    let region = Region(rect: bounds, clip: bounds, frame: self)
    root.draw(in: region.part(Alignment.topLeading.place(taken, in: bounds)))
    scope = .outside
    drawSheets()
    if let announcer { announce(announcer.next(declarations.announcements)) }
    let keys = keysInForce(layer: topLayer)
    let panels = drawFooters(keys)
    if let last, let damage = cells.writable { spare = (last.cells, damage) }
    cells.writable = nil
    last = Frame(
      cells: cells, time: now, declarations: declarations, keys: keys, focuses: focus,
      typed: (typed, panels))
  }

  /// Returns the cells to draw on, equal to those of the last frame.
  private func takeCells() -> CellBuffer {
    guard let last else { return CellBuffer(size: size) }
    guard var cells = spare?.cells, let stale = spare?.stale else { return last.cells }
    spare = nil
    cells.copy(stale, from: last.cells)
    return cells
  }

  /// Draws the sheets; each of them may open another one.
  private func drawSheets() {
    var index = 0
    while index < declarations.count {
      if case .sheet(let draw) = declarations.all[index] { draw() }
      index += 1
    }
  }

  /// Writes what is announced over the last row.
  private func announce(_ announcer: Announcer) {
    let row = Rect(x: 0, y: bounds.maxY, width: size.width, height: 1)
    cover(row)
    cells.fill(row, with: .blank)
    cells.write(StyledText(announcer.line).truncated(width: size.width), at: row.origin)
    declare(.action(.afterPresenting) { [self] in host?.announcer = announcer })
  }

  /// Draws the footers where they are damaged, or if the keys in force have changed; nothing else
  /// is drawn in their place.
  ///
  /// - Returns: the cells that the panels of a pending key sequence cover.
  private func drawFooters(_ keys: KeysInForce) -> Damage {
    guard typed.isEmpty else { return drawPanels(keys) }
    let areKept = keys.areKept && last?.typed.panels.isEmpty != false
    // A footer that is drawn covers the footers drawn before it.
    var covered = Damage(size: size)
    for (node, region) in declarations.footers
    where !areKept || damage.meets(region.clip) || covered.meets(region.clip) {
      covered.formUnion(cover(region.clip))
      node.draw(keys.distinct.map(\.binding), in: region)
    }
    return Damage(size: size)
  }

  /// Draws the keys that can follow the pending ones, over the footers and the rows above them.
  private func drawPanels(_ keys: KeysInForce) -> Damage {
    var panels = Damage(size: size)
    for (node, region) in declarations.footers {
      let footer = region.clip
      let panel = KeyPanel(typed, keys, in: Size(width: footer.width, height: size.height))
      let height = min(panel.lines.count, footer.maxY)
      let rect = Rect(
        x: footer.minX, y: footer.maxY - height, width: footer.width, height: height)
      panels.formUnion(cover(rect))
      panel.draw(in: Region(rect: rect, clip: rect, frame: self), node.environment)
    }
    return panels
  }

  /// Lets a rectangle be drawn on, and the other halves of the wide glyphs at its edges, which are
  /// blanked with it.
  @discardableResult
  private func cover(_ rect: Rect) -> Damage {
    var covered = Damage(size: size)
    covered.insert(rect)
    covered.complete(in: cells)
    cells.writable?.formUnion(covered)
    wholeDamage.formUnion(covered)
    return covered
  }

  /// Draws an element, or only those parts of it that have changed.
  func draw(_ element: Element, in region: Region, _ body: () -> Void) {
    guard !isTrial else { return body() }
    if scope.recordsElements { scope.elements.append(element) }
    if scope.id == element.drawing.parentID { drawWhole() }
    let isUnchanged = isUnchanged(element, in: region)
    if isUnchanged, element.isDrawn, !damage.meets(region.clip) { return takeOver(element) }
    let isKnown = scope.lastID >= 0 && element.drawing.parentID == scope.lastID
    let hasMoved = !isKnown || element.drawing.region?.isSame(as: region) != true
    let isFresh =
      element.keepsPicture && region.isWhole && !region.isHidden && cells.isBlank(region.rect)
    if isFresh, let picture = element.drawing.picture, canCopy(element, to: region) {
      noteDamage(of: element, in: region, hasMoved: hasMoved)
      if hasMoved { scope.hasMoved = true }
      return copy(picture, of: element, to: region)
    }
    if isUnchanged, canRevisit(element) { return revisit(element) }
    noteDamage(of: element, in: region, hasMoved: hasMoved)
    let before = element.drawing.elements
    let drawn = drawing(element, isKnown: isKnown, body)
    if hasMoved { scope.hasMoved = true }
    element.drawing = Element.Drawing(
      region: region, layer: layer, id: drawn.id, parentID: scope.id,
      start: drawn.start - scope.start, count: declarations.count - drawn.start,
      elements: drawn.elements, sizesVersion: element.mark.sizesVersion,
      painted: drawn.painted, isDrawnWhole: drawn.isDrawnWhole,
      picture: isFresh && declarations.count == drawn.start ? cells.cells(in: region.rect) : nil)
    let hasGone = noteGone(before, from: element)
    if drawn.hasMoved || hasGone { damage.insert(region.clip) }
  }

  /// Lets the element that is being drawn be drawn again whenever something inside it is: it draws an
  /// element twice, or what it draws and declares depends on what is inside it.
  func drawWhole() { scope.isDrawnWhole = true }

  /// Whether an element would draw itself, and place the elements inside it, as it did last time.
  private func isUnchanged(_ element: Element, in region: Region) -> Bool {
    guard last != nil, scope.lastID >= 0, !element.needsDrawing,
      let known = element.drawing.region
    else { return false }
    let drawing = element.drawing
    return drawing.parentID == scope.lastID && drawing.layer == layer
      && drawing.sizesVersion == element.mark.sizesVersion
      && known.isSame(as: region) && !damage.meets(drawing.painted)
  }

  /// Whether the elements inside an element can be drawn where they were, without it.
  private func canRevisit(_ element: Element) -> Bool {
    !element.drawing.isDrawnWhole && !drawsEverything && holdsItsElements(element)
  }

  /// Whether the elements inside an element are recorded in its drawing: one that another element
  /// has drawn, too, is recorded there, so its place here is lost.
  private func holdsItsElements(_ element: Element) -> Bool {
    element.drawing.elements.allSatisfy { $0.drawing.parentID == element.drawing.id }
  }

  /// Keeps the cells and declarations of an element and of everything inside it.
  private func takeOver(_ element: Element) {
    guard let known = last?.declarations.all else { return }
    let start = scope.lastStart + element.drawing.start
    element.drawing.parentID = scope.id
    element.drawing.start = declarations.count - scope.start
    declarations += known[start..<(start + element.drawing.count)]
  }

  /// Whether an element would draw the same in a region as when its picture was taken.
  private func canCopy(_ element: Element, to region: Region) -> Bool {
    guard element.isDrawn, let known = element.drawing.region else { return false }
    return element.drawing.layer == layer
      && element.drawing.sizesVersion == element.mark.sizesVersion
      && known.rect.size == region.rect.size && known.isNear == region.isNear
      && !element.drawing.isDrawnWhole && holdsItsElements(element)
  }

  /// Draws the picture of an element, and moves everything inside it along.
  private func copy(_ picture: [Cell], of element: Element, to region: Region) {
    cells.replace(region.rect, with: picture)
    if let known = element.drawing.region {
      element.noteMoved(
        by: Point(x: region.rect.minX - known.rect.minX, y: region.rect.minY - known.rect.minY))
    }
    element.drawing.parentID = scope.id
    element.drawing.start = declarations.count - scope.start
  }

  /// Keeps an element's own cells and declarations, and draws the elements inside it in place.
  private func revisit(_ element: Element) {
    guard let known = last?.declarations.all else { return }
    if !element.isDrawn { element.drawing.picture = nil }
    let start = scope.lastStart + element.drawing.start
    let end = start + element.drawing.count
    var position = start
    let drawn = drawing(element, isKnown: true, recordsElements: false) {
      for child in element.drawing.elements {
        guard let region = child.drawing.region else { continue }
        let childStart = start + child.drawing.start
        declarations += known[position..<childStart]
        position = childStart + child.drawing.count
        child.draw(in: region)
      }
      declarations += known[position..<end]
    }
    element.drawing.id = drawn.id
    element.drawing.parentID = scope.id
    element.drawing.start = drawn.start - scope.start
    element.drawing.count = declarations.count - drawn.start
  }

  /// Calls `body`, which draws the inside of an element, in a scope of its own.
  private func drawing(
    _ element: Element, isKnown: Bool, recordsElements: Bool = true, _ body: () -> Void
  ) -> Scope {
    newestDrawing += 1
    let around = scope
    let drawn = Scope(
      recordsElements: recordsElements, id: newestDrawing, start: declarations.count,
      lastID: isKnown ? element.drawing.id : -1,
      lastStart: around.lastStart + element.drawing.start)
    scope = drawn
    defer { scope = around }
    body()
    element.noteDrawn()
    return scope
  }

  /// Adds the cells that an element may draw differently to the damage; if it moved, its old and
  /// new region.
  ///
  /// An element that was not in the previous frame may have been in the same region before that, so
  /// an unchanged region proves nothing.
  private func noteDamage(of element: Element, in region: Region, hasMoved: Bool) {
    guard !damage.isFull else { return }
    guard let known = element.drawing.region else { return damage.insert(region.clip) }
    if hasMoved {
      damage.insert(known.clip)
      damage.insert(region.clip)
    } else if element.needsDrawing, element.isNotedToDraw {
      // The damage of those noted before was found when the frame began.
      insertDamage(of: element, in: region)
    }
  }

  /// Adds a rectangle to the damage of this frame.
  func noteDamage(_ rect: Rect) { damage.insert(rect) }

  /// Adds the regions of removed elements to the damage; returns whether there are any.
  private func noteGone(_ before: [Element], from element: Element) -> Bool {
    guard !damage.isFull else { return false }
    var hasGone = false
    for other in before where other.drawing.parentID != element.drawing.id {
      hasGone = true
      if let region = other.drawing.region { damage.insert(region.clip) }
    }
    return hasGone
  }

  /// Draws views off screen, and returns their declarations.
  func trial(_ size: Size, _ draw: () -> Void) -> Declarations {
    let (cells, declarations, scope, isTrial) = (cells, declarations, scope, isTrial)
    (self.cells, self.declarations) = (CellBuffer(size: size), Declarations())
    (self.scope, inForce, self.isTrial) = (.outside, nil, true)
    defer {
      (self.cells, self.declarations, self.scope) = (cells, declarations, scope)
      (self.isTrial, inForce) = (isTrial, nil)
    }
    draw()
    return self.declarations
  }

  /// Returns the drawn frame, and releases what was needed to draw it.
  func takeFrame() -> Frame {
    guard var frame = last else { preconditionFailure("No frame was drawn.") }
    frame.foundFocuses = foundFocuses
    (last, declarations, inForce) = (nil, Declarations(), nil)
    cells = CellBuffer(size: .zero)
    return frame
  }
}
