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
  public let cells: CellBuffer
  /// Where the terminal's cursor stands, if it shows.
  public let cursor: Point?
  /// The instant for which it was drawn.
  public let time: AnyClock.Instant
  /// The keys in force; of two with the same key the first gets it.
  public var bindings: [KeyBinding] { keys.bindings.map(\.binding) }
  let layer: Int
  let focuses: [Int: ViewPath]
  /// Everything that was declared, in all layers.
  let declarations: Declarations
  private let textInput: TextInput?
  private let keys: KeysInForce
  private let deadline: AnyClock.Instant?
  /// What the next frame takes over; whoever hosts the views only looks whether it is still there.
  let drawn: DrawnFrame?

  init(_ builder: FrameBuilder) {
    layer = builder.topLayer
    declarations = builder.declarations
    cursor = declarations.cursor
    time = builder.now
    keys = builder.keysInForce(layer: layer)
    focuses = builder.focus
    textInput = declarations.textInput(focused: builder.focus[layer], layer: layer)
    let ends = [builder.typed.end].compactMap(\.self)
    deadline = (declarations.deadlines.map(\.instant) + ends).min()
    drawn = builder.takeDrawn()
    cells = drawn?.cells ?? CellBuffer(size: builder.size)
  }

  /// A still picture of any view.
  public init(_ view: some View, size: Size, at time: AnyClock.Instant = .init(offset: .zero)) {
    self = ViewHost(view).frame(size: size, at: time)
  }

  /// What is seen, as text: a line a row, trailing blanks cut.
  public var text: String { cells.text }

  /// The place that keys go to first.
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

  /// When it changes by itself, if it does.
  public var nextChange: AnyClock.Instant? {
    let tick = declarations.animations.isEmpty ? nil : TickGrid.next(after: time)
    guard let deadline, let tick else { return deadline ?? tick }
    return min(deadline, tick)
  }

  /// Whether a field has the focus, so that characters are text and not keys.
  var takesText: Bool { textInput != nil }

  /// Gives text to the field that has the focus; `false` where there is none.
  @discardableResult
  public func insert(_ text: String) -> Bool {
    textInput?.insert(text)
    return textInput != nil
  }

  /// Presses a key; `false` where it means nothing here by itself.
  @discardableResult
  public func press(_ key: KeyPress) -> Bool {
    if let textInput, let character = key.printable {
      textInput.insert(String(character))
      return true
    }
    guard case .does(let binding, let sequence) = meaning(of: [key]) else { return false }
    perform(binding, sequence, count: nil)
    return true
  }

  /// What some keys do here, pressed one after another.
  func meaning(of keys: [KeyPress]) -> KeysInForce.Meaning { self.keys.meaning(of: keys) }

  /// Does what a binding does that some keys have found.
  func perform(_ binding: DeclaredBinding, _ sequence: KeySequence, count: Int?) {
    keys.perform(binding, count: count) { $0.keys.contains(sequence) }
  }

  /// Does an action as if its key were pressed; `false` where it is not to be done here.
  func perform(_ action: KeyAction) -> Bool {
    guard let binding = keys.binding(of: action) else { return false }
    keys.perform(binding, count: nil) { $0.actions.contains(action.name) }
    return true
  }
}
