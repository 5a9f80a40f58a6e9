public import Loading

/// Everything the user can see and do at one instant.
///
/// A frame is a pure function of the models, the size and the time.
///
/// ```swift
/// let frame = Frame(Text("Hello"), size: Size(width: 10, height: 1))
/// print(frame.text)  // "Hello"
/// ```
@MainActor
public struct Frame {
  /// What is seen.
  public private(set) var cells: CellBuffer
  /// Where the terminal's cursor stands, if it shows.
  public private(set) var cursor: Point?
  /// The instant for which it was drawn.
  public private(set) var time: AnyClock.Instant
  /// The keys in force; of two with the same key the first gets it.
  public let bindings: [KeyBinding]
  let layer: Int
  let focuses: [Int: ViewPath]
  let focusables: [Focusable]
  let focusOrder: [Int: [ViewPath]]
  let scrolls: [ScrolledFocus]
  let pointerRegions: [PointerRegion]
  private let textInput: TextInput?
  let lifecycle: [LifecycleEntry]
  let kept: [ViewPath]
  let focusLinks: [@MainActor () -> Void]
  let afterPresenting: [@MainActor () -> Void]
  private let inForce: [DeclaredBinding]
  private let animations: [Animation]
  private let deadline: AnyClock.Instant?
  private let redrawsWhole: Bool
  let movingParts: MovingParts
  /// The rows that may have changed since it was presented; nil for all of them.
  private(set) var changedRows: Range<Int>?
  // Lives as long as the frame; whoever hosts the views only looks whether it is still there.
  private let tree: NodeTree?

  init(_ builder: FrameBuilder, tree: NodeTree? = nil) {
    self.tree = tree
    cells = builder.cells
    cursor = builder.cursor
    time = builder.now
    inForce = builder.bindingsInForce(layer: builder.topLayer)
    bindings = inForce.map(\.binding)
    layer = builder.topLayer
    focuses = builder.focus
    focusables = builder.focusables.filter { $0.layer == builder.topLayer }
    focusOrder = Dictionary(grouping: builder.focusables, by: \.layer).mapValues { $0.map(\.path) }
    scrolls = builder.scrolls.filter { $0.layer == builder.topLayer }
    pointerRegions = builder.pointerRegions.filter { $0.layer == builder.topLayer }
    textInput = builder.focusedTextInput(layer: builder.topLayer)
    lifecycle = builder.lifecycle
    kept = builder.kept
    focusLinks = builder.focusLinks
    afterPresenting = builder.afterPresenting
    animations = builder.animations
    deadline = builder.deadline
    redrawsWhole = builder.hasCoveredAnimation
    movingParts = builder.movingParts
    builder.release()
  }

  /// A still picture of any view.
  public init(_ view: some View, size: Size, at time: AnyClock.Instant = .init(offset: .zero)) {
    self = ViewHost(view).frame(size: size, at: time)
  }

  /// What is seen, as text: a line a row, trailing blanks cut.
  public var text: String { cells.text }

  /// The place that keys go to first.
  var focus: ViewPath? { focuses[layer] }

  /// When it changes by itself, if it does.
  public var nextChange: AnyClock.Instant? {
    let tick = animations.isEmpty ? nil : TickGrid.next(after: time)
    guard let deadline, let tick else { return deadline ?? tick }
    return min(deadline, tick)
  }

  /// Whether only its moving parts change until `instant`.
  func canAdvance(to instant: AnyClock.Instant) -> Bool {
    !redrawsWhole && (deadline.map { instant < $0 } ?? true)
  }

  /// The same frame later: its moving parts are drawn again, nothing else is.
  func advanced(to instant: AnyClock.Instant) -> Frame {
    var frame = self
    frame.advance(to: instant)
    return frame
  }

  /// Becomes the same frame later.
  mutating func advance(to instant: AnyClock.Instant) {
    time = instant
    for animation in animations {
      animation.draw(instant, &cells)
      noteChange(in: animation.rect)
    }
  }

  /// Whether `tree` drew it: then it is the newest one, and the nodes of the tree are as it shows.
  func isDrawn(by tree: NodeTree) -> Bool { self.tree === tree }

  private mutating func noteChange(in rect: Rect) {
    guard let rows = changedRows else { return }
    changedRows =
      rows.isEmpty
      ? rect.minY..<rect.maxY
      : min(rows.lowerBound, rect.minY)..<max(rows.upperBound, rect.maxY)
  }

  /// Takes note that all of it is on the screen.
  mutating func notePresented() { changedRows = 0..<0 }

  /// Draws the moves of some of its parts; `false` where one of them cannot do that by itself.
  mutating func draw(_ moved: [MovingParts.Entry], in builder: FrameBuilder) -> Bool {
    for entry in moved { noteChange(in: entry.rect) }
    return draw(in: builder) {
      // Which hints are true is known of a frame as a whole.
      moved.allSatisfy { $0.part.drawMove() } && builder.hints.isEmpty
    }
  }

  /// Has nodes draw in its cells once more.
  private mutating func draw<Answer>(in builder: FrameBuilder, _ body: () -> Answer) -> Answer {
    builder.cells = takeCells()
    builder.cursor = cursor
    defer {
      (cells, cursor) = (builder.cells, builder.cursor)
      // What they have declared meanwhile, the frame has already.
      builder.release()
    }
    return body()
  }

  /// Whether a key may be pressed again before the moves are drawn that were made since.
  func isLive(_ key: KeyPress) -> Bool {
    if textInput != nil, key.printable != nil { return false }
    return inForce.first { $0.binding.keys.contains(key) }?.binding.isLive ?? false
  }

  /// Gives its cells away, and has none from then on.
  mutating func takeCells() -> CellBuffer {
    defer { cells = CellBuffer(size: .zero) }
    return cells
  }

  /// Gives text to the field that has the focus; `false` where there is none.
  @discardableResult
  public func insert(_ text: String) -> Bool {
    textInput?.insert(text)
    return textInput != nil
  }

  /// Presses a key; `false` where it means nothing here.
  @discardableResult
  public func press(_ key: KeyPress) -> Bool {
    if let textInput, let character = key.printable {
      textInput.insert(String(character))
      return true
    }
    guard let first = inForce.first(where: { $0.binding.keys.contains(key) }) else { return false }
    if first.reach == .focus || focus?.isWithin(first.path) == true {
      first.binding.action()
    } else {
      for other in inForce where other.reach == .pane && other.binding.keys.contains(key) {
        other.binding.action()
      }
    }
    return true
  }
}
