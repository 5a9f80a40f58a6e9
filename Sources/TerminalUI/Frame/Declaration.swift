import Loading

/// What a part of a frame is beside its cells; a frame has them in the order in which it was drawn.
///
/// Indirect, since each is copied from frame to frame as long as it holds.
indirect enum Declaration {
  case binding(DeclaredBinding)
  case hint(DeclaredHint)
  case focusable(Focusable)
  case scroll(ScrolledFocus)
  case pointerRegion(PointerRegion)
  /// What gets printable characters and pasted text, where it has the focus.
  case textInput(TextInput)
  case lifecycle(LifecycleEntry)
  /// Where cells are a picture, and no text.
  case picture(Rect)
  /// Where something moves with each tick.
  case animation(Rect)
  /// Where the focus was when the screen that shows was covered by another.
  case uncovered(ViewPath)
  /// What is drawn in front of the screens.
  case sheet(@MainActor () -> Void)
  /// What shows the keys in force, which are known when everything else is drawn.
  case footer(DeclaredFooter)
  /// What binds the focus to places, once all of them are drawn, and what is done after that.
  case focusLink(@MainActor () -> Void)
  case focusSettled(@MainActor () -> Void)
  /// What is to be remembered of the frame once it is shown.
  case afterPresenting(@MainActor () -> Void)
  /// When the element has to be made again.
  case deadline(AnyClock.Instant, ElementMark)
  /// What is said of a region, where it is said and not drawn.
  case announcement(path: ViewPath, text: String)
  case cursor(Point)
  /// Kept free for what is known only when what comes after it is drawn.
  case slot
}

/// What shows the keys in force, while a frame is built.
struct DeclaredFooter {
  let rect: Rect
  let draw: @MainActor ([KeyBinding]) -> Void
  /// Draws what was typed and does nothing yet, in the footer's place and above it.
  let drawPanel: @MainActor (KeyPanel, Rect) -> Void
}

/// The declarations of a frame by kind.
@MainActor
final class Declarations {
  private(set) var bindings: [DeclaredBinding] = []
  private(set) var hints: [DeclaredHint] = []
  private(set) var focusables: [Focusable] = []
  private(set) var scrolls: [ScrolledFocus] = []
  private(set) var pointerRegions: [PointerRegion] = []
  private(set) var textInputs: [TextInput] = []
  private(set) var lifecycle: [LifecycleEntry] = []
  private(set) var uncovered: [ViewPath] = []
  private(set) var focusLinks: [@MainActor () -> Void] = []
  private(set) var afterPresenting: [@MainActor () -> Void] = []
  private(set) var announcements: [(path: ViewPath, text: String)] = []
  private(set) var deadlines: [(instant: AnyClock.Instant, mark: ElementMark)] = []
  private(set) var animations: [Rect] = []
  private(set) var sheets: [@MainActor () -> Void] = []
  private(set) var footers: [DeclaredFooter] = []
  private(set) var cursor: Point?

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
      case .lifecycle(let entry): lifecycle.append(entry)
      case .animation(let rect): animations.append(rect)
      case .uncovered(let path): uncovered.append(path)
      case .sheet(let draw): sheets.append(draw)
      case .footer(let footer): footers.append(footer)
      case .focusLink(let link): focusLinks.append(link)
      case .focusSettled(let settle): settlers.append(settle)
      case .afterPresenting(let action): afterPresenting.append(action)
      case .deadline(let instant, let mark): deadlines.append((instant, mark))
      case .announcement(let path, let text): announcements.append((path, text))
      case .cursor(let point): cursor = point
      case .picture, .slot: break
      }
    }
    focusLinks += settlers
  }

  /// The text field that has the focus of a layer.
  func textInput(focused focus: ViewPath?, layer: Int) -> TextInput? {
    textInputs.first { $0.layer == layer && $0.path == focus }
  }
}

/// What was drawn of a frame: the next one takes from it what is the same.
///
/// It lives as long as the frame; whoever hosts the views only looks whether it is still there.
@MainActor
final class DrawnFrame {
  let cells: CellBuffer
  let list: [Declaration]
  let declarations: Declarations
  /// The keys in force in front of everything.
  let keys: KeysInForce
  /// What was typed and did nothing yet, and where it covers something.
  let typed: (keys: TypedKeys, panels: [Rect])
  let tick: Int

  init(
    cells: CellBuffer, list: [Declaration], declarations: Declarations, keys: KeysInForce,
    typed: (keys: TypedKeys, panels: [Rect]), tick: Int
  ) {
    self.cells = cells
    self.list = list
    self.declarations = declarations
    self.keys = keys
    self.typed = typed
    self.tick = tick
  }
}

/// A region that answers to the mouse, while a frame is built.
struct PointerRegion {
  let path: ViewPath
  let rect: Rect
  let layer: Int
  /// Gets the event with its place within the region, and says whether it was for it.
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

/// A place that takes text, while a frame is built.
@MainActor
struct TextInput {
  let path: ViewPath
  let layer: Int
  let insert: @MainActor (String) -> Void
}

extension KeyPress {
  /// The character that it types, if it types one.
  var printable: Character? {
    guard case .character(let character) = key, modifiers.isDisjoint(with: [.control, .alt]) else {
      return nil
    }
    return character
  }
}
