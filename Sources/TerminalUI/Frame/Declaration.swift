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
  case footer(KeyFooterNode, Region)
  case action(Moment, @MainActor () -> Void)
  /// The instant at which the element has to be made again.
  case deadline(AnyClock.Instant, ElementMark)
  /// The text that plain mode announces for a region.
  case announcement(path: ViewPath, text: String)
  case cursor(Point, layer: Int)

  /// When an action runs.
  enum Moment {
    /// Once all views are drawn, to bind focus states to them; `focusSettled` follows all links.
    case focusLink, focusSettled
    /// Before the next event or once the frame is presented, to adapt the model to the frame.
    case correction
    /// Once the frame is presented, to store state from it.
    case afterPresenting
  }
}

/// The declarations of a frame, in drawing order.
///
/// Those of a kind are collected each time they are asked for: drawing, presenting and an event ask
/// for each kind about once.
@MainActor
struct Declarations {
  private(set) var all: [Declaration] = []

  init(capacity: Int = 0) { all.reserveCapacity(capacity) }

  var count: Int { all.count }

  mutating func append(_ declaration: Declaration) { all.append(declaration) }

  static func += (list: inout Self, others: ArraySlice<Declaration>) { list.all += others }

  private func find<Found>(_ found: (Declaration) -> Found?) -> [Found] {
    // A loop: a closure of the main actor that is passed to the standard library checks the actor
    // in each call.
    var all: [Found] = []
    for declaration in self.all {
      if let found = found(declaration) { all.append(found) }
    }
    return all
  }

  var bindings: [DeclaredBinding] { find { if case .binding(let it) = $0 { it } else { nil } } }
  var hints: [DeclaredHint] { find { if case .hint(let it) = $0 { it } else { nil } } }
  var scrolls: [ScrolledFocus] { find { if case .scroll(let it) = $0 { it } else { nil } } }
  var textInputs: [TextInput] { find { if case .textInput(let it) = $0 { it } else { nil } } }
  var lifecycle: [LifecycleEntry] { find { if case .lifecycle(let it) = $0 { it } else { nil } } }
  var uncovered: [ViewPath] { find { if case .uncovered(let it) = $0 { it } else { nil } } }
  var pictures: [Rect] { find { if case .picture(let it) = $0 { it } else { nil } } }
  var animations: [Rect] { find { if case .animation(let it) = $0 { it } else { nil } } }

  var focusables: [Focusable] {
    var all: [Focusable] = []
    for declaration in self.all {
      guard case .focusable(let next) = declaration else { continue }
      // The first view inside another is declared directly after it.
      if let last = all.last, last.isFallback, last.layer == next.layer,
        next.path.isWithin(last.path)
      {
        all.removeLast()
      }
      all.append(next)
    }
    return all
  }

  var pointerRegions: [PointerRegion] {
    find { if case .pointerRegion(let it) = $0 { it } else { nil } }
  }

  var footers: [(node: KeyFooterNode, region: Region)] {
    find { if case .footer(let node, let region) = $0 { (node, region) } else { nil } }
  }

  var pastes: [(layer: Int, action: @MainActor (String) -> Void)] {
    find { if case .paste(let layer, let action) = $0 { (layer, action) } else { nil } }
  }

  var failures: [(rect: Rect, isMessage: Bool)] {
    find { if case .failure(let rect, let isMessage) = $0 { (rect, isMessage) } else { nil } }
  }

  /// Returns the actions of some moments, one moment after the other.
  func actions(_ moments: Declaration.Moment...) -> [@MainActor () -> Void] {
    moments.flatMap { moment in find { if case .action(moment, let it) = $0 { it } else { nil } } }
  }

  var deadlines: [(instant: AnyClock.Instant, mark: ElementMark)] {
    find { if case .deadline(let instant, let mark) = $0 { (instant, mark) } else { nil } }
  }

  var announcements: [(path: ViewPath, text: String)] {
    find { if case .announcement(let path, let text) = $0 { (path, text) } else { nil } }
  }

  /// Returns the position of the cursor in a layer.
  func cursor(layer: Int) -> Point? {
    find { if case .cursor(let point, layer) = $0 { point } else { nil } }.last
  }

  /// Returns the text field that has the focus in a layer.
  func textInput(focused focus: ViewPath?, layer: Int) -> TextInput? {
    textInputs.first { $0.layer == layer && $0.path == focus }
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
