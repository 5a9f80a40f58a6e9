import Loading

/// What a part of a frame is beside its cells; a frame has them in the order in which it was drawn.
enum Declaration {
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
  /// What is drawn last in its place, because it shows what the frame has become.
  case deferred(Rect, @MainActor () -> Void)
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

/// The declarations of a frame by kind.
@MainActor
struct Declarations {
  var bindings: [DeclaredBinding] = []
  var hints: [DeclaredHint] = []
  var focusables: [Focusable] = []
  var scrolls: [ScrolledFocus] = []
  var pointerRegions: [PointerRegion] = []
  var textInputs: [TextInput] = []
  var lifecycle: [LifecycleEntry] = []
  var uncovered: [ViewPath] = []
  var focusLinks: [@MainActor () -> Void] = []
  var afterPresenting: [@MainActor () -> Void] = []
  var announcements: [(path: ViewPath, text: String)] = []
  var deadlines: [(instant: AnyClock.Instant, mark: ElementMark)] = []
  var animations: [Rect] = []
  var deferred: [Rect] = []
  var cursor: Point?

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
      case .deferred(let rect, _): deferred.append(rect)
      case .focusLink(let link): focusLinks.append(link)
      case .focusSettled(let settle): settlers.append(settle)
      case .afterPresenting(let action): afterPresenting.append(action)
      case .deadline(let instant, let mark): deadlines.append((instant, mark))
      case .announcement(let path, let text): announcements.append((path, text))
      case .cursor(let point): cursor = point
      case .picture, .sheet, .slot: break
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
  let tick: Int
  let topLayer: Int

  init(
    cells: CellBuffer, list: [Declaration], declarations: Declarations, tick: Int, topLayer: Int
  ) {
    self.cells = cells
    self.list = list
    self.declarations = declarations
    self.tick = tick
    self.topLayer = topLayer
  }
}
