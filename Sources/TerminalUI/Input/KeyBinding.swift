/// What keys do here: the keys, a word for the footer, and the action.
@MainActor
public struct KeyBinding {
  /// The keys, the one to be shown first.
  public let keys: [KeySequence]
  /// What they do, in a word or two: "reload".
  public let label: String
  /// Where the footer shows it.
  public let footer: FooterPlace
  /// The names of the actions that they do.
  let actions: [String]
  /// Whether a view of this module declares it by itself.
  let isOfView: Bool
  /// Does it as often as a number before the key says; nil where that means nothing.
  let counted: (@MainActor (Int) -> Void)?
  let action: @MainActor () -> Void

  /// - Parameter keys: the one to be shown first, first.
  public init(
    keys: [KeyPress], label: String, footer: FooterPlace = .first,
    action: @escaping @MainActor () -> Void
  ) {
    self.init(
      sequences: keys.map { KeySequence($0) }, label: label, footer: footer, action: action)
  }

  /// - Parameter sequences: the keys, or keys one after another; the one to be shown first, first.
  public init(
    sequences: [KeySequence], label: String, footer: FooterPlace = .first,
    action: @escaping @MainActor () -> Void
  ) {
    self.init(
      keys: sequences, label: label, footer: footer, actions: [], isOfView: true, action: action)
  }

  init(
    keys: [KeySequence], label: String, footer: FooterPlace, actions: [String],
    isOfView: Bool = false, counted: (@MainActor (Int) -> Void)? = nil,
    action: @escaping @MainActor () -> Void
  ) {
    self.keys = keys
    self.label = label
    self.footer = footer
    self.actions = actions
    self.isOfView = isOfView
    self.counted = counted
    self.action = action
  }

  /// The same binding with some of its keys.
  func with(_ keys: [KeySequence]) -> KeyBinding {
    KeyBinding(
      keys: keys, label: label, footer: footer, actions: actions, isOfView: isOfView,
      counted: counted, action: action)
  }

  /// Does what the keys do.
  public func callAsFunction() { action() }
}

/// Which bindings a ``KeyFooter`` shows before others.
public enum FooterPlace: Hashable, Sendable {
  /// Before the others.
  case first
  /// Where there is room beside those.
  case ifRoom
  /// Only a ``KeyList`` shows it: moving and typing need no reminder.
  case never
}

/// A binding with its place, while a frame is built.
@MainActor
final class DeclaredBinding {
  /// From where a binding can be reached.
  enum Reach {
    /// When its view, or one inside it, has the focus.
    case focus
    /// From anywhere in its pane, together with all of the same key that are there.
    case pane
  }

  let binding: KeyBinding
  let path: ViewPath
  let layer: Int
  let reach: Reach
  let section: ViewPath
  /// What the pane is called, if it has a name.
  let sectionTitle: String?

  init(
    _ binding: KeyBinding, path: ViewPath, layer: Int, reach: Reach, section: ViewPath,
    sectionTitle: String?
  ) {
    self.binding = binding
    self.path = path
    self.layer = layer
    self.reach = reach
    self.section = section
    self.sectionTitle = sectionTitle
  }

  /// Whether it has the same keys and words at the same place as another one, whatever they do.
  func isSame(as other: DeclaredBinding) -> Bool {
    self === other
      || path == other.path && reach == other.reach && section == other.section
        && sectionTitle == other.sectionTitle && binding.keys == other.binding.keys
        && binding.label == other.binding.label && binding.footer == other.binding.footer
  }

  /// The same binding with some of its keys; `nil` where none are left.
  func keeping(_ isKept: (KeySequence) -> Bool) -> DeclaredBinding? {
    let keys = binding.keys.filter(isKept)
    guard !keys.isEmpty else { return nil }
    if keys.count == binding.keys.count { return self }
    return DeclaredBinding(
      binding.with(keys), path: path, layer: layer, reach: reach, section: section,
      sectionTitle: sectionTitle)
  }
}

extension View {
  /// Does something when a key is pressed while it, or a view inside it, has the focus.
  ///
  /// The footer shows `label` beside the first of the keys; without `inFooter` only where there is
  /// room beside the others. While `isActive` does not hold, the keys mean nothing here.
  public func onKeyPress(
    _ keys: KeyPress..., label: String, inFooter: Bool = true, when isActive: Bool = true,
    action: @escaping @MainActor () -> Void
  ) -> some View {
    onKeyPress(
      isActive
        ? [
          KeyBinding(
            keys: keys, label: label, footer: inFooter ? .first : .ifRoom, action: action)
        ] : [])
  }

  /// Does something when one of several keys is pressed while it, or a view inside it, has the focus:
  /// for keys that are not known before the program runs.
  public func onKeyPress(_ bindings: [KeyBinding]) -> some View {
    Modified(self, role: .content) { context, node in
      bindings.isEmpty ? node : KeyBindingNode(context, node, bindings, reach: .focus)
    }
  }
}

final class KeyBindingNode: WrapperNode {
  private let bindings: [KeyBinding]
  private let reach: DeclaredBinding.Reach

  init(
    _ context: ViewContext, _ content: Node, _ bindings: [KeyBinding],
    reach: DeclaredBinding.Reach
  ) {
    self.bindings = bindings
    self.reach = reach
    super.init(context, content)
  }

  override func draw(in region: Region) {
    // A key that acts on all of a pane acts on what the user sees of it.
    if reach == .focus || region.isOnScreen {
      for binding in bindings { context.declare(binding, reach: reach) }
    }
    super.draw(in: region)
  }
}

extension ViewContext {
  /// Puts a binding in force for this frame; copies and disabled views have none.
  func declare(_ binding: KeyBinding, reach: DeclaredBinding.Reach = .focus) {
    guard environment.isEnabled, !environment.isInert else { return }
    frame.declare(
      .binding(
        DeclaredBinding(
          binding, path: path, layer: frame.layer, reach: reach,
          section: environment.focusSection, sectionTitle: environment.focusSectionTitle)))
  }

  func declare(
    _ keys: KeyPress..., label: String, inFooter: Bool = false,
    action: @escaping @MainActor () -> Void
  ) {
    declare(
      KeyBinding(keys: keys, label: label, footer: inFooter ? .first : .never, action: action))
  }
}
