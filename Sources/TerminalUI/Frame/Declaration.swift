import Loading

/// Something that a view adds to a frame besides cells, such as a key binding or a region that can
/// have the focus.
///
/// A frame keeps declarations in drawing order.
///
/// Indirect, because unchanged declarations are copied from frame to frame.
indirect enum Declaration {
  case binding(DeclaredBinding)
  case hint(DeclaredHint)
  case focusable(Focusable)
  case scroll(ScrolledFocus)
  case pointerRegion(PointerRegion)
  /// A text field: receives printable characters and pasted text while it has the focus.
  case textInput(TextInput)
  /// Takes pasted text while no text field has the focus.
  case paste(layer: Int, @MainActor (String) -> Void)
  case lifecycle(LifecycleEntry)
  /// Cells that are a picture, not text.
  case picture(Rect)
  /// Cells that say that something failed: a sheet in front does not fade them, and leaves the row
  /// of a message visible.
  case failure(Rect, isMessage: Bool)
  /// A region that changes with each tick.
  case animation(Rect)
  /// The view that had the focus when the screen now shown was covered by another.
  case uncovered(ViewPath)
  /// Draws a sheet in front of the screens.
  case sheet(@MainActor () -> Void)
  /// A footer, which shows the keys in force; they are known once everything else is drawn.
  case footer(DeclaredFooter)
  /// `focusLink` binds focus states to views, once all views are drawn; `focusSettled` runs after
  /// all links.
  case focusLink(@MainActor () -> Void)
  case focusSettled(@MainActor () -> Void)
  /// An action that stores state from this frame once it is presented.
  case afterPresenting(@MainActor () -> Void)
  /// An action that adapts the model to this frame, before the next event or once the frame is
  /// presented.
  case correction(@MainActor () -> Void)
  /// The instant at which the element has to be made again.
  case deadline(AnyClock.Instant, ElementMark)
  /// The text that plain mode announces for a region.
  case announcement(path: ViewPath, text: String)
  case cursor(Point, layer: Int)
  /// A slot for a declaration that depends on those drawn after it.
  case slot
}

/// A footer, recorded while a frame is built.
struct DeclaredFooter {
  let rect: Rect
  let draw: @MainActor ([KeyBinding]) -> Void
  /// Draws the panel of a pending key sequence over the footer and the rows above it.
  let drawPanel: @MainActor (KeyPanel, Rect) -> Void
  /// Returns the keys shown at a place of the screen; nil if there are none.
  let keys: @MainActor (Point, [KeyBinding]) -> KeySequence?
}

/// The declarations of a frame that is being drawn, in drawing order.
@MainActor
struct DeclarationList {
  private(set) var all: [Declaration] = []
  private var sorted: (count: Int, declarations: Declarations)?

  var count: Int { all.count }

  mutating func append(_ declaration: Declaration) { all.append(declaration) }

  static func += (list: inout Self, others: ArraySlice<Declaration>) { list.all += others }

  /// Reserves a slot for a declaration that is made later.
  mutating func appendSlot() -> Int {
    append(.slot)
    return count - 1
  }

  subscript(slot: Int) -> Declaration {
    get { all[slot] }
    set {
      all[slot] = newValue
      sorted = nil
    }
  }

  /// Whether a focusable view was declared after the slot.
  func hasStops(since slot: Int) -> Bool {
    all[slot...].contains { if case .focusable = $0 { true } else { false } }
  }

  var pictures: [Rect] {
    all.compactMap { if case .picture(let rect) = $0 { rect } else { nil } }
  }

  /// All declarations so far, by kind; kept until another one is made.
  mutating func byKind() -> Declarations {
    if let sorted, sorted.count == all.count { return sorted.declarations }
    let declarations = Declarations(all)
    sorted = (all.count, declarations)
    return declarations
  }
}

/// The declarations of a frame, by kind.
@MainActor
final class Declarations {
  private(set) var bindings: [DeclaredBinding] = []
  private(set) var hints: [DeclaredHint] = []
  private(set) var focusables: [Focusable] = []
  private(set) var scrolls: [ScrolledFocus] = []
  private(set) var pointerRegions: [PointerRegion] = []
  private(set) var textInputs: [TextInput] = []
  private(set) var pastes: [(layer: Int, action: @MainActor (String) -> Void)] = []
  private(set) var lifecycle: [LifecycleEntry] = []
  private(set) var uncovered: [ViewPath] = []
  private(set) var focusLinks: [@MainActor () -> Void] = []
  private(set) var afterPresenting: [@MainActor () -> Void] = []
  private(set) var announcements: [(path: ViewPath, text: String)] = []
  private(set) var deadlines: [(instant: AnyClock.Instant, mark: ElementMark)] = []
  private(set) var animations: [Rect] = []
  private(set) var failures: [(rect: Rect, isMessage: Bool)] = []
  private(set) var sheets: [@MainActor () -> Void] = []
  private(set) var footers: [DeclaredFooter] = []
  private(set) var corrections: [@MainActor () -> Void] = []
  /// The position of the cursor in each layer.
  private(set) var cursors: [Int: Point] = [:]

  init(_ list: [Declaration]) {
    var settlers: [@MainActor () -> Void] = []
    for declaration in list {
      switch declaration {
      case .binding(let binding): bindings.append(binding)
      case .hint(let hint): hints.append(hint)
      case .focusable(let place): focusables.append(place)
      case .scroll(let scroll): scrolls.append(scroll)
      case .pointerRegion(let region): pointerRegions.append(region)
      case .textInput(let input): textInputs.append(input)
      case .paste(let layer, let action): pastes.append((layer, action))
      case .lifecycle(let entry): lifecycle.append(entry)
      case .animation(let rect): animations.append(rect)
      case .failure(let rect, let isMessage): failures.append((rect, isMessage))
      case .uncovered(let path): uncovered.append(path)
      case .sheet(let draw): sheets.append(draw)
      case .footer(let footer): footers.append(footer)
      case .focusLink(let link): focusLinks.append(link)
      case .focusSettled(let settle): settlers.append(settle)
      case .afterPresenting(let action): afterPresenting.append(action)
      case .deadline(let instant, let mark): deadlines.append((instant, mark))
      case .announcement(let path, let text): announcements.append((path, text))
      case .correction(let action): corrections.append(action)
      case .cursor(let point, let layer): cursors[layer] = point
      case .picture, .slot: break
      }
    }
    focusLinks += settlers
  }

  /// Returns the text field that has the focus in a layer.
  func textInput(focused focus: ViewPath?, layer: Int) -> TextInput? {
    textInputs.first { $0.layer == layer && $0.path == focus }
  }
}

/// A frame as it was drawn: the next frame reuses the parts that have not changed.
@MainActor
final class DrawnFrame {
  let cells: CellBuffer
  let list: [Declaration]
  let declarations: Declarations
  /// The keys in force in the top layer.
  let keys: KeysInForce
  /// The pending key sequence, and the rectangles that its panel covers.
  let typed: (keys: TypedKeys, panels: Damage)
  let tick: Int

  init(
    cells: CellBuffer, list: [Declaration], declarations: Declarations, keys: KeysInForce,
    typed: (keys: TypedKeys, panels: Damage), tick: Int
  ) {
    self.cells = cells
    self.list = list
    self.declarations = declarations
    self.keys = keys
    self.typed = typed
    self.tick = tick
  }
}

/// A region that handles the mouse, recorded while a frame is built.
struct PointerRegion {
  let path: ViewPath
  let rect: Rect
  let layer: Int
  /// Handles an event, whose location is within the region; returns whether it was handled.
  let action: @MainActor (MouseEvent) -> Bool
}

extension ViewContext {
  func declarePointerRegion(
    _ region: Region, action: @escaping @MainActor (MouseEvent) -> Bool
  ) {
    guard environment.isEnabled, !environment.isInert, !region.isHidden else { return }
    let origin = region.rect.origin
    frame.declare(
      .pointerRegion(
        PointerRegion(path: path, rect: region.clip, layer: frame.layer) { event in
          var event = event
          event.location = Point(x: event.location.x - origin.x, y: event.location.y - origin.y)
          return action(event)
        }))
  }
}

/// A view that takes text, recorded while a frame is built.
@MainActor
struct TextInput {
  let path: ViewPath
  let layer: Int
  let insert: @MainActor (String) -> Void
}

extension KeyPress {
  /// The character that the key types; nil if it types none.
  var printable: Character? {
    guard case .character(let character) = key, modifiers.isDisjoint(with: [.control, .alt]) else {
      return nil
    }
    return character
  }
}
