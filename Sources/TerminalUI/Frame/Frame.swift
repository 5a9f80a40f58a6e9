public import Loading

/// Everything a person can see and do at one instant.
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
  public let cursor: Point?
  /// The instant for which it was drawn.
  public private(set) var time: AnyClock.Instant
  /// The keys in force; of two with the same key the first gets it.
  public let bindings: [KeyBinding]
  let layer: Int
  let focuses: [Int: ViewPath]
  let focusables: [Focusable]
  let focusOrder: [Int: [ViewPath]]
  let pointerRegions: [PointerRegion]
  private let textInput: TextInput?
  let lifecycle: [LifecycleEntry]
  let kept: [ViewPath]
  let afterPresenting: [@MainActor () -> Void]
  private let inForce: [DeclaredBinding]
  private let animations: [Animation]
  private let deadline: AnyClock.Instant?
  private let redrawsWhole: Bool
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
    pointerRegions = builder.pointerRegions.filter { $0.layer == builder.topLayer }
    textInput = builder.focusedTextInput(layer: builder.topLayer)
    lifecycle = builder.lifecycle
    kept = builder.kept
    afterPresenting = builder.afterPresenting
    animations = builder.animations
    deadline = builder.deadline
    redrawsWhole = builder.hasCoveredAnimation
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
    for animation in animations { animation.draw(instant, &cells) }
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
