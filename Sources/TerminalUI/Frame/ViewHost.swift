public import Loading

/// Hosts a view, and keeps its state, its focus and its running tasks between frames.
///
/// ```swift
/// let host = ViewHost(Counter())
/// let size = Size(width: 20, height: 1)
/// var frame = host.frame(size: size)
/// host.press("+", in: frame)
/// frame = host.frame(size: size)
/// ```
@MainActor
public final class ViewHost {
  /// The environment that the views inherit.
  public var environment = EnvironmentValues() { didSet { invalidation.set() } }
  // The clock and scheduler for resources that views create themselves.
  let clock: AnyClock
  let scheduler: LoadScheduler
  let invalidation = Invalidation()
  private let tree = ElementTree()
  private let view: AnyView
  private(set) lazy var builder = FrameBuilder(host: self, tree: tree)
  private var knownRoot: ViewElement<AnyView>?
  private let lifecycle = LifecycleRecord()
  var announcer = Announcer()
  // By layer, because closing a sheet restores the focus that it covered.
  private(set) var focuses: [Int: ViewPath] = [:] { didSet { focusesBeforeResize = [:] } }
  /// The layers whose focus was found for the user and not moved since: there a view with
  /// ``View/defaultFocus()`` that appears later still gets it.
  private(set) var foundFocuses: Set<Int> = []
  /// The focus before the size changed, by layer, until the user does something: a view that loses it
  /// for lack of room gets it back.
  private(set) var focusesBeforeResize: [Int: ViewPath] = [:]
  private var drawn: Frame?
  /// Where the newest frame may differ from the last presented one; nil if it may differ anywhere.
  private(set) var damage: Damage?
  // The focusable views, as last presented; used to find the neighbour of a removed one.
  private var stops: [Focusable] = []
  /// The scrolling views of the newest frame that was presented or received a key.
  private(set) var linkedScrolls: [ScrolledFocus] = []
  /// The view that handled the press of the mouse button that is down.
  private var pressed: ViewPath?
  /// A requested focus, kept until a frame has the view or the user does something else.
  var focusWish: FocusWish?
  /// The pending key sequence.
  private(set) var typed = TypedKeys()
  /// The actions still to be performed; a key that the user presses ends the run.
  var run: ActionRun?

  /// Hosts `root`; resources that its views create from loaders use `clock` and `scheduler`.
  public convenience init(
    _ root: some View, clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal
  ) {
    self.init(clock: clock, scheduler: scheduler) { root }
  }

  isolated deinit {
    knownRoot?.end { _ in }
    tree.endAll()
    builder.leave()
  }

  /// The element around all views.
  private var root: ViewElement<AnyView> {
    if let knownRoot { return knownRoot }
    let root = ViewElement(view, in: context) { $2.nodes.append($1.node($0)) }
    knownRoot = root
    return root
  }

  private var context: ViewContext {
    ViewContext(path: .root, environment: environment, frame: builder, owner: ElementMark())
  }

  /// Hosts the view that `root` returns; `root` may read models.
  public init(
    clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal,
    @ViewBuilder root: @escaping () -> some View
  ) {
    // In a view with a body, so that what it reads belongs to an element of the tree.
    view = AnyView(RootView(content: root))
    self.clock = clock
    self.scheduler = scheduler
  }

  /// Draws a frame; only the parts that have changed since the last one are drawn again.
  ///
  /// Earlier frames stay unchanged, and no model is written.
  public func frame(size: Size, at time: AnyClock.Instant = .init(offset: .zero)) -> Frame {
    let last = drawn
    tree.begin()
    if time < builder.now { tree.forgetAll() }
    if size != builder.size {
      tree.invalidate(where: \.dependsOnSize)
      if focusesBeforeResize.isEmpty { focusesBeforeResize = focuses }
    }
    if let end = typed.end, end <= time { typed = TypedKeys() }
    builder.begin(size: size, at: time, typed: typed, after: last)
    for (change, mark) in invalidation.take() {
      switch change {
      case .making: mark.element?.setNeedsMaking()
      case .drawing: mark.element?.setNeedsDrawing()
      }
    }
    if let last { markDue(last.declarations, at: time) }
    root.update(view, in: context)
    update(focus: focuses)
    // Views draw themselves differently with the focus and with the keys in force, so they are
    // drawn again with the actual ones. The first correction is of the focus, the second of the
    // hints. Views that have come into sight may also be due: while they were out of sight, nothing
    // updated them.
    for _ in 0..<2 {
      let (focus, hints) = (builder.resolveFocus(), builder.resolveHints())
      let isDue = markDue(builder.declarations, at: time)
      if focus == builder.focus, hints.keys == builder.trueHints.keys, !isDue { break }
      update(focus: focus, hints: focus == builder.focus ? hints : nil)
    }
    return takeFrame()
  }

  /// Marks the elements whose deadline has passed to be made again; returns whether there are any.
  @discardableResult
  private func markDue(_ declarations: Declarations, at time: AnyClock.Instant) -> Bool {
    let due = declarations.deadlines.filter { $0.instant <= time }
    for (_, mark) in due { mark.element?.setNeedsMaking() }
    return !due.isEmpty
  }

  /// Makes and draws the elements that are out of date, assuming this focus and these hints.
  private func update(focus: [Int: ViewPath], hints: [ViewPath: ElementMark]? = nil) {
    if focus != builder.focus {
      builder.focus = focus
      tree.focusChanged(to: focus)
    }
    if let hints {
      // A hint that is no longer declared counts, too: something may stand in its place now.
      for (path, mark) in hints.merging(builder.trueHints, uniquingKeysWith: { $1 })
      where (hints[path] == nil) != (builder.trueHints[path] == nil) {
        mark.element?.setNeedsDrawing()
      }
      builder.trueHints = hints
    }
    tree.makeAll()
    // In plain mode the last row is for announcements, unless the screen has at most two rows.
    builder.draw(root, announcer: environment.isPlain && builder.size.height > 2 ? announcer : nil)
  }

  private func takeFrame() -> Frame {
    if drawn == nil { damage = nil }
    damage?.formUnion(builder.wholeDamage)
    let frame = builder.takeFrame()
    drawn = frame
    return frame
  }

  /// Draws the next frame from an empty tree; the state of the views is kept.
  func forgetFrames() {
    tree.forgetAll()
    drawn = nil
    invalidation.set()
  }

  /// Records that a frame was presented.
  ///
  /// Starts the tasks and actions of views that have appeared, and ends those of views that have
  /// left.
  public func didPresent(_ frame: Frame) {
    linkFocus(in: frame)
    for action in frame.declarations.actions(.correction, .afterPresenting) { action() }
    lifecycle.apply(frame.lifecycle)
    tree.endAbsent()
    damage = Damage()
  }

  /// Does what the next event relies on, which may come before the frame is presented: moves the
  /// focus to the requested view, if this frame has it, and the selection from a removed row.
  func prepareForInput(in frame: Frame) {
    if focusWish != nil { linkFocus(in: frame) }
    for action in frame.declarations.actions(.correction) { action() }
  }

  private func linkFocus(in frame: Frame) {
    let before = focusesBeforeResize.filter { $0.key <= frame.layer }
    foundFocuses = foundFocuses.union(frame.foundFocuses).filter { frame.focuses[$0] != nil }
    focuses = frame.focuses
    focusesBeforeResize = before
    stops = frame.declarations.focusables
    linkedScrolls = frame.scrolls
    for link in frame.declarations.actions(.focusLink, .focusSettled) { link() }
    if let wish = focusWish, wish.fulfil() { focusWish = nil }
  }

  /// The focusable views of a layer, in order.
  func focusOrder(inLayer layer: Int) -> [ViewPath] {
    stops.filter { $0.layer == layer }.map(\.path)
  }

  /// Whether something that the last frame depends on has changed since.
  public var needsFrame: Bool { invalidation.isSet }

  /// Begins to handle what the user does in the frame that they see.
  func beginInput(in frame: Frame) {
    focuses = frame.focuses
    (foundFocuses, focusWish) = ([], nil)
  }

  /// Moves the focus of a layer to a view.
  func moveFocus(to place: ViewPath, layer: Int) {
    focuses[layer] = place
    foundFocuses.remove(layer)
    invalidation.set()
  }

  /// Moves the focus to the next or previous focusable view, scrolling to it if necessary.
  func moveFocus(in frame: Frame, by step: Int) {
    if let focus = frame.focus, let next = scrolledStop(after: focus, in: frame, by: step) {
      return moveFocus(to: next, layer: frame.layer)
    }
    let places = frame.focusables
    guard places.count > 1 else { return }
    let current = places.firstIndex { $0.path == frame.focus } ?? 0
    moveFocus(
      to: places[(current + step + places.count) % places.count].path, layer: frame.layer)
  }

  /// Returns the next focusable view in the innermost scrolling view around the focus that has one.
  private func scrolledStop(
    after focus: ViewPath, in frame: Frame, by step: Int
  ) -> ViewPath? {
    let around = frame.scrolls.filter { focus.isWithin($0.path) }
    for scroll in around.sorted(by: { $0.path.depth > $1.path.depth }) {
      let next = scroll.scroll(false) { stops in
        if focus == scroll.path { return step > 0 ? 0 : stops.count - 1 }
        return stops.firstIndex(of: focus).map { $0 + step }
      }
      if let next { return next }
    }
    return nil
  }

  func type(_ keys: TypedKeys) {
    guard keys != typed else { return }
    typed = keys
    invalidation.set()
  }

  func forgetTyped() { type(TypedKeys()) }

  /// Inserts pasted text into the frame that the user sees; returns `false` if nothing takes it.
  @discardableResult
  public func paste(_ text: String, in frame: Frame) -> Bool {
    forgetTyped()
    beginInput(in: frame)
    return frame.insert(text)
  }

  /// Handles a mouse event in the frame that the user sees; returns whether a view handled it.
  @discardableResult
  public func send(_ event: MouseEvent, in frame: Frame) -> Bool {
    // The release belongs to a press that may have asked for a focus.
    if event.kind != .release { beginInput(in: frame) }
    if event.kind == .press || event.kind == .release { pressed = nil }
    if event.kind == .press {
      // While keys are pending, the footer shows those that can follow them instead.
      let hinted = typed.isEmpty ? frame.keysInFooter(at: event.location) : nil
      forgetTyped()
      if let hinted {
        for key in hinted.keys { press(key, in: frame) }
        return true
      }
    }
    if event.kind == .press,
      let place = frame.focusables.last(where: { $0.rect.contains(event.location) }),
      place.path != frame.focus
    {
      moveFocus(to: place.path, layer: frame.layer)
    }
    // A drag goes to the view that was pressed, wherever the mouse is now.
    if event.kind == .drag {
      return frame.pointerRegions.last { $0.path == pressed }?.action(event) ?? false
    }
    let answering = frame.pointerRegions.last {
      $0.rect.contains(event.location) && $0.action(event)
    }
    if event.kind == .press { pressed = answering?.path }
    return answering != nil
  }

  /// Cancels every task of the views and runs their disappearance actions.
  public func end() { lifecycle.end() }
}

private struct RootView<Content: View>: View {
  let content: () -> Content
  var body: some View { content() }
}
