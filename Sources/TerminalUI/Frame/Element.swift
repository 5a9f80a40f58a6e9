import Loading

/// Everything that is kept for a view between frames: its identity, its value and environment, its
/// state, the models it has read, the nodes it made, and how it was last drawn.
///
/// An element is itself a node and stands in for the nodes of its view. When these change, the
/// elements around it need not be made again. `ElementTree` keeps elements current.
@MainActor
class Element: Node {
  let mark = ElementMark()
  // Not weak, here and in the mark: an object with weak references counts its other references in a
  // table beside it, which would slow down everything that is done with elements. `end` clears both
  // before an element is released.
  private(set) unowned var parent: Element?
  private var children: [Element] = []
  // The index among the children of the parent: removing one of very many children takes constant
  // time.
  private var place = 0
  /// Since when it has had no parent, if it has not ended yet.
  var absence: Absence?
  /// Whether the element that holds it was made again, so that its value is out of date until the
  /// nodes of that element make it, too.
  var isOutOfDate = false
  /// The nodes that its view made.
  private(set) var nodes: [Node] = []
  /// Elements inside it that made several nodes or none; their nodes are among those of this
  /// element.
  private var spliced: [Element] = []
  /// The declarations from its last making; they apply until it is made again.
  private var declaredByMaking: [Declaration] = []
  /// Paths of children that its nodes make only when they are laid out or drawn.
  private var heldPaths: [ViewPath] = []
  /// Paths inside it whose elements are kept although they are not shown.
  private(set) var keptPaths: [ViewPath] = []
  private var boxes: [Int: (key: ItemID, box: AnyObject)] = [:]
  /// The rows that its node has drawn.
  var rows: ElementRows?
  // Created on first use: most views read nothing, and few read while they are drawn.
  private var makingReads: Registration?
  private var drawingReads: Registration?

  /// Whether it has to be made again.
  private(set) var needsMaking = true
  /// Whether it has to be drawn again, even if its region has not changed.
  private(set) var needsDrawing = true
  /// Whether something inside it has to be drawn again.
  private var needsDrawingInside = false
  /// Whether it is already in the tree's list of elements to draw.
  var isNotedToDraw = false
  /// What its nodes, and how they are drawn, depend on of where the focus is.
  private(set) var focusInMaking: [FocusRead] = []
  private(set) var focusInDrawing: [FocusRead] = []
  private(set) var isMaking = false
  /// Whether it depends on the size of the screen.
  var dependsOnSize = false
  /// Whether its cells are kept to be copied when it is drawn elsewhere, as rows that scroll are.
  var keepsPicture = false
  var drawing = Drawing()

  /// Since when an element has been absent: since this frame, or since an earlier one.
  enum Absence { case now, before }

  /// How an element was last drawn.
  struct Drawing {
    /// The region and the layer (the number of sheets behind it).
    var region: Region?
    var layer = 0
    /// The number of this drawing; elements drawn within it record it as `parentID`.
    var id = 0
    var parentID = -1
    /// The range of its declarations within those of the parent.
    var start = 0
    var count = 0
    var elements: [Element] = []
    /// The version of the sizes inside it that the drawing is based on.
    var sizesVersion = 0
    /// A rectangle around the cells that it drew itself.
    var painted = Rect.zero
    /// Whether it was drawn as a whole, and its elements cannot be drawn without it.
    var isDrawnWhole = false
    /// The cells of the whole region, if all of them were drawn on blanks and nothing was declared.
    var picture: [Cell]?
  }

  init(in context: ViewContext) {
    var context = context
    context.owner = mark
    super.init(context)
    mark.element = self
  }

  /// Appends the nodes of its view; overridden by subclasses.
  func makeNodes(in context: ViewContext, to list: inout NodeList) {}

  /// Makes its nodes, for the first time or again.
  func make(in context: ViewContext? = nil) {
    if var context {
      context.owner = mark
      self.context = context
    }
    needsMaking = false
    makingReads?.endTracking()
    let declaredBefore = declaredByMaking
    (declaredByMaking, spliced, heldPaths, keptPaths, rows) = ([], [], [], [], nil)
    (focusInMaking, dependsOnSize, isMaking) = ([], false, true)
    let before = children
    children = []
    for child in before { child.parent = nil }
    var list = NodeList()
    makeNodes(in: self.context, to: &list)
    isMaking = false
    for child in before where child.parent == nil {
      if heldPaths.contains(child.context.path) {
        adopt(child)
        child.isOutOfDate = true
      } else {
        frame.tree?.noteAbsence(child)
      }
    }
    // A child element reports itself when it has to be drawn again. Declarations are not compared:
    // those of a deadline or of the focus differ with almost every making.
    let isSame =
      declaredBefore.isEmpty && declaredByMaking.isEmpty
      && nodes.elementsEqual(list.nodes) { $0 === $1 && $0 is Element }
    nodes = list.nodes
    mark.sizesVersion += 1
    if !isSame { setNeedsDrawing() }
  }

  // MARK: Children

  /// Adds an element that was made inside this one.
  func adopt(_ child: Element) {
    guard child.parent !== self else {
      return assert(!isMaking, "two views of a type at one place: \(type(of: child))")
    }
    child.parent?.remove(child)
    child.parent = self
    child.place = children.count
    children.append(child)
  }

  private func remove(_ child: Element) {
    let last = children.removeLast()
    guard last !== child else { return }
    children[child.place] = last
    last.place = child.place
  }

  /// Releases a child that is not needed at the moment.
  func release(_ child: Element) {
    guard child.parent === self else { return }
    remove(child)
    child.parent = nil
    frame.tree?.noteAbsence(child)
  }

  /// Ends this element and everything inside it.
  func end(_ body: (Element) -> Void) {
    body(self)
    for child in children {
      child.end(body)
      child.parent = nil
    }
    (children, nodes, spliced, boxes, declaredByMaking, rows) = ([], [], [], [:], [], nil)
    makingReads?.endTracking()
    drawingReads?.endTracking()
    drawing = Drawing()
    mark.element = nil
  }

  /// Appends its nodes to those of the view around it: itself if it has a single node.
  func add(to list: inout NodeList, of owner: Element?) {
    if isSingle {
      list.nodes.append(self)
    } else {
      list.nodes += nodes
      owner?.spliced.append(self)
    }
  }

  /// Whether it has a single node that needs no handling by the elements around it.
  var isSingle: Bool { nodes.count == 1 && !nodes[0].isStructural }

  /// Returns an object kept for this element, which `make` creates on first use and for another
  /// key.
  func box<Box: AnyObject>(
    _ index: Int = -1, key: ItemID = ItemID(0), make: () -> Box
  ) -> Box {
    if let known = boxes[index], known.key == key, let box = known.box as? Box { return box }
    let box = make()
    boxes[index] = (key, box)
    return box
  }

  /// Adds a declaration to every frame in which it is drawn, until it is made again.
  func declareByMaking(_ declaration: Declaration) { declaredByMaking.append(declaration) }

  /// Keeps the child at a path until this element is made again without holding it: the nodes make
  /// that child, but as long as they have no room they are neither laid out nor drawn.
  ///
  /// Elements inside that child end as soon as it no longer needs them, unlike those at a path that
  /// ``keep(_:)`` keeps: otherwise rows in it would pile up.
  func hold(_ path: ViewPath) { heldPaths.append(path) }

  /// Keeps the elements at a path inside it alive while they are not shown.
  func keep(_ path: ViewPath) {
    keptPaths.append(path)
    frame.tree?.noteKeeper(self)
  }

  /// Begins drawing this element and those whose nodes are among its own.
  private func beginDrawing() {
    // A trial shows nothing, so the reads and dependencies of the last drawing still hold.
    if !frame.isTrial {
      drawingReads?.endTracking()
      focusInDrawing = []
    }
    for declaration in declaredByMaking { frame.declare(declaration) }
    for element in spliced { element.beginDrawing() }
  }

  // MARK: Reading

  /// Tracks reads of models that its nodes depend on: a change makes it again.
  func reading<Answer>(_ body: () -> Answer) -> Answer {
    makingReads = makingReads ?? registration(.making)
    return makingReads?.track(body) ?? body()
  }

  /// Tracks reads of models that only its drawing depends on: a change draws it again.
  ///
  /// Reads are tracked only while a frame is drawn, because each drawing replaces the reads of the
  /// last one. Otherwise the reads of an element that is out of sight would pile up: its damage is
  /// computed whenever the focus moves, but it is never drawn.
  func readingToDraw<Answer>(_ body: () -> Answer) -> Answer {
    guard frame.isDrawing else { return body() }
    drawingReads = drawingReads ?? registration(.drawing)
    return drawingReads?.track(body) ?? body()
  }

  private func registration(_ change: Invalidation.Change) -> Registration? {
    guard let invalidation = frame.host?.invalidation else { return nil }
    return Registration(of: type(of: self)) { [mark] in invalidation.note(change, of: mark) }
  }

  /// Tells whether something read about the focus of each layer would be different now.
  typealias FocusRead = @MainActor (_ focus: [Int: ViewPath]) -> Bool

  /// Records that it depends on where the focus is: it is made or drawn again once `read` says so.
  func noteFocus(_ read: @escaping FocusRead) {
    if isMaking {
      focusInMaking.append(read)
    } else if frame.isDrawing, !frame.isTrial {
      focusInDrawing.append(read)
    }
  }

  // MARK: Marks

  func setNeedsMaking() {
    // An element with several nodes is listed by its parent, which is made first, and makes it.
    if !isSingle, !nodes.isEmpty { parent?.setNeedsMaking() }
    needsMaking = true
    frame.tree?.noteMaking(self)
  }

  func setNeedsDrawing() {
    // An element without a single node is drawn by its parent.
    if !isSingle { parent?.setNeedsDrawing() }
    needsDrawing = true
    frame.tree?.noteDrawing(self)
    var around = parent
    while let element = around {
      element.needsDrawingInside = true
      around = element.parent
    }
  }

  /// Marks this element and everything inside it to be made again, after it was out of sight.
  func forget() {
    needsMaking = true
    for child in children { child.forget() }
  }

  /// Marks this element to be made again if something inside it has to be, and everything between
  /// the two, after nothing inside it was made for a while.
  ///
  /// - Returns: whether it has to be made again.
  @discardableResult
  func forgetOutdated() -> Bool {
    for child in children where child.forgetOutdated() { needsMaking = true }
    return needsMaking
  }

  /// Invalidates the cached sizes of this element and of those around it.
  func sizesChanged() {
    var around: Element? = self
    while let element = around {
      element.mark.sizesVersion += 1
      around = element.parent
    }
  }

  /// Whether its declarations and cells are still valid as they were last drawn.
  var isDrawn: Bool { !needsDrawing && !needsDrawingInside }

  func noteDrawn() { (needsDrawing, needsDrawingInside) = (false, false) }

  /// Records that its cells, and those of everything inside it, were copied to another place.
  func noteMoved(by offset: Point) {
    drawing.region?.move(by: offset)
    drawing.painted.move(by: offset)
    for element in drawing.elements { element.noteMoved(by: offset) }
  }

  /// The properties that the layout of the nodes around it depends on.
  func traits(_ proposals: [ProposedSize]) -> Traits {
    Traits(
      sizes: proposals.map(size), expandsAcross: expands(.horizontal),
      expandsDown: expands(.vertical), isSpacer: isSpacer, leastGap: leastGap,
      priority: layoutPriority)
  }

  struct Traits: Equatable {
    let sizes: [Size]
    let (expandsAcross, expandsDown): (Bool, Bool)
    let isSpacer: Bool
    let leastGap: Int
    let priority: Double
  }

  // MARK: Node

  private var content: Node? { nodes.first }

  override var base: Node { nodes.count == 1 ? nodes[0].base : self }
  override func measure(_ proposal: ProposedSize) -> Size { content?.size(proposal) ?? .zero }
  override func expands(_ axis: Axis) -> Bool { content?.expands(axis) ?? false }
  override var isSpacer: Bool { content?.isSpacer ?? false }
  override var leastGap: Int { content?.leastGap ?? 0 }
  override var layoutPriority: Double { content?.layoutPriority ?? 0 }
  override func damage(in region: Region) -> [Rect] { content?.damage(in: region) ?? [] }

  override func draw(in region: Region) {
    frame.draw(self, in: region) {
      beginDrawing()
      content?.draw(in: region)
    }
  }
}

/// A reference to an element until it ends, which its nodes hold.
@MainActor
final class ElementMark {
  fileprivate(set) unowned var element: Element?
  /// Increases whenever a size inside may have changed.
  fileprivate(set) var sizesVersion = 0
}
