import Loading

/// What a frame consists of, while its views draw themselves.
@MainActor
final class FrameBuilder {
  private(set) var size = Size.zero
  private(set) var now = AnyClock.Instant(offset: .zero)
  let store: StateStore
  /// Where the focus of each layer is taken to be.
  private(set) var focus: [Int: ViewPath] = [:]
  /// Which hints are taken to be true.
  private(set) var trueHints: Set<ViewPath> = []
  let host: ViewHost
  /// What the tree has that is drawn.
  weak var keptNodes: KeptNodes?

  var cells: CellBuffer
  var cursor: Point?
  var bindings: [DeclaredBinding] = []
  var hints: [DeclaredHint] = []
  var focusables: [Focusable] = []
  var scrolls: [ScrolledFocus] = []
  var pointerRegions: [PointerRegion] = []
  /// What gets printable characters and pasted text, where it has the focus.
  var textInputs: [TextInput] = []
  var lifecycle: [LifecycleEntry] = []
  /// Where cells are a picture, and no text.
  var pictures: [Rect] = []
  var animations: [Animation] = []
  /// What can draw its own moves.
  var movingParts = MovingParts()
  /// Places that live although they are not drawn.
  var kept: [ViewPath] = []
  /// Where the focus was when the screens that show were covered by others.
  var uncovered: [ViewPath] = []
  /// What is drawn in front of the screens.
  var sheets: [@MainActor () -> Void] = []
  /// What is drawn last, because it shows what the frame has become.
  var deferred: [@MainActor () -> Void] = []
  /// What binds the focus to places, once all of them are drawn.
  var focusLinks: [@MainActor () -> Void] = []
  /// What nodes declare while they are made, to be declared once more when they are drawn again.
  private var declaredByMaking: [@MainActor () -> Void] = []
  /// What is to be remembered of the frame once it is shown.
  var afterPresenting: [@MainActor () -> Void] = []
  /// When the picture changes by itself.
  private(set) var deadline: AnyClock.Instant?
  private(set) var deadlineCount = 0
  /// How many nodes were made for it.
  var nodeCount = 0
  /// Whether views have to be made to draw the next frame, because what they remember of this one
  /// was declared while they were made.
  var mustBeMadeAnew = false
  /// The bindings in force at a layer, as long as none is added.
  var inForce: (layer: Int, of: Int, bindings: [DeclaredBinding])?
  /// What can be said of the regions on the screen, where it is said and not drawn.
  var announcements: [(path: ViewPath, text: String)] = []
  /// Sheets in front of the screen that is being drawn.
  var layer = 0
  private(set) var topLayer = 0

  init(store: StateStore, host: ViewHost) {
    self.store = store
    self.host = host
    cells = CellBuffer(size: .zero)
  }

  /// Declares something for this frame and every other one that the same nodes draw.
  func declareByMaking(_ declare: @escaping @MainActor () -> Void) {
    declaredByMaking.append(declare)
    declare()
  }

  /// The frame is to be drawn again at `instant`, if not before; on the grid of the ticks, so that
  /// many things that change by themselves make no more wake-ups than one.
  func redraw(at instant: AnyClock.Instant?) {
    guard let instant, instant > now else { return }
    deadlineCount += 1
    let tick = TickGrid.first(from: instant)
    deadline = min(deadline ?? tick, tick)
  }

  /// Draws what is in front of everything drawn so far: only its keys and regions are in force.
  func inFront(_ draw: () -> Void) {
    topLayer += 1
    layer = topLayer
    draw()
    layer = 0
  }

  /// Lets go of everything that refers to it: what keys do holds the views, which hold the frame
  /// that they were made for.
  func release() {
    (bindings, hints, scrolls, pointerRegions, textInputs) = ([], [], [], [], [])
    (lifecycle, animations, announcements) = ([], [], [])
    (sheets, deferred, focusLinks, afterPresenting) = ([], [], [], [])
    pictures = []
    movingParts = MovingParts()
    inForce = nil
    // The frame has them, and draws in them what moves.
    cells = CellBuffer(size: .zero)
  }

  /// Makes ready for views to be made, and drawn.
  func begin(
    size: Size, at time: AnyClock.Instant, focus: [Int: ViewPath], trueHints: Set<ViewPath>
  ) {
    (self.size, self.focus, self.trueHints) = (size, focus, trueHints)
    (declaredByMaking, kept) = ([], [])
    (layer, topLayer, mustBeMadeAnew) = (0, 0, false)
    beginAgain(at: time)
  }

  /// Makes ready for the same nodes to draw themselves once more.
  func beginAgain(at time: AnyClock.Instant) {
    release()
    now = time
    (focusables, uncovered) = ([], [])
    (cursor, deadline) = (nil, nil)
    cells = host.takeCells(size)
    for declare in declaredByMaking { declare() }
  }

  /// Grows with everything that is declared beside the cells.
  var declarationCount: Int {
    bindings.count + hints.count + focusables.count + scrolls.count + pointerRegions.count
      + textInputs.count
      + lifecycle.count
      + animations.count + pictures.count + kept.count + uncovered.count + sheets.count
      + deferred.count
      + focusLinks.count + afterPresenting.count + announcements.count + deadlineCount
      + (cursor == nil ? 0 : 1)
  }

  /// Draws what waits for the rest of the frame.
  ///
  /// A sheet may open another one.
  func finish() {
    while !sheets.isEmpty { sheets.removeFirst()() }
    for draw in deferred { draw() }
  }
}
