/// A control in which the user types a line of text.
///
/// While it has the focus, it receives typed characters as text instead of as keys; pasted text
/// goes to it too.
///
/// ```swift
/// TextField("Search", text: $model.query)
///   .onSubmit { model.search() }
/// ```
public struct TextField: PlacedView {
  let title: String
  let text: Binding<String>
  /// Whether the typed text is hidden.
  fileprivate var isSecure = false
  /// What stands for the end of a line; nil if the text has one line.
  fileprivate var lineBreak: String?

  /// Creates a text field that shows `title` while it is empty.
  public init(_ title: String, text: Binding<String>) {
    self.title = title
    self.text = text
  }

  /// Returns the field for a text of several lines, with a sign between them.
  ///
  /// Alt-Enter types the sign, and pasted ends of lines become it; in other fields they become
  /// spaces.
  ///
  /// ```swift
  /// TextField("Alt-Enter for a new line", text: $model.notes).lineBreak("↵")
  /// ```
  public func lineBreak(_ sign: String) -> TextField {
    var field = self
    field.lineBreak = sign
    return field
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [TextFieldNode(context, field: self, place: context.box { PlaceBox(FieldPlace()) })]
  }
}

/// A text field for secrets such as a password, which shows each character as a dot.
///
/// ```swift
/// SecureField("Password", text: $model.password)
/// ```
public struct SecureField: View {
  private let field: TextField

  /// Creates a secure field that shows `title` while it is empty.
  public init(_ title: String, text: Binding<String>) {
    var field = TextField(title, text: text)
    field.isSecure = true
    self.field = field
  }

  /// The text field that hides its text.
  public var body: some View { field }
}

extension View {
  /// Runs an action with text that is pasted while no text field has the focus.
  ///
  /// ```swift
  /// ArticlesScreen()
  ///   .onPaste { text in model.query = text }
  /// ```
  ///
  /// If several views do, the innermost gets it, or the last one of those beside each other.
  public func onPaste(perform action: @escaping @MainActor (String) -> Void) -> some View {
    drawn(role: .content) { context, content, region in
      let environment = context.environment
      if environment.isEnabled, !environment.isInert, !region.isHidden {
        context.frame.declare(.paste(layer: context.frame.layer, action))
      }
      content.draw(in: region)
    }
  }
}

private struct FieldPlace: Equatable {
  /// The number of characters before the cursor; it stays at the end until it is moved.
  var cursor = Int.max
  /// The number of columns scrolled away.
  var offset = 0
  /// What Ctrl-Y inserts.
  var deleted = ""
}

private final class TextFieldNode: Node {
  private let field: TextField
  private let place: PlaceBox<FieldPlace>

  init(_ context: ViewContext, field: TextField, place: PlaceBox<FieldPlace>) {
    self.field = field
    self.place = place
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { axis == .horizontal }

  override func measure(_ proposal: ProposedSize) -> Size {
    Size(width: proposal.width ?? 20, height: min(1, proposal.height ?? 1))
  }

  override func draw(in region: Region) {
    context.declareFocusable(region)
    let text = context.readingToDraw { field.text.wrappedValue }
    let editor = LineEditor(shown(text), cursor: place.value.cursor)
    let column = columns(of: editor.head)
    let state = scrolled(to: column, of: columns(of: editor.text), width: region.rect.width)
    drawText(editor.text, offset: state.offset, in: region)
    frame.declare(.action(.afterPresenting) { [place] in place.settle(state) })
    context.declarePointerRegion(region) { [self] event in
      guard event.kind == .press else { return false }
      moveCursor(to: character(atColumn: event.location.x + state.offset, of: editor), of: editor)
      return true
    }
    guard context.hasFocus, environment.isEnabled, !region.isHidden else { return }
    frame.declareCursor(
      Point(x: region.rect.minX + column - state.offset, y: region.rect.minY))
    declareKeys()
    frame.declare(
      .textInput(
        TextInput(path: context.path, layer: frame.layer) { [self] text in
          edit { [field] in $0.insert(text, lineBreak: field.lineBreak ?? " ") }
        }))
  }

  /// The text to show: in a secure field, one dot for each character.
  private func shown(_ text: String) -> String {
    field.isSecure ? String(repeating: "•", count: text.count) : text
  }

  private func drawText(_ text: String, offset: Int, in region: Region) {
    var style = environment.style
    if !environment.isEnabled { style.attributes.insert(.dim) }
    if !environment.isPlain {
      style.attributes.insert(.underline)
      region.fill(style)
    }
    if text.isEmpty {
      style.foreground = environment.theme.secondary
      // In plain mode nothing else tells the title from a typed text.
      let isBracketed = environment.isPlain && !field.title.isEmpty
      region.write(isBracketed ? "(\(field.title))" : field.title, style: style)
    } else if environment.redactionReasons.isEmpty {
      region.write(text, x: -offset, style: style)
    }
  }

  /// Returns the scroll position that shows the cursor with the least movement.
  ///
  /// It scrolls no further than a text of `length` columns, with room for the cursor after it,
  /// needs.
  private func scrolled(to column: Int, of length: Int, width: Int) -> FieldPlace {
    let width = max(1, width)
    var state = place.value
    state.offset = max(column - width + 1, min(state.offset, column, max(0, length - width + 1)))
    return state
  }

  private func character(atColumn column: Int, of editor: LineEditor) -> Int {
    var end = 0
    for (index, character) in editor.characters.enumerated() {
      end += columns(of: String(character))
      if end > column { return index }
    }
    return editor.characters.count
  }

  /// Edits the current text, not the drawn one, so that two keys between two frames are two edits.
  private func edit(_ change: @escaping (inout LineEditor) -> Void) {
    let (cursor, deleted) = (place.value.cursor, place.value.deleted)
    var editor = LineEditor(field.text.wrappedValue, cursor: cursor, deleted: deleted)
    let before = editor.text
    change(&editor)
    guard !editor.text.isIdentical(to: before) else {
      return moveCursor(to: editor.cursor, of: editor)
    }
    // A mutation may be replayed on another text, so the closure changes nothing but the text.
    field.text.modify { text in
      var editor = LineEditor(text, cursor: cursor, deleted: deleted)
      change(&editor)
      text = editor.text
    }
    // A binding may refuse a text.
    guard !field.text.wrappedValue.isIdentical(to: before) else { return }
    moveCursor(to: editor.cursor, of: editor)
  }

  private func moveCursor(to cursor: Int, of editor: LineEditor) {
    var state = place.value
    // A cursor at the end stays there when the program sets a longer text.
    state.cursor = cursor < editor.characters.count ? cursor : .max
    state.deleted = editor.deleted
    place.move(to: state, of: self)
  }

  private func declareKeys() {
    if let submit = environment.submit { context.declare(submit) }
    if let sign = field.lineBreak {
      context.declare(KeyPress(.enter, modifiers: .alt), label: "new line", footer: .first) {
        [self] in edit { $0.insert(sign) }
      }
    }
    for (keys, label, change) in Self.keys {
      context.declare(
        KeyBinding(keys: keys, label: label, footer: .never) { [self] in edit(change) })
    }
  }

  /// The keys of a shell's command line.
  private static let keys:
    [(keys: [KeyPress], label: String, change: @Sendable (inout LineEditor) -> Void)] = [
      ([.left, .control("b")], "left", { $0.move(to: $0.cursor - 1) }),
      ([.right, .control("f")], "right", { $0.move(to: $0.cursor + 1) }),
      (wordKeys("b", .left), "word left", { $0.moveWordBackward() }),
      (wordKeys("f", .right), "word right", { $0.moveWordForward() }),
      ([.home, .control("a")], "start", { $0.move(to: 0) }),
      ([.end, .control("e")], "end", { $0.move(to: .max) }),
      ([.backspace], "delete", { $0.deleteBackward() }),
      ([.delete, .control("d")], "delete next", { $0.deleteForward() }),
      ([.control("w")], "delete to space", { $0.deleteToSpace() }),
      (
        [alt(.backspace), KeyPress(.backspace, modifiers: .control)], "delete word",
        {
          $0.deleteWordBackward()
        }
      ),
      (wordKeys("d", .delete), "delete next word", { $0.deleteWordForward() }),
      ([.control("u")], "delete to start", { $0.deleteToStart() }),
      ([.control("k")], "delete to end", { $0.deleteToEnd() }),
      ([.control("y")], "insert deleted", { $0.insertDeleted() }),
    ]

  private static func alt(_ key: KeyPress.Key) -> KeyPress { KeyPress(key, modifiers: .alt) }

  private static func wordKeys(_ letter: Character, _ arrow: KeyPress.Key) -> [KeyPress] {
    [alt(.character(letter)), alt(arrow), KeyPress(arrow, modifiers: .control)]
  }
}
