public import Loading
import Observation
import Synchronization

/// A view with what is kept of it from frame to frame: state, focus, and what has appeared.
///
/// ```swift
/// let host = ViewHost(Counter())
/// let size = Size(width: 20, height: 1)
/// var frame = host.frame(size: size)
/// frame.press("+")
/// frame = host.frame(size: size)
/// ```
@MainActor
public final class ViewHost {
  /// What the views inherit at the root.
  public var environment = EnvironmentValues() { didSet { invalidation.set() } }
  // What the resources run on that views keep by themselves.
  let clock: AnyClock
  let scheduler: LoadScheduler
  private let root: AnyView
  private let store = StateStore()
  private let lifecycle = LifecycleRecord()
  private let epoch = Epoch()
  private var announcer = Announcer()
  let invalidation = Invalidation()
  /// What views have read that are gone.
  let readings = DroppedReadings()
  // By layer: closing a sheet brings back the focus that it covered.
  var focuses: [Int: ViewPath] = [:]
  // Those of the newest frame whose keys do what they say.
  private var trueHints: Set<ViewPath> = []
  private var spareCells: CellBuffer?
  // The nodes of the last frame, while that is there.
  private weak var tree: NodeTree?
  // By place: what its latest move has read, where that made no nodes.
  private var moveReadings: [AnyHashable: Reading] = [:]
  // What has moved since the last frame.
  private var movedPlaces: Set<ObjectIdentifier> = []
  // By layer, as last presented: where the focus goes when its place is gone.
  private(set) var focusOrder: [Int: [ViewPath]] = [:]
  /// What scrolls in the newest frame that was presented or given a key.
  private(set) var linkedScrolls: [ScrolledFocus] = []
  /// What answered to the mouse button that went down last.
  private var pressed: ViewPath?
  /// Kept until a frame has the place, or the user does something else.
  var focusWish: FocusWish?

  /// Hosts `root`; resources that its views make from loaders run on `clock` and `scheduler`.
  public init(
    _ root: some View, clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal
  ) {
    self.root = AnyView(root)
    self.clock = clock
    self.scheduler = scheduler
  }

  /// Hosts what `root` makes, which is asked again for each frame: it may read models.
  public convenience init(
    clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal,
    @ViewBuilder root: @escaping () -> some View
  ) {
    self.init(RootView(content: root), clock: clock, scheduler: scheduler)
  }

  /// Has the next frame drawn in the cells of one that is no longer needed.
  func reuse(_ cells: CellBuffer) { spareCells = cells }

  /// Blank cells for a frame.
  func takeCells(_ size: Size) -> CellBuffer {
    defer { spareCells = nil }
    guard spareCells?.size == size else { return CellBuffer(size: size) }
    spareCells?.clear()
    return spareCells ?? CellBuffer(size: size)
  }

  /// Draws a frame.
  ///
  /// Nothing that was drawn before changes, and no model is written.
  public func frame(size: Size, at time: AnyClock.Instant = .init(offset: .zero)) -> Frame {
    if let frame = redrawn(size: size, at: time) { return frame }
    movedPlaces.removeAll(keepingCapacity: true)
    for reading in moveReadings.values { readings.drop(reading) }
    moveReadings.removeAll(keepingCapacity: true)
    // Ends the registrations of the frame before: without it they pile up, and a change calls
    // every one of them.
    invalidation.ignore {
      epoch.value += 1
      readings.endDropped()
    }
    return tracked {
      var focus = focuses
      var tree = build(size: size, at: time, focus: focus)
      // Views draw themselves differently with the focus, and with the keys that are theirs: once
      // more, with where they really are.
      for _ in 0..<Self.correctionLimit {
        let (resolved, hints) = (tree.builder.resolveFocus(), tree.builder.resolveHints())
        if resolved == focus, hints == trueHints { break }
        // What hints say depends on the focus.
        if resolved == focus { trueHints = hints }
        focus = resolved
        tree.builder.release()
        tree = build(size: size, at: time, focus: focus)
      }
      return Frame(tree.builder, tree: tree)
    }
  }

  /// The first correction is of the focus, the second of the hints.
  private static let correctionLimit = 2

  /// The same views drawn again, where they are what they were and only stand elsewhere.
  private func redrawn(size: Size, at time: AnyClock.Instant) -> Frame? {
    guard let tree, tree.canRedraw(size: size, at: time, focus: focuses),
      invalidation.takeMove()
    else { return nil }
    movedPlaces.removeAll(keepingCapacity: true)
    return tracked {
      tree.beginRedraw(at: time)
      draw(tree)
      guard tree.builder.resolveFocus() == focuses,
        tree.builder.resolveHints() == trueHints
      else {
        tree.builder.release()
        return nil
      }
      return Frame(tree.builder, tree: tree)
    }
  }

  // MARK: Moves

  /// Something that scrolls stands elsewhere.
  func noteMove(of place: ObjectIdentifier) {
    movedPlaces.insert(place)
    invalidation.setMoved()
  }

  /// Has a frame show the moves since it was drawn, where nothing else is new and the parts that
  /// moved can be drawn by themselves; `false` where a frame has to be drawn.
  public func move(
    _ frame: inout Frame, size: Size, at time: AnyClock.Instant = .init(offset: .zero)
  ) -> Bool {
    guard let tree, frame.isDrawn(by: tree), invalidation.isOnlyMoved,
      tree.isCurrent(size: size, at: time, focus: focuses),
      let parts = frame.movingParts.parts(of: movedPlaces)
    else { return false }
    guard tracking(movedPlaces, { frame.draw(parts, in: tree.builder) }), invalidation.takeMove()
    else {
      return false
    }
    movedPlaces.removeAll(keepingCapacity: true)
    return true
  }

  /// Takes note that parts of a frame are shown that have changed by themselves: what left ends.
  public func didPresentParts(of frame: Frame) { store.endFrame(keeping: frame.kept) }

  /// Calls `body`, which moves or draws what `place` names; a change of what it reads makes the next
  /// frame due.
  ///
  /// Nodes that it makes stay with the frame, and so does what they have read. Where it makes none, only
  /// what the latest move of the place has read counts: else each key would leave a registration.
  func tracking<Answer>(_ place: some Hashable, _ body: () -> Answer) -> Answer {
    let (reading, nodeCount) = (Reading(), tree?.builder.nodeCount)
    let answer = reading.track(invalidation, body)
    if let tree, tree.builder.nodeCount != nodeCount {
      readings.drop(reading)
      tree.noteRedraw()
    } else {
      moveReadings.updateValue(reading, forKey: AnyHashable(place))?.end()
    }
    return answer
  }

  /// What is read in `make` makes the next frame due when it changes.
  private func tracked<Made>(_ make: () -> Made) -> Made {
    withObservationTracking {
      _ = epoch.value
      return make()
    } onChange: { [invalidation] in
      invalidation.set()
    }
  }

  private func build(size: Size, at time: AnyClock.Instant, focus: [Int: ViewPath]) -> NodeTree {
    store.beginFrame()
    // The same one as long as there is a frame: nodes that are kept know no other.
    let last = self.tree
    let builder = last?.builder ?? FrameBuilder(store: store, host: self)
    let isSame = builder.size == size && builder.focus == focus
    let keptNodes = KeptNodes(after: isSame ? last?.keptNodes : nil)
    builder.begin(size: size, at: time, focus: focus, trueHints: trueHints)
    builder.keptNodes = keptNodes
    let context = ViewContext(path: .root, environment: environment, frame: builder)
    let tree = NodeTree(builder, root: context.node(root), keptNodes: keptNodes)
    self.tree = tree
    draw(tree)
    keptNodes.forgetBefore()
    return tree
  }

  private func draw(_ tree: NodeTree) {
    let builder = tree.builder
    var bounds = builder.cells.bounds
    // In plain mode the last row is for announcements, unless every row is needed.
    let announces = environment.isPlain && bounds.height > 2
    if announces { bounds.size.height -= 1 }
    let taken = tree.root.size(ProposedSize(bounds.size))
    let region = Region(rect: bounds, clip: bounds, frame: builder)
    tree.root.draw(in: region.part(Alignment.topLeading.place(taken, in: bounds)))
    builder.finish()
    if announces {
      builder.cells.write(announcer.line(for: builder), at: Point(x: 0, y: bounds.maxY))
      let presented = announcer.presented(builder)
      builder.afterPresenting.append { [weak self] in self?.announcer = presented }
    }
  }

  /// Takes note that a frame is shown: what appeared starts, what left ends.
  public func didPresent(_ frame: Frame) {
    linkFocus(in: frame)
    for action in frame.afterPresenting { action() }
    lifecycle.apply(frame.lifecycle)
    store.endFrame(keeping: frame.kept)
  }

  /// Moves the focus to where it is wanted, if this frame has the place: the next key is for it,
  /// whether or not the frame is shown before that key comes.
  func moveFocusIfWanted(in frame: Frame) {
    if focusWish != nil { linkFocus(in: frame) }
  }

  private func linkFocus(in frame: Frame) {
    focuses = frame.focuses
    focusOrder = frame.focusOrder
    linkedScrolls = frame.scrolls
    for link in frame.focusLinks { link() }
    if let wish = focusWish, wish.fulfil() { focusWish = nil }
  }

  /// Whether a model that the last frame read has changed since.
  public var needsFrame: Bool { invalidation.isSet }

  /// Moves the focus by one region, forwards or backwards; what is scrolled away comes back.
  func moveFocus(in frame: Frame, by step: Int) {
    if let focus = frame.focus, let next = scrolledStop(after: focus, in: frame, by: step) {
      focuses[frame.layer] = next
      return invalidation.set()
    }
    let places = frame.focusables
    guard places.count > 1 else { return }
    let current = places.firstIndex { $0.path == frame.focus } ?? 0
    focuses[frame.layer] = places[(current + step + places.count) % places.count].path
    invalidation.set()
  }

  /// The next stop in the innermost place around the focus that scrolls and has one.
  private func scrolledStop(
    after focus: ViewPath, in frame: Frame, by step: Int
  ) -> ViewPath? {
    let around = frame.scrolls.filter { focus.isWithin($0.path) }
    for scroll in around.sorted(by: { $0.path.depth > $1.path.depth }) {
      if let next = scroll.next(focus, step) { return next }
    }
    return nil
  }

  /// Gives a key to the frame that the user sees; `false` where it means nothing there.
  @discardableResult
  public func press(_ key: KeyPress, in frame: Frame) -> Bool {
    focuses = frame.focuses
    focusWish = nil
    if frame.press(key) { return true }
    switch key {
    case .tab: moveFocus(in: frame, by: 1)
    case .backTab: moveFocus(in: frame, by: -1)
    default: return false
    }
    return true
  }

  /// Gives pasted text to the frame that the user sees; `false` where no field has the focus.
  @discardableResult
  public func paste(_ text: String, in frame: Frame) -> Bool {
    focuses = frame.focuses
    focusWish = nil
    return frame.insert(text)
  }

  /// Gives a mouse event to the frame that the user sees.
  @discardableResult
  public func send(_ event: MouseEvent, in frame: Frame) -> Bool {
    focuses = frame.focuses
    focusWish = nil
    if event.kind == .press,
      let place = frame.focusables.last(where: { $0.rect.contains(event.location) }),
      place.path != frame.focus
    {
      focuses[frame.layer] = place.path
      invalidation.set()
    }
    // A drag is for what was pressed, wherever the mouse is by now.
    if event.kind == .drag {
      return frame.pointerRegions.last { $0.path == pressed }?.action(event) ?? false
    }
    let answering = frame.pointerRegions.last {
      $0.rect.contains(event.location) && $0.action(event)
    }
    if event.kind == .press { pressed = answering?.path }
    return answering != nil
  }

  /// Ends every task of the views.
  public func end() { lifecycle.end() }
}

private struct RootView<Content: View>: View {
  let content: () -> Content
  var body: some View { content() }
}

@Observable
@MainActor
private final class Epoch {
  var value = 0
}
