public import Loading

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
  let invalidation = Invalidation()
  private let tree = ElementTree()
  private let view: AnyView
  private lazy var builder = FrameBuilder(host: self, tree: tree)
  private lazy var root: RootElement = {
    let context = ViewContext(
      path: .root, environment: environment, frame: builder, owner: ElementMark())
    return RootElement(view, in: context)
  }()
  private let lifecycle = LifecycleRecord()
  private var announcer = Announcer()
  // By layer: closing a sheet brings back the focus that it covered.
  var focuses: [Int: ViewPath] = [:]
  // The newest frame, while it is there.
  private weak var drawn: DrawnFrame?
  /// Where the newest frame may differ from the last one that was presented; nil for anywhere.
  private(set) var damage: Damage?
  // As last presented: where the focus goes when its place is gone.
  private var stops: [Focusable] = []
  /// What scrolls in the newest frame that was presented or given a key.
  private(set) var linkedScrolls: [ScrolledFocus] = []
  /// What answered to the mouse button that went down last.
  private var pressed: ViewPath?
  /// Kept until a frame has the place, or the user does something else.
  var focusWish: FocusWish?
  /// What was typed and does nothing yet.
  private(set) var typed = TypedKeys()
  /// The actions that are still to be done, until the user presses a key.
  var run: ActionRun?

  /// Hosts `root`; resources that its views make from loaders run on `clock` and `scheduler`.
  public init(
    _ root: some View, clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal
  ) {
    view = AnyView(root)
    self.clock = clock
    self.scheduler = scheduler
  }

  /// Hosts what `root` makes, which may read models.
  public convenience init(
    clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal,
    @ViewBuilder root: @escaping () -> some View
  ) {
    self.init(RootView(content: root), clock: clock, scheduler: scheduler)
  }

  /// Draws a frame: what has changed since the last one, over the cells of that.
  ///
  /// Nothing that was drawn before changes, and no model is written.
  public func frame(size: Size, at time: AnyClock.Instant = .init(offset: .zero)) -> Frame {
    let last = drawn
    tree.begin()
    if time < builder.now { tree.forgetAll() }
    if size != builder.size { tree.invalidate(where: \.dependsOnSize) }
    if let end = typed.end, end <= time { typed = TypedKeys() }
    builder.begin(size: size, at: time, typed: typed, after: last)
    for (change, mark) in invalidation.take() {
      switch change {
      case .making: mark.element?.setNeedsMaking()
      case .drawing: mark.element?.setNeedsDrawing()
      }
    }
    if let last { markDue(last.declarations, at: time) }
    root.inherit(environment)
    update(focus: focuses)
    // Views draw themselves differently with the focus, and with the keys that are theirs: once more,
    // with where they really are. The first correction is of the focus, the second of the hints. What
    // has come into sight may have been due while nobody saw it.
    for _ in 0..<2 {
      let (focus, hints) = (builder.resolveFocus(), builder.resolveHints())
      let isDue = markDue(builder.declarations, at: time)
      if focus == builder.focus, hints == builder.trueHints, !isDue { break }
      update(focus: focus, hints: focus == builder.focus ? hints : nil)
    }
    return takeFrame()
  }

  /// Has be made again what was to change by now; `false` where nothing was.
  @discardableResult
  private func markDue(_ declarations: Declarations, at time: AnyClock.Instant) -> Bool {
    let due = declarations.deadlines.filter { $0.instant <= time }
    for (_, mark) in due { mark.element?.setNeedsMaking() }
    return !due.isEmpty
  }

  /// Makes and draws what is out of date, with the focus and the hints as they are taken to be.
  private func update(focus: [Int: ViewPath], hints: Set<ViewPath>? = nil) {
    if focus != builder.focus {
      builder.focus = focus
      tree.focusChanged()
    }
    if let hints {
      let changed = hints.symmetricDifference(builder.trueHints)
      builder.trueHints = hints
      for hint in builder.declarations.hints where changed.contains(hint.path) {
        hint.element.element?.setNeedsDrawing()
      }
    }
    tree.makeAll()
    draw()
  }

  private func draw() {
    var bounds = Rect(origin: Point(x: 0, y: 0), size: builder.size)
    // In plain mode the last row is for announcements, unless every row is needed.
    let announces = environment.isPlain && bounds.height > 2
    if announces { bounds.size.height -= 1 }
    builder.draw(root, in: bounds)
    guard announces else { return }
    let declarations = builder.declarations
    let presented = announcer.presented(declarations)
    builder.write(announcer.line(for: declarations), row: bounds.maxY)
    builder.declare(.afterPresenting { [weak self] in self?.announcer = presented })
  }

  private func takeFrame() -> Frame {
    if drawn == nil { damage = nil }
    damage?.formUnion(builder.wholeDamage)
    let frame = Frame(builder)
    drawn = frame.drawn
    return frame
  }

  /// Has everything be made and drawn as if there had been no frame; what views remember stays.
  func forgetFrames() {
    tree.forgetAll()
    drawn = nil
    invalidation.set()
  }

  /// Takes note that a frame is shown: what appeared starts, what left ends.
  public func didPresent(_ frame: Frame) {
    linkFocus(in: frame)
    for action in frame.declarations.afterPresenting { action() }
    lifecycle.apply(frame.lifecycle)
    tree.endAbsent()
    damage = Damage()
  }

  /// Moves the focus to where it is wanted, if this frame has the place: the next key is for it,
  /// whether or not the frame is shown before that key comes.
  func moveFocusIfWanted(in frame: Frame) {
    if focusWish != nil { linkFocus(in: frame) }
  }

  private func linkFocus(in frame: Frame) {
    focuses = frame.focuses
    stops = frame.declarations.focusables
    linkedScrolls = frame.scrolls
    for link in frame.declarations.focusLinks { link() }
    if let wish = focusWish, wish.fulfil() { focusWish = nil }
  }

  /// The places that could have the focus of a layer, in order.
  func focusOrder(inLayer layer: Int) -> [ViewPath] {
    stops.filter { $0.layer == layer }.map(\.path)
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

  func type(_ keys: TypedKeys) {
    guard keys != typed else { return }
    typed = keys
    invalidation.set()
  }

  func forgetTyped() { type(TypedKeys()) }

  /// Gives pasted text to the frame that the user sees; `false` where no field has the focus.
  @discardableResult
  public func paste(_ text: String, in frame: Frame) -> Bool {
    forgetTyped()
    focuses = frame.focuses
    focusWish = nil
    return frame.insert(text)
  }

  /// Gives a mouse event to the frame that the user sees.
  @discardableResult
  public func send(_ event: MouseEvent, in frame: Frame) -> Bool {
    focuses = frame.focuses
    focusWish = nil
    if event.kind == .press { forgetTyped() }
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

/// The element around all views.
private final class RootElement: Element {
  private let view: AnyView

  init(_ view: AnyView, in context: ViewContext) {
    self.view = view
    super.init(in: context)
    make()
  }

  override func makeNodes(in context: ViewContext, to list: inout NodeList) {
    list.nodes.append(context.node(view))
  }

  /// Takes the environment of the host.
  func inherit(_ environment: EnvironmentValues) {
    guard !environment.isSame(as: context.environment) else { return }
    context.environment = environment
    setNeedsMaking()
  }
}
