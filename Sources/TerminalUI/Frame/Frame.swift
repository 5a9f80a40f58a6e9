public import Loading

/// Everything the user can see and do at one instant.
///
/// A frame is a pure function of the models, the state of the views, the size and the time. The next
/// one reuses the parts that have not changed.
///
/// ```swift
/// let frame = Frame(Text("Hello"), size: Size(width: 10, height: 1))
/// print(frame.text)  // "Hello"
/// ```
@MainActor
public struct Frame {
  /// The cells of the screen.
  public let cells: CellBuffer
  /// The instant for which the frame was drawn.
  public let time: AnyClock.Instant
  /// The declarations of all layers.
  let declarations: Declarations
  /// The keys in force in the top layer.
  let keys: KeysInForce
  let focuses: [Int: ViewPath]
  /// The layers whose focus was found for the user in this frame, rather than kept.
  var foundFocuses: Set<Int> = []
  /// The pending key sequence, and the cells that its panels cover.
  let typed: (keys: TypedKeys, panels: Damage)
}

extension Frame {
  /// Draws a still frame of a view.
  public init(_ view: some View, size: Size, at time: AnyClock.Instant = .init(offset: .zero)) {
    let host = ViewHost(view)
    // What is drawn refers to its host weakly.
    self = withExtendedLifetime(host) { host.frame(size: size, at: time) }
  }

  /// The cells as text, with one line for each row and without trailing blanks.
  public var text: String { cells.text }

  /// The position of the terminal's cursor, or nil while it is hidden.
  public var cursor: Point? { declarations.cursor(layer: layer) }

  /// The keys in force; if two bindings have the same key, the first one receives it.
  public var bindings: [KeyBinding] { keys.bindings.map(\.binding) }

  /// The keys in force without those that another view receives first, as a footer shows them.
  package var distinctBindings: [KeyBinding] { keys.distinct.map(\.binding) }

  var layer: Int { keys.layer }

  /// The view that receives keys first.
  var focus: ViewPath? { focuses[layer] }

  var lifecycle: [LifecycleEntry] { declarations.lifecycle }

  var focusables: [Focusable] {
    let layer = layer
    return declarations.focusables.filter { $0.layer == layer }
  }

  var scrolls: [ScrolledFocus] {
    let layer = layer
    return declarations.scrolls.filter { $0.layer == layer }
  }

  var pointerRegions: [PointerRegion] {
    let layer = layer
    return declarations.pointerRegions.filter { $0.layer == layer }
  }

  /// Returns the keys that a footer shows at a place of the screen; nil if there are none.
  func keysInFooter(at place: Point) -> KeySequence? {
    let footer = declarations.footers.last { $0.region.clip.contains(place) }
    return footer.flatMap { $0.node.keys(at: place.x, in: $0.region, distinctBindings) }
  }

  /// The instant at which the frame next changes because time has passed; nil if it does not.
  public var nextChange: AnyClock.Instant? {
    let tick = declarations.animations.isEmpty ? nil : TickGrid.next(after: time)
    let ends = [tick, typed.keys.end].compactMap(\.self)
    return (declarations.deadlines.map(\.instant) + ends).min()
  }

  /// Whether a text field has the focus, so that characters are text instead of keys.
  var takesText: Bool { keys.isTyping }

  /// Inserts pasted text into the focused text field, or else passes it to the last view with
  /// ``View/onPaste(perform:)``; returns `false` if there is neither.
  @discardableResult
  public func insert(_ text: String) -> Bool {
    let layer = layer
    let field = declarations.textInput(focused: focus, layer: layer)
    let take = field?.insert ?? declarations.pastes.last { $0.layer == layer }?.action
    take?(text)
    return take != nil
  }

  /// Returns the meaning of a sequence of keys in this frame.
  func meaning(of keys: [KeyPress]) -> KeysInForce.Meaning { self.keys.meaning(of: keys) }

  /// Performs a binding that was found by a key sequence.
  func perform(_ binding: DeclaredBinding, _ sequence: KeySequence, count: Int?) {
    keys.perform(binding, count: count) { $0.keys.contains(sequence) }
  }

  /// Performs an action as if its key were pressed; returns `false` if it is not available here.
  func perform(_ action: KeyAction) -> Bool {
    guard let binding = keys.binding(of: action) else { return false }
    keys.perform(binding, count: nil) { $0.actions.contains(action.name) }
    return true
  }
}
