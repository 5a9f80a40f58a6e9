import Loading

/// What is kept of a view from frame to frame: its identity, the value and the environment that it was
/// made from, its state, what it has read, what it became, and how that was drawn last.
///
/// It is a node itself, in the place of the one that its view became: that one may be another one in the
/// next frame, and nobody around it has to be made again. See `ElementTree` for how it is kept current.
@MainActor
class Element: Node {
  let mark = ElementMark()
  private(set) weak var parent: Element?
  private var children: [Element] = []
  // Where it is among those of its parent: there may be very many, which come and go one by one.
  private var place = 0
  /// Since when it has no parent, although it is not ended.
  var absence: Absence?
  /// What its view became.
  private(set) var nodes: [Node] = []
  /// Elements inside it that became several nodes or none, which stand among its own.
  private var spliced: [Element] = []
  /// What was declared while it was made; it holds until it is made again.
  private var declaredByMaking: [Declaration] = []
  /// Places inside it whose elements live although nothing shows them.
  private(set) var keptPaths: [ViewPath] = []
  private var boxes: [Int: (key: AnyHashable, box: AnyObject)] = [:]
  // Hardly any views read while they are drawn, and many read nothing at all.
  private var makingReads: Registration?
  private var drawingReads: Registration?

  /// Whether it has to be made again.
  private(set) var needsMaking = true
  /// Whether it has to be drawn again, although it stands where it stood.
  private(set) var needsDrawing = true
  /// Whether that is so of something inside it.
  private var needsDrawingInside = false
  /// Whether the tree has it among what is to be drawn in the next frame.
  var isNotedToDraw = false
  /// Whether what it becomes, and how that is drawn, depends on where the focus is.
  private(set) var dependsOnFocus = false
  private(set) var drawsFocus = false
  private var isMaking = false
  /// Whether it depends on the size of the screen.
  var dependsOnSize = false
  var drawing = Drawing()

  /// Since when an element is not there: in this frame, or before.
  enum Absence { case now, before }

  /// How it was drawn last.
  struct Drawing {
    /// Where, and in front of how many sheets.
    var region: Region?
    var layer = 0
    /// One number for each drawing: what is inside has been drawn with it.
    var id = 0
    var parentID = -1
    /// Where its declarations are among those of the element around it, and how many they are.
    var start = 0
    var count = 0
    var elements: [Element] = []
    /// Of which sizes inside it.
    var sizesVersion = 0
    /// Around the cells that it drew itself.
    var painted = Rect.zero
    /// Whether that depended on what was declared inside it.
    var goesByInside = false
  }

  init(in context: ViewContext) {
    var context = context
    context.owner = mark
    super.init(context)
    mark.element = self
  }

  deinit {
    makingReads?.end()
    drawingReads?.end()
  }

  /// Adds what its view becomes; for overriding.
  func makeNodes(in context: ViewContext, to list: inout NodeList) {}

  /// Makes it, or makes it again.
  func make(in context: ViewContext? = nil) {
    if var context {
      context.owner = mark
      self.context = context
    }
    needsMaking = false
    makingReads?.end()
    (declaredByMaking, spliced, keptPaths) = ([], [], [])
    (dependsOnFocus, dependsOnSize, isMaking) = (false, false, true)
    let before = children
    children = []
    for child in before { child.parent = nil }
    var list = NodeList()
    makeNodes(in: self.context, to: &list)
    isMaking = false
    for child in before where child.parent == nil { frame.tree?.noteAbsence(child) }
    // Elements say by themselves when they are to be drawn again.
    let isSame = nodes.elementsEqual(list.nodes) { $0 === $1 && $0 is Element }
    nodes = list.nodes
    mark.sizesVersion += 1
    if !isSame { setNeedsDrawing() }
  }

  // MARK: Its parts

  /// Takes in an element that was made inside it.
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

  /// Lets go of an element that is not needed at the moment.
  func release(_ child: Element) {
    guard child.parent === self else { return }
    remove(child)
    child.parent = nil
    frame.tree?.noteAbsence(child)
  }

  /// Ends it with everything inside.
  func end(_ body: (Element) -> Void) {
    body(self)
    for child in children {
      child.end(body)
      child.parent = nil
    }
    (children, nodes, spliced, boxes, declaredByMaking) = ([], [], [], [:], [])
    makingReads?.end()
    drawingReads?.end()
    drawing = Drawing()
  }

  /// Adds its nodes to those of the view around it: itself in the place of a single one.
  func add(to list: inout NodeList, of owner: Element?) {
    if isSingle {
      list.nodes.append(self)
    } else {
      list.nodes += nodes
      owner?.spliced.append(self)
    }
  }

  /// Whether there is one node, about which nobody around it has to know anything.
  var isSingle: Bool { nodes.count == 1 && !nodes[0].isStructural }

  /// What is kept for its place, made by `make` the first time and for another key.
  func box<Box: AnyObject>(
    _ index: Int = -1, key: AnyHashable = 0, make: () -> Box
  ) -> Box {
    if let known = boxes[index], known.key == key, let box = known.box as? Box { return box }
    let box = make()
    boxes[index] = (key, box)
    return box
  }

  /// Declares something for every frame that it is drawn in, until it is made again.
  func declareByMaking(_ declaration: Declaration) { declaredByMaking.append(declaration) }

  /// Has what is at a place inside live on while nothing shows it.
  func keep(_ path: ViewPath) {
    keptPaths.append(path)
    frame.tree?.noteKeeper(self)
  }

  /// Begins a drawing, for itself and for those whose nodes stand among its own.
  private func beginDrawing() {
    drawingReads?.end()
    drawsFocus = false
    for declaration in declaredByMaking { frame.declare(declaration) }
    for element in spliced { element.beginDrawing() }
  }

  // MARK: Reading

  /// Reads models for what it becomes: a change of them makes it again.
  func reading<Answer>(_ body: () -> Answer) -> Answer {
    let reads = makingReads ?? Registration()
    makingReads = reads
    return track(by: reads, .making, body)
  }

  /// Reads models for how it is drawn: a change of them draws it again.
  ///
  /// Only a drawing takes the place of what the last one read. Were reads tracked at other times too,
  /// those of an element that is out of sight would pile up: it is asked for its damage whenever the
  /// focus moves, and never drawn.
  func readingToDraw<Answer>(_ body: () -> Answer) -> Answer {
    guard frame.isDrawing else { return body() }
    let reads = drawingReads ?? Registration()
    drawingReads = reads
    return track(by: reads, .drawing, body)
  }

  private func track<Answer>(
    by reads: Registration, _ change: Invalidation.Change, _ body: () -> Answer
  ) -> Answer {
    guard let invalidation = frame.host?.invalidation else { return body() }
    return reads.track(body) { [mark] in invalidation.note(change, of: mark) }
  }

  /// Takes note that it goes by where the focus is.
  func noteFocus() {
    if isMaking { dependsOnFocus = true } else { drawsFocus = true }
  }

  // MARK: Marks

  func setNeedsMaking() {
    needsMaking = true
    frame.tree?.noteMaking(self)
  }

  func setNeedsDrawing() {
    // The nodes of several views are drawn by the element that they stand in.
    if !isSingle { parent?.setNeedsDrawing() }
    needsDrawing = true
    frame.tree?.noteDrawing(self)
    var around = parent
    while let element = around {
      element.needsDrawingInside = true
      around = element.parent
    }
  }

  /// Has it, and what is inside, be made again: it was out of sight while things changed.
  func forget() {
    needsMaking = true
    for child in children { child.forget() }
  }

  /// Whether something inside it has to be made again.
  var isOutdatedInside: Bool {
    children.contains { $0.needsMaking || $0.isOutdatedInside }
  }

  /// Has the sizes around it be asked for again.
  func sizesChanged() {
    var around: Element? = self
    while let element = around {
      element.mark.sizesVersion += 1
      around = element.parent
    }
  }

  /// Whether its declarations and cells are still those of its last drawing.
  var isDrawn: Bool { !needsDrawing && !needsDrawingInside }

  func noteDrawn() { (needsDrawing, needsDrawingInside) = (false, false) }

  /// What nodes around it go by when they lay it out.
  func traits(_ proposals: [ProposedSize]) -> Traits {
    Traits(
      sizes: proposals.map(size), expands: (expands(.horizontal), expands(.vertical)),
      gap: (isSpacer, leastGap), priority: layoutPriority)
  }

  struct Traits {
    let sizes: [Size]
    let expands: (Bool, Bool)
    let gap: (Bool, Int)
    let priority: Double

    static func != (one: Traits, other: Traits) -> Bool {
      one.sizes != other.sizes || one.expands != other.expands || one.gap != other.gap
        || one.priority != other.priority
    }
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

/// What the nodes of an element know of it: they do not keep it.
@MainActor
final class ElementMark {
  fileprivate(set) weak var element: Element?
  /// Grows whenever sizes inside may have changed.
  fileprivate(set) var sizesVersion = 0
}
