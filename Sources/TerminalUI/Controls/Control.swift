/// The behaviour that all controls share: it takes the focus, shows that it has the focus, and
/// responds to keys and clicks.
struct Control<Content: View>: PrimitiveView {
  let keys: [KeyBinding]
  let isHighlighted: Bool
  let pressed: @MainActor (Point) -> Void
  let content: Content

  /// - Parameters:
  ///   - keys: the key bindings that are in force while the control has the focus.
  ///   - isHighlighted: whether the whole control is highlighted while it has the focus.
  ///   - pressed: called on a click, with its location within the control.
  init(
    keys: [KeyBinding], isHighlighted: Bool = true, pressed: @escaping @MainActor (Point) -> Void,
    @ViewBuilder content: () -> Content
  ) {
    self.keys = keys
    self.isHighlighted = isHighlighted
    self.pressed = pressed
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    var inner = context.child(.role(.content))
    inner.environment.isFocused = context.hasFocus
    inner.environment.removeLabels()
    if !context.environment.isEnabled { inner.environment.style.attributes.insert(.dim) }
    return [
      DrawnNode(context, inner.node(content)) { [self] in draw($0, $1, in: $2) }
    ]
  }

  private func draw(_ context: ViewContext, _ content: Node, in region: Region) {
    let environment = context.environment
    context.declareFocusable(region)
    for key in keys { context.declare(key) }
    if let submit = environment.submit, !keys.contains(where: \.hasEnter) {
      context.declare(submit)
    }
    context.declarePointerRegion(region) { [pressed] event in
      guard event.kind == .press else { return false }
      pressed(event.location)
      return true
    }
    content.draw(in: region)
    guard context.hasFocus, !region.isHidden else { return }
    if isHighlighted { region.highlight(environment.theme) }
    if environment.isPlain { context.frame.declareCursor(region.clip.origin) }
  }
}

extension Region {
  /// Highlights the region that the next key goes to: in the selection colour, or reversed where
  /// the theme has none.
  ///
  /// Pictures in it keep their colours: restyled, they would be unrecognizable.
  func highlight(_ theme: Theme) {
    let pictures = frame.pictures(in: clip).map { (place: $0, cells: frame.cells.cells(in: $0)) }
    defer {
      paint { cells in
        for picture in pictures { cells.replace(picture.place, with: picture.cells) }
      }
    }
    // Isolated to no actor: otherwise the isolation would be checked once for every cell.
    restyle { @Sendable style in
      if theme.selection == .default {
        style.attributes.insert(.reverse)
      } else {
        style.background = theme.selection
        style.foreground = theme.selectedText
        style.attributes.remove(.dim)
      }
    }
  }
}

/// The action of Enter in the controls of a form.
struct Submit {
  let label: String
  let action: @MainActor () -> Void
}

private enum SubmitKey: EnvironmentKey {
  static var defaultValue: Submit? { nil }
}

extension EnvironmentValues {
  var submit: Submit? {
    get { self[SubmitKey.self] }
    set { self[SubmitKey.self] = newValue }
  }

  /// The keys that change a control with a few values: Space, and Enter unless it submits a form.
  var switchKeys: [KeyPress] { submit == nil ? [.space, .enter] : [.space] }
}

extension ViewContext {
  func declare(_ submit: Submit) {
    declare(.enter, label: submit.label, footer: .first) { submit.action() }
  }
}

extension KeyBinding {
  fileprivate var hasEnter: Bool { keys.contains(KeySequence(.enter)) }
}

extension View {
  /// Runs an action when Enter is pressed in a control of this view that is not a button, or in a list
  /// that has no use for it.
  ///
  /// The footer describes the action with `label`. While `isActive` is false, Enter does nothing.
  public func onSubmit(
    label: String = "done", when isActive: Bool = true, _ action: @escaping @MainActor () -> Void
  ) -> some View {
    transformEnvironment { $0.submit = isActive ? Submit(label: label, action: action) : nil }
  }
}

/// A button that the user presses with Enter, Space or a click.
///
/// ```swift
/// Button("Save") { model.save() }
/// Button("Delete", role: .destructive) { model.delete() }
/// ```
public struct Button<Label: View>: View {
  private let role: ButtonRole?
  private let hint: String
  private let action: @MainActor () -> Void
  private let label: Label

  /// Creates a button that shows `label`; the footer describes its key with `hint`.
  public init(
    hint: String = "press", role: ButtonRole? = nil, action: @escaping @MainActor () -> Void,
    @ViewBuilder label: () -> Label
  ) {
    self.role = role
    self.hint = hint
    self.action = action
    self.label = label()
  }

  /// Creates a button with a title.
  public init(
    _ title: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
  ) where Label == Text {
    self.init(hint: title, role: role, action: action) { Text(title) }
  }

  /// The label between brackets, which mark it as a button even without colours.
  public var body: some View {
    Control(
      keys: [KeyBinding(keys: [.enter, .space], label: hint, footer: .first, action: action)],
      pressed: { _ in action() }
    ) {
      HStack(spacing: 0) {
        Text("[ ")
        label
        Text(" ]")
      }
      // Also the brackets: a text of several lines loses the spaces at the end of a line.
      .lineLimit(1)
      .transformEnvironment { [role] environment in
        if role == .destructive { environment.style.foreground = environment.theme.failure }
      }
    }
  }
}

/// What a ``Button`` is for, apart from its action.
public enum ButtonRole: Hashable, Sendable {
  /// It removes something: the button has the colour of failures.
  case destructive
  /// It leaves everything as it is; the button looks like any other.
  case cancel
}

/// A control that is on or off.
///
/// ```swift
/// Toggle("Show pictures", isOn: $showsPictures)
/// ```
public struct Toggle<Label: View>: View {
  private let isOn: Binding<Bool>
  private let label: Label
  @Environment(\.isPlain) private var isPlain
  @Environment(\.switchKeys) private var switchKeys

  /// Creates a toggle beside `label`.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.isOn = isOn
    self.label = label()
  }

  /// Creates a toggle with a title.
  public init(_ title: String, isOn: Binding<Bool>) where Label == Text {
    self.init(isOn: isOn) { Text(title) }
  }

  /// A box with or without a cross, and the label; in plain mode, the word “on” or “off”.
  public var body: some View {
    let flip: @MainActor () -> Void = { isOn.modify { $0.toggle() } }
    Control(
      keys: [
        KeyBinding(
          keys: switchKeys, label: isOn.wrappedValue ? "off" : "on", footer: .first,
          action: flip)
      ],
      pressed: { _ in flip() }
    ) {
      HStack(spacing: 0) {
        if !isPlain { Text(isOn.wrappedValue ? "[x] " : "[ ] ") }
        label
        if isPlain { Text(isOn.wrappedValue ? ": on" : ": off") }
      }
      .lineLimit(1)
    }
  }
}

extension View {
  /// Runs an action when this view is clicked.
  ///
  /// Not everybody has a mouse: give the action a key, too, or use a ``Button``.
  public func onTapGesture(perform action: @escaping @MainActor () -> Void) -> some View {
    drawn { context, content, region in
      context.declarePointerRegion(region) { event in
        guard event.kind == .press else { return false }
        action()
        return true
      }
      content.draw(in: region)
    }
  }
}
